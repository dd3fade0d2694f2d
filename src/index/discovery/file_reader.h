// index/discovery/file_reader.h - turns a file on disk into rows to write, or a reason to skip it.
//
// The parallel part of a run. A FileReader belongs to one thread and holds its parser and
// connection; shared data is read-only. Design: docs/how-it-works.md, "Index".
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>
#include <mutex>
#include <unordered_map>

#include "embed/embedder.h"
#include "index/discovery/discover.h"
#include "index/packs/pack_set.h"
#include "parse/facts/facts.h"
#include "store/code/code_writer.h"
#include "store/code/text_books.h"
#include "store/code/workspace.h"
#include "base/result.h"
#include "store/code/store_reader.h"
#include "text/line_index.h"

namespace codexmem::index {

/// The identifiers that the index has for a file, needed to remove them: FTS5 can remove a file
/// only when it gets exactly the text that was added. Thread-safe; one for each run.
class StoredNames {
 public:
  /// The identifiers of the indexed file `id` as FileRecord::identifiers held them, in any order.
  ///
  /// They are in the file's facts. When these cannot be read (damaged, or of another version), they
  /// come from the index itself; it is scanned once for all such files, 0.1 s for 500,000 pairs.
  /// Errors: as the store.
  Result<std::string> find(store::StoreReader& reader, store::FileId id);

 private:
  Result<void> scan(store::StoreReader& reader);

  std::mutex mutex_;  // guards the members below
  bool scanned_ = false;
  std::unordered_map<std::int64_t, std::string> by_file_;
};

/// A file to read.
struct FileJob {
  FoundFile found;
  /// The file's row in the store, if any. If its path is not found.path, that file seems to have
  /// moved here.
  std::optional<store::FileRow> known;
};

/// The facts needed to resolve a file's imports.
struct ImportFacts {
  parse::FileFacts facts;            // `imports`, and in `names` only the names they use
  std::vector<std::uint32_t> lines;  // 1-based line of each import
  /// The previous rows of the same imports, with their new lines: valid while neither the set of
  /// files nor a configuration has changed. Nothing when the imports differ.
  std::optional<std::vector<store::DependencyRow>> rows = {};
};

/// Reduces `facts` to those needed to resolve imports.
parse::FileFacts reduce_to_imports(const parse::FileFacts& facts);

/// The rows of the symbols in `facts`, of the file at `path` whose text `lines` is of.
std::vector<store::SymbolRow> make_symbol_rows(store::FileId file, std::string_view path,
                                               const parse::FileFacts& facts,
                                               const LineIndex& lines);

/// True if both have the same imports at the top of their files, at any places.
bool have_same_imports(const parse::FileFacts& a, const parse::FileFacts& b);

/// The result of a job.
struct FileOutcome {
  enum class Kind {
    kWrite,   // `record` is to be written
    kRevive,  // the parked file `parked` has these bytes and this path: its rows come back
    kTouch,   // same bytes as the known row: update the time
    kRename,  // same bytes as the known row, new path
    kSkip,    // not indexed: `skipped`; a known row is deleted
    kGone,    // vanished meanwhile; a known row is deleted
    kFailed,  // `failure` is not caused by the file: a known row is kept
  };
  Kind kind = Kind::kGone;
  std::size_t job = 0;
  store::FileRecord record;               // kRename, kRevive: only path and times
  store::PreparedRecord prepared;         // for kWrite
  std::optional<store::FileId> parked;    // for kRevive; for kWrite: its rows are not usable
  std::string old_identifiers;            // of the known row, for kWrite, unless it is parked
  ImportFacts imports;                    // for kWrite and kRevive
  std::set<std::string> changed_names;    // likewise, of a known row: graph::changed_declarations
  std::vector<store::VectorRow> vectors;  // for kWrite and kRename, when wanted; file id 0
  SkippedEntry skipped;                   // for kSkip, and for kFailed of a file without a row
  std::optional<Error> failure;           // for kFailed; kCancelled ends the run
  std::string warning;                    // may be empty
};

/// Shared by all readers of a run; must outlive them.
struct FileReaderContext {
  const RootDirectory& root;
  store::Workspace& workspace;
  StoredNames& stored_names;
  std::uint64_t max_file_bytes = 0;
  bool force = false;                         // write a known file even if its bytes are unchanged
  bool parks = false;                         // known rows are parked, not replaced
  bool has_parked = false;                    // some files are parked
  const embed::Embedder* embedder = nullptr;  // null: no vectors
  store::ModelId model{};                     // of the embedder
  const store::StoredBook* book = nullptr;    // null: texts are stored as they are
  PackSet* packs = nullptr;                   // null: no packs
  std::stop_token stop;
};

class FileReader {
 public:
  explicit FileReader(const FileReaderContext& context);
  ~FileReader();

  /// Reads and extracts. Never fails: errors are part of the outcome.
  FileOutcome read(const FileJob& job);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::index
