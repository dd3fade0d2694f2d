"""The code tools: name of the case, tool, arguments, what must hold of the result.

The repository is program.FILES. docs/contract.md names these cases.
"""

from cases import code_failure, has

SERVICE = "src/services/UserService.ts"


def is_search_item(item):
    marks = all(snippet_part(item["snippet"], mark) == mark["text"] for mark in item["matches"])
    return (has(item, "file symbol score snippet line matches startLine endLine kind") and
            has(item["file"], "path language") and marks and 0 <= item["score"] <= 1)


def snippet_part(snippet, mark):
    units = snippet.encode("utf-16-le")
    return units[2 * mark["start"]:2 * mark["end"] + 2].decode("utf-16-le")


CASES = [
    # search_code
    ("search_code_item", "search_code", {"query": "findUser", "format": "json"},
     lambda r: r.json == r.data["results"] and r.json[0]["file"] == {"path": SERVICE, "language": "typescript"} and
     r.json[0]["symbol"]["name"] == "findUser" and r.json[0]["symbol"]["type"] == "method" and
     all(is_search_item(item) for item in r.json) and any(item["matches"] for item in r.json)),
    ("search_code_short_item", "search_code", {"query": "findUser"},
     lambda r: r.json == r.data["results"] and r.json[0]["symbol"]["name"] == "findUser" and
     not any("matches" in item for item in r.json)),
    ("search_code_limit_default", "search_code", {"query": "export", "threshold": 0},
     lambda r: 5 < len(r.json) <= 10),
    ("search_code_limit", "search_code", {"query": "export", "threshold": 0, "limit": 2},
     lambda r: len(r.data["results"]) == 2),
    ("search_code_limit_high", "search_code", {"query": "a", "limit": 51},
     code_failure("ValidationError", "limit", "1 to 50", "51")),
    ("search_code_limit_low", "search_code", {"query": "a", "limit": 0},
     code_failure("ValidationError", "limit", "0")),
    ("search_code_query_empty", "search_code", {"query": ""}, code_failure("ValidationError", "query")),
    ("search_code_query_long", "search_code", {"query": "x" * 1001}, code_failure("ValidationError", "query", "1000", "locate")),
    ("search_code_query_missing", "search_code", {}, code_failure("ValidationError", "query")),
    ("search_code_threshold_range", "search_code", {"query": "a", "threshold": 1.1},
     code_failure("ValidationError", "threshold", "1.1")),
    ("search_code_threshold_zero", "search_code", {"query": "find a user by name", "threshold": 0},
     lambda r: len(r.data["results"]) > 1),
    ("search_code_best_always", "search_code", {"query": "findUser", "threshold": 1},
     lambda r: len(r.json) == 1 and r.json[0]["file"]["path"] == SERVICE),
    ("search_code_extensions", "search_code", {"query": "report", "file_extensions": [".py"], "threshold": 0},
     lambda r: r.json and all(item["file"]["path"].endswith(".py") for item in r.json)),
    ("search_code_probability", "search_code", {"query": "find a user by name"},
     lambda r: r.json and all(0 <= item["probability"] <= 1 for item in r.json)),
    ("search_code_why", "search_code", {"query": "find a user by name", "explain": True},
     lambda r: r.json[0]["why"] and has(r.json[0]["why"][0], "name weight value")),
    ("search_code_one_a_file", "search_code", {"query": "user service", "threshold": 0},
     lambda r: 1 < len({item["file"]["path"] for item in r.json}) == len(r.json)),
    ("search_code_container", "search_code", {"query": "findUser"},
     lambda r: r.json[0]["container"] == "UserService" and r.json[0]["kind"] == "method" and
     r.json[0]["startLine"] <= r.json[0]["line"] <= r.json[0]["endLine"]),
    ("search_code_configuration_below", "search_code", {"query": "report width", "threshold": 0},
     lambda r: [item["file"]["path"] for item in r.json].index("tools/report.py") <
     [item["file"]["path"] for item in r.json].index("settings.yaml")),
    ("search_code_other_text", "search_code", {"query": "walrus"},
     lambda r: r.json[0]["file"]["path"] == "run.rb" and r.json[0]["symbol"] is None),
    ("search_code_small_answer", "search_code", {"query": "export", "threshold": 0, "limit": 50},
     lambda r: len(r.json) > 5 and len(r.text) <= 8192),
    ("search_code_max_tokens", "search_code", {"query": "export", "threshold": 0, "limit": 50, "max_tokens": 400},
     lambda r: len(r.text) <= 1600 and r.data["omitted"] > 0 and r.data["nextOffset"] == len(r.json)),

    # locate
    ("locate_item", "locate", {"text": "findUser returns the wrong user\n\n  at findUser (src/services/UserService.ts:10:5)"},
     lambda r: r.json == r.data["results"] and r.json[0]["path"] == SERVICE and r.json[0]["symbol"] == "UserService.findUser" and
     has(r.json[0], "path symbol kind line startLine endLine probability reasons code") and "findUser" in r.json[0]["code"] and
     all(item["reasons"] and "code" not in item for item in r.json[1:])),
    ("locate_limit", "locate", {"text": "the user is not found", "limit": 1},
     lambda r: len(r.json) == 1 and r.data["omitted"] > 0),
    ("locate_limit_high", "locate", {"text": "a", "limit": 51}, code_failure("ValidationError", "limit", "1 to 50", "51")),
    ("locate_text_empty", "locate", {"text": ""}, code_failure("ValidationError", "text")),
    ("locate_text_long", "locate", {"text": "x" * 20001}, code_failure("ValidationError", "text", "20000")),
    ("locate_text_missing", "locate", {}, code_failure("ValidationError", "text")),

    # find_symbol
    ("find_symbol_item", "find_symbol", {"symbol": "UserService"},
     lambda r: r.json == r.data["results"] and len(r.json) == 1 and r.json[0]["score"] == 1.0 and
     r.json[0]["file"]["path"] == SERVICE and has(r.json[0]["symbol"], "name type startLine endLine definition docstring") and
     r.json[0]["symbol"]["type"] == "class" and (r.json[0]["symbol"]["startLine"], r.json[0]["symbol"]["endLine"]) == (5, 16) and
     r.json[0]["symbol"]["docstring"] == "Service for user management operations" and
     r.json[0]["symbol"]["definition"].startswith("export class UserService")),
    ("find_symbol_name_place", "find_symbol", {"symbol": "UserService"},
     lambda r: (r.json[0]["symbol"]["nameLine"], r.json[0]["symbol"]["nameColumn"]) == (5, 14)),
    ("find_symbol_exact_alone", "find_symbol", {"symbol": "Base"},
     lambda r: [item["match"] for item in r.json] == ["exact"]),
    ("find_symbol_near", "find_symbol", {"symbol": "userserv"},
     lambda r: r.json and all(item["match"] != "exact" and item["score"] < 1 for item in r.json)),
    ("find_symbol_hump", "find_symbol", {"symbol": "UsSer"},
     lambda r: r.json[0]["symbol"]["name"] == "UserService" and r.json[0]["match"] == "camel"),
    ("find_symbol_suggestions", "find_symbol", {"symbol": "UserServise"},
     lambda r: r.json == [] and "UserService" in r.data["suggestions"]),
    ("find_symbol_member", "find_symbol", {"symbol": "UserService.findUser"},
     lambda r: r.json[0]["symbol"]["type"] == "method"),
    ("find_symbol_path", "find_symbol", {"symbol": "src/base.ts::Base"},
     lambda r: [item["file"]["path"] for item in r.json] == ["src/base.ts"]),
    ("find_symbol_module", "find_symbol", {"symbol": "report.render_report"},
     lambda r: [item["file"]["path"] for item in r.json] == ["tools/report.py"]),
    ("find_symbol_type", "find_symbol", {"symbol": "Base", "type": "function"},
     lambda r: r.json == [] and r.data["otherTypes"] == ["class"]),
    ("find_symbol_type_unknown", "find_symbol", {"symbol": "Base", "type": "enum"},
     code_failure("ValidationError", "type", "enum")),
    ("find_symbol_enum_is_type", "find_symbol", {"symbol": "Colour"},
     lambda r: (r.json[0]["symbol"]["type"], r.json[0]["symbol"]["kind"]) == ("type", "enum")),
    ("find_symbol_namespace_is_type", "find_symbol", {"symbol": "Tools"},
     lambda r: (r.json[0]["symbol"]["type"], r.json[0]["symbol"]["kind"]) == ("type", "namespace")),
    ("find_symbol_interface", "find_symbol", {"symbol": "Shape", "type": "interface"}, lambda r: len(r.json) == 1),
    ("find_symbol_variable", "find_symbol", {"symbol": "limit", "type": "variable"}, lambda r: len(r.json) == 1),
    ("find_symbol_property", "find_symbol", {"symbol": "users", "type": "property"}, lambda r: len(r.json) == 1),
    ("find_symbol_file", "find_symbol", {"symbol": "findUser", "file_path": "src/base.ts"},
     lambda r: r.data["coverage"]["filesSearched"] == 1 and not any(item["match"] == "exact" for item in r.json)),
    ("find_symbol_long", "find_symbol", {"symbol": "x" * 101}, code_failure("ValidationError", "symbol", "100")),
    ("find_symbol_empty", "find_symbol", {"symbol": ""}, code_failure("ValidationError", "symbol")),

    # get_references
    ("get_references_items", "get_references", {"symbol": "UserService"},
     lambda r: r.json == r.data["results"] and r.json[0]["type"] == "definition" and
     all(has(item, "file line column context type confidence") for item in r.json) and
     [item["file"]["path"] for item in r.json if item["type"] == "usage"] == ["src/controller.ts"] * 2),
    ("get_references_definition_start", "get_references", {"symbol": "UserService"},
     lambda r: (r.json[0]["line"], r.json[0]["column"], r.json[0]["nameColumn"]) == (5, 1, 14)),
    ("get_references_utf16", "get_references", {"symbol": "UserService"},
     lambda r: [item["column"] for item in r.json if item["line"] == 4] == [38]),
    ("get_references_kinds", "get_references", {"symbol": "UserService"},
     lambda r: [item.get("kind") for item in r.json if item["type"] == "usage"] == ["import", "call"]),
    ("get_references_container", "get_references", {"symbol": "UserService"},
     lambda r: [item["container"] for item in r.json if item["line"] == 4] == ["greet"]),
    ("get_references_without_definitions", "get_references", {"symbol": "UserService", "include_definitions": False},
     lambda r: r.json and all(item["type"] == "usage" for item in r.json)),
    ("get_references_of_member", "get_references", {"symbol": "findUser", "file_path": SERVICE},
     lambda r: [(item["file"]["path"], item["line"]) for item in r.json if item["type"] == "usage"] == [("src/controller.ts", 5)]),
    ("get_references_inherit", "get_references", {"symbol": "Base"},
     lambda r: [item["kind"] for item in r.json if item["type"] == "usage"] == ["import", "read", "import", "inherit"]),
    ("get_references_coverage", "get_references", {"symbol": "Base"},
     lambda r: has(r.data, "results definitions coverage") and has(r.data["coverage"], "filesSearched filesSkipped")),
    ("get_references_unknown_file", "get_references", {"symbol": "Base", "file_path": "src/bas.ts"},
     code_failure("FileNotFoundError", "src/base.ts")),
    ("get_references_long", "get_references", {"symbol": "x" * 101}, code_failure("ValidationError", "symbol", "100")),

    # analyze_dependencies
    ("analyze_dependencies_object", "analyze_dependencies", {"file_path": "src/controller.ts"},
     lambda r: r.json == r.data and r.json["file"] == {"path": "src/controller.ts"} and
     r.json["dependencies"][0]["file"]["path"] == SERVICE and
     r.json["dependencies"][0]["importPath"] == "./services/UserService" and
     r.json["dependencies"][0]["symbols"] == ["UserService"] and r.json["dependencies"][0]["type"] == "import" and
     r.json["dependencies"][0]["isExternal"] is False and
     [item["file"]["path"] for item in r.json["dependents"]] == ["src/index.ts"] and
     has(r.json["dependents"][0], "file importPath type symbols")),
    ("analyze_dependencies_depth_default", "analyze_dependencies", {"file_path": "src/controller.ts"},
     lambda r: [(item["file"]["path"], item["depth"]) for item in r.json["dependencies"]] ==
     [(SERVICE, 1), ("src/base.ts", 2)]),
    ("analyze_dependencies_depth", "analyze_dependencies", {"file_path": "src/controller.ts", "depth": 1},
     lambda r: {item["depth"] for item in r.json["dependencies"]} == {1}),
    ("analyze_dependencies_depth_range", "analyze_dependencies", {"file_path": "src/index.ts", "depth": 11},
     code_failure("ValidationError", "depth", "1 to 10", "11")),
    ("analyze_dependencies_external", "analyze_dependencies", {"file_path": SERVICE, "include_external": True},
     lambda r: [(item["package"], item["symbols"]) for item in r.json["dependencies"] if item["isExternal"]] == [("lodash", ["merge"])]),
    ("analyze_dependencies_no_external", "analyze_dependencies", {"file_path": SERVICE},
     lambda r: not any(item["isExternal"] for item in r.json["dependencies"])),
    ("analyze_dependencies_require", "analyze_dependencies", {"file_path": "src/old.js", "include_external": True},
     lambda r: [(item["importPath"], item["type"]) for item in r.json["dependencies"]] == [("./base", "require"), ("fs", "require")]),
    ("analyze_dependencies_include", "analyze_dependencies", {"file_path": "src/plain.c", "include_external": True},
     lambda r: [(item["importPath"], item["type"]) for item in r.json["dependencies"]] == [("plain.h", "include"), ("<stdio.h>", "include")]),
    ("analyze_dependencies_language", "analyze_dependencies", {"file_path": "src/plain.scala"},
     lambda r: r.json["dependencies"] == [] and r.json["coverage"]["unresolvedLanguage"] == "scala" and "not resolved" in r.json["note"]),
    ("analyze_dependencies_cycles", "analyze_dependencies", {"file_path": "src/cycle_a.ts", "depth": 10},
     lambda r: r.json["cycles"] and set(r.json["cycles"][0]) == {"src/cycle_a.ts", "src/cycle_b.ts"} and
     len(r.json["dependencies"]) == 1),
    ("analyze_dependencies_unknown", "analyze_dependencies", {"file_path": "src/controler.ts"},
     code_failure("FileNotFoundError", "src/controller.ts")),
    ("analyze_dependencies_outside", "analyze_dependencies", {"file_path": "../elsewhere.ts"},
     code_failure("ValidationError", "file_path")),
    ("analyze_dependencies_empty", "analyze_dependencies", {"file_path": ""}, code_failure("ValidationError", "file_path")),

    # get_context
    ("get_context_object", "get_context", {"file_path": SERVICE},
     lambda r: r.json == r.data and r.json["file"]["path"] == SERVICE and
     {"name", "type", "definition"} <= set(r.json["symbols"][0]) and
     "src/controller.ts" in [item["path"] for item in r.json["relatedFiles"]] and
     {"importPath": "lodash", "symbols": ["merge"], "isExternal": True} in r.json["dependencies"] and
     has(r.json["relevantCode"][0], "content startLine endLine score")),
    ("get_context_symbol", "get_context", {"file_path": SERVICE, "symbol": "findUser"},
     lambda r: [item["name"] for item in r.json["symbols"]] == ["findUser"] and
     [item["name"] for item in r.json["callers"]] == ["greet"] and "this.users.get" in r.json["relevantCode"][0]["content"]),
    ("get_context_size", "get_context", {"file_path": SERVICE, "context_size": 1},
     lambda r: len(r.json["relevantCode"]) <= 1 and len(r.json["relatedFiles"]) <= 1),
    ("get_context_size_range", "get_context", {"file_path": SERVICE, "context_size": 21},
     code_failure("ValidationError", "context_size", "1 to 20", "21")),
    ("get_context_without_dependencies", "get_context", {"file_path": SERVICE, "include_dependencies": False},
     lambda r: r.json["dependencies"] == []),
    ("get_context_tokens", "get_context", {"file_path": SERVICE},
     lambda r: 0 < r.json["token_estimate"] <= 2048 and len(r.text) <= 8192),
    ("get_context_memories", "get_context", {"file_path": "src/base.ts"},
     lambda r: any(item["title"] == "Labels are base" for item in r.json["memories"])),
    ("get_context_unknown_symbol", "get_context", {"file_path": SERVICE, "symbol": "nothing"},
     code_failure("ValidationError", "nothing")),

    # index_repository
    ("index_repository_object", "index_repository", {},
     lambda r: r.json == r.data and r.json["status"] == "completed" and
     r.json["message"].startswith("Repository indexing completed for: /") and
     has(r.json["stats"], "filesProcessed symbolsExtracted embeddingsGenerated timeElapsed") and
     r.json["stats"]["timeElapsed"].endswith("s")),
    ("index_repository_force", "index_repository", {"force": True},
     lambda r: r.json["stats"]["filesProcessed"] >= 10 and r.json["stats"]["embeddingsGenerated"] > 0),
    ("index_repository_path", "index_repository", {"force": True, "path": "tools"},
     lambda r: r.json["stats"]["filesProcessed"] == 1),
    ("index_repository_without_vectors", "index_repository", {"force": True, "skip_embeddings": True},
     lambda r: r.json["stats"]["embeddingsGenerated"] == 0),
    ("index_repository_skipped", "index_repository", {},
     lambda r: has(r.json["stats"]["skipped"], "binary ignored too_large")),
    ("index_repository_unknown", "index_repository", {"path": "no/such/folder"},
     code_failure("FileNotFoundError", "no/such/folder")),
    ("index_repository_outside", "index_repository", {"path": "/etc"}, code_failure("ValidationError", "path")),
    ("unknown_arguments", "find_symbol", {"symbol": "Base", "colour": "red"}, lambda r: len(r.json) == 1),
]
