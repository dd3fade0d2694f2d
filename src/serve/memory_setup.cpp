#include "serve/memory_setup.h"

#include <fmt/core.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "config/git_root.h"
#include "base/log.h"
#include "text/name_list.h"
#include "config/project.h"
#include "config/user_directory.h"
#include "embed/chroma.h"
#include "embed/static_model.h"
#include "ask/cited_code.h"
#include "ask/memory_branches.h"
#include "ask/team.h"
#include "memory/decisions/decision_roles.h"
#include "memory/vector_backend.h"
#include "net/http_client.h"
#include "store/user/shared_files.h"
#include "store/user/user_store.h"
#include "serve/repository.h"

namespace codexmem::serve {
namespace fs = std::filesystem;

namespace {

std::string asked_role(const MemoryUse& use, const ReadSetting& setting) {
  return use.role.empty() ? setting("CODEXMEM_ROLE") : use.role;
}

Result<memory::Caller> find_caller(const MemoryUse& use, const Settings& settings,
                                   std::vector<std::string>* warnings) {
  const ReadSetting setting = settings.reader();
  const std::string name = asked_role(use, setting);
  if (const std::string why = settings.why_unknown("CODEXMEM_ROLE");
      use.role.empty() && !why.empty()) {
    return Error{ErrorCode::kInvalidArgument, fmt::format("the role is not known: {}", why)};
  }
  const std::optional<memory::Role> wanted = memory::parse_role(name);
  if (!name.empty() && !wanted) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("the role must be viewer, agent or admin, got \"{}\"", name)};
  }
  const memory::GrantedRole granted = memory::grant_role(
      wanted, {setting("AGENT_MEMORY_SECRET"), setting("AGENT_MEMORY_SECRET_SHA256")},
      use.is_at_shell ? memory::Role::kAdmin : memory::Role::kAgent);
  if (!granted.warning.empty()) warnings->push_back(granted.warning);
  return memory::Caller{granted.role, use.is_at_shell, granted.reason};
}

// True if other projects are hidden.
Result<bool> read_isolation(const MemoryUse& use, const Settings& settings) {
  if (use.is_of_all_projects) return false;
  if (const std::string why = settings.why_unknown("CODEXMEM_SCOPE"); !why.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("whether other projects may be shown is not known: {}", why)};
  }
  const std::string scope = settings.value("CODEXMEM_SCOPE");
  if (!scope.empty() && scope != "project" && scope != "all") {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("CODEXMEM_SCOPE must be project or all, got \"{}\"", scope)};
  }
  return scope == "project";
}

// The memory's directory.
Result<fs::path> memory_directory() {
  fs::path directory = user_directory();
  if (directory.empty() || !directory.is_relative()) return directory;
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("the memory's folder (CODEXMEM_DATA_DIR, else HOME) must be an absolute "
                           "path, got \"{}\"",
                           directory.string())};
}

// Sets where vectors are searched. Every answer reports a server that cannot be used.
Result<void> choose_backend(const ReadSetting& setting, memory::MemoryOptions* options) {
  const std::string name = setting("CODEXMEM_VECTOR_BACKEND");
  const auto backend = memory::parse_vector_backend(name);
  if (!name.empty() && !backend) {
    return Error{
        ErrorCode::kInvalidArgument,
        fmt::format("CODEXMEM_VECTOR_BACKEND must be sqlite, chroma or hybrid, got \"{}\"", name)};
  }
  options->recall.backend = backend.value_or(memory::VectorBackend::kSqlite);
  embed::ChromaOptions chroma;
  chroma.url = setting("CODEXMEM_CHROMA_URL");
  chroma.token = setting("CODEXMEM_CHROMA_TOKEN");
  options->chroma_collection = setting("CODEXMEM_CHROMA_COLLECTION");
  if (chroma.url.empty()) {
    if (options->recall.backend != memory::VectorBackend::kSqlite) {
      options->recall.missing_chroma = "CODEXMEM_CHROMA_URL is not set";
    }
  } else if (net::host_of(chroma.url).empty()) {
    options->recall.missing_chroma = "CODEXMEM_CHROMA_URL is not an http:// or https:// address";
  } else if (!options->chroma_collection.empty() &&
             !embed::is_chroma_collection_name(options->chroma_collection)) {
    options->recall.missing_chroma =
        "CODEXMEM_CHROMA_COLLECTION must have 3 to 512 ASCII letters, digits, \".\", \"_\" or "
        "\"-\", letters or digits at both ends";
  } else {
    options->chroma = std::make_shared<embed::Chroma>(std::move(chroma));
  }
  return {};
}

// The built-in model is loaded when the memory is opened, not when the program starts; a project is
// recorded from then on (config/project.h).
Result<std::unique_ptr<memory::Memory>> open_memory(memory::MemoryOptions options,
                                                    const ProjectPlace& place, bool is_built_in) {
  if (options.project.empty()) options.project = project_of(place, options.directory);
  if (is_built_in) {
    auto model = embed::StaticModel::built_in();
    if (model.ok()) {
      options.embedder = embed::make_static_embedder(*std::move(model));
    } else {
      options.recall.missing_model = model.error().message();
    }
  }
  return memory::Memory::open(std::move(options));
}

}  // namespace

