// All of git's data is walked, because libgit2 opens its files in many ways: HEAD and the refs it
// names, packed-refs, the list of tracked files, packs and objects, the logs of a revision like
// @{1}. Walking only the names takes 2 ms for 7,000 loose objects; with more, git packs them.
// Sockets are allowed (git's own file watcher has one): opening one fails at once. In a work tree,
// only folders that libgit2 enters are walked: node_modules with 24,000 folders took 0.26 of 0.32 s
// of a check.
//
// Tested by index/git_files_test.cpp and tests/hostile/repository_config_test.py.
#include "index/git/git_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/file.h"
#include "base/owner.h"
#include "base/text.h"

namespace codexmem::index {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMaxEntries = 5'000'000;  // in a repository's data, or in a work tree
constexpr std::size_t kMaxElsewhere = 200'000;  // targets of links, and borrowed object stores
constexpr char kBlanks[] = " \t\n\v\f\r";
constexpr std::size_t kMaxLinkBytes = 1U << 16U;     // of a file that names git's data folder
constexpr std::size_t kMaxDataBytes = 512U << 20U;   // of a file that libgit2 reads as a whole
constexpr std::size_t kMaxGitFileBytes = 4U << 20U;  // of one file
constexpr std::size_t kMaxConfigFiles = 100;
constexpr std::size_t kMaxAssignments = 100;  // in one line

// True for files whose opening may block: a FIFO, a device other than /dev/null.
bool may_wait(const struct stat& info) {
  if (S_ISCHR(info.st_mode)) return info.st_rdev != ::makedev(1, 3);
  return S_ISFIFO(info.st_mode) || S_ISBLK(info.st_mode);
}

bool may_wait(const fs::path& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && may_wait(info);
}

bool is_file(const fs::path& path) {
  std::error_code failed;
  return fs::is_regular_file(path, failed);
}

bool is_folder(const fs::path& path) {
  std::error_code failed;
  return fs::is_directory(path, failed);
}

Error refused(const fs::path& path) {
  return {ErrorCode::kUnsupported,
          path.string() + " is a FIFO or a device: the repository is not opened"};
}

// Reads a file of git that names other files; empty if it does not exist. A file that fails here,
// because it is too large for example, might still be read by libgit2.
Result<std::string> read_names(const fs::path& path, std::size_t max_bytes) {
  auto text = read_file(path, max_bytes);
  if (text.ok() || text.error().code() != ErrorCode::kNotFound) return text;
  return std::string();
}

// Checks folders and everything below them, once each; links are followed.
class GitWalk {
 public:
  // Fails when a file that `is_read` accepts may block. `not_entered` are folders at the top.
  // Places outside, such as `top` when it `is_borrowed`, may be the whole disk, so fewer entries
  // are allowed there.
  Result<void> walk(const fs::path& top, const std::set<std::string_view>& not_entered,
                    const std::function<bool(std::string_view name)>& is_read,
                    bool is_borrowed = false,
                    const std::function<bool(const std::string& folder)>& is_entered_below = {}) {
    struct Folder {
      fs::path path;
      bool is_elsewhere;
    };
    std::vector<Folder> pending = {{top, is_borrowed}};
    while (!pending.empty()) {
      const auto [folder, is_elsewhere] = std::move(pending.back());
      pending.pop_back();
      if (is_entered_below && folder != top &&
          !is_entered_below(folder.lexically_relative(top).generic_string())) {
        continue;
      }
      const std::unique_ptr<DIR, int (*)(DIR*)> listing(::opendir(folder.c_str()), &::closedir);
      struct stat info {};
      if (listing == nullptr || ::fstat(::dirfd(listing.get()), &info) != 0) continue;
      if (!seen_.emplace(info.st_dev, info.st_ino).second) continue;
      while (const dirent* entry = ::readdir(listing.get())) {
        const std::string_view name = entry->d_name;
        if (name == "." || name == "..") continue;
        if (is_elsewhere ? ++elsewhere_ > kMaxElsewhere : ++entries_ > kMaxEntries) {
          return Error{ErrorCode::kUnsupported, top.string() + " leads to too many files"};
        }
        if (entry->d_type == DT_REG) continue;
        // Links whose names are read are followed, as libgit2 does.
        const int flags = is_read(name) ? 0 : AT_SYMLINK_NOFOLLOW;
        bool is_entered = entry->d_type == DT_DIR;
        if (!is_entered) {
          if (::fstatat(::dirfd(listing.get()), entry->d_name, &info, flags) != 0) continue;
          if (flags == 0 && may_wait(info)) return refused(folder / name);
          is_entered = S_ISDIR(info.st_mode);
        }
        if (is_entered && (folder != top || not_entered.count(name) == 0)) {
          pending.push_back({folder / name, is_elsewhere || entry->d_type == DT_LNK});
        }
      }
    }
    return {};
  }

