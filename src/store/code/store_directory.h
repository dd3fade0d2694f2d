// store/code/store_directory.h - where the index of a repository is kept. Thread-safe.
//
// In the repository, at `<root>/.codexmem`. Where that cannot be written, or belongs to somebody
// else, in the user's cache: `$XDG_CACHE_HOME/codexmem/<name>-<hash of the root's path>`, by
// default below ~/.cache. Design: docs/security.md.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace codexmem::store {

/// The database in a store's directory.
inline constexpr char kIndexName[] = "index.db";

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

/// True if there is an index of the repository at `root` (absolute, links resolved) that this
/// user's codexmem has made.
bool has_index(const std::filesystem::path& root);

/// True if there is one that it has not made: it came with a checkout or a copy, say.
bool has_foreign_index(const std::filesystem::path& root);

/// True if `folder` is one of those in the user's cache, where nobody else writes.
bool is_in_cache(const std::filesystem::path& folder);

}  // namespace codexmem::store
