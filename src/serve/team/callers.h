// serve/team/callers.h - who sends a request to a team's server, and what he may see.
//
// All of it is judged by the request's head, before its body is read. Stateless; thread-safe.
// Design: docs/design/team-server.md.
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

/// How the caller names the repository, where the query parameter "repository" does not.
inline constexpr std::string_view kRepositoryHeader = "X-Codexmem-Repository";

struct TeamCaller {
  std::string name;                          // "token:ci", "user:ana"
  std::vector<TeamGrant> grants = {};        // the first that admits a repository holds for it
  std::optional<std::int64_t> expires = {};  // seconds since 1970
  std::string key = {};                      // that the names of his sessions are sealed with
  std::vector<std::string> groups = {};      // that the proxy told

  /// What he may do in `repository`; null: he must not know of it.
  const TeamGrant* grant_for(std::string_view repository) const;
};

/// Why the head of a request is refused, no matter who sent it: a foreign Host or Origin, or a
/// header that is judged here and comes twice. Nothing: it is not.
std::optional<net::ServedReply> refuse_team_head(const TeamFile& file,
                                                 const net::ServedRequest& head);

/// Who sent `head`, or the refusal (401). Takes the same time for every token that is none.
std::variant<TeamCaller, net::ServedReply> find_team_caller(const TeamFile& file,
                                                            const net::ServedRequest& head,
                                                            std::int64_t now_seconds);

/// The caller of that name and groups as `file` has him; nothing: it does not.
std::optional<TeamCaller> find_team_caller_again(const TeamFile& file, const TeamCaller& caller,
                                                 std::int64_t now_seconds);

/// The repository that `head` is about, or the refusal: the same one for a repository that there is
/// not and one that `caller` must not know of.
std::variant<std::string, net::ServedReply> choose_team_repository(const TeamFile& file,
                                                                   const TeamCaller& caller,
                                                                   const net::ServedRequest& head);

/// A reply {"error": why} that no cache keeps.
net::ServedReply team_refusal(int status, std::string_view why);

}  // namespace codexmem::serve
