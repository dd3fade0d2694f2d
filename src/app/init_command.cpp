// codexmem init: lets the editor and git use the index. Writes nothing that it has not shown.
#include <fmt/core.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "app/command.h"
#include "app/editor_settings.h"
#include "app/git_hook.h"
#include "app/repository.h"
#include "app/text_diff.h"
#include "base/file.h"
#include "base/text.h"

namespace codexmem::app {
namespace fs = std::filesystem;

namespace {

constexpr const char* kChainedHook = "pre-commit.before-codexmem";

// One file to be written, removed or moved.
struct Change {
  fs::path path;
  std::string before, after;  // `after` empty: the file goes
  bool existed = false;
  bool executable = false;
  fs::path emptied;   // a file that `after` has taken the place of; it goes
  fs::path moved_to;  // the file that is there is first renamed to this; empty: it is not
};

Result<std::string> read_if_there(const fs::path& path, bool& existed) {
  auto text = read_file(path);
  existed = text.ok();
  if (!text.ok() && text.error().code() == ErrorCode::kNotFound) return std::string();
  return text;
}

// The file that a link leads to, so that the link stays one.
fs::path behind_links(const fs::path& path) {
  std::error_code failed;
  fs::path target = fs::canonical(path, failed);
  return failed ? path : target;
}

bool is_in_path(const char* program) {
  const char* path = std::getenv("PATH");
  for (const std::string_view folder : split(path == nullptr ? "" : path, ':')) {
    if (::access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

class InitCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("PATH", path_, "A folder of the repository (default: the current one)");
    arguments.flag("-n,--dry-run", dry_run_,
                   "Show what would be written, as a diff; write nothing");
    arguments.flag("--git-hook,!--no-git-hook", git_hook_,
                   "Write the pre-commit hook (default), or take its lines out again");
  }

  ExitCode run(Console& console) override {
    const auto root = find_root(start_directory(path_));
    if (!root.ok()) return fail(console, root.error());
    ExitCode code = ExitCode::kFound;
    const auto apply = [&](Result<Change> change, std::string_view what) {
      if (!change.ok()) {
        console.note(fmt::format("{}: left as it is: {}", what, change.error().message()));
        return;
      }
      if (const auto done = write(*root, *change, console); !done.ok())
        code = fail(console, done.error());
    };
    Result<Change> settings = settings_change(*root);
    const bool refused = !settings.ok() && settings.error().code() == ErrorCode::kUnsupported;
    apply(std::move(settings), ".vscode/mcp.json");
    if (refused) {
      console.note("Add this to its \"servers\" by hand:\n\n" + editor_entry() + "\n");
      code = ExitCode::kError;
    }
    apply(hook_change(*root), "git hook");
    if (!is_in_path("codexmem")) {
      console.note(
          "codexmem: warning: there is no codexmem in PATH, where the editor and the hook look for "
          "it; link the program into a folder of PATH");
    }
    return code;
  }

 private:
  Result<Change> settings_change(const fs::path& root) {
    Change change;
    change.path = behind_links(root / ".vscode" / "mcp.json");
    CODEXMEM_ASSIGN(change.before, read_if_there(change.path, change.existed));
    CODEXMEM_ASSIGN(change.after, with_editor_entry(change.before));
    return change;
  }

  Result<Change> hook_change(const fs::path& root) {
    Change change;
    CODEXMEM_ASSIGN(const fs::path hook, find_pre_commit_hook(root));
    change.path = behind_links(hook);
    change.executable = true;
    CODEXMEM_ASSIGN(change.before, read_if_there(change.path, change.existed));
    const fs::path chained = hook.parent_path() / kChainedHook;
    if (!git_hook_) {
      change.after = without_hook_lines(change.before);
      if (change.before == chaining_hook(kChainedHook)) {
        CODEXMEM_ASSIGN(change.after, read_file(chained));
        change.emptied = chained;
      }
      return change;
    }
    if (change.before == chaining_hook(kChainedHook)) {
      change.after = change.before;
      return change;
    }
    auto lines = with_hook_lines(change.before);
    if (lines.ok()) {
      change.after = *std::move(lines);
      return change;
    }
    std::error_code ignored;
    if (fs::exists(chained, ignored)) {
      return Error{ErrorCode::kUnsupported,
                   fmt::format("{} is in the way of the hook that is there", chained.string())};
    }
    change.moved_to = chained;
    change.after = chaining_hook(kChainedHook);
    return change;
  }

  Result<void> write(const fs::path& root, const Change& change, Console& console) {
    const fs::path inside = change.path.lexically_relative(root);
    const std::string name =
        inside.empty() || *inside.begin() == ".." ? change.path.string() : inside.generic_string();
    if (change.before == change.after && (change.existed || change.after.empty())) {
      console.print_line(fmt::format("{}: nothing to do", name));
      return {};
    }
    if (dry_run_) {
      if (!change.moved_to.empty()) {
        console.print_line(fmt::format("{} is renamed to {}", name, change.moved_to.string()));
      }
      console.print(unified_diff(name, change.moved_to.empty() ? change.before : "", change.after,
                                 !change.existed || !change.moved_to.empty()));
      return {};
    }
    std::error_code failed;
    if (change.after.empty()) {
      fs::remove(change.path, failed);
      if (failed) return Error{ErrorCode::kIo, fmt::format("{}: {}", name, failed.message())};
      console.print_line(fmt::format("{}: removed", name));
      return {};
    }
    fs::create_directories(change.path.parent_path(), failed);
    if (failed) return Error{ErrorCode::kIo, fmt::format("{}: {}", name, failed.message())};
    fs::perms mode = fs::perms::none;
    if (change.existed) mode = fs::status(change.path, failed).permissions();
    if (!change.moved_to.empty()) {
      fs::rename(change.path, change.moved_to, failed);
      if (failed) return Error{ErrorCode::kIo, fmt::format("{}: {}", name, failed.message())};
    }
    CODEXMEM_TRY(replace_file(change.path, change.after));
    if (change.existed && mode != fs::perms::unknown) fs::permissions(change.path, mode, failed);
    if (change.executable) {
      fs::permissions(change.path,
                      fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec |
                          fs::perms::others_read | fs::perms::others_exec,
                      failed);
    }
    if (!failed && !change.emptied.empty()) fs::remove(change.emptied, failed);
    if (failed) return Error{ErrorCode::kIo, fmt::format("{}: {}", name, failed.message())};
    console.print_line(fmt::format("{}: {}", name, change.existed ? "changed" : "written"));
    return {};
  }

  std::string path_;
  bool dry_run_ = false;
  bool git_hook_ = true;
};

}  // namespace

std::unique_ptr<Command> make_init_command() { return std::make_unique<InitCommand>(); }

}  // namespace codexmem::app
