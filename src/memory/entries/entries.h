// memory/entries/entries.h - memories as they are saved, and read again.
//
// Every text that is to be kept goes through prepare(): private parts are taken out, secrets
// refused, defaults filled in and the vector made, all before the store is locked. Every entry that
// is read comes from find_entry(), which redacts what a newer rule knows for a secret. Safe to call
// from many threads. Design: docs/how-it-works.md, "Memory".
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "memory/branches/branch_access.h"
#include "memory/clock.h"
#include "memory/documents/document_vectors.h"
#include "memory/entries/records.h"
#include "store/database.h"
#include "store/user/entries.h"
#include "store/user/projects.h"
#include "store/user/user_store.h"

namespace codexmem::memory {

/// Limits of one entry. Lengths are bytes of UTF-8 unless the name says otherwise.
inline constexpr std::size_t kMaxTextBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMaxTitleBytes = 2'000;
inline constexpr std::size_t kMaxNameBytes = 500;  // project, session
inline constexpr std::size_t kMaxSourceRefBytes = 4'000;
inline constexpr std::size_t kMaxMetadataBytes = std::size_t{1} << 16;
inline constexpr std::size_t kMaxListItems = 1'000;
inline constexpr std::size_t kMaxListBytes = std::size_t{1} << 18;  // each list
inline constexpr std::size_t kDefaultTitlePoints = 60;              // code points
inline constexpr std::size_t kMaxListedIds = 500;

/// The source of entries that came from files which a team shares (memory/transfer/team_memory.h).
inline constexpr std::string_view kSharedSource = "shared";

using store::EntryFilter;
using store::find_succession;
using store::NewEntry;

/// What was saved, or found saved before.
struct SavedEntry {
  EntryId id{};
  std::string project, type, title;
  std::int64_t created_at_ms = 0;
  bool is_duplicate = false;
};

/// Writes what belongs to a document, inside the transaction that writes it.
using DocumentWriter = std::function<Result<void>(store::Database&, DocumentKey)>;

/// Looks at an entry before its transaction, and returns the writer of related rows; the writer
/// may be empty. What it fails with, the save fails with.
using EntryHook = std::function<Result<DocumentWriter>(const NewEntry&)>;

/// An entry that passed every check, ready to be written.
struct PreparedEntry {
  NewEntry entry;  // cleaned, defaults filled in; metadata in its canonical form
  bool has_own_title = false;
  std::string content_hash;  // 32 bytes: equal for entries of one project that are the same
  std::string codes;         // of the vector; may be empty
  DocumentWriter also_write;
  std::optional<BranchPlace> place;  // the branch that it belongs to; nothing: everybody
  bool is_imported = false;          // an equal entry stays where it is seen
};

class Entries {
 public:
  /// `store`, `vectors` and `branches` outlive this. Null: nothing is staged.
  Entries(store::UserStore& store, const DocumentVectors& vectors, Clock clock,
          const BranchAccess* branches = nullptr)
      : store_(&store), vectors_(&vectors), clock_(std::move(clock)), branches_(branches) {}

  /// Saves an entry; it outlives a power cut when this returns. One with the same project, type,
  /// title and text is saved once: its id is returned again, even to another client. Of the source
  /// "observer", session, prompt and source_ref must be the same, too.
  ///
  /// Errors, after which nothing is written: kInvalidArgument, which names the argument, its limit
  /// and the value; kBlocked for a secret in any field, with details {"rules","fields"}; kBusy,
  /// kIo, kCorrupt of the store.
  Result<SavedEntry> save(NewEntry entry, const EntryHook& hook = {}) const;

  /// The part of save() before the store is locked: all that takes time.
  Result<PreparedEntry> prepare(NewEntry entry, const EntryHook& hook = {}) const;

  /// The part of save() inside a transaction of the caller's.
  Result<SavedEntry> insert(store::Database& database, const PreparedEntry& prepared) const;

  /// The entries with these ids, in this order; unknown ids are left out, repeated ones repeated.
  Result<std::vector<Entry>> get(std::span<const EntryId> ids) const;

  /// The entries that pass `filter` and are seen on the branch, unless they are named by their ids.
  /// Errors: kInvalidArgument for more than kMaxListedIds ids.
  Result<std::vector<Entry>> list(const EntryFilter& filter) const;

 private:
  store::UserStore* store_;
  const DocumentVectors* vectors_;
  Clock clock_;
  const BranchAccess* branches_;
};

/// The entry with this id. For those who read inside a transaction of their own.
Result<std::optional<Entry>> find_entry(store::Database& database, EntryId id);

/// Errors: kInvalidArgument when `text` has more than `limit` bytes, naming the argument `name`.
Result<void> check_size(std::string_view name, std::string_view text, std::size_t limit);

/// Errors: kInvalidArgument when `list` is beyond kMaxListItems or kMaxListBytes, naming `name`.
Result<void> check_list(std::string_view name, const std::vector<std::string>& list);

using store::ensure_project;

/// Errors: kInvalidArgument unless `type` is [a-z0-9][a-z0-9_-]{0,63}.
Result<void> check_type(std::string_view type);

/// The title that is made from a text: its first 60 code points, white space folded, with "..."
/// when that is not all.
std::string default_title(std::string_view text);

}  // namespace codexmem::memory
