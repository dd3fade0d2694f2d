// privacy/policy.h - secrets are not kept: found before anything is written, redacted on the way in
// from tools and on the way out.
//
// The rules are the table in privacy/secret_rules.txt. A text is read as it is, then with its
// escapes undone, then its base64 decoded; a finding is a place in the original.
// Nothing here returns, logs or keeps a value. Thread-safe; patterns are compiled when a word that
// they need first shows up. Cost: linear in the text. Design: docs/security.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/ranges.h"
#include "base/result.h"

namespace codexmem::privacy {

/// One text of a request; borrowed.
struct Field {
  std::string_view name;  // as the caller knows it: "title", "text"
  std::string_view text;
};

struct Finding {
  std::string rule;
  std::string field;
  std::size_t begin = 0, end = 0;  // bytes of the field's text
};

/// The secrets of `fields`, by field and place. They do not overlap.
std::vector<Finding> find_secrets(std::span<const Field> fields);

/// Error kBlocked when a field holds a secret. The message names rules and fields, and details() is
/// {"rules":[...],"fields":[...]}, each once, in the order of finding; nothing of the value.
Result<void> check_fields(std::span<const Field> fields);

/// `text` with "[REDACTED:rule]" for each secret. Done to its own answer it changes nothing, and
/// check_fields() accepts that.
std::string redact(std::string_view text);

/// The JSON text `json` with the secrets in its strings redacted; what a key says of its value
/// counts. It stays JSON, and other values stay byte for byte. Other text is redacted as
/// text.
std::string redact_json(std::string_view json);

/// What was found, or nearly was, and why; for `codexmem memory check`.
struct Verdict {
  std::string rule;
  std::string what;         // the rule's, for people: "a GitHub token"
  Position place;           // where the value begins
  bool is_blocked = false;  // false: it was let pass
  std::string let_pass_by;  // then, the reason: "a placeholder"
};

/// Every verdict on `text`, blocked or not, in the order of their places.
std::vector<Verdict> explain_secrets(std::string_view text);

}  // namespace codexmem::privacy
