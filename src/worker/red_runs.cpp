// Tested by worker/rule_based_provider_test.cpp.
#include "worker/red_runs.h"

#include <algorithm>
#include <utility>

namespace codexmem::worker {
namespace {

constexpr std::size_t kMaxProjects = 64;
constexpr std::size_t kMaxRuns = 8;  // of a project

bool names_one(std::string_view command, const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return name.size() > 3 && command.find(name) != std::string_view::npos;
  });
}

}  // namespace

RedRuns::Project& RedRuns::project(const std::string& name) {
  const auto found = std::find_if(projects_.begin(), projects_.end(),
                                  [&](const Project& one) { return one.name == name; });
  if (found != projects_.end()) {
    projects_.splice(projects_.begin(), projects_, found);
  } else {
    projects_.push_front({name, {}});
    if (projects_.size() > kMaxProjects) projects_.pop_back();
  }
  return projects_.front();
}

std::vector<std::string> RedRuns::add(const std::string& name, RedRun run) {
  const std::lock_guard lock(mutex_);
  std::list<RedRun>& runs = project(name).runs;
  std::vector<std::string> mended;
  const auto earlier = std::find_if(runs.begin(), runs.end(),
                                    [&](const RedRun& one) { return one.command == run.command; });
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

std::vector<RedRun> RedRuns::mend(const std::string& name, const RedRun& green) {
  const std::lock_guard lock(mutex_);
  std::list<RedRun>& runs = project(name).runs;
  std::vector<RedRun> mended;
  for (auto it = runs.begin(); it != runs.end();) {
    const bool are_tests = !green.is_build && !it->is_build;
    const bool is_mended =
        it->command == green.command ||
        (are_tests && it->runner == green.runner && it->total > 0 && green.total >= it->total) ||
        (are_tests && (names_one(green.command, it->names) || names_one(green.command, it->files)));
    if (is_mended) mended.push_back(std::move(*it));
    it = is_mended ? runs.erase(it) : std::next(it);
  }
  return mended;
}

}  // namespace codexmem::worker
