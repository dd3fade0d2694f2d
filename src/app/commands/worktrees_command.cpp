// codexmem worktrees: what each worktree of the repository changes, and where two of them meet.
//
// Tested by git/worktrees_test.py.
#include <fmt/core.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "app/command.h"
#include "app/signals.h"
#include "base/terminal_text.h"
#include "config/git_root.h"
#include "index/changes/worktree_changes.h"
#include "serve/repository.h"
#include "text/counted.h"
#include "text/json_object.h"

namespace codexmem::app {
namespace fs = std::filesystem;

namespace {

using index::ChangedSymbol;
using index::MeetingChange;
using index::WorktreeChanges;

std::string describe(const WorktreeChanges& worktree) {
  constexpr std::size_t kMaxShown = 12;
  std::string text =
      fmt::format("{}  {}{}\n", terminal_line(worktree.root.string()),
                  worktree.branch.empty() ? "no branch" : terminal_line(worktree.branch),
                  worktree.is_here ? "  (here)" : "");
  if (!worktree.unknown.empty()) {
    return text + fmt::format("  not known: {}\n", terminal_line(worktree.unknown));
  }
  const index::ChangedCode& changed = worktree.changed;
  if (changed.files.empty()) return text + "  nothing changed\n";
  text += fmt::format("  {} in {} since {}\n", counted(changed.symbols.size(), "definition"),
                      counted(changed.files.size(), "file"), worktree.base.substr(0, 10));
  for (std::size_t i = 0; i < std::min(changed.symbols.size(), kMaxShown); ++i) {
    const ChangedSymbol& symbol = changed.symbols[i];
    text += fmt::format("  {}\n", terminal_line(fmt::format("{}:{}  {} {}: {}", symbol.path,
                                                            symbol.line, symbol.kind, symbol.name,
                                                            index::describe_change(symbol))));
  }
  if (changed.symbols.size() > kMaxShown) {
    text += fmt::format("  {} (--json lists all)\n",
                        counted(changed.symbols.size() - kMaxShown, "more definition"));
  }
  if (!changed.unread.empty()) {
    text += fmt::format("  {} could not be compared\n", counted(changed.unread.size(), "file"));
  }
  return text;
}

JsonText symbol_json(const ChangedSymbol& symbol) {
  return json_object("change", index::symbol_change_name(symbol.change), "path", symbol.path,
                     "line", symbol.line, "name", symbol.name, "kind", symbol.kind, "oldName",
                     json_or_null(symbol.old_name), "oldPath", json_or_null(symbol.old_path));
}

class WorktreesCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.flag("--json", json_, "Print all changes as JSON");
  }

  ExitCode run(Console& console) override {
    const fs::path start = serve::start_directory("");
    const fs::path root = git_root(start);
    if (root.empty()) {
      return fail(console, {ErrorCode::kNotFound, start.string() + " is not in a git repository"});
    }
    const StopOnSignal stop;
    const auto worktrees = index::list_worktree_changes(root, {}, stop.token());
    if (!worktrees.ok()) return fail(console, worktrees.error());
    const std::vector<MeetingChange> meetings = index::find_meeting_changes(*worktrees);
    json_ ? print_json(*worktrees, meetings, console) : print(*worktrees, meetings, console);
    return worktrees->size() > 1 ? ExitCode::kFound : ExitCode::kNothingFound;
  }

 private:
  static void print(const std::vector<WorktreeChanges>& worktrees,
                    const std::vector<MeetingChange>& meetings, Console& console) {
    std::string text;
    for (const WorktreeChanges& worktree : worktrees) text += describe(worktree);
    if (!meetings.empty()) text += "\n";
    for (const MeetingChange& meeting : meetings) {
      text += terminal_line(index::describe_meeting(meeting, worktrees)) + "\n";
    }
    console.print_paged(text);
    if (worktrees.size() == 1) console.note("the repository has no other worktree");
  }

  static void print_json(const std::vector<WorktreeChanges>& worktrees,
                         const std::vector<MeetingChange>& meetings, Console& console) {
    const auto worktree_json = [](const WorktreeChanges& worktree) {
      return json_object("root", worktree.root.string(), "branch", json_or_null(worktree.branch),
                         "base", json_or_null(worktree.base), "isHere", worktree.is_here, "files",
                         worktree.changed.files, "symbols",
                         json_list(worktree.changed.symbols, symbol_json), "notCompared",
                         worktree.changed.unread.size(), "unknown", json_or_null(worktree.unknown));
    };
    const auto meeting_json = [&](const MeetingChange& meeting) {
      constexpr std::array<std::string_view, 3> kKinds = {"text", "both", "uses"};
      const bool is_text = meeting.kind == MeetingChange::Kind::kText;
      return json_object("kind", kKinds[static_cast<std::size_t>(meeting.kind)], "path",
                         meeting.symbol.path, "first", worktrees[meeting.first].root.string(),
                         "second", worktrees[meeting.second].root.string(), "symbol",
                         json_if(!is_text, symbol_json(meeting.symbol)));
    };
    console.print_json(json_object("worktrees", json_list(worktrees, worktree_json), "meetings",
                                   json_list(meetings, meeting_json))
                           .text);
  }

  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_worktrees_command() { return std::make_unique<WorktreesCommand>(); }

}  // namespace codexmem::app
