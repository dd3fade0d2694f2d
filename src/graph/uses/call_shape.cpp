// Tested by git/check_test.py.
#include "graph/uses/call_shape.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/text.h"
#include "graph/core/code_text.h"
#include "graph/rename/parameters.h"
#include "text/counted.h"

namespace codexmem::graph {
namespace {

using Parameter = CallShape::Parameter;

bool counts_arguments(std::string_view language) {
  constexpr std::string_view kCounting[] = {"python", "typescript", "tsx", "go",
                                            "java",   "c",          "cpp"};
  return std::ranges::find(kCounting, language) != std::end(kCounting);
}

// The names of the symbols around and of `symbol`. (Stored facts do not keep it.)
std::string path_of(const parse::FileFacts& facts, std::uint32_t symbol) {
  const parse::Symbol& at = facts.symbols[symbol];
  return at.parent == parse::kNoIndex ? at.name : path_of(facts, at.parent) + "." + at.name;
}

// The parameters of a function of C or C++ as they are written: the facts know neither f(...) nor
// f(void). Nothing if it may take anything: f() in C.
std::optional<CallShape> shape_in_c(const parse::WrittenLists& lists, const parse::Symbol& symbol,
                                    std::string_view text, std::string_view language) {
  const auto list = lists.parameters_of(symbol.name_range.begin);
  if (!list || list->is_broken || (language == "c" && list->items.empty())) return std::nullopt;
  CallShape shape;
  for (const WrittenParameter& each : read_parameters(*list, text, language, false)) {
    if (!each.is_mark)
      shape.parameters.push_back({each.name, each.is_optional, each.is_rest, false});
  }
  return shape;
}

}  // namespace

std::vector<std::pair<std::string, CallShape>> call_shapes(const parse::FileFacts& facts,
                                                           std::string_view text,
                                                           std::string_view language) {
  std::vector<std::pair<std::string, CallShape>> shapes;
  if (!counts_arguments(language)) return shapes;
  const bool is_c = language == "c" || language == "cpp";
  std::optional<parse::WrittenLists> lists;
  std::map<std::string, int> declared;
  const auto count = static_cast<std::uint32_t>(facts.symbols.size());
  for (std::uint32_t i = 0; i < count; ++i) ++declared[path_of(facts, i)];
  for (std::uint32_t i = 0; i < count; ++i) {
    const parse::Symbol& symbol = facts.symbols[i];
    std::string path = path_of(facts, i);
    const bool is_decorated = std::ranges::any_of(
        symbol.modifiers, [](const std::string& each) { return each.starts_with('@'); });
    const bool is_function = symbol.type == SymbolType::kFunction ||
                             (symbol.type == SymbolType::kMethod && language != "python");
    if (!is_function || (is_decorated && language == "python") || symbol.term == parse::kNoIndex ||
        symbol.kind == "constructor" || declared[path] != 1 ||
        facts.terms[symbol.term].kind != parse::TermKind::kFunction) {
      continue;
    }
    if (is_c) {
      if (!lists) lists.emplace(*parse::find_language(language), text);
      auto shape = shape_in_c(*lists, symbol, text, language);
      if (shape) shapes.emplace_back(std::move(path), *std::move(shape));
      continue;
    }
    CallShape shape;
    for (const parse::Parameter& each : facts.functions[facts.terms[symbol.term].at].parameters) {
      shape.parameters.push_back({each.name == parse::kNoIndex ? "" : facts.names[each.name],
                                  each.is_optional, each.is_rest, each.is_keyword});
    }
    const bool takes_this = !shape.parameters.empty() && shape.parameters.front().name == "this";
    if (!takes_this) shapes.emplace_back(std::move(path), std::move(shape));
  }
  return shapes;
}

std::optional<GivenArguments> given_arguments(const parse::WrittenList& list, std::string_view text,
                                              std::string_view language) {
  if (!counts_arguments(language) || list.is_broken) return std::nullopt;
  GivenArguments given;
  for (const ByteRange& item : list.items) {
    const std::string_view argument = text_at(text, item);
    if (is_spread(argument, language)) return std::nullopt;
    const std::string_view keyword = keyword_of(argument, language);
    if (keyword.empty()) {
      ++given.positional;
    } else {
      given.keywords.emplace(keyword);
    }
  }
  // f(g()): all results of g are given, in Go.
  const bool is_several =
      language == "go" && given.positional == 1 && text_at(text, list.items.front()).ends_with(')');
  return is_several ? std::nullopt : std::optional(std::move(given));
}

std::string why_unfit(const CallShape& shape, const GivenArguments& given) {
  const auto& all = shape.parameters;
  const bool takes_any_keyword = std::ranges::any_of(
      all, [](const Parameter& each) { return each.is_rest && each.is_keyword; });
  const bool takes_more = std::ranges::any_of(
      all, [](const Parameter& each) { return each.is_rest && !each.is_keyword; });
  for (const std::string& name : given.keywords) {
    const bool is_known = std::ranges::any_of(
        all, [&](const Parameter& each) { return !each.is_rest && each.name == name; });
    if (!is_known && !takes_any_keyword) return fmt::format("it has no parameter {}", name);
  }
  std::size_t places = 0, missing = 0;
  for (const Parameter& each : all) {
    if (each.is_rest) continue;
    const bool is_passed_by_place = !each.is_keyword && places < given.positional;
    if (!each.is_keyword) ++places;
    if (is_passed_by_place || each.is_optional || given.keywords.contains(each.name)) continue;
    if (!given.keywords.empty() || each.is_keyword) {
      return fmt::format("it needs {}, which is not given", each.name);
    }
    ++missing;
  }
  if (missing > 0) {
    const std::size_t least = given.positional + missing;
    return fmt::format("it needs {}, and {} given", counted(least, "argument"),
                       given.positional == 1 ? "1 is" : fmt::format("{} are", given.positional));
  }
  if (given.positional > places && !takes_more) {
    return fmt::format("it takes {}, and {} given", counted(places, "argument"),
                       given.positional == 1 ? "1 is" : fmt::format("{} are", given.positional));
  }
  return {};
}

}  // namespace codexmem::graph
