// The schemas carry every bound, enum and default of the contract's inputs and our additional
// arguments; limits stand in the schema alone, where validation and clients find them. Descriptions
// are read by models with every request, so each word has to earn its place: the whole listing of
// profile "code" without output schemas stays under 6 KB (tested by mcp/tools_test.cpp).
#include "mcp/tools.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ask/questions.h"
#include "base/text.h"
#include "mcp/tools/analyze_dependencies_tool.h"
#include "mcp/tools/get_context_tool.h"
#include "mcp/tools/get_references_tool.h"
#include "mcp/tools/index_repository_tool.h"

namespace codexmem::mcp {

namespace {

constexpr Tool kTools[] = {
    {.name = "get_references",
     .title = "Find references",
     .description = "Every use of a symbol, resolved through scopes, imports and types, with kind "
                    "(call, import, type, inherit, read, write), enclosing symbol and confidence. "
                    "Use before changing or removing something.",
     .profile = "code",
     .input_schema = R"json({"type":"object","properties":{
"symbol":{"type":"string","minLength":1,"maxLength":100,"description":"Name, Class.method or path::name"},
"file_path":{"type":"string","description":"File that defines it"},
"line":{"type":"number","minimum":1,"description":"Of the definition, in file_path"},
"include_definitions":{"type":"boolean","default":true},
"min_confidence":{"type":"string","enum":["resolved","likely","name"],"description":"Default likely; name: all with the name"},
"explain":{"type":"boolean","description":"Show how each use was resolved"},
"include_hierarchy":{"type":"boolean","description":"With callers, callees, super- and subtypes, overrides"},
"offset":{"type":"number","minimum":0},
"max_tokens":{"type":"number","minimum":200,"maximum":25000,"default":25000}
},"required":["symbol"]})json",
     .output_schema = R"json({"type":"object","properties":{
"results":{"type":"array","items":{"type":"object","properties":{
"file":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]},
"line":{"type":"integer"},"column":{"type":"integer"},"context":{"type":"string"},"type":{"type":"string","enum":["usage","definition"]},
"nameLine":{"type":"integer"},"nameColumn":{"type":"integer"},"kind":{"type":"string","enum":["call","import","type","inherit","read","write"]},
"container":{"type":"string"},"confidence":{"type":"string","enum":["resolved","likely","name"]},"definition":{"type":"integer"},"chain":{"type":"array","items":{"type":"string"}}
},"required":["file","line","column","context","type","confidence"]}},
"definitions":{"type":"array","items":{"type":"object"}},"definitionsOmitted":{"type":"integer"},"coverage":{"type":"object"},"note":{"type":"string"},"hierarchy":{"type":"array","items":{"type":"object"}},
"total":{"type":"integer"},"omitted":{"type":"integer"},"nextOffset":{"type":"integer"},"suggestions":{"type":"array","items":{"type":"string"}},
"stale":{"type":"object"},"type":{"type":"string"},"message":{"type":"string"}},
"anyOf":[{"required":["results","definitions","coverage"]},{"required":["type","message"]}]})json",
     .whole_numbers = "line,offset,max_tokens",
     .failure_type = "SearchError",
     .run = call_get_references},

    {.name = "analyze_dependencies",
     .title = "Analyze dependencies",
     .description = "What a file imports and which files import it, resolved to files, to a depth; "
                    "with import cycles. Shows what a change may affect.",
     .profile = "code",
     .input_schema = R"json({"type":"object","properties":{
"file_path":{"type":"string","minLength":1},
"depth":{"type":"number","minimum":1,"maximum":10,"default":2,"description":"Levels of files"},
"include_external":{"type":"boolean","default":false,"description":"With packages"},
"offset":{"type":"number","minimum":0},
"max_tokens":{"type":"number","minimum":200,"maximum":25000,"default":25000}
},"required":["file_path"]})json",
     .output_schema = R"json({"type":"object","properties":{
