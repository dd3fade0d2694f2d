// Tested by serve/served_repositories_test.cpp and, over HTTP, by tests/worker/routes_test.py.
#include "serve/served_repositories.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "serve/embedding_provider.h"
#include "serve/memory_setup.h"
#include "serve/repository.h"
#include "serve/served_repository.h"
#include "base/log.h"
#include "base/path.h"
#include "base/stop_scope.h"
#include "base/text.h"
#include "graph/stored/facts_cache.h"
#include "search/search.h"

namespace codexmem::serve {
namespace fs = std::filesystem;

namespace {

// Below the home directory: nothing in these is indexed just because a client names it.
constexpr const char* kKeyFolders[] = {
    ".ssh",    ".gnupg",          ".aws",           ".azure",   ".kube",
    ".docker", ".password-store", ".config/gcloud", ".codexmem"};

constexpr std::chrono::milliseconds kBeforeWarming{700};

}  // namespace

std::string why_no_repository(const fs::path& root) {
  if (root == root.root_path()) return "/ is not a repository";
  const char* const home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') return {};
  std::error_code failed;
  const fs::path own = fs::weakly_canonical(home, failed);
  if (failed) return {};
  if (own == root) return "the home directory is not a repository";
  if (path_below(root, own)) return fmt::format("{} is not a repository", root.string());
  for (const char* const name : kKeyFolders) {
    if (path_below(own / name, root)) return fmt::format("{} holds keys", (own / name).string());
  }
  return {};
}

std::string why_not_for_all(const fs::path& root) {
  if (std::string why = why_no_repository(root); !why.empty()) return why;
  if (!has_repository(root)) {
    return fmt::format("{} is not indexed and not a git repository; run `codexmem index {}` first",
                       root.string(), root.string());
  }
  struct stat there {};
  if (::stat(root.c_str(), &there) != 0 || there.st_uid != ::geteuid()) {
    return fmt::format("{} is another user's", root.string());
  }
  return {};
}

std::optional<fs::path> folder_of(const std::vector<mcp::Root>& roots) {
  for (const mcp::Root& root : roots) {
    const auto path = path_of_uri(root.uri);
    std::error_code failed;
    if (path && fs::is_directory(*path, failed)) return path;
  }
  return std::nullopt;
}

std::vector<fs::path> folders_of(const std::vector<mcp::Root>& roots) {
  std::vector<fs::path> folders;
  for (const mcp::Root& root : roots) {
    if (auto folder = folder_of({root})) folders.push_back(*std::move(folder));
  }
  return folders;
}

// Members end in reverse order: first the services, then the objects that they use.
struct ServedRepositories::Served {
  // Answers from the index without updating it.
  struct Reading {
    explicit Reading(store::Workspace& workspace)
        : search(workspace, options_for(workspace.root())),
          code{.workspace = workspace, .search = search, .facts = facts},
          warmer([this](const std::stop_token& stop) { warm(stop); }) {}

    // Loads data that all queries need before the first search, after the map is drawn.
    void warm(const std::stop_token& stop) noexcept {
      const StopScope scope(stop);
      try {
        std::mutex mutex;
        std::unique_lock lock(mutex);
        std::condition_variable_any().wait_for(lock, stop, kBeforeWarming, [] { return false; });
        if (stop.stop_requested()) return;
        const auto done = search.refresh();
        if (!done.ok()) log_debug("search: {}", done.error().message());
      } catch (const std::exception& error) {
        log_warn("search: {}", error.what());
      }
    }

    // While a user types, letters must not be sent to a remote model.
    static search::SearchOptions options_for(const fs::path& root) {
      const Settings settings = load_settings(root);
      search::SearchOptions options;
      options.use_vectors = choose_provider(settings.reader()).is_built_in();
      return options;
    }

    graph::FactsCache facts;
    search::SearchEngine search;
    ask::CodeServices code;
    std::jthread warmer;  // last: it ends before the members that it uses
  };

  explicit Served(fs::path of) : root(std::move(of)) {}

