// Tested by ask/page_test.cpp.
#include "ask/page/time_map.h"

#include <chrono>
#include <cstddef>
#include <unordered_map>
#include <vector>

#include "text/json_object.h"

namespace codexmem::ask {
namespace {

constexpr std::chrono::milliseconds kPatience{300};

}  // namespace

Result<std::string> make_time_map(const PageCall& call) {
  CODEXMEM_ASSIGN(const index::ChangeTimeline timeline, call.code.history->timeline(kPatience));
  std::vector<std::string> files;
  std::unordered_map<std::string, std::size_t> numbers;
  const auto numbered = [&](const std::vector<std::string>& paths) {
    std::vector<std::size_t> found;
    for (const std::string& path : paths) {
      const auto [at, is_new] = numbers.try_emplace(path, files.size());
      if (is_new) files.push_back(path);
      found.push_back(at->second);
    }
    return found;
  };
  std::vector<JsonText> commits;
  for (const index::TimedCommit& each : timeline.commits) {
    commits.push_back(json_object("time", each.time, "author", each.author, "changed",
                                  numbered(each.changed), "added", numbered(each.added)));
  }
  const std::string missing = timeline.is_unfinished ? "being counted"
                              : commits.empty()      ? "no git history"
                                                     : "";
  return json_object("repo", call.code.workspace.root().string(), "files", files, "commits",
                     commits, "shallow", timeline.is_shallow, "missing", some(missing))
      .text;
}

}  // namespace codexmem::ask
