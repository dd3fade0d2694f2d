// serve/team/team_file.h - the file with the access rules of a team's server.
//
// JSON with comments, named on the command line. It contains hashes of tokens, never tokens.
// Immutable once read; a server replaces it as a whole. Design: docs/team-server.md.
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
#include "memory/decisions/decision_roles.h"
#include "serve/team/address_range.h"

namespace codexmem::serve {

/// Number of requests at once, and then per minute.
struct TeamRate {
  int per_minute = 600;
  int burst = 120;

  bool operator==(const TeamRate&) const = default;
};

/// The permissions in the repositories that the grant admits.
struct TeamGrant {
  std::vector<std::string> repositories = {};  // names, or globs of them
  memory::Role role = memory::Role::kViewer;
  bool sees_memory = false;
  bool writes_memory = false;
  std::string tools = {};               // permitted tools, separated by commas; never empty
  std::vector<std::string> fleet = {};  // of an organisation's index: names, or globs of them
  std::optional<TeamRate> rate = {};

  bool admits(std::string_view repository) const;
  bool operator==(const TeamGrant&) const = default;
};

struct TeamToken {
  std::string name;
  std::string sha256;                        // of the token, 64 lower-case hexadecimal digits
  std::optional<std::int64_t> expires = {};  // seconds since 1970, UTC; nothing: never
  TeamGrant grant = {};
};

/// A proxy that authenticates callers and names them in a header.
struct TeamProxy {
  std::string user_header;
  std::string groups_header = {};       // a list separated by commas; empty: no groups
  std::vector<AddressRange> from = {};  // addresses from which it connects
  std::string secret_header = {};       // proves its identity; empty: its address suffices
  std::string secret_sha256 = {};       // of that header's value
  std::map<std::string, TeamGrant, std::less<>> users = {};
  std::vector<std::pair<std::string, TeamGrant>> groups = {};  // in file order
};

struct TeamLimits {
  TeamRate rate = {};                                // per caller
  int work_at_once = 32;                             // requests of all callers
  std::size_t request_bytes = std::size_t{1} << 20;  // of a body
  int request_seconds = 10;                          // for a whole request to arrive
  int streams = 96;                                  // open streams of all callers
  int streams_a_caller = 8;
  int open_repositories = 16;  // with indexes kept up to date
};

struct TeamFile {
  std::string address = "127.0.0.1";
  int port = 37'878;
  std::vector<std::string> hosts = {};    // allowed names in a request's Host
  std::vector<std::string> origins = {};  // allowed origins of pages
  std::filesystem::path data = {};        // for the repositories' memories
  std::map<std::string, std::filesystem::path, std::less<>> repositories = {};
  std::vector<TeamToken> tokens = {};
  std::optional<TeamProxy> proxy = {};
  TeamLimits limits = {};
  std::filesystem::path audit_file = {};  // empty: no audit log
  bool audits_arguments = false;

  bool is_on_loopback() const;
  /// The repositories in `repositories` that one of `grants` admits, in order.
  std::vector<std::string> admitted(const std::vector<TeamGrant>& grants) const;
};

/// Parses the text of such a file. Messages begin with `name`. Errors: kInvalidArgument for the
/// first problem, with its place ("tokens[2].role").
Result<TeamFile> parse_team_file(std::string_view text, std::string_view name);

/// Reads the file at `path` and checks its repositories. Errors: as parse_team_file(),
/// read_trusted_file() and check_team_folders() (serve/team/team_folders.h).
Result<TeamFile> read_team_file(const std::filesystem::path& path);

/// The seconds since 1970 of the end of a day "2027-01-31", or of a moment "2027-01-31T18:00:00Z".
std::optional<std::int64_t> parse_expiry(std::string_view text);

}  // namespace codexmem::serve
