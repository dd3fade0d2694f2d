// index/run/indexer.h - one index run: brings a workspace's store up to the files on disk.
//
//     discover -> what changed -> parse and extract (threads) -> write (one) -> imports -> vectors
//
// A file's rows change in one transaction, so even if a run is interrupted, each file is entirely
// old or entirely new; a mark in the store says that the run is incomplete, and the next run
// continues. One run at a time per workspace, across processes. Design: docs/how-it-works.md,
// "Index".
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "index/packs/pack_use.h"
#include "index/run/run_observer.h"
#include "store/code/workspace.h"

namespace codexmem::index {

class Pack;

struct IndexOptions {
  bool force = false;            // read, parse and write every file, changed or not
  bool distrust_times = false;   // compare content even if size and time are the same
  bool skip_embeddings = false;  // make no vectors; a later run without this makes them
  // The built-in model replaces vectors of a remote model; otherwise they are kept, and a run that
  // finds them makes none and warns.
  bool replace_vectors = false;
  bool wait = true;       // while another run holds the workspace: wait for it, otherwise kBusy
  std::string path = {};  // only this file, or everything below this folder; empty: everything
  // Exactly these files and folders, whether they exist or not; empty: no limit.
  std::vector<std::string> only = {};
  unsigned threads = 0;  // that parse; 0: as many as the machine has
  std::uint64_t max_file_bytes = std::uint64_t{1} << 20;  // larger files are skipped
  // Facts of files are taken from these if present (index/packs/pack_file.h), and otherwise made.
  std::vector<std::shared_ptr<const Pack>> packs = {};
  // Number of files that are parsed anyway before anything is written: a pack with different facts
  // for one is not used. Default: 1% of the files to read, and at least 20.
  std::optional<std::size_t> pack_sample = {};
  bool leaves_ranking = false;  // the ranking's file is not written: the store is for few questions
  RunObserver* observer = nullptr;  // called for everything that the run reads; may be null
};

enum class IndexPhase {
  kWaiting,      // another run holds the workspace
  kDiscovering,  // files_done increases, the total is unknown
  kParsing,
  kResolving,  // imports to files
  kEmbedding,  // vectors and their index
  kDone,
};

/// "waiting", "discovering", "parsing", "resolving", "embedding", "done".
std::string_view index_phase_name(IndexPhase phase);

struct IndexProgress {
  IndexPhase phase = IndexPhase::kDiscovering;
  std::uint64_t files_done = 0, files_total = 0;  // of this phase; total 0: unknown
  std::uint64_t bytes_done = 0, bytes_total = 0;  // of source
  std::string path;                               // the file last done; may be empty
  std::chrono::milliseconds elapsed{0};           // since the run began
};

/// Called on the thread that runs the index, at most every 50 ms and at each change of phase.
using ProgressCallback = std::function<void(const IndexProgress&)>;

/// The result of a run.
struct IndexReport {
  std::uint64_t files_processed = 0;       // parsed and written, of the added and changed
  std::uint64_t files_revived = 0;         // not parsed: an earlier content, whose rows were kept
  std::uint64_t symbols_extracted = 0;     // of these files
  std::uint64_t embeddings_generated = 0;  // vectors written
  std::chrono::milliseconds elapsed{0};

  std::uint64_t added = 0, changed = 0, deleted = 0, renamed = 0, unchanged = 0;
  std::uint64_t bytes_processed = 0;             // source bytes of files_processed
  std::uint64_t dependencies_written = 0;        // files whose rows in table dependencies changed
  std::map<std::string, std::uint64_t> skipped;  // reason -> files and folders, in this run's scope
  std::vector<std::string> warnings;             // problems that did not stop the run, at most 100
  bool vectors_rebuilt = false;                  // all vectors were made again
  std::optional<PackUse> packs;                  // for a run with packs

  /// A JSON object with these fields in lower camel case, `timeElapsed` ("2m 34s") and
  /// `finished_at`; the store keeps it as "last_run".
  std::string to_json() const;
};

/// "850 ms", "2.4s", "2m 34s", "1h 2m".
std::string format_elapsed(std::chrono::milliseconds elapsed);

/// Indexes the repository of `workspace`.
///
/// A bad file never fails a run: it is skipped and counted. A file that could not be read for a
/// reason that is not its own keeps its rows, with a warning. A warning also explains why
/// options.path gave no file, for example because it is ignored. Errors: kInvalidArgument when
/// options.path or one of options.only leads out of the root; kNotFound when options.path neither
/// exists nor is indexed; kBusy when another run holds the workspace and options.wait is off;
/// kCancelled when `stop` was requested (complete files are kept); as the store.
Result<IndexReport> index_repository(store::Workspace& workspace, const IndexOptions& options = {},
                                     const ProgressCallback& progress = {},
                                     std::stop_token stop = {});

/// True if a full run has ended, so that every file was processed once; runs for single paths do
/// not count. It stays true when later runs are interrupted. Errors: as the store.
Result<bool> has_complete_index(store::StoreReader& reader);

/// Files below `root` that differ between the last commit and the staging area of the git
/// repository around `folder`, relative to `root`, deleted ones included; for IndexOptions::only in
/// a pre-commit hook. Honours GIT_INDEX_FILE. Errors: kNotFound when `folder` is not in a
/// repository; kIo when git's data cannot be read.
Result<std::vector<std::string>> list_staged_files(const std::filesystem::path& root,
                                                   const std::filesystem::path& folder);

/// Why a path is in the index or not.
struct PathExplanation {
  enum class State {
    kIndexed,   // and up to date
    kOutdated,  // indexed, but the file has changed since
    kPending,   // would be indexed by the next run
    kSkipped,   // `reason` and `detail` explain why
    kDeleted,   // indexed, but the file is gone
    kMissing,   // the file does not exist
    kFolder,    // a folder; `files` counts the indexed files below it
  };
  State state = State::kMissing;
  std::string path;        // relative to the root
  std::string language;    // of an indexed or pending file
  std::string reason;      // word of SkippedFile::reason, or "own_data" (.git, .codexmem)
  std::string detail;      // for display: "src/.gitignore:3: *.log"
  std::uint64_t size = 0;  // bytes on disk
  std::uint64_t files = 0;
  std::string indexed_at;          // "2026-11-21 10:23:00", UTC; of an indexed file
  std::vector<std::string> notes;  // "generated: no vectors", "invalid UTF-8 was replaced", ...
};

/// The state's word: "indexed", "outdated", "pending", "skipped", "deleted", "missing", "folder".
std::string_view path_state_name(PathExplanation::State state);

/// Explains `path`, which is absolute or relative to the root. Reads the current state of the disk.
/// Errors: kInvalidArgument when it leads out of the root; as the store.
Result<PathExplanation> explain_path(store::Workspace& workspace, std::string_view path);

}  // namespace codexmem::index
