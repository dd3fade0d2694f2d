// memory/gate.h - what every text passes on its way into the store and out of it.
//
// In: ill-formed UTF-8 repaired, private parts taken out, secrets refused. Out: secrets that a
// newer rule knows are redacted. Pure and thread-safe. Design: docs/memory.md, "Secrets and private
// text".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace codexmem::memory {

/// `text` as it may be stored: well-formed UTF-8 without NUL, private parts taken out, trimmed.
std::string cleaned(std::string_view text);

/// Each of `texts` cleaned; what is empty then is left out.
std::vector<std::string> cleaned(const std::vector<std::string>& texts);

/// A JSON text with its strings cleaned of private parts.
std::string cleaned_json(std::string_view json);

/// Named texts that are looked through for secrets together.
class Inspection {
 public:
  /// `text` is borrowed until check().
  void add(std::string name, std::string_view text);
  void add(const std::string& name, const std::vector<std::string>& texts);

  /// Errors: kBlocked, with details {"rules","fields"}.
  Result<void> check() const;

 private:
  struct Named {
    std::string name;
    std::string_view text;
  };
  std::vector<Named> fields_;
};

/// `text` with each secret in it replaced by [REDACTED:rule].
std::string redacted(std::string_view text);

/// A JSON text, the same done to its strings.
std::string redacted_json(std::string_view json);

}  // namespace codexmem::memory
