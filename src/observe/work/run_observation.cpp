// Tested by observe/rule_based_provider_test.cpp.
#include "observe/work/run_observation.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include "base/text.h"
#include "observe/work/rule_text.h"

namespace codexmem::observe {
namespace {

std::string last_line(std::string_view text) {
  const std::vector<std::string_view> lines = split(trim(text), '\n');
  for (auto it = lines.rbegin(); it != lines.rend(); ++it) {
    if (!trim(*it).empty()) return shortened_line(*it, 200);
  }
  return {};
}

// The lines that lead to the first error, such as a traceback's last: what its message does not
// say.
std::string before_error(std::string_view output, std::string_view error) {
  constexpr std::size_t kLines = 6;
  const std::string plain = plain_terminal_text(utf8_prefix(output, 64U << 10));
  const std::vector<std::string_view> lines = split(plain, '\n');
  const std::string_view head = error.substr(0, error.find(" Expected"));
  std::size_t at = 0;
  while (at < lines.size() && (head.empty() || lines[at].find(head) == std::string_view::npos))
    ++at;
  if (at == lines.size()) return {};
  std::size_t first = at;
  while (first > 0 && at - first < kLines && !trim(lines[first - 1]).empty() &&
         !lines[first - 1].starts_with("---") && !lines[first - 1].starts_with("===")) {
    --first;
  }
  std::string text;
  for (std::size_t i = first; i < at; ++i) text += std::string(utf8_prefix(lines[i], 200)) + '\n';
  while (text.ends_with('\n')) text.pop_back();
  return shorten(text, kMaxQuotedBytes);
}

// A file as a runner names it, from a folder that is not known.
std::string run_file(const ToolAction& action, std::string_view path) {
  while (path.starts_with("../")) path.remove_prefix(3);
  return shown_path(path, action.cwd, action.root);
}

// "test_auth.py::test_login" of "tests/test_auth.py::test_login", "CartTest.test_total" of
// "test_total (test_cart.CartTest.test_total)".
std::string short_test(std::string_view name) {
  const std::size_t open = name.find(" (");
  if (open != std::string_view::npos && name.ends_with(')') && name.find(' ') == open &&
      name.rfind(' ') == open) {
    const std::string_view test = name.substr(0, open);
    std::string_view place = name.substr(open + 2, name.size() - open - 3);
    if (place.ends_with(test) && place.size() > test.size()) {
      place.remove_suffix(test.size() + 1);  // as newer Pythons say it
    }
    const std::string_view klass = place.substr(place.rfind('.') + 1);
    return shorten(fmt::format("{}.{}", klass, test), 80);
  }
  const std::size_t slash = name.substr(0, name.find("::")).rfind('/');
  if (slash != std::string_view::npos && name.find("::") != std::string_view::npos) {
    name.remove_prefix(slash + 1);
  }
  return shorten(name, 80);
}

std::vector<std::string> short_tests(const std::vector<std::string>& names) {
  std::vector<std::string> shorter;
  for (const std::string& name : names) shorter.push_back(short_test(name));
  return shorter;
}

std::string count_text(const TestRun& run) {
  if (!run.has_counts) return {};
  std::vector<std::string> parts;
  if (run.failed > 0) parts.push_back(fmt::format("{} failed", run.failed));
  if (run.passed > 0 || run.failed == 0) parts.push_back(fmt::format("{} passed", run.passed));
  if (run.skipped > 0) parts.push_back(fmt::format("{} skipped", run.skipped));
  return join(parts, ", ");
}

// "tests/test_cart.py" of "test_total (tests.test_cart.CartTest.test_total)", as unittest names it.
// Without a folder in it the name does not show where the file is: then empty.
std::string module_path(std::string_view name) {
  const std::size_t open = name.find(" (");
  if (open == std::string_view::npos || !name.ends_with(')')) return {};
  std::string_view place = name.substr(open + 2, name.size() - open - 3);
  constexpr std::string_view kNotLoaded = "unittest.loader._FailedTest.";
  const bool is_module = place.starts_with(kNotLoaded);
  if (is_module) place.remove_prefix(kNotLoaded.size());
  std::vector<std::string> folders;
  for (const std::string_view part : split(place, '.')) {
    if (part.empty()) return {};
    if (!is_module && std::isupper(static_cast<unsigned char>(part[0]))) break;
    folders.emplace_back(part);
  }
  return folders.size() < 2 ? "" : join(folders, "/") + ".py";
}

// Unless the output has named it already.
void add_module(const std::string& path, std::vector<std::string>& files) {
  const bool is_listed = std::ranges::any_of(files, [&](const std::string& file) {
    return file.ends_with(path.substr(path.rfind('/') + 1));
  });
  if (!is_listed) add_file(files, path);
}

void report_red(const ToolAction& action, const CommandPart& command, const TestRun& run,
                const RunPlace& place, std::string_view what, const std::string& runner,
                Observation& observation) {
  const bool is_lint = command.purpose == CommandPurpose::kLint;
  observation.type = is_lint ? "discovery" : "bugfix";
  observation.outcome = is_lint ? "none" : "error";
  const std::vector<std::string> names = short_tests(run.failed_names);
  std::string title;
  if (run.is_build) {
    title = fmt::format("{} failed", what);
    if (run.failed > 1) title += fmt::format(" with {}", counted(run.failed, "error"));
    const std::string error =
        run.first_error.empty() && run.failed == 0 ? error_line(action.output) : run.first_error;
    title += ": " + (error.empty() ? shown(command) : shortened_line(error, 140));
  } else {
    // What failed first: lists show 80 columns.
    title = run.has_counts && run.failed > 0 ? fmt::format("{} of {} failed", run.failed,
                                                           counted(run.passed + run.failed, "test"))
                                             : "Tests failed";
    if (!names.empty()) {
      title += ": " + listed(names, kNamesInTitle);
    } else if (!run.first_error.empty()) {
      title += ": " + shortened_line(run.first_error, 120);
    }
    title += fmt::format(" ({})", shorten(runner, 60));
  }
  observation.title = std::move(title);
  for (std::size_t i = 0; i < run.failed_names.size() && i < 8; ++i) {
    add_fact(observation, "failed: " + run.failed_names[i]);
  }
  if (!run.first_error.empty()) add_fact(observation, "first error: " + run.first_error);
  RedRun red{command.text,
             run.runner,
             run.failed_names,
             observation.files_read,
             run.has_counts && !run.is_build ? run.passed + run.failed : 0,
             run.is_build,
             place.at_ms};
  const auto mended = place.red_runs.add(place.project, std::move(red));
  if (!mended.empty()) {
    add_fact(observation, "no longer failing: " + listed(mended, kNamesInFact));
  }
}

// A green run after a red one says what was mended.
void report_mended(const CommandPart& command, const TestRun& run, const RunPlace& place,
                   Observation& observation) {
  const auto reds = place.red_runs.mend(
      place.project, {command.text, run.runner, {}, {}, run.passed, run.is_build, place.at_ms});
  if (reds.empty()) return;
  std::vector<std::string> names;
  bool is_edited = false;
  for (const RedRun& red : reds) {
    is_edited = is_edited || red.is_edited_since;
    for (const std::string& name : red.names) {
      if (std::ranges::count(names, name) == 0) names.push_back(name);
    }
    for (const std::string& file : red.files) add_file(observation.files_read, file);
  }
  // What turned green without an edit was not mended: it is flaky, or was mended elsewhere.
  if (is_edited) observation.type = "bugfix";
  if (names.empty()) {
    if (is_edited) observation.title += " (it had failed before)";
  } else {
    observation.title = fmt::format("{}{} {} again ({})", is_edited ? "Fixed: " : "",
                                    listed(short_tests(names), kNamesInTitle),
                                    names.size() == 1 ? "passes" : "pass", observation.title);
    add_fact(observation, "red before, green now: " + listed(names, kNamesInFact));
  }
}

}  // namespace

std::string error_line(std::string_view text) {
  const std::string plain = plain_terminal_text(
      text.size() > (64U << 10) ? text.substr(text.size() - (64U << 10)) : text);
  const std::vector<std::string_view> lines = split(plain, '\n');
  for (auto it = lines.rbegin(); it != lines.rend(); ++it) {
    const std::string_view line = trim(utf8_prefix(*it, 400));
    const std::string_view word = line.substr(0, line.find(':'));
    if (word.size() == line.size() || word.find(' ') != std::string_view::npos) continue;
    const std::string lower = to_lower_ascii(word);
    if (lower.ends_with("error") || lower.ends_with("exception") || lower == "fatal") {
      return shortened_line(line, 200);
    }
  }
  return last_line(plain);
}

std::string shown(const CommandPart& command) { return '`' + shorten(command.text, 100) + '`'; }

Observation observe_run(const ToolAction& action, const CommandPart& command, TestRun run,
                        const RunPlace& place) {
  // What its own output does not say, the exit code does, or the tool.
  if (!run.is_red && (action.has_failed || action.exit_code.value_or(0) != 0)) {
    run.is_red = true;
    run.first_error = error_line(action.output);
    if (!run.has_counts) run.is_build = command.purpose == CommandPurpose::kBuild;
  }
  if (run.runner.empty()) run.is_build = command.purpose != CommandPurpose::kTest;
  const bool is_lint = command.purpose == CommandPurpose::kLint;
  const std::string_view what = is_lint ? "Check" : run.is_build ? "Build" : "Tests";
  Observation observation;
  observation.concepts = {"problem-solution"};
  const std::string runner = run.runner.empty() ? command.text : run.runner;
  const std::string counts = run.is_build ? "" : count_text(run);
  for (const std::string& file : run.files)
    add_file(observation.files_read, run_file(action, file));
  for (const std::string& name : run.failed_names) {
    add_module(module_path(name), observation.files_read);
  }
  if (action.was_interrupted && run.failed_names.empty()) {
    observation.type = "discovery";
    observation.outcome = "none";
    observation.title = fmt::format("{} did not finish: {}", what, shown(command));
  } else if (run.is_red) {
    report_red(action, command, run, place, what, runner, observation);
  } else {
    observation.type = "discovery";
    observation.outcome = is_lint ? "none" : "success";
    observation.title = fmt::format("{} {}: {}", what, run.is_build ? "succeeded" : "passed",
                                    shorten(run.is_build ? shown(command) : runner, 100));
    if (!counts.empty()) observation.title += ", " + counts;
    report_mended(command, run, place, observation);
  }
  if (observation.title.find(shown(command)) == std::string::npos) {
    observation.narrative = fmt::format("Ran {}.", shown(command));
  }
  if (run.is_red) {
    if (!observation.narrative.empty()) observation.narrative += '\n';
    observation.narrative += before_error(action.output, run.first_error);
  }
  return observation;
}

namespace {

constexpr std::size_t kMaxProjects = 64;
constexpr std::size_t kMaxRuns = 8;  // of a project

// `command` without its options: "pytest -q tests" and "pytest tests -x" are about the same.
std::string target_of(std::string_view command) {
  std::string target;
  for (const std::string_view word : split(command, ' ')) {
    if (word.empty() || word.starts_with('-')) continue;
    if (!target.empty()) target += ' ';
    target += word;
  }
  return target;
}

bool is_named(std::string_view command, std::string_view name) {
  return name.size() > 3 && command.find(name) != std::string_view::npos;
}

// The tests of `red` that a green run of `command` has run.
std::vector<std::string> tests_named(std::string_view command, const RedRun& red) {
  std::vector<std::string> tests;
  for (const std::string& name : red.names) {
    const bool is_of_file =
        std::any_of(red.files.begin(), red.files.end(), [&](const std::string& file) {
          return is_named(command, file) &&
                 (red.files.size() == 1 || name.find(file) != std::string::npos) &&
                 command.find(file + "::") == std::string_view::npos;
        });
    if (is_named(command, name) || is_of_file) tests.push_back(name);
  }
  return tests;
}

}  // namespace

RedRuns::Project& RedRuns::project(const std::string& name, std::int64_t now_ms) {
  const auto found = std::find_if(projects_.begin(), projects_.end(),
                                  [&](const Project& one) { return one.name == name; });
  if (found != projects_.end()) {
    projects_.splice(projects_.begin(), projects_, found);
  } else {
    projects_.push_front({name, {}});
    if (projects_.size() > kMaxProjects) projects_.pop_back();
  }
  projects_.front().runs.remove_if(
      [&](const RedRun& run) { return now_ms - run.at_ms > kRedRunAgeMs; });
  return projects_.front();
}

std::vector<std::string> RedRuns::add(const std::string& name, RedRun run) {
  const std::lock_guard lock(mutex_);
  std::list<RedRun>& runs = project(name, run.at_ms).runs;
  std::vector<std::string> mended;
  const auto earlier = std::find_if(runs.begin(), runs.end(), [&](const RedRun& one) {
    return one.runner == run.runner && target_of(one.command) == target_of(run.command);
  });
  if (earlier != runs.end()) {
    if (!run.is_build) {
      for (const std::string& test : earlier->names) {
        if (std::find(run.names.begin(), run.names.end(), test) == run.names.end()) {
          mended.push_back(test);
        }
      }
    }
    runs.erase(earlier);
  }
  runs.push_front(std::move(run));
  if (runs.size() > kMaxRuns) runs.pop_back();
  return mended;
}

void RedRuns::note_edit(const std::string& name) {
  const std::lock_guard lock(mutex_);
  for (Project& one : projects_) {
    if (one.name != name) continue;
    for (RedRun& run : one.runs) run.is_edited_since = true;
  }
}

std::vector<RedRun> RedRuns::mend(const std::string& name, const RedRun& green) {
  const std::lock_guard lock(mutex_);
  std::list<RedRun>& runs = project(name, green.at_ms).runs;
  std::vector<RedRun> mended;
  for (auto it = runs.begin(); it != runs.end();) {
    const bool are_tests = !green.is_build && !it->is_build;
    const bool is_mended =
        target_of(it->command) == target_of(green.command) ||
        (are_tests && it->runner == green.runner && it->total > 0 && green.total >= it->total);
    if (is_mended) {
      mended.push_back(std::move(*it));
      it = runs.erase(it);
      continue;
    }
    if (are_tests) {
      if (auto tests = tests_named(green.command, *it); !tests.empty()) {
        std::erase_if(it->names, [&](const std::string& test) {
          return std::find(tests.begin(), tests.end(), test) != tests.end();
        });
        RedRun part = *it;
        part.names = std::move(tests);
        mended.push_back(std::move(part));
        if (it->names.empty()) {
          it = runs.erase(it);
          continue;
        }
      }
    }
    ++it;
  }
  return mended;
}

}  // namespace codexmem::observe
