// store/code/code_reader.h - all reads of a workspace store.
//
// Works on one connection, which belongs to one thread at a time (Workspace::reader() lends one).
// For an answer made from several calls, hold a read Transaction so that all see one moment. Lists
// are ordered as said; unknown ids give empty answers, not errors.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/code/code_rows.h"
#include "store/database.h"

namespace codexmem::store {

/// A file as it was written: whatever changes it gives it another generation.
struct FileStamp {
  FileId id{};
  std::string_view path;  // valid during the callback
  std::int64_t generation = 0;
};

/// What ranking needs of a symbol.
struct DefinitionName {
  SymbolId id{};
  std::string_view name;  // views are valid during the callback
  SymbolType type = SymbolType::kVariable;
  std::string_view kind;
  std::uint32_t begin = 0;  // byte offset of the declaration
};

/// How often each query term occurs in a chunk.
struct ChunkMatch {
  ChunkId id{};
  std::span<const std::uint32_t> counts;  // one for each query term; valid during the callback
};

struct StoreCounts {
  std::int64_t files = 0, symbols = 0, chunks = 0, vectors = 0, dependencies = 0, skipped = 0;
  std::int64_t source_bytes = 0;  // sum of files.size
  std::int64_t lines = 0;
};

/// The files of a language.
struct LanguageCount {
  std::string language;
  std::size_t files = 0;
  std::size_t files_unparsed = 0;  // flagged kFileUnparsed or kFileTruncated
};

/// Fills in `signature` and `docstring` of a symbol of the file whose text is `content`.
void cut_texts(std::string_view content, SymbolRow* symbol);

class CodeReader {
 public:
  explicit CodeReader(Database& database) : database_(database) {}

  Database& database() { return database_; }

  /// The number that every change of the files raises; 0 for an empty store.
  Result<std::int64_t> generation();

  // Files.
  Result<std::vector<FileRow>> list_files();  // by path
  /// Calls `visit` with each file, by path: a third of the time of list_files().
  Result<void> visit_files(const std::function<void(const FileStamp&)>& visit);
  /// Those whose paths come after `path`, by path; at most `limit`.
  Result<std::vector<FileRow>> list_files_after(std::string_view path, std::size_t limit);
  Result<std::optional<FileRow>> find_file(std::string_view path);
  Result<std::optional<FileRow>> find_file(FileId id);
  Result<std::vector<FileId>> list_files_with_hash(std::string_view hash);  // by id
  /// The indexed text of a file; nothing when there is no such file.
  Result<std::optional<std::string>> find_content(FileId id);
  /// The packed facts (parse::decode_facts) of a file.
  Result<std::optional<std::string>> find_facts(FileId id);
  /// Calls `visit` with each file and its filter of trigrams (text/trigrams.h), by id. A file
  /// without one may hold any.
  Result<void> visit_trigrams(const std::function<void(FileId, std::string_view)>& visit);
  Result<std::optional<std::string>> find_trigrams(FileId id);
  /// Files in whose text `identifier` occurs as a whole identifier, by id; of one with spaces those
  /// in which its longest word does.
  Result<std::vector<FileId>> list_files_with_identifier(std::string_view identifier);
  Result<std::vector<SkippedFile>> list_skipped();  // by path
  Result<std::optional<SkippedFile>> find_skipped(std::string_view path);
  Result<std::size_t> count_skipped();
  /// By language; reads an entry of an index for each file.
  Result<std::vector<LanguageCount>> count_languages();
  Result<StoreCounts> counts();

  // Symbols, ordered by id (file, then source order) unless said otherwise.
  Result<std::vector<SymbolRow>> list_symbols(FileId file);
  Result<std::optional<SymbolRow>> find_symbol(SymbolId id);
  Result<std::vector<SymbolRow>> list_symbols_named(std::string_view name);
  /// Name equal but for ASCII case, the exact ones included.
  Result<std::vector<SymbolRow>> list_symbols_named_ignoring_case(std::string_view name);
  /// Fills in `signature` and `docstring` of `symbols`, which are cut from their files' texts: one
  /// read for each run of symbols of one file.
  Result<void> read_texts(std::span<SymbolRow> symbols);
  /// Calls `visit` with each symbol name, by lower case; with some of them more than once.
  Result<void> visit_symbol_names(const std::function<void(std::string_view)>& visit);
  /// Distinct symbol names, by bytes.
  Result<std::vector<std::string>> list_symbol_names();
  /// At most `limit` of those that begin with `prefix`, ASCII case ignored; the first by lower
  /// case.
  Result<std::vector<std::string>> list_symbol_names(std::string_view prefix, std::size_t limit);
  /// The innermost symbol whose range holds byte `offset` of `file`.
  Result<std::optional<SymbolRow>> find_symbol_at(FileId file, std::uint32_t offset);

  /// Calls `visit` with each symbol of `file`, or of the store when there is none, by id.
  Result<void> visit_definitions(std::optional<FileId> file,
                                 const std::function<void(const DefinitionName&)>& visit);
  /// Calls `visit` with each distinct identifier and each file that holds it: by identifier, then
  /// file. One scan of the identifier index, about 0.1 s for 500,000 pairs. It tells what the index
  /// holds, also of files that have no row.
  Result<void> visit_identifiers(const std::function<void(std::string_view, FileId)>& visit);

  // Chunks.
  /// Calls `visit` with each term of the full-text index and each chunk that holds it, once for
  /// each part of how often it does (code/chunk_terms.h). One scan of the index, for checks; it
  /// tells what the index holds, also of chunks that have no row.
  Result<void> visit_chunk_terms(
      const std::function<void(std::string_view, ChunkId, std::uint32_t)>& visit);
  /// Calls `visit` with each chunk of `file`, or of the store when there is none, and the number of
  /// terms in its text, by id.
  Result<void> visit_chunk_lengths(std::optional<FileId> file,
                                   const std::function<void(ChunkId, std::uint32_t)>& visit);
  Result<std::vector<ChunkRow>> list_chunks(FileId file);
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
  Result<std::vector<DependencyRow>> list_dependencies(FileId source);
  /// Imports of `source` that are neither external nor found.
  Result<std::size_t> count_unresolved_imports(FileId source);
  Result<std::vector<DependencyRow>> list_dependents(FileId target);
  Result<std::vector<DependencyRow>> list_all_dependencies();
  /// Calls `visit` with each file and each other file that it imports, each pair once, in no order.
  Result<void> visit_imports(const std::function<void(FileId source, FileId target)>& visit);
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
  /// The model called `name`; one with an impossible dimension (damage) is none.
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
  /// A number that meta holds; 0 when there is none.
  Result<std::int64_t> find_meta_number(std::string_view key);

 private:
  Database& database_;
};

}  // namespace codexmem::store
