// app/directory_watch.h - which files below a root have changed, told by the kernel (inotify).
//
// A change is queued by the kernel at the moment it is made, so take() after an edit always tells
// of it. Not thread-safe.
#pragma once

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <unordered_map>

namespace codexmem::app {

/// What has changed since it was last asked.
struct Changes {
  std::set<std::string> files;  // relative to the root
  /// More than files: folders came or went, ignore rules changed, or events were lost.
  bool anything = false;

  bool empty() const { return files.empty() && !anything; }
};

class DirectoryWatch {
 public:
  /// Watches nothing yet.
  explicit DirectoryWatch(std::filesystem::path root);
  ~DirectoryWatch();
  DirectoryWatch(const DirectoryWatch&) = delete;
  DirectoryWatch& operator=(const DirectoryWatch&) = delete;

  /// Watches the entries of `folder` (relative to the root, "" for the root itself) from now on.
  /// True if it was not watched before.
  bool add(const std::string& folder);

  /// Adds the changes since the last call to `changes`; does not wait.
  void take(Changes& changes);

  /// False when the kernel refused a watch (its limit is reached): then changes may go unseen.
  bool complete() const { return complete_; }

 private:
  std::filesystem::path root_;
  int fd_ = -1;
  bool complete_ = true;
  std::unordered_map<int, std::string> folders_;  // by watch descriptor
  std::unordered_map<std::string, int> watched_;  // the inverse
};

}  // namespace codexmem::app
