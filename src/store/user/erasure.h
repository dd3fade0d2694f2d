// store/user/erasure.h - the bytes of what was removed.
//
// A row that is deleted is overwritten in its page, but its words stay in older segments of the
// full-text index until they are merged, the page as it was stays in the log until that is emptied,
// and a migration's backup holds all of it. A note in the store, made with the removal, says that
// this is still to be done; who opens the memory next goes on with it, so that neither a kill
// nor a program that reads from the log keeps the bytes for ever. Safe to call from many threads.
// Design: docs/how-it-works.md, "Memory".
#pragma once

#include <chrono>

#include "base/result.h"
#include "store/user/user_store.h"

namespace codexmem::store {

/// Notes that what the open transaction of `database` removes is to be erased.
Result<void> note_erasure(Database& database);

/// Erases what was noted. False when another program has read from the log for all of `patience`:
/// then the bytes stay in the store's files, and the note with them. Errors: the store's.
Result<bool> finish_erasure(UserStore& user, std::chrono::milliseconds patience);

/// How long a removal waits for those who read.
inline constexpr std::chrono::seconds kErasurePatience{2};

/// Whether nothing waits to be erased. Errors: the store's.
Result<bool> is_erased(UserStore& user);

}  // namespace codexmem::store
