// memory/entries/entry_edit.h - what a person does to an entry that is there: edit, pin, forget.
//
// The text of an entry never changes. An edit saves another entry in its place, which supersedes
// it; the earlier one stays until both are forgotten. Stateless; safe to call from many threads.
// Design: docs/how-it-works.md, "Memory".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "memory/clock.h"
#include "memory/entries/entries.h"
#include "memory/entries/records.h"
#include "store/user/user_store.h"

namespace codexmem::memory {

/// Members without a value stay as they are.
struct EntryEdit {
  EntryId id{};
  std::optional<std::string> title = {};
  std::optional<std::string> text = {};
  std::optional<std::vector<std::string>> concepts = {};
};

/// Whether the metadata of `entry` says that retention leaves it alone.
bool is_pinned(const Entry& entry);

/// Saves the entry as it is now wanted and has it supersede `edit.id`; project, type, session,
/// metadata and citations are taken over. Nothing is written when nothing is different: then the
/// id is the old one and is_duplicate is set. Errors: kNotFound for an unknown id; kInvalidArgument
/// for one that is superseded already, naming its successor; as Entries::save().
Result<SavedEntry> edit_entry(store::UserStore& store, const Entries& entries,
                              const EntryEdit& edit, const Clock& clock);

/// Has retention leave the entry alone, or not any more. Errors: kNotFound; the store's.
Result<void> pin_entry(store::UserStore& store, EntryId id, bool pinned);

/// Removes the entry and all that it superseded, so that no earlier text of it comes back. Returns
/// what was removed. Errors: kNotFound; as execute_forget().
Result<std::vector<EntryId>> forget_entry(store::UserStore& store, EntryId id, const Clock& clock);

}  // namespace codexmem::memory
