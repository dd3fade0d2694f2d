// Tested by serve/callers_test.cpp and, over HTTP, by tests/teamserver/team_server_test.py.
#include "serve/team/callers.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/access_token.h"
#include "base/hash.h"
#include "base/text.h"
#include "net/loopback.h"
#include "text/json_value.h"

namespace codexmem::serve {

namespace {

using net::ServedReply;
using net::ServedRequest;

constexpr std::size_t kMaxUserBytes = 128;
constexpr std::size_t kMaxGroups = 256;

// The name in a Host header in lower case, without the port. Empty if it is invalid.
std::string host_name(std::string_view host) {
  std::string_view port;
  if (host.starts_with('[')) {
    const std::size_t end = host.find(']');
    if (end == std::string_view::npos) return {};
    port = host.substr(end + 1);
    host = host.substr(1, end - 1);
  } else if (const std::size_t colon = host.find(':'); colon != std::string_view::npos) {
    port = host.substr(colon);
    host = host.substr(0, colon);
  }
  const bool has_port = port.starts_with(':') && port.size() > 1 &&
                        port.find_first_not_of("0123456789", 1) == std::string_view::npos;
  if (!port.empty() && !has_port) return {};
  return to_lower_ascii(host);
}

bool is_allowed_host(const TeamFile& file, const ServedRequest& head) {
  const auto host = head.header("Host");
  if (!host) return false;
  const std::string name = host_name(*host);
  if (file.hosts.empty()) return name == "localhost" || name == "127.0.0.1" || name == "::1";
  return std::ranges::any_of(file.hosts, [&](const std::string& allowed) {
    return !name.empty() && host_name(allowed.find(':') != allowed.npos && !allowed.starts_with('[')
                                          ? "[" + allowed + "]"
                                          : allowed) == name;
  });
}

bool is_allowed_origin(const TeamFile& file, const ServedRequest& head) {
  const auto origin = head.header("Origin");
  if (!origin) return !net::is_of_another_site(head);
  return std::ranges::find(file.origins, *origin) != file.origins.end();
}

bool comes_twice(const ServedRequest& head, std::string_view name) {
  const std::string wanted = to_lower_ascii(name);
  return !wanted.empty() && std::ranges::count_if(head.headers, [&](const net::HttpHeader& each) {
                              return to_lower_ascii(each.name) == wanted;
                            }) > 1;
}

ServedReply unknown_caller(std::string_view why) {
  ServedReply reply = team_refusal(401, why);
  reply.headers.push_back({"WWW-Authenticate", "Bearer realm=\"codexmem\""});
  return reply;
}

std::optional<std::string_view> bearer_of(const ServedRequest& head) {
  constexpr std::string_view kBearer = "bearer ";
  const auto given = head.header("Authorization");
  if (!given || to_lower_ascii(given->substr(0, kBearer.size())) != kBearer) return std::nullopt;
  return trim(given->substr(kBearer.size()));
}

TeamCaller team_caller_of(const TeamToken& token) {
  return {.name = "token:" + token.name,
          .grants = {token.grant},
          .expires = token.expires,
          .key = token.sha256};
}

// The caller named by the proxy, if the file has this caller.
std::optional<TeamCaller> team_caller_of(const TeamProxy& proxy, const std::string& user,
                                         std::vector<std::string> groups) {
  TeamCaller caller{.name = "user:" + user, .key = "proxy" + proxy.secret_sha256};
  if (const auto own = proxy.users.find(user); own != proxy.users.end()) {
    caller.grants.push_back(own->second);
  }
  for (const auto& [name, grant] : proxy.groups) {
    if (std::ranges::find(groups, name) != groups.end()) caller.grants.push_back(grant);
  }
  caller.groups = std::move(groups);
  if (caller.grants.empty()) return std::nullopt;
  return caller;
}

bool is_user_name(std::string_view text) {
  return !text.empty() && text.size() <= kMaxUserBytes && is_valid_utf8(text) &&
         std::ranges::none_of(
             text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

bool is_of_proxy(const TeamProxy& proxy, const ServedRequest& head) {
  const bool is_near = std::ranges::any_of(
      proxy.from, [&](const AddressRange& range) { return range.holds(head.peer_address); });
  if (!is_near || proxy.secret_header.empty()) return is_near;
  const auto secret = head.header(proxy.secret_header);
  return secret && is_same_secret(sha256_hex(*secret), proxy.secret_sha256);
}

bool has_expired(const TeamCaller& caller, std::int64_t now_seconds) {
  return caller.expires && now_seconds > *caller.expires;
}

}  // namespace

ServedReply team_refusal(int status, std::string_view why) {
  return {.status = status,
          .body = fmt::format(R"({{"error":{}}})", json_quote(why)),
          .headers = {{"Cache-Control", "no-store"}, {"X-Content-Type-Options", "nosniff"}}};
}

const TeamGrant* TeamCaller::grant_for(std::string_view repository) const {
  const auto found = std::ranges::find_if(
      grants, [&](const TeamGrant& grant) { return grant.admits(repository); });
  return found == grants.end() ? nullptr : &*found;
}

std::optional<ServedReply> refuse_team_head(const TeamFile& file, const ServedRequest& head) {
  if (!is_allowed_host(file, head)) {
    return team_refusal(403, "this server does not have the name in Host");
  }
  if (!is_allowed_origin(file, head)) return team_refusal(403, "pages of that site may not ask");
  std::vector<std::string_view> judged = {kRepositoryHeader, "X-Request-Id"};
  if (file.proxy) {
    judged.insert(judged.end(),
                  {file.proxy->user_header, file.proxy->groups_header, file.proxy->secret_header});
  }
  for (const std::string_view name : judged) {
    // If a proxy adds its header to a client's own, the client could choose the value.
    if (comes_twice(head, name)) {
      return team_refusal(400, fmt::format("the header {} is there twice", name));
    }
  }
  return std::nullopt;
}

std::variant<TeamCaller, ServedReply> find_team_caller(const TeamFile& file,
                                                       const ServedRequest& head,
                                                       std::int64_t now_seconds) {
  if (const auto given = bearer_of(head)) {
    // All are compared, so that the time does not reveal common prefixes.
    const std::string hash = sha256_hex(*given);
    const TeamToken* found = nullptr;
    for (const TeamToken& token : file.tokens) {
      if (is_same_secret(hash, token.sha256)) found = &token;
    }
    if (found == nullptr) return unknown_caller("this token is not known");
    TeamCaller caller = team_caller_of(*found);
    if (has_expired(caller, now_seconds)) return unknown_caller("this token has expired");
    return caller;
  }
  if (file.proxy) {
    const auto user = head.header(file.proxy->user_header);
    if (user && is_of_proxy(*file.proxy, head)) {
      std::vector<std::string> groups;
      const auto named =
          file.proxy->groups_header.empty() ? std::nullopt : head.header(file.proxy->groups_header);
      for (const std::string_view each : split(named.value_or(""), ',')) {
        if (groups.size() < kMaxGroups) groups.emplace_back(trim(each));
      }
      if (is_user_name(*user)) {
        if (auto caller = team_caller_of(*file.proxy, std::string(*user), std::move(groups))) {
          return *std::move(caller);
        }
      }
      return team_refusal(403, "you may not use this server");
    }
  }
  return unknown_caller("send a token: Authorization: Bearer TOKEN");
}

std::optional<TeamCaller> find_team_caller_again(const TeamFile& file, const TeamCaller& caller,
                                                 std::int64_t now_seconds) {
  constexpr std::string_view kToken = "token:", kUser = "user:";
  const std::string_view name = caller.name;
  if (name.starts_with(kToken)) {
    const auto found = std::ranges::find_if(file.tokens, [&](const TeamToken& token) {
      return token.name == name.substr(kToken.size()) && token.sha256 == caller.key;
    });
    if (found == file.tokens.end() || has_expired(team_caller_of(*found), now_seconds)) {
      return std::nullopt;
    }
    return team_caller_of(*found);
  }
  if (!file.proxy) return std::nullopt;
  return team_caller_of(*file.proxy, std::string(name.substr(kUser.size())), caller.groups);
}

std::variant<std::string, ServedReply> choose_team_repository(const TeamFile& file,
                                                              const TeamCaller& caller,
                                                              const ServedRequest& head) {
  const std::vector<std::string> admitted = file.admitted(caller.grants);
  const auto in_address = head.query("repository"), in_header = head.header(kRepositoryHeader);
  const auto count = std::ranges::count_if(
      head.queries, [](const auto& each) { return each.first == "repository"; });
  if (count > 1 || (in_address && in_header && *in_address != *in_header)) {
    return team_refusal(400, "two repositories are named");
  }
  const auto named = in_address ? in_address : in_header;
  if (!named && admitted.size() == 1) return admitted.front();
  if (named && std::ranges::find(admitted, *named) != admitted.end()) return std::string(*named);
  if (admitted.empty()) return team_refusal(403, "you may not see any repository here");
  return team_refusal(
      named ? 403 : 400,
      fmt::format("{}: {}. Add ?repository=NAME to the address of this server, or "
                  "the header {}",
                  named ? "you may see these repositories only" : "say which repository",
                  join(admitted, ", "), kRepositoryHeader));
}

}  // namespace codexmem::serve
