// Tested by config/known_repositories_test.cpp.
#include "config/known_repositories.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <thread>
#include <utility>

#include "base/file.h"
#include "base/file_lock.h"
#include "base/text.h"
#include "config/project.h"
#include "text/json.h"

namespace codexmem {
namespace fs = std::filesystem;

namespace {

constexpr const char* kListName = "repositories.json";
constexpr std::size_t kMaxListBytes = std::size_t{1} << 20;
constexpr std::size_t kMaxRecordBytes = std::size_t{64} << 20;
constexpr int kTries = 50;
constexpr std::chrono::milliseconds kPause{10};

std::vector<std::string> list_opened(const fs::path& directory) {
  const auto text = read_file(directory / kListName, kMaxListBytes);
  if (!text.ok()) return {};
  const Json list = Json::parse(*text, nullptr, false);
  std::vector<std::string> roots;
  if (!list.is_object() || !list.contains("opened") || !list["opened"].is_array()) return {};
  for (const Json& each : list["opened"]) {
    if (each.is_string() && each.get<std::string>().starts_with('/')) {
      roots.push_back(each.get<std::string>());
    }
  }
  return roots;
}

// Newest first.
std::vector<std::string> list_project_paths(const fs::path& directory) {
  const auto text = read_file(directory / kProjectsFileName, kMaxRecordBytes);
  if (!text.ok()) return {};
  std::vector<std::string> paths;
  for (const std::string_view line : split(*text, '\n')) {
    const Json row = Json::parse(line, nullptr, false);
    if (!row.is_object() || !row.contains("path") || !row["path"].is_string()) continue;
    paths.push_back(row["path"].get<std::string>());
  }
  std::reverse(paths.begin(), paths.end());
  return paths;
}

void add_once(std::vector<std::string>& roots, std::string root) {
  if (roots.size() < kMaxKnownRepositories && std::ranges::find(roots, root) == roots.end()) {
    roots.push_back(std::move(root));
  }
}

Result<FileLock> lock_list(const fs::path& directory) {
  for (int tries = 0;; ++tries) {
    auto lock = FileLock::take(directory / (std::string(kListName) + ".lock"));
    if (lock.ok() || lock.error().code() != ErrorCode::kBusy || tries == kTries) return lock;
    std::this_thread::sleep_for(kPause);
  }
}

// Writes the list with `root` in it, first or last.
Result<void> note_root(const fs::path& directory, const fs::path& root, bool is_first) {
  if (!root.is_absolute() || !is_valid_utf8(root.string())) {
    return Error{ErrorCode::kInvalidArgument, "a repository's path must be absolute and UTF-8"};
  }
  CODEXMEM_ASSIGN(const FileLock lock, lock_list(directory));
  std::vector<std::string> roots, known = list_opened(directory);
  const bool is_known = std::ranges::find(known, root.string()) != known.end();
  if (is_known && !is_first) return {};
  if (is_first) roots.push_back(root.string());
  for (std::string& each : known) add_once(roots, std::move(each));
  add_once(roots, root.string());
  return replace_file(directory / kListName, dump_json(Json{{"opened", roots}}) + "\n", Sync::kNo);
}

}  // namespace

Result<void> note_opened(const fs::path& directory, const fs::path& root) {
  return note_root(directory, root, true);
}

Result<void> note_indexed(const fs::path& directory, const fs::path& root) {
  return note_root(directory, root, false);
}

std::vector<std::string> list_known_repositories(const fs::path& directory) {
  std::vector<std::string> roots;
  for (std::string& each : list_opened(directory)) add_once(roots, std::move(each));
  for (std::string& each : list_project_paths(directory)) add_once(roots, std::move(each));
  return roots;
}

std::string last_opened(const fs::path& directory) {
  std::vector<std::string> roots = list_opened(directory);
  return roots.empty() ? std::string() : std::move(roots.front());
}

}  // namespace codexmem
