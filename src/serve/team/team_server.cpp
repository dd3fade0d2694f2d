// The steps of a request: refuse() checks its head (Host and Origin, caller, rate, repository).
// Only then is the body read, and answer() looks up the caller again, because the file may have
// been reloaded meanwhile. An endpoint belongs to a caller, the caller's grants, and a repository:
// all three are in its key, so names that clients choose in one endpoint (sessions, streams,
// requests) cannot be used through another one.
//
// Tested by serve/team_server_test.cpp and, over HTTP, by tests/teamserver.
#include "serve/team/team_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <ctime>
#include <functional>
#include <map>
#include <mutex>
#include <utility>
#include <variant>
#include <vector>

#include "ask/context.h"
#include "base/access_token.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/random.h"
#include "base/text.h"
#include "mcp/http_endpoint.h"
#include "mcp/jsonrpc.h"
#include "mcp/protocol.h"
#include "mcp/session.h"
#include "serve/fleet_setup.h"
#include "serve/memory_setup.h"
#include "serve/repository.h"
#include "serve/served_repositories.h"
#include "serve/team/audit_log.h"
#include "serve/team/callers.h"
#include "serve/team/offer.h"
#include "serve/team/rate_limit.h"
#include "store/user/user_store.h"

namespace codexmem::serve {
namespace fs = std::filesystem;

namespace {

using net::ServedReply;
using net::ServedRequest;
using Steady = std::chrono::steady_clock;

constexpr std::size_t kMaxEndpoints = 512;
constexpr std::size_t kMaxSessions = 32;  // per endpoint
constexpr std::size_t kRequestIdDigits = 16;
constexpr std::size_t kNonceDigits = 24, kSealDigits = 32;
constexpr std::int64_t kSessionLifeSeconds = std::int64_t{7} * 24 * 3'600;

std::int64_t team_now() { return static_cast<std::int64_t>(std::time(nullptr)); }

using Inside = std::shared_ptr<std::atomic<int>>;

// Counts the holders. Nothing: there are already `most`.
std::optional<std::shared_ptr<void>> enter(const Inside& inside, int most) {
  if (inside->fetch_add(1) >= most) {
    --*inside;
    return std::nullopt;
  }
  return std::shared_ptr<void>(nullptr, [inside](void*) { --*inside; });
}

// The audit line of one request, written when its last holder releases it.
struct OpenEntry {
  AuditEntry entry;
  AuditLog* log = nullptr;  // may be null
  Steady::time_point began = Steady::now();
  bool is_of_stranger = false;

  ~OpenEntry() {
    if (log == nullptr) return;
    entry.ms = std::chrono::duration_cast<std::chrono::milliseconds>(Steady::now() - began).count();
    try {
      is_of_stranger ? log->write_of_stranger(entry) : log->write(entry);
    } catch (const std::exception& error) {
      log_error("audit log: {}", error.what());
    }
  }
};

// A request's id: the proxy's if it sends one, otherwise made here.
std::string request_id_of(const ServedRequest& head) {
  const auto given = head.header("X-Request-Id");
  constexpr std::size_t kMost = 64;
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  const bool is_good =
      given && !given->empty() && given->size() <= kMost && std::ranges::all_of(*given, is_plain);
  return is_good ? std::string(*given) : random_hex(kRequestIdDigits);
}

// Adds a body's data to the audit entry.
void note_message(const ServedRequest& request, bool with_arguments, AuditEntry* entry,
                  bool* listens) {
  if (request.method != "POST") return;
  const mcp::ParsedLine parsed = mcp::parse_line(request.body);
  const mcp::Message& message = parsed.messages.front();
  entry->method = parsed.batch ? "batch" : message.method;
  *listens = !parsed.batch && message.method == "subscriptions/listen";
  if (parsed.batch) {
    for (const mcp::Message& each : parsed.messages) {
      entry->tool += (entry->tool.empty() ? "" : ",") +
                     each.params.member("name").string().value_or(each.method);
    }
    return;
  }
  if (!message.id.is_null()) entry->rpc_id = message.id.json;
  const JsonValue name = message.params.member("name"), uri = message.params.member("uri");
  entry->tool = name.string().value_or(uri.string().value_or(""));
  if (with_arguments && !message.params.member("arguments").is_absent()) {
    entry->arguments = message.params.member("arguments").dump();
  }
}

// name := revision "." issued "." nonce "." seal. The seal covers the rest, the caller and the
// repository: any instance with the same file accepts the name, but only from that caller.
class SessionNames {
 public:
  SessionNames(const TeamCaller& caller, std::string repository)
      : key_("codexmem session " + caller.key),
        owner_(caller.name + '\n' + std::move(repository)) {}

