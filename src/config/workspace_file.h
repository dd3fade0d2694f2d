// config/workspace_file.h - the file that names the repositories of a workspace.
//
//   {"repositories": ["../zod", {"path": "../trpc", "name": "trpc"}]}     codexmem.workspace.json
//   {"folders": [{"path": "zod"}, {"path": "../trpc", "name": "trpc"}]}   *.code-workspace
//
// Paths are relative to the file's folder. Comments and trailing commas are allowed. Stateless and
// thread-safe; looks at the file system each time. Design: docs/workspace.md, "Which
// workspace".
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace codexmem {

inline constexpr char kWorkspaceFileName[] = "codexmem.workspace.json";

/// Maximum number of repositories in a workspace.
inline constexpr std::size_t kMaxWorkspaceRepositories = 64;

struct WorkspaceRepository {
  std::string name;            // as given in the file; empty: use the folder's name
  std::filesystem::path root;  // absolute, without "." and ".."; it need not exist
};

struct WorkspaceFile {
  std::filesystem::path path;                     // absolute
  std::vector<WorkspaceRepository> repositories;  // in the file's order, each folder once
};

/// The repositories named by `text`, the content of the file at `path` (absolute). Folders on other
/// machines (by URI) are left out. Errors: kInvalidArgument, which says where and what the error
/// is.
Result<WorkspaceFile> parse_workspace(std::string_view text, const std::filesystem::path& path);

/// Reads the file at `path`. Errors: as parse_workspace() and read_file().
Result<WorkspaceFile> read_workspace_file(const std::filesystem::path& path);

/// The nearest codexmem.workspace.json above the repository at `root` that is used without being
/// named: it belongs to a trusted user (base/owner.h), is not a link, and is outside every git
/// repository. A file that comes with a repository must not choose which other folders are read.
/// Folders outside the file's own folder are ignored as well (serve/workspace.h).
std::optional<std::filesystem::path> find_workspace_file(const std::filesystem::path& root);

}  // namespace codexmem