Result<MemorySetup> set_up_memory(const MemoryUse& use, const EmbeddingProvider& of_code,
                                  const Settings& settings) {
  const ReadSetting setting = settings.reader();
  const EmbeddingProvider provider =
      settings.origin("CODEXMEM_EMBEDDING_PROVIDER") == SettingOrigin::kProject
          ? choose_provider(settings.of_user().reader())
          : of_code;
  MemorySetup setup;
  memory::MemoryOptions options;
  const bool is_own = !use.own_store.empty();
  const auto directory = is_own ? Result<fs::path>(use.own_store) : memory_directory();
  const auto is_isolated = is_own ? Result<bool>(true) : read_isolation(use, settings);
  if (!directory.ok() || !is_isolated.ok()) {
    const Error trouble = directory.ok() ? is_isolated.error() : directory.error();
    if (!use.bears_trouble) return trouble;
    setup.warnings.push_back(trouble.message());
    setup.memory = std::make_unique<memory::LazyMemory>(
        user_directory(),
        [trouble]() -> Result<std::unique_ptr<memory::Memory>> { return trouble; });
    return setup;
  }
  options.directory = *directory;
  options.is_isolated = *is_isolated;
  options.embedder = provider.embedder;
  options.is_immediate = provider.is_built_in();
  options.recall.missing_model = provider.problem;
  options.project = is_own ? use.own_project : setting("CODEXMEM_PROJECT");
  // The worker's own data directory is not a project.
  const ProjectPlace place =
      find_project_place(use.folder == options.directory ? fs::path() : use.folder);
  options.root = is_own ? use.folder : git_root(use.folder);
  std::error_code failed;
  if (options.root.empty()) options.root = fs::weakly_canonical(use.folder, failed);
  options.maintains = use.maintains;
  // A worker is asked about many repositories, each with its own settings.
  options.branches = ask::branch_source([](const fs::path& root) {
    return load_settings(root).value("CODEXMEM_MEMORY_BRANCHES") == "staged";
  });
  options.is_of_all_projects = use.is_of_all_projects;
  if (options.root != options.directory) {
    options.look_around = [](memory::Memory& memory, const memory::CiteText& cite) -> Result<void> {
      CODEXMEM_TRY(ask::take_in_team(memory, cite));
      return {};
    };
  }
  if (is_own) {
    // Rows on a vector server do not say which store they belong to.
  } else if (auto chosen = choose_backend(setting, &options); !chosen.ok()) {
    if (!use.bears_trouble) return std::move(chosen).error();
    setup.warnings.push_back(chosen.error().message());
    options.recall.backend = memory::VectorBackend::kChroma;
    options.recall.missing_chroma = chosen.error().message();
  }
  auto caller = find_caller(use, settings, &setup.warnings);
  if (const auto read = memory::read_settings(setting, &options.decisions); !read.ok()) {
    caller = read.error();
  }
  if (!caller.ok()) {
    if (!use.bears_trouble) return std::move(caller).error();
    setup.warnings.push_back(caller.error().message());
    caller = memory::Caller{.why_viewer = caller.error().message()};
  }
  options.caller = *std::move(caller);
  setup.role = options.caller.role;
  options.excluded_projects = read_comma_list(setting("CODEXMEM_EXCLUDED_PROJECTS"));
  // A caller who asked to be a viewer writes nothing on its own; one without a secret is treated
  // like everyone else.
  options.leaves_traces =
      use.is_of_all_projects ||
      (!is_own && memory::parse_role(asked_role(use, setting)) != memory::Role::kViewer &&
       !matches_any(options.excluded_projects, options.project) &&
       !matches_any(options.excluded_projects, find_project(place, options.directory)));
  if (is_own) options.decisions.files.clear();  // they belong to the user, not to each store
  // Shared by all open memories of a server: the wait is between writes of the process.
  static const auto last_write = std::make_shared<std::atomic<std::int64_t>>(memory::kNeverWritten);
  options.decisions.last_write_ms = last_write;
  setup.memory = std::make_unique<memory::LazyMemory>(
      *directory, [options = std::move(options), place, is_built_in = provider.is_built_in()] {
        return open_memory(options, place, is_built_in);
      });
  return setup;
}

std::optional<memory::TakenIn> take_in_team(store::Workspace& workspace,
                                            const EmbeddingProvider& provider,
                                            const Settings& settings) {
  const auto take_in = [&]() -> Result<memory::TakenIn> {
    // Create nothing, and load no model, unless the user has enabled it.
    std::error_code failed;
    const fs::path shared = workspace.root() / memory::kSharedFolder;
    memory::TakenIn unread;
    unread.shared = fs::is_directory(shared, failed) ? 1 : 0;
    {
      CODEXMEM_ASSIGN(const auto looked, store::UserStore::open_to_look(user_directory()));
      if (looked == nullptr) return unread;
      // Opening git's data takes longer than all else when nothing has changed.
      CODEXMEM_ASSIGN(const bool is_answered, store::has_shared_repositories(*looked));
      if (!is_answered) return unread;
      CODEXMEM_ASSIGN(unread.is_on, store::reads_shared_files(
                                        *looked, ask::team_place_of(workspace.root()).repository));
      if (!unread.is_on.value_or(false)) return unread;
    }
    CODEXMEM_ASSIGN(
        const MemorySetup setup,
        set_up_memory({.folder = workspace.root(), .is_at_shell = true}, provider, settings));
    CODEXMEM_ASSIGN(memory::Memory* const opened, setup.memory->get());
    return ask::take_in_team(*opened, ask::citing(workspace, opened->clock()));
  };
  auto taken = take_in();
  if (taken.ok()) return *taken;
  log_warn("what the team shares was not taken in: {}", taken.error().message());
  return std::nullopt;
}

void follow_cited_code(store::Workspace& workspace, const fs::path& directory) {
  const auto followed =
      ask::follow_cited_code(workspace, directory.empty() ? user_directory() : directory);
  if (!followed.ok()) log_warn("cited code: {}", followed.error().message());
}

}  // namespace codexmem::serve
