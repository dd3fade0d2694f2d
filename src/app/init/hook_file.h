// app/init/hook_file.h - the pre-commit hook as a file to be changed: app/git_hook.h says what its
// lines are.
#pragma once

#include <filesystem>

#include "app/init/file_change.h"
#include "base/result.h"

namespace codexmem::app {

/// The change that puts codexmem's lines into the pre-commit hook of the repository at `root`, or,
/// with `wanted` false, removes them. A hook that is not a shell script, or is a link to a script
/// that others use too, is renamed and called from ours; removal gives it its name back. Errors:
/// see find_pre_commit_hook(); kUnsupported when the existing hook is switched off (not
/// executable), or the new name for it is taken; kIo.
Result<FileChange> change_hook(const std::filesystem::path& root, bool wanted);

}  // namespace codexmem::app
