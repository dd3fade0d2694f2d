// base/file.h - reading and replacing whole files. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace codexmem {

/// The bytes of the regular file at `path`. Errors: kNotFound; kIo when it cannot be read;
/// kUnsupported when it is no regular file or holds more than `max_bytes` bytes.
Result<std::string> read_file(const std::filesystem::path& path,
                              std::size_t max_bytes = std::size_t{1} << 30);

/// The first bytes of the regular file at `path`, at most `max_bytes`. Errors as read_file().
Result<std::string> read_beginning(const std::filesystem::path& path, std::size_t max_bytes);

/// Whether what is written outlives a power cut; if not, it is quick.
enum class Sync { kYes, kNo };

/// Replaces `path` by a file for its user alone (0600) that holds `bytes`: written beside it,
/// synced, renamed over it, so that a reader or a crash sees the old file or the new one. Errors:
/// kIo, and then `path` is as it was.
Result<void> replace_file(const std::filesystem::path& path, std::string_view bytes,
                          Sync sync = Sync::kYes);

/// replace_file() in parts, for what need not be in memory at once. Belongs to one thread.
class FileReplacement {
 public:
  /// Begins beside `path`, with the access rights `mode` less the umask. Errors: kIo.
  static Result<FileReplacement> begin(const std::filesystem::path& path, unsigned mode = 0600);

  FileReplacement(FileReplacement&& other) noexcept;
  FileReplacement& operator=(FileReplacement&&) = delete;
  /// Leaves `path` as it was, unless commit() came first.
  ~FileReplacement();

  /// Errors: kIo.
  Result<void> write(std::string_view bytes);
  /// The file is at `path`, and on the disk if it is synced. Errors: kIo.
  Result<void> commit(Sync sync = Sync::kYes);

 private:
  FileReplacement(std::filesystem::path path, std::string temporary, int fd)
      : path_(std::move(path)), temporary_(std::move(temporary)), fd_(fd) {}

  std::filesystem::path path_;
  std::string temporary_;
  int fd_;
};

/// Reads a regular file from its beginning to its end. Belongs to one thread.
class FileReader {
 public:
  /// Errors: those of read_file().
  static Result<FileReader> open(const std::filesystem::path& path);

  FileReader(FileReader&& other) noexcept;
  FileReader& operator=(FileReader&&) = delete;
  ~FileReader();

  /// Bytes of the file when it was opened.
  std::uint64_t size() const { return size_; }
  /// Puts the next `count` bytes at `into`. Errors: kIo; kCorrupt when there are fewer.
  Result<void> read(void* into, std::size_t count);

 private:
  FileReader(std::filesystem::path path, int fd, std::uint64_t size)
      : path_(std::move(path)), fd_(fd), size_(size) {}

  std::filesystem::path path_;
  int fd_;
  std::uint64_t size_;
};

/// Makes the folder at `path`, and those above it that are missing, each for its user alone (0700).
/// What is there stays as it is. Errors: kIo.
Result<void> make_private_folder(const std::filesystem::path& path);

/// Makes the folder at `path`, of which the parent is there, for its user alone (0700), or sees
/// that it is a folder of his. A link to one is none unless `may_be_link`. Errors: kInvalidArgument
/// when something else is there; kIo.
Result<void> make_own_folder(const std::filesystem::path& path, bool may_be_link = false);

/// Makes an empty file for its user alone (0600) at `path`, unless there is something. One that is
/// there is not opened: whoever closes a file gives up all locks that his process has on it,
/// SQLite's too. What fails, fails again for whoever opens the file, and is reported there.
void make_private_file(const std::filesystem::path& path);

/// Takes the access of other users from `folder` and from what is directly in it, as far as it is
/// the caller's to change. Links are left alone.
void narrow_access(const std::filesystem::path& folder);

/// Waits until the file's bytes, or the directory's names, are on the disk. Errors: kNotFound, kIo.
Result<void> sync_path(const std::filesystem::path& path);

}  // namespace codexmem
