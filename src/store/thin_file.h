// store/thin_file.h - databases that share most of their pages with a file that never changes.
//
// Where files cannot share blocks, the indexes of many worktrees would each be as large as the
// first. A thin database has only the pages that were written since it was made; all others are in
// its base, a file of mode 0400 next to it, to which each worktree has a hard link. SQLite reads
// both as one file. No other program can read a thin database. Internal to store; thread-safe.
// Design: docs/workspace.md, "Worktrees".
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"

struct sqlite3;

namespace codexmem::store {

/// What the names of bases begin with.
inline constexpr char kBasePrefix[] = "base-";

/// Lets every database that SQLite opens from now on be thin. Call it once, before the first.
/// Returns SQLite's code.
int register_thin_files();

/// How much of a thin database is its own.
struct ThinFile {
  std::string base;  // the name of the base in the database's folder
  std::uint64_t base_bytes = 0;
  std::uint64_t own_bytes = 0;  // of pages
};

/// Nothing if the database that `database` has open is not thin. Errors: kIo.
Result<std::optional<ThinFile>> find_thin(sqlite3* database);

/// Writes the file that `from` has open to a new base in `folder`, and returns its name. `from`
/// must keep the file from changing, and its log must be empty. Errors: kIo, kUnsupported.
Result<std::string> write_base(sqlite3* from, const std::filesystem::path& folder);

/// Makes the thin database `path`, which does not exist, over `base` in its folder. It has the own
/// pages of `from`, which must be over the same base and must not change meanwhile, or none.
/// Errors: kIo, kCorrupt.
Result<void> write_thin(const std::filesystem::path& path, const std::string& base,
                        sqlite3* from = nullptr);

/// Deletes the bases in `folder` except `kept`.
void remove_bases(const std::filesystem::path& folder, const std::string& kept = "");

/// Why the last opening on this thread found a thin database damaged, for people; empty if none
/// was. The next call returns nothing.
std::string take_thin_problem();

}  // namespace codexmem::store
