// index/root_directory.h - reads below one folder and never outside it.
//
// Every path is relative to the root, `/` between names, "" for the root itself. No symbolic link
// is followed on the way, neither by the last name nor by one before it, so a link that is put in
// place while a run is under way cannot lead out. Thread-safe. Design: docs/design/index.md.
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

/// What kind of thing an entry of a folder is.
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

/// One entry of a folder. `stat` is filled for files alone; kind and name for all.
struct DirectoryEntry {
  std::string name;
  FileStat stat;
};

FileStat to_file_stat(const struct stat& info);

/// A folder that is held open, to look at its entries one by one. One thread.
class OpenFolder {
 public:
  /// What the folder itself was when it was opened.
  const FileStat& stat() const { return stat_; }

  /// The entry `name` (no path) as it is now, a link not followed; nothing when there is none.
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
  /// kInvalidArgument when it is no folder.
  static Result<RootDirectory> open(const std::filesystem::path& path);

  RootDirectory(RootDirectory&& other) noexcept;
  RootDirectory& operator=(RootDirectory&& other) noexcept;
  ~RootDirectory();

  /// The absolute path, with links resolved.
  const std::filesystem::path& path() const { return path_; }

  /// The entries of a folder, without "." and "..", in byte order of their names. An entry that
  /// vanishes meanwhile is left out. Errors: kNotFound; kIo (no permission, a link, too long a
  /// path).
  Result<std::vector<DirectoryEntry>> list(const std::string& path) const;

  /// Opens a folder. Errors: as list().
  Result<OpenFolder> open_folder(const std::string& path) const;

  /// What stands at `path`. Errors: kNotFound; kIo.
  Result<FileStat> stat(const std::string& path) const;

  /// Where the link at `path` points, as it is written. Errors: kNotFound; kIo.
  Result<std::string> read_link(const std::string& path) const;

  /// The bytes of the regular file at `path`, and its size and times as they were when it was
  /// opened. Errors: kNotFound; kIo; kUnsupported when it is no regular file or larger than
  /// `max_bytes`.
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
