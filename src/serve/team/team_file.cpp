// The first problem is reported with its place, and the whole file is refused: incomplete access
// rules are useless. Unknown keys are errors as well, because a misspelt one may have been meant as
// a restriction.
//
// Tested by serve/team_file_test.cpp, fuzzed by fuzz/team_file_fuzz.cpp.
#include "serve/team/team_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <set>
#include <system_error>

#include "ask/scope.h"
#include "base/text.h"
#include "config/user_directory.h"
#include "mcp/tools.h"
#include "serve/listening.h"
#include "serve/team/team_folders.h"
#include "text/json_comments.h"
#include "text/json_value.h"

namespace codexmem::serve {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxNameBytes = 64;
constexpr std::size_t kHashDigits = 64;

bool is_team_name(std::string_view text) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  return !text.empty() && text.size() <= kMaxNameBytes && is_plain(text.front()) &&
         std::ranges::all_of(
             text, [&](char c) { return is_plain(c) || c == '.' || c == '_' || c == '-'; });
}

bool is_header_name(std::string_view text) {
  return !text.empty() && text.size() <= kMaxNameBytes && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
  });
}

bool is_sha256(std::string_view text) {
  return text.size() == kHashDigits &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Reads members and keeps the first problem.
class TeamReader {
 public:
  explicit TeamReader(std::string_view name) : name_(name) {}

  bool ok() const { return problem_.empty(); }
  Error error() const { return {ErrorCode::kInvalidArgument, problem_}; }

  void fail(std::string_view place, std::string_view what) {
    if (!ok()) return;
    problem_ = place.empty() ? fmt::format("{}: {}", name_, what)
                             : fmt::format("{}: {}: {}", name_, place, what);
  }

  // False if `value` is absent, or is not an object with only `known` members.
  bool is_object(const JsonValue& value, const std::string& place,
                 const std::vector<std::string>& known) {
    if (value.is_absent()) return false;
    if (!value.is_object()) {
      fail(place, fmt::format("must be an object, got {}", value.type_name()));
      return false;
    }
    for (const std::string& member : value.member_names()) {
      if (std::ranges::find(known, member) != known.end()) continue;
      const auto near = nearest(member, known);
      fail(place, fmt::format("unknown key \"{}\"{}", utf8_prefix(member, 60),
                              near ? fmt::format(" (did you mean \"{}\"?)", *near) : ""));
      return false;
    }
    return ok();
  }

  std::string text(const JsonValue& value, const std::string& place) {
    if (value.is_absent()) return {};
    const auto text = value.string();
    if (!text || text->empty()) fail(place, "must be a text that is not empty");
    return text.value_or("");
  }

  bool flag(const JsonValue& value, const std::string& place) {
    if (value.is_absent()) return false;
    if (!value.is_boolean()) fail(place, "must be true or false");
    return value.boolean().value_or(false);
  }

  int number(const JsonValue& value, const std::string& place, int least, int most, int usual) {
    if (value.is_absent()) return usual;
    const auto number = value.integer();
    if (!number || *number < least || *number > most) {
      fail(place, fmt::format("must be a whole number from {} to {}", least, most));
      return usual;
    }
    return static_cast<int>(*number);
  }

  std::vector<std::string> texts(const JsonValue& value, const std::string& place) {
    std::vector<std::string> texts;
    if (value.is_absent()) return texts;
    if (!value.is_array()) fail(place, "must be a list of texts");
    for (std::size_t i = 0; ok() && i < value.size(); ++i) {
      texts.push_back(text(value.element(i), fmt::format("{}[{}]", place, i)));
    }
    return texts;
  }

  std::string hash(const JsonValue& value, const std::string& place) {
    std::string hash = text(value, place);
    if (ok() && !is_sha256(hash)) {
      fail(place,
           "must be the 64 lower-case hexadecimal digits that `codexmem serve --team-token NAME` "
           "prints, or of sha256sum");
    }
    return hash;
  }

 private:
  const std::string name_;
  std::string problem_;
};

std::optional<TeamRate> read_team_rate(TeamReader& reader, const JsonValue& value,
                                       const std::string& place) {
  if (!reader.is_object(value, place, {"perMinute", "burst"})) return std::nullopt;
  const TeamRate usual;
  return TeamRate{reader.number(value.member("perMinute"), place + ".perMinute", 1, 1'000'000,
                                usual.per_minute),
                  reader.number(value.member("burst"), place + ".burst", 1, 100'000, usual.burst)};
}

// True if the entry `wanted` of a grant's tools names `tool`.
bool names_tool(std::string_view wanted, const mcp::Tool& tool) {
  return wanted == "all" || wanted == tool.name || ask::is_in_group(tool.groups, wanted);
}

// The tools that `grant` permits and `wanted` names; all if `wanted` is empty.
std::string choose_team_tools(const TeamGrant& grant, const std::vector<std::string>& wanted) {
  std::vector<std::string> names;
  for (const mcp::Tool& tool : mcp::tools()) {
    const bool is_memory = ask::is_in_group(tool.groups, "memory");
    if (is_memory && !grant.sees_memory) continue;
    if (is_memory && !tool.read_only && !grant.writes_memory) continue;
    if (!is_memory && !tool.read_only && grant.role != memory::Role::kAdmin) continue;
    const bool is_wanted = wanted.empty() || std::ranges::any_of(wanted, [&](const auto& each) {
                             return names_tool(each, tool);
                           });
    if (is_wanted) names.emplace_back(tool.name);
  }
  return join(names, ",");
}

const std::vector<std::string> kGrantKeys = {"repositories",   "fleet", "role", "memory",
                                             "mayWriteMemory", "tools", "rate"};

// `value` must be an object with only allowed keys.
TeamGrant read_team_grant(TeamReader& reader, const JsonValue& value, const std::string& place) {
  TeamGrant grant;
  grant.repositories = reader.texts(value.member("repositories"), place + ".repositories");
  if (grant.repositories.empty()) {
    reader.fail(place + ".repositories",
                "must name a repository, or several by a glob; \"*\" is every one");
  }
  grant.fleet = reader.texts(value.member("fleet"), place + ".fleet");
  const std::string role = reader.text(value.member("role"), place + ".role");
  const auto parsed = role.empty() ? memory::Role::kViewer : memory::parse_role(role);
  if (!parsed) {
    reader.fail(place + ".role",
                fmt::format("must be viewer, agent or admin, got \"{}\"", utf8_prefix(role, 40)));
  }
  grant.role = parsed.value_or(memory::Role::kViewer);
  grant.sees_memory = reader.flag(value.member("memory"), place + ".memory");
  grant.writes_memory = reader.flag(value.member("mayWriteMemory"), place + ".mayWriteMemory");
  if (grant.writes_memory && !grant.sees_memory) {
    reader.fail(place + ".mayWriteMemory", "needs \"memory\": true");
  }
  if (grant.writes_memory && grant.role == memory::Role::kViewer) {
    reader.fail(place + ".mayWriteMemory", "needs the role agent or admin");
  }
  grant.rate = read_team_rate(reader, value.member("rate"), place + ".rate");
  const auto wanted = reader.texts(value.member("tools"), place + ".tools");
  for (std::size_t i = 0; reader.ok() && i < wanted.size(); ++i) {
    const auto is_one = [&](const mcp::Tool& tool) { return names_tool(wanted[i], tool); };
    if (std::ranges::any_of(mcp::tools(), is_one)) continue;
    reader.fail(fmt::format("{}.tools[{}]", place, i),
                fmt::format("there is no tool or group \"{}\"", utf8_prefix(wanted[i], 60)));
  }
  if (!reader.ok()) return grant;
  grant.tools = choose_team_tools(grant, wanted);
  if (grant.tools.empty()) {
    reader.fail(place + ".tools", "the role and `memory` permit none of these");
  }
  return grant;
}

std::vector<std::string> with_keys(const std::vector<std::string>& more) {
  std::vector<std::string> keys = kGrantKeys;
  keys.insert(keys.end(), more.begin(), more.end());
  return keys;
}

TeamToken read_team_token(TeamReader& reader, const JsonValue& value, const std::string& place) {
  TeamToken token;
  if (!reader.is_object(value, place, with_keys({"name", "sha256", "expires"}))) {
    reader.fail(place, "must be an object");
    return token;
  }
  token.name = reader.text(value.member("name"), place + ".name");
  if (!is_team_name(token.name)) {
    reader.fail(place + ".name", "must be 1 to 64 letters, digits, \".\", \"_\" or \"-\"");
  }
  if (value.member("sha256").is_absent()) {
    reader.fail(place, fmt::format("has no sha256: `codexmem serve --team-token {}` makes a token",
                                   token.name));
  }
  token.sha256 = reader.hash(value.member("sha256"), place + ".sha256");
  if (const auto expires = reader.text(value.member("expires"), place + ".expires");
      !expires.empty()) {
    token.expires = parse_expiry(expires);
    if (!token.expires) {
      reader.fail(place + ".expires",
                  "must be a day (2027-01-31) or a moment (2027-01-31T18:00:00Z), UTC");
    }
  }
  token.grant = read_team_grant(reader, value, place);
  return token;
}

void read_team_repositories(TeamReader& reader, const JsonValue& value, TeamFile* file) {
  if (!value.is_object() || value.size() == 0) {
    return reader.fail("repositories", "must be an object of at least one name and its folder");
  }
  for (const std::string& name : value.member_names()) {
    const std::string place = fmt::format("repositories.{}", utf8_prefix(name, kMaxNameBytes));
    if (!is_team_name(name)) {
      return reader.fail(place, "a name has 1 to 64 letters, digits, \".\", \"_\" or \"-\"");
    }
    const fs::path path = reader.text(value.member(name), place);
    if (reader.ok() && !path.is_absolute()) reader.fail(place, "must be an absolute path");
    if (!reader.ok()) return;
    file->repositories.emplace(name, path.lexically_normal());
  }
}

std::map<std::string, TeamGrant, std::less<>> read_team_users(TeamReader& reader,
                                                              const JsonValue& value,
                                                              const std::string& place) {
  std::map<std::string, TeamGrant, std::less<>> users;
  if (value.is_absent()) return users;
  if (!value.is_object()) reader.fail(place, "must be an object of names and what each may");
  for (const std::string& name : value.member_names()) {
    const std::string at = fmt::format("{}.{}", place, utf8_prefix(name, kMaxNameBytes));
    if (!reader.is_object(value.member(name), at, kGrantKeys)) break;
    users.emplace(name, read_team_grant(reader, value.member(name), at));
  }
  return users;
}

std::optional<TeamProxy> read_team_proxy(TeamReader& reader, const JsonValue& value) {
  if (!reader.is_object(value, "proxy",
                        {"header", "groupsHeader", "from", "secret", "users", "groups"})) {
    return std::nullopt;
  }
  TeamProxy proxy;
  const auto header = [&](const JsonValue& named, const std::string& place) {
    const std::string name = reader.text(named, place);
    static const std::set<std::string> kOurs = {
        "authorization", "host", "origin", "content-type", "mcp-session-id", "content-length"};
    if (!name.empty() && (!is_header_name(name) || kOurs.contains(to_lower_ascii(name)))) {
      reader.fail(place, "must be the name of a header of the proxy's own");
    }
    return name;
  };
  proxy.user_header = header(value.member("header"), "proxy.header");
  if (proxy.user_header.empty()) {
    reader.fail("proxy.header", "must name the header that says who asks");
  }
  proxy.groups_header = header(value.member("groupsHeader"), "proxy.groupsHeader");
  bool has_loopback = false;
  const auto from = reader.texts(value.member("from"), "proxy.from");
  for (std::size_t i = 0; reader.ok() && i < from.size(); ++i) {
    const auto range = AddressRange::parse(from[i]);
    if (!range) {
      reader.fail(fmt::format("proxy.from[{}]", i),
                  "must be an address in numbers, or a range such as 10.0.0.0/8");
      break;
    }
    has_loopback |= range->has_loopback();
    proxy.from.push_back(*range);
  }
  if (proxy.from.empty()) reader.fail("proxy.from", "must say from which addresses the proxy asks");
  const JsonValue secret = value.member("secret");
  if (reader.is_object(secret, "proxy.secret", {"header", "sha256"})) {
    proxy.secret_header = header(secret.member("header"), "proxy.secret.header");
    proxy.secret_sha256 = reader.hash(secret.member("sha256"), "proxy.secret.sha256");
    if (proxy.secret_header.empty()) reader.fail("proxy.secret.header", "is missing");
  } else if (has_loopback) {
    reader.fail("proxy.secret",
                "is missing: every user of this machine can ask from the addresses in `from`");
  }
  proxy.users = read_team_users(reader, value.member("users"), "proxy.users");
  const JsonValue groups = value.member("groups");
  if (!groups.is_absent() && proxy.groups_header.empty()) {
    reader.fail("proxy.groups", "needs `groupsHeader`");
  }
  auto read = read_team_users(reader, groups, "proxy.groups");
  for (const std::string& name : groups.member_names()) {
    if (const auto one = read.find(name); one != read.end()) proxy.groups.push_back(*one);
  }
  if (proxy.users.empty() && proxy.groups.empty()) {
    reader.fail("proxy", "has neither users nor groups that may see something");
  }
  return proxy;
}

void read_team_limits(TeamReader& reader, const JsonValue& value, TeamLimits* limits) {
  if (!reader.is_object(value, "limits",
                        {"rate", "workAtOnce", "requestBytes", "requestSeconds", "streams",
                         "streamsACaller", "openRepositories"})) {
    return;
  }
  const auto number = [&](const char* key, int least, int most, int usual) {
    return reader.number(value.member(key), fmt::format("limits.{}", key), least, most, usual);
  };
  limits->rate = read_team_rate(reader, value.member("rate"), "limits.rate").value_or(limits->rate);
  limits->work_at_once = number("workAtOnce", 1, 96, limits->work_at_once);
  limits->request_bytes = static_cast<std::size_t>(
      number("requestBytes", 1'024, 16 << 20, static_cast<int>(limits->request_bytes)));
  limits->request_seconds = number("requestSeconds", 1, 600, limits->request_seconds);
  limits->streams = number("streams", 1, 96, limits->streams);
  limits->streams_a_caller = number("streamsACaller", 1, 96, limits->streams_a_caller);
  limits->open_repositories = number("openRepositories", 1, 1'000, limits->open_repositories);
}

void read_team_listen(TeamReader& reader, const JsonValue& value, TeamFile* file) {
  const std::string listen = reader.text(value, "listen");
  if (listen.empty()) return;
  const std::size_t colon = listen.rfind(':');
  const auto port = colon == std::string::npos
                        ? std::nullopt
                        : parse_port(std::string_view(listen).substr(colon + 1));
  std::string address = listen.substr(0, std::min(colon, listen.size()));
  if (address.starts_with('[') && address.ends_with(']')) {
    address = address.substr(1, address.size() - 2);
  } else if (address.find(':') != std::string::npos) {
    address.clear();
  }
  if (!port || !AddressRange::parse(address) || address.find('/') != std::string::npos) {
    return reader.fail("listen",
                       "must be an address in numbers and a port: 127.0.0.1:37878, [::]:80");
  }
  file->address = address;
  file->port = *port;
}

void check_team_hosts(TeamReader& reader, const TeamFile& file) {
  if (file.hosts.empty() && !file.is_on_loopback()) {
    reader.fail("hosts",
                "is missing: a server that others reach must know by which names they ask for it");
  }
  for (std::size_t i = 0; i < file.hosts.size(); ++i) {
    if (file.hosts[i].find_first_of("/ \t*") == std::string::npos) continue;
    reader.fail(fmt::format("hosts[{}]", i),
                "must be a name or an address, without a port or path");
  }
  for (std::size_t i = 0; i < file.origins.size(); ++i) {
    const std::string& origin = file.origins[i];
    if (origin.find("://") != std::string::npos && !origin.ends_with('/')) continue;
    reader.fail(fmt::format("origins[{}]", i), "must be like https://code.example.com");
  }
}

void check_team_tokens(TeamReader& reader, const TeamFile& file) {
  std::set<std::string_view> names, hashes;
  for (std::size_t i = 0; i < file.tokens.size(); ++i) {
    const std::string place = fmt::format("tokens[{}]", i);
    if (!names.insert(file.tokens[i].name).second) {
      reader.fail(place + ".name", fmt::format("\"{}\" is there twice", file.tokens[i].name));
    }
    if (!hashes.insert(file.tokens[i].sha256).second) {
      reader.fail(place + ".sha256", "is another token's, too");
    }
  }
  if (file.tokens.empty() && !file.proxy) {
    reader.fail("tokens", "neither a token nor a proxy says who may ask");
  }
}

}  // namespace

bool TeamGrant::admits(std::string_view repository) const {
  return ask::Scope{.repositories = repositories}.admits(repository);
}

bool TeamFile::is_on_loopback() const {
  const auto at = AddressRange::parse(address);
  return at && at->has_loopback();
}

std::vector<std::string> TeamFile::admitted(const std::vector<TeamGrant>& grants) const {
  std::vector<std::string> names;
  for (const auto& each : repositories) {
    const std::string& name = each.first;
    if (std::ranges::any_of(grants, [&](const TeamGrant& one) { return one.admits(name); })) {
      names.push_back(name);
    }
  }
  return names;
}

std::optional<std::int64_t> parse_expiry(std::string_view text) {
  std::tm time{};
  int second = 59, minute = 59, hour = 23;
  constexpr std::size_t kDay = 10, kMoment = 20;
  if (text.size() != kDay && text.size() != kMoment) return std::nullopt;
  const auto number = [&](std::size_t at, std::size_t count, char after, int* into) {
    const char* const begin = text.data() + at;
    const auto [read_to, failed] = std::from_chars(begin, begin + count, *into);
    const bool goes_on = at + count < text.size();
    return failed == std::errc() && read_to == begin + count && *into >= 0 &&
           (goes_on ? text[at + count] == after : after == '\0');
  };
  const bool is_moment = text.size() == kMoment;
  int year = 0, month = 0, day = 0;
  bool is_good = number(0, 4, '-', &year) && number(5, 2, '-', &month) &&
                 number(8, 2, is_moment ? 'T' : '\0', &day);
  if (is_moment) {
    is_good = is_good && number(11, 2, ':', &hour) && number(14, 2, ':', &minute) &&
              number(17, 2, 'Z', &second);
  }
  if (!is_good || year < 1970 || hour > 23 || minute > 59 || second > 59) return std::nullopt;
  time.tm_year = year - 1900;
  time.tm_mon = month - 1;
  time.tm_mday = day;
  time.tm_hour = hour;
  time.tm_min = minute;
  time.tm_sec = second;
  const std::time_t seconds = ::timegm(&time);
  // timegm() accepts 31 April as 1 May.
  if (time.tm_mon != month - 1 || time.tm_mday != day) return std::nullopt;
  return static_cast<std::int64_t>(seconds);
}

Result<TeamFile> parse_team_file(std::string_view text, std::string_view name) {
  TeamReader reader(name);
  const auto parsed = JsonValue::parse(strip_json_comments(text));
  if (!parsed.ok()) {
    reader.fail("", parsed.error().message());
    return reader.error();
  }
  const JsonValue& root = *parsed;
  TeamFile file;
  if (!reader.is_object(root, "",
                        {"listen", "hosts", "origins", "data", "repositories", "tokens", "proxy",
                         "limits", "audit"})) {
    return reader.error();
  }
  read_team_listen(reader, root.member("listen"), &file);
  file.hosts = reader.texts(root.member("hosts"), "hosts");
  file.origins = reader.texts(root.member("origins"), "origins");
  const auto path = [&](const JsonValue& value, const char* place) {
    const fs::path given = reader.text(value, place);
    if (!given.empty() && !given.is_absolute()) reader.fail(place, "must be an absolute path");
    return given.lexically_normal();
  };
  file.data = path(root.member("data"), "data");
  if (file.data.empty()) file.data = user_directory() / "team";
  read_team_repositories(reader, root.member("repositories"), &file);
  const JsonValue tokens = root.member("tokens");
  if (!tokens.is_absent() && !tokens.is_array()) reader.fail("tokens", "must be a list");
  for (std::size_t i = 0; reader.ok() && i < tokens.size(); ++i) {
    file.tokens.push_back(read_team_token(reader, tokens.element(i), fmt::format("tokens[{}]", i)));
  }
  file.proxy = read_team_proxy(reader, root.member("proxy"));
  read_team_limits(reader, root.member("limits"), &file.limits);
  const JsonValue audit = root.member("audit");
  if (reader.is_object(audit, "audit", {"file", "arguments"})) {
    file.audit_file = path(audit.member("file"), "audit.file");
    file.audits_arguments = reader.flag(audit.member("arguments"), "audit.arguments");
    if (file.audit_file.empty()) reader.fail("audit.file", "is missing");
  }
  check_team_hosts(reader, file);
  check_team_tokens(reader, file);
  if (!reader.ok()) return reader.error();
  return file;
}

Result<TeamFile> read_team_file(const fs::path& path) {
  CODEXMEM_ASSIGN(const std::string text, read_trusted_file(path));
  CODEXMEM_ASSIGN(TeamFile file, parse_team_file(text, path.string()));
  std::error_code failed;
  CODEXMEM_TRY(check_team_folders(path.string(), fs::weakly_canonical(path, failed), &file));
  return file;
}

}  // namespace codexmem::serve
