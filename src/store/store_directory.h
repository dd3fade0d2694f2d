// store/store_directory.h - where the index of a repository is kept. Thread-safe.
//
// In the repository, at `<root>/.codexmem`. Where that cannot be written, or belongs to somebody
// else, in the user's cache: `$XDG_CACHE_HOME/codexmem/<name>-<hash of the root's path>`, by
// default below ~/.cache. Design: docs/trust.md.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace codexmem::store {

/// The name of the folder in a repository.
inline constexpr char kDirectoryName[] = ".codexmem";

struct StoreDirectory {
  std::filesystem::path path;  // absolute; empty when there is no cache folder either
  std::string why_in_cache;    // for people: "/srv/app cannot be written: ..."; empty: in the tree
};

/// Where the index of the repository at `root` (absolute, links resolved) is, or would be made.
/// Looks at the disk and changes nothing.
StoreDirectory locate_store(const std::filesystem::path& root);

/// Makes the folder, in the cache for its user alone. Errors: kIo with the cure; kInvalidArgument
/// when it is there and is a link or another user's.
Result<void> make_store_directory(const StoreDirectory& directory);

/// True if there is an index of the repository at `root` (absolute, links resolved).
bool has_index(const std::filesystem::path& root);

}  // namespace codexmem::store
