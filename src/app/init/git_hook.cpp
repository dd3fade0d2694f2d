#include "app/init/git_hook.h"

#include <fmt/core.h>
#include <unistd.h>

#include <system_error>

#include "base/file.h"
#include "base/text.h"
#include "index/git/git_repository.h"

namespace codexmem::app {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kBegin = "# >>> codexmem >>>\n";
constexpr std::string_view kEnd = "# <<< codexmem <<<";
constexpr std::string_view kLines =
    "# >>> codexmem >>>\n"
    "# Brings the code index up to date with what is committed. It works in the background, when\n"
    "# git has ended, and never fails a commit. `codexmem init --no-git-hook` takes these lines "
    "out.\n"
    "case $(command -v codexmem) in\n"  // not one that the repository has where PATH names `.`
    // In a shell of its own, so that a `wait` of the hook is not for it.
    "/*) (codexmem index --staged --quiet --detach --after $PPID </dev/null >/dev/null 2>&1 &) ;;\n"
    "*) echo 'codexmem is not in PATH: its index stays as it is' >&2 ;;\n"
    "esac\n"
    "# <<< codexmem <<<\n";
constexpr const char* kChainedHook = "pre-commit.before-codexmem";
constexpr std::string_view kShebang = "#!/bin/sh\n";

std::string first_line(std::string_view text) {
  return std::string(trim(text.substr(0, text.find('\n'))));
}

bool is_shell_script(std::string_view text) {
  const std::string line = first_line(text);
  if (!line.starts_with("#!")) return true;  // git runs such a hook with sh
  const std::string command = fold_whitespace(std::string_view(line).substr(2));
  for (const std::string_view word : split(command, ' ')) {
    const std::string_view base =
        word.substr(word.rfind('/') == word.npos ? 0 : word.rfind('/') + 1);
    for (const std::string_view shell : {"sh", "bash", "dash", "ksh", "zsh", "ash"}) {
      if (base == shell) return true;
    }
  }
  return false;
}

bool lies_in(const fs::path& path, const fs::path& folder) {
  std::error_code ignored;
  const fs::path inside =
      fs::weakly_canonical(path, ignored).lexically_relative(fs::weakly_canonical(folder, ignored));
  return !inside.empty() && *inside.begin() != "..";
}

}  // namespace

Result<fs::path> find_pre_commit_hook(const fs::path& root) {
  const auto repository = index::GitRepository::find(root.string());
  if (repository == nullptr) {
    return Error{ErrorCode::kNotFound, fmt::format("{} is in no git repository", root.string())};
  }
  const fs::path folder = repository->hooks_folder();
  if (!lies_in(folder, repository->common_folder()) && !lies_in(folder, repository->worktree())) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("core.hooksPath names {}, which serves other repositories too",
                             folder.string())};
  }
  // Husky rewrites its hook folder; the user's hooks are in the folder above.
  if (folder.filename() == "_" && folder.parent_path().filename() == ".husky") {
    return folder.parent_path() / "pre-commit";
  }
  return folder / "pre-commit";
}

Result<std::string> with_hook_lines(std::string_view before) {
  std::string bare(before);
  while (bare.find(kBegin) != bare.npos) {
    std::string shorter = without_hook_lines(bare);
    if (shorter.size() == bare.size()) {
      return Error{
          ErrorCode::kCorrupt,
          "codexmem's lines in the hook have no end mark: delete them, from \"# >>> codexmem "
          ">>>\" on, and run init again"};
    }
    bare = std::move(shorter);
  }
  before = bare;
  if (trim(before).empty()) return std::string(kShebang) + std::string(kLines);
  if (!is_shell_script(before)) {
    return Error{ErrorCode::kUnsupported, "the existing hook is not a shell script"};
  }
  std::string after;
  if (before.starts_with("#!")) {
    const std::size_t end = std::min(before.find('\n'), before.size() - 1) + 1;
    after = before.substr(0, end);
    if (!after.ends_with('\n')) after += '\n';
    before.remove_prefix(end);
  }
  after += kLines;
  after += before;
  return after;
}

std::string without_hook_lines(std::string_view text) {
  const std::size_t begin = text.find(kBegin);
  const std::size_t end = begin == text.npos ? text.npos : text.find(kEnd, begin);
  if (end == text.npos) return std::string(text);
  std::string rest(text.substr(0, begin));
  text.remove_prefix(end + kEnd.size());
  if (text.starts_with('\n')) text.remove_prefix(1);
  rest += text;
  return rest == kShebang || trim(rest).empty() ? std::string() : rest;
}

std::string chaining_hook(std::string_view chained) {
  return fmt::format("{}{}exec \"$(dirname \"$0\")/{}\" \"$@\"\n", kShebang, kLines, chained);
}

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
