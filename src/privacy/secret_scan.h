// privacy/secret_scan.h - where the secrets of a text are. For privacy/policy.h.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "privacy/policy.h"
#include "privacy/secret_values.h"
#include "text/keyword_set.h"
#include "privacy/plain_text.h"

namespace codexmem::privacy {

/// The beginning of "[REDACTED:rule]", which replaces a secret.
inline constexpr std::string_view kMarker = "[REDACTED:";

struct FoundSecret {
  std::size_t rule = 0;  // in secret_rules()
  TextSpan span;
  Allowed allowed = Allowed::kNone;  // kNone: a secret
};

/// Values that were found, with their rules, to be found again where nothing around gives them
/// away. Only such as no text has by chance: not DB_PASSWORD=production. They are looked for after
/// start_looking(), so that many texts whose values are collected make one automaton. Belongs to
/// one thread.
class KnownValues {
 public:
  bool empty() const { return rules_.empty(); }
  void start_looking() { is_looking_ = true; }

  void add(std::string_view value, std::size_t rule);
  /// Adds where they are in `text` to `*found`, not within a longer word.
  void find(std::string_view text, std::vector<FoundSecret>* found) const;

 private:
  bool is_looking_ = false;
  std::map<std::string, std::size_t, std::less<>> rules_;
  std::size_t bytes_ = 0;
  mutable std::vector<std::string_view> words_;
  mutable std::optional<KeywordSet> set_;  // of rules_
};

/// All that is found in `text`, in its bytes, in no order; with `passed`, also what was let pass.
/// `known`, unless null, gets the values that were found, and what it has is found too.
/// Thread-safe.
std::vector<FoundSecret> scan_secrets(std::string_view text, bool passed, KnownValues* known);

}  // namespace codexmem::privacy
