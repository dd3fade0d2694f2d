// config/project.h - finds the project that a folder belongs to, the same for hooks, tools, shell
// and worker.
//
// A project has the name of its folder. The first folder of a name keeps that name for good;
// another repository with the same folder name is NAME~2, the next NAME~3. projects.jsonl in the
// user's data directory records the names, a JSON object per line (the last line of a name counts):
//
//   {"name":"shop~2","folder":"shop","path":"/work/shop","remote":"example.com/me/shop"}
//
// Thread-safe, and safe to use from many processes. Design: docs/how-it-works.md, "Memory".
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace codexmem {

/// The project when none is known: no folder, the home directory, or `/`.
inline constexpr std::string_view kNoProject = "default";

inline constexpr std::string_view kProjectsFileName = "projects.jsonl";

/// How projects are distinguished.
struct ProjectPlace {
  std::string name = {};            // of its folder, on one line; or kNoProject
  std::filesystem::path path = {};  // of the repository with all its worktrees; empty if there is
                                    // none
  std::string remote = {};          // where git fetches from, without the user; empty if nowhere

  bool operator==(const ProjectPlace&) const = default;
};

/// The place of `folder`, which need not exist: the git repository around it, otherwise the nearest
/// folder with an index of this user, otherwise the folder itself.
ProjectPlace find_project_place(const std::filesystem::path& folder);

/// The name of the project at `place`, from the records in `directory`. A record matches if it has
/// the same folder name and, in this order: the same path; the same remote (a clone); or a path
/// that no longer exists, when neither has a remote (a moved folder). Otherwise records a new
/// project, and records a changed path. If nothing can be written, or the place does not exist,
/// returns the name that would be recorded.
std::string project_of(const ProjectPlace& place, const std::filesystem::path& directory);

/// Like project_of(), but writes nothing.
std::string find_project(const ProjectPlace& place, const std::filesystem::path& directory);

}  // namespace codexmem
