// Tested by clients/workspace_test.py.
#include "serve/workspace.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "ask/united.h"
#include "base/log.h"
#include "base/path.h"
#include "serve/repository.h"
#include "serve/served_repositories.h"

namespace codexmem::serve {

namespace fs = std::filesystem;

namespace {

// The repository around each of `named`; if `folder` is not empty, they must be inside it.
std::vector<WorkspaceMember> members_of(const std::vector<WorkspaceRepository>& named,
                                        const fs::path& folder) {
  std::vector<WorkspaceRepository> found;
  std::vector<std::string> missing;
  for (const WorkspaceRepository& each : named) {
    WorkspaceRepository one = each;
    std::string why;
    if (const auto root = find_root(each.root); root.ok()) {
      one.root = *root;
      if (!folder.empty() && !path_below(folder, one.root)) {
        why = fmt::format("it is outside of {}, whose workspace file was not named by --workspace",
                          folder.string());
      } else {
        why = why_no_repository(one.root);
      }
    } else {
      why = root.error().message();
    }
    const bool is_known =
        std::ranges::any_of(found, [&](const auto& other) { return other.root == one.root; });
    if (is_known) continue;
    found.push_back(std::move(one));
    missing.push_back(std::move(why));
  }
  const std::vector<std::string> names = ask::name_repositories(found);
  std::vector<WorkspaceMember> members;
  for (std::size_t i = 0; i < found.size(); ++i) {
    members.push_back({names[i], std::move(found[i].root), std::move(missing[i])});
  }
  return members;
}

}  // namespace

std::vector<WorkspaceMember> list_members(const WorkspaceFile& file, Consent consent) {
  fs::path folder;
  if (consent == Consent::kFound) {
    std::error_code failed;
    folder = fs::weakly_canonical(file.path.parent_path(), failed);
    if (failed) folder = file.path.parent_path();
  }
  return members_of(file.repositories, folder);
}

std::vector<WorkspaceMember> list_members(std::span<const fs::path> folders) {
  std::vector<WorkspaceRepository> named;
  for (const fs::path& folder : folders) {
    if (named.size() == kMaxWorkspaceRepositories) break;
    named.push_back({"", folder});
  }
  return members_of(named, {});
}

Result<std::vector<WorkspaceMember>> find_members_above(const fs::path& place) {
  const auto path = find_workspace_file(place);
  if (!path) return std::vector<WorkspaceMember>();
  CODEXMEM_ASSIGN(const WorkspaceFile file, read_workspace_file(*path));
  return list_members(file, Consent::kFound);
}

std::vector<WorkspaceMember> find_workspace(const fs::path& root) {
  auto members = find_members_above(root);
  if (!members.ok()) {
    log_warn("{}; it is not used", members.error().message());
    return {};
  }
  const bool is_member = std::ranges::any_of(
      *members, [&](const auto& member) { return member.root == root && member.missing.empty(); });
  if (!is_member || members->size() < 2) return {};
  return *std::move(members);
}

}  // namespace codexmem::serve
