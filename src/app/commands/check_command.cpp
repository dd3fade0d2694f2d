// codexmem check: finds uses elsewhere that a change breaks, before it is committed.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/render/check_formats.h"
#include "app/command.h"
#include "app/given_rules.h"
#include "app/open_workspace.h"
#include "app/refresh.h"
#include "serve/repository.h"
#include "app/signals.h"
#include "text/counted.h"
#include "text/json_object.h"
#include "base/text.h"
#include "base/file.h"
#include "index/changes/change_check.h"
#include "memory/transfer/team_memory.h"
#include "index/git/git_changes.h"
#include "index/run/indexer.h"
#include "index/discovery/selection.h"
#include "store/code/store_directory.h"

namespace codexmem::app {
namespace fs = std::filesystem;

namespace {

// How long a check waits for another index run.
constexpr std::chrono::seconds kPatience{10};

constexpr auto kAllIsWell = ExitCode::kFound;
constexpr auto kHasFindings = ExitCode::kNothingFound;
constexpr auto kNotChecked = ExitCode::kError;

std::string environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): never set here
  return value == nullptr ? "" : value;
}

std::string to_json(const index::ChangeReport& report,
                    const std::vector<std::string>& others_of_workspace,
                    std::chrono::milliseconds elapsed) {
  const auto write_finding = [](const index::ChangeFinding& finding) {
    return json_object("file", finding.path, "line", finding.line, "column", finding.column, "kind",
                       index::finding_kind_name(finding.kind), "name", finding.name, "target",
                       json_or_null(finding.target), "message", finding.message, "context",
                       finding.context);
  };
  const auto write_use = [](const index::UncheckedUse& use) {
    return json_object("file", use.path, "line", use.line, "column", use.column, "kind",
                       index::finding_kind_name(use.kind), "name", use.name, "why", use.why);
  };
  return json_object("findings", json_list(report.findings, write_finding), "filesChanged",
                     report.files_changed, "filesChecked", report.files_checked, "usesNotChecked",
                     json_list(report.unchecked, write_use), "possibleUses", report.possible,
                     "notChecked", report.other, "rulesNotChecked", report.rules_not_checked,
                     "leftOut", report.left_out, "complete", report.is_complete, "timeElapsed",
                     index::format_elapsed(elapsed), "repositoriesNotChecked",
                     some(others_of_workspace));
}

class CheckCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments
        .texts("PATHS", paths_, "Report only findings in these files or folders (default: all)")
        .are_files();
    arguments.flag("--staged", query_.is_staged, "Check what is staged instead of the work tree");
    arguments.text("--since", query_.since,
                   "Compare with this revision (default: the last commit)");
    arguments.text("--repo", directory_, "A folder of the repository (default: the current one)");
    arguments.flag(
        "--hook", is_hook_,
        "In a hook: report codexmem's own trouble and let the commit pass, unless the setting "
        "`unchecked` says otherwise");
    arguments.flag("--strict", is_strict_,
                   "Fail also when something was not checked: for CI, with --hook too. Other "
                   "repositories of a workspace do not count");
    arguments
        .text("--format", format_,
              "text (default), github (annotations of GitHub Actions) or sarif (SARIF 2.1.0)")
        .are({"text", "github", "sarif"});
    arguments.flag("--json", json_, "Print the report as JSON");
  }

  ExitCode run(Console& console) override {
    if (format_ != "text" && format_ != "github" && format_ != "sarif") {
      fail(console, {ErrorCode::kInvalidArgument,
                     fmt::format("--format must be text, github or sarif; got \"{}\"", format_)});
      return ExitCode::kError;
    }
    if (json_ && format_ != "text") {
      fail(console, {ErrorCode::kInvalidArgument, "--json and --format exclude each other"});
      return ExitCode::kError;
    }
    if (is_hook_ && query_.since.empty()) {
      // `pre-commit run --from-ref A`, and what it does before a push.
      query_.since = environment("PRE_COMMIT_FROM_REF");
      if (!query_.since.empty()) query_.is_staged = false;
    }
    const Settings settings = serve::load_settings(serve::start_directory(directory_));
    const std::string unchecked = is_hook_ ? settings.value("CODEXMEM_UNCHECKED") : "";
    is_strict_ = is_strict_ || unchecked == "strict";
    const std::string seconds = settings.value("CODEXMEM_CHECK_SECONDS");
    std::from_chars(seconds.data(), seconds.data() + seconds.size(), seconds_);
    const auto begin = std::chrono::steady_clock::now();
    const StopOnSignal stop;
    const auto report = check(console, stop.token());
    if (!report.ok()) {
      if (!is_hook_ || is_strict_ || report.error().code() == ErrorCode::kCancelled) {
        fail(console, report.error());
        return ExitCode::kError;  // not the exit code of findings
      }
      console.note("codexmem: NOTHING WAS CHECKED: " + report.error().message());
      return unchecked == "fail" ? kNotChecked : kAllIsWell;
    }
    if (json_) {
      console.print_json(to_json(*report, others_,
                                 std::chrono::duration_cast<std::chrono::milliseconds>(
                                     std::chrono::steady_clock::now() - begin)));
    } else if (format_ == "sarif") {
      console.print_json(to_sarif(*report));
      print_notes(*report, console);
    } else {
      print(*report, console);
    }
    if (!report->findings.empty()) return kHasFindings;
    return is_strict_ && !report->is_whole() ? kNotChecked : kAllIsWell;
  }

 private:
  Result<index::ChangeReport> check(Console& console, const std::stop_token& stop) {
    const fs::path start = serve::start_directory(directory_);
    if (!is_hook_) {
      CODEXMEM_TRY(expect_repository(start, "name its folder with --repo"));
      CODEXMEM_ASSIGN(const auto members, choose_workspace("", start));
      if (!members.empty()) {
        CODEXMEM_ASSIGN(const auto one, choose_member(members, "", start));
        others_ = ask::list_names(members, one.name);
      }
    }
    CODEXMEM_ASSIGN(const fs::path root, serve::find_index_around(start));
    CODEXMEM_ASSIGN(index::GitChanges changes, index::GitChanges::find(root, start, query_));
    std::vector<std::string> paths;
    for (const std::string& path : paths_) {
      paths.push_back(serve::relative_to_root(root, start, path));
      if (paths.back() == ".") paths.back().clear();
      CODEXMEM_TRY(expect(path, root / paths.back(), paths.back(), changes));
    }
    std::vector<index::ChangeFinding> shared = find_shared_troubles(root, changes, paths);
    if (changes.changes().empty()) return index::ChangeReport();
    const std::size_t files_changed = changes.changes().size();
    auto report = check_uses(root, start, std::move(changes), paths, console, stop);
    if (!report.ok()) {
      if (!is_hook_ || shared.empty()) return report;
      console.note("codexmem: ONLY SHARED FILES WERE CHECKED: " + report.error().message());
      report = index::ChangeReport();
      report->files_changed = files_changed;
    }
    report->findings.insert(report->findings.begin(), shared.begin(), shared.end());
    return report;
  }

  Result<index::ChangeReport> check_uses(const fs::path& root, const fs::path& start,
                                         index::GitChanges changes,
                                         const std::vector<std::string>& paths, Console& console,
                                         const std::stop_token& stop) {
    const bool is_first = !store::has_index(root);
    CODEXMEM_ASSIGN(const auto workspace, store::Workspace::open(root));
    report_broken_rename(*workspace, console);
    if (is_first) {
      console.note(fmt::format("codexmem: indexing {} first, once", root.string()));
    }
    index::IndexOptions run;
    run.skip_embeddings = true;  // the check does not need them; the next run makes them
    if (is_hook_) {
      CODEXMEM_TRY(
          refresh_index_within(std::chrono::seconds(seconds_), *workspace, run, console, stop));
    } else {
      CODEXMEM_TRY(refresh_index(*workspace, run, kPatience, console, stop));
    }
    std::vector<std::string> unread;
    const auto rules = read_given_rules(start, unread);
    CODEXMEM_ASSIGN(index::ChangeReport report,
                    index::check_changes(*workspace, std::move(changes), paths, rules, stop));
    report.rules_not_checked = std::move(unread);
    return report;
  }

  // What must not be committed of the files that the team shares.
  static std::vector<index::ChangeFinding> find_shared_troubles(
      const fs::path& root, const index::GitChanges& changes,
      const std::vector<std::string>& paths) {
    const index::Selection selection(paths);
    std::vector<std::string> shared;
    for (const index::GitChange& change : changes.changes()) {
      if (change.exists && memory::is_shared_path(change.path) && selection.holds(change.path)) {
        shared.push_back(change.path);
      }
    }
    const auto read = [&](const std::string& path) -> Result<std::string> {
      if (changes.is_of_work_tree()) return read_file(root / path);
      CODEXMEM_ASSIGN(const auto staged, changes.read_staged(path));
      return staged.value_or("");
    };
    std::vector<index::ChangeFinding> findings;
    for (const memory::SharedTrouble& trouble : memory::check_shared(shared, read)) {
      index::ChangeFinding finding;
      finding.kind = index::ChangeFinding::Kind::kShared;
      finding.path = trouble.path;
      finding.line = trouble.place.line;
      finding.column = trouble.place.column;
      finding.name = trouble.rule;
      finding.message = "shared memory: " + trouble.what;
      findings.push_back(std::move(finding));
    }
    return findings;
  }

  // Fails for a path that is neither there nor, as a file that is deleted, part of the change.
  static Result<void> expect(const std::string& typed, const fs::path& path,
                             const std::string& relative, const index::GitChanges& changes) {
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(path, ignored))) return {};
    const index::Selection selection({relative});
    for (const index::GitChange& change : changes.changes()) {
      if (selection.holds(change.path)) return {};
    }
    return Error{ErrorCode::kNotFound, "there is no " + typed};
  }

  void print(const index::ChangeReport& report, Console& console) {
    for (const index::ChangeFinding& finding : report.findings) {
      if (format_ == "github") {
        console.print_line(to_annotation(finding));
        continue;
      }
      console.print_line(fmt::format(
          "{}: {}",
          console.painted(Paint::kPath,
                          fmt::format("{}:{}:{}", finding.path, finding.line, finding.column)),
          finding.message));
      if (finding.context.empty()) continue;  // no line of it says more
      console.print_line(console.painted(Paint::kDim, "    " + finding.context));
    }
    print_notes(report, console);
  }

  // The summary, and notes about uses, files and rules that were not checked.
  void print_notes(const index::ChangeReport& report, Console& console) const {
    std::string summary;
    if (!report.findings.empty()) {
      summary = fmt::format("{}, by changes of {}", counted(report.findings.size(), "broken use"),
                            counted(report.files_changed, "file"));
    } else if (is_hook_) {
      // A hook prints no summary; the notes on unchecked uses say enough.
    } else if (report.files_changed == 0) {
      summary = query_.is_staged ? "nothing is staged" : "nothing has changed";
    } else if (report.files_checked == 0) {
      summary = "nothing to check in " + counted(report.files_changed, "changed file");
    } else {
      // Unchecked uses may be broken.
      const bool is_sure = report.is_whole() && report.possible.empty();
      summary = (is_sure ? "nothing is broken by " : "nothing found in ") +
                counted(report.files_checked, "changed file");
    }
    if (!summary.empty()) console.note(summary);
    for (const std::string& line : unchecked_lines(report.unchecked)) console.note(line);
    for (const std::string& line : check_notes(report)) console.note(line);
    if (report.files_changed > 0 && !others_.empty()) {
      console.note("not looked at: the other repositories of the workspace: " +
                   join(others_, ", "));
    }
  }

  // One line for each reason: "not checked: 2 files, 3 uses (a.py:1, b.py:7, ...): a.py has a
  // __getattr__". Most uses first.
  static std::vector<std::string> unchecked_lines(
      const std::vector<index::UncheckedUse>& unchecked) {
    constexpr std::size_t kMaxPlaces = 3, kMaxReasons = 10;
    std::map<std::string, std::vector<const index::UncheckedUse*>> by_reason;
    for (const index::UncheckedUse& use : unchecked) by_reason[use.why].push_back(&use);
    std::vector<const decltype(by_reason)::value_type*> reasons;
    for (const auto& entry : by_reason) reasons.push_back(&entry);
    std::ranges::stable_sort(reasons, std::ranges::greater(),
                             [](const auto* entry) { return entry->second.size(); });
    std::vector<std::string> lines;
    std::size_t more = 0;
    for (const auto* entry : reasons) {
      const auto& [why, uses] = *entry;
      if (lines.size() == kMaxReasons) {
        more += uses.size();
        continue;
      }
      std::set<std::string> files;
      std::vector<std::string> places;
      for (const index::UncheckedUse* use : uses) {
        files.insert(use->path);
        if (places.size() < kMaxPlaces) {
          places.push_back(fmt::format("{}:{} {}", use->path, use->line, use->name));
        }
      }
      if (uses.size() > kMaxPlaces) places.emplace_back("...");
      lines.push_back(fmt::format("not checked: {}, {}: {} ({})", counted(files.size(), "file"),
                                  counted(uses.size(), "use"), why, join(places, ", ")));
    }
    if (more > 0) {
      lines.push_back(fmt::format("not checked: {} for other reasons; --json has them all",
                                  counted(more, "more use")));
    }
    return lines;
  }

  index::GitChangesQuery query_{.since = "", .is_staged = false};
  std::vector<std::string> paths_;
  std::vector<std::string> others_;  // of the workspace: what they use is not looked at
  std::string directory_, format_ = "text";
  int seconds_ = 30;  // that a hook may index
  bool is_hook_ = false;
  bool is_strict_ = false;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_check_command() { return std::make_unique<CheckCommand>(); }

}  // namespace codexmem::app
