// Tested by memory/team_memory_test.cpp.
#include "memory/transfer/team_folder.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "memory/entries/shared_text.h"
#include "memory/transfer/team_memory.h"

namespace codexmem::memory {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kAdrFolders[] = {"docs/adr",
                                            "docs/adrs",
                                            "docs/decisions",
                                            "docs/architecture/decisions",
                                            "docs/architecture/adr",
                                            "doc/adr",
                                            "doc/decisions",
                                            "doc/architecture/decisions",
                                            "adr",
                                            "adrs",
                                            "decisions"};
constexpr std::size_t kMaxAdrDirBytes = 500;

std::string stamp_of(const struct stat& status) {
  return fmt::format("{}:{}.{}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

// The folder at `name` below the root; empty without one, or a link leads to it.
fs::path find_folder(const fs::path& root, std::string_view name) {
  std::error_code failed;
  const fs::path wanted = (root / name).lexically_normal();
  const fs::path folder = fs::canonical(wanted, failed);
  if (failed || folder != wanted || !fs::is_directory(folder, failed)) return {};
  const auto below = path_below(root, folder);
  return below && !below->starts_with("..") ? folder : fs::path();
}

// Where adr-tools says that records are, if they are below the root.
std::string adr_folder_on_record(const fs::path& root) {
  const auto text = read_file(root / ".adr-dir", kMaxAdrDirBytes);
  return text.ok() ? std::string(trim(*text)) : std::string();
}

class Listing {
 public:
  explicit Listing(const fs::path& root) : root_(root) {
    add(kSharedFolder, /*is_adr=*/false);
    for (const std::string_view folder : kAdrFolders) add(folder, /*is_adr=*/true);
    if (const std::string folder = adr_folder_on_record(root); !folder.empty()) add(folder, true);
    std::ranges::sort(found_, {}, &SharedCandidate::path);
    found_.erase(std::unique(found_.begin(), found_.end(),
                             [](const auto& a, const auto& b) { return a.path == b.path; }),
                 found_.end());
  }

  SharedListing take() { return {std::move(found_), is_cut_}; }

 private:
  void add(std::string_view name, bool is_adr) {
    const fs::path folder = find_folder(root_, name);
    if (folder.empty()) return;
    std::error_code failed;
    std::vector<fs::path> paths;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end;
         at.increment(failed)) {
      if (at->path().extension() == ".md") paths.push_back(at->path());
    }
    std::ranges::sort(paths);
    for (const fs::path& path : paths) {
      const auto below = path_below(root_, path);
      if (!below || (is_adr && !is_adr_name(*below)) || !is_valid_utf8(*below)) continue;
      auto stamp = find_stamp(path);
      if (!stamp) continue;
      if (found_.size() == kMaxListedFiles) {
        is_cut_ = true;
        return;
      }
      found_.push_back({*below, *std::move(stamp), is_adr});
    }
  }

  const fs::path& root_;
  std::vector<SharedCandidate> found_;
  bool is_cut_ = false;
};

}  // namespace

std::optional<std::string> find_stamp(const fs::path& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return stamp_of(status);
}

SharedListing list_candidates(const fs::path& root) { return Listing(root).take(); }

Result<fs::path> make_shared_folder(const fs::path& root) {
  std::error_code failed;
  fs::create_directories(root / kSharedFolder, failed);
  const fs::path folder = find_folder(root, kSharedFolder);
  if (!folder.empty()) return folder;
  return Error{ErrorCode::kIo, fmt::format("{} cannot be made, or is a link: {}",
                                           (root / kSharedFolder).string(), failed.message())};
}

}  // namespace codexmem::memory
