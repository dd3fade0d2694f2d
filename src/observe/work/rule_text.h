// observe/work/rule_text.h - how observations by rules are put into words, and their limits.
//
// Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "observe/models/provider.h"

namespace codexmem::observe {

/// Limits of what rules say.
inline constexpr std::size_t kMaxRuleTitleBytes = 200;
inline constexpr std::size_t kMaxRuleFactBytes = 300;
inline constexpr std::size_t kMaxRuleFacts = 16;
inline constexpr std::size_t kMaxRuleNarrativeBytes = 2'000;
inline constexpr std::size_t kMaxRuleFiles = 50;

inline constexpr std::size_t kNamesInTitle = 3;
inline constexpr std::size_t kNamesInFact = 12;
inline constexpr std::size_t kMaxQuotedBytes = 600;  // of a tool's answer

/// "a, b, c and 2 more".
std::string listed(const std::vector<std::string>& names, std::size_t most);

/// "1 line", "2 lines".
std::string counted(std::size_t count, std::string_view what);

/// Cut, and left out when there are enough.
void add_fact(Observation& observation, std::string_view fact);
void add_file(std::vector<std::string>& files, const std::string& path);

/// What a tool said, for a narrative: its first line keeps its indentation, as the others do.
std::string in_quotes(std::string_view text);

}  // namespace codexmem::observe
