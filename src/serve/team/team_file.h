// serve/team/team_file.h - the file that says who may see what on a team's server.
//
// JSON with comments, named on the command line. It holds no token, only their hashes. Immutable
// once read; a server swaps a whole one for the next. Design: docs/design/team-server.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "memory/decision_roles.h"
#include "serve/team/address_range.h"

namespace codexmem::serve {

/// So many requests at once, and then so many a minute.
struct TeamRate {
  int per_minute = 600;
  int burst = 120;

  bool operator==(const TeamRate&) const = default;
};

/// What somebody may do in the repositories that it admits.
struct TeamGrant {
  std::vector<std::string> repositories = {};  // names, or globs of them
  memory::Role role = memory::Role::kViewer;
  bool sees_memory = false;
  bool writes_memory = false;
  std::string tools = {};  // the tools that it permits, with commas between; never empty
  std::vector<std::string> fleet = {};  // of an organisation's index: names, or globs of them
  std::optional<TeamRate> rate = {};

  bool admits(std::string_view repository) const;
  bool operator==(const TeamGrant&) const = default;
};

struct TeamToken {
  std::string name;
  std::string sha256;                        // of the token, 64 lower-case hexadecimal digits
  std::optional<std::int64_t> expires = {};  // seconds since 1970, UTC; none: never
  TeamGrant grant = {};
};

/// A proxy that has found out who asks, and says so in a header.
struct TeamProxy {
  std::string user_header;
  std::string groups_header = {};       // a list with commas; empty: there are no groups
  std::vector<AddressRange> from = {};  // where it connects from
  std::string secret_header = {};       // that it proves itself by; empty: its address will do
  std::string secret_sha256 = {};       // of that header's value
  std::map<std::string, TeamGrant, std::less<>> users = {};
  std::vector<std::pair<std::string, TeamGrant>> groups = {};  // in the order of the file
};

struct TeamLimits {
  TeamRate rate = {};                                // of each caller
  int work_at_once = 32;                             // requests, of all callers
  std::size_t request_bytes = std::size_t{1} << 20;  // of a body
  int request_seconds = 10;                          // for a whole request to arrive
  int streams = 96;                                  // that stay open, of all callers
  int streams_a_caller = 8;
  int open_repositories = 16;  // whose indexes are kept up to date
};

struct TeamFile {
  std::string address = "127.0.0.1";
  int port = 37'878;
  std::vector<std::string> hosts = {};    // names that a request's Host may have
  std::vector<std::string> origins = {};  // that a page may have
  std::filesystem::path data = {};        // of the repositories' memories
  std::map<std::string, std::filesystem::path, std::less<>> repositories = {};
  std::vector<TeamToken> tokens = {};
  std::optional<TeamProxy> proxy = {};
  TeamLimits limits = {};
  std::filesystem::path audit_file = {};  // empty: there is no audit log
  bool audits_arguments = false;

  bool is_on_loopback() const;
  /// Those of `repositories` that one of `grants` admits, in order.
  std::vector<std::string> admitted(const std::vector<TeamGrant>& grants) const;
};

/// Reads the text of such a file. `name` stands before what is wrong in it. Errors:
/// kInvalidArgument for the first thing that is wrong, with its place ("tokens[2].role").
Result<TeamFile> parse_team_file(std::string_view text, std::string_view name);

/// Reads the file at `path` and looks at the repositories that it names. Errors: those of
/// parse_team_file(), read_trusted_file() and check_team_folders() (serve/team/team_folders.h).
Result<TeamFile> read_team_file(const std::filesystem::path& path);

/// The seconds since 1970 of a day "2027-01-31", of which the end counts, or of a moment
/// "2027-01-31T18:00:00Z".
std::optional<std::int64_t> parse_expiry(std::string_view text);

}  // namespace codexmem::serve
