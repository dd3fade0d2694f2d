// store/code/own_database.h - databases in a repository, where others may put theirs.
//
// Nothing is read from one before it is known to be this user's own (store/code/seal.h); then its
// tables must match its schema, and its id the one that was sealed. Thread-safe,
// and safe among processes. Design: docs/security.md, "Indexes from elsewhere".
#pragma once

#include <filesystem>

#include "base/result.h"
#include "store/database.h"
#include "store/schema.h"

namespace codexmem::store {

/// The database index.db or embeddings.db.
struct DatabaseKind {
  Schema schema;
  const char* id_sql;             // reads its id, which its first step makes at random
  const char* unfinish_sql = "";  // removes the notes of runs that have ended
};

/// The kind of a repository's index.db.
DatabaseKind workspace_kind();

/// Opens the database at `path`, makes it when it is missing, and migrates it. With
/// `options.read_only` it is neither made nor migrated. One that is made begins with the rows of
/// `seed`, a database of this kind that is the user's own, as if a run had been interrupted; empty,
/// or one that cannot be copied: with none. Errors: kIo when it is missing and read_only; kCorrupt
/// when it is not the user's own, or damaged; as Database::open() and migrate().
Result<Database> open_own(const std::filesystem::path& path, const DatabaseKind& kind,
                          const OpenOptions& options = {}, const std::filesystem::path& seed = {});

/// Seals the database at `path`, which this program has just put there. Errors: those of
/// Database::open(); kIo.
Result<void> adopt(const std::filesystem::path& path, const DatabaseKind& kind);

/// Writes a consistent copy of the database at `source` to `target` while others may
/// use it. Both are index.db of a Workspace, and the copy is sealed. For a copy that is thrown
/// away: a power cut may take it. Errors: kBusy; kIo; kCorrupt when `source` is not the user's own.
Result<void> copy_database(const std::filesystem::path& source,
                           const std::filesystem::path& target);

/// Makes a plain database of the one at `path` if it is thin (store/thin_file.h), half as large as
/// its base, and alone uses it. For the holder of the run's lock; connections stay with the file
/// that was there. Errors: kIo, kBusy.
Result<void> widen_database(const std::filesystem::path& path, const DatabaseKind& kind);

/// Renames the database at `path` to `<path>.foreign-<time>` or, when it is the user's own,
/// `<path>.damaged-<time>`, in place of earlier ones; returns its new path. Errors: kIo.
Result<std::filesystem::path> set_database_aside(const std::filesystem::path& path);

/// True if one that was at `path` and not the user's own was set aside within a week.
bool has_recent_foreign_aside(const std::filesystem::path& path);

}  // namespace codexmem::store
