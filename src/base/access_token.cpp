// Tested by base/access_token_test.cpp.
#include "base/access_token.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "base/random.h"
#include "base/text.h"

namespace codexmem {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kDigits = 64;

fs::path token_file(const fs::path& directory) { return directory / "token"; }

}  // namespace

Result<std::string> read_access_token(const fs::path& directory) {
  CODEXMEM_ASSIGN(const std::string text, read_file(token_file(directory), 4'096));
  std::string token(trim(text));
  if (token.size() == kDigits && token.find_first_not_of("0123456789abcdef") == token.npos) {
    return token;
  }
  return Error{ErrorCode::kCorrupt,
               fmt::format("{} holds no token: delete it", token_file(directory).string())};
}

Result<std::string> make_access_token(const fs::path& directory) {
  auto token = read_access_token(directory);
  if (token.ok() || token.error().code() != ErrorCode::kNotFound) return token;
  CODEXMEM_TRY(replace_file(token_file(directory), random_hex(kDigits) + "\n"));
  return read_access_token(directory);
}

bool is_same_secret(std::string_view one, std::string_view other) {
  unsigned char differs = one.size() == other.size() ? 0 : 1;
  for (std::size_t at = 0; at < std::min(one.size(), other.size()); ++at) {
    differs |= static_cast<unsigned char>(one[at] ^ other[at]);
  }
  return differs == 0;
}

}  // namespace codexmem
