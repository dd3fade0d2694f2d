// Tested by memory/entry_edit_test.cpp.
#include "store/user/entry_metadata.h"

#include "store/query.h"

namespace codexmem::store {
namespace {

constexpr char kPutMetadataSql[] =
    "INSERT OR REPLACE INTO entry_metadata (entry_id, key, value) VALUES (?1, ?2, ?3)";
constexpr char kRemoveMetadataSql[] = "DELETE FROM entry_metadata WHERE entry_id = ?1 AND key = ?2";

}  // namespace

Result<void> put_metadata(Database& database, EntryId id, std::string_view key,
                          std::string_view value) {
  return query::execute(database, kPutMetadataSql, id, key, value);
}

Result<void> remove_metadata(Database& database, EntryId id, std::string_view key) {
  return query::execute(database, kRemoveMetadataSql, id, key);
}

}  // namespace codexmem::store
