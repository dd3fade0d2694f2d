// Tested by app/served_repositories_test.cpp and, over HTTP, by tests/worker/mcp_test.py.
#include "app/served_repositories.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "app/embedding_provider.h"
#include "app/memory_setup.h"
#include "app/repository.h"
#include "app/served_repository.h"
#include "base/log.h"
#include "base/path.h"
#include "base/text.h"

namespace codexmem::app {
namespace fs = std::filesystem;

std::string why_no_repository(const fs::path& root) {
  if (root == root.root_path()) return "/ is no repository";
  const char* const home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') return {};
  std::error_code failed;
  const fs::path own = fs::weakly_canonical(home, failed);
  if (failed) return {};
  if (own == root) return "the home directory is no repository";
  return path_below(root, own) ? fmt::format("{} is no repository", root.string()) : std::string();
}

std::optional<fs::path> path_of_uri(std::string_view uri) {
  constexpr std::string_view kScheme = "file:";
  if (!to_lower_ascii(uri.substr(0, kScheme.size())).starts_with(kScheme)) return std::nullopt;
  uri.remove_prefix(kScheme.size());
  if (uri.starts_with("//")) {
    uri.remove_prefix(2);
    const std::string_view host = uri.substr(0, uri.find('/'));
    if (!host.empty() && to_lower_ascii(host) != "localhost") return std::nullopt;
    uri.remove_prefix(host.size());
  }
  uri = uri.substr(0, uri.find_first_of("?#"));
  std::string path;
  for (std::size_t at = 0; at < uri.size(); ++at) {
    if (uri[at] != '%') {
      path += uri[at];
      continue;
    }
    const std::string digits(uri.substr(at + 1, 2));
    char* end = nullptr;
    const unsigned long byte = std::strtoul(digits.c_str(), &end, 16);
    if (digits.size() != 2 || end != digits.c_str() + 2 || byte == 0) return std::nullopt;
    path += static_cast<char>(byte);
    at += 2;
  }
  if (!path.starts_with('/')) return std::nullopt;
  return fs::path(path);
}

std::optional<fs::path> folder_of(const std::vector<mcp::Root>& roots) {
  for (const mcp::Root& root : roots) {
    const auto path = path_of_uri(root.uri);
    std::error_code failed;
    if (path && fs::is_directory(*path, failed)) return path;
  }
  return std::nullopt;
}

// Members end in the other order: the services, then what they stand on.
struct ServedRepositories::Served {
  fs::path root;
  std::unique_ptr<memory::LazyMemory> memory;
  std::unique_ptr<ServedRepository> repository;  // null: there is no code, see services
  mcp::Services services;
  Clock::time_point last_use = Clock::now();
};

ServedRepositories::ServedRepositories(Options options)
    : options_(std::move(options)),
      closer_([this](const std::stop_token& stop) { close_idle(stop); }) {}

ServedRepositories::~ServedRepositories() {
  closer_.request_stop();
  closer_.join();
}

std::shared_ptr<mcp::Services> ServedRepositories::at(const fs::path& folder) {
  const auto found_root = find_root(folder);
  const fs::path root = found_root.ok() ? *found_root : folder;
  std::list<std::shared_ptr<Served>> gone;  // closed without the lock
  const std::lock_guard lock(mutex_);
  auto found = std::ranges::find_if(open_, [&](const auto& one) { return one->root == root; });
  if (found == open_.end()) {
    open_.push_front(open(root));
    changed_.notify_all();
  } else {
    open_.splice(open_.begin(), open_, found);
  }
  const std::shared_ptr<Served> served = open_.front();
  served->last_use = Clock::now();
  // What could not be opened is tried again the next time.
  const bool is_whole = served->repository != nullptr || !options_.has_code;
  if (!is_whole) gone.splice(gone.end(), open_, open_.begin());
  for (auto each = open_.end(); open_.size() > options_.most && each != open_.begin();) {
    --each;
    if (each->use_count() == 1) gone.splice(gone.end(), open_, each++);
  }
  return {served, &served->services};
}

std::shared_ptr<ServedRepositories::Served> ServedRepositories::open(const fs::path& root) const {
  auto served = std::make_shared<Served>();
  served->root = root;
  const Settings settings = load_settings(root);
  const EmbeddingProvider provider = choose_provider(settings.reader());
  if (!provider.problem.empty()) log_warn("{}", provider.problem);
  auto memory = set_up_memory({.folder = root, .role = options_.role}, provider, settings);
  if (memory.ok()) {
    served->memory = std::move(memory->memory);
    served->services.memory = served->memory.get();
  } else {
    log_warn("{}: {}", root.string(), memory.error().message());
  }
  if (!options_.has_code) return served;
  served->services.missing_code = why_no_repository(root);
  if (!served->services.missing_code.empty()) return served;
  std::error_code failed;
  if (!fs::is_directory(root, failed)) {
    served->services.missing_code = fmt::format("there is no directory {}", root.string());
    return served;
  }
  auto workspace = store::Workspace::open(root);
  if (!workspace.ok()) {
    served->services.missing_code = workspace.error().message();
    return served;
  }
  const auto watches = most_watches(settings);
  served->repository = std::make_unique<ServedRepository>(
      *std::move(workspace), provider,
      ServedRepository::Options{.watches = watches.ok() ? *watches : SIZE_MAX,
                                .after_change = options_.after_change});
  served->services.code = &served->repository->code();
  return served;
}

void ServedRepositories::close_idle(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    if (open_.empty()) {
      changed_.wait(lock, stop, [this] { return !open_.empty(); });
      continue;
    }
    const auto due = std::ranges::min(open_, {}, [](const auto& one) { return one->last_use; })
                         ->last_use + options_.idle;
    changed_.wait_until(lock, stop, due, [] { return false; });
    std::list<std::shared_ptr<Served>> gone;
    const auto now = Clock::now();
    for (auto each = open_.begin(); each != open_.end();) {
      const auto next = std::next(each);
      if (now - (*each)->last_use >= options_.idle) {
        if (each->use_count() == 1) {
          gone.splice(gone.end(), open_, each);
        } else {
          (*each)->last_use = now;
        }
      }
      each = next;
    }
    lock.unlock();
    gone.clear();
    lock.lock();
  }
}

}  // namespace codexmem::app
