// Tested by observe/rule_based_provider_test.cpp.
#include "observe/work/red_runs.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace codexmem::observe {
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
