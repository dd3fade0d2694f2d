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
#include "mcp/tools/memory_tools.h"

namespace codexmem::mcp {

namespace {

constexpr Tool kTools[] = {
    {.name = "search",
     .title = "Search memory",
     .description = "Search what was remembered of all projects: observations, saved memories, "
                    "sessions, prompts. Compact rows; then timeline or get_observations.",
     .profile = "memory",
     .input_schema = R"json({"type":"object","properties":{
"query":{"type":"string","description":"Optional beside a filter"},
"limit":{"type":"number","default":20,"description":"Up to 100"},
"offset":{"type":"number"},
"project":{"type":"string"},
"type":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}],"description":"observations, sessions, prompts, or a type: bugfix"},
"obs_type":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]},
"concepts":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]},
"files":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}],"description":"Parts of paths"},
"dateStart":{"anyOf":[{"type":"string"},{"type":"number"}],"description":"ISO (local) or epoch"},
"dateEnd":{"anyOf":[{"type":"string"},{"type":"number"}],"description":"Included"},
"orderBy":{"type":"string","enum":["relevance","date_desc","date_asc"]},
"format":{"type":"string","enum":["json"],"description":"Whole records"},
"max_tokens":{"type":"number","minimum":200,"maximum":25000,"default":2048}
}})json",
     .output_schema = R"json({"type":"object","properties":{
"items":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"title":{"type":"string"},"entry_type":{"type":"string"},"project":{"type":"string"},"created_at":{"type":"string"},"score":{"type":"number","minimum":0,"maximum":1},"code_state":{"type":"string"}},"required":["id","title","entry_type","project","created_at","score"]}},
"total":{"type":"integer"},"limit":{"type":"integer"},"offset":{"type":"integer"},"totalResults":{"type":"integer"},"query":{"type":"string"},"counts":{"type":"object"},"total_is_estimate":{"type":"boolean"},
"omitted":{"type":"integer"},"nextOffset":{"type":"integer"},"degraded":{"type":"boolean"},"note":{"type":"string"},
"observations":{"type":"array","items":{"type":"object"}},"sessions":{"type":"array","items":{"type":"object"}},"prompts":{"type":"array","items":{"type":"object"}},
"code":{"type":"string"},"message":{"type":"string"},"details":{"anyOf":[{"type":"object"},{"type":"null"}]}},
"anyOf":[{"required":["items","total","limit","offset","totalResults","query"]},{"required":["code","message"]}]})json",
     .checks_arguments = true,
     .fail = fail_memory,
     .run = call_search},

    {.name = "timeline",
     .title = "Timeline",
     .description = "What happened around a row of search, in order: observations, sessions, "
                    "prompts.",
     .profile = "memory",
     .input_schema = R"json({"type":"object","properties":{
"anchor":{"anyOf":[{"type":"string"},{"type":"number"}],"description":"12, S3, P4 or a time"},
"query":{"type":"string","description":"Finds the anchor"},
"depth_before":{"type":"number","default":3,"description":"Up to 20"},
"depth_after":{"type":"number","default":3,"description":"Up to 20"},
"project":{"type":"string"},
"anchor_id":{"type":"string","description":"As anchor, for JSON"},
"format":{"type":"string","enum":["json"]},
"max_tokens":{"type":"number","minimum":200,"maximum":25000,"default":2048}
}})json",
     .output_schema = R"json({"type":"object","properties":{