  std::string make(std::string_view revision) const {
    const std::string name =
        fmt::format("{}.{:x}.{}", revision, team_now(), random_hex(kNonceDigits));
    return name + "." + seal(name);
  }

  // The revision; empty if the name is invalid or too old.
  std::string read(std::string_view name) const {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || name.size() > 128) return {};
    if (!is_same_secret(name.substr(dot + 1), seal(name.substr(0, dot)))) return {};
    const auto parts = split(name.substr(0, dot), '.');
    if (parts.size() != 3) return {};
    std::int64_t issued = 0;
    const char* const end = parts[1].data() + parts[1].size();
    if (std::from_chars(parts[1].data(), end, issued, 16).ptr != end) return {};
    if (team_now() - issued > kSessionLifeSeconds) return {};
    const auto& known = mcp::kHandshakeRevisions;
    return std::ranges::find(known, parts[0]) == known.end() ? std::string()
                                                             : std::string(parts[0]);
  }

 private:
  std::string seal(std::string_view name) const {
    return hmac_sha256_hex(key_, fmt::format("{}\n{}", name, owner_)).substr(0, kSealDigits);
  }

  const std::string key_, owner_;
};

// A caller's access to one repository.
struct Mount {
  TeamCaller caller;
  TeamGrant grant;
  std::string repository;
  fs::path root;
  std::shared_ptr<TeamOffer> offer;
  std::unique_ptr<mcp::HttpEndpoint> endpoint;  // ends before the offer
  std::atomic<bool> is_gone = false;            // closed because it is no longer granted
  Steady::time_point last_use = Steady::now();  // guarded by the server
};

std::string mount_key(const TeamCaller& caller, std::string_view repository) {
  // Neither part contains a line break.
  return fmt::format("{}\n{}", caller.name, repository);
}

// A stream and the objects it needs; the stream ends first.
struct KeptStream {
  std::vector<std::shared_ptr<void>> held;
  std::function<bool(const net::StreamSink&)> stream;
};

bool is_still_granted(const TeamFile& file, const Mount& mount) {
  const auto root = file.repositories.find(mount.repository);
  if (root == file.repositories.end() || root->second != mount.root) return false;
  const auto caller = find_team_caller_again(file, mount.caller, team_now());
  if (!caller) return false;
  const TeamGrant* const grant = caller->grant_for(mount.repository);
  return grant != nullptr && *grant == mount.grant && caller->key == mount.caller.key &&
         caller->expires == mount.caller.expires;
}

}  // namespace

struct TeamServer::Impl {
  Impl(fs::path from, std::shared_ptr<const TeamFile> read, std::unique_ptr<AuditLog> log,
       std::shared_ptr<fleet::Fleet> index)
      : path(std::move(from)),
        audit(std::move(log)),
        fleet(std::move(index)),
        started(*read),
        current(std::move(read)),
        repositories({.memory_use = [this](const fs::path& root) { return memory_of(root); },
                      .takes_roots = true,
                      .after_change = [this] { note_change(); },
                      .most = static_cast<std::size_t>(started.limits.open_repositories),
                      .idle = std::chrono::hours(24)}) {}
  ~Impl() { close(); }

