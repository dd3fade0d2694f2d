// serve/team/team_folders.h - checks the paths of a team's file: its own and its repositories'.
//
// Stateless; looks at the file system each time. Design: docs/team-server.md.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "serve/team/team_file.h"

namespace codexmem::serve {

/// Checks the repositories of `file`, whose name is `name` and path is `own`, and resolves the
/// links in their paths. Errors: kInvalidArgument for a repository that is not a folder, is not a
/// complete git repository, is inside or contains another one, the file or the data folder, or
/// shares git objects with another one.
Result<void> check_team_folders(const std::string& name, const std::filesystem::path& own,
                                TeamFile* file);

/// The bytes of a file that only this user and root can change. Errors: kInvalidArgument when
/// others can, or it is not a regular file of at most 1 MB; kNotFound, kIo.
Result<std::string> read_trusted_file(const std::filesystem::path& path);

}  // namespace codexmem::serve
