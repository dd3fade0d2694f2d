// store/code/code_writer.h - all writes to a workspace store.
//
// Works on the one writing connection; the caller groups calls in a Transaction. One thread. After
// each transaction that changed files the store's generation must have been raised
// (begin_generation()), so that readers know their snapshots are old.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/result.h"
#include "store/code/chunk_terms.h"
#include "store/code/code_rows.h"
#include "store/database.h"

namespace codexmem::store {

/// The part of a record prepared on a worker thread.
struct PreparedRecord {
  std::int64_t book = 0;          // whose phrases `codes` are of; 0: the text is kept as it is
  std::string codes;              // PhraseBook::encode of the content
  std::vector<ChunkTerms> terms;  // of each chunk; empty: the writer makes them
};

class CodeWriter {
 public:
  explicit CodeWriter(Database& database) : database_(database) {}

  /// Raises the store's generation and returns it; rows written later in the transaction carry it.
  Result<std::int64_t> begin_generation();

  /// Writes a file that is new (no row has its path). Returns its id.
  Result<FileId> add_file(const FileRecord& record, const PreparedRecord& prepared = {});

  /// Replaces all rows of `id` by `record` (path included); vectors and dependencies of the file
  /// are dropped. `old_identifiers` is what the replaced record's `identifiers` held.
  Result<void> replace_file(FileId id, const FileRecord& record, std::string_view old_identifiers,
                            const PreparedRecord& prepared = {});

  /// Deletes a file and all its rows. `old_identifiers` as above. Dependencies of other files on it
  /// stay with target_file_id NULL.
  Result<void> remove_file(FileId id, std::string_view old_identifiers);

  /// Sets a file aside: its path is free, and nobody sees its rows until revive_file(). Its
  /// dependencies are dropped, and so are the imports of other files that lead to it: returned as
  /// they were, for add_dependents().
  Result<std::vector<DependencyRow>> park_file(FileId id);

  /// Writes what park_file(`before`) returned, with `target` in its place.
  Result<void> add_dependents(std::vector<DependencyRow> rows, FileId before,
                              std::optional<FileId> target);

  /// Brings a parked file back to its path, as written by this transaction.
  Result<void> revive_file(FileId id, std::int64_t mtime_ns);

  /// Deletes a parked file. `old_identifiers` as above.
  Result<void> remove_parked(FileId id, std::string_view old_identifiers);

  /// Gives a file a new path and times; its content, rows and id stay.
  Result<void> rename_file(FileId id, std::string_view path, std::int64_t mtime_ns);

  /// Notes a new modification time of a file whose bytes have not changed.
  Result<void> touch_file(FileId id, std::int64_t mtime_ns);

  /// Gives a file this transaction's generation, so that readers read its rows again.
  Result<void> renew_file(FileId id);

  /// Notes what a compiler's index says of a file, in place of what another said: `tool` made it,
  /// `uses` is packed. Gone when the file's bytes change.
  Result<void> put_compiler_uses(FileId id, std::string_view tool, std::string_view uses);

  /// Makes the next run read a file again and write all its rows, whatever its bytes and time.
  Result<void> expire_file(FileId id);

  /// Replaces the dependencies of `source`.
  Result<void> put_dependencies(FileId source, std::span<const DependencyRow> rows);

  /// Replaces the list of skipped files.
  Result<void> put_skipped(std::span<const SkippedFile> files);

  /// Registers an embedding model, or updates the one of this name; returns its id.
  Result<ModelId> put_model(const ModelRow& model);

  /// Writes vectors, replacing those with the same id.
  Result<void> put_vectors(ModelId model, std::span<const VectorRow> rows);

  /// Deletes the vectors of one file.
  Result<void> remove_vectors(FileId file);

  /// Deletes all models but this one, and their vectors.
  Result<void> keep_model(ModelId model);

  /// Sets or deletes a note of the meta table. Known keys: "run" (JSON, present while an index run
  /// is under way), "last_run" (JSON report), "generation", "root", "vectors_generation",
  /// "store" (which store this is; set when it is made).
  Result<void> put_meta(std::string_view key, std::string_view value);
  Result<void> remove_meta(std::string_view key);

 private:
  Result<void> write_rows(FileId id, const FileRecord& record, const PreparedRecord& prepared);
  Result<void> remove_rows(FileId id, std::string_view old_identifiers);

  Result<void> remove_terms(FileId id);
  Result<void> add_dependency(Statement& insert, FileId source, const DependencyRow& row);
  Result<std::int64_t> traits_of(const SymbolRow& symbol);

  Database& database_;
  ChunkTermsMaker terms_;
  // Ids of symbol_traits by type, kind, exported and modifiers; of this transaction.
  std::map<std::tuple<int, std::string, bool, std::string>, std::int64_t> traits_;
  std::int64_t generation_ = 0;
};

}  // namespace codexmem::store
