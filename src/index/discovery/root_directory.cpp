#include "index/discovery/root_directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include "base/file_descriptor.h"
#include "base/path.h"

namespace codexmem::index {
namespace {

Error errno_error(std::string_view path) {
  const int code = errno;
  if (code == ELOOP || code == EXDEV) {
    return {ErrorCode::kIo, fmt::format("{}: a symbolic link is in the way", path)};
  }
  return {code == ENOENT || code == ENOTDIR ? ErrorCode::kNotFound : ErrorCode::kIo,
          fmt::format("{}: {}", path, std::strerror(code))};
}

}  // namespace

FileStat to_file_stat(const struct stat& info) {
  FileStat out;
  if (S_ISREG(info.st_mode)) out.kind = EntryKind::kFile;
  if (S_ISDIR(info.st_mode)) out.kind = EntryKind::kDirectory;
  if (S_ISLNK(info.st_mode)) out.kind = EntryKind::kSymlink;
  out.size = static_cast<std::uint64_t>(info.st_size);
  out.mtime_ns = std::int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec;
  out.change_ns = std::int64_t{info.st_ctim.tv_sec} * 1'000'000'000 + info.st_ctim.tv_nsec;
  out.device = info.st_dev;
  out.inode = info.st_ino;
  return out;
}

namespace {

// openat2(2); -1 with ENOSYS if the kernel or a sandbox does not have it.
int open_beneath(int fd, const char* path, int flags) {
  struct open_how how {};
  how.flags = static_cast<std::uint64_t>(flags);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  return static_cast<int>(::syscall(SYS_openat2, fd, path, &how, sizeof(how)));
}

// The same, one name at a time.
int open_by_names(int fd, std::string_view path, int flags) {
  std::unique_ptr<FileDescriptor> folder;
  for (;;) {
    const int at = folder ? folder->get() : fd;
    const std::size_t slash = path.find('/');
    const std::string name(path.substr(0, slash));
    if (name == "..") {
      errno = EXDEV;
      return -1;
    }
    if (slash == std::string_view::npos) return ::openat(at, name.c_str(), flags | O_NOFOLLOW);
    folder = std::make_unique<FileDescriptor>(
        ::openat(at, name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!folder->valid()) return -1;
    path.remove_prefix(slash + 1);
  }
}

std::atomic<bool> openat2_works{true};

}  // namespace

Result<RootDirectory> RootDirectory::open(const std::filesystem::path& path) {
  std::error_code failed;
  std::filesystem::path real = std::filesystem::canonical(path, failed);
  if (failed) {
    return Error{
        failed == std::errc::no_such_file_or_directory ? ErrorCode::kNotFound : ErrorCode::kIo,
        fmt::format("{}: {}", path.string(), failed.message())};
  }
  const int fd = ::open(real.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0 && errno == ENOTDIR) {
    return Error{ErrorCode::kInvalidArgument, real.string() + ": not a folder"};
  }
  if (fd < 0) return errno_error(real.string());
  return RootDirectory(fd, std::move(real));
}

RootDirectory::RootDirectory(RootDirectory&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), path_(std::move(other.path_)) {}

RootDirectory& RootDirectory::operator=(RootDirectory&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(path_, other.path_);
  return *this;
}

RootDirectory::~RootDirectory() {
  if (fd_ >= 0) ::close(fd_);
}

int RootDirectory::open_below(const std::string& path, int flags) const {
  const std::string& name = path.empty() ? std::string(".") : path;
  if (name.find('\0') != std::string::npos || name.front() == '/') {
    errno = EINVAL;
    return -1;
  }
  flags |= O_CLOEXEC;
  if (openat2_works.load(std::memory_order_relaxed)) {
    for (int attempt = 0; attempt < 8; ++attempt) {
      const int fd = open_beneath(fd_, name.c_str(), flags);
      if (fd >= 0) return fd;
      if (errno == EAGAIN || errno == EINTR) continue;  // the tree changed on the way
      if (errno == ENOSYS || errno == EPERM) break;     // EPERM: refused by a sandbox
      return -1;
    }
    if (errno == ENOSYS) openat2_works.store(false, std::memory_order_relaxed);
  }
  return open_by_names(fd_, name, flags);
}

std::optional<FileStat> OpenFolder::find(const char* name) const {
  struct stat info {};
  if (::fstatat(fd_.get(), name, &info, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
  return to_file_stat(info);
}

Result<std::vector<DirectoryEntry>> OpenFolder::list() {
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::fdopendir(fd_.get()), &::closedir);
  if (!stream) return errno_error(path_);
  const int fd = fd_.release();  // now owned by the stream
  std::vector<DirectoryEntry> entries;
  for (;;) {
    errno = 0;
    const dirent* entry = ::readdir(stream.get());
    if (entry == nullptr) {
      if (errno != 0) return errno_error(path_);
      break;
    }
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    DirectoryEntry out{std::string(name), {}};
    if (entry->d_type == DT_DIR) {
      out.stat.kind = EntryKind::kDirectory;
    } else if (entry->d_type == DT_LNK) {
      out.stat.kind = EntryKind::kSymlink;
    } else if (entry->d_type == DT_REG || entry->d_type == DT_UNKNOWN) {
      struct stat info {};
      if (::fstatat(fd, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
      out.stat = to_file_stat(info);
    }
    entries.push_back(std::move(out));
  }
  std::sort(entries.begin(), entries.end(),
            [](const DirectoryEntry& a, const DirectoryEntry& b) { return a.name < b.name; });
  return entries;
}

Result<OpenFolder> RootDirectory::open_folder(const std::string& path) const {
  FileDescriptor fd(open_below(path, O_RDONLY | O_DIRECTORY));
  struct stat info {};
  if (!fd.valid() || ::fstat(fd.get(), &info) != 0) return errno_error(path);
  return OpenFolder(std::move(fd), to_file_stat(info), path);
}

Result<std::vector<DirectoryEntry>> RootDirectory::list(const std::string& path) const {
  CODEXMEM_ASSIGN(OpenFolder folder, open_folder(path));
  return folder.list();
}

Result<FileStat> RootDirectory::stat(const std::string& path) const {
  const FileDescriptor fd(open_below(path, O_PATH));
  struct stat info {};
  if (fd.valid() && ::fstat(fd.get(), &info) == 0) return to_file_stat(info);
  if (errno != ELOOP) return errno_error(path);
  // The last name may be a link: stat the link itself, in its folder.
  const FileDescriptor parent(open_below(std::string(folder_of(path)), O_PATH | O_DIRECTORY));
  if (!parent.valid()) return errno_error(path);
  const std::string name(file_name(path));
  if (::fstatat(parent.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
    return errno_error(path);
  }
  return to_file_stat(info);
}

Result<std::string> RootDirectory::read_link(const std::string& path) const {
  const FileDescriptor parent(open_below(std::string(folder_of(path)), O_PATH | O_DIRECTORY));
  if (!parent.valid()) return errno_error(path);
  const std::string name(file_name(path));
  std::string target(4096, '\0');
  const ssize_t length = ::readlinkat(parent.get(), name.c_str(), target.data(), target.size());
  if (length < 0) return errno_error(path);
  target.resize(static_cast<std::size_t>(length));
  return target;
}

Result<std::string> RootDirectory::read(const std::string& path, std::uint64_t max_bytes,
                                        FileStat* stat) const {
  // O_NONBLOCK: opening a FIFO must not wait for a writer.
  const FileDescriptor fd(open_below(path, O_RDONLY | O_NONBLOCK | O_NOCTTY));
  if (!fd.valid()) return errno_error(path);
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return errno_error(path);
  if (!S_ISREG(info.st_mode)) return Error{ErrorCode::kUnsupported, path + ": not a regular file"};
  if (stat != nullptr) *stat = to_file_stat(info);
  const auto too_large = [&] {
    return Error{ErrorCode::kUnsupported, fmt::format("{}: larger than {} bytes", path, max_bytes)};
  };
  if (static_cast<std::uint64_t>(info.st_size) > max_bytes) return too_large();
  // One byte more than the size, so that usually the first read is short and ends the file.
  std::string bytes(static_cast<std::size_t>(info.st_size) + 1, '\0');
  std::size_t filled = 0;
  for (;;) {
    const ssize_t got = ::read(fd.get(), bytes.data() + filled, bytes.size() - filled);
    if (got < 0) {
      if (errno == EINTR) continue;
      return errno_error(path);
    }
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
    if (filled > max_bytes) return too_large();
    if (filled == bytes.size()) bytes.resize(bytes.size() * 2);
  }
  bytes.resize(filled);
  return bytes;
}

}  // namespace codexmem::index
