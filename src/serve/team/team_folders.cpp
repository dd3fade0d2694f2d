// Tested by serve/team_file_test.cpp.
#include "serve/team/team_folders.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <system_error>
#include <vector>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "config/git_root.h"
#include "serve/served_repositories.h"

namespace codexmem::serve {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxTeamFileBytes = std::size_t{1} << 20;
constexpr std::size_t kMaxGitFileBytes = std::size_t{1} << 16;
constexpr std::size_t kMaxStores = 64;

fs::path resolved(const fs::path& path) {
  std::error_code failed;
  fs::path there = fs::weakly_canonical(path, failed);
  return failed ? path.lexically_normal() : there;
}

// The first line of the file at `path`; empty if missing.
std::string first_line_of(const fs::path& path) {
  const auto text = read_file(path, kMaxGitFileBytes);
  return text.ok() ? std::string(trim(split(*text, '\n').front())) : std::string();
}

// The folders of git's objects for the repository at `root`: its own, or for a linked work tree the
// main one's, and the borrowed ones.
std::vector<fs::path> object_stores(const fs::path& root) {
  fs::path git = root / ".git";
  constexpr std::string_view kLeads = "gitdir: ";
  if (const std::string line = first_line_of(git); line.starts_with(kLeads)) {
    git = root / line.substr(kLeads.size());
  }
  if (const std::string common = first_line_of(git / "commondir"); !common.empty()) {
    git /= common;
  }
  std::error_code failed;
  std::vector<fs::path> stores;
  if (fs::is_directory(git / "objects", failed)) stores.push_back(resolved(git / "objects"));
  for (std::size_t i = 0; i < stores.size() && stores.size() < kMaxStores; ++i) {
    const auto alternates = read_file(stores[i] / "info/alternates", kMaxGitFileBytes);
    if (!alternates.ok()) continue;
    for (const std::string_view line : split(*alternates, '\n')) {
      if (line.empty() || line.front() == '#') continue;
      const fs::path store = resolved(stores[i] / trim(line));
      if (std::ranges::find(stores, store) == stores.end()) stores.push_back(store);
    }
  }
  return stores;
}

}  // namespace

Result<void> check_team_folders(const std::string& name, const fs::path& own, TeamFile* file) {
  const auto wrong = [&](const std::string& repository, std::string_view what) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{}: repositories.{}: {}", name, repository, what)};
  };
  for (auto& [repository, path] : file->repositories) {
    std::error_code failed;
    const fs::path there = fs::canonical(path, failed);
    if (failed || !fs::is_directory(there, failed)) {
      return wrong(repository, fmt::format("{} is not a folder", path.string()));
    }
    path = there;
    if (const std::string why = why_no_repository(path); !why.empty()) {
      return wrong(repository, why);
    }
    if (path_below(path, own)) {
      return wrong(repository,
                   "this file is in it, so anyone who can write there can change the rules");
    }
    // Git's data would reveal the rest of the repository.
    if (const fs::path git = git_root(path); !git.empty() && git != path) {
      return wrong(repository,
                   fmt::format("is part of the git repository {}: name that", git.string()));
    }
    if (path_below(path, file->data) || path_below(file->data, path)) {
      return wrong(repository, fmt::format("must not hold, or lie in, {}", file->data.string()));
    }
  }
  std::map<fs::path, std::string> stores;  // of git's objects: the repository that reads each
  for (const auto& [one, path] : file->repositories) {
    for (const auto& [other, below] : file->repositories) {
      if (one != other && path_below(path, below)) {
        return wrong(other, fmt::format("lies in {}, whose callers would see it", one));
      }
    }
    for (const fs::path& store : object_stores(path)) {
      const auto [known, is_new] = stores.emplace(store, one);
      if (!is_new && known->second != one) {
        return wrong(one, fmt::format("has objects of git together with {}, whose commits its "
                                      "callers could ask for (a linked work tree, or alternates)",
                                      known->second));
      }
    }
  }
  return {};
}

Result<std::string> read_trusted_file(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const auto wrong = [&](std::string_view what) {
    return Error{ErrorCode::kInvalidArgument, fmt::format("{}: {}", path.string(), what)};
  };
  if (fd < 0) {
    const int error = errno;
    return Error{error == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo,
                 fmt::format("{}: {}", path.string(), std::system_category().message(error))};
  }
  struct Closer {
    int fd;
    ~Closer() { ::close(fd); }
  } closer{fd};
  struct stat there {
  }, folder{};
  if (::fstat(fd, &there) != 0 || !S_ISREG(there.st_mode)) return wrong("is not a regular file");
  if (there.st_uid != ::geteuid() && there.st_uid != 0) return wrong("is another user's");
  if ((there.st_mode & 022) != 0) return wrong("others can write it: chmod go-w");
  const fs::path above = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (::stat(above.c_str(), &folder) == 0 && (folder.st_mode & S_IWOTH) != 0 &&
      (folder.st_mode & S_ISVTX) == 0) {
    return wrong("others can put another file in its place: chmod o-w the folder");
  }
  std::string text;
  std::string part(65'536, '\0');
  while (true) {
    const ssize_t count = ::read(fd, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return wrong("cannot be read");
    if (count == 0) return text;
    text.append(part, 0, static_cast<std::size_t>(count));
    if (text.size() > kMaxTeamFileBytes) return wrong("is larger than 1 MB");
  }
}

}  // namespace codexmem::serve
