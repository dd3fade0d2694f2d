// index/file_reader.h - what one file on disk becomes: rows to write, or a reason to skip it.
//
// The parallel part of a run. A FileReader belongs to one thread and holds its parser and its
// connection; what they share is read-only. Design: docs/design/index.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "embed/embedder.h"
#include "index/discover.h"
#include "index/pack_set.h"
#include "index/stored_names.h"
#include "parse/facts.h"
#include "store/code/code_writer.h"
#include "store/code/text_books.h"
#include "store/code/workspace.h"

namespace codexmem::index {

/// A file to be read.
struct FileJob {
  FoundFile found;
  /// The row it has in the store, if any. Another path than found.path: the file that seems to have
  /// moved here.
  std::optional<store::FileRow> known;
};

/// What resolving a file's imports needs of it.
struct ImportFacts {
  parse::FileFacts facts;            // `imports`, and in `names` only what they mention
  std::vector<std::uint32_t> lines;  // 1-based line of each import
  /// The rows that the same imports had before, with their new lines: right as long as neither the
  /// set of files nor a configuration has changed. Nothing when the imports are others.
  std::optional<std::vector<store::DependencyRow>> rows = {};
};

/// Reduces `facts` to what resolving its imports needs.
parse::FileFacts reduce_to_imports(const parse::FileFacts& facts);

/// What became of a job.
struct FileOutcome {
  enum class Kind {
    kWrite,   // `record` is to be written
    kTouch,   // the bytes are those of the known row: note the time
    kRename,  // the bytes are those of the known row, under a new path
    kSkip,    // not indexed: `skipped`; a known row goes
    kGone,    // vanished meanwhile; a known row goes
    kFailed,  // `failure` says nothing about the file: a known row stays as it is
  };
  Kind kind = Kind::kGone;
  std::size_t job = 0;
  store::FileRecord record;               // kRename: path and times alone
  store::PreparedRecord prepared;         // for kWrite
  std::string old_identifiers;            // of the known row, for kWrite
  ImportFacts imports;                    // for kWrite
  std::set<std::string> changed_names;    // for kWrite of a known row: graph::changed_declarations
  std::vector<store::VectorRow> vectors;  // for kWrite and kRename, when wanted; file id 0
  SkippedEntry skipped;                   // for kSkip, and for kFailed of a file without a row
  std::optional<Error> failure;           // for kFailed; kCancelled ends the run
  std::string warning;                    // may be empty
};

/// What all readers of a run share; outlives them.
struct FileReaderContext {
  const RootDirectory& root;
  store::Workspace& workspace;
  StoredNames& stored_names;
  std::uint64_t max_file_bytes = 0;
  bool force = false;                         // write a known file even if its bytes are the same
  const embed::Embedder* embedder = nullptr;  // null: no vectors
  const store::StoredBook* book = nullptr;    // null: texts are kept as they are
  PackSet* packs = nullptr;                   // null: there are none
  std::stop_token stop;
};

class FileReader {
 public:
  explicit FileReader(const FileReaderContext& context);
  ~FileReader();

  /// Reads and extracts. Never fails: what goes wrong is the file's outcome.
  FileOutcome read(const FileJob& job);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The time to note of a file that was modified at `mtime_ns` and has just been read: one that
/// cannot match when a second write within the clock's grain could have gone unseen.
std::int64_t time_to_store(std::int64_t mtime_ns);

}  // namespace codexmem::index
