// store/code/code_reader.h - what questions read of the code: of one store, or of several as one.
//
// store/code/store_reader.h reads one, store/code/united_reader.h several. A reader belongs to one
// thread at a time. For an answer made from several calls, hold what begin_read() gives, so that
// all see one moment. Lists are ordered as said; unknown ids give empty answers, not errors.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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

/// A file whose text may hold a word.
struct WordFile {
  FileId id{};
  std::uint32_t most = 0;  // it does so at most so often
};

/// Fills in `signature` and `docstring` of a symbol of the file whose text is `content`.
void cut_texts(std::string_view content, SymbolRow* symbol);

/// While one is held, all reads are of one moment of each store.
class ReadMoment {
 public:
  void hold(Transaction transaction) { held_.push_back(std::move(transaction)); }
  void hold(ReadMoment moment) {
    for (Transaction& each : moment.held_) held_.push_back(std::move(each));
  }

 private:
  std::vector<Transaction> held_;
};

class CodeReader {
 public:
  CodeReader() = default;
  virtual ~CodeReader() = default;
  CodeReader(const CodeReader&) = delete;
  CodeReader& operator=(const CodeReader&) = delete;

  /// Begins a read transaction of each store. Not nested. Errors: the store's.
  virtual Result<ReadMoment> begin_read() = 0;

  /// A number that every change of the files changes; 0 for an empty store. Of one store it rises.
  virtual Result<std::int64_t> generation() = 0;

  // Files.
  virtual Result<std::vector<FileRow>> list_files() = 0;  // by path
  /// Calls `visit` with each file, by path: a third of the time of list_files().
  virtual Result<void> visit_files(const std::function<void(const FileStamp&)>& visit) = 0;
  /// Those whose paths come after `path`, by path; at most `limit`.
  virtual Result<std::vector<FileRow>> list_files_after(std::string_view path,
                                                        std::size_t limit) = 0;
  /// Id, path and language of the files in `folder` ("" is the root), files of folders inside it
  /// left out; by path. Reads an index, for the root all of it.
  virtual Result<std::vector<FileRow>> list_files_in(std::string_view folder) = 0;
  virtual Result<std::optional<FileRow>> find_file(std::string_view path) = 0;
  virtual Result<std::optional<FileRow>> find_file(FileId id) = 0;
  virtual Result<std::vector<FileId>> list_files_with_hash(std::string_view hash) = 0;  // by id
  /// The indexed text of a file; nothing when there is no such file.
  virtual Result<std::optional<std::string>> find_content(FileId id) = 0;
  /// The packed facts (parse::decode_facts) of a file.
  virtual Result<std::optional<std::string>> find_facts(FileId id) = 0;
  /// What a compiler's index says of a file (graph/core/compiler_uses.h); nothing without one.
  virtual Result<std::optional<std::string>> find_compiler_uses(FileId id) = 0;
  /// Calls `visit` with each file and its filter of trigrams (text/trigrams.h), by id. A file
  /// without one may hold any.
  virtual Result<void> visit_trigrams(
      const std::function<void(FileId, std::string_view)>& visit) = 0;
  /// Files in whose text `identifier` occurs as a whole identifier, by id; of one with spaces those
  /// in which its longest word does.
  virtual Result<std::vector<FileId>> list_files_with_identifier(std::string_view identifier) = 0;
  /// Files whose text may hold `word` between characters that are no letters, digits or `_`: all
  /// that do, and some that have it in other spellings. By id; of a word of signs alone all files.
  virtual Result<std::vector<WordFile>> list_files_with_word(std::string_view word) = 0;
  virtual Result<std::vector<SkippedFile>> list_skipped() = 0;  // by path
  virtual Result<std::optional<SkippedFile>> find_skipped(std::string_view path) = 0;
  virtual Result<std::size_t> count_skipped() = 0;
  /// By language; reads an entry of an index for each file.
  virtual Result<std::vector<LanguageCount>> count_languages() = 0;
  virtual Result<StoreCounts> counts() = 0;

  // Symbols, ordered by id (file, then source order) unless said otherwise.
  virtual Result<std::vector<SymbolRow>> list_symbols(FileId file) = 0;
  virtual Result<std::optional<SymbolRow>> find_symbol(SymbolId id) = 0;
  virtual Result<std::vector<SymbolRow>> list_symbols_named(std::string_view name) = 0;
  /// Name equal except for ASCII case, the exact ones included.
  virtual Result<std::vector<SymbolRow>> list_symbols_named_ignoring_case(
      std::string_view name) = 0;
  /// Fills in `signature` and `docstring` of `symbols`, which are cut from their files' texts: one
  /// read for each run of symbols of one file.
  Result<void> read_texts(std::span<SymbolRow> symbols);
  /// Calls `visit` with each symbol name, with some of them more than once; of one store by lower
  /// case.
  virtual Result<void> visit_symbol_names(const std::function<void(std::string_view)>& visit) = 0;
  /// Distinct symbol names, by bytes.
  virtual Result<std::vector<std::string>> list_symbol_names() = 0;
  /// At most `limit` of those that begin with `prefix`, ASCII case ignored; the first by lower
  /// case.
  virtual Result<std::vector<std::string>> list_symbol_names(std::string_view prefix,
                                                             std::size_t limit) = 0;
  /// Calls `visit` with each symbol of `file`, or of all without one, by id.
  virtual Result<void> visit_definitions(
      std::optional<FileId> file, const std::function<void(const DefinitionName&)>& visit) = 0;
  /// Calls `visit` with each distinct identifier and each file that holds it: by identifier, then
  /// file; of several stores one store after another. One scan of the identifier index, about 0.1 s
  /// for 500,000 pairs. It shows what the index holds, also of files that have no row.
  virtual Result<void> visit_identifiers(
      const std::function<void(std::string_view, FileId)>& visit) = 0;
  virtual Result<std::vector<ChunkRow>> list_chunks(FileId file) = 0;

  // Dependencies, ordered by source, then import_index, then id.
  virtual Result<std::vector<DependencyRow>> list_dependencies(FileId source) = 0;
  /// Imports of `source` that are neither external nor found.
  virtual Result<std::size_t> count_unresolved_imports(FileId source) = 0;
  virtual Result<std::vector<DependencyRow>> list_dependents(FileId target) = 0;
  virtual Result<std::vector<DependencyRow>> list_all_dependencies() = 0;
  /// Calls `visit` with each file and each other file that it imports, each pair once, in no order.
  virtual Result<void> visit_imports(
      const std::function<void(FileId source, FileId target)>& visit) = 0;
};

}  // namespace codexmem::store