  // Walks git's data and the object stores that it borrows from.
  Result<void> walk_git(const fs::path& directory) {
    const auto all = [](std::string_view) { return true; };
    // Other repositories' data, and data that only git reads.
    CODEXMEM_TRY(walk(directory, {"modules", "worktrees", "lfs", "annex", "hooks"}, all));
    std::vector<fs::path> stores = {directory / "objects"};
    for (std::size_t i = 0; i < stores.size() && i < kMaxConfigFiles; ++i) {
      CODEXMEM_ASSIGN(std::string alternates,
                      read_names(stores[i] / "info/alternates", kMaxGitFileBytes));
      std::ranges::replace(alternates, '\r', '\n');
      for (const std::string_view line : split(alternates, '\n')) {
        if (line.empty() || line.front() == '#') continue;
        // libgit2 resolves names that begin without a dot, and all paths in a borrowed store, from
        // the current folder; git resolves them from the store's folder.
        for (const fs::path& store : {stores[i] / line, fs::path(line)}) {
          stores.push_back(store);
          CODEXMEM_TRY(walk(store, {}, all, /*is_borrowed=*/true));
        }
      }
    }
    return {};
  }

 private:
  std::set<std::pair<dev_t, ino_t>> seen_;
  std::size_t entries_ = 0, elsewhere_ = 0;
};

// The value at the begin of `text`, up to its comment, without quotes and escapes.
std::string config_value(std::string_view text) {
  std::string value;
  std::size_t kept = 0;  // of its bytes; unquoted blanks at the end are dropped
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size() && value.size() < PATH_MAX; ++i) {
    const char c = text[i];
    if (c == '"') {
      is_quoted = !is_quoted;
    } else if (c == '\\' && i + 1 < text.size()) {
      const char escaped = text[++i];
      value += escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped == 'b' ? '\b' : escaped;
      kept = value.size();
    } else if (!is_quoted && (c == '#' || c == ';')) {
      break;
    } else if (is_quoted || !is_space(c)) {
      value += c;
      kept = value.size();
    } else if (!value.empty()) {
      value += c;
    }
  }
  value.resize(kept);
  return value;
}

// `text` with continued lines joined.
std::string joined_lines(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_escape = text[at] == '\\' && at + 1 < text.size();
    if (!is_escape) {
      out += text[at];
    } else if (text.substr(at + 1).starts_with("\r\n")) {
      at += 2;
    } else if (text[++at] != '\n') {
      out += text.substr(at - 1, 2);
    }
  }
  return out;
}