"anchor_id":{"anyOf":[{"type":"string"},{"type":"null"}]},"query":{"type":"string"},"depth_before":{"type":"integer"},"depth_after":{"type":"integer"},"omitted":{"type":"integer"},
"items":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"title":{"type":"string"},"entry_type":{"type":"string"},"project":{"type":"string"},"created_at":{"type":"string"},"score":{"type":"number"},"is_anchor":{"type":"boolean"},"code_state":{"type":"string"}},"required":["id","title","entry_type","project","created_at","score"]}},
"observations":{"type":"array","items":{"type":"object"}},"sessions":{"type":"array","items":{"type":"object"}},"prompts":{"type":"array","items":{"type":"object"}},
"code":{"type":"string"},"message":{"type":"string"},"details":{"anyOf":[{"type":"object"},{"type":"null"}]}},
"anyOf":[{"required":["anchor_id","items"]},{"required":["code","message"]}]})json",
     .checks_arguments = true,
     .fail = fail_memory,
     .run = call_timeline},

    {.name = "get_observations",
     .title = "Get observations",
     .description = "Observations in full by the ids that search gives. Ask for all in one call.",
     .profile = "memory",
     .input_schema = R"json({"type":"object","properties":{
"ids":{"type":"array","items":{"type":"number"},"description":"Up to 500"},
"orderBy":{"type":"string","enum":["date_desc","date_asc"],"default":"date_desc"},
"limit":{"type":"number"},
"project":{"type":"string"},
"type":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]},
"concepts":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]},
"files":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]},
"offset":{"type":"number"},
"body_offset":{"type":"number"},
"max_tokens":{"type":"number","minimum":200,"maximum":25000,"default":25000}
},"required":["ids"]})json",
     .output_schema = R"json({"type":"object","properties":{
"results":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"},"project":{"type":"string"},"type":{"type":"string"},"title":{"type":"string"},"narrative":{"type":"string"},"created_at":{"type":"string"},"created_at_epoch":{"type":"integer"},"code_state":{"type":"string"}},"required":["id","project","type","title","created_at","created_at_epoch"]}},
"omitted":{"type":"integer"},"nextOffset":{"type":"integer"},
"code":{"type":"string"},"message":{"type":"string"},"details":{"anyOf":[{"type":"object"},{"type":"null"}]}},
"anyOf":[{"required":["results"]},{"required":["code","message"]}]})json",
     .checks_arguments = true,
     .fail = fail_memory,
     .run = call_get_observations},

    {.name = "save_memory",
     .title = "Save memory",
     .description = "Remember a fact, a fix or a preference, for this and later sessions. Refuses "
                    "secrets.",
     .profile = "memory",
     .read_only = false,
     .input_schema = R"json({"type":"object","properties":{
"text":{"type":"string"},
"title":{"type":"string"},
"project":{"type":"string","description":"Default: this one"},
"type":{"type":"string","pattern":"^[a-z0-9][a-z0-9_-]{0,63}$","default":"discovery","description":"e.g. bugfix, feature, decision"},
"concepts":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}],"description":"e.g. gotcha, pattern"},
"files":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}],"description":"That it is about"},
"symbols":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}],"description":"Likewise; their changes are noticed"},
"source_ref":{"type":"string"},
"metadata":{"type":"object"}
},"required":["text"]})json",
     .output_schema = R"json({"type":"object","properties":{
"status":{"type":"string"},"id":{"type":"string"},"created_at":{"type":"string"},"success":{"type":"boolean"},"title":{"type":"string"},"project":{"type":"string"},"type":{"type":"string"},"message":{"type":"string"},"observation_id":{"type":"integer"},"duplicate":{"type":"boolean"},
"code":{"type":"string"},"details":{"anyOf":[{"type":"object"},{"type":"null"}]}},
"anyOf":[{"required":["status","id","created_at","success","title","project","type","message","observation_id"]},{"required":["code","message"]}]})json",
     .checks_arguments = true,
     .fail = fail_memory,
     .run = call_save_memory},

    {.name = "get_entries",
     .title = "Get entries",
     .description = "Rows of search in full, sessions and prompts too.",
     .profile = "memory",
     .input_schema = R"json({"type":"object","properties":{
"ids":{"type":"array","items":{"type":"string"},"description":"1 to 200: 12, S3, P4"},
"offset":{"type":"number"},
"body_offset":{"type":"number","description":"next_body_offset of a truncated one"},
"max_tokens":{"type":"number","minimum":200,"maximum":25000,"default":25000}
},"required":["ids"]})json",
     .output_schema = R"json({"type":"object","properties":{
