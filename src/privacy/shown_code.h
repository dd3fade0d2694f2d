// privacy/shown_code.h - code as answers show it: its secrets masked.
//
// An agent's transcript leaves the machine, so every text of a file that an answer quotes passes
// here; the files, the index and all offsets stay as they are. Thread-safe; linear in the text that
// is shown. Design: docs/security.md, "Secrets".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "text/ranges.h"

namespace codexmem::privacy {

inline constexpr std::size_t kAllCode = ~std::size_t{0};

/// The parts of one text, which is a file's, as answers show them. The text must outlive it. One
/// thread.
class ShownCode {
 public:
  explicit ShownCode(std::string_view text) : text_(text) {}

  /// The bytes `range` with each secret as "[masked***]": as many bytes, line breaks kept, shorter
  /// ones without the word. The text around the range counts as well.
  std::string part(ByteRange range);

 private:
  std::string_view text_;
  ByteRange looked_at_ = {};  // read for secrets last
  std::vector<ByteRange> secrets_;
};

/// One part of `text`.
inline std::string shown_code(std::string_view text, ByteRange range) {
  return ShownCode(text).part(range);
}

/// The first `max_bytes` of `text`, in whole characters, the same done to them.
std::string shown_code(std::string_view text, std::size_t max_bytes = kAllCode);

/// `replacement`, the same done to it as if it stood in place of the bytes `range` of `text`.
std::string shown_replacement(std::string_view text, ByteRange range, std::string_view replacement);

/// The same in place.
void mask_code(std::string& text, ByteRange range);

/// Whether secrets are masked; true at first. A matter of the process: only the user's setting
/// codeSecrets counts, which main() reads once, so all repositories of a server are shown alike.
void set_code_masking(bool is_masking);

}  // namespace codexmem::privacy