// Checks each file that a configuration names, for any purpose and under any condition, and the
// files named by those it may include. Sections are ignored, and each `=` of a line counts, so the
// way it is written cannot hide anything.
Result<void> check_config(const fs::path& first) {
  std::vector<fs::path> files = {first};
  std::set<fs::path> seen = {first};
  const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): never set here
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (may_wait(files[i])) return refused(files[i]);
    if (!is_file(files[i])) continue;
    CODEXMEM_ASSIGN(const std::string bytes, read_file(files[i], kMaxGitFileBytes));
    const std::string text = joined_lines(bytes);
    for (const std::string_view line : split(text, '\n')) {
      std::size_t assignments = 0;
      for (auto at = line.find('='); at != line.npos; at = line.find('=', at + 1)) {
        if (++assignments > kMaxAssignments || files.size() > kMaxConfigFiles) {
          return Error{ErrorCode::kUnsupported, first.string() + " is not like a configuration"};
        }
        std::string value = config_value(line.substr(at + 1));
        if (value.starts_with("~/") && home != nullptr) value = home + value.substr(1);
        const fs::path path = files[i].parent_path() / value;
        // Paths other than includes are relative to the current folder.
        if (may_wait(path) || may_wait(value)) return refused(path);
        const bool may_include = to_lower_ascii(trim(line.substr(0, at))).ends_with("path");
        if (may_include && seen.insert(path).second) files.push_back(path);
      }
    }
  }
  return {};
}

// The folder that `.git` at `path` leads to; empty if there is no such folder.
fs::path git_directory_of(const fs::path& path) {
  if (is_folder(path)) return path;
  const auto link = read_file(path, kMaxLinkBytes);
  constexpr std::string_view kKey = "gitdir:";
  if (!link.ok() || !link->starts_with(kKey)) return {};
  return path.parent_path() / trim(std::string_view(*link).substr(kKey.size()));
}

}  // namespace

Result<void> check_git_directory(const fs::path& directory) {
  fs::path common = directory;
  for (const fs::path& path : {directory / "HEAD", directory / "commondir"}) {
    if (may_wait(path)) return refused(path);
  }
  CODEXMEM_ASSIGN(const std::string link, read_names(directory / "commondir", kMaxLinkBytes));
  // Blanks before it belong to the path.
  const std::string_view named =
      std::string_view(link).substr(0, link.find_last_not_of(kBlanks) + 1);
  if (!named.empty()) common = directory / named;
  if (may_wait(common / "config")) return refused(common / "config");
  for (const fs::path& path : {directory / "HEAD", directory / "index", common / "packed-refs"}) {
    std::error_code failed;
    if (is_file(path) && fs::file_size(path, failed) > kMaxDataBytes && !failed) {
      return Error{ErrorCode::kUnsupported,
                   path.string() + " is larger than git makes it: the repository is not opened"};
    }
  }
  if (!is_file(directory / "HEAD") || !is_folder(common / "objects") ||
      !is_folder(common / "refs")) {
    return Error{ErrorCode::kNotFound, directory.string() + " is not a git repository"};
  }
  GitWalk walk;
  CODEXMEM_TRY(walk.walk_git(directory));
  CODEXMEM_TRY(walk.walk_git(common));
  CODEXMEM_TRY(check_config(common / "config"));
  return check_config(directory / "config.worktree");
}

Result<void> check_work_tree(const fs::path& top,
                             const std::function<bool(const std::string& folder)>& is_read) {
  const auto is_of_git = [](std::string_view name) {
    return name == ".gitignore" || name == ".gitattributes" || name == ".gitmodules";
  };
  CODEXMEM_TRY(GitWalk().walk(top, {".git"}, is_of_git, /*is_borrowed=*/false, is_read));
  return check_config(top / ".gitmodules");
}

Result<fs::path> find_git_top(const fs::path& folder, bool here_only) {
  for (fs::path top = folder.lexically_normal();; top = top.parent_path()) {
    const fs::path directory =
        speaks_for(top / ".git", folder) ? git_directory_of(top / ".git") : fs::path();
    if (!directory.empty()) {
      const auto checked = check_git_directory(directory);
      if (checked.ok()) return top;
      if (checked.error().code() != ErrorCode::kNotFound) return checked.error();
    }
    if (here_only || top == top.parent_path()) break;
  }
  return Error{ErrorCode::kNotFound, folder.string() + " is in no git repository"};
}

}  // namespace codexmem::index
