#include "serve/served_server.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

#include "serve/repository.h"
#include "serve/served_repositories.h"
#include "serve/tool_choice.h"
#include "base/access_token.h"
#include "base/log.h"
#include "base/text.h"
#include "mcp/product_resources.h"
#include "mcp/prompts.h"
#include "ask/context.h"
#include "ask/united.h"
#include "mcp/session.h"
#include "mcp/tools.h"

namespace codexmem::serve {
namespace fs = std::filesystem;

std::vector<std::string> names_of(const mcp::ToolTable& tools, std::string_view profile) {
  std::vector<std::string> names = tools.names();
  std::erase_if(names, [&](const std::string& name) {
    return !ask::is_in_group(tools.find(name)->groups, profile);
  });
  return names;
}

Result<mcp::ToolTable> selected_tools(const Settings& settings, memory::Role role) {
  const ToolChoice choice = choose_tools(settings);
  for (const SettingProblem& problem : choice.problems) log_warn("{}", problem.text());
  const bool has_secret = !settings.of_user().value("AGENT_MEMORY_SECRET").empty();
  return mcp::ToolTable::make(
      role == memory::Role::kViewer ? mcp::tools_of_viewer(has_secret) : mcp::tools(),
      choice.selection, choice.refusal);
}

namespace {

// For calls right behind `initialized`; a client answers in milliseconds.
constexpr std::chrono::milliseconds kRootsTime{2'000};

bool proves(const net::ServedRequest& request, std::string_view secret) {
  constexpr std::string_view kScheme = "bearer ";
  const std::string_view given = request.header("Authorization").value_or("");
  return !secret.empty() && to_lower_ascii(given.substr(0, kScheme.size())) == kScheme &&
         is_same_secret(trim(given.substr(kScheme.size())), secret);
}

}  // namespace

struct ServedServer::Impl {
  Impl(mcp::ToolTable tools, Options given)
      : memory(given.memory),
        project(std::move(given.project)),
        has_code(!names_of(tools, "code").empty()),
        takes_folder(given.takes_folder),
        root(std::move(given.root)),
        prefers_roots(given.prefers_roots),
        members(std::move(given.members)),
        chosen(given.home),
        secret(std::move(given.secret)),
        repositories({.role = given.role,
                      .has_code = has_code && (given.workspace == nullptr || prefers_roots),
                      .memory = given.memory,
                      .is_for_all = given.is_for_all,
                      .after_change = [this] { note_change(); },
                      .fleet = given.fleet}) {
    services.memory = memory;
    services.fleet = std::move(given.fleet);
    services.missing_code = std::move(given.missing_code);
    if (given.workspace != nullptr) {
      others = std::make_unique<ServedRepositories>(
          ServedRepositories::Options{.has_code = has_code,
                                      .memory = given.memory,
                                      .is_for_all = given.is_for_all,
                                      .after_change = [this] { note_change(); }});
      repository = std::make_unique<ServedRepository>(
          std::move(given.workspace), std::move(given.provider),
          ServedRepository::Options{.watches = given.watches,
                                    .after_change = [this] { note_change(); }});
      services.code = &repository->code();
    }
    auto options = mcp::server_options(CODEXMEM_VERSION, tools);
    if (services.code == nullptr || project || prefers_roots) options.roots_time = kRootsTime;
    options.services = [this] { return by_roots({}); };
    options.on_roots = [this](mcp::Session& session, const std::vector<mcp::Root>&) {
      follow(session);
    };
    prompts = mcp::prompts_for(tools);
    server = std::make_unique<mcp::Server>(mcp::Offer{.tools = std::move(tools),
                                                      .resources = has_code ? &resources : nullptr,
                                                      .prompts = prompts},
                                           &services, std::move(options));
    const std::lock_guard lock(notifying);
    notified = server.get();
  }
  // Running threads of the server use the other members, which may still notify it of changes.
  ~Impl() {
    {
      const std::lock_guard lock(notifying);
      notified = nullptr;
    }
    server->close();
    server.reset();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void note_change() {
    const std::lock_guard lock(notifying);
    if (notified != nullptr) notified->look_at_resources();
  }

  // Called once: the session's services follow its roots from then on.
  void follow(mcp::Session& session) {
    if (session.has_services()) return;
    session.set_services([this, peer = session.weak_from_this()] { return by_roots(peer); });
  }

  // Null: use the server's services.
  std::shared_ptr<ask::Services> by_roots(const std::weak_ptr<mcp::Session>& peer) {
    const auto session = peer.lock();
    const auto roots = session ? session->roots() : nullptr;
    const std::vector<fs::path> folders = roots ? folders_of(*roots) : std::vector<fs::path>();
    // Each call tries again: the problem may be temporary.
    if (!root.empty() && (folders.empty() || !prefers_roots)) {
      auto own = changed(repositories.at(root), [this](ask::Services& seen) {
        seen.memory = memory;
        if (seen.missing_code.empty()) seen.missing_code = services.missing_code;
      });
      return with_others(std::move(own), {});
    }
    return with_others(folders.empty() ? nullptr : services_at(folders.front()), folders);
  }

  // The same for the repository at `folder`.
  std::shared_ptr<ask::Services> at_folder(const fs::path& folder) {
    return with_others(repositories.at(folder), {});
  }

  // `own`, or the server's services if it is null, with the other repositories of the workspace:
  // the server's own, the one of the roots `folders`, or the one of a workspace file.
  std::shared_ptr<ask::Services> with_others(std::shared_ptr<ask::Services> own,
                                             const std::vector<fs::path>& folders) {
    if (!has_code) return own;
    const ask::Services& alone = own ? *own : services;
    fs::path home;
    if (alone.code != nullptr) home = alone.code->workspace.root();
    std::vector<WorkspaceMember> found = members;
    // If a repository was named, roots do not choose one.
    bool is_of_roots = false;  // then the first root is only the default
    if (found.empty() && folders.size() > 1 && (services.code == nullptr || project)) {
      found = list_members(folders);
      is_of_roots = true;
    }
    const auto has_home = [&] {
      return std::ranges::any_of(found, [&](const auto& each) { return each.root == home; });
    };
    if (found.size() < 2 || (members.empty() && !home.empty() && !has_home())) {
      found = home.empty() ? std::vector<WorkspaceMember>() : find_workspace(home);
      is_of_roots = false;
    }
    if (found.size() < 2) return own;
    return united(std::move(own), found, home, is_of_roots ? ask::Home::kFirst : chosen);
  }

  // The services for queries about `found`; `alone` are the services for one of them, at `home`, or
  // for none. `chosen` says whether that one was chosen explicitly.
  std::shared_ptr<ask::Services> united(std::shared_ptr<ask::Services> alone,
                                        const std::vector<WorkspaceMember>& found, fs::path home,
                                        ask::Home chosen) {
    struct Whole {
      std::vector<std::shared_ptr<ask::Services>> all;
      std::optional<ask::UnitedCode> united;
      ask::Services seen;
    };
    auto whole = std::make_shared<Whole>();
    whole->seen = alone ? *alone : services;
    whole->all.push_back(std::move(alone));
    std::vector<ask::UnitedRepository> repositories_of;
    bool has_home = false;
    for (const WorkspaceMember& member : found) {
      ask::UnitedRepository one{member.name, member.root, nullptr, member.missing};
      if (whole->seen.code != nullptr && member.root == home) {
        has_home = true;
        one.code = whole->seen.code;
        one.missing.clear();
      } else if (one.missing.empty()) {
        whole->all.push_back((others ? *others : repositories).at_root(member.root));
        one.code = whole->all.back()->code;
        one.missing = whole->all.back()->missing_code;
      }
      repositories_of.push_back(std::move(one));
    }
    if (!has_home) {
      const auto first = std::ranges::find_if(repositories_of,
                                              [](const auto& one) { return one.code != nullptr; });
      if (first == repositories_of.end()) return whole->all.front();
      home = first->root;
      chosen = ask::Home::kFirst;
      whole->seen.code = first->code;
    }
    whole->seen.missing_code.clear();
    whole->united.emplace(std::move(repositories_of), home, chosen);
    whole->seen.code = &whole->united->code();
    return {whole, &whole->seen};
  }

  Result<mcp::ServicesSource> choose(const net::ServedRequest& request, mcp::Session& session) {
    std::optional<fs::path> folder;
    if (const auto named = request.query("repository"); takes_folder && named) {
      folder = fs::path(*named);
      std::error_code failed;
      if (!folder->is_absolute() || !fs::is_directory(*folder, failed)) {
        return Error{ErrorCode::kInvalidArgument,
                     "repository must be the absolute path of a folder"};
      }
    }
    return mcp::ServicesSource(
        [this, folder, proven = proves(request, secret), peer = session.weak_from_this()]() {
          auto own = folder ? at_folder(*folder) : by_roots(peer);
          if (proven) return own;
          return changed(std::move(own), [this](ask::Services& seen) { seen.caller = viewer(); });
        });
  }

  // Why other callers may not write decisions.
  memory::Caller viewer() const {
    return {.why_viewer = secret.empty() ? "AGENT_MEMORY_SECRET is not set"
                                         : "over HTTP a request has to carry the secret, as "
                                           "Authorization: Bearer"};
  }

  // A changed copy of `own`, or of the server's services.
  template <typename Change>
  std::shared_ptr<ask::Services> changed(std::shared_ptr<ask::Services> own, Change change) {
    struct Both {
      std::shared_ptr<ask::Services> own;
      ask::Services seen;
    };
    auto both = std::make_shared<Both>();
    both->seen = own ? *own : services;
    both->own = std::move(own);
    change(both->seen);
    return {both, &both->seen};
  }

  // Null: use the server's services.
  std::shared_ptr<ask::Services> services_at(const fs::path& folder) {
    if (services.code == nullptr) return repositories.at(folder);
    if (prefers_roots) {
      const auto named = find_root(folder);
      const bool is_own = named.ok() && *named == services.code->workspace.root();
      return is_own ? nullptr : repositories.at(folder);
    }
    if (!project || find_project_place(folder) == *project) return nullptr;
    // The code that all clients query, and the memory of this client's project.
    return changed(repositories.at(folder), [this](ask::Services& seen) {
      seen.code = services.code;
      seen.missing_code.clear();
    });
  }

  memory::LazyMemory* const memory;
  const std::optional<ProjectPlace> project;
  const bool has_code, takes_folder;
  const fs::path root;                         // from Options
  const bool prefers_roots;                    // from Options
  const std::vector<WorkspaceMember> members;  // from Options
  const ask::Home chosen;                      // from Options::home
  const std::string secret;
  std::mutex notifying;             // guards `notified`
  mcp::Server* notified = nullptr;  // null before it exists and after it ends
  ask::Services services;
  const mcp::ProductResources resources;
  std::vector<mcp::Prompt> prompts;
  std::unique_ptr<ServedRepository> repository;
  ServedRepositories repositories;
  std::unique_ptr<ServedRepositories> others;  // for `repository`, in a workspace; may be null
  std::unique_ptr<mcp::Server> server;
};

ServedServer::ServedServer(mcp::ToolTable tools, Options options)
    : impl_(std::make_unique<Impl>(std::move(tools), std::move(options))) {}
ServedServer::~ServedServer() = default;

mcp::Server& ServedServer::server() { return *impl_->server; }

ServedRepositories& ServedServer::repositories() { return impl_->repositories; }

Result<mcp::ServicesSource> ServedServer::services_of(const net::ServedRequest& request,
                                                      mcp::Session& session) {
  return impl_->choose(request, session);
}

}  // namespace codexmem::serve
