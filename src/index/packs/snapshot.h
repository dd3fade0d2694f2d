// index/packs/snapshot.h - a store of files that differ from the work tree: a commit's, or the
// staged ones.
//
// Made from the workspace's store: a copy in the system's temporary folder, in which the files that
// differ are indexed from given bytes. It costs the copy and the indexing of the differences. The
// workspace is not changed. One thread.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/code/workspace.h"

namespace codexmem::index {

/// A file that differs in the snapshot.
struct SnapshotFile {
  std::string path;  // relative to the root
  /// Reads its bytes, when they are needed; nothing, or null: it does not exist there.
  std::function<Result<std::optional<std::string>>()> read;
};

struct SnapshotOptions {
  bool with_vectors = false;  // also for differing files, if the store has the built-in model's
                              // vectors
};

/// Copies the vectors' file of `from` into `directory`, which has a copy of its database. Without
/// it a search makes it again.
void copy_vector_file(const store::Workspace& from, const std::filesystem::path& directory);

class Snapshot {
 public:
  /// Copies the store of `base`, which describes the work tree at base.root() or, for a snapshot of
  /// a snapshot, its own files. `read_other` reads a file that does not differ, such as a
  /// configuration that changed files need; it may return nothing. Errors: as the store; kIo when
  /// there is no room; kUnsupported when the files that differ have more than 2 GiB; kCancelled.
  static Result<std::unique_ptr<Snapshot>> make(
      store::Workspace& base, const std::vector<SnapshotFile>& files,
      const std::function<std::optional<std::string>(const std::string&)>& read_other,
      std::stop_token stop, const SnapshotOptions& options = {});

  ~Snapshot();
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  store::Workspace& workspace() { return *workspace_; }

 private:
  explicit Snapshot(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::filesystem::path folder_;  // removed by the destructor
  std::unique_ptr<store::Workspace> workspace_;
};

}  // namespace codexmem::index
