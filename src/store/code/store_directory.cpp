// The folder in the repository is preferred as long as it can be written and is the user's own: an
// index that another user left, in /tmp say, would answer for him. Root's may be trusted, he can do
// what he likes anyway; so may, under sudo, the folder of the user who called.
//
// What a checkout or a copy has put in the place of the user's own database is not believed
// (store/code/own_database.h).
//
// A store in the cache is found by the root's path alone, so every command comes to the same one.
//
// Tested by store/workspace_test.cpp and tests/hostile.
#include "store/code/store_directory.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>

#include "base/file.h"
#include "base/hash.h"
#include "base/owner.h"
#include "store/file_identity.h"
#include "store/code/own_database.h"
#include "store/code/seal.h"
#include "store/user_key.h"

namespace codexmem::store {
namespace {

namespace fs = std::filesystem;

constexpr char kCacheVariable[] = "XDG_CACHE_HOME";

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// Why `path` cannot be written, empty if it can or is not there.
std::string why_not_writable(const fs::path& path) {
  if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0 || errno == ENOENT) return "";
  return fmt::format("{} cannot be written: {}", path.string(), std::strerror(errno));
}

// Why the index cannot be kept in the tree, empty if it can. A link, or a file in the place of the
// folder, is refused by Workspace::open() rather than passed by.
std::string why_not_in_tree(const fs::path& root) {
  const fs::path directory = root / kDirectoryName;
  struct stat info {};
  if (::lstat(directory.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) {
    return why_not_writable(root);
  }
  for (const char* name : {"", kIndexName, "index.db-wal", "index.db-shm", "lock"}) {
    const fs::path path = *name == '\0' ? directory : directory / name;
    if (::lstat(path.c_str(), &info) == 0 && !is_trusted(info.st_uid)) {
      return fmt::format("{} belongs to another user", path.string());
    }
    if (std::string why = why_not_writable(path); !why.empty()) return why;
  }
  const fs::path database = directory / kIndexName;
  if (::lstat(database.c_str(), &info) != 0 || is_own_file(database)) return "";
  // One that is not the user's own is set aside by the next run (Workspace::damage()). Where that
  // has been done within a week, or it belongs to another user, two programs with different keys
  // may be at work, which must not set aside each other's for ever.
  if (info.st_uid != ::geteuid() || has_recent_foreign_aside(database)) {
    return fmt::format(
        "{} was not made there by your codexmem (or by yours with another HOME: sudo, a container) "
        "and stays until `rm -r '{}'`",
        database.string(), directory.string());
  }
  return "";
}

// The user's folder for what can be made again; empty without one.
fs::path cache_directory() {
  fs::path cache = environment(kCacheVariable);
  if (!cache.is_absolute()) {  // the base directory specification: then it is ignored
    const fs::path home = environment("HOME");
    if (!home.is_absolute()) return {};
    cache = home / ".cache";
  }
  return cache / "codexmem";
}

// The hash makes the name; the words before it are for people.
std::string name_in_cache(const fs::path& root) {
  std::string name = root.filename().string().substr(0, 64);
  for (char& c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!plain && c != '-' && c != '_') c = '_';
  }
  return fmt::format("{}-{}", name, sha256_hex(root.string()).substr(0, 16));
}

}  // namespace

StoreDirectory locate_store(const fs::path& root) {
  StoreDirectory found{root / kDirectoryName, why_not_in_tree(root)};
  if (found.why_in_cache.empty()) return found;
  const fs::path cache = cache_directory();
  found.path = cache.empty() ? cache : cache / name_in_cache(root);
  return found;
}

Result<void> make_store_directory(const StoreDirectory& directory) {
  if (directory.why_in_cache.empty()) {
    // The root alone is not made: it may just have been deleted.
    if (::mkdir(directory.path.c_str(), 0700) != 0) {
      const int why = errno;
      std::error_code failed;
      if (!fs::is_directory(directory.path, failed)) {
        return Error{ErrorCode::kIo, fmt::format("cannot create {}: {}", directory.path.string(),
                                                 std::strerror(why))};
      }
    }
    narrow_access(directory.path);
    return {};
  }
  if (directory.path.empty()) {
    return Error{ErrorCode::kIo,
                 directory.why_in_cache +
                     ", and there is no cache for its index: set XDG_CACHE_HOME to a folder"};
  }
  const fs::path all = directory.path.parent_path();
  (void)make_private_folder(all.parent_path());  // what failed is said below
  CODEXMEM_TRY(make_own_folder(all, kCacheVariable));
  CODEXMEM_TRY(make_own_folder(directory.path, kCacheVariable));
  narrow_access(directory.path);
  return {};
}

bool has_index(const fs::path& root) {
  const fs::path directory = locate_store(root).path;
  return !directory.empty() && is_own_file(directory / kIndexName);
}

bool has_foreign_index(const fs::path& root) {
  const fs::path directory = locate_store(root).path;
  return !directory.empty() && find_identity(directory / kIndexName).has_value() &&
         !is_own_file(directory / kIndexName);
}

bool is_in_cache(const fs::path& folder) {
  const fs::path cache = cache_directory();
  return !cache.empty() && folder.parent_path() == cache;
}

}  // namespace codexmem::store