"items":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"title":{"type":"string"},"body":{"type":"string"},"entry_type":{"type":"string"},"project":{"type":"string"},"session_id":{"anyOf":[{"type":"string"},{"type":"null"}]},"source_ref":{"anyOf":[{"type":"string"},{"type":"null"}]},"metadata":{"type":"object"},"created_at":{"type":"string"},"code_state":{"type":"string"}},"required":["id","title","body","entry_type","project","session_id","source_ref","metadata","created_at"]}},
"missing":{"type":"array","items":{"type":"string"}},"missing_omitted":{"type":"integer"},"omitted":{"type":"integer"},"nextOffset":{"type":"integer"},
"code":{"type":"string"},"message":{"type":"string"},"details":{"anyOf":[{"type":"object"},{"type":"null"}]}},
"anyOf":[{"required":["items"]},{"required":["code","message"]}]})json",
     .checks_arguments = true,
     .fail = fail_memory,
     .run = call_get_entries},

    {.name = "ingest_docs",
     .title = "Ingest documents",
     .description = "Remember the sections of project documents. Done twice it adds what has "
                    "changed.",
     .profile = "memory",
     .read_only = false,
     .input_schema = R"json({"type":"object","properties":{
"project":{"type":"string"},
"sources":{"type":"array","items":{"type":"string"},"description":"Files or folders; default docs/session-log.md, decisions.md, requirements.md"},
"entry_type":{"type":"string","default":"ingestion"}
}})json",
     .output_schema = R"json({"type":"object","properties":{
"processed_sources":{"type":"integer"},"imported_entries":{"type":"integer"},"duplicate_entries":{"type":"integer"},"skipped_sources":{"type":"array","items":{"type":"string"}},"project":{"type":"string"},"superseded_entries":{"type":"integer"},"blocked_sections":{"type":"integer"},"skipped":{"type":"array","items":{"type":"object"}},"blocked":{"type":"array","items":{"type":"object"}},
"code":{"type":"string"},"message":{"type":"string"},"details":{"anyOf":[{"type":"object"},{"type":"null"}]}},
"anyOf":[{"required":["processed_sources","imported_entries","duplicate_entries","skipped_sources"]},{"required":["code","message"]}]})json",
     .checks_arguments = true,
     .fail = fail_memory,
     .run = call_ingest_docs},

    {.name = "retention_dry_run",
     .title = "Retention, dry run",
     .description = "Entries that are too old or too many. Removes nothing.",
     .profile = "memory",
     .input_schema = R"json({"type":"object","properties":{
"now":{"type":"string","description":"ISO time"},
"max_age_days":{"type":"number","exclusiveMinimum":0,"default":180},
"max_entries_per_project":{"type":"number","exclusiveMinimum":0,"default":10000},
"project":{"type":"string"},
"offset":{"type":"number"}
}})json",
     .output_schema = R"json({"type":"object","properties":{
"mode":{"type":"string"},"executed_at":{"type":"string"},"total_candidates":{"type":"integer"},"by_reason":{"type":"object","properties":{"age":{"type":"integer"},"project_count":{"type":"integer"}}},"candidate_ids":{"type":"array","items":{"type":"string"}},"max_age_days":{"type":"number"},"max_entries_per_project":{"type":"integer"},"project":{"type":"string"},"omitted":{"type":"integer"},
"code":{"type":"string"},"message":{"type":"string"},"details":{"anyOf":[{"type":"object"},{"type":"null"}]}},
"anyOf":[{"required":["mode","executed_at","total_candidates","by_reason","candidate_ids"]},{"required":["code","message"]}]})json",
     .checks_arguments = true,
     .fail = fail_memory,
     .run = call_retention_dry_run},

    {.name = "record_decision",
     .title = "Record decision",
     .description = "Record what was decided about a target that has no active decision yet.",
     .profile = "memory,decisions",
     .read_only = false,
     .idempotent = false,
     .input_schema = R"json({"type":"object","properties":{
"title":{"type":"string","minLength":1},
"target":{"type":"string","minLength":1,"description":"What it is about"},
"rationale":{"type":"string","minLength":10},
"consequences":{"type":"array","items":{"type":"string"},"default":[]},
"files":{"type":"array","items":{"type":"string"}},
"symbols":{"type":"array","items":{"type":"string"}}
},"required":["title","target","rationale"]})json",
     .output_schema = R"json({"type":"object","properties":{
