// privacy/gate.h - what every text passes on its way into the store and out of it.
//
// In: ill-formed UTF-8 repaired, private parts taken out, secrets refused. Out: what a newer rule
// knows for a secret is redacted. Pure and thread-safe. Design: docs/security.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "privacy/policy.h"

namespace codexmem::privacy {

/// `text` as it may be stored: well-formed UTF-8 without NUL, private parts taken out, trimmed.
std::string cleaned(std::string_view text);

/// Each of `texts` cleaned; empty ones are left out.
std::vector<std::string> cleaned(const std::vector<std::string>& texts);

/// A JSON text with its strings cleaned of private parts.
std::string cleaned_json(std::string_view json);

/// A text that was captured, not given: it is not refused but redacted where it is.
std::string captured(std::string_view text);
std::vector<std::string> captured(const std::vector<std::string>& texts);

/// Named texts that are looked through for secrets together.
class Inspection {
 public:
  /// The arguments are borrowed until check().
  void add(std::string_view name, std::string_view text);
  void add(std::string_view name, const std::vector<std::string>& texts);

  /// Errors: kBlocked, with details {"rules","fields"}.
  Result<void> check() const;

 private:
  std::vector<Field> fields_;
};

/// `text` with each secret in it as [REDACTED:rule].
inline std::string redacted(std::string_view text) { return redact(text); }

/// A JSON text, the same done to its strings.
inline std::string redacted_json(std::string_view json) { return redact_json(json); }

}  // namespace codexmem::privacy
