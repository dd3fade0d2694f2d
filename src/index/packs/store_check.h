// index/packs/store_check.h - checks that the store contains what was written, by reading all of
// it.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "embed/vector_index.h"
#include "store/code/code_rows.h"
#include "store/code/workspace.h"

namespace codexmem::index {

struct StoreCheck {
  std::vector<std::string> problems;   // for display, at most 20; empty: no damage found
  std::vector<store::FileRow> unread;  // files whose facts cannot be read; the store is sound
  std::size_t files = 0;               // number of files whose text was compared with its hash
  std::size_t unknown = 0;             // number of files whose original bytes are no longer
                                       // available
  // The vectors' file, if it belongs to this user and FAISS returns the same results as a search.
  std::optional<embed::VectorIndex::Kind> vectors;
};

/// Looks for damage in SQLite's pages, indexes and full-text tables; in each file's text (by the
/// hash of the file) and facts (by their checksum); in rows that point outside their file; and in
/// the vectors' file, which must give the same results in FAISS. Takes the run lock, waiting for
/// it. Undetected: changed values within a symbol, an import or a vector of the database. Damage in
/// the database is noted there, so that the next full run rebuilds it; files whose facts cannot be
/// read are read again by the next run. Errors: as the store.
Result<StoreCheck> check_store(store::Workspace& workspace);

struct FactsCheck {
  std::size_t compared = 0;             // files
  std::size_t left = 0;                 // files that are still to compare
  std::vector<store::FileRow> differs;  // of which a parse says something else
};

/// Parses every file whose text the store has, and compares what it learned: a pack may have lied.
/// Those that differ are read again by the next run. Takes the run lock. Errors: as the store;
/// kCancelled.
Result<FactsCheck> check_facts(store::Workspace& workspace, const std::stop_token& stop);

/// True if no file of a pack is still to compare. Errors: as the store.
Result<bool> are_packs_compared(store::StoreReader& reader);

/// Goes on with that for `time`, or one file, while files of a pack are not all compared. After a
/// lie the next run reads again all that were not. Errors: as check_facts(); kBusy when a run is at
/// work.
Result<FactsCheck> check_some_facts(store::Workspace& workspace, std::chrono::milliseconds time,
                                    const std::stop_token& stop);

/// The same without the vectors' file, for the holder of the run lock.
Result<StoreCheck> check_database(store::Workspace& workspace);

/// True if the last check found damage. Errors: as the store.
Result<bool> is_noted_as_damaged(store::Workspace& workspace);

/// Notes the result of a check in the store, and makes the next run read `unread` again. For the
/// holder of the run lock.
Result<void> note_damage(store::Workspace& workspace, const StoreCheck& found);

}  // namespace codexmem::index
