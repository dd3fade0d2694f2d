#include "graph/core/library_tables.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "base/result.h"
#include "base/text.h"

namespace codexmem::graph {
namespace {

// In the order of their enums.
constexpr std::string_view kContainerNames[] = {"list",    "tuple",    "map",   "record",
                                                "promise", "callable", "class", "channel"};
constexpr std::string_view kFlowNames[] = {"nothing",
                                           "same",
                                           "element",
                                           "key",
                                           "value",
                                           "elements",
                                           "keys",
                                           "values",
                                           "entries",
                                           "enumerated",
                                           "awaited",
                                           "callback_list",
                                           "callback_elements",
                                           "callback_promise",
                                           "second",
                                           "promise_of",
                                           "promise_of_each",
                                           "second_elements",
                                           "step"};
// The LibraryType values that are not containers.
constexpr std::pair<std::string_view, LibraryType> kTypeNames[] = {
    {"same", LibraryType::kSame},
    {"union", LibraryType::kUnion},
    {"tuple", LibraryType::kTuple},
    {"result", LibraryType::kResultOf},
    {"instance", LibraryType::kInstanceOf}};

template <typename Enum, std::size_t N>
Enum value_of_name(const std::string_view (&names)[N], std::string_view name) {
  const auto* const found = std::find(std::begin(names), std::end(names), name);
  CODEXMEM_CHECK(found != std::end(names));
  return static_cast<Enum>(found - std::begin(names));
}

LibraryTypeRule type_rule(const std::vector<std::string_view>& words) {
  LibraryTypeRule rule;
  const auto* const type = std::find_if(std::begin(kTypeNames), std::end(kTypeNames),
                                        [&](const auto& known) { return known.first == words[1]; });
  if (type != std::end(kTypeNames)) {
    rule.type = type->second;
  } else {
    rule.type = LibraryType::kContainer;
    rule.container = value_of_name<ContainerKind>(kContainerNames, words[1]);
  }
  if (words.size() > 2) {
    std::from_chars(words[2].data(), words[2].data() + words[2].size(), rule.first);
  }
  return rule;
}

LibraryMethodRule method_rule(const std::vector<std::string_view>& words) {
  LibraryMethodRule rule{words[0]};
  Flow* const flows[] = {&rule.result, &rule.first, &rule.second};
  for (std::size_t i = 1; i < words.size() && i <= std::size(flows); ++i) {
    *flows[i - 1] = value_of_name<Flow>(kFlowNames, words[i]);
  }
  return rule;
}

}  // namespace

LibraryTables::LibraryTables(std::string_view text) {
  std::vector<std::string_view> title = {""};
  for (const std::string_view line : split(text, '\n')) {
    if (line.empty() || line.starts_with("# ")) continue;
    if (line.starts_with('[')) {
      title = split(line.substr(1, line.size() - 2), ' ');
      continue;
    }
    const std::vector<std::string_view> words = split(line, ' ');
    if (title[0] == "types") {
      types_.emplace(words[0], type_rule(words));
    } else if (title[0] == "functions") {
      functions_.emplace(words[0], value_of_name<Flow>(kFlowNames, words[1]));
    } else if (title[0] == "operators") {
      operators_.emplace(
          words[0], OperatorMethods{words[1], words.size() > 2 ? words[2] : std::string_view()});
    } else if (title[0] == "methods") {
      for (std::size_t i = 1; i < title.size(); ++i) {
        const auto kind = value_of_name<std::size_t>(kContainerNames, title[i]);
        methods_[kind].push_back(method_rule(words));
      }
    } else {
      words_[title[0]].insert(words.begin(), words.end());
    }
  }
}

bool LibraryTables::has(std::string_view title, std::string_view word) const {
  const auto section = words_.find(title);
  return section != words_.end() && section->second.contains(word);
}

std::optional<LibraryTypeRule> LibraryTables::find_type(std::string_view name) const {
  const auto found = types_.find(name);
  if (found == types_.end()) return std::nullopt;
  return found->second;
}

std::optional<std::uint32_t> LibraryTables::find_method(ContainerKind container,
                                                        std::string_view name) const {
  const auto& methods = methods_[static_cast<std::size_t>(container)];
  const auto found = std::ranges::find(methods, name, &LibraryMethodRule::name);
  if (found == methods.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - methods.begin());
}

OperatorMethods LibraryTables::operator_methods(std::string_view sign) const {
  const auto found = operators_.find(sign);
  return found == operators_.end() ? OperatorMethods{} : found->second;
}

Flow LibraryTables::function(std::string_view name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? Flow::kNothing : found->second;
}

}  // namespace codexmem::graph
