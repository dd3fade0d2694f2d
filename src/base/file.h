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
/// kUnsupported when it is not a regular file or is larger than `max_bytes`.
Result<std::string> read_file(const std::filesystem::path& path,
                              std::size_t max_bytes = std::size_t{1} << 30);

/// The first bytes of the regular file at `path`, at most `max_bytes`. Errors as read_file().
Result<std::string> read_beginning(const std::filesystem::path& path, std::size_t max_bytes);

/// Whether written data survives a power cut. kNo is faster.
enum class Sync { kYes, kNo };

/// Replaces the file at `path` with one that contains `bytes` and that only its user can access
/// (0600). It is written to the same folder, synced, and renamed, so a reader or a crash sees
/// either the old file or the new one. Errors: kIo; `path` is then unchanged.
Result<void> replace_file(const std::filesystem::path& path, std::string_view bytes,
                          Sync sync = Sync::kYes);

/// replace_file() in parts, for data that need not be in memory at once. Belongs to one thread.
class FileReplacement {
 public:
  /// Creates the temporary file in the folder of `path`, with access rights `mode` less the umask.
  /// Errors: kIo.
  static Result<FileReplacement> begin(const std::filesystem::path& path, unsigned mode = 0600);

  FileReplacement(FileReplacement&& other) noexcept;
  FileReplacement& operator=(FileReplacement&&) = delete;
  /// Leaves `path` unchanged unless commit() was called.
  ~FileReplacement();

  /// Errors: kIo.
  Result<void> write(std::string_view bytes);
  /// Puts the file at `path`, and on the disk if `sync` says so. Errors: kIo.
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
  /// Errors: as read_file().
  static Result<FileReader> open(const std::filesystem::path& path);

  FileReader(FileReader&& other) noexcept;
  FileReader& operator=(FileReader&&) = delete;
  ~FileReader();

  /// Size in bytes when the file was opened.
  std::uint64_t size() const { return size_; }
  /// Reads the next `count` bytes to `into`. Errors: kIo; kCorrupt when fewer are left.
  Result<void> read(void* into, std::size_t count);

 private:
  FileReader(std::filesystem::path path, int fd, std::uint64_t size)
      : path_(std::move(path)), fd_(fd), size_(size) {}

  std::filesystem::path path_;
  int fd_;
  std::uint64_t size_;
};

/// Creates the folder at `path` and its missing parents, each accessible only to its user (0700).
/// Existing folders are left unchanged. Errors: kIo.
Result<void> make_private_folder(const std::filesystem::path& path);

/// Creates the folder at `path`, in an existing parent, accessible only to its user (0700), or
/// checks that it is a folder of this user. A link to a folder is accepted only with `may_be_link`.
/// Errors: kInvalidArgument when something else exists there; kIo.
Result<void> make_own_folder(const std::filesystem::path& path, bool may_be_link = false);

/// Creates an empty file at `path` that only its user can access (0600), unless something exists
/// there. An existing file is not opened: closing a file gives up all locks of the process on it,
/// SQLite's included. Errors are not reported here: they show when the file is opened.
void make_private_file(const std::filesystem::path& path);

/// Removes other users' access to `folder` and to its direct entries, as far as the caller may
/// change them. Links are left alone.
void narrow_access(const std::filesystem::path& folder);

/// Waits until the file's bytes, or the directory's names, are on disk. Errors: kNotFound, kIo.
Result<void> sync_path(const std::filesystem::path& path);

}  // namespace codexmem
