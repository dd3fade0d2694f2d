// store/code/store_reader.h - all reads of a workspace store.
//
// Works on one connection, which belongs to one thread at a time (Workspace::reader() lends one).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/code/code_reader.h"
#include "store/code/code_rows.h"
#include "store/database.h"

namespace codexmem::store {

/// How often each query term occurs in a chunk.
struct ChunkMatch {
  ChunkId id{};
  std::span<const std::uint32_t> counts;  // one for each query term; valid during the callback
};

class StoreReader final : public CodeReader {
 public:
  explicit StoreReader(Database& database) : database_(database) {}

  Database& database() { return database_; }

  Result<ReadMoment> begin_read() override;
  Result<std::int64_t> generation() override;

  // Files.
  Result<std::vector<FileRow>> list_files() override;
  Result<void> visit_files(const std::function<void(const FileStamp&)>& visit) override;
  Result<std::vector<FileRow>> list_files_after(std::string_view path, std::size_t limit) override;
  Result<std::vector<FileRow>> list_files_in(std::string_view folder) override;
  Result<std::optional<FileRow>> find_file(std::string_view path) override;
  Result<std::optional<FileRow>> find_file(FileId id) override;
  Result<std::vector<FileId>> list_files_with_hash(std::string_view hash) override;
  Result<std::optional<std::string>> find_content(FileId id) override;
  /// Parked files (CodeWriter::park_file), the one parked first before others. mtime_ns: when it
  /// was parked. No other list or search gives their rows; those that are asked for by their id do:
  /// find_content(), find_facts(), list_symbols(), list_chunks(), list_vector_keys().
  Result<std::vector<FileRow>> list_parked();
  Result<std::vector<FileId>> list_parked_ids();  // in order
  Result<std::optional<FileRow>> find_parked(std::string_view path, std::string_view hash);
  Result<std::optional<std::string>> find_facts(FileId id) override;
  Result<void> visit_trigrams(const std::function<void(FileId, std::string_view)>& visit) override;
  Result<std::optional<std::string>> find_trigrams(FileId id);
  Result<std::vector<FileId>> list_files_with_identifier(std::string_view identifier) override;
  Result<std::vector<WordFile>> list_files_with_word(std::string_view word) override;
  Result<std::vector<SkippedFile>> list_skipped() override;
  Result<std::optional<SkippedFile>> find_skipped(std::string_view path) override;
  Result<std::size_t> count_skipped() override;
  Result<std::vector<LanguageCount>> count_languages() override;
  Result<std::optional<std::string>> find_compiler_uses(FileId id) override;
  /// The files that a compiler's index describes, by the tool that made it.
  Result<std::vector<LanguageCount>> count_compiler_uses();
  Result<StoreCounts> counts() override;

  // Symbols, ordered by id (file, then source order) unless said otherwise.
  Result<std::vector<SymbolRow>> list_symbols(FileId file) override;
  Result<std::optional<SymbolRow>> find_symbol(SymbolId id) override;
  Result<std::vector<SymbolRow>> list_symbols_named(std::string_view name) override;
  Result<std::vector<SymbolRow>> list_symbols_named_ignoring_case(std::string_view name) override;
  Result<void> visit_symbol_names(const std::function<void(std::string_view)>& visit) override;
  Result<std::vector<std::string>> list_symbol_names() override;
  Result<std::vector<std::string>> list_symbol_names(std::string_view prefix,
                                                     std::size_t limit) override;
  /// The innermost symbol whose range holds byte `offset` of `file`.
  Result<std::optional<SymbolRow>> find_symbol_at(FileId file, std::uint32_t offset);
  Result<void> visit_definitions(std::optional<FileId> file,
                                 const std::function<void(const DefinitionName&)>& visit) override;
  Result<void> visit_identifiers(
      const std::function<void(std::string_view, FileId)>& visit) override;
  /// The same, also of parked files.
  Result<void> visit_all_identifiers(const std::function<void(std::string_view, FileId)>& visit);

  // Chunks.
  /// Calls `visit` with each term of the full-text index and each chunk that holds it, once for
  /// each part of how often it does (code/chunk_terms.h). One scan of the index, for checks; it
  /// shows what the index holds, also of chunks that have no row, except parked files'.
  Result<void> visit_chunk_terms(
      const std::function<void(std::string_view, ChunkId, std::uint32_t)>& visit);
  /// Calls `visit` with each chunk of `file`, or of the store without one, and the number of
  /// terms in its text, by id.
  Result<void> visit_chunk_lengths(std::optional<FileId> file,
                                   const std::function<void(ChunkId, std::uint32_t)>& visit);
  Result<std::vector<ChunkRow>> list_chunks(FileId file) override;
  /// Calls `visit` for each chunk that holds at least one of `terms` (stems and compounds,
  /// SEARCH.md section 2), by id. Returning false ends the calls.
  Result<void> match_chunks(std::span<const std::string> terms,
                            const std::function<bool(const ChunkMatch&)>& visit);
  /// Number of chunks and sum of their lengths in terms.
  struct TermTotals {
    std::int64_t chunks = 0, terms = 0;
  };
  Result<TermTotals> term_totals();

  // Dependencies, ordered by source, then import_index, then id.
  Result<std::vector<DependencyRow>> list_dependencies(FileId source) override;
  Result<std::size_t> count_unresolved_imports(FileId source) override;
  Result<std::vector<DependencyRow>> list_dependents(FileId target) override;
  Result<std::vector<DependencyRow>> list_all_dependencies() override;
  Result<void> visit_imports(
      const std::function<void(FileId source, FileId target)>& visit) override;
  /// The greatest id of a dependency, 0 without any. Rows that are written later have greater ones.
  Result<std::int64_t> last_dependency();
  /// The imports that were written after the dependency `last`: each source, and each other file
  /// that it imports, if there is one, in no order.
  Result<void> visit_imports_since(
      std::int64_t last,
      const std::function<void(FileId source, std::optional<FileId> target)>& visit);

  // Vectors.
  struct Model {
    ModelId id{};
    std::string name;
    std::size_t dimension = 0;
  };
  /// The model called `name`; one with an impossible dimension (damage) does not count.
  Result<std::optional<Model>> find_model(std::string_view name);
  /// Calls `visit` with each vector (id, model, bytes) whose file was written after `generation`,
  /// by id; 0 gives all. Returning false ends the scan.
  Result<void> visit_vectors(std::int64_t generation,
                             const std::function<bool(ChunkId, ModelId, std::string_view)>& visit);
  struct VectorKey {
    ChunkId id{};
    std::string model;  // its name
    std::size_t bytes = 0;
  };
  /// The vectors of a file, by id and model, without their numbers.
  Result<std::vector<VectorKey>> list_vector_keys(FileId file);
  /// How many vectors of `model` there are.
  Result<std::int64_t> count_vectors(ModelId model);
  /// The bytes of a vector of `model`, or nothing.
  Result<std::optional<std::string>> find_vector(ModelId model, ChunkId id);
  /// Files that are not generated and whose file-level vector by `model` is missing, by id.
  Result<std::vector<FileId>> list_files_without_vectors(ModelId model);
  /// Files written after `generation`, by id.
  Result<std::vector<FileId>> list_files_since(std::int64_t generation);

  Result<std::optional<std::string>> find_meta(std::string_view key);
  /// A number that meta holds; 0 without one.
  Result<std::int64_t> find_meta_number(std::string_view key);

 private:
  Database& database_;
};

}  // namespace codexmem::store