  const fs::path path;
  const std::unique_ptr<AuditLog> audit;      // may be null
  const std::shared_ptr<fleet::Fleet> fleet;  // null: not configured
  const TeamFile started;                     // as it was at the start
  RateLimit rates;
  const Inside working = std::make_shared<std::atomic<int>>(0);
  const Inside streaming = std::make_shared<std::atomic<int>>(0);
  std::mutex reloading;  // one at a time

  std::mutex mutex;  // guards all members below, except the last
  std::shared_ptr<const TeamFile> current;
  std::map<std::string, Inside, std::less<>> streams_of;   // by caller
  std::map<std::string, std::weak_ptr<TeamOffer>> offers;  // by tools
  std::map<std::string, std::shared_ptr<Mount>> mounts;    // empty after close()
  bool is_closed = false;

  ServedRepositories repositories;  // last: its threads use the other members

  std::shared_ptr<const TeamFile> file() {
    const std::lock_guard lock(mutex);
    return current;
  }

  MemoryUse memory_of(const fs::path& root) {
    MemoryUse use{.folder = root, .bears_trouble = true};
    for (const auto& [name, path_of] : file()->repositories) {
      if (path_of != root) continue;
      use.own_store = started.data / name;
      use.own_project = name;
    }
    // A call from before a reload; nobody has this grant any more.
    if (use.own_store.empty()) use.own_store = started.data / ".gone";
    if (use.own_project.empty()) use.own_project = "gone";
    return use;
  }

  void note_change() {
    std::vector<std::shared_ptr<TeamOffer>> there;
    {
      const std::lock_guard lock(mutex);
      if (is_closed) return;
      for (const auto& [tools, offer] : offers) {
        if (auto one = offer.lock()) there.push_back(std::move(one));
      }
    }
    for (const auto& offer : there) offer->server().look_at_resources();
  }

  // The services for the calls of a mount.
  std::shared_ptr<ask::Services> services_of(const TeamCaller& caller, const TeamGrant& grant,
                                             const fs::path& root) {
    struct Both {
      std::shared_ptr<ask::Services> own;
      ask::Services seen;
    };
    auto both = std::make_shared<Both>();
    both->own = repositories.at(root);
    both->seen = *both->own;
    if (!grant.sees_memory) both->seen.memory = nullptr;
    const bool writes = grant.writes_memory;
    both->seen.caller =
        memory::Caller{.role = writes ? grant.role : memory::Role::kViewer,
                       .why_viewer = writes ? std::string() : "this caller may not write memory"};
    both->seen.scope = ask::Scope{.caller = caller.name, .repositories = grant.fleet};
    both->seen.fleet = grant.fleet.empty() ? nullptr : fleet;
    return {both, &both->seen};
  }

  // The caller's own endpoint for `repository`. Errors: as TeamOffer::make(); kCancelled when the
  // server is closing; kBusy when `now` is no longer current.
  Result<std::shared_ptr<Mount>> mount_for(const TeamFile& now, const TeamCaller& caller,
                                           const std::string& repository) {
    std::vector<std::shared_ptr<Mount>> gone;  // destroyed without the lock
    const TeamGrant& grant = *caller.grant_for(repository);
    const std::string key = mount_key(caller, repository);
    const std::lock_guard lock(mutex);
    if (is_closed) return Error{ErrorCode::kCancelled, "the server is stopping"};
    if (current.get() != &now) return Error{ErrorCode::kBusy, "the file was read again"};
    auto& place = mounts[key];
    if (place != nullptr && (place->grant != grant || place->caller.key != caller.key ||
                             place->root != now.repositories.find(repository)->second)) {
      gone.push_back(std::exchange(place, nullptr));
    }
    if (place == nullptr) {
      auto made = make_mount(now, caller, grant, repository);
      if (!made.ok()) {
        mounts.erase(key);
        return std::move(made).error();
      }
      place = *std::move(made);
    }
    place->last_use = Steady::now();
    std::shared_ptr<Mount> found = place;
    drop_idle(gone);
    return found;
  }

