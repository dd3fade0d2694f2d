// serve/team/callers.h - finds the caller of a request to a team's server, and the caller's grants.
//
// Everything is decided by the request's head, before its body is read. Stateless; thread-safe.
// Design: docs/team-server.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "net/http_server.h"
#include "serve/team/team_file.h"

namespace codexmem::serve {

/// Names the repository, if the query parameter "repository" does not.
inline constexpr std::string_view kRepositoryHeader = "X-Codexmem-Repository";

struct TeamCaller {
  std::string name;                          // "token:ci", "user:ana"
  std::vector<TeamGrant> grants = {};        // the first one that admits a repository applies to it
  std::optional<std::int64_t> expires = {};  // seconds since 1970
  std::string key = {};                      // seals the names of the caller's sessions
  std::vector<std::string> groups = {};      // from the proxy

  /// The caller's grant in `repository`; null if the caller must not know of it.
  const TeamGrant* grant_for(std::string_view repository) const;
};

/// Why the head of a request is refused regardless of the caller: a foreign Host or Origin, or a
/// duplicate of a header that is checked here. Nothing if it is accepted.
std::optional<net::ServedReply> refuse_team_head(const TeamFile& file,
                                                 const net::ServedRequest& head);

/// The caller of `head`, or the refusal (401). Takes the same time for every invalid token.
std::variant<TeamCaller, net::ServedReply> find_team_caller(const TeamFile& file,
                                                            const net::ServedRequest& head,
                                                            std::int64_t now_seconds);

/// The caller with the same name and groups in `file`; nothing if the file no longer has it.
std::optional<TeamCaller> find_team_caller_again(const TeamFile& file, const TeamCaller& caller,
                                                 std::int64_t now_seconds);

/// The repository for `head`, or the refusal: the same one for a repository that does not exist and
/// one that `caller` must not know of.
std::variant<std::string, net::ServedReply> choose_team_repository(const TeamFile& file,
                                                                   const TeamCaller& caller,
                                                                   const net::ServedRequest& head);

/// A reply {"error": why} that must not be cached.
net::ServedReply team_refusal(int status, std::string_view why);

}  // namespace codexmem::serve
