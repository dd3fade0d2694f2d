// app/init/git_hook.h - the pre-commit hook that keeps the index fresh: its lines, and its file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "app/init/file_change.h"
#include "base/result.h"

namespace codexmem::app {

/// Where the pre-commit hook of the repository at `root` belongs. core.hooksPath and worktrees are
/// resolved as git does. Errors: kNotFound when `root` is in no git repository;
/// kUnsupported when the hooks lie outside of the repository, where they would serve others too.
Result<std::filesystem::path> find_pre_commit_hook(const std::filesystem::path& root);

/// `before`, the text of a hook (may be empty), with codexmem's lines added: after the first line,
/// so that an early exit of the hook does not skip them. If the lines are already there, the text
/// is returned unchanged. Errors: kUnsupported when the hook is not a shell script (use
/// chaining_hook()); kCorrupt when codexmem's lines in it have no end.
Result<std::string> with_hook_lines(std::string_view before);

/// `text` without codexmem's lines; empty when nothing but a first line is left.
std::string without_hook_lines(std::string_view text);

/// A hook that starts codexmem's lines and then the hook that was there, now named `chained`.
std::string chaining_hook(std::string_view chained);

/// The change that puts codexmem's lines into the pre-commit hook of the repository at `root`, or,
/// with `wanted` false, removes them. A hook that is not a shell script, or is a link to a script
/// that others use too, is renamed and called from ours; removal gives it its name back. Errors:
/// see find_pre_commit_hook(); kUnsupported when the existing hook is switched off (not
/// executable), or the new name for it is taken; kIo.
Result<FileChange> change_hook(const std::filesystem::path& root, bool wanted);

}  // namespace codexmem::app
