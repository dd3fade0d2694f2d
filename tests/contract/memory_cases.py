"""The memory, observation and decision tools: name of the case, tool, arguments, what must hold of the result.

They run in this order on one memory, which holds RECORDS. docs/contract.md names these cases.
"""

from cases import decision_failure, has, memory_failure

# Rows of project demo: observations 1 to 3, session S1, prompt P1.
RECORDS = {
    "sessions": [{"content_session_id": "c1", "memory_session_id": "m1", "project": "demo",
                  "started_at_epoch": 1767323000000, "status": "completed"}],
    "summaries": [{"memory_session_id": "m1", "project": "demo", "request": "Make tea",
                   "completed": "Tea", "created_at_epoch": 1767323500000}],
    "observations": [
        {"memory_session_id": "m1", "project": "demo", "type": "bugfix", "title": f"Kettle {n}",
         "narrative": f"It boiled over {n} times", "facts": ["hot"],
         "concepts": ["gotcha" if n else "pattern"], "files_read": ["src/stove.cpp"],
         "files_modified": ["src/kettle.cpp"], "created_at_epoch": 1767323400000 + n}
        for n in range(3)],
    "prompts": [{"content_session_id": "c1", "prompt_number": 1, "prompt_text": "make tea",
                 "created_at_epoch": 1767323300000}],
}
ITEM = "id title entry_type project created_at score"
DETAIL = "id title body entry_type project session_id source_ref metadata created_at"
OBSERVATION = """id memory_session_id project text type title subtitle facts narrative concepts files_read
    files_modified prompt_number discovery_tokens created_at created_at_epoch facts_list concepts_list
    files_read_list files_modified_list"""
SECRET = "ghp" + "_" + "9aB3dE7fG1hJ5kL2mN8pQ4rS6tU0vW1xY3zA"


def ids(result):
    return [item["id"] for item in result.data["items"]]


