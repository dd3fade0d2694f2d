// The note is a number in meta: above 0 there are words to be merged, below 0 only the log is left.
// Each removal makes it another one, so what was merged before it does not count for it.
//
// Tested by tests/memory/erasure_test.cpp.
#include "store/user/erasure.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "store/full_text.h"
#include "store/query.h"

namespace codexmem::store {
namespace {

namespace fs = std::filesystem;

constexpr char kWordsAreGoneSql[] =
    "UPDATE meta SET value = -value WHERE key = 'erasure' AND value = ?1";
constexpr char kAllIsGoneSql[] = "DELETE FROM meta WHERE key = 'erasure' AND value = ?1";

Result<std::optional<std::int64_t>> find_note(UserStore& user) {
  CODEXMEM_ASSIGN(UserReader reader, user.reader());
  return reader->find_integer("SELECT value FROM meta WHERE key = 'erasure'");
}

Result<void> settle(UserStore& user, const char* sql, std::int64_t note) {
  CODEXMEM_ASSIGN(UserWriter writer, user.writer());
  return query::execute(*writer, sql, note);
}

// In steps, between which others may write.
Result<void> merge_words(UserStore& user) {
  constexpr int kPages = 500;
  for (int pages = -kPages;; pages = kPages) {
    CODEXMEM_ASSIGN(UserWriter writer, user.writer());
    CODEXMEM_ASSIGN(const bool more, merge_segments_of(*writer, "document_terms", pages));
    if (!more) return {};
  }
}

// Those that migrations left, and what a kill has left of one.
Result<void> remove_backups(const fs::path& directory) {
  std::error_code failed;
  std::vector<fs::path> backups;
  for (fs::directory_iterator entry(directory, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    const bool is_one =
        name.ends_with(".bak") || name.ends_with(".bak.tmp") || name.ends_with(".bak.tmp-journal");
    if (name.starts_with("memory.db.v") && is_one) backups.push_back(entry->path());
  }
  for (const fs::path& backup : backups) {
    if (failed) break;
    fs::remove(backup, failed);
  }
  if (!failed) return {};
  return Error{ErrorCode::kIo, directory.string() + ": " + failed.message()};
}

// True when the log is empty. Tried again and again, since SQLite's own way to wait for those who
// read keeps others from writing meanwhile.
Result<bool> empty_log(UserStore& user, std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds kPause{20};
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (;;) {
    {
      CODEXMEM_ASSIGN(UserWriter writer, user.writer());
      const auto before = writer->busy_timeout();
      writer->set_busy_timeout({});
      const auto is_busy = writer->find_integer("PRAGMA wal_checkpoint(TRUNCATE)");
      writer->set_busy_timeout(before);
      if (!is_busy.ok() && is_busy.error().code() != ErrorCode::kBusy) return is_busy.error();
      if (is_busy.ok() && *is_busy == 0) return true;
    }
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace

Result<void> note_erasure(Database& database) {
  return database.execute(R"sql(
INSERT OR REPLACE INTO meta (key, value)
VALUES ('erasure', (random() & 0x3FFFFFFFFFFFFFFF) + 1))sql");
}

Result<bool> finish_erasure(UserStore& user, std::chrono::milliseconds patience) {
  for (;;) {
    CODEXMEM_ASSIGN(const auto note, find_note(user));
    if (!note) return true;
    if (*note > 0) {
      CODEXMEM_TRY(merge_words(user));
      CODEXMEM_TRY(remove_backups(user.directory()));
    }
    if (*note < 0) {
      CODEXMEM_ASSIGN(const bool is_empty, empty_log(user, patience));
      if (!is_empty) return false;
    }
    CODEXMEM_TRY(settle(user, *note > 0 ? kWordsAreGoneSql : kAllIsGoneSql, *note));
  }
}

Result<bool> is_erased(UserStore& user) {
  CODEXMEM_ASSIGN(const auto note, find_note(user));
  return !note;
}

}  // namespace codexmem::store