  // With the mutex held.
  Result<std::shared_ptr<Mount>> make_mount(const TeamFile& now, const TeamCaller& caller,
                                            const TeamGrant& grant, const std::string& repository) {
    auto mount = std::make_shared<Mount>();
    mount->caller = caller;
    mount->grant = grant;
    mount->repository = repository;
    mount->root = now.repositories.find(repository)->second;
    std::erase_if(offers, [](const auto& each) { return each.second.expired(); });
    mount->offer = offers[grant.tools].lock();
    if (mount->offer == nullptr) {
      CODEXMEM_ASSIGN(mount->offer, TeamOffer::make(grant.tools, started.limits.work_at_once));
      offers[grant.tools] = mount->offer;
    }
    const auto names = std::make_shared<const SessionNames>(caller, repository);
    mount->endpoint = std::make_unique<mcp::HttpEndpoint>(
        mount->offer->server(),
        mcp::HttpEndpointOptions{
            .max_sessions = kMaxSessions,
            .services = [this, caller, grant, root = mount->root](
                            const ServedRequest&, mcp::Session&) -> Result<mcp::ServicesSource> {
              return mcp::ServicesSource(
                  [this, caller, grant, root] { return services_of(caller, grant, root); });
            },
            .name_session = [names](std::string_view revision) { return names->make(revision); },
            .revision_of = [names](std::string_view id) { return names->read(id); }});
    return mount;
  }

  // With the mutex held: closes the least recently used ones while there are too many.
  void drop_idle(std::vector<std::shared_ptr<Mount>>& gone) {
    while (mounts.size() > kMaxEndpoints) {
      auto oldest = mounts.end();
      for (auto each = mounts.begin(); each != mounts.end(); ++each) {
        if (each->second.use_count() > 1) continue;  // a request is running
        if (oldest == mounts.end() || each->second->last_use < oldest->second->last_use) {
          oldest = each;
        }
      }
      if (oldest == mounts.end()) return;
      gone.push_back(std::move(oldest->second));
      mounts.erase(oldest);
    }
  }

  std::shared_ptr<OpenEntry> begin_entry(const ServedRequest& head) const {
    auto open = std::make_shared<OpenEntry>();
    open->log = audit.get();
    open->entry.request = request_id_of(head);
    open->entry.address = head.peer_address;
    open->entry.http = fmt::format("{} {}", head.method, head.path);
    return open;
  }

  static ServedReply finished(ServedReply reply, OpenEntry& open) {
    open.entry.status = reply.status;
    reply.headers.push_back({"X-Request-Id", open.entry.request});
    return reply;
  }

  static ServedReply later(int status, int seconds, std::string_view why) {
    ServedReply reply = team_refusal(status, why);
    reply.headers.push_back({"Retry-After", std::to_string(seconds)});
    return reply;
  }

  static bool is_health(const ServedRequest& head) {
    return head.path == "/health" && (head.method == "GET" || head.method == "HEAD");
  }

  // Checks everything about `head` except the rate; sets `caller` and `repository` as far as they
  // are found.
  std::optional<ServedReply> judge(const TeamFile& now, const ServedRequest& head,
                                   std::optional<TeamCaller>* caller, std::string* repository) {
    if (auto refused = refuse_team_head(now, head)) return refused;
    auto found = find_team_caller(now, head, team_now());
    if (auto* const refused = std::get_if<ServedReply>(&found)) return std::move(*refused);
    *caller = std::get<TeamCaller>(std::move(found));
    if (head.path != "/mcp") return team_refusal(404, "MCP is at /mcp");
    auto chosen = choose_team_repository(now, **caller, head);
    if (auto* const refused = std::get_if<ServedReply>(&chosen)) return std::move(*refused);
    *repository = std::get<std::string>(std::move(chosen));
    return std::nullopt;
  }