MEMORY_CASES = [
    # __IMPORTANT
    ("important", "__IMPORTANT", {"anything": [1]},
     lambda r: r.data is None and len(r.texts) == 1 and
     r.text.index("search") < r.text.index("timeline(anchor") < r.text.index("get_observations(ids=[")),
    ("important_workflow", "important_workflow", {}, lambda r: r.data is None and "50-100" in r.text and "500-1" in r.text),

    # save_memory
    ("save_memory_answer", "save_memory", {"text": "The API needs X-API-Key", "title": "Auth", "project": "my-app"},
     lambda r: r.json == r.data and has(r.data, "status id created_at success title project type message observation_id") and
     (r.data["status"], r.data["success"], r.data["id"]) == ("saved", True, str(r.data["observation_id"])) and
     (r.data["title"], r.data["project"], r.data["type"]) == ("Auth", "my-app", "discovery") and
     r.data["message"] == f"Memory saved as observation #{r.data['id']}"),
    ("save_memory_twice", "save_memory", {"text": "The API needs X-API-Key", "title": "Auth", "project": "my-app"},
     lambda r: r.data["duplicate"] is True and r.data["id"] == "4"),
    ("save_memory_all_fields", "save_memory",
     {"text": "All fields", "type": "gotcha", "source_ref": "doc#1", "metadata": {"a": {"b": 1}}},
     lambda r: (r.data["type"], r.data["project"], r.data["title"]) == ("gotcha", "demo", "All fields")),
    ("save_memory_title_default", "save_memory", {"text": "x" * 100}, lambda r: r.data["title"] == "x" * 60 + "..."),
    ("save_memory_empty", "save_memory", {"text": " "}, memory_failure("INVALID_ARGUMENT", "text")),
    ("save_memory_missing", "save_memory", {}, memory_failure("INVALID_ARGUMENT", "text")),
    ("save_memory_type_pattern", "save_memory", {"text": "a", "type": "No Such"}, memory_failure("INVALID_ARGUMENT", "type")),
    ("save_memory_blocked", "save_memory", {"text": f"use {SECRET}"},
     lambda r: memory_failure("POLICY_BLOCKED")(r) and r.data["details"]["rules"] == ["github-token"] and
     SECRET not in str(r)),
    ("save_memory_blocked_anywhere", "save_memory", {"text": "a", "metadata": {"key": [SECRET]}},
     memory_failure("POLICY_BLOCKED")),
    ("save_memory_private", "save_memory", {"text": "kept <private>canary</private> too", "title": "Private"},
     lambda r: r.data["success"]),
    ("save_memory_private_gone", "get_entries", {"ids": ["7"]},
     lambda r: "canary" not in str(r) and "kept" in r.data["items"][0]["body"]),
    ("save_memory_about_code", "save_memory",
     {"text": "Base.label says base.", "title": "Labels are base", "files": ["src/base.ts"], "symbols": ["Base"]},
     lambda r: r.data["cites"]),

    # search
    ("search_items", "search", {"query": "kettle"},
     lambda r: has(r.data, "items total limit offset totalResults query") and ids(r) and
     all(has(item, ITEM) and isinstance(item["id"], str) for item in r.data["items"]) and
     (r.data["total"], r.data["limit"], r.data["offset"]) == (3, 20, 0)),
    ("search_markdown", "search", {"query": "kettle", "type": "observations"},
     lambda r: r.text.startswith('Found 3 result(s) matching "kettle" (3 obs, 0 sessions, 0 prompts)') and
     "### Jan 2, 2026" in r.text and "**src/kettle.cpp**" in r.text and "| ID | Time | T | Title | Read |" in r.text and
     "#1" in r.text and "AM" in r.text),
    ("search_filters_only", "search", {"project": "demo", "type": "bugfix"}, lambda r: "(filters only)" in r.text),
    ("search_json", "search", {"query": "kettle", "format": "json"},
     lambda r: r.json == r.data and has(r.data, "observations sessions prompts totalResults query items total") and
     set(OBSERVATION.split()) <= set(r.data["observations"][0])),
    ("search_json_text_by_argument", "search", {"query": "kettle", "source_ref": "doc#1"},
     lambda r: r.json == r.data and "observations" not in r.data and ids(r)),
    ("search_format_before_argument", "search", {"query": "kettle", "metadata": {}, "format": "markdown"},
     lambda r: r.text.startswith("Found 3")),
    ("search_nothing_asked", "search", {}, memory_failure("INVALID_ARGUMENT", "Either query or filters required for search")),
    ("search_type_is_category", "search", {"type": "prompts", "project": "demo"}, lambda r: ids(r) == ["P1"]),
    ("search_type_is_session", "search", {"type": "sessions", "project": "demo"}, lambda r: ids(r) == ["S1"]),
    ("search_type_is_type", "search", {"type": "bugfix"}, lambda r: r.data["total"] == 3),
    ("search_obs_type", "search", {"obs_type": ["bugfix", "feature"], "type": "observations"}, lambda r: r.data["total"] == 3),
    ("search_types_with_commas", "search", {"type": "bugfix,gotcha"}, lambda r: r.data["total"] == 4),
    ("search_concepts", "search", {"concepts": "gotcha,nothing", "project": "demo"}, lambda r: sorted(ids(r)) == ["2", "3"]),
    ("search_concepts_exact", "search", {"concepts": ["gotch"]}, lambda r: r.data["total"] == 0),
    ("search_files_read", "search", {"files": "stove"}, lambda r: r.data["total"] == 3),
    ("search_files_modified", "search", {"files": ["kettle.c"]}, lambda r: r.data["total"] == 3),
    ("search_filters_and", "search", {"concepts": "pattern", "files": "kettle", "type": "bugfix"}, lambda r: ids(r) == ["1"]),
    ("search_project_unknown", "search", {"query": "kettle", "project": "nobody"}, lambda r: r.data["total"] == 0),
    ("search_dates_iso", "search", {"dateStart": "2026-01-02", "dateEnd": "2026-01-02"}, lambda r: r.data["total"] == 5),
    ("search_dates_epoch", "search", {"dateStart": 1767323400, "dateEnd": 1767323400001, "type": "observations"},
     lambda r: sorted(ids(r)) == ["1", "2"]),
    ("search_dates_with_query", "search", {"query": "kettle", "dateEnd": "2026-01-01"}, lambda r: r.data["total"] == 0),
    ("search_order_date", "search", {"query": "kettle", "orderBy": "date_asc"}, lambda r: ids(r) == ["1", "2", "3"]),
    ("search_order_default", "search", {"type": "bugfix"}, lambda r: ids(r) == ["3", "2", "1"]),
    ("search_order_unknown", "search", {"query": "a", "orderBy": "size"}, memory_failure("INVALID_ARGUMENT", "orderBy")),
    ("search_limit_clamps", "search", {"query": "kettle", "limit": 1000}, lambda r: r.data["limit"] == 100),
    ("search_limit_low", "search", {"query": "kettle", "limit": 0}, memory_failure("INVALID_ARGUMENT", "limit")),
    ("search_limit_text", "search", {"query": "kettle", "limit": "many"}, memory_failure("INVALID_ARGUMENT", "limit")),
    ("search_offset", "search", {"query": "kettle", "orderBy": "date_asc", "limit": 1, "offset": 1},
     lambda r: ids(r) == ["2"] and (r.data["total"], r.data["offset"]) == (3, 1)),
    ("search_current_project_first", "search", {"query": "kettle"}, lambda r: r.data["items"][0]["project"] == "demo"),
    ("search_small_answer", "search", {"dateStart": "2020-01-01", "limit": 100}, lambda r: len(ids(r)) > 5 and len(r.text) <= 8192),

    # timeline
    ("timeline_anchor", "timeline", {"anchor": 2, "depth_before": 1, "depth_after": 1},
     lambda r: ids(r) == ["1", "2", "3"] and [item.get("is_anchor", False) for item in r.data["items"]] == [False, True, False]),
    ("timeline_markdown", "timeline", {"anchor": 2},
     lambda r: r.text.startswith("# Timeline around anchor: 2") and "Window" in r.text and "ANCHOR" in r.text and
     "| ID | Time | T | Title | Tokens |" in r.text),
    ("timeline_anchor_id", "timeline", {"anchor_id": "2"},
     lambda r: r.json == r.data and r.data["anchor_id"] == "2" and all(has(item, ITEM) for item in r.data["items"])),
    ("timeline_json_text_by_argument", "timeline", {"anchor": 2, "metadata": {}}, lambda r: r.json == r.data and ids(r)[:3] == ["P1", "1", "2"]),
    ("timeline_all_kinds_ascending", "timeline", {"anchor_id": "1"}, lambda r: ids(r) == ["P1", "1", "2", "3", "S1"]),
    ("timeline_depth_default", "timeline", {"anchor_id": "S1"}, lambda r: r.data["depth_before"] == 3 and r.data["depth_after"] == 3 and
     ids(r).index("S1") == 3),
    ("timeline_depth_clamps", "timeline", {"anchor_id": "S1", "depth_before": 500}, lambda r: r.data["depth_before"] == 20),
    ("timeline_anchor_hash", "timeline", {"anchor": "#S1"}, lambda r: r.data["anchor_id"] == "S1"),
    ("timeline_anchor_prompt", "timeline", {"anchor": "P1"}, lambda r: r.data["anchor_id"] == "P1"),
    ("timeline_anchor_iso", "timeline", {"anchor": "2026-01-02T03:10:00Z"}, lambda r: not r.is_error and "1" in ids(r)),
    ("timeline_anchor_epoch", "timeline", {"anchor": 1767323400}, lambda r: not r.is_error and "1" in ids(r)),
    ("timeline_query", "timeline", {"query": "boiled over 2 times"},
     lambda r: r.text.startswith('# Timeline for query: "boiled over 2 times"') and
     [item["id"] for item in r.data["items"] if item.get("is_anchor")] == ["3"]),
    ("timeline_anchor_wins", "timeline", {"query": "kettle 2", "anchor": 1}, lambda r: r.data["anchor_id"] == "1"),
    ("timeline_query_without_hit", "timeline", {"query": "zzqq xxyy"},
     lambda r: not r.is_error and "No observations found matching" in r.text),
    ("timeline_unknown", "timeline", {"anchor": 99999}, memory_failure("ENTRY_NOT_FOUND", "Observation #99999 not found")),
    ("timeline_nothing_asked", "timeline", {}, memory_failure("INVALID_ARGUMENT")),

    # get_observations
    ("get_observations_array", "get_observations", {"ids": [1, 2, 3, 999]},
     lambda r: r.json == r.data["results"] and [row["id"] for row in r.json] == [3, 2, 1] and
     set(OBSERVATION.split()) <= set(r.json[0])),
    ("get_observations_lists_as_text", "get_observations", {"ids": [1]},
     lambda r: (r.json[0]["facts"], r.json[0]["facts_list"], r.json[0]["created_at_epoch"]) == ('["hot"]', ["hot"], 1767323400000)),
    ("get_observations_none", "get_observations", {"ids": []}, lambda r: not r.is_error and r.json == []),
    ("get_observations_order_limit", "get_observations", {"ids": [1, 2], "orderBy": "date_asc", "limit": 1},
     lambda r: [row["id"] for row in r.json] == [1]),
    ("get_observations_project", "get_observations", {"ids": [1], "project": "nobody"}, lambda r: r.json == []),
    ("get_observations_type", "get_observations", {"ids": [1], "type": "feature"}, lambda r: r.json == []),
    ("get_observations_concepts", "get_observations", {"ids": [1, 2], "concepts": ["gotcha"]},
     lambda r: [row["id"] for row in r.json] == [2]),
    ("get_observations_files", "get_observations", {"ids": [1], "files": "teapot"}, lambda r: r.json == []),
    ("get_observations_missing", "get_observations", {}, memory_failure("INVALID_ARGUMENT", "ids must be an array of numbers")),
    ("get_observations_no_array", "get_observations", {"ids": "1"}, memory_failure("INVALID_ARGUMENT", "ids must be an array of numbers")),
    ("get_observations_texts", "get_observations", {"ids": ["1"]}, memory_failure("INVALID_ARGUMENT", "All ids must be integers")),
    ("get_observations_fractions", "get_observations", {"ids": [1.5]}, memory_failure("INVALID_ARGUMENT", "All ids must be integers")),
    ("get_observations_many", "get_observations", {"ids": list(range(501))}, memory_failure("INVALID_ARGUMENT", "500")),

    # get_entries
    ("get_entries_items", "get_entries", {"ids": ["5", "1", "S1", "P1", "nope", "99"]},
     lambda r: r.json == r.data and ids(r) == ["5", "1", "S1", "P1"] and all(has(item, DETAIL) for item in r.data["items"]) and
     r.data["missing"] == ["nope", "99"] and r.data["items"][0]["metadata"] == {"a": {"b": 1}} and
     r.data["items"][0]["source_ref"] == "doc#1"),
    ("get_entries_same_row", "get_entries", {"ids": ["1"]},
     lambda r: r.data["items"][0]["title"] == "Kettle 0" and r.data["items"][0]["entry_type"] == "bugfix"),
    ("get_entries_id_forms", "get_entries", {"ids": ["#1", "#S1"]}, lambda r: ids(r) == ["1", "S1"]),
    ("get_entries_none_found", "get_entries", {"ids": ["99"]}, memory_failure("ENTRY_NOT_FOUND")),
    ("get_entries_none", "get_entries", {"ids": []}, memory_failure("INVALID_ARGUMENT", "ids")),
    ("get_entries_many", "get_entries", {"ids": [str(n) for n in range(201)]}, memory_failure("INVALID_ARGUMENT", "200")),

    # ingest_docs
    ("ingest_docs_defaults", "ingest_docs", {},
     lambda r: r.json == r.data and has(r.data, "processed_sources imported_entries duplicate_entries skipped_sources") and
     (r.data["processed_sources"], r.data["skipped_sources"]) == (2, ["docs/requirements.md"]) and r.data["imported_entries"] >= 2 and
     r.data["skipped"][0]["reason"]),
    ("ingest_docs_again", "ingest_docs", {},
     lambda r: r.data["imported_entries"] == 0 and r.data["duplicate_entries"] >= 2),
    ("ingest_docs_found", "search", {"query": "queue drained by hand"},
     lambda r: r.data["items"][0]["entry_type"] == "ingestion"),
    ("ingest_docs_source", "get_entries", {"ids": ["9", "10"]},
     lambda r: [item["source_ref"][:5] for item in r.data["items"]] == ["docs/"] * 2),
    ("ingest_docs_sources_type", "ingest_docs", {"sources": ["README.md", "assets/blob.bin"], "entry_type": "readme", "project": "other"},
     lambda r: r.data["imported_entries"] == 1 and r.data["skipped_sources"] == ["assets/blob.bin"] and r.data["project"] == "other"),
    ("ingest_docs_type", "ingest_docs", {"entry_type": "No Such"}, memory_failure("INVALID_ARGUMENT", "entry_type must match", "No Such")),
    ("ingest_docs_outside", "ingest_docs", {"sources": ["../../etc/passwd"]}, memory_failure("INVALID_ARGUMENT", "../../etc/passwd")),

    # retention_dry_run
    ("retention_answer", "retention_dry_run", {"max_age_days": 1, "now": "2026-06-01T00:00:00Z", "project": "demo"},
     lambda r: r.json == r.data and has(r.data, "mode executed_at total_candidates by_reason candidate_ids") and
     r.data["mode"] == "dry-run" and set(r.data["by_reason"]) == {"age", "project_count"} and
     r.data["candidate_ids"][:3] == ["1", "2", "3"] and r.data["executed_at"].startswith("2026-06-01")),
    ("retention_count", "retention_dry_run", {"max_age_days": 100000, "max_entries_per_project": 1, "project": "demo"},
     lambda r: r.data["by_reason"]["age"] == 0 and r.data["by_reason"]["project_count"] >= 3),
    ("retention_defaults", "retention_dry_run", {},
     lambda r: (r.data["max_age_days"], r.data["max_entries_per_project"]) == (180, 10000)),
    ("retention_nothing_removed", "get_entries", {"ids": ["1", "2", "3"]}, lambda r: ids(r) == ["1", "2", "3"]),
    ("retention_low", "retention_dry_run", {"max_age_days": 0}, memory_failure("INVALID_ARGUMENT", "max_age_days")),
    ("retention_bad_time", "retention_dry_run", {"now": "soon"}, memory_failure("INVALID_ARGUMENT", "now")),
]

