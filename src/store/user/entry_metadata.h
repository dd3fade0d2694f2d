// store/user/entry_metadata.h - single members of an entry's metadata, as rows: what may change of
// an entry whose texts never do.
#pragma once

#include <string_view>

#include "base/result.h"
#include "store/database.h"
#include "store/user/records.h"

namespace codexmem::store {

/// Has the member `key` of the metadata of `id` be `value` (JSON), whatever it was.
Result<void> put_metadata(Database& database, EntryId id, std::string_view key,
                          std::string_view value);

/// Removes it, if it is there.
Result<void> remove_metadata(Database& database, EntryId id, std::string_view key);

}  // namespace codexmem::store
