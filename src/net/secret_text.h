// net/secret_text.h - what a server answers may repeat the key that it was sent. Pure; thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace codexmem::net {

/// `text` with "***" wherever it repeats `secret`.
std::string without_secret(std::string text, std::string_view secret);

}  // namespace codexmem::net