  std::optional<ServedReply> refuse(const ServedRequest& head) {
    if (is_health(head)) return std::nullopt;
    const auto now = file();
    std::optional<TeamCaller> caller;
    std::string repository;
    auto refused = judge(*now, head, &caller, &repository);
    if (caller) {
      const auto& own = caller->grants.front().rate;
      if (const int wait = rates.take(caller->name, own.value_or(now->limits.rate)); wait > 0) {
        refused = later(429, wait, "you ask too often");
      }
    }
    if (!refused) return std::nullopt;
    const auto open = begin_entry(head);
    open->is_of_stranger = !caller;
    open->entry.caller = caller ? caller->name : "";
    open->entry.why = refused->body;
    return finished(*std::move(refused), *open);
  }

  void note_unread(const ServedRequest& head, int status) {
    if (is_health(head)) return;
    std::optional<TeamCaller> caller;
    const auto open = begin_entry(head);
    judge(*file(), head, &caller, &open->entry.repository);
    open->is_of_stranger = !caller;
    open->entry.caller = caller ? caller->name : "";
    open->entry.status = status;
    open->entry.why = "the request did not come whole, or is too large";
  }

  ServedReply answer(const ServedRequest& request) {
    if (is_health(request)) return health();
    const auto open = begin_entry(request);
    std::shared_ptr<const TeamFile> now;
    std::optional<TeamCaller> caller;
    Result<std::shared_ptr<Mount>> mount = Error{ErrorCode::kBusy, ""};
    while (!mount.ok() && mount.error().code() == ErrorCode::kBusy) {
      now = file();  // it may have been reloaded since refuse()
      if (auto refused = judge(*now, request, &caller, &open->entry.repository)) {
        return finished(*std::move(refused), *open);
      }
      mount = mount_for(*now, *caller, open->entry.repository);
    }
    if (!mount.ok()) return finished(team_refusal(503, mount.error().message()), *open);
    open->entry.caller = caller->name;
    bool listens = request.method == "GET";
    note_message(request, now->audits_arguments, &open->entry, &listens);
    const auto kept = std::make_shared<KeptStream>();
    kept->held = {open, *mount};
    if (auto refused = let_in(*now, *caller, listens, &kept->held)) {
      return finished(*std::move(refused), *open);
    }
    ServedReply reply = (*mount)->endpoint->handle(request);
    if (reply.status == 503 && (*mount)->is_gone) {
      reply = later(503, 1, "what you may see has changed: ask again");
    }
    if (reply.stream) {
      kept->stream = std::move(reply.stream);
      reply.stream = [kept, expires = caller->expires](const net::StreamSink& sink) {
        return (!expires || team_now() <= *expires) && kept->stream(sink);
      };
    }
    return finished(std::move(reply), *open);
  }

  // Reserves a place for the request, kept in `held`; or returns the refusal.
  std::optional<ServedReply> let_in(const TeamFile& now, const TeamCaller& caller, bool listens,
                                    std::vector<std::shared_ptr<void>>* held) {
    const auto takes = [&](const Inside& inside, int most) {
      auto place = enter(inside, most);
      if (place) held->push_back(*std::move(place));
      return place.has_value();
    };
    if (!listens) {
      if (takes(working, now.limits.work_at_once)) return std::nullopt;
      return later(503, 1, "too much is asked at once");
    }
    Inside own;
    {
      const std::lock_guard lock(mutex);
      std::erase_if(streams_of, [](const auto& each) { return each.second->load() == 0; });
      auto& place = streams_of[caller.name];
      if (place == nullptr) place = std::make_shared<std::atomic<int>>(0);
      own = place;
    }
    if (!takes(own, now.limits.streams_a_caller)) {
      return later(429, 5, "you have too many streams open");
    }
    if (!takes(streaming, now.limits.streams)) return later(503, 5, "too many streams are open");
    return std::nullopt;
  }

