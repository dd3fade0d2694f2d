// base/percent.h - percent-encoding of texts for addresses (RFC 3986, 2.1).
//
// Stateless; safe to use from many threads.
#pragma once

#include <string>
#include <string_view>

namespace codexmem {

/// `text` with each byte that is not an ASCII letter or digit, nor in `plain`, as %XX.
std::string percent_encoded(std::string_view text, std::string_view plain);

}  // namespace codexmem
