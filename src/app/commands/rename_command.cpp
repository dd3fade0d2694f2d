// codexmem rename and change: show a plan, and carry it out with --apply.
//
// Tested by git/rename_test.py.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/command.h"
#include "app/given_rules.h"
#include "app/commands/question_command.h"
#include "app/refresh.h"
#include "ask/code/plan_rename.h"
#include "base/shell_word.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "index/changes/rename_apply.h"
#include "index/changes/rewrite.h"
#include "text/counted.h"

namespace codexmem::app {
namespace {

// How long another index run is waited for.
constexpr std::chrono::seconds kRenamePatience{10};

std::string place_of(const std::string& path, const Position& position) {
  return fmt::format("{}:{}:{}", terminal_line(path), position.line, position.column);
}

// What asks the compiler or type checker of a project, by a file in its root. Shown, never run
// unless it is given.
constexpr std::pair<std::string_view, std::string_view> kCheckers[] = {
    {"go.mod", "go vet ./..."},
    {"Cargo.toml", "cargo check --tests"},
    {"tsconfig.json", "npx tsc --noEmit"},
    {"pom.xml", "mvn -q test-compile"},
    {"build.gradle", "gradle testClasses"},
    {"build.gradle.kts", "gradle testClasses"},
    {"pyrightconfig.json", "pyright"},
};

std::string checker_of(const std::filesystem::path& root) {
  for (const auto& [file, command] : kCheckers) {
    std::error_code ignored;
    if (std::filesystem::exists(root / file, ignored)) return std::string(command);
  }
  return "COMMAND";
}

class RenameCommand : public QuestionCommand {
 public:
  using QuestionCommand::QuestionCommand;

  void declare(Arguments& arguments) override {
    QuestionCommand::declare(arguments);
    arguments.flag("--apply", is_applied_, "Write the edits, unless a place is left to look at");
    arguments.text(
        "--verify", verify_,
        "With --apply: run this in the root afterwards, such as a compiler; if it fails, "
        "everything is put back");
  }

 protected:
  Result<void> prepare(const ask::Context& context, const ParamOptions::PathReader&,
                       Console& console) override {
    if (!is_applied_) return {};  // a plan changes nothing
    store::Workspace& workspace = context.code().workspace;
    CODEXMEM_ASSIGN(const auto paths, index::recover_rewrite(workspace));
    if (!paths.empty()) {
      console.note("codexmem: an earlier change was broken off; put back: " + join(paths, ", "));
      CODEXMEM_TRY(
          refresh_index(workspace, {.skip_embeddings = true}, kRenamePatience, console, {}));
    }
    return {};
  }

  ExitCode conclude(store::Workspace& workspace, const ask::Answer& given, ExitCode code,
                    Console& console, const std::stop_token& stop) override {
    const auto& plan = static_cast<const ask::PlanRenameAnswer&>(given).plan;
    if (!is_applied_) {
      if (plan.is_certain()) {
        console.note(fmt::format("--apply writes this; with --verify {} the compiler has a say",
                                 shell_word(checker_of(workspace.root()))));
      }
      return code;
    }
    if (!plan.is_certain()) {
      console.note(
          fmt::format("nothing was written: {} to look at first; --take or --leave "
                      "FILE:LINE says which to change",
                      counted(plan.obstacles.size(), "place")));
      return ExitCode::kNothingFound;
    }
    const auto refresh = [&]() -> Result<void> {
      CODEXMEM_TRY(
          refresh_index(workspace, {.skip_embeddings = true}, kRenamePatience, console, stop));
      return {};
    };
    std::vector<std::string> unread;
    const auto rules = read_given_rules(workspace.root(), unread);
    for (const std::string& why : unread) console.note("not checked: " + why);
    std::function<bool()> verify;
    if (!verify_.empty()) verify = [&] { return is_content(workspace.root()); };
    const auto outcome = index::apply_rename(workspace, plan, rules, refresh, verify, stop);
    if (!outcome.ok()) return fail(console, outcome.error());
    if (outcome->is_applied) {
      console.note(fmt::format(
          "{}: {} in {}",
          plan.is_rename() ? fmt::format("renamed {} to {}", plan.old_name, plan.new_name)
                           : "changed " + plan.old_name,
          counted(plan.edit_count(), "place"), counted(plan.files.size(), "file")));
      return ExitCode::kFound;
    }
    for (const graph::RenameObstacle& each : outcome->differences) {
      console.note(place_of(each.path, each.position) + ": " + each.why);
    }
    for (const index::ChangeFinding& each : outcome->findings) {
      console.note(place_of(each.path, {each.line, each.column}) + ": " + each.message);
    }
    console.note(outcome->is_verified
                     ? "the change would have broken this, so everything was put back"
                     : fmt::format("`{}` failed, so everything was put back", verify_));
    return ExitCode::kNothingFound;
  }

