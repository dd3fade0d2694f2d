// index/run/run_tree.h - decides which files a run must read, from the last run's record.
//
// A full run that finds a record of the tree looks for differences from it
// (index/discovery/tree_look.h) and then handles only those paths. Every run leaves the record that
// the next one needs. One thread, which holds the run lock.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "index/discovery/discover.h"
#include "index/run/indexer.h"
#include "index/discovery/tree_look.h"
#include "index/discovery/tree_record.h"
#include "store/code/workspace.h"

namespace codexmem::index {

class RunTree {
 public:
  using Paths = std::set<std::string, std::less<>>;
  /// Skipped files and folders, by reason.
  using Skipped = std::map<std::string, std::uint64_t, std::less<>>;

  RunTree(const store::Workspace& workspace, const RootDirectory& root, const IndexOptions& options)
      : workspace_(workspace), root_(root), options_(options) {}

  /// Loads the last run's record, if it matches the store that `reader` sees. Errors: as the store.
  Result<void> load(store::StoreReader& reader);

  /// Compares the whole tree with the record. Does nothing without a record, or when the rules have
  /// changed or much differs. Errors: kCancelled.
  Result<void> look(unsigned threads, const std::stop_token& stop);

  bool has_looked() const { return look_.has_value(); }
  /// True if the look found no difference.
  bool is_as_recorded() const { return look_ && look_->changed.empty(); }
  /// The paths that differ or may differ; the run handles them.
  const std::vector<std::string>& changed() const { return look_->changed; }
  /// Files whose bytes must be compared, regardless of size and time.
  const Paths& distrusted() const { return distrusted_; }

  /// The changed paths as a walk over them would find them, if the record has all as files and they
  /// still are: the rules are the same, so no folder is listed and git is not opened. Otherwise
  /// nothing.
  std::optional<Discovery> find_known();
  /// The record that a walk of this run must fill.
  TreeRecord& walked() { return walked_; }
  /// Reports that a full walk found `files` files.
  void take_walk(std::size_t files);

  /// Number of indexed and skipped files when the record was made.
  std::uint64_t recorded_files() const { return record_->indexed; }
  Skipped recorded_skipped() const;

  /// Makes the next run read a file again.
  void distrust(const std::string& path) { unsettled_.insert(path); }

  /// The final state of a run.
  struct End {
    const Selection& selection;     // the paths that the run covered
    bool has_written = false;       // to the store
    bool has_expired = false;       // some files are to be read again regardless of their stamps
    std::uint64_t rows_before = 0;  // of the selection; not set for full runs
    std::uint64_t rows_now = 0;
    const Skipped& skipped;  // in the whole tree
  };
  /// Writes the record for the next run, if this one has changed it. Errors: kIo; as the store.
  Result<void> save(const End& end, store::StoreReader& reader);

 private:
  std::filesystem::path tree_path() const { return workspace_.directory() / "tree"; }

  const store::Workspace& workspace_;
  const RootDirectory& root_;
  const IndexOptions& options_;
  std::string store_id_;
  std::optional<TreeRecord> record_;  // of the last run
  std::optional<TreeLook> look_;
  bool has_found_known_ = false;  // the record has their new stamps
  TreeRecord walked_;
  Paths distrusted_;
  Paths unsettled_;
};

}  // namespace codexmem::index
