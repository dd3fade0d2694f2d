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
#include "config/path_kind.h"
#include "memory/times.h"
#include "text/counted.h"
#include "text/json_object.h"

namespace codexmem::ask {

namespace {

constexpr std::chrono::seconds kMaxTime{5};

struct HistoryPlace {
  std::string path, name;
  bool operator==(const HistoryPlace&) const = default;
};

// Where the one definition that `name` means is: in several places if its overloads are, in a
// header and in what includes it.
Result<std::vector<HistoryPlace>> get_places(store::CodeReader& reader, const std::string& name) {
  CODEXMEM_ASSIGN(auto found, find_exactly(reader, name));
  // A constructor belongs to its class, and a prototype to its definition.
  const auto is_part = [&](const graph::SymbolMatch& each) {
    const std::string whole = each.symbol.qualified_name();
    return std::ranges::any_of(found, [&](const graph::SymbolMatch& other) {
      const std::string of = other.symbol.qualified_name();
      if (each.symbol.container == of) return is_type(other.symbol.type);
      return is_prototype(each.symbol) && !is_prototype(other.symbol) && of == whole;
    });
  };
  std::vector<HistoryPlace> places;
  for (const graph::SymbolMatch& each : found) {
    HistoryPlace place{each.path, each.symbol.qualified_name()};
    if (is_part(each) || std::ranges::find(places, place) != places.end()) continue;
    places.push_back(std::move(place));
  }
  // TEST(Class, method) has the name of a method.
  const auto is_in_test = [](const HistoryPlace& place) { return is_test_path(place.path); };
  if (!std::ranges::all_of(places, is_in_test)) std::erase_if(places, is_in_test);
  const bool is_one = std::ranges::all_of(
      places, [&](const HistoryPlace& each) { return each.name == places.front().name; });
  const auto headers = std::ranges::count_if(
      places, [](const HistoryPlace& place) { return is_header_path(place.path); });
  if (places.size() == 1 || (places.size() == 2 && is_one && headers == 1)) return places;
  std::vector<std::string> names;
  for (const HistoryPlace& each : places) names.push_back(each.path + "::" + each.name);
  return graph::several_definitions(name, std::move(names));
}

// One history of overloads in two files.
void merge_history(index::SymbolHistory& history, index::SymbolHistory other, std::size_t limit) {
  for (index::SymbolEvent& event : other.events) {
    const bool is_known = std::ranges::any_of(history.events, [&](const index::SymbolEvent& each) {
      return each.commit == event.commit && each.changed.change == event.changed.change;
    });
    if (!is_known) history.events.push_back(std::move(event));
  }
  std::ranges::stable_sort(history.events, std::ranges::greater(), &index::SymbolEvent::at_ms);
  if (history.events.size() > limit) {
    history.events.erase(history.events.begin() + static_cast<std::ptrdiff_t>(limit),
                         history.events.end());
    history.is_whole = false;
  }
  history.commits = std::max(history.commits, other.commits);
  if (!history.uncommitted) history.uncommitted = other.uncommitted;
  history.has_begin = history.has_begin && other.has_begin;
  history.is_whole = history.is_whole && other.is_whole;
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
  using HistoryPlaces = std::vector<HistoryPlace>;
  CODEXMEM_ASSIGN(
      const HistoryPlaces places,
      answer_fresh<HistoryPlaces>(
          context, {}, [&](store::CodeReader& reader) { return get_places(reader, params.symbol); },
          [](const HistoryPlaces& made, std::set<std::string>& paths) {
            for (const HistoryPlace& each : made) paths.insert(each.path);
          }));
  SymbolHistoryAnswer answer;
  answer.path = places.front().path;
  answer.name = places.front().name;
  const auto deadline = std::chrono::steady_clock::now() + kMaxTime;
  for (const HistoryPlace& place : places) {
    CODEXMEM_ASSIGN(
        auto history,
        index::find_symbol_history(
            context.code().workspace.root(),
            {.path = place.path, .name = place.name, .limit = params.limit, .deadline = deadline},
            context.stop));
    if (place == places.front()) {
      answer.history = std::move(history);
    } else {
      merge_history(answer.history, std::move(history), params.limit);
    }
  }
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
