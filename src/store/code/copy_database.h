// store/code/copy_database.h - a copy of a database that others may be using. Thread-safe.
#pragma once

#include <filesystem>

#include "base/result.h"

namespace codexmem::store {

/// Writes a consistent copy of the database at `source` to `target`, page by page: a few times
/// quicker than Database::backup_to(), and as large as the database is. Both are index.db of a
/// Workspace, and the copy is sealed (store/code/own_database.h). For a copy that is thrown away: a
/// power cut may take it. Errors: kBusy; kIo; kCorrupt when `source` is not the user's own.
Result<void> copy_database(const std::filesystem::path& source,
                           const std::filesystem::path& target);

}  // namespace codexmem::store
