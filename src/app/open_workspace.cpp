// Tested by clients/workspace_test.py.
#include "app/open_workspace.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "app/refresh.h"
#include "base/path.h"
#include "base/text.h"
#include "graph/stored/facts_cache.h"
#include "index/run/indexer.h"
#include "search/search.h"
#include "serve/embedding_provider.h"
#include "serve/memory_setup.h"
#include "serve/repository.h"
#include "store/code/store_directory.h"

namespace codexmem::app {
namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds kRefreshPatience{5};
constexpr char kHowToIndex[] = "run `codexmem workspace --index`";

bool is_in(const std::vector<serve::WorkspaceMember>& members, const fs::path& start) {
  const auto root = serve::find_root(start);
  return root.ok() &&
         std::ranges::any_of(members, [&](const auto& member) { return member.root == *root; });
}

}  // namespace

struct OpenWorkspace::Repository {
  Repository(std::unique_ptr<store::Workspace> opened, serve::EmbeddingProvider chosen)
      : workspace(std::move(opened)),
        provider(std::move(chosen)),
        search(*workspace, provider.search_options()),
        code{.workspace = *workspace, .search = search, .facts = facts} {
    code.index = [this](index::IndexOptions run, const index::ProgressCallback& progress,
                        std::stop_token stop) {
      provider.apply_to(&run);
      return index::index_repository(*workspace, run, progress, std::move(stop));
    };
  }

  std::unique_ptr<store::Workspace> workspace;
  serve::EmbeddingProvider provider;
  graph::FactsCache facts;
  search::SearchEngine search;
  ask::CodeServices code;
};

Result<std::vector<serve::WorkspaceMember>> choose_workspace(const std::string& given,
                                                             const fs::path& start) {
  if (given == "none") return std::vector<serve::WorkspaceMember>();
  if (!given.empty()) {
    CODEXMEM_ASSIGN(const WorkspaceFile file, read_workspace_file(given));
    auto members = serve::list_members(file, serve::Consent::kNamed);
    if (members.empty()) {
      return Error{ErrorCode::kInvalidArgument, fmt::format("{} names no repository", given)};
    }
    return members;
  }
  const auto root = serve::find_root(start);
  return root.ok() ? serve::find_workspace(*root) : std::vector<serve::WorkspaceMember>();
}

Result<serve::WorkspaceMember> choose_member(const std::vector<serve::WorkspaceMember>& members,
                                             const std::string& name, const fs::path& start) {
  const auto root = serve::find_root(start);
  const auto around = std::ranges::find_if(
      members, [&](const auto& each) { return root.ok() && each.root == *root; });
  const auto otherwise = around == members.end()
                             ? std::nullopt
                             : std::optional(static_cast<std::size_t>(around - members.begin()));
  CODEXMEM_ASSIGN(const std::size_t place, ask::choose_repository(ask::list_names(members), name,
                                                                  otherwise, "--repository"));
  const serve::WorkspaceMember& one = members[place];
  if (!one.missing.empty()) {
    return Error{ErrorCode::kNotFound, fmt::format("{}: {}", one.name, one.missing)};
  }
  return one;
}

Result<std::vector<serve::WorkspaceMember>> workspace_around(const fs::path& start) {
  const auto root = serve::find_root(start);
  if (!root.ok() || serve::has_repository(*root)) return std::vector<serve::WorkspaceMember>();
  return serve::find_members_above(*root / kWorkspaceFileName);
}

Result<void> expect_repository(const fs::path& start, std::string_view or_else) {
  CODEXMEM_ASSIGN(const auto members, workspace_around(start));
  if (members.empty()) return {};
  return Error{ErrorCode::kNotFound,
               fmt::format("{} is not a repository: ask in one of {}, or {}", start.string(),
                           join(ask::list_names(members), ", "), or_else)};
}

fs::path start_in(const std::vector<serve::WorkspaceMember>& members, const fs::path& start) {
  if (members.empty() || is_in(members, start)) return start;
  const auto usable = std::ranges::find_if(members, [](const auto& member) {
    return member.missing.empty() && serve::has_repository(member.root);
  });
  return usable == members.end() ? start : usable->root;
}

OpenWorkspace::OpenWorkspace(std::vector<serve::WorkspaceMember> members, ask::CodeServices& home,
                             ask::Home chosen, bool no_refresh, std::stop_token stop,
                             Console& console) {
  std::vector<ask::UnitedRepository> repositories;
  for (serve::WorkspaceMember& member : members) {
    repositories.push_back({member.name, member.root, nullptr, std::move(member.missing)});
    ask::UnitedRepository& one = repositories.back();
    if (one.root == home.workspace.root()) {
      one.code = &home;
      one.missing.clear();
    }
    if (one.code != nullptr || !one.missing.empty()) continue;
    if (!store::has_index(one.root)) {
      one.missing = fmt::format("it has no index yet: {}", kHowToIndex);
      continue;
    }
    auto opened = store::Workspace::open_existing(one.root);
    if (!opened.ok()) {
      one.missing = opened.error().message();
      continue;
    }
    if (!serve::has_complete_index(**opened)) {
      one.missing = fmt::format("its first index is not complete: {}", kHowToIndex);
      continue;
    }
    auto provider = serve::choose_provider(serve::load_settings(one.root).reader());
    open_.emplace_back(*std::move(opened), std::move(provider));
    Repository& repository = open_.back();
    one.code = &repository.code;
    if (no_refresh) continue;
    index::IndexOptions run;
    repository.provider.apply_to(&run);
    const auto report = refresh_index(*repository.workspace, run, kRefreshPatience, console, stop);
    if (report.ok()) {
      serve::follow_cited_code(*repository.workspace);
    } else {
      console.note(fmt::format("codexmem: warning: {} is answered from its index as it is: {}",
                               one.name, report.error().message()));
    }
  }
  united_.emplace(std::move(repositories), home.workspace.root(), chosen);
}

OpenWorkspace::~OpenWorkspace() = default;

ParamOptions::PathReader OpenWorkspace::path_reader(const fs::path& start,
                                                    std::string_view base) const {
  const ask::UnitedRepository* const own = united_->find(base);
  return [this, start, own](const std::string& typed) {
    std::error_code failed;
    fs::path whole = fs::absolute(start / typed, failed).lexically_normal();
    bool exists = !failed && fs::exists(whole, failed);
    if (own != nullptr && !(exists && path_below(own->root, whole))) {
      const fs::path in_own = (own->root / typed).lexically_normal();
      if (std::error_code ignored; fs::exists(in_own, ignored)) {
        whole = in_own;
        exists = true;
      }
    }
    if (!exists && typed.find('/') == std::string::npos) return typed;
    const std::string given = exists ? whole.string() : typed;
    auto named =
        ask::united_argument(*united_, "path", given, own == nullptr ? std::string() : own->name);
    if (named.ok()) return *std::move(named);
    return own == nullptr ? typed : given;  // the root of a repository, for one
  };
}

}  // namespace codexmem::app
