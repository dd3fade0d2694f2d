// Tested by observe/spool_drain_test.cpp.
#include "observe/intake/spool_drain.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "text/parse_json.h"
#include "text/json_text.h"
#include "base/log.h"
#include "observe/models/memory_use.h"

namespace codexmem::observe {
namespace fs = std::filesystem;
namespace {

// A batch is one transaction: so many events, or bytes of them.
constexpr std::size_t kBatchFiles = 64;
constexpr std::size_t kBatchBytes = std::size_t{4} << 20;
constexpr std::size_t kMaxFileBytes = std::size_t{32} << 20;
constexpr std::chrono::hours kKeepBad{7 * 24};
constexpr std::chrono::hours kKeepHalfWritten{1};
constexpr std::chrono::hours kKeepMarks{30 * 24};
constexpr std::chrono::hours kSweepEvery{24};

Result<IntakeRequest> read_event(const std::string& text) {
  // The event's body is one level deeper than when it is posted.
  const Json event = Json::parse(
      is_too_deep(text, kMaxJsonDepth + 1) ? flatten_json(text, kMaxJsonDepth + 1) : text, nullptr,
      false);
  const std::string path = text_member(event, "path");
  const Json* body = find_member(event, "body");
  if (path.empty() || body == nullptr) return invalid_argument("it is not an event");
  return read_intake(path, dump_json(*body));
}

// What the event itself is to blame for; anything else may pass.
bool is_bad(const Error& error) {
  switch (error.code()) {
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kNotFound:
    case ErrorCode::kUnsupported:
    case ErrorCode::kBlocked:
      return true;
    default:
      return false;
  }
}

void remove_older(const fs::path& folder, std::chrono::hours age,
                  const std::function<bool(const std::string&)>& is_meant) {
  std::error_code failed;
  const auto limit = fs::file_time_type::clock::now() - age;
  std::vector<fs::path> old;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    std::error_code unreadable;
    if (!entry->is_regular_file(unreadable) || unreadable) continue;
    const auto written = entry->last_write_time(unreadable);
    if (!unreadable && written < limit && is_meant(entry->path().filename().string())) {
      old.push_back(entry->path());
    }
  }
  for (const fs::path& path : old) ::unlink(path.c_str());
}

// Reports files that come into a folder, and the folder's end.
class FolderWatch {
 public:
  explicit FolderWatch(const fs::path& folder)
      : folder_(folder), notify_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {}
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;
  ~FolderWatch() {
    if (notify_ >= 0) ::close(notify_);
  }

  int descriptor() const { return notify_; }

  // Watches the folder that is there now, unless it does already. Errors: kIo.
  Result<void> begin() {
    if (watched_ >= 0) return {};
    watched_ = ::inotify_add_watch(notify_, folder_.c_str(),
                                   IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR);
    if (watched_ >= 0) return {};
    return Error{ErrorCode::kIo, folder_.string() + " is not watched: " + std::strerror(errno)};
  }

  // Takes the events.
  void read() {
    alignas(inotify_event) std::array<char, 16384> events;
    while (notify_ >= 0) {
      const ssize_t size = ::read(notify_, events.data(), events.size());
      if (size <= 0) return;
      for (ssize_t at = 0; at < size;) {
        inotify_event event{};
        std::memcpy(&event, events.data() + at, sizeof event);
        at += static_cast<ssize_t>(sizeof event + event.len);
        if (event.wd != watched_) continue;
        if ((event.mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED)) == 0) continue;
        ::inotify_rm_watch(notify_, watched_);
        watched_ = -1;
      }
    }
  }

 private:
  const fs::path& folder_;
  int notify_;
  int watched_ = -1;
};

}  // namespace

SpoolDrain::SpoolDrain(const fs::path& directory, Take take)
    : folder_(directory / "spool"), take_(std::move(take)) {
  make_folder();
  sweep();
}

SpoolDrain::~SpoolDrain() {
  stop();
  if (wake_ >= 0) ::close(wake_);
}

void SpoolDrain::stop() {
  if (!watcher_.joinable()) return;
  watcher_.request_stop();
  ::eventfd_write(wake_, 1);
  watcher_.join();
}