  const fs::path root;
  std::mutex opening;  // guards the members below until it is open
  bool is_open = false;
  std::shared_ptr<store::Workspace> workspace;  // null: the code was not requested
  std::unique_ptr<memory::LazyMemory> memory;
  std::unique_ptr<Reading> reading;              // null: reading_at() was not called
  std::unique_ptr<ServedRepository> repository;  // null: there is no code, see services
  ask::Services services;
};

bool ServedRepositories::Place::is_idle() const { return served.use_count() == 1; }

ServedRepositories::ServedRepositories(Options options)
    : options_(std::move(options)),
      closer_([this](const std::stop_token& stop) { close_idle(stop); }) {}

ServedRepositories::~ServedRepositories() {
  closer_.request_stop();
  closer_.join();
}

std::shared_ptr<ask::Services> ServedRepositories::at(const fs::path& folder) {
  const auto found = options_.takes_roots ? Result<fs::path>(folder) : find_root(folder);
  return at_root(found.ok() ? *found : folder);
}

std::shared_ptr<ask::Services> ServedRepositories::at_root(const fs::path& root) {
  const std::shared_ptr<Served> served = find_or_add(root);
  const std::lock_guard lock(served->opening);
  if (!served->is_open) {
    try {
      open(*served);
    } catch (const std::exception& error) {
      served->services.missing_code = error.what();
    }
    served->is_open = true;
    // Opening is retried the next time.
    if (served->repository == nullptr && options_.has_code) remove(served);
  }
  return {served, &served->services};
}

Result<std::shared_ptr<store::Workspace>> ServedRepositories::index_at(const fs::path& root) {
  const std::shared_ptr<Served> served = find_or_add(root);
  const std::lock_guard lock(served->opening);
  CODEXMEM_TRY(open_index(served));
  return std::shared_ptr<store::Workspace>(served, served->workspace.get());
}

Result<std::shared_ptr<ask::CodeServices>> ServedRepositories::reading_at(const fs::path& root) {
  const std::shared_ptr<Served> served = find_or_add(root);
  const std::lock_guard lock(served->opening);
  if (served->repository != nullptr) {
    return std::shared_ptr<ask::CodeServices>(served, &served->repository->code());
  }
  CODEXMEM_TRY(open_index(served));
  if (served->reading == nullptr) {
    served->reading = std::make_unique<Served::Reading>(*served->workspace);
  }
  return std::shared_ptr<ask::CodeServices>(served, &served->reading->code);
}

Result<void> ServedRepositories::open_index(const std::shared_ptr<Served>& served) {
  if (served->workspace != nullptr) return {};
  auto workspace = store::Workspace::open_existing(served->root);
  if (workspace.ok()) {
    served->workspace = *std::move(workspace);
    return {};
  }
  if (!served->is_open) remove(served);
  return std::move(workspace).error();
}

std::shared_ptr<ServedRepositories::Served> ServedRepositories::find_or_add(const fs::path& root) {
  std::list<Place> gone;  // closed without the lock
  const std::lock_guard lock(mutex_);
  const auto found =
      std::ranges::find_if(open_, [&](const Place& place) { return place.served->root == root; });
  if (found != open_.end()) {
    found->last_use = Clock::now();
    open_.splice(open_.begin(), open_, found);
    return found->served;
  }
  open_.push_front({std::make_shared<Served>(root), Clock::now()});
  const std::shared_ptr<Served> served = open_.front().served;
  for (auto each = open_.end(); open_.size() > options_.most && each != open_.begin();) {
    --each;
    if (each->is_idle()) gone.splice(gone.end(), open_, each++);
  }
  changed_.notify_all();
  return served;
}

void ServedRepositories::remove(const std::shared_ptr<Served>& served) {
  const std::lock_guard lock(mutex_);
  std::erase_if(open_, [&](const Place& place) { return place.served == served; });
}

void ServedRepositories::open(Served& served) const {
  const fs::path& root = served.root;
  served.services.memory = options_.memory;
  served.services.fleet = options_.fleet;
  if (options_.has_code) {
    served.services.missing_code =
        options_.is_for_all ? why_not_for_all(root) : why_no_repository(root);
    if (!served.services.missing_code.empty()) return;
  }
  const Settings settings = load_settings(root);
  const EmbeddingProvider provider = choose_provider(settings.reader());
  if (!provider.problem.empty()) log_warn("{}", provider.problem);
  MemoryUse use{.folder = root, .role = options_.role, .bears_trouble = true};
  if (options_.memory_use) use = options_.memory_use(root);
  auto memory = set_up_memory(use, provider, settings);
  if (memory.ok()) {
    served.memory = std::move(memory->memory);
    served.services.memory = served.memory.get();
  } else {
    log_warn("{}: {}", root.string(), memory.error().message());
  }
  if (!options_.has_code) return;
  std::error_code failed;
  if (!fs::is_directory(root, failed)) {
    served.services.missing_code = fmt::format("there is no directory {}", root.string());
    return;
  }
  const auto watches = most_watches(settings);
  if (!watches.ok()) {
    served.services.missing_code = watches.error().message();
    return;
  }
  if (served.workspace == nullptr) {
    auto workspace = store::Workspace::open(root);
    if (!workspace.ok()) {
      served.services.missing_code = workspace.error().message();
      return;
    }
    served.workspace = *std::move(workspace);
  }
  served.repository = std::make_unique<ServedRepository>(
      served.workspace, provider,
      ServedRepository::Options{
          .watches = *watches, .own_store = use.own_store, .after_change = options_.after_change});
  served.services.code = &served.repository->code();
}

void ServedRepositories::close_idle(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    if (open_.empty()) {
      changed_.wait(lock, stop, [this] { return !open_.empty(); });
      continue;
    }
    const auto due =
        std::ranges::min_element(open_, {}, &Place::last_use)->last_use + options_.idle;
    changed_.wait_until(lock, stop, due, [] { return false; });
    std::list<Place> gone;
    const auto now = Clock::now();
    for (auto each = open_.begin(); each != open_.end();) {
      const auto next = std::next(each);
      if (now - each->last_use >= options_.idle) {
        if (each->is_idle()) {
          gone.splice(gone.end(), open_, each);
        } else {
          each->last_use = now;
        }
      }
      each = next;
    }
    lock.unlock();
    gone.clear();
    lock.lock();
  }
}

}  // namespace codexmem::serve