  ServedReply health() {
    const std::lock_guard lock(mutex);
    ServedReply reply = team_refusal(is_closed ? 503 : 200, "");
    reply.body = is_closed ? R"({"status":"stopping"})" : R"({"status":"ok"})";
    return reply;
  }

  Result<void> reload() {
    const std::lock_guard one_at_a_time(reloading);
    if (audit != nullptr) audit->reopen();
    CODEXMEM_ASSIGN(TeamFile read, read_team_file(path));
    if (read.data != started.data || read.audit_file != started.audit_file) {
      return Error{
          ErrorCode::kInvalidArgument,
          fmt::format("{}: data and audit.file can change only at a new start", path.string())};
    }
    if (read.address != started.address || read.port != started.port ||
        read.limits.request_bytes != started.limits.request_bytes ||
        read.limits.request_seconds != started.limits.request_seconds ||
        read.limits.open_repositories != started.limits.open_repositories) {
      log_warn(
          "{}: listen, requestBytes, requestSeconds and openRepositories change at a new start",
          path.string());
    }
    std::vector<std::shared_ptr<Mount>> gone;
    {
      const std::lock_guard lock(mutex);
      current = std::make_shared<const TeamFile>(std::move(read));
      for (auto each = mounts.begin(); each != mounts.end();) {
        const bool stays = is_still_granted(*current, *each->second);
        if (!stays) gone.push_back(std::move(each->second));
        each = stays ? std::next(each) : mounts.erase(each);
      }
    }
    for (const auto& mount : gone) {
      mount->is_gone = true;
      mount->endpoint->close();
    }
    return {};
  }

  void close() {
    std::map<std::string, std::shared_ptr<Mount>> all;
    {
      const std::lock_guard lock(mutex);
      is_closed = true;
      all.swap(mounts);
    }
    for (const auto& [key, mount] : all) mount->endpoint->close();
  }
};

Result<std::unique_ptr<TeamServer>> TeamServer::open(const fs::path& path) {
  CODEXMEM_ASSIGN(TeamFile file, read_team_file(path));
  CODEXMEM_TRY(make_private_folder(file.data));
  CODEXMEM_TRY(store::prepare_user_directory(file.data));
  std::unique_ptr<AuditLog> audit;
  if (!file.audit_file.empty()) {
    CODEXMEM_ASSIGN(audit, AuditLog::open(file.audit_file));
  }
  CODEXMEM_ASSIGN(auto fleet, set_up_fleet(load_settings({})));
  return std::unique_ptr<TeamServer>(
      new TeamServer(std::make_unique<Impl>(path, std::make_shared<const TeamFile>(std::move(file)),
                                            std::move(audit), std::move(fleet))));
}

TeamServer::TeamServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TeamServer::~TeamServer() = default;

net::HttpServerOptions TeamServer::http_options() {
  const TeamFile& file = impl_->started;
  return {
      .threads = 224,  // each stream and each running call may hold one
      .max_body_bytes = file.limits.request_bytes,
      .request_timeout = std::chrono::seconds(file.limits.request_seconds),
      .address = file.address,
      .serves_anyone = true,
      .refuse = [this](const ServedRequest& head) { return refuse(head); },
      .note_unread = [this](const ServedRequest& head, int status) { note_unread(head, status); }};
}

int TeamServer::port() const { return impl_->started.port; }
std::optional<ServedReply> TeamServer::refuse(const ServedRequest& head) {
  return impl_->refuse(head);
}
ServedReply TeamServer::answer(const ServedRequest& request) { return impl_->answer(request); }
void TeamServer::note_unread(const ServedRequest& head, int status) {
  impl_->note_unread(head, status);
}
Result<void> TeamServer::reload() { return impl_->reload(); }
void TeamServer::close() { impl_->close(); }

}  // namespace codexmem::serve
