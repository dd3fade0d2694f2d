// Tested by hook/refusals_test.cpp.
#include "hook/refusals.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace codexmem::hook {
namespace fs = std::filesystem;
namespace {

constexpr std::array<std::pair<Refusal, std::string_view>, 6> kNames = {{
    {Refusal::kNoJson, "no_json"},
    {Refusal::kNoSession, "no_session"},
    {Refusal::kTooLarge, "too_large"},
    {Refusal::kTooSlow, "too_slow"},
    {Refusal::kUnknownEvent, "unknown_event"},
    {Refusal::kWorkerRefused, "worker_refused"},
}};

constexpr off_t kMost = 1'000'000;

}  // namespace

std::string_view refusal_name(Refusal refusal) {
  for (const auto& [known, name] : kNames) {
    if (known == refusal) return name;
  }
  return "";
}

RefusalCount::RefusalCount(const fs::path& directory, Refusal refusal)
    : spool_((directory / "spool").string()),
      folder_(spool_ + "/refused"),
      file_(folder_ + "/" + std::string(refusal_name(refusal))) {}

void RefusalCount::add() const noexcept {
  ::mkdir(spool_.c_str(), 0700);
  ::mkdir(folder_.c_str(), 0700);
  const int file =
      ::open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return;
  struct stat info {};
  if (::fstat(file, &info) == 0 && info.st_size < kMost) {
    [[maybe_unused]] const ssize_t written = ::write(file, ".", 1);
  }
  ::close(file);
}

std::vector<Refused> list_refusals(const fs::path& directory) {
  std::vector<Refused> refused;
  for (const auto& [refusal, name] : kNames) {
    struct stat info {};
    const fs::path path = directory / "spool" / "refused" / name;
    if (::lstat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0) continue;
    refused.push_back({.name = std::string(name),
                       .count = static_cast<std::uint64_t>(info.st_size),
                       .last_at_ms = std::int64_t{info.st_mtim.tv_sec} * 1000 +
                                     info.st_mtim.tv_nsec / 1'000'000});
  }
  return refused;
}

}  // namespace codexmem::hook
