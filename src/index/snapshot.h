// index/snapshot.h - a store of files as they are not in the work tree: those of a commit, or what
// is staged.
//
// Made from the workspace's store: a copy in the system's folder for temporary files, in which the
// files that differ are indexed from given bytes. Costs the copy and the indexing of what differs.
// The workspace is not changed. One thread.
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

/// A file that is otherwise in the snapshot; without bytes it is not there.
struct SnapshotFile {
  std::string path;  // relative to the root
  std::optional<std::string> bytes;
};

struct SnapshotOptions {
  bool with_vectors = false;  // of what differs too, where they are the built-in model's
};

class Snapshot {
 public:
  /// Copies the store of `base`, which describes the work tree at base.root() or, for a snapshot of
  /// a snapshot, files of its own. `read_other` reads a file that does not differ (configurations
  /// are needed beside what changes); it may give nothing. Errors: those of the store; kIo when
  /// there is no room; kCancelled.
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

  std::filesystem::path folder_;  // removed at the end
  std::unique_ptr<store::Workspace> workspace_;
};

}  // namespace codexmem::index
