// config/workspace_file.h - the file that names the repositories of a workspace.
//
//   {"repositories": ["../zod", {"path": "../trpc", "name": "trpc"}]}     codexmem.workspace.json
//   {"folders": [{"path": "zod"}, {"path": "../trpc", "name": "trpc"}]}   *.code-workspace
//
// Paths are relative to the file's folder. Comments and trailing commas are allowed. Stateless and
// thread-safe; looks at the file system each time. Design: docs/design/workspace.md, "Which
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

/// Repositories that a workspace has at most.
inline constexpr std::size_t kMostWorkspaceRepositories = 64;

struct WorkspaceRepository {
  std::string name;            // as it was given; empty: that of the folder
  std::filesystem::path root;  // absolute, without "." and ".."; it need not exist
};

struct WorkspaceFile {
  std::filesystem::path path;                     // absolute
  std::vector<WorkspaceRepository> repositories;  // in its order, each folder once
};

/// What `text` of the file at `path` (absolute) names. Folders of other machines, by their URI, are
/// left out. Errors: kInvalidArgument, which says what is wrong where.
Result<WorkspaceFile> parse_workspace(std::string_view text, const std::filesystem::path& path);

/// Reads the file at `path`. Errors: those of parse_workspace() and read_file().
Result<WorkspaceFile> read_workspace_file(const std::filesystem::path& path);

/// The nearest codexmem.workspace.json above the repository at `root` that nobody has to name: a
/// trusted user's (base/owner.h), no link, and outside of every git repository. What comes with a
/// repository must not choose which other folders are read; what such a file names outside of its
/// own folder is not meant either (serve/workspace.h).
std::optional<std::filesystem::path> find_workspace_file(const std::filesystem::path& root);

}  // namespace codexmem
