// Descriptions are read by models with every request, so each word has to earn its place: the whole
// listing of profile "code" without output schemas stays under 6 KB (tested by mcp/tools_test.cpp).
#include "mcp/tools.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ask/questions.h"
#include "base/text.h"

namespace codexmem::mcp {

namespace {

bool writes_decisions(const Tool& tool) {
  return ask::is_in_group(tool.groups, "decisions") && !tool.read_only;
}

// Every question that is a tool.
const std::vector<Tool>& all_tools() {
  static const std::vector<std::string> kSchemas = [] {
    std::vector<std::string> schemas;
    for (const ask::Question* each : ask::questions()) schemas.push_back(ask::listed_schema(*each));
    return schemas;
  }();
  static const std::vector<Tool> kAll = [] {
    std::vector<Tool> rows;
    for (std::size_t i = 0; i < kSchemas.size(); ++i) {
      const ask::Question& question = *ask::questions()[i];
      if (!question.groups.empty()) rows.push_back({question, kSchemas[i], {}, &question});
    }
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
     "root, lines from 1."},
    {"code", "repository_overview", "- New here: repository_overview."},
    {"code", "search_code",
     "- Where is something: search_code, in plain words; exact: \"a phrase\" or /regex/."},
    {"code", "locate", "- An issue, traceback or failing test: locate."},
    {"code", "find_symbol", "- Know a name: find_symbol."},
    {"code", "get_references", "- Before changing it: get_references."},
    {"code", "get_context", "- Before an edit: get_context, not whole files."},
    {"code", "analyze_dependencies", "- Moving a file: analyze_dependencies."},
    {"code", "trace_calls", "- How A reaches B: trace_calls."},
    {"code", "analyze_change", "- After a change: analyze_change."},
    {"code", "plan_rename", "- Renaming: plan_rename."},
    {"memory", "search", "- What was seen or said before: search."},
    {"memory", "timeline,get_observations", "- Then timeline(anchor), get_observations(ids)."},
    {"memory", "save_memory", "- What later sessions need: save_memory."},
    {"memory", "search_decisions", "- Before a design choice: search_decisions."},
    {"memory", "record_decision,supersede_decision",
     "- When one is made: record_decision, or supersede_decision."},
    {"code,memory", "",
     "Cut answers say what is left: offset goes on; max_tokens is 200 to 25000."},
};

bool is_offered(const Guidance& line, const ToolTable& tools) {
  if (!line.tools.empty()) return can_use(tools, line.tools);
  const auto profiles = split(line.profile, ',');
  const auto names = tools.names();
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return std::any_of(profiles.begin(), profiles.end(), [&](std::string_view profile) {
      return ask::is_in_group(tools.find(name)->groups, profile);
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

// The refusal replaces the description (the title says enough), so that the list does not grow.
std::span<const Tool> tools_of_viewer(bool has_secret) {
  const auto make = [](std::string_view why) {
    std::vector<Tool> rows = all_tools();
    for (Tool& tool : rows) {
      if (writes_decisions(tool)) tool.description = why;
    }
    return rows;
  };
  static const std::vector<Tool> kWithSecret = make("Fails: the role is viewer.");
  static const std::vector<Tool> kWithout = make("Fails: AGENT_MEMORY_SECRET is not set.");
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
