// serve/team/team_folders.h - what a team's file stands on: itself and the repositories that it
// names.
//
// Stateless; looks at the file system each time. Design: docs/design/team-server.md.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "serve/team/team_file.h"

namespace codexmem::serve {

/// Looks at the repositories of `file`, which is called `name` and lies at `own`, and resolves the
/// links in their paths. Errors: kInvalidArgument for one that is no folder, no whole git
/// repository, lies in or holds another one, the file or the data folder, or has objects of git
/// together with another one.
Result<void> check_team_folders(const std::string& name, const std::filesystem::path& own,
                                TeamFile* file);

/// The bytes of a file that nobody but this user and root can change. Errors: kInvalidArgument when
/// somebody can, or it is no regular file of at most 1 MB; kNotFound, kIo.
Result<std::string> read_trusted_file(const std::filesystem::path& path);

}  // namespace codexmem::serve
