// net/secret_text.h - removes a secret from a server's answer, which may repeat it. Pure;
// thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace codexmem::net {

/// `text` with "***" in place of each `secret`.
std::string without_secret(std::string text, std::string_view secret);

}  // namespace codexmem::net
