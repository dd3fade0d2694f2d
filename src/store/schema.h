// store/schema.h - the schema of each store and its migrations.
#pragma once

#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/database.h"

namespace codexmem::store {

/// One step of a store's schema. Appended to, never edited: user_version counts the steps taken.
struct Migration {
  std::string_view name;
  std::string_view sql;
  /// digest_objects() after the step; empty: not compared.
  std::string_view objects = {};
};

/// A digest of what the schema of `database` consists of: every table, index, view and trigger with
/// its SQL. The same for all databases of one schema. Errors: kCorrupt, kIo.
Result<std::string> digest_objects(Database& database);

/// The schema of a store. The first step makes its tables from nothing; the last one leads to
/// `version`.
struct Schema {
  std::span<const Migration> steps;
  std::int64_t version = std::ssize(steps);  // PRAGMA user_version

  /// The version after the first step. An earlier store is derived data, and is rebuilt.
  std::int64_t first_version() const { return version - std::ssize(steps) + 1; }
};

/// The code store: the index of one repository.
Schema code_schema();

/// The user store: memory, decisions and observations of all projects.
Schema user_schema();

/// Brings `database` to the version of `schema`, and has it expect that (Database::expect_schema).
///
/// All steps run in one transaction; another program that migrates is waited for. A store with data
/// is first copied next to itself as `<file>.v<N>.bak`, of which the newest is kept; a store from
/// before first_version() is emptied without a copy, except for its table `meta`. Errors, after
/// which the store is as it was: kUnsupported when it is newer than this program; kCorrupt when it
/// is damaged or not a store; kIo without room for the backup; a failed step, with its name.
Result<void> migrate(Database& database, const Schema& schema);

}  // namespace codexmem::store
