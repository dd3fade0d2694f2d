// Tested by git/check_test.py.
#include "graph/uses/call_shape.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/text.h"
#include "graph/core/code_text.h"
#include "graph/uses/parameters.h"
#include "text/counted.h"

namespace codexmem::graph {
namespace {

using Parameter = CallShape::Parameter;

// PHP only counts the missing ones.
bool counts_arguments(std::string_view language) {
  return is_one_of(language, {"python", "typescript", "tsx", "go", "java", "c", "cpp", "rust",
                              "csharp", "kotlin", "php"});
}

// The names of the symbols around and of `symbol`. (Stored facts do not keep it.)
std::string path_of(const parse::FileFacts& facts, std::uint32_t symbol) {
  const parse::Symbol& at = facts.symbols[symbol];
  return at.parent == parse::kNoIndex ? at.name : path_of(facts, at.parent) + "." + at.name;
}

// True if what calls must give may differ from what the declaration says.
bool may_take_others(const std::vector<std::string_view>& modifiers, std::string_view language) {
  return std::ranges::any_of(modifiers, [&](std::string_view each) {
    if (language == "python") return each.starts_with('@');
    if (language == "kotlin") return each == "override";
    if (language != "rust" || !each.starts_with("#[")) return false;
    return !is_one_of(first_word(each.substr(2)),
                      {"allow", "cfg", "cold", "deny", "deprecated", "doc", "expect", "inline",
                       "must_use", "no_mangle", "target_feature", "test", "track_caller", "warn"});
  });
}

// The parameters as they are written: the facts know neither f(...) nor f(void) of C. Nothing if
// the function may take anything, f() in C, or is called in two ways, f(this A a) in C#.
std::optional<CallShape> written_shape(const parse::WrittenLists& lists,
                                       const parse::Symbol& symbol, std::string_view text,
                                       std::string_view language) {
  const auto list = lists.parameters_of(symbol.name_range.begin);
  if (!list || list->is_broken || (language == "c" && list->items.empty())) return std::nullopt;
  CallShape shape;
  for (const WrittenParameter& each : read_parameters(*list, text, language, false)) {
    if (each.is_receiver && language == "csharp") return std::nullopt;
    if (!each.is_mark)
      shape.parameters.push_back({each.name, each.is_optional, each.is_rest, false});
  }
  if (language == "php") shape.parameters.push_back({"", false, /*is_rest=*/true, false});
  return shape;
}

// The shape of function `symbol`; nothing if calls may give others.
std::optional<CallShape> shape_of(const parse::FileFacts& facts, const parse::Symbol& symbol,
                                  std::string_view text, std::string_view language,
                                  std::optional<parse::WrittenLists>& lists) {
  if (symbol.term == parse::kNoIndex ||
      facts.terms[symbol.term].kind != parse::TermKind::kFunction) {
    return std::nullopt;
  }
  if (!is_one_of(language, {"python", "typescript", "tsx", "go", "java"})) {
    if (!lists) lists.emplace(*parse::find_language(language), text);
    return written_shape(*lists, symbol, text, language);
  }
  CallShape shape;
  for (const parse::Parameter& each : facts.functions[facts.terms[symbol.term].at].parameters) {
    shape.parameters.push_back({each.name == parse::kNoIndex ? "" : facts.names[each.name],
                                each.is_optional, each.is_rest, each.is_keyword});
  }
  if (!shape.parameters.empty() && shape.parameters.front().name == "this") return std::nullopt;
  return shape;
}

// A method of Python, whose facts have neither self nor cls; nothing if decorators may change what
// it takes.
std::optional<CallShape> python_method(CallShape shape, std::string_view name,
                                       const std::vector<std::string_view>& modifiers) {
  if (name == "__new__") return std::nullopt;
  shape.has_receiver = true;
  for (const std::string_view each : modifiers) {
    if (each == "@staticmethod" || each == "@classmethod") {
      shape.has_receiver = false;
    } else if (each.starts_with('@')) {
      return std::nullopt;
    }
  }
  return shape;
}

}  // namespace

ModifiersOf modifiers_in(const parse::FileFacts& facts) {
  return [&facts](std::uint32_t symbol) {
    const auto& words = facts.symbols[symbol].modifiers;
    return std::vector<std::string_view>(words.begin(), words.end());
  };
}

ModifiersOf modifiers_in(const std::vector<store::SymbolRow>& rows) {
  return [&rows](std::uint32_t symbol) {
    return symbol < rows.size() ? split(rows[symbol].modifiers, '"')
                                : std::vector<std::string_view>();
  };
}

std::vector<std::pair<std::string, CallShape>> call_shapes(const parse::FileFacts& facts,
                                                           std::string_view text,
                                                           std::string_view language,
                                                           const ModifiersOf& modifiers_of) {
  std::vector<std::pair<std::string, CallShape>> shapes;
  if (!counts_arguments(language)) return shapes;
  std::optional<parse::WrittenLists> lists;
  std::map<std::string, int> declared;
  const auto count = static_cast<std::uint32_t>(facts.symbols.size());
  for (std::uint32_t i = 0; i < count; ++i) ++declared[path_of(facts, i)];
  for (std::uint32_t i = 0; i < count; ++i) {
    const parse::Symbol& symbol = facts.symbols[i];
    std::string path = path_of(facts, i);
    const bool is_method = symbol.type == SymbolType::kMethod;
    const bool is_of_python = is_method && language == "python";
    const std::vector<std::string_view> modifiers = modifiers_of(i);
    if ((!is_method && symbol.type != SymbolType::kFunction) ||
        (!is_of_python && may_take_others(modifiers, language)) || symbol.kind == "constructor" ||
        declared[path] != 1) {
      continue;
    }
    auto shape = shape_of(facts, symbol, text, language, lists);
    if (shape && is_of_python) shape = python_method(*std::move(shape), symbol.name, modifiers);
    if (shape) shapes.emplace_back(std::move(path), *std::move(shape));
  }
  return shapes;
}

std::map<std::uint32_t, std::optional<CallShape>> all_call_shapes(const parse::FileFacts& facts,
                                                                  std::string_view text,
                                                                  std::string_view language,
                                                                  const ModifiersOf& modifiers_of) {
  std::map<std::uint32_t, std::optional<CallShape>> shapes;
  if (!counts_arguments(language)) return shapes;
  std::optional<parse::WrittenLists> lists;
  for (std::uint32_t i = 0; i < facts.symbols.size(); ++i) {
    const parse::Symbol& symbol = facts.symbols[i];
    const bool is_method = symbol.type == SymbolType::kMethod;
    if (!is_method && symbol.type != SymbolType::kFunction) continue;
    std::optional<CallShape>& shape = shapes[i];
    const bool is_of_python = is_method && language == "python";
    const std::vector<std::string_view> modifiers = modifiers_of(i);
    if (!is_of_python && may_take_others(modifiers, language)) continue;
    shape = shape_of(facts, symbol, text, language, lists);
    if (shape && is_of_python) shape = python_method(*std::move(shape), symbol.name, modifiers);
  }
  return shapes;
}

std::optional<GivenArguments> given_arguments(const parse::WrittenList& list, std::string_view text,
                                              std::uint32_t offset, std::string_view language) {
  if (!counts_arguments(language) || list.is_broken) return std::nullopt;
  GivenArguments given;
  given.has_block = list.has_block;
  if (language == "rust" && text.substr(0, offset).ends_with('.')) given.receivers = 1;
  given.positional = given.receivers;
  for (const ByteRange& item : list.items) {
    const std::string_view argument = text_at(text, item);
    const bool is_of_macro = language == "rust" && argument.find('$') != argument.npos;
    if (is_spread(argument, language) || is_of_macro) return std::nullopt;
    const std::string_view keyword = keyword_of(argument, language);
    if (keyword.empty()) {
      ++given.positional;
    } else {
      given.keywords.emplace(keyword);
    }
  }
  // f(g()): all results of g are given, in Go; of f(v.(T)) it is one.
  bool is_several = false;
  if (language == "go" && given.positional == 1) {
    const std::string_view only = text_at(text, list.items.front());
    is_several = only.ends_with(')') && !only.substr(0, only.rfind('(')).ends_with('.');
  }
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
    if (each.is_rest || (given.has_block && &each == &all.back())) continue;
    const bool is_passed_by_place = !each.is_keyword && places < given.positional;
    if (!each.is_keyword) ++places;
    if (is_passed_by_place || each.is_optional || given.keywords.contains(each.name)) continue;
    if (!given.keywords.empty() || each.is_keyword) {
      return fmt::format("it needs {}, which is not given", each.name);
    }
    ++missing;
  }
  const auto say = [&](std::string_view verb, std::size_t count) {
    const std::size_t written = given.positional - given.receivers;
    return fmt::format("it {} {}, and {} given", verb,
                       counted(count - std::min(count, given.receivers), "argument"),
                       written == 1 ? "1 is" : fmt::format("{} are", written));
  };
  if (missing > 0) return say("needs", given.positional + missing);
  if (given.positional > places && !takes_more) return say("takes", places);
  return {};
}

}  // namespace codexmem::graph
