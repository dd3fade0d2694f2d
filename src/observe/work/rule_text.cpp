// Tested by observe/rule_based_provider_test.cpp.
#include "observe/work/rule_text.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"

namespace codexmem::observe {

std::string listed(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  const std::size_t shown = std::min(names.size(), most);
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) text += ", ";
    text += names[i];
  }
  if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void add_fact(Observation& observation, std::string_view fact) {
  std::string text = shortened_line(fact, kMaxRuleFactBytes);
  if (text.empty() || observation.facts.size() >= kMaxRuleFacts) return;
  observation.facts.push_back(std::move(text));
}

void add_file(std::vector<std::string>& files, const std::string& path) {
  if (path.empty() || files.size() >= kMaxRuleFiles) return;
  if (std::find(files.begin(), files.end(), path) == files.end()) files.push_back(path);
}

std::string in_quotes(std::string_view text) {
  while (text.starts_with('\n') || text.starts_with("\r\n")) text.remove_prefix(1);
  const std::string_view kept = utf8_prefix(text, kMaxQuotedBytes);
  const std::size_t end = kept.find_last_not_of(" \t\r\n");
  if (end == std::string_view::npos) return {};
  return std::string(kept.substr(0, end + 1)) + (trim(text).size() > kept.size() ? "..." : "");
}

}  // namespace codexmem::observe