"file":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]},
"dependencies":{"type":"array","items":{"type":"object","properties":{
"file":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]},"importPath":{"type":"string"},"type":{"type":"string"},"symbols":{"type":"array","items":{"type":"string"}},"isExternal":{"type":"boolean"},"package":{"type":"string"},"depth":{"type":"integer"},"via":{"type":"string"},"line":{"type":"integer"}},
"required":["importPath","type","symbols","isExternal","depth"]}},
"dependents":{"type":"array","items":{"type":"object","properties":{
"file":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]},"importPath":{"type":"string"},"type":{"type":"string"},"symbols":{"type":"array","items":{"type":"string"}},"depth":{"type":"integer"},"via":{"type":"string"},"line":{"type":"integer"}},
"required":["file","importPath","type","symbols","depth"]}},
"resources":{"type":"array","description":"Imported files that are no modules: styles, data, texts","items":{"type":"object"}},
"cycles":{"type":"array","items":{"type":"array","items":{"type":"string"}}},"unresolved":{"type":"array","items":{"type":"string"}},"cyclesOmitted":{"type":"integer"},"unresolvedOmitted":{"type":"integer"},"externalOmitted":{"type":"integer"},"total":{"type":"integer"},"omitted":{"type":"integer"},"nextOffset":{"type":"integer"},
"coverage":{"type":"object"},"note":{"type":"string"},
"stale":{"type":"object"},"type":{"type":"string"},"message":{"type":"string"}},
"anyOf":[{"required":["file","dependencies","dependents"]},{"required":["type","message"]}]})json",
     .whole_numbers = "depth,offset,max_tokens",
     .failure_type = "SearchError",
     .run = call_analyze_dependencies},

    {.name = "get_context",
     .title = "Get context",
     .description =
         "What to know before editing a file, or a symbol in it: its symbols with signatures and "
         "docs, callers and callees, related files, imports, files that changed with it "
         "in git, memories and decisions about it, and the code itself, most relevant "
         "first.",
     .profile = "code",
     .input_schema = R"json({"type":"object","properties":{
"file_path":{"type":"string","minLength":1},
"symbol":{"type":"string","description":"One symbol of the file"},
"context_size":{"type":"number","minimum":1,"maximum":20,"default":5,"description":"Pieces and related files at most"},
"include_dependencies":{"type":"boolean","default":true},
"max_tokens":{"type":"number","minimum":200,"maximum":25000,"default":2048}
},"required":["file_path"]})json",
     .output_schema = R"json({"type":"object","properties":{
