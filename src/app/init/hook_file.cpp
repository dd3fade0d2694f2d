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
  const bool chains = change.before == chaining_hook(kChainedHook);
  if (!wanted) {
    change.after = without_hook_lines(change.before);
    if (chains) {
      CODEXMEM_ASSIGN(change.after, read_file(chained));
      change.emptied = chained;
    }
    change.remove = change.existed && change.after.empty();
    return change;
  }
  if (chains) return change;
  // (Husky runs its hooks with a shell, whatever their mode is.)
  if (change.existed && !trim(change.before).empty() && hook.parent_path().filename() != ".husky" &&
      ::access(change.path.c_str(), X_OK) != 0) {
    return Error{ErrorCode::kUnsupported,
                 "the hook that is there is not executable, so git does not run it; chmod +x it, "
                 "or remove it, and run init again"};
  }
  auto lines = with_hook_lines(change.before);
  if (lines.ok()) {
    change.after = *std::move(lines);
    return change;
  }
  if (lines.error().code() != ErrorCode::kUnsupported) return std::move(lines).error();
  std::error_code ignored;
  if (fs::exists(chained, ignored)) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{} is in the way of the hook that is there", chained.string())};
  }
  change.moved_to = chained;
  change.after = chaining_hook(kChainedHook);
  return change;
}

}  // namespace codexmem::app