std::vector<std::string> SpoolDrain::names() const {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator entry(folder_, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    std::string name = entry->path().filename().string();
    if (name.front() != '.' && name.ends_with(".json")) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<void> SpoolDrain::drain() {
  const std::lock_guard lock(mutex_);
  // A folder that is read while files come may show the later of two and not the earlier. What is
  // before a file that was seen is there when the folder is read once more; what is behind them all
  // is for the next time.
  const std::vector<std::string> seen = names();
  if (seen.empty()) return {};
  std::vector<std::string> waiting = names();
  waiting.erase(std::upper_bound(waiting.begin(), waiting.end(), seen.back()), waiting.end());
  while (!waiting.empty()) {
    std::size_t taken = 0;
    CODEXMEM_TRY(take_batch(waiting, &taken));
    waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(taken));
  }
  return {};
}

// Takes the first of `names`; `taken` of them are gone afterwards.
Result<void> SpoolDrain::take_batch(const std::vector<std::string>& names, std::size_t* taken) {
  MemoryUse memory;
  std::vector<IntakeRequest> requests;
  std::vector<std::string> files;
  std::size_t bytes = 0;
  for (*taken = 0; *taken < names.size() && files.size() < kBatchFiles && bytes < kBatchBytes;
       ++*taken) {
    const std::string& name = names[*taken];
    const auto text = read_file(folder_ / name, kMaxFileBytes);
    if (!text.ok()) {
      // Gone with another worker's end, or not to be read now: it is looked at again.
      const ErrorCode code = text.error().code();
      if (code != ErrorCode::kNotFound && code != ErrorCode::kIo) put_aside(name, text.error());
      continue;
    }
    auto request = read_event(*text);
    if (!request.ok()) {
      put_aside(name, request.error());
      continue;
    }
    bytes += text->size();
    memory.add(text->size());
    requests.push_back(*std::move(request));
    files.push_back(name);
  }
  if (requests.empty()) return {};
  const auto all = take_(requests);
  if (!all.ok() && !is_bad(all.error())) return all.error();
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!all.ok()) {  // one of them is bad: which?
      const auto one = take_({std::move(requests[i])});
      if (!one.ok() && !is_bad(one.error())) return one.error();
      if (!one.ok()) {
        put_aside(files[i], one.error());
        continue;
      }
    }
    if (::unlink((folder_ / files[i]).c_str()) != 0 && errno != ENOENT) {
      return Error{ErrorCode::kIo, (folder_ / files[i]).string() + ": " + std::strerror(errno)};
    }
  }
  return {};
}

void SpoolDrain::put_aside(const std::string& name, const Error& why) {
  const fs::path bad = folder_ / "bad";
  log_warn("{} is put aside in {}: {}", name, bad.string(), why.message());
  (void)make_own_folder(bad);
  if (::rename((folder_ / name).c_str(), (bad / name).c_str()) != 0) {
    ::unlink((folder_ / name).c_str());
  }
}

void SpoolDrain::make_folder() {
  const auto made = make_own_folder(folder_);
  if (!made.ok() && made.error().code() == ErrorCode::kIo) log_warn("{}", made.error().message());
}

void SpoolDrain::sweep() {
  const auto all = [](const std::string&) { return true; };
  remove_older(folder_ / "bad", kKeepBad, all);
  remove_older(folder_ / "private", kKeepMarks, all);
  remove_older(folder_, kKeepHalfWritten, [](const std::string& name) {
    return name.ends_with(".tmp") || name.starts_with('.');  // as older hooks name them
  });
}

void SpoolDrain::watch() {
  wake_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  watcher_ = std::jthread([this](std::stop_token stop) { run(std::move(stop)); });
}

void SpoolDrain::run(std::stop_token stop) {
  using Clock = std::chrono::steady_clock;
  using Wait = std::chrono::milliseconds;
  FolderWatch watch(folder_);
  std::optional<Wait> retry;
  Clock::time_point next_sweep = Clock::now() + kSweepEvery;
  while (!stop.stop_requested()) {
    Result<void> done = watch.begin();
    if (!done.ok()) {
      make_folder();
      done = watch.begin();
    }
    // Also when it is not watched.
    if (const auto drained = drain(); !drained.ok()) done = drained;
    if (done.ok()) {
      retry.reset();
    } else {
      log_warn("the spool waits: {}", done.error().message());
      retry = std::min(retry.value_or(Wait(500)) * 2, Wait(60'000));
    }
    if (Clock::now() >= next_sweep) {
      sweep();
      next_sweep = Clock::now() + kSweepEvery;
    }
    const auto until_sweep = std::chrono::ceil<Wait>(next_sweep - Clock::now());
    std::array<pollfd, 2> waited{pollfd{wake_, POLLIN, 0}, pollfd{watch.descriptor(), POLLIN, 0}};
    ::poll(waited.data(), waited.size(),
           static_cast<int>(
               std::max(Wait(0), std::min(retry.value_or(until_sweep), until_sweep)).count()));
    watch.read();
  }
}

}  // namespace codexmem::observe