"file":{"type":"object","properties":{"path":{"type":"string"},"language":{"type":"string"},"lines":{"type":"integer"}},"required":["path"]},
"symbols":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"type":{"type":"string"},"definition":{"type":"string"},"docstring":{"type":"string"},"kind":{"type":"string"},"container":{"type":"string"},"startLine":{"type":"integer"},"endLine":{"type":"integer"}},"required":["name","type","definition"]}},
"memories":{"type":"array","items":{"type":"object"}},"callers":{"type":"array","items":{"type":"object"}},"callees":{"type":"array","items":{"type":"object"}},"types":{"type":"array","items":{"type":"object"}},"tests":{"type":"array","items":{"type":"object"}},"supertypes":{"type":"array","items":{"type":"object"}},"subtypes":{"type":"array","items":{"type":"object"}},"overrides":{"type":"array","items":{"type":"object"}},"overriddenBy":{"type":"array","items":{"type":"object"}},
"relatedFiles":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"reason":{"type":"string"},"score":{"type":"number"}},"required":["path"]}},
"changedTogether":{"type":"array","items":{"type":"object"}},"history":{"type":"object"},
"dependencies":{"type":"array","items":{"type":"object","properties":{"importPath":{"type":"string"},"symbols":{"type":"array","items":{"type":"string"}},"isExternal":{"type":"boolean"},"file":{"type":"object"},"package":{"type":"string"}},"required":["importPath","symbols","isExternal"]}},
"relevantCode":{"type":"array","items":{"type":"object","properties":{"content":{"type":"string"},"startLine":{"type":"integer"},"endLine":{"type":"integer"},"score":{"type":"number"},"file":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]},"symbol":{"type":"string"},"reason":{"type":"string"}},"required":["content","startLine","endLine","score"]}},
"token_estimate":{"type":"integer"},"omitted":{"type":"object"},
"stale":{"type":"object"},"type":{"type":"string"},"message":{"type":"string"}},
"anyOf":[{"required":["file","symbols","relatedFiles","dependencies","relevantCode","token_estimate"]},{"required":["type","message"]}]})json",
     .whole_numbers = "context_size,max_tokens",
     .failure_type = "SearchError",
     .run = call_get_context},

    {.name = "index_repository",
     .title = "Index repository",
     .description = "Bring the index up to date. Seldom needed: changed files are noticed before "
                    "each answer.",
     .profile = "code",
     .read_only = false,
     .input_schema = R"json({"type":"object","properties":{
"force":{"type":"boolean","default":false,"description":"Read every file again"},
"path":{"type":"string","description":"Only this file or folder (default: all)"},
"skip_embeddings":{"type":"boolean","default":false,"description":"Faster, without vectors; false waits for them"}
}})json",
     .output_schema = R"json({"type":"object","properties":{
"status":{"type":"string"},"message":{"type":"string"},
"stats":{"type":"object","properties":{"filesProcessed":{"type":"integer"},"symbolsExtracted":{"type":"integer"},"embeddingsGenerated":{"type":"integer"},"embeddingsPending":{"type":"integer"},"embeddingsError":{"type":"string"},"timeElapsed":{"type":"string"}},"required":["filesProcessed","symbolsExtracted","embeddingsGenerated","timeElapsed"]},
"warnings":{"type":"array","items":{"type":"string"}},"type":{"type":"string"}},
"anyOf":[{"required":["status","message","stats"]},{"required":["type","message"]}]})json",
     .failure_type = "IndexingError",
     .run = call_index_repository},
};

bool writes_decisions(const Tool& tool) {
  return is_in_profile(tool, "decisions") && !tool.read_only;
}

Tool tool_of(const ask::Question& question, std::string_view input_schema) {
  return {.name = question.name,
          .title = question.title,
          .description = question.description,
          .profile = question.groups,
          .read_only = question.read_only,
          .destructive = question.destructive,
          .idempotent = question.idempotent,
          .input_schema = input_schema,
          .output_schema = question.output_schema,
          .question = &question};
}

// Every tool: the questions, and the rows that are not questions yet.
const std::vector<Tool>& all_tools() {
  static const std::vector<std::string> kSchemas = [] {
    std::vector<std::string> schemas;
    for (const ask::Question* each : ask::questions()) schemas.push_back(ask::input_schema(*each));
    return schemas;
  }();
  static const std::vector<Tool> kAll = [] {
    std::vector<Tool> rows;
    for (std::size_t i = 0; i < kSchemas.size(); ++i) {
      const ask::Question& question = *ask::questions()[i];
      if (!question.groups.empty()) rows.push_back(tool_of(question, kSchemas[i]));
    }
    rows.insert(rows.end(), std::begin(kTools), std::end(kTools));
    return rows;
  }();
  return kAll;
}

// Which tool when, for models. A line is said where all the tools that it names are offered, or,
// if it names none, any of its profile.
struct Guidance {
  std::string_view profile;
  std::string_view tools;  // with commas between
  std::string_view text;
};

