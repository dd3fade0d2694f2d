// Tested by git/history_test.py.
#include "ask/code/symbol_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

#include "ask/code/code_answer.h"
#include "ask/fresh.h"
#include "base/text.h"
#include "memory/times.h"
#include "text/counted.h"
#include "text/json_object.h"

namespace codexmem::ask {

namespace {

constexpr std::chrono::seconds kMaxTime{5};

// The one definition that `name` means.
Result<graph::SymbolMatch> get_one(store::CodeReader& reader, const std::string& name) {
  CODEXMEM_ASSIGN(auto found, find_exactly(reader, name));
  // A constructor belongs to its class, and a prototype to its definition.
  const auto is_part = [&](const graph::SymbolMatch& each) {
    const std::string whole = each.symbol.qualified_name();
    return std::ranges::any_of(found, [&](const graph::SymbolMatch& other) {
      const std::string of = other.symbol.qualified_name();
      if (each.symbol.container == of) return is_type(other.symbol.type);
      return each.symbol.kind == "prototype" && other.symbol.kind != "prototype" && of == whole;
    });
  };
  std::vector<graph::SymbolMatch> apart;
  std::ranges::copy_if(found, std::back_inserter(apart), std::not_fn(is_part));
  std::vector<std::string> names;  // overloads have one
  for (const graph::SymbolMatch& each : apart) {
    std::string whole = each.path + "::" + each.symbol.qualified_name();
    if (std::ranges::find(names, whole) == names.end()) names.push_back(std::move(whole));
  }
  if (names.size() == 1) return std::move(apart.front());
  return graph::several_definitions(name, std::move(names));
}

std::string event_json(const index::SymbolEvent& event) {
  const index::ChangedSymbol& changed = event.changed;
  return json_object(
      "change", index::symbol_change_name(changed.change), "symbol", changed.name, "file",
      json_object("path", changed.path), "line", changed.line, "commit", event.commit, "date",
      memory::iso_time(event.at_ms), "author", event.author, "summary", event.summary, "was",
      some(json_object("path", some(changed.old_path), "symbol", some(changed.old_name))));
}

constexpr Param kSymbolHistoryParams[] = {
    {.name = "symbol",
     .also = kSymbolNames,
     .required = true,
     .least = 1,
     .most = 100,
     .option = "NAME",
     .help = "A name, Class.method or path::name",
     .takes = Takes::kSymbol,
     .into = into<&SymbolHistoryParams::symbol>},
    {.name = "limit",
     .type = ParamType::kWhole,
     .least = 1,
     .most = 1000,
     .default_json = "20",
     .option = "-l,--limit",
     .help = "Maximum commits (default 20)",
     .into = into<&SymbolHistoryParams::limit>},
    one_repository_param(),
};

}  // namespace

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
                                       .deadline = std::chrono::steady_clock::now() + kMaxTime},
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
  return object_json(json_object("symbol", name, "file", json_object("path", path), "commits",
                                 json_list(history.events, event_json), "note", some(note)));
}

constinit const Question kSymbolHistory = {.name = "symbol_history",
                                           .title = "Symbol history",
                                           .description = "By which commits it became what it is.",
                                           .groups = "",
                                           .params = kSymbolHistoryParams,
                                           .failure_type = "SearchError",
                                           .run = run_question<SymbolHistoryParams>};

}  // namespace codexmem::ask
