// index/run_observer.h - who wants to know what an index run looks at, so as to watch it.
#pragma once

#include <filesystem>
#include <string>

namespace codexmem::index {

/// Hears of everything that decides what a run finds, just before the run looks at it. So whoever
/// starts to watch it there and then misses no change: what came before is seen by the run, what
/// comes after by the watch. Called on the thread of the run.
class RunObserver {
 public:
  /// What a change of a file means.
  enum class Interest {
    kRules,          // which files are indexed: ignore files outside of the folders, git's HEAD
    kTracked,        // the same, of files that are ignored but tracked: git's index
    kConfiguration,  // what imports mean; below the root
  };

  virtual ~RunObserver() = default;

  /// A folder (relative to the root, "" for the root itself) is about to be listed.
  virtual void on_folder(const std::string& folder) = 0;

  /// A single file (absolute) is about to be looked for. It need not exist.
  virtual void on_file(const std::filesystem::path& file, Interest interest) = 0;
};

}  // namespace codexmem::index
