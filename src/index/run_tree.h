// index/run_tree.h - which files a run has to look at, from what the last one recorded.
//
// A run over everything that finds a record of the tree looks at what differs from it
// (index/tree_look.h) and is then about those paths alone. Every run leaves the record as the next
// one needs it. One thread, which holds the run lock.
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
#include "index/discover.h"
#include "index/indexer.h"
#include "index/tree_look.h"
#include "index/tree_record.h"
#include "store/code/workspace.h"

namespace codexmem::index {

class RunTree {
 public:
  using Paths = std::set<std::string, std::less<>>;
  /// Skipped files and folders, by reason.
  using Skipped = std::map<std::string, std::uint64_t, std::less<>>;

  RunTree(const store::Workspace& workspace, const RootDirectory& root, const IndexOptions& options)
      : workspace_(workspace), root_(root), options_(options) {}

  /// Takes up the last run's record, if it speaks for the store as `reader` sees it. Errors: those
  /// of the store.
  Result<void> load(store::StoreReader& reader);

  /// Compares the whole tree with the record. Without one, where the rules have changed or much
  /// differs, there is no look. Errors: kCancelled.
  Result<void> look(unsigned threads, const std::stop_token& stop);

  bool has_looked() const { return look_.has_value(); }
  /// True when the look found that nothing differs.
  bool is_as_recorded() const { return look_ && look_->changed.empty(); }
  /// What differs, or may: the paths that the run is about.
  const std::vector<std::string>& changed() const { return look_->changed; }
  /// Files whose bytes decide, whatever their size and time say.
  const Paths& distrusted() const { return distrusted_; }

  /// What a walk of the run has to fill.
  TreeRecord& walked() { return walked_; }
  /// Says that the walk of everything found `files` files.
  void take_walk(std::size_t files);

  /// Files that are indexed and skipped ones, when the record was made.
  std::uint64_t recorded_files() const { return record_->indexed; }
  Skipped recorded_skipped() const;

  /// Has the next run read a file again.
  void distrust(const std::string& path) { unsettled_.insert(path); }

  /// What a run leaves.
  struct End {
    const Selection& selection;     // that it was about
    bool has_written = false;       // to the store
    bool has_expired = false;       // files that are to be read again, whatever they look like
    std::uint64_t rows_before = 0;  // of the selection; not of everything
    std::uint64_t rows_now = 0;
    const Skipped& skipped;  // everywhere
  };
  /// Writes the record for the next run, if this one has changed it. Errors: kIo; those of the
  /// store.
  Result<void> save(const End& end, store::StoreReader& reader);

 private:
  std::filesystem::path tree_path() const { return workspace_.directory() / "tree"; }

  const store::Workspace& workspace_;
  const RootDirectory& root_;
  const IndexOptions& options_;
  std::string store_id_;
  std::optional<TreeRecord> record_;  // of the last run
  std::optional<TreeLook> look_;
  TreeRecord walked_;
  Paths distrusted_;
  Paths unsettled_;
};

}  // namespace codexmem::index
