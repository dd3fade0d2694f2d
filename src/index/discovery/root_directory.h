// index/discovery/root_directory.h - reads files below a folder and never outside it.
//
// Every path is relative to the root, with `/` between names; "" is the root itself. Symbolic links
// in a path are never followed, so a link created during a run cannot lead out. Thread-safe.
// Design: docs/how-it-works.md, "Index".
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/file_descriptor.h"
#include "base/result.h"

struct stat;

namespace codexmem::index {

/// The kind of an entry of a folder.
enum class EntryKind : std::uint8_t { kFile, kDirectory, kSymlink, kOther };

/// Size and times of an entry.
struct FileStat {
  EntryKind kind = EntryKind::kOther;
  std::uint64_t size = 0;      // bytes
  std::int64_t mtime_ns = 0;   // nanoseconds since 1970, UTC
  std::int64_t change_ns = 0;  // likewise, of the inode's last change
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
};

/// An entry of a folder. kind and name are always set, `stat` only for files.
struct DirectoryEntry {
  std::string name;
  FileStat stat;
};

FileStat to_file_stat(const struct stat& info);

/// An open folder whose entries can be read one by one. One thread.
class OpenFolder {
 public:
  /// The folder's own stat when it was opened.
  const FileStat& stat() const { return stat_; }

  /// The current stat of the entry `name` (not a path), without following a link; nothing if
  /// missing.
  std::optional<FileStat> find(const char* name) const;

  /// As RootDirectory::list(). At most once.
  Result<std::vector<DirectoryEntry>> list();

 private:
  friend class RootDirectory;
  OpenFolder(FileDescriptor fd, FileStat stat, std::string path)
      : fd_(std::move(fd)), stat_(stat), path_(std::move(path)) {}

  FileDescriptor fd_;
  FileStat stat_;
  std::string path_;
};

class RootDirectory {
 public:
  /// Opens the folder `path` (links in `path` itself are followed). Errors: kNotFound; kIo;
  /// kInvalidArgument when it is not a folder.
  static Result<RootDirectory> open(const std::filesystem::path& path);

  RootDirectory(RootDirectory&& other) noexcept;
  RootDirectory& operator=(RootDirectory&& other) noexcept;
  ~RootDirectory();

  /// The absolute path, with links resolved.
  const std::filesystem::path& path() const { return path_; }

  /// The entries of a folder, without "." and "..", in byte order of their names. Entries that
  /// vanish meanwhile are left out. Errors: kNotFound; kIo (no permission, a link, too long a
  /// path).
  Result<std::vector<DirectoryEntry>> list(const std::string& path) const;

  /// Opens a folder. Errors: as list().
  Result<OpenFolder> open_folder(const std::string& path) const;

  /// The stat of `path`. Errors: kNotFound; kIo.
  Result<FileStat> stat(const std::string& path) const;

  /// The target of the link at `path`, as written. Errors: kNotFound; kIo.
  Result<std::string> read_link(const std::string& path) const;

  /// The bytes of the regular file at `path`, and its size and times when it was opened. Errors:
  /// kNotFound; kIo; kUnsupported when it is not a regular file or is larger than `max_bytes`.
  Result<std::string> read(const std::string& path, std::uint64_t max_bytes,
                           FileStat* stat = nullptr) const;

 private:
  RootDirectory(int fd, std::filesystem::path path) : fd_(fd), path_(std::move(path)) {}
  // A descriptor of `path`, -1 with errno set if it cannot be opened.
  int open_below(const std::string& path, int flags) const;

  int fd_ = -1;
  std::filesystem::path path_;
};

}  // namespace codexmem::index
