// Tested by store/own_database_test.cpp and index/worktrees_test.cpp.
#include "store/code/database_copy.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <linux/fs.h>
#include <sqlite3.h>
#include <sys/ioctl.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>

#include "base/file.h"
#include "store/sqlite_version.h"
#include "store/thin_file.h"

namespace codexmem::store {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kCopyTimeout{10'000};

sqlite3* open_raw(const fs::path& path, int flags, std::chrono::milliseconds patience, int& code) {
  set_up_sqlite();
  sqlite3* raw = nullptr;
  code = sqlite3_open_v2(path.c_str(), &raw, flags, nullptr);
  if (code == SQLITE_OK) {
    sqlite3_busy_timeout(raw, static_cast<int>(patience.count()));
    // Else the last connection deletes the log, which is sealed.
    sqlite3_db_config(raw, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  }
  return raw;
}

// True on a file system where files can share blocks. Source: linux/magic.h; bcachefs_format.h.
bool can_share_blocks(const fs::path& path) {
  constexpr std::array<std::uint32_t, 3> kSharing = {0x9123683E, 0x58465342, 0xCA451A4E};
  struct statfs about {};
  return ::statfs(path.c_str(), &about) == 0 &&
         std::ranges::count(kSharing, static_cast<std::uint32_t>(about.f_type)) > 0;
}

// In a process of its own: a process that closes a file loses all its locks on it, SQLite's too.
bool clone_file(const fs::path& source, const fs::path& target) {
  const char* const from_path = source.c_str();
  const char* const to_path = target.c_str();
  const pid_t child = ::fork();
  if (child == 0) {
    const int from = ::open(from_path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    const int to = ::open(to_path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    ::_exit(from >= 0 && to >= 0 && ::ioctl(to, FICLONE, from) == 0 ? 0 : 1);
  }
  int status = 1;
  while (child > 0 && ::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return false;
  }
  return child > 0 && status == 0;
}

}  // namespace

void CloseSqlite::operator()(sqlite3* database) const { sqlite3_close(database); }

Result<void> copy_pages(const fs::path& source, const fs::path& target) {
  int code = SQLITE_OK;
  // (Not read-only: the log's index may have to be made.)
  const OpenDatabase from(open_raw(source, SQLITE_OPEN_READWRITE, kCopyTimeout, code));
  OpenDatabase to;
  if (code == SQLITE_OK) {
    make_private_file(target);
    to.reset(open_raw(target, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, kCopyTimeout, code));
  }
  if (code == SQLITE_OK) {
    sqlite3_exec(to.get(), "PRAGMA synchronous=OFF; PRAGMA journal_mode=OFF", nullptr, nullptr,
                 nullptr);
    sqlite3_backup* backup = sqlite3_backup_init(to.get(), "main", from.get(), "main");
    if (backup != nullptr) {
      sqlite3_backup_step(backup, -1);
      sqlite3_backup_finish(backup);
    }
    code = sqlite3_errcode(to.get());
  }
  if (code == SQLITE_OK) return {};
  return Error{code == SQLITE_BUSY || code == SQLITE_LOCKED ? ErrorCode::kBusy : ErrorCode::kIo,
               fmt::format("{} cannot be copied to {}: {}", source.string(), target.string(),
                           sqlite3_errstr(code))};
}

Result<StillDatabase> StillDatabase::open(const fs::path& path,
                                          std::chrono::milliseconds patience) {
  int code = SQLITE_OK;
  StillDatabase opened;
  opened.raw_.reset(open_raw(path, SQLITE_OPEN_READWRITE, patience, code));
  if (code != SQLITE_OK) {
    return Error{
        code == SQLITE_CORRUPT ? ErrorCode::kCorrupt : ErrorCode::kIo,
        fmt::format("{}: {} {}", path.string(), sqlite3_errstr(code), take_thin_problem())};
  }
  const auto run = [&](const char* sql) {
    return sqlite3_exec(opened.raw_.get(), sql, nullptr, nullptr, nullptr) == SQLITE_OK;
  };
  std::error_code failed;
  opened.is_still_ = run("PRAGMA wal_checkpoint(TRUNCATE)") && run("BEGIN IMMEDIATE") &&
                     fs::file_size(path.string() + "-wal", failed) == 0 && !failed;
  return opened;
}

bool share_blocks(const fs::path& source, const fs::path& target) {
  if (!can_share_blocks(source)) return false;
  const auto from = StillDatabase::open(source, kCopyTimeout);
  if (!from.ok() || !from->is_still()) return false;
  const auto thin = find_thin(from->get());
  return thin.ok() && !*thin && clone_file(source, target);
}

}  // namespace codexmem::store