REASON = "It is embedded and outlives power cuts"

# By a server with a secret and the role agent, without the wait between writes.
DECISION_CASES = [
    ("record_decision_answer", "record_decision",
     {"title": "Use SQLite", "target": "database_policy", "rationale": REASON, "consequences": ["One file"]},
     lambda r: r.json == r.data and r.data["status"] == "success" and r.data["decision_id"].startswith("decision_") and
     r.data["decision_id"].endswith(".md")),
    ("record_decision_conflict", "record_decision",
     {"title": "Use Postgres", "target": " Database_Policy ", "rationale": REASON},
     decision_failure("CONFLICT: Active decisions for target")),
    ("record_decision_title", "record_decision", {"title": " ", "target": "a", "rationale": REASON}, decision_failure("title")),
    ("record_decision_short", "record_decision", {"title": "a", "target": "b", "rationale": "too short"},
     decision_failure("", "rationale", "10")),
    ("record_decision_blocked", "record_decision", {"title": "a", "target": "b", "rationale": f"the key is {SECRET}"},
     lambda r: decision_failure("", "github-token")(r) and SECRET not in str(r)),
    ("supersede_decision_short", "supersede_decision",
     {"title": "a", "target": "database_policy", "rationale": "x" * 14, "old_decision_ids": ["{active}"]},
     decision_failure("", "rationale", "15")),
    ("supersede_decision_none", "supersede_decision",
     {"title": "a", "target": "database_policy", "rationale": REASON, "old_decision_ids": []},
     decision_failure("", "old_decision_ids")),
    ("supersede_decision_unknown", "supersede_decision",
     {"title": "a", "target": "database_policy", "rationale": REASON, "old_decision_ids": ["decision_none.md"]},
     decision_failure("", "decision_none.md")),
    ("supersede_decision_answer", "supersede_decision",
     {"title": "Use SQLite 3", "target": "database_policy", "rationale": REASON, "old_decision_ids": ["{active}"]},
     lambda r: r.data["status"] == "success" and r.data["decision_id"]),
    ("search_decisions_answer", "search_decisions", {"query": "sqlite"},
     lambda r: r.json == r.data and r.data["status"] == "success" and len(r.data["results"]) == 1 and
     has(r.data["results"][0], "id score status preview kind") and r.data["results"][0]["status"] == "active" and
     1 <= r.data["results"][0]["score"] <= 2.1),
    ("search_decisions_audit", "search_decisions", {"query": "sqlite", "mode": "audit"},
     lambda r: [item["status"] for item in r.data["results"]] == ["active", "superseded"] and
     r.data["results"][1]["score"] <= 0.5),
    ("search_decisions_strict", "search_decisions", {"query": "sqlite", "mode": "strict"},
     lambda r: [item["status"] for item in r.data["results"]] == ["active"]),
    ("search_decisions_mode", "search_decisions", {"query": "a", "mode": "loose"}, decision_failure("", "mode")),
    ("search_decisions_limit", "search_decisions", {"query": "a", "limit": 21}, decision_failure("", "limit", "20")),
    ("search_decisions_empty", "search_decisions", {"query": ""}, decision_failure("", "query")),
    ("accept_proposal_role", "accept_proposal", {"proposal_id": "proposal_20260102_030405_678901_0123abcd.md"},
     decision_failure("Permission Denied")),
]