"status":{"type":"string","enum":["success","error"]},"message":{"anyOf":[{"type":"string"},{"type":"null"}]},"decision_id":{"anyOf":[{"type":"string"},{"type":"null"}]},"details":{"type":"object"}},"required":["status"]})json",
     .checks_arguments = true,
     .unlisted = "project",
     .fail = fail_decision,
     .run = call_record_decision},

    {.name = "supersede_decision",
     .title = "Supersede decision",
     .description = "Put a new decision in the place of all active ones of its target.",
     .profile = "memory,decisions",
     .read_only = false,
     .idempotent = false,
     .input_schema = R"json({"type":"object","properties":{
"title":{"type":"string","minLength":1},
"target":{"type":"string","minLength":1},
"rationale":{"type":"string","minLength":15},
"old_decision_ids":{"type":"array","items":{"type":"string"},"minItems":1},
"consequences":{"type":"array","items":{"type":"string"},"default":[]},
"files":{"type":"array","items":{"type":"string"}},
"symbols":{"type":"array","items":{"type":"string"}}
},"required":["title","target","rationale","old_decision_ids"]})json",
     .output_schema = R"json({"type":"object","properties":{
"status":{"type":"string","enum":["success","error"]},"message":{"anyOf":[{"type":"string"},{"type":"null"}]},"decision_id":{"anyOf":[{"type":"string"},{"type":"null"}]},"details":{"type":"object"}},"required":["status"]})json",
     .checks_arguments = true,
     .unlisted = "project",
     .fail = fail_decision,
     .run = call_supersede_decision},

    {.name = "search_decisions",
     .title = "Search decisions",
     .description = "What was decided, what holds and what it replaced.",
     .profile = "memory,decisions",
     .input_schema = R"json({"type":"object","properties":{
"query":{"type":"string","minLength":1},
"limit":{"type":"integer","minimum":1,"maximum":20,"default":5},
"mode":{"type":"string","enum":["strict","balanced","audit"],"default":"balanced","description":"Active alone, one a target, or all"},
"project":{"type":"string"},
"offset":{"type":"number"},
"max_tokens":{"type":"number","minimum":200,"maximum":25000,"default":2048}
},"required":["query"]})json",
     .output_schema = R"json({"type":"object","properties":{
"status":{"type":"string","enum":["success","error"]},"message":{"anyOf":[{"type":"string"},{"type":"null"}]},"degraded":{"type":"boolean"},
"results":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"score":{"type":"number"},"status":{"type":"string"},"preview":{"type":"string"},"kind":{"type":"string"},"title":{"type":"string"},"target":{"type":"string"},"project":{"type":"string"},"source":{"type":"string"},"created_at":{"type":"string"},"code_state":{"type":"string"},"rationale":{"type":"string"},"consequences":{"type":"array","items":{"type":"string"}},"truncated":{"type":"boolean"},"body_length":{"type":"integer"}}}},"details":{"type":"object"}},"required":["status"]})json",
     .checks_arguments = true,
     .fail = fail_decision,
     .run = call_search_decisions},

    {.name = "accept_proposal",
     .title = "Accept proposal",
     .description = "Make a draft an active decision. Needs the role admin.",
     .profile = "memory,decisions",
     .read_only = false,
     .idempotent = false,
     .input_schema = R"json({"type":"object","properties":{
"proposal_id":{"type":"string","description":"The filename of the proposal"}
},"required":["proposal_id"]})json",
     .output_schema = R"json({"type":"object","properties":{
"status":{"type":"string","enum":["success","error"]},"message":{"anyOf":[{"type":"string"},{"type":"null"}]},"decision_id":{"anyOf":[{"type":"string"},{"type":"null"}]},"details":{"type":"object"}},"required":["status"]})json",
     .checks_arguments = true,
     .fail = fail_decision,
     .run = call_accept_proposal},

    {.name = "important_workflow",
     .title = "Workflow",
     .description = "Guide in three steps.",
     .profile = "memory",
     .input_schema = R"json({"type":"object"})json",
     .fail = fail_memory,
     .run = call_important_workflow},

    {.name = "__IMPORTANT",
     .title = "Workflow",
     .description = "Same as important_workflow.",
     .profile = "memory",
     .input_schema = R"json({"type":"object"})json",
     .fail = fail_memory,
     .run = call_important_workflow},
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
      rows.push_back(tool_of(*ask::questions()[i], kSchemas[i]));
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
