#include "serve/fleet_setup.h"

#include <fmt/core.h>

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "config/known_repositories.h"
#include "config/project.h"
#include "config/user_directory.h"
#include "embed/static_model.h"
#include "fleet/names.h"
#include "net/http_client.h"
#include "serve/embedding_provider.h"
#include "text/name_list.h"

namespace codexmem::serve {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::minutes kLookAgain{1};

// The repositories on this machine, looked up at most once a minute.
class LocalRepositories {
 public:
  std::vector<std::pair<std::string, std::string>> list() {
    const std::lock_guard lock(mutex_);
    if (looked_at_ && steady_clock::now() - *looked_at_ < kLookAgain) return known_;
    known_.clear();
    for (const std::string& root : list_known_repositories(user_directory())) {
      known_.emplace_back(fleet::repository_name(find_project_place(root)), root);
    }
    looked_at_ = steady_clock::now();
    return known_;
  }

 private:
  std::mutex mutex_;  // guards the members below
  std::optional<steady_clock::time_point> looked_at_;
  std::vector<std::pair<std::string, std::string>> known_;
};

}  // namespace

Result<std::shared_ptr<fleet::Fleet>> set_up_fleet(const Settings& settings,
                                                   std::chrono::milliseconds patience) {
  const Settings user = settings.of_user();
  fleet::Fleet::Options options;
  options.servers.urls = read_comma_list(user.value("CODEXMEM_FLEET_URL"));
  if (options.servers.urls.empty()) return std::shared_ptr<fleet::Fleet>();
  for (const std::string& url : options.servers.urls) {
    if (net::host_of(url).empty()) {
      return Error{ErrorCode::kInvalidArgument,
                   "CODEXMEM_FLEET_URL must be http:// or https:// addresses"};
    }
  }
  options.servers.token = user.value("CODEXMEM_FLEET_TOKEN");
  options.servers.patience = patience;
  if (auto names = read_comma_list(user.value("CODEXMEM_FLEET_REPOSITORIES")); !names.empty()) {
    options.repositories = std::move(names);
  }
  const EmbeddingProvider provider = choose_provider(user.reader());
  options.embedder = provider.embedder;
  if (options.embedder == nullptr) {
    if (!provider.is_built_in()) {
      return Error{ErrorCode::kInvalidArgument,
                   "a fleet needs vectors, and there are none by the settings"};
    }
    CODEXMEM_ASSIGN(auto model, embed::StaticModel::built_in());
    options.embedder = embed::make_static_embedder(std::move(model));
  }
  options.servers.model = options.embedder->model_id();
  options.local = [local = std::make_shared<LocalRepositories>()] { return local->list(); };
  return std::make_shared<fleet::Fleet>(std::move(options));
}

}  // namespace codexmem::serve
