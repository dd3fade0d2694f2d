// A key that is being made has fewer bytes than a key, or none but zeros after a power cut: then it
// is made under the lock of its own file, so that all who make it at once get the same.
//
// Tested by store/own_database_test.cpp.
#include "store/user_key.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/file_lock.h"
#include "base/log.h"
#include "base/random.h"
#include "config/user_directory.h"

namespace codexmem::store {
namespace {

namespace fs = std::filesystem;

constexpr char kKeyName[] = "store.key";
constexpr std::size_t kUserKeyBytes = 32;

struct Folders {
  std::vector<fs::path> lasting;  // to make a key in, best first
  fs::path shared;                // of these, the one that programs of any environment know
  fs::path passing;               // may be emptied at any time
};

Folders list_folders() {
  Folders folders;
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  if (state != nullptr && *state == '/') {
    folders.lasting.push_back(fs::path(state) / "codexmem");
  }
  if (home != nullptr && *home == '/') {
    folders.shared = fs::path(home) / ".local/state/codexmem";
    folders.lasting.push_back(folders.shared);
  }
  if (const fs::path data = user_directory(); data.is_absolute()) folders.lasting.push_back(data);
  std::error_code ignored;
  folders.passing = fs::temp_directory_path(ignored) / fmt::format("codexmem-{}", ::geteuid());
  return folders;
}

// The owner of `path` or, if it is not there, of the folder that it would be made in.
uid_t owner_of(fs::path path) {
  struct stat info {};
  while (::lstat(path.c_str(), &info) != 0 && path.has_relative_path()) path = path.parent_path();
  return info.st_uid;
}

}  // namespace

Result<void> make_own_folder(const fs::path& path, std::string_view variable) {
  if (const auto made = codexmem::make_own_folder(path); !made.ok()) {
    const ErrorCode code = made.error().code();
    return Error{code, fmt::format("{}: {}set {} to another folder", made.error().message(),
                                   code == ErrorCode::kIo ? "" : "remove it, or ", variable)};
  }
  struct stat info {};
  if (::lstat(path.c_str(), &info) == 0 && (info.st_mode & 077) != 0) ::chmod(path.c_str(), 0700);
  return {};
}

UserKey::UserKey(UserKey&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), bytes_(std::move(other.bytes_)) {}

UserKey::~UserKey() {
  if (fd_ >= 0) ::close(fd_);
}

// Waits a little at most: a stopped process must not stop the others. Without the lock the worst is
// that an index is made twice.
void UserKey::lock() { (void)lock_open_file(fd_, std::chrono::seconds(2)); }

bool UserKey::read() {
  bytes_.resize(kUserKeyBytes + 1);
  const ssize_t got = ::pread(fd_, bytes_.data(), bytes_.size(), 0);
  bytes_.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return bytes_.size() == kUserKeyBytes && bytes_.find_first_not_of('\0') != std::string::npos;
}

Result<UserKey> UserKey::find_in(const fs::path& folder) {
  const fs::path path = folder / kKeyName;
  // NFS locks only files open for writing.
  constexpr int kFlags = O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
  int fd = ::open(path.c_str(), O_RDWR | kFlags);
  if (fd < 0) fd = ::open(path.c_str(), O_RDONLY | kFlags);
  UserKey key(fd);
  struct stat info {};
  // Under sudo with the caller's HOME, his key is root's too.
  const bool is_mine = owner_of(folder) == ::geteuid() || ::geteuid() == 0;
  if (key.fd_ < 0 || ::fstat(key.fd_, &info) != 0 || !S_ISREG(info.st_mode) || !is_mine ||
      info.st_uid != owner_of(folder) || !key.read()) {
    return Error{ErrorCode::kNotFound, path.string() + " holds no key of yours"};
  }
  if ((info.st_mode & 077) != 0) ::fchmod(key.fd_, 0600);
  return key;
}

Result<UserKey> UserKey::make_in(const fs::path& folder) {
  (void)make_private_folder(folder.parent_path());  // what failed is said below
  CODEXMEM_TRY(make_own_folder(folder, "XDG_STATE_HOME"));
  const fs::path path = folder / kKeyName;
  UserKey key(::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600));
  struct stat info {};
  if (key.fd_ < 0 || ::fstat(key.fd_, &info) != 0 || !S_ISREG(info.st_mode)) {
    return Error{ErrorCode::kIo, fmt::format("{}: {}", path.string(), std::strerror(errno))};
  }
  key.lock();
  if (!key.read()) {
    key.bytes_.resize(kUserKeyBytes);
    fill_random(std::as_writable_bytes(std::span(key.bytes_)));
    const bool is_made =
        ::ftruncate(key.fd_, 0) == 0 &&
        ::pwrite(key.fd_, key.bytes_.data(), kUserKeyBytes, 0) == ssize_t{kUserKeyBytes} &&
        ::fsync(key.fd_) == 0;
    if (!is_made) {
      return Error{ErrorCode::kIo, fmt::format("{}: {}", path.string(), std::strerror(errno))};
    }
    CODEXMEM_TRY(sync_path(folder));
  }
  ::flock(key.fd_, LOCK_UN);
  return key;
}

Result<UserKey> UserKey::find() {
  const Folders folders = list_folders();
  // First where an editor looks that knows nothing of a shell's XDG_STATE_HOME.
  if (!folders.shared.empty()) {
    if (auto key = find_in(folders.shared); key.ok()) return key;
  }
  for (const fs::path& folder : folders.lasting) {
    if (auto key = find_in(folder); key.ok()) return key;
  }
  // Anybody may make a folder of this name.
  if (owner_of(folders.passing) == ::geteuid()) return find_in(folders.passing);
  return Error{ErrorCode::kNotFound, "there is no key yet"};
}

Result<UserKey> UserKey::get() {
  if (auto key = find(); key.ok()) return key;
  const Folders folders = list_folders();
  std::string why;
  for (const fs::path& folder : folders.lasting) {
    // Root makes no folders in the home of somebody else, who could not read them.
    auto key = ::geteuid() == 0 && owner_of(folder) != 0
                   ? Error{ErrorCode::kIo, folder.string() + " would not be in a folder of root's"}
                   : make_in(folder);
    if (key.ok()) return key;
    why += (why.empty() ? "" : "; ") + key.error().message();
  }
  auto key = make_in(folders.passing);
  if (key.ok()) {
    log_warn(
        "the key that marks your indexes is in {}: when that is emptied, they are rebuilt ({})",
        folders.passing.string(), why);
    return key;
  }
  return Error{ErrorCode::kIo,
               fmt::format("the key that marks your indexes has no place ({}; {}): set "
                           "XDG_STATE_HOME to a folder of yours",
                           why, key.error().message())};
}

}  // namespace codexmem::store
