// Tested by base/base64_test.cpp.
#include "base/base64.h"

#include <openssl/evp.h>

#include <climits>
#include <cstddef>

#include "base/ascii.h"

namespace codexmem {

std::optional<std::string> decode_base64(std::string_view text, Base64 form) {
  const bool is_strict = form == Base64::kStrict;
  if (text.size() > INT_MAX || (is_strict && text.size() % 4 != 0)) return std::nullopt;
  const std::size_t size = text.find_last_not_of('=') + 1;  // npos + 1 is 0
  if (is_strict && text.size() - size > 2) return std::nullopt;
  // OpenSSL decodes whole groups and takes '=' anywhere, so 'A', which is zero, fills the last
  // group.
  std::string groups;
  groups.reserve(size + 3);
  for (const char c : text.substr(0, size)) {
    if (!is_strict && is_space(c)) continue;
    const char digit = is_strict ? c : c == '-' ? '+' : c == '_' ? '/' : c;
    if (!is_alnum(digit) && digit != '+' && digit != '/') return std::nullopt;
    groups += digit;
  }
  const std::size_t missing = (4 - groups.size() % 4) % 4;
  if (missing == 3) return std::nullopt;
  groups.append(missing, 'A');
  std::string bytes(groups.size() / 4 * 3, '\0');
  if (::EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                        reinterpret_cast<const unsigned char*>(groups.data()),
                        static_cast<int>(groups.size())) < 0) {
    return std::nullopt;
  }
  bytes.resize(bytes.size() - missing);
  return bytes;
}

}  // namespace codexmem
