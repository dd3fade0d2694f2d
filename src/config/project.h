// config/project.h - which project a folder belongs to: one answer for hooks, tools, shell and
// worker.
//
// A project has the name of its folder. The first folder of a name has that name for good; another
// repository of the same folder name is NAME~2, the next NAME~3. Which is which is in
// projects.jsonl of the user's data directory, a JSON object a line (the last one of a name holds):
//
//   {"name":"shop~2","folder":"shop","path":"/work/shop","remote":"example.com/me/shop"}
//
// Thread-safe, and safe to use from many processes. Design: docs/design/memory.md, "Projects".
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace codexmem {

/// The project where nothing is known: without a folder, in the home directory, in `/`.
inline constexpr std::string_view kNoProject = "default";

inline constexpr std::string_view kProjectsFileName = "projects.jsonl";

/// What a project is told apart by.
struct ProjectPlace {
  std::string name = {};            // of its folder, on one line; or kNoProject
  std::filesystem::path path = {};  // of the repository, of all its worktrees; empty: nowhere
  std::string remote = {};          // where git fetches it from, without who does; empty: nowhere

  bool operator==(const ProjectPlace&) const = default;
};

/// The place of `folder`, which need not exist: the git repository around it, else the nearest
/// folder with an index of this user, else itself.
ProjectPlace find_project_place(const std::filesystem::path& folder);

/// The name of the project at `place` by the records in `directory`. It is the one of a record of
/// the same folder name and, in this order, the same path; the same remote (a clone); or a path
/// that is gone, when neither has a remote (a folder that was moved). Records it otherwise, or
/// tells its new path. Where nothing can be written, and for a place that does not exist, it is the
/// name that would be recorded.
std::string project_of(const ProjectPlace& place, const std::filesystem::path& directory);

/// The same, and nothing is written.
std::string find_project(const ProjectPlace& place, const std::filesystem::path& directory);

}  // namespace codexmem
