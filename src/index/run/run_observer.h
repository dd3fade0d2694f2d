// index/run/run_observer.h - reports what an index run reads, so that it can be watched.
#pragma once

#include <filesystem>
#include <string>

namespace codexmem::index {

/// Called for everything that affects a run, just before the run reads it. An observer that starts
/// watching it then misses no change: the run sees earlier changes, the watch later ones. Called on
/// the thread of the run.
class RunObserver {
 public:
  /// The effect of a change to a file.
  enum class Interest {
    kRules,          // which files are indexed: ignore files outside the folders, git's HEAD
    kTracked,        // the same, for files that are ignored but tracked: git's index
    kConfiguration,  // the meaning of imports; below the root
  };

  virtual ~RunObserver() = default;

  /// The run is about to list a folder (relative to the root, "" for the root itself).
  virtual void on_folder(const std::string& folder) = 0;

  /// The run is about to look for a single file (absolute), which may be missing.
  virtual void on_file(const std::filesystem::path& file, Interest interest) = 0;
};

}  // namespace codexmem::index