 private:
  // Runs the user's command; what it prints goes to standard error.
  bool is_content(const std::filesystem::path& root) const {
    const std::string line =
        fmt::format("cd {} && {{ {}\n}} </dev/null 1>&2", shell_word(root.string()), verify_);
    return std::system(line.c_str()) == 0;  // NOLINT(concurrency-mt-unsafe): as the user says
  }

  bool is_applied_ = false;
  std::string verify_;
};

// The possible uses, which stay: the first with their lines, of others how many a file has.
std::string open_places(const graph::RenamePlan& plan, const Console& console) {
  std::string out;
  std::map<std::string, std::size_t> others;
  for (const graph::OpenPlace& place : plan.open) {
    if (place.context.empty()) {
      ++others[place.path];
      continue;
    }
    out += console.code_line(fmt::format("  {}:{}  {}", terminal_line(place.path),
                                         place.position.line, terminal_line(place.context)),
                             0) +
           "\n";
  }
  std::vector<std::string> counts;
  for (const auto& [path, count] : others) {
    counts.push_back(fmt::format("{} {}", terminal_line(path), count));
  }
  if (!counts.empty()) out += console.in_lines("  " + join(counts, ", ")) + "\n";
  std::set<std::string_view> why;
  for (const graph::OpenPlace& place : plan.open) why.insert(graph::doubt_text(place.why));
  return out + console.in_lines("  possible, because " + join({why.begin(), why.end()}, "; ")) +
         "\n";
}

}  // namespace

Rendered render_rename(const ask::Answer& given, const Console& console) {
  const auto& answer = static_cast<const ask::PlanRenameAnswer&>(given);
  const graph::RenamePlan& plan = answer.plan;
  Rendered out;
  out.found = true;
  std::string path;
  for (const ask::RenamedLine& line : answer.lines) {
    const bool is_new_file = line.path != path;
    path = line.path;
    if (console.is_model()) {  // knows the line as it is
      if (is_new_file) out.text += path + "\n";
      out.text += fmt::format("  {}:{}{}  {}\n", line.first.line, line.first.column,
                              line.is_definition ? "  definition" : "", trim(line.after));
      continue;
    }
    if (is_new_file && line.path != answer.lines.front().path) out.text += "\n";
    out.text += console.painted(Paint::kPath, place_of(line.path, line.first)) +
                console.painted(Paint::kDim, line.is_definition ? "  definition" : "") + "\n";
    out.text += console.painted(Paint::kBad, "- " + terminal_line(line.before)) + "\n";
    out.text += console.painted(Paint::kGood, "+ " + terminal_line(line.after)) + "\n";
  }
  for (const graph::RenamedFile& file : plan.files) {
    if (file.new_path.empty()) continue;
    out.text +=
        fmt::format("\n{} becomes {}\n", terminal_line(file.path), terminal_line(file.new_path));
  }
  if (!plan.obstacles.empty()) {
    out.text += "\n" + console.painted(Paint::kBold, "to look at first") + "\n";
  }
  for (const graph::RenameObstacle& each : plan.obstacles) {
    out.text +=
        console.painted(Paint::kPath, place_of(each.path, each.position)) + "  " +
        terminal_line(each.why) +
        (each.confidence ? fmt::format(" ({})", graph::confidence_name(*each.confidence)) : "") +
        "\n";
    if (!each.context.empty()) {
      out.text += console.painted(Paint::kDim, "    " + terminal_line(each.context)) + "\n";
    }
  }
  if (!plan.mentions.empty()) {
    out.text +=
        "\n" + console.painted(Paint::kBold, "in strings and comments, left as they are") + "\n";
  }
  const auto mentions = [&](const std::vector<graph::NameMention>& places) {
    for (const graph::NameMention& each : places) {
      out.text += console.painted(Paint::kPath, place_of(each.path, each.position)) + "  " +
                  console.painted(Paint::kDim, terminal_line(each.context)) + "\n";
    }
  };
  mentions(plan.mentions);
  if (!plan.unread.empty()) {
    out.text += "\n" + console.painted(Paint::kBold, "not understood, left as they are") + "\n";
  }
  mentions(plan.unread);
  const std::size_t left = plan.left_open();
  out.text += fmt::format(
      "\n{} in {}, {}\n", counted(plan.edit_count(), "place"), counted(plan.files.size(), "file"),
      !plan.is_certain() ? counted(plan.obstacles.size(), "place") + " to look at first"
      : left == 0        ? "all certain"
      : left == 1        ? "1 more place may mean it and stays"
                         : fmt::format("{} more places may mean it and stay", left));
  if (plan.is_certain() && left > 0) out.text += open_places(plan, console);
  out.text += console.painted(Paint::kDim, graph::account_text(plan.account)) + "\n" +
              account_meaning(plan.account, console);
  if (!answer.note.empty()) out.text += console.in_words(answer.note) + "\n";
  return out;
}

std::unique_ptr<Command> make_rename_command() {
  return std::make_unique<RenameCommand>("plan_rename");
}
std::unique_ptr<Command> make_change_command() {
  return std::make_unique<RenameCommand>("plan_change");
}

}  // namespace codexmem::app
