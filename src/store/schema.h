// store/schema.h - the schema of each store and its migrations.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "store/database.h"

namespace codexmem::store {

/// One step of a store's schema. Appended to, never edited: user_version counts the steps taken.
struct Migration {
  std::string_view name;
  std::string_view sql;
};

/// The workspace store's migrations: the code index of one repository.
std::span<const Migration> workspace_migrations();

/// Brings `database` to the newest step. A store with data is first copied beside itself as
/// `<file>.v<N>.bak`; all steps run in one transaction. Errors: kUnsupported when the store is
/// newer than this program; else as the database fails, and the store is as it was.
Result<void> migrate(Database& database, std::span<const Migration> migrations);

}  // namespace codexmem::store
