// Tested by serve/team_server_test.cpp.
#include "serve/team/audit_log.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/log.h"
#include "base/text.h"
#include "text/json.h"

namespace codexmem::serve {
namespace fs = std::filesystem;

namespace {

constexpr double kStrangersASecond = 10;
constexpr std::size_t kMaxAuditText = 200;
constexpr std::size_t kMaxAuditArguments = 4'096;

}  // namespace

AuditLog::AuditLog(fs::path path, int fd) : path_(std::move(path)), fd_(fd) {}

AuditLog::~AuditLog() { ::close(fd_); }

Result<int> AuditLog::open_file(const fs::path& path) {
  const int fd = ::open(path.c_str(),
                        O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  if (fd < 0) {
    return Error{ErrorCode::kIo, fmt::format("audit log {}: {}", path.string(),
                                             std::system_category().message(errno))};
  }
  struct stat there {};
  const bool is_own = ::fstat(fd, &there) == 0 && S_ISREG(there.st_mode) &&
                      there.st_uid == ::geteuid() && (there.st_mode & 022) == 0;
  if (is_own) return fd;
  ::close(fd);
  return Error{
      ErrorCode::kInvalidArgument,
      fmt::format("audit log {}: must be a regular file that only its user, who runs this, "
                  "can write",
                  path.string())};
}

Result<std::unique_ptr<AuditLog>> AuditLog::open(const fs::path& path) {
  CODEXMEM_ASSIGN(const int fd, open_file(path));
  return std::unique_ptr<AuditLog>(new AuditLog(path, fd));
}

void AuditLog::write(const AuditEntry& entry) {
  const std::lock_guard lock(mutex_);
  put(entry, std::exchange(omitted_, 0));
}

void AuditLog::write_of_stranger(const AuditEntry& entry) {
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  const std::chrono::duration<double> passed = now - strangers_since_;
  strangers_since_ = now;
  strangers_left_ =
      std::min(kStrangersASecond, strangers_left_ + passed.count() * kStrangersASecond);
  if (strangers_left_ < 1) {
    ++omitted_;
    return;
  }
  strangers_left_ -= 1;
  put(entry, std::exchange(omitted_, 0));
}

void AuditLog::reopen() {
  const std::lock_guard lock(mutex_);
  looked_ = {};
  const auto fd = open_file(path_);
  if (!fd.ok()) return log_error("{}", fd.error().message());
  ::close(std::exchange(fd_, *fd));
}

void AuditLog::follow_file() {
  const auto now = Clock::now();
  if (now - looked_ < std::chrono::seconds(1)) return;
  looked_ = now;
  struct stat ours {
  }, there{};
  const bool is_same = ::fstat(fd_, &ours) == 0 && ::lstat(path_.c_str(), &there) == 0 &&
                       ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
  if (is_same) return;
  const auto fd = open_file(path_);
  if (!fd.ok()) return log_error("{}", fd.error().message());
  ::close(std::exchange(fd_, *fd));
}

void AuditLog::put(const AuditEntry& entry, std::uint64_t omitted) {
  Json line;
  line["at"] = std::string(trim(log_time()));
  const auto text = [&](const char* key, std::string_view value) {
    if (!value.empty()) line[key] = utf8_prefix(value, kMaxAuditText);
  };
  text("request", entry.request);
  text("caller", entry.caller);
  text("from", entry.address);
  text("http", entry.http);
  text("method", entry.method);
  text("tool", entry.tool);
  text("id", entry.rpc_id);
  text("repository", entry.repository);
  if (!entry.arguments.empty())
    line["arguments"] = utf8_prefix(entry.arguments, kMaxAuditArguments);
  text("why", entry.why);
  line["status"] = entry.status;
  line["ms"] = entry.ms;
  if (omitted > 0) line["omitted"] = omitted;
  follow_file();
  // One write, so that lines of several processes do not mix.
  const std::string bytes = dump_json(line) + "\n";
  const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
  if (written != static_cast<ssize_t>(bytes.size())) {
    log_error("audit log {}: {}", path_.string(), std::system_category().message(errno));
  }
}

}  // namespace codexmem::serve
