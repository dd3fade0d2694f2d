// base/access_token.h - the secret that shows that a client may read this user's files.
//
// Servers ask for it where the system does not say which user a connection is of (net/peer.h). It
// is the text of the file `token` in the data directory, 0600. Thread-safe. Design:
// docs/how-it-works.md, "Network".
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace codexmem {

/// The token of a data directory: 64 hexadecimal digits. Errors: as read_file(); kCorrupt when the
/// file contains anything else.
Result<std::string> read_access_token(const std::filesystem::path& directory);

/// As read_access_token(), but makes the file first if it is missing. Errors also: kIo.
Result<std::string> make_access_token(const std::filesystem::path& directory);

/// Whether two secrets are the same, in a time that does not depend on where they differ.
bool is_same_secret(std::string_view one, std::string_view other);

}  // namespace codexmem
