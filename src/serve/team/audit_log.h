// serve/team/audit_log.h - a line of JSON for each request to a team's server.
//
// Who asked what of which repository, never what was answered, and the arguments only if that is
// wanted. The file is only ever appended to; one that was moved away is made anew within a second.
// Thread-safe. Design: docs/design/team-server.md.
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

/// What one line says; what is empty is left out.
struct AuditEntry {
  std::string request;       // the request's id, also in the answer's X-Request-Id
  std::string caller = {};   // "token:ci", "user:ana"; empty: nobody who is known
  std::string address = {};  // that it came from
  std::string http = {};     // "POST /mcp"
  std::string method = {};   // "tools/call"
  std::string tool = {};     // of a call; of a prompt or a resource: its name
  std::string rpc_id = {};   // the client's own id of it, as JSON
  std::string repository = {};
  std::string arguments = {};  // JSON
  std::string why = {};        // it was refused
  int status = 0;
  std::int64_t ms = 0;  // until the answer, or its stream, had ended
};

class AuditLog {
 public:
  /// Opens the file at `path`, made for its user alone (0600). Errors: kIo; kInvalidArgument when
  /// something else than a regular file of this user is there, or others may write it.
  static Result<std::unique_ptr<AuditLog>> open(const std::filesystem::path& path);
  ~AuditLog();
  AuditLog(const AuditLog&) = delete;
  AuditLog& operator=(const AuditLog&) = delete;

  void write(const AuditEntry& entry);

  /// The same for who is not known: at most ten lines a second; the next one says in `omitted` how
  /// many were left out.
  void write_of_stranger(const AuditEntry& entry);

  /// Opens the file anew, as a program that rotates it asks for by a signal. Trouble is logged.
  void reopen();

 private:
  using Clock = std::chrono::steady_clock;

  AuditLog(std::filesystem::path path, int fd);
  static Result<int> open_file(const std::filesystem::path& path);
  void put(const AuditEntry& entry, std::uint64_t omitted);  // with mutex_ held
  void follow_file();                                        // likewise

  const std::filesystem::path path_;
  std::mutex mutex_;  // guards the rest
  int fd_;
  Clock::time_point looked_ = Clock::now();
  double strangers_left_ = 10;
  Clock::time_point strangers_since_ = Clock::now();
  std::uint64_t omitted_ = 0;
};

}  // namespace codexmem::serve
