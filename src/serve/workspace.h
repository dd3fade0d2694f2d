// serve/workspace.h - finds the repositories of a workspace, by a file or by a client's roots.
//
// Stateless and thread-safe; looks at the file system each time. Design: docs/workspace.md,
// "Which workspace".
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "config/workspace_file.h"

namespace codexmem::serve {

/// A repository of a workspace.
struct WorkspaceMember {
  std::string name;            // unique within the workspace
  std::filesystem::path root;  // of the repository, links resolved; as named if it is missing
  std::string missing = {};    // why it cannot be queried; empty: no problem known
};

/// Whether the user named a workspace file, or it was found above the repository.
enum class Consent { kNamed, kFound };

/// The repositories around the folders in `file`, each once. For a file that was only found,
/// repositories outside its folder are marked as missing: the file may have come with an archive.
std::vector<WorkspaceMember> list_members(const WorkspaceFile& file, Consent consent);

/// The repositories around `folders`, each once.
std::vector<WorkspaceMember> list_members(std::span<const std::filesystem::path> folders);

/// The repositories of the workspace file in a folder above `place`; empty if there is no such
/// file. Errors: as read_workspace_file().
Result<std::vector<WorkspaceMember>> find_members_above(const std::filesystem::path& place);

/// The workspace of a file above the repository `root`, if the file has this repository and another
/// one; otherwise empty. Problems in the file are logged.
std::vector<WorkspaceMember> find_workspace(const std::filesystem::path& root);

}  // namespace codexmem::serve
