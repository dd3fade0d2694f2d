// serve/directory_watch.h - reports changes below a root, from the kernel (inotify).
//
// The kernel queues a change at the moment it is made, so take() after an edit always reports it.
// Folders are not watched recursively: whoever walks the tree adds the folders to watch, so ignored
// folders cost nothing. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "index/run/run_observer.h"

namespace codexmem::serve {

/// The changes since the last call.
struct Changes {
  std::set<std::string> paths;  // files, and folders with everything below; relative to the root
  bool anything = false;        // more than paths: the rules changed, or events were lost
  bool later = false;           // changes that hardly ever matter: check them when there is time

  /// True if nothing changed that may affect an answer.
  bool empty() const { return paths.empty() && !anything; }
};

class DirectoryWatch {
 public:
  /// Watches nothing yet, and at most `limit` folders, even if the kernel allows more.
  explicit DirectoryWatch(std::filesystem::path root, std::size_t limit = SIZE_MAX);
  ~DirectoryWatch();
  DirectoryWatch(const DirectoryWatch&) = delete;
  DirectoryWatch& operator=(const DirectoryWatch&) = delete;

  /// Watches the entries of `folder` (relative to the root, "" for the root itself).
  void add(const std::string& folder);

  /// Watches a single file (absolute), which may be missing: watches its folder, or the nearest
  /// existing one above. For a link, both the link and its target are watched.
  void follow(const std::filesystem::path& file, index::RunObserver::Interest interest);

  /// Adds the changes since the last call to `changes`; does not wait.
  void take(Changes& changes);

  /// Between these two calls everything worth a watch is added again; other watches are removed at
  /// the end.
  void begin_round();
  void end_round();

  /// Why changes may be missed, for display; empty if none can be.
  const std::string& gap() const { return gap_; }

  /// Number of watched folders.
  std::size_t size() const { return watched_.size(); }

 private:
  using Interest = index::RunObserver::Interest;
  struct Watched {
    std::optional<std::string> folder;  // all entries of this folder count; relative to the root
    // Single entries that count, or lead to a file that does: name -> their meaning and, for a
    // configuration, its path from the root.
    std::map<std::string, std::set<std::pair<Interest, std::string>>, std::less<>> followed;
    std::uint64_t round = 0;
  };

  void open();
  void close();
  // The descriptor of a watch of `path`; -1 with errno set on failure.
  int watch(const std::filesystem::path& path, std::uint32_t events);
  void follow_name(const std::filesystem::path& file, Interest interest);
  void forget(const std::string& folder);  // and everything below it
  void forget_name(int descriptor, const Watched& entry);
  void forget_folder(std::map<std::string, int>::iterator folder);
  void take_event(std::uint32_t mask, const std::string& name, const Watched& watched,
                  Changes& changes);

  const std::filesystem::path root_;
  const std::size_t limit_;
  int fd_ = -1;
  std::uint64_t round_ = 1;
  std::string lasting_gap_;                   // independent of the watches
  std::string gap_, new_gap_;                 // current; since the round began
  std::unordered_map<int, Watched> watched_;  // by watch descriptor
  std::map<std::string, int> by_folder_;      // of those with a folder
};

}  // namespace codexmem::serve
