// Tested by git/impact_test.py.
#include "ask/code/trace_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <utility>

#include "ask/budget.h"
#include "ask/code/code_answer.h"
#include "ask/fresh.h"
#include "base/text.h"
#include "text/counted.h"
#include "text/json_object.h"

namespace codexmem::ask {

namespace {

constexpr std::size_t kPathDepth = 10, kTreeDepth = 3;
constexpr std::chrono::milliseconds kTraceTime{2'000};

// The functions that `name` means, none for ""; functions of one name are searched together.
Result<std::vector<store::SymbolId>> functions_called(store::CodeReader& reader,
                                                      const std::string& name) {
  std::vector<store::SymbolId> symbols;
  if (name.empty()) return symbols;
  CODEXMEM_ASSIGN(const auto found, find_exactly(reader, name));
  for (const graph::SymbolMatch& match : found) symbols.push_back(match.symbol.id);
  return symbols;
}

// Looks for callers that a tree of them may lack: places with the names of its functions, but for
// its leaves, that are not understood.
Result<void> account_callers(const Context& context, store::CodeReader& reader,
                             const graph::CallLimits& limits, TraceCallsAnswer& answer) {
  std::map<store::SymbolId, std::string> followed;  // but for the roots, whose account is there
  std::size_t open = answer.account->open();
  std::set<std::string> names;
  for (const graph::CallStep& step : answer.tree) {
    if (step.depth == 0 && open > 0) names.insert(step.symbol.name);
    if (step.depth > 0 && step.depth < limits.depth) {
      followed.emplace(step.symbol.id, step.symbol.name);
    }
  }
  for (const auto& [id, name] : followed) {
    if (std::chrono::steady_clock::now() > limits.deadline) return {};
    CODEXMEM_ASSIGN(const graph::UseAccount account,
                    graph::account_uses(context.code().facts, reader, {id}, context.stop));
    open += account.open();
    if (account.open() > 0) names.insert(name);
  }
  answer.has_all_callers = open == 0;
  if (open > 0) {
    add_sentence(answer.note, fmt::format("{} of the name {} may be calls too: `get_references` "
                                          "lists them.",
                                          counted(open, "more place"),
                                          join({names.begin(), names.end()}, " or ")));
  }
  return {};
}

Result<TraceCallsAnswer> trace(const Context& context, store::CodeReader& reader,
                               const TraceCallsParams& params) {
  TraceCallsAnswer answer;
  answer.is_tree = params.from.empty() || params.to.empty();
  answer.is_of_callers = params.from.empty();
  graph::CallLimits limits{.depth = answer.is_tree ? kTreeDepth : kPathDepth,
                           .deadline = std::chrono::steady_clock::now() + kTraceTime};
  if (params.depth != 0) limits.depth = params.depth;
  graph::FactsCache& facts = context.code().facts;
  bool is_complete = true;
  CODEXMEM_ASSIGN(const auto from, functions_called(reader, params.from));
  CODEXMEM_ASSIGN(const auto to, functions_called(reader, params.to));
  if (answer.is_tree) {
    CODEXMEM_ASSIGN(auto tree,
                    graph::find_call_tree(facts, reader, answer.is_of_callers ? to : from,
                                          answer.is_of_callers, limits, context.stop));
    is_complete = tree.is_complete;
    answer.total = tree.steps.size();
    answer.tree = std::move(tree.steps);
  } else {
    const bool is_one = std::ranges::any_of(
        from, [&](store::SymbolId id) { return std::ranges::find(to, id) != to.end(); });
    CODEXMEM_ASSIGN(auto found, graph::find_call_paths(facts, reader, from, to, params.limit,
                                                       limits, context.stop));
    is_complete = found.is_complete;
    answer.total = found.total;
    answer.paths = std::move(found.paths);
    if (answer.paths.empty()) {
      answer.note = is_one
                        ? "Both names mean the same function: the tree of what it calls tells more."
                    : is_complete ? fmt::format("No calls lead from {} to {} in {} steps.",
                                                params.from, params.to, limits.depth)
                                  : "No path was found before the search ended.";
    }
  }
  if (!params.to.empty()) {
    CODEXMEM_ASSIGN(answer.account, graph::account_uses(facts, reader, to, context.stop));
    if (answer.is_tree) {
      CODEXMEM_TRY(account_callers(context, reader, limits, answer));
    } else if (const std::size_t open = answer.account->open(); open > 0) {
      add_sentence(answer.note,
                   fmt::format("{} with the name {} may call it too: `get_references` lists them.",
                               counted(open, "place"), params.to));
    }
  }
  answer.has_all_callers = answer.has_all_callers && is_complete;
  if (!is_complete) {
    add_sentence(answer.note,
                 "There are too many calls to follow all of them: some may be missing.");
  }
  return answer;
}

std::string step_json(const graph::CallStep& step, bool is_of_tree) {
  const bool is_called = step.call_line != 0;
  return json_object("symbol", step.symbol.qualified_name(), "file", json_object("path", step.path),
                     "line", step.symbol.start.line, "callLine", some(step.call_line), "confidence",
                     some(is_called ? graph::confidence_name(step.confidence) : ""), "depth",
                     is_of_tree ? std::optional(step.depth) : std::nullopt, "parent",
                     is_of_tree && step.depth > 0 ? std::optional(step.parent) : std::nullopt,
                     "repeated", step.is_repeated ? std::optional(true) : std::nullopt);
}

std::string path_json(const graph::CallPath& path) {
  return json_list(path, [](const graph::CallStep& step) { return step_json(step, false); });
}

std::string tree_step_json(const graph::CallStep& step) { return step_json(step, true); }

// The members after the lists.
std::string rest_of(const TraceCallsAnswer& answer) {
  return json_object("total", answer.total, "account",
                     answer.account ? std::optional(account_json(*answer.account)) : std::nullopt,
                     "note", some(answer.note), "omitted", some(answer.rest.omitted), "nextOffset",
                     answer.rest.next());
}

void cut(TraceCallsAnswer& answer, const TraceCallsParams& params) {
  const std::size_t rest_bytes = rest_of(answer).size() + 100;
  const std::size_t room = bytes_left(params.max_bytes, rest_bytes);
  const auto fitting = [&](std::size_t count, auto write) {
    return write_fitting(count, room, write).size();
  };
  if (!answer.is_tree) {
    const std::size_t kept =
        fitting(answer.paths.size(), [&](std::size_t i) { return path_json(answer.paths[i]); });
    answer.paths.resize(kept);
    answer.rest.omitted = answer.total - kept;
    return;
  }
  const std::size_t first = std::min(params.offset, answer.tree.size());
  answer.tree.erase(answer.tree.begin(), answer.tree.begin() + static_cast<std::ptrdiff_t>(first));
  const std::size_t kept =
      fitting(answer.tree.size(), [&](std::size_t i) { return tree_step_json(answer.tree[i]); });
  answer.tree.resize(kept);
  answer.first = first;
  answer.rest = Rest::after(first + kept, answer.total);
}

constexpr Param kTraceCallsParams[] = {
    {.name = "from",
     .also = "source,caller,start,symbol,name,function,entry",
     .description = "Alone: tree of callees",
     .option = "--from",
     .help = "The caller; with no --to: the tree of what it calls",
     .takes = Takes::kSymbol,
     .into = into<&TraceCallsParams::from>},
    {.name = "to",
     .also = "target,callee,end,destination",
     .description = "Alone: tree of callers",
     .option = "--to",
     .help = "The callee; with no --from: the tree of its callers",
     .takes = Takes::kSymbol,
     .into = into<&TraceCallsParams::to>},
    {.name = "depth",
     .also = "max_depth",
     .type = ParamType::kWhole,
     .description = "Calls",
     .least = 1,
     .most = 20,
     .lists_bounds = false,
     .option = "-d,--depth",
     .help = "Maximum calls (default: 10 between two, 3 for a tree)",
     .into = into<&TraceCallsParams::depth>},
    unlisted({.name = "limit",
              .type = ParamType::kWhole,
              .least = 1,
              .most = 50,
              .default_json = "5",
              .option = "-l,--limit",
              .help = "Maximum paths (default 5)",
              .into = into<&TraceCallsParams::limit>}),
    offset_param(into<&TraceCallsParams::offset>,
                 "Functions of a tree to skip, when an answer was cut"),
    max_tokens_param(into_by<read_bytes, &TraceCallsParams::max_bytes>, "4000", "25000"),
};

}  // namespace

Result<TraceCallsAnswer> run(const Context& context, const TraceCallsParams& params) {
  if (params.from.empty() && params.to.empty()) {
    return Error{ErrorCode::kInvalidArgument, "one of `from` and `to` must name a function"};
  }
  CODEXMEM_ASSIGN(
      TraceCallsAnswer answer,
      answer_fresh<TraceCallsAnswer>(
          context, {}, [&](store::CodeReader& reader) { return trace(context, reader, params); },
          [](const TraceCallsAnswer& made, std::set<std::string>& paths) {
            for (const graph::CallStep& step : made.tree) paths.insert(step.path);
            for (const graph::CallPath& path : made.paths) {
              for (const graph::CallStep& step : path) paths.insert(step.path);
            }
          }));
  cut(answer, params);
  return answer;
}

Written TraceCallsAnswer::to_json() const {
  const char* const name = !is_tree ? "paths" : is_of_callers ? "callers" : "callees";
  const JsonText list = is_tree ? json_list(tree, tree_step_json) : json_list(paths, path_json);
  return object_json(fmt::format(R"({{"{}":{},{})", name, list.text, rest_of(*this).substr(1)));
}

constinit const Question kTraceCalls = {
    .name = "trace_calls",
    .title = "Trace calls",
    .description = "How one function calls another, or its tree of callers or callees.",
    .groups = "code",
    .is_united = true,
    .params = kTraceCallsParams,
    .output_schema = R"json({"type":"object","properties":{
"paths":{"type":"array","items":{"type":"array","items":{"type":"object"}}},"callers":{"type":"array","items":{"type":"object"}},"callees":{"type":"array","items":{"type":"object"}},
"total":{"type":"integer"},"omitted":{"type":"integer"},"nextOffset":{"type":"integer"},"account":{"type":"object"},"note":{"type":"string"},
"stale":{"type":"object"},"type":{"type":"string"},"message":{"type":"string"}},
"anyOf":[{"required":["total"]},{"required":["type","message"]}]})json",
    .failure_type = "SearchError",
    .run = run_question<TraceCallsParams>};

}  // namespace codexmem::ask
