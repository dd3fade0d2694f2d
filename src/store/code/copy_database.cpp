// Tested by index/change_check_test.cpp: every state of files is such a copy.
#include "store/code/copy_database.h"

#include <fmt/core.h>
#include <sqlite3.h>

#include <memory>

#include "base/file.h"
#include "store/code/own_database.h"
#include "store/code/seal.h"

namespace codexmem::store {
namespace {

struct Close {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
};
using Handle = std::unique_ptr<sqlite3, Close>;

constexpr int kBusyTimeoutMs = 10'000;

Handle open(const std::filesystem::path& path, int flags, int& code) {
  sqlite3* raw = nullptr;
  code = sqlite3_open_v2(path.c_str(), &raw, flags, nullptr);
  if (code == SQLITE_OK) sqlite3_busy_timeout(raw, kBusyTimeoutMs);
  return Handle(raw);
}

Result<void> copy_pages(const std::filesystem::path& source, const std::filesystem::path& target) {
  int code = SQLITE_OK;
  // (Not read-only: the log's index may have to be made.)
  const Handle from = open(source, SQLITE_OPEN_READWRITE, code);
  Handle to;
  if (code == SQLITE_OK) {
    make_private_file(target);
    to = open(target, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, code);
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

}  // namespace

Result<void> copy_database(const std::filesystem::path& source,
                           const std::filesystem::path& target) {
  if (!is_own_file(source)) {
    return Error{ErrorCode::kCorrupt, source.string() + " is not what your codexmem made there"};
  }
  CODEXMEM_TRY(copy_pages(source, target));
  return adopt(target, workspace_kind());
}

}  // namespace codexmem::store
