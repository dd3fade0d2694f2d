#include "app/init/hook_file.h"

#include <fmt/core.h>
#include <unistd.h>

#include <system_error>

#include "app/git_hook.h"
#include "base/file.h"
#include "base/text.h"

namespace codexmem::app {
namespace fs = std::filesystem;

namespace {

constexpr const char* kChainedHook = "pre-commit.before-codexmem";

}  // namespace

Result<FileChange> change_hook(const fs::path& root, bool wanted) {
  CODEXMEM_ASSIGN(const fs::path hook, find_pre_commit_hook(root));
  CODEXMEM_ASSIGN(FileChange change, begin_change(hook));
  change.mode = 0755;
  change.after = change.before;
  const fs::path chained = hook.parent_path() / kChainedHook;
  std::error_code ignored;
  const bool is_taken = fs::exists(fs::symlink_status(chained, ignored));
  const std::string chaining = chaining_hook(kChainedHook);
  const std::string without = without_hook_lines(change.before);
  // Also with the lines of another version.
  const bool chains = without == without_hook_lines(chaining) && !without.empty();
  if (!wanted) {
    change.after = without;
    if (chains) {
      auto text = read_file(chained);
      change.after = text.ok() ? *std::move(text) : std::string();
      if (is_taken) change.moved_from = chained;
    }
    change.remove = change.existed && change.after.empty() && change.moved_from.empty();
    return change;
  }
  if (chains) {
    change.after = chaining;
    return change;
  }
  const auto lines = with_hook_lines(change.before);
  if (!lines.ok() && lines.error().code() != ErrorCode::kUnsupported) return lines.error();
  // A script behind a link is the repository's, or serves others.
  const bool is_link =
      fs::is_symlink(fs::symlink_status(hook, ignored)) && without == change.before;
  const bool must_chain = is_link || !lines.ok();
  // Husky runs its hooks with sh, executable or not.
  const bool is_husky = hook.parent_path().filename() == ".husky";
  if (!trim(change.before).empty() && (must_chain || !is_husky) &&
      ::access(change.path.c_str(), X_OK) != 0) {
    return Error{ErrorCode::kUnsupported,
                 "the hook that is there is not executable, so git does not run it; chmod +x it, "
                 "or remove it, and run init again"};
  }
  if (!must_chain) {
    change.after = *lines;
    return change;
  }
  if (is_taken) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{} is in the way of the hook that is there", chained.string())};
  }
  change.path = hook;
  change.moved_to = chained;
  change.after = chaining;
  return change;
}

}  // namespace codexmem::app
