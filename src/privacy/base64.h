// privacy/base64.h - base64, both alphabets.
#pragma once

#include <string>
#include <string_view>

namespace codexmem::privacy {

/// The bytes of which `text` is the base64 (RFC 4648, either alphabet, padding and white space
/// optional); "" when it is none.
std::string decode_base64(std::string_view text);

}  // namespace codexmem::privacy
