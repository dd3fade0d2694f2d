// privacy/secret_rules.h - the table of secrets. Design: docs/security.md.
//
// It is src/privacy/secret_rules.txt, compiled in and read when it is first needed. Immutable from
// then on; thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "privacy/secret_values.h"

namespace codexmem::privacy {

/// Where a rule's pattern begins to match, given one of its keywords.
enum class Anchor : std::uint8_t {
  kToken,    // at the keyword, which no letter or digit precedes
  kText,     // at the keyword, whatever precedes it
  kRun,      // anywhere before the keyword that no letter or digit precedes, white space apart
  kName,     // behind the keyword, which is a word of a name such as db_password
  kSetting,  // the same, of a name in capitals, as the environment's are
  kFlag,     // the same, of a name that begins with '-', as on a command line
  kLabel,    // behind the keyword, which no letter precedes: a vendor's name
};

/// One way in which a secret is written.
struct SecretRule {
  std::string_view id;    // as shown; several rows may share one
  std::string_view what;  // for people
  /// What the text must hold, in small letters; looked for in one pass, so that a pattern is not
  /// even compiled before one of its keywords shows up.
  std::vector<std::string_view> keywords = {};
  Anchor anchor = Anchor::kToken;
  /// RE2, of bytes. The secret is the last group that takes part, or all without one.
  std::string pattern = {};
  ValueTest test = ValueTest::kFormat;
  double min_entropy = 2.5;  // bits a byte of the value
};

/// All rows; where several find the same, the first counts.
std::span<const SecretRule> secret_rules();

/// How far behind the keyword a pattern looks, in bytes.
inline constexpr std::size_t kRuleWindow = 2048;

}  // namespace codexmem::privacy
