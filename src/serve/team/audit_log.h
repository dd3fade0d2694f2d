// serve/team/audit_log.h - a line of JSON for each request to a team's server.
//
// It records the caller, the request and the repository, never the answer, and the arguments only
// if enabled. The file is only appended to; after it was moved away, a new one is created within a
// second. Thread-safe. Design: docs/team-server.md.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "base/result.h"

namespace codexmem::serve {

/// The fields of a line; empty ones are left out.
struct AuditEntry {
  std::string request;       // the request's id, also in the answer's X-Request-Id
  std::string caller = {};   // "token:ci", "user:ana"; empty: unknown
  std::string address = {};  // of the client
  std::string http = {};     // "POST /mcp"
  std::string method = {};   // "tools/call"
  std::string tool = {};     // of a call; of a prompt or a resource: its name
  std::string rpc_id = {};   // the client's id of the request, as JSON
  std::string repository = {};
  std::string arguments = {};  // JSON
  std::string why = {};        // why it was refused
  int status = 0;
  std::int64_t ms = 0;  // until the end of the answer or its stream
};

class AuditLog {
 public:
  /// Opens the file at `path`, which is created for its user only (0600). Errors: kIo;
  /// kInvalidArgument when it is not a regular file of this user, or others may write it.
  static Result<std::unique_ptr<AuditLog>> open(const std::filesystem::path& path);
  ~AuditLog();
  AuditLog(const AuditLog&) = delete;
  AuditLog& operator=(const AuditLog&) = delete;

  void write(const AuditEntry& entry);

  /// The same for unknown callers: at most ten lines per second; the next line says in `omitted`
  /// how many were left out.
  void write_of_stranger(const AuditEntry& entry);

  /// Opens the file again, as log rotation programs request by a signal. Problems are logged.
  void reopen();

 private:
  using Clock = std::chrono::steady_clock;

  AuditLog(std::filesystem::path path, int fd);
  static Result<int> open_file(const std::filesystem::path& path);
  void put(const AuditEntry& entry, std::uint64_t omitted);  // with mutex_ held
  void follow_file();                                        // with mutex_ held

  const std::filesystem::path path_;
  std::mutex mutex_;  // guards the other members
  int fd_;
  Clock::time_point looked_ = Clock::now();
  double strangers_left_ = 10;
  Clock::time_point strangers_since_ = Clock::now();
  std::uint64_t omitted_ = 0;
};

}  // namespace codexmem::serve
