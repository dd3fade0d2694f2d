// serve/workspace.h - which repositories a workspace has: by a file, or by a client's roots.
//
// Stateless and thread-safe; looks at the file system each time. Design: docs/design/workspace.md,
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
  std::string name;            // another than the others have
  std::filesystem::path root;  // of the repository, links resolved; as named when it is missing
  std::string missing = {};    // why it cannot be asked; empty: nothing is known
};

/// Whether the user has named a workspace file, or it was found above his repository.
enum class Consent { kNamed, kFound };

/// The repositories around the folders that `file` names, each once. Of a file that was only found
/// those outside of its folder are missing: it may have come with an archive.
std::vector<WorkspaceMember> list_members(const WorkspaceFile& file, Consent consent);

/// The repositories around `folders`, each once.
std::vector<WorkspaceMember> list_members(std::span<const std::filesystem::path> folders);

/// The repositories of the workspace file that stands in a folder above `place`; none where none
/// does. Errors: those of read_workspace_file().
Result<std::vector<WorkspaceMember>> find_members_above(const std::filesystem::path& place);

/// The workspace of a file above the repository `root` that has this repository and another one;
/// nothing when there is none. What is wrong in the file is logged.
std::vector<WorkspaceMember> find_workspace(const std::filesystem::path& root);

}  // namespace codexmem::serve
