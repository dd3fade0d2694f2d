// Tested by config/project_test.cpp.
#include "config/project.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/file_descriptor.h"
#include "base/file_lock.h"
#include "config/git_root.h"
#include "text/json.h"
#include "base/text.h"

namespace codexmem {
namespace fs = std::filesystem;
namespace {

// ---- The place

bool path_exists(const fs::path& path) {
  std::error_code failed;
  return fs::exists(path, failed);
}

fs::path real_path(const fs::path& path) {
  std::error_code failed;
  fs::path found = fs::weakly_canonical(path, failed);
  return failed ? path.lexically_normal() : found;
}

std::string name_of(const fs::path& folder) {
  return fold_whitespace(repair_utf8(folder.filename().string()));
}

fs::path home_directory() {
  const char* const home = std::getenv("HOME");
  return home == nullptr || *home == '\0' ? fs::path() : real_path(home);
}

// The URL of the remote `origin` in a git configuration, otherwise of the first remote.
std::string remote_url(const std::string& configuration) {
  std::string first, origin;
  bool is_remote = false, is_origin = false;
  for (std::string_view line : split(configuration, '\n')) {
    line = trim(line);
    if (line.starts_with('[')) {
      is_remote = to_lower_ascii(line).starts_with("[remote \"");
      is_origin = is_remote && line.find("\"origin\"") != std::string_view::npos;
      continue;
    }
    const std::size_t equals = line.find('=');
    if (!is_remote || equals == std::string_view::npos) continue;
    if (to_lower_ascii(trim(line.substr(0, equals))) != "url") continue;
    std::string_view url = trim(line.substr(equals + 1));
    if (url.size() > 1 && url.starts_with('"') && url.ends_with('"')) {
      url = url.substr(1, url.size() - 2);
    }
    if (first.empty()) first = url;
    if (is_origin && origin.empty()) origin = url;
  }
  return origin.empty() ? first : origin;
}

bool remove_suffix(std::string_view* text, std::string_view suffix) {
  if (!text->ends_with(suffix)) return false;
  text->remove_suffix(suffix.size());
  return true;
}

// The same text for all URLs of one repository: "example.com/me/shop" for git@example.com:me/shop
// and https://me:key@example.com/me/shop.git; for a repository on this machine, its path.
std::string remote_of(std::string_view url, const fs::path& root) {
  const std::size_t scheme = url.find("://");
  const std::size_t colon = url.find(':');
  const bool is_file = url.starts_with("file://");
  if (is_file) url.remove_prefix(7);
  if (is_file || (scheme == std::string_view::npos &&
                  (colon == std::string_view::npos ||
                   url.substr(0, colon).find('/') != std::string_view::npos))) {
    if (url.empty()) return {};
    fs::path path = real_path(root / url);
    if (!path.has_filename()) path = path.parent_path();
    return (path.filename() == ".git" ? path.parent_path() : path).string();
  }
  std::string_view name, host, path;
  if (scheme == std::string_view::npos) {
    host = url.substr(0, colon);
    path = url.substr(colon + 1);
  } else {
    name = url.substr(0, scheme);
    host = url.substr(scheme + 3);
    path = host.substr(std::min(host.size(), host.find('/')));
    host = host.substr(0, host.size() - path.size());
  }
  // The user and the key are dropped.
  if (const std::size_t at = host.rfind('@'); at != std::string_view::npos) {
    host.remove_prefix(at + 1);
  }
  for (const auto& [scheme_name, port] :
       {std::pair("ssh", ":22"), {"https", ":443"}, {"http", ":80"}, {"git", ":9418"}}) {
    if (name == scheme_name) remove_suffix(&host, port);
  }
  path = path.substr(0, path.find_first_of("?#"));
  while (path.starts_with('/')) path.remove_prefix(1);
  while (remove_suffix(&path, "/")) {
  }
  remove_suffix(&path, ".git");
  return host.empty() ? std::string() : to_lower_ascii(fmt::format("{}/{}", host, path));
}

ProjectPlace place_of_repository(const fs::path& root) {
  // In a linked worktree, .git is a file: "gitdir: /repository/.git/worktrees/name". A submodule's
  // .git file leads to .git/modules; a submodule is a project of its own.
  ProjectPlace place{.name = name_of(root)};
  fs::path git = root / ".git";
  const auto link = read_beginning(git, 4096);
  constexpr std::string_view kKey = "gitdir:";
  if (link.ok() && link->starts_with(kKey)) {
    const std::string_view target = trim(std::string_view(*link).substr(kKey.size()));
    git = target.empty() ? git : real_path(root / target);
    if (git.parent_path().filename() == "worktrees") {
      git = git.parent_path().parent_path();
      // A bare repository: "shop.git", or "shop/.bare".
      const bool is_hidden = git.filename().string().starts_with('.');
      place.name = name_of(is_hidden ? git.parent_path() : git);
      if (place.name.size() > 4 && place.name.ends_with(".git")) {
        place.name.resize(place.name.size() - 4);
      }
    }
  }
  place.path = git.filename() == ".git" ? git.parent_path() : git;
  if (const auto text = read_beginning(git / "config", std::size_t{64} << 10); text.ok()) {
    place.remote = remote_of(remote_url(*text), root);
  }
  return place;
}

// ---- The records

struct Record {
  std::string name, folder, path, remote;
};

// The records of projects that `place` may share a name with, in the order in which names were
// given.
std::vector<Record> read_records(std::string_view text, const ProjectPlace& place) {
  std::vector<Record> records;
  std::string beginning = dump_json(place.name);
  beginning.pop_back();
  for (const std::string_view line : split(text, '\n')) {
    // Most lines are read no further.
    if (line.find(beginning) == std::string_view::npos) continue;
    const Json row = Json::parse(line, nullptr, false);
    if (!row.is_object()) continue;
    const auto text_of = [&](const char* key) {
      const auto found = row.find(key);
      return found != row.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    Record record{text_of("name"), text_of("folder"), text_of("path"), text_of("remote")};
    if (record.name.empty() || record.path.empty()) continue;
    const auto known = std::ranges::find(records, record.name, &Record::name);
    if (known == records.end()) {
      records.push_back(std::move(record));
    } else {
      *known = std::move(record);
    }
  }
  return records;
}

struct Choice {
  std::string name;
  std::optional<Record> news;  // to be recorded
};

Choice choose(const std::vector<Record>& records, const ProjectPlace& place) {
  const std::string path = place.path.string();
  const auto is_same_path = [&](const Record& record) { return record.path == path; };
  const auto is_same_remote = [&](const Record& record) {
    return record.remote == path || place.remote == record.path ||
           (!place.remote.empty() && place.remote == record.remote);
  };
  const auto was_moved = [&](const Record& record) {
    return place.remote.empty() && record.remote.empty() && !path_exists(record.path);
  };
  const auto find = [&](const auto& is_it) -> const Record* {
    const auto found = std::ranges::find_if(records, [&](const Record& record) {
      return record.folder == place.name && is_it(record);
    });
    return found == records.end() ? nullptr : &*found;
  };
  const Record* known = find(is_same_path);
  if (known == nullptr) known = find(is_same_remote);
  if (known == nullptr) known = find(was_moved);
  if (known != nullptr) {
    Record now = *known;
    if (!path_exists(known->path)) now.path = path;
    if (now.path == path && !place.remote.empty()) now.remote = place.remote;
    const bool is_new = now.path != known->path || now.remote != known->remote;
    return {known->name, is_new ? std::optional(std::move(now)) : std::nullopt};
  }
  std::string name = place.name;
  for (int number = 2; std::ranges::find(records, name, &Record::name) != records.end(); ++number) {
    name = fmt::format("{}~{}", place.name, number);
  }
  return {name, Record{name, place.name, path, place.remote}};
}

// projects.jsonl, open and locked for this process until the end of the scope.
class LockedRecords {
 public:
  static std::optional<LockedRecords> open(const fs::path& directory) {
    // A folder of another user, or one that cannot be written, gets no records.
    if (!path_exists(directory) && !make_private_folder(directory).ok()) return std::nullopt;
    struct stat info {};
    if (::stat(directory.c_str(), &info) != 0 || info.st_uid != ::geteuid()) return std::nullopt;
    FileDescriptor file(::open((directory / kProjectsFileName).c_str(),
                               O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
                               0600));
    if (!file.valid() || ::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode))
      return std::nullopt;
    // The lock is held for less than a millisecond, and a hook's host waits meanwhile.
    if (!lock_open_file(file.get(), std::chrono::milliseconds(200))) return std::nullopt;
    return LockedRecords(std::move(file));
  }

  // A record that a full disk cuts short does not count and is written again later.
  void append(const std::string& text, const Record& record) const {
    const std::string line = (text.empty() || text.ends_with('\n') ? "" : "\n") +
                             dump_json(Json{{"name", record.name},
                                            {"folder", record.folder},
                                            {"path", record.path},
                                            {"remote", record.remote}}) +
                             "\n";
    [[maybe_unused]] const ssize_t written = ::write(file_.get(), line.data(), line.size());
  }

 private:
  explicit LockedRecords(FileDescriptor file) : file_(std::move(file)) {}
  FileDescriptor file_;
};

// If the records cannot be read, no record is made.
Choice choose_by_records(const ProjectPlace& place, const fs::path& directory, std::string* text) {
  constexpr std::size_t kMost = std::size_t{64} << 20;
  auto read = read_file(directory / kProjectsFileName, kMost);
  if (!read.ok() && read.error().code() != ErrorCode::kNotFound) return {place.name, {}};
  *text = read.ok() ? *std::move(read) : std::string();
  return choose(read_records(*text, place), place);
}

bool is_told_apart(const ProjectPlace& place, const fs::path& directory) {
  return !place.path.empty() && directory.is_absolute() && is_valid_utf8(place.path.string());
}

}  // namespace

ProjectPlace find_project_place(const fs::path& folder) {
  if (folder.empty()) return {.name = std::string(kNoProject)};
  if (const fs::path root = git_root(folder); !root.empty()) return place_of_repository(root);
  const fs::path home = home_directory();
  fs::path place = repository_root(folder);
  if (place == home) place = real_path(folder);
  if (!place.has_filename()) place = place.parent_path();
  std::string name = name_of(place);
  if (name.empty() || place == home) return {.name = std::string(kNoProject)};
  return {.name = std::move(name), .path = std::move(place)};
}

std::string find_project(const ProjectPlace& place, const fs::path& directory) {
  if (!is_told_apart(place, directory)) return place.name;
  std::string text;
  return choose_by_records(place, directory, &text).name;
}

std::string project_of(const ProjectPlace& place, const fs::path& directory) {
  if (!is_told_apart(place, directory)) return place.name;
  std::string text;
  Choice choice = choose_by_records(place, directory, &text);
  if (!choice.news || !path_exists(place.path)) return choice.name;
  if (const auto records = LockedRecords::open(directory)) {
    choice = choose_by_records(place, directory, &text);
    if (choice.news) records->append(text, *choice.news);
  }
  return choice.name;
}

}  // namespace codexmem
