#include "base/file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/file_descriptor.h"
#include "base/random.h"

namespace codexmem {
namespace {

Error errno_error(const std::filesystem::path& path, const char* what) {
  const int code = errno;
  return {code == ENOENT || code == ENOTDIR ? ErrorCode::kNotFound : ErrorCode::kIo,
          fmt::format("{}: {}: {}", path.string(), what, std::strerror(code))};
}

Result<std::string> read_up_to(const std::filesystem::path& path, std::size_t max_bytes) {
  // O_NONBLOCK: opening a FIFO must not wait for a writer.
  const FileDescriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) return errno_error(path, "cannot open");
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return errno_error(path, "cannot stat");
  if (!S_ISREG(info.st_mode)) {
    return Error{ErrorCode::kUnsupported, path.string() + ": not a regular file"};
  }
  std::string bytes;
  // One byte more than the size, so that the usual file ends with the first read that is short.
  std::size_t capacity = static_cast<std::size_t>(info.st_size) + 1;
  for (;;) {
    capacity = std::min(capacity, max_bytes);
    const std::size_t filled = bytes.size();
    bytes.resize(capacity);
    const ssize_t got = ::read(fd.get(), bytes.data() + filled, capacity - filled);
    if (got < 0) {
      bytes.resize(filled);
      if (errno == EINTR) continue;
      return errno_error(path, "cannot read");
    }
    bytes.resize(filled + static_cast<std::size_t>(got));
    if (got == 0 || bytes.size() == max_bytes) return bytes;
    if (bytes.size() == capacity) capacity *= 2;
  }
}

}  // namespace

Result<std::string> read_file(const std::filesystem::path& path, std::size_t max_bytes) {
  CODEXMEM_ASSIGN(std::string bytes, read_up_to(path, max_bytes + 1));
  if (bytes.size() <= max_bytes) return bytes;
  return Error{ErrorCode::kUnsupported,
               fmt::format("{}: larger than {} bytes", path.string(), max_bytes)};
}

Result<std::string> read_beginning(const std::filesystem::path& path, std::size_t max_bytes) {
  return read_up_to(path, max_bytes);
}

// The temporary name cannot be guessed: other users may be able to write to the folder, and could
// place a link there.
Result<FileReplacement> FileReplacement::begin(const std::filesystem::path& path, unsigned mode) {
  std::string temporary = fmt::format("{}.{}.tmp", path.string(), random_hex(16));
  const int fd =
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  if (fd < 0) return errno_error(path, "cannot be written");
  return FileReplacement(path, std::move(temporary), fd);
}

FileReplacement::FileReplacement(FileReplacement&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      fd_(std::exchange(other.fd_, -1)) {}

FileReplacement::~FileReplacement() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Result<void> FileReplacement::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(fd_, bytes.data(), bytes.size());
    if (wrote < 0) {
      if (errno == EINTR) continue;
      return errno_error(path_, "cannot be written");
    }
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return {};
}

Result<void> FileReplacement::commit(Sync sync) {
  if (sync == Sync::kYes && ::fsync(fd_) != 0) return errno_error(path_, "cannot be written");
  ::close(std::exchange(fd_, -1));
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) return errno_error(path_, "cannot replace");
  temporary_.clear();
  return sync == Sync::kYes ? sync_path(path_.parent_path()) : Result<void>();
}

Result<void> replace_file(const std::filesystem::path& path, std::string_view bytes, Sync sync) {
  CODEXMEM_ASSIGN(FileReplacement file, FileReplacement::begin(path));
  CODEXMEM_TRY(file.write(bytes));
  return file.commit(sync);
}

Result<FileReader> FileReader::open(const std::filesystem::path& path) {
  // O_NONBLOCK: opening a FIFO must not wait for a writer.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return errno_error(path, "cannot open");
  FileReader reader(path, fd, 0);
  struct stat info {};
  if (::fstat(fd, &info) != 0) return errno_error(path, "cannot stat");
  if (!S_ISREG(info.st_mode)) {
    return Error{ErrorCode::kUnsupported, path.string() + ": not a regular file"};
  }
  reader.size_ = static_cast<std::uint64_t>(info.st_size);
  return reader;
}

FileReader::FileReader(FileReader&& other) noexcept
    : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)), size_(other.size_) {}

FileReader::~FileReader() {
  if (fd_ >= 0) ::close(fd_);
}

Result<void> FileReader::read(void* into, std::size_t count) {
  auto* bytes = static_cast<char*>(into);
  while (count != 0) {
    const ssize_t got = ::read(fd_, bytes, count);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno_error(path_, "cannot read");
    if (got == 0) return Error{ErrorCode::kCorrupt, path_.string() + ": ends too early"};
    bytes += got;
    count -= static_cast<std::size_t>(got);
  }
  return {};
}

Result<void> make_private_folder(const std::filesystem::path& path) {
  if (::mkdir(path.c_str(), 0700) == 0) return {};
  if (errno == ENOENT && path.has_relative_path()) {
    CODEXMEM_TRY(make_private_folder(path.parent_path()));
    if (::mkdir(path.c_str(), 0700) == 0) return {};
  }
  const int why = errno;
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) return {};
  return Error{ErrorCode::kIo,
               fmt::format("cannot create {}: {}", path.string(), std::strerror(why))};
}

Result<void> make_own_folder(const std::filesystem::path& path, bool may_be_link) {
  struct stat info {};
  if (::mkdir(path.c_str(), 0700) == 0) return {};
  if (errno != EEXIST ||
      ::fstatat(AT_FDCWD, path.c_str(), &info, may_be_link ? 0 : AT_SYMLINK_NOFOLLOW) != 0) {
    return Error{ErrorCode::kIo,
                 fmt::format("cannot create {}: {}", path.string(), std::strerror(errno))};
  }
  if (S_ISDIR(info.st_mode) && info.st_uid == ::geteuid()) return {};
  return invalid_argument(path.string() + " is not a folder of yours");
}

void make_private_file(const std::filesystem::path& path) {
  const FileDescriptor made(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
}

void narrow_access(const std::filesystem::path& folder) {
  constexpr mode_t kOthers = 077;
  const auto narrow = [](const std::filesystem::path& path) {
    struct stat info {};
    if (::lstat(path.c_str(), &info) != 0 || (info.st_mode & kOthers) == 0) return;
    if (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode)) {
      ::chmod(path.c_str(), info.st_mode & 07777 & ~kOthers);
    }
  };
  narrow(folder);
  std::error_code failed;
  for (std::filesystem::directory_iterator entry(folder, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    narrow(entry->path());
  }
}

Result<void> sync_path(const std::filesystem::path& path) {
  const FileDescriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return errno_error(path, "cannot open");
  // Some file systems cannot sync directories (EINVAL).
  if (::fsync(fd.get()) != 0 && errno != EINVAL) return errno_error(path, "cannot sync");
  return {};
}

}  // namespace codexmem
