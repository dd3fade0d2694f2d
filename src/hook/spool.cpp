// Tested by hook/spool_test.cpp.
#include "hook/spool.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/now.h"
#include "base/hash.h"
#include "base/random.h"

namespace codexmem::hook {
namespace fs = std::filesystem;
namespace {

Error io_error(const fs::path& path, int number) {
  return Error{ErrorCode::kIo, fmt::format("{}: {}", path.string(), std::strerror(number))};
}

}  // namespace

Spool::Spool(fs::path directory)
    : directory_(std::move(directory)),
      folder_(directory_ / "spool"),
      private_folder_(folder_ / "private") {}

Result<void> Spool::make_folders() const {
  std::error_code ignored;
  if (!fs::exists(folder_, ignored)) (void)make_private_folder(directory_.parent_path());
  CODEXMEM_TRY(make_own_folder(directory_, /*may_be_link=*/true));
  return make_own_folder(folder_);
}

Result<void> Spool::leave(std::string_view text) const {
  CODEXMEM_TRY(make_folders());
  const std::string random = random_hex(8);
  const std::string name = fmt::format("{:020}-{}-{}.json", now_ns(), ::getpid(), random);
  CODEXMEM_TRY(replace_file(folder_ / name, text, Sync::kNo));
  // Counting takes milliseconds when they are many, so one hook of 64 does it.
  if (random.ends_with('0') && random[0] < '4') trim();
  return {};
}

// So a worker that nobody ever starts fills no disk.
void Spool::trim(std::size_t most, std::uintmax_t most_bytes) const {
  struct Waiting {
    std::string name;
    std::uintmax_t bytes;
  };
  std::vector<Waiting> waiting;
  std::error_code failed;
  for (fs::directory_iterator entry(folder_, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    if (entry->path().extension() != ".json") continue;
    std::error_code gone;
    const std::uintmax_t bytes = entry->file_size(gone);
    if (!gone) waiting.push_back({entry->path().filename().string(), bytes});
  }
  std::ranges::sort(waiting, std::ranges::greater(), &Waiting::name);
  std::size_t count = 0;
  std::uintmax_t total = 0;
  for (const Waiting& one : waiting) {
    total += one.bytes;
    if (++count > most || total > most_bytes) ::unlink((folder_ / one.name).c_str());
  }
}

Result<void> Spool::mark_private(std::string_view session, bool is_private) const {
  const fs::path mark = private_folder_ / sha256_hex(session);
  if (!is_private) {
    if (::unlink(mark.c_str()) == 0) {
      ::rmdir(private_folder_.c_str());  // when it was the last
      return {};
    }
    return errno == ENOENT || errno == ENOTDIR ? Result<void>() : io_error(mark, errno);
  }
  for (int attempt = 0;; ++attempt) {
    CODEXMEM_TRY(make_folders());
    CODEXMEM_TRY(make_own_folder(private_folder_));
    const int file = ::open(mark.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file >= 0) {
      ::futimens(file, nullptr);  // the worker removes old ones
      ::close(file);
      return {};
    }
    // Another session's hook has just removed the folder with its last mark.
    if (errno != ENOENT || attempt == 10) return io_error(mark, errno);
  }
}

void Spool::note_silence() const {
  const int file = ::open((folder_ / "silent").c_str(),
                          O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  if (file < 0) return;
  ::futimens(file, nullptr);
  ::close(file);
}

bool Spool::was_silent() const {
  std::error_code none;
  const auto when = fs::last_write_time(folder_ / "silent", none);
  const auto age = fs::file_time_type::clock::now() - when;
  return !none && age >= age.zero() && age < std::chrono::seconds(2);
}

bool Spool::is_private(std::string_view session) const {
  // Most of the time there is no such turn, and then the hash is not worked out.
  if (::access(private_folder_.c_str(), F_OK) != 0) return false;
  return ::access((private_folder_ / sha256_hex(session)).c_str(), F_OK) == 0;
}

}  // namespace codexmem::hook
