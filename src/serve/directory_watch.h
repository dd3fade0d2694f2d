// serve/directory_watch.h - what has changed below a root, told by the kernel (inotify).
//
// A change is queued by the kernel at the moment it is made, so take() after an edit always tells
// of it. Folders are not watched with what lies below them: whoever walks the tree says which are
// worth a watch, so an ignored folder costs none. Not thread-safe.
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

#include "index/run_observer.h"

namespace codexmem::serve {

/// What has changed since it was last asked.
struct Changes {
  std::set<std::string> paths;  // files, and folders with all below; relative to the root
  bool anything = false;        // more than paths: the rules changed, or events were lost
  bool later = false;           // what hardly ever matters: worth a look when there is time

  /// True when nothing has changed that an answer may depend on.
  bool empty() const { return paths.empty() && !anything; }
};

class DirectoryWatch {
 public:
  /// Watches nothing yet, and at most `limit` folders, however many the kernel allows.
  explicit DirectoryWatch(std::filesystem::path root, std::size_t limit = SIZE_MAX);
  ~DirectoryWatch();
  DirectoryWatch(const DirectoryWatch&) = delete;
  DirectoryWatch& operator=(const DirectoryWatch&) = delete;

  /// Watches the entries of `folder` (relative to the root, "" for the root itself) from now on.
  void add(const std::string& folder);

  /// Watches a single file (absolute) that may not exist: its folder, or the nearest one above that
  /// exists. A link is watched at both ends.
  void follow(const std::filesystem::path& file, index::RunObserver::Interest interest);

  /// Adds the changes since the last call to `changes`; does not wait.
  void take(Changes& changes);

  /// Between these two calls everything worth a watch is added once more; what is not loses its
  /// watch at the end.
  void begin_round();
  void end_round();

  /// Why changes may go unseen, for people; empty when none can.
  const std::string& gap() const { return gap_; }

  /// Folders that are watched.
  std::size_t size() const { return watched_.size(); }

 private:
  using Interest = index::RunObserver::Interest;
  struct Watched {
    std::optional<std::string> folder;  // whose entries all count, relative to the root
    // Single entries that count, or lead to a file that does: name -> what they mean and, of a
    // configuration, its path from the root.
    std::map<std::string, std::set<std::pair<Interest, std::string>>, std::less<>> followed;
    std::uint64_t round = 0;
  };

  void open();
  void close();
  // The descriptor of a watch of `path`; -1 with errno set when there is none.
  int watch(const std::filesystem::path& path, std::uint32_t events);
  void follow_name(const std::filesystem::path& file, Interest interest);
  void forget(const std::string& folder);  // and what lies below
  void forget_name(int descriptor, const Watched& entry);
  void forget_folder(std::map<std::string, int>::iterator folder);
  void take_event(std::uint32_t mask, const std::string& name, const Watched& watched,
                  Changes& changes);

  const std::filesystem::path root_;
  const std::size_t limit_;
  int fd_ = -1;
  std::uint64_t round_ = 1;
  std::string lasting_gap_;                   // whatever is watched
  std::string gap_, new_gap_;                 // up to now; since the round began
  std::unordered_map<int, Watched> watched_;  // by watch descriptor
  std::map<std::string, int> by_folder_;      // of those with a folder
};

}  // namespace codexmem::serve
