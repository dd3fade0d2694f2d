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
  /// digest_objects() after the step; empty where nobody compares it.
  std::string_view objects = {};
};

/// A digest of what the schema of `database` consists of: every table, index, view and trigger with
/// its SQL. The same for all databases of one schema. Errors: kCorrupt, kIo.
Result<std::string> digest_objects(Database& database);

/// The workspace store's migrations: the code index of one repository.
std::span<const Migration> workspace_migrations();

/// The user store's migrations: memory, decisions and observations of all projects.
std::span<const Migration> user_migrations();

/// Brings `database` to the newest step, and has it expect that schema (Database::expect_schema).
///
/// All steps run in one transaction; another program that migrates is waited for. A store with data
/// is first copied beside itself as `<file>.v<N>.bak`, of which the newest is kept. Errors, after
/// which the store is as it was: kUnsupported when it is newer than this program; kCorrupt when it
/// is damaged or not a store; kIo without room for the backup; that of a step, which it names.
Result<void> migrate(Database& database, std::span<const Migration> migrations);

}  // namespace codexmem::store
