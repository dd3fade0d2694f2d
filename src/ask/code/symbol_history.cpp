// Tested by git/history_test.py.
#include "ask/code/symbol_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "ask/code/code_answer.h"
#include "ask/fresh.h"
#include "base/text.h"
#include "memory/times.h"
#include "text/counted.h"
#include "text/json.h"

namespace codexmem::ask {

namespace {

constexpr std::chrono::seconds kMostTime{5};

// The one definition that `name` means.
Result<graph::SymbolMatch> get_one(store::CodeReader& reader, const std::string& name) {
  CODEXMEM_ASSIGN(auto found, find_exactly(reader, name));
  std::vector<std::string> names;  // overloads have one
  for (const graph::SymbolMatch& each : found) {
    std::string whole = each.path + "::" + each.symbol.qualified_name();
    if (std::ranges::find(names, whole) == names.end()) names.push_back(std::move(whole));
  }
  if (names.size() == 1) return std::move(found.front());
  return graph::several_definitions(name, std::move(names));
}

Json event_json(const index::SymbolEvent& event) {
  const index::ChangedSymbol& changed = event.changed;
  Json json = {{"change", index::symbol_change_name(changed.change)},
               {"symbol", changed.name},
               {"file", {{"path", changed.path}}},
               {"line", changed.line},
               {"commit", event.commit},
               {"date", memory::iso_time(event.at_ms)},
               {"author", event.author},
               {"summary", event.summary}};
  if (!changed.old_path.empty()) json["was"]["path"] = changed.old_path;
  if (!changed.old_name.empty()) json["was"]["symbol"] = changed.old_name;
  return json;
}

constexpr Param kSymbolHistoryParams[] = {
    {.name = "symbol",
     .required = true,
     .least = 1,
     .most = 100,
     .option = "NAME",
     .help = "A name, Class.method or path::name",
     .takes = Takes::kSymbol},
    {.name = "limit",
     .type = ParamType::kWhole,
     .least = 1,
     .most = 1000,
     .default_json = "20",
     .option = "-l,--limit",
     .help = "Maximum commits (default 20)"},
    one_repository_param(),
};

}  // namespace

SymbolHistoryParams SymbolHistoryParams::from_json(const Context&, const JsonValue& arguments) {
  SymbolHistoryParams params;
  params.symbol = arguments.member("symbol").string().value_or("");
  params.limit = whole_argument(arguments, "limit", 20);
  return params;
}

Result<SymbolHistoryAnswer> run(const Context& context, const SymbolHistoryParams& params) {
  CODEXMEM_ASSIGN(SymbolHistoryAnswer answer,
                  answer_fresh<SymbolHistoryAnswer>(
                      context, {},
                      [&](store::CodeReader& reader) -> Result<SymbolHistoryAnswer> {
                        CODEXMEM_ASSIGN(const graph::SymbolMatch match,
                                        get_one(reader, params.symbol));
                        SymbolHistoryAnswer made;
                        made.path = match.path;
                        made.name = match.symbol.qualified_name();
                        return made;
                      },
                      [](const SymbolHistoryAnswer& made, std::set<std::string>& paths) {
                        paths.insert(made.path);
                      }));
  CODEXMEM_ASSIGN(answer.history, index::find_symbol_history(
                                      context.code().workspace.root(),
                                      {.path = answer.path,
                                       .name = answer.name,
                                       .limit = params.limit,
                                       .deadline = std::chrono::steady_clock::now() + kMostTime},
                                      context.stop));
  const index::SymbolHistory& history = answer.history;
  if (history.uncommitted) {
    answer.note =
        fmt::format("Not committed yet: {}.", index::symbol_change_name(*history.uncommitted));
  }
  const bool is_new = history.uncommitted == index::SymbolChange::kAdded;
  if (!is_new && (!history.has_begin || !history.is_whole)) {
    add_sentence(answer.note, history.events.size() == params.limit
                                  ? "Older commits may have changed it too: --limit asks for more."
                              : history.is_shallow
                                  ? "The clone has no older commits."
                                  : fmt::format("How it began was not found in {}.",
                                                counted(history.commits, "commit")));
  }
  return answer;
}

Written SymbolHistoryAnswer::to_json() const {
  Json json = {{"symbol", name}, {"file", {{"path", path}}}, {"commits", Json::array()}};
  for (const index::SymbolEvent& event : history.events) {
    json["commits"].push_back(event_json(event));
  }
  if (!note.empty()) json["note"] = note;
  return object_json(dump_json(json));
}

constinit const Question kSymbolHistory = {.name = "symbol_history",
                                           .title = "Symbol history",
                                           .description = "By which commits it became what it is.",
                                           .groups = "",
                                           .params = kSymbolHistoryParams,
                                           .failure_type = "SearchError",
                                           .run = run_question<SymbolHistoryParams>};

}  // namespace codexmem::ask