constexpr Guidance kGuidance[] = {
    {"code", "",
     "Answers describe files as they are now, or say in `stale` why not. Paths are from the "
     "repository's root, lines from 1."},
    {"code", "search_code",
     "- Where is something: search_code, in plain words. For exact text: \"a phrase\" or /regex/, "
     "not grep."},
    {"code", "find_symbol", "- Know a name: find_symbol."},
    {"code", "get_references", "- Before changing or removing it: get_references, for every use."},
    {"code", "get_context",
     "- Before work on a file or a symbol in it: get_context, not whole files."},
    {"code", "analyze_dependencies", "- Moving, splitting, deleting a file: analyze_dependencies."},
    {"memory", "search", "- What was seen, fixed or said before: search."},
    {"memory", "timeline,get_observations",
     "- Then timeline(anchor), and get_observations(ids) of what matters."},
    {"memory", "save_memory", "- What later sessions need: save_memory."},
    {"memory", "search_decisions", "- Before a choice of design: search_decisions."},
    {"memory", "record_decision,supersede_decision",
     "- When one is made: record_decision, or supersede_decision."},
    {"code,memory", "",
     "Answers are short and count what they omit; max_tokens widens or narrows them, offset goes "
     "on."},
};

bool is_offered(const Guidance& line, const ToolTable& tools) {
  if (!line.tools.empty()) return can_use(tools, line.tools);
  const auto profiles = split(line.profile, ',');
  const auto names = tools.names();
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return std::any_of(profiles.begin(), profiles.end(), [&](std::string_view profile) {
      return is_in_profile(*tools.find(name), profile);
    });
  });
}

// All that a client which loads tools when they are needed shows of a server (some 237 bytes).
std::string first_line(const ToolTable& tools) {
  const bool has_code = is_offered({"code", "", ""}, tools);
  const bool has_memory = is_offered({"memory", "", ""}, tools);
  std::string line = "codexmem ";
  if (has_code) {
    line +=
        "knows this repository's definitions, references and dependencies and finds code by "
        "meaning: use it instead of grep";
  }
  if (has_memory) {
    line += has_code ? ". It remembers" : "remembers";
    line += " what earlier sessions found";
    if (can_use(tools, "search_decisions")) line += " and decided";
    if (can_use(tools, "search")) line += ": search before you begin";
  }
  return line + ".";
}

std::string instructions_for(const ToolTable& tools) {
  std::vector<std::string> lines = {first_line(tools)};
  for (const Guidance& line : kGuidance) {
    if (is_offered(line, tools)) lines.emplace_back(line.text);
  }
  return join(lines, "\n");
}

}  // namespace

std::span<const Tool> tools() { return all_tools(); }

bool can_use(const ToolTable& offered, std::string_view names) {
  return std::ranges::all_of(split(names, ','), [&](std::string_view name) {
    const Tool* const tool = offered.find(name);
    if (tool == nullptr || !writes_decisions(*tool)) return tool != nullptr;
    // One of tools_of_viewer() is another row.
    return std::ranges::any_of(all_tools(), [&](const Tool& row) { return &row == tool; });
  });
}

// In the place of what they do, which their titles say, so that the list grows by nothing.
std::span<const Tool> tools_of_viewer(bool has_secret) {
  const auto make = [](std::string_view why) {
    std::vector<Tool> rows = all_tools();
    for (Tool& tool : rows) {
      if (writes_decisions(tool)) tool.description = why;
    }
    return rows;
  };
  static const std::vector<Tool> kWithSecret = make("Fails: the role is viewer.");
  static const std::vector<Tool> kWithout =
      make("Fails: AGENT_MEMORY_SECRET is not set (codexmem init --decisions).");
  return has_secret ? kWithSecret : kWithout;
}

std::string contract_versions() {
  return R"({"code_tools":"1.0.0","memory_tools":"v1","decision_tools":"1.0.0"})";
}

ServerOptions server_options(std::string version, const ToolTable& offered) {
  ServerOptions options;
  options.title = "codexmem code intelligence and memory";
  options.version = std::move(version);
  options.contracts = contract_versions();
  options.instructions = instructions_for(offered);
  return options;
}

}  // namespace codexmem::mcp
