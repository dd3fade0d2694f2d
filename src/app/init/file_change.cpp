#include "app/init/file_change.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <system_error>

#include "base/file.h"
#include "index/changes/text_diff.h"

namespace codexmem::app {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

Error io_error(const fs::path& path, const std::error_code& failed) {
  return Error{ErrorCode::kIo, fmt::format("{}: {}", path.string(), failed.message())};
}

Result<std::string> read_if_there(const fs::path& path, bool& existed) {
  auto text = read_file(path, kMaxBytes);
  existed = text.ok();
  if (!text.ok() && text.error().code() == ErrorCode::kNotFound) return std::string();
  return text;
}

// Makes the folder of `path`; the outermost that was not there.
Result<fs::path> make_folder(const fs::path& path) {
  fs::path made;
  std::error_code failed;
  for (fs::path at = path.parent_path(); !at.empty() && !fs::exists(at, failed);
       at = at.parent_path()) {
    made = at;
  }
  fs::create_directories(path.parent_path(), failed);
  if (failed) return io_error(path.parent_path(), failed);
  return made;
}

// Removes the folder of `path` and the folders around it, up to `outermost`, while they are empty.
void remove_folders(const fs::path& path, const fs::path& outermost) {
  std::error_code failed;
  for (fs::path at = path.parent_path(); !outermost.empty() && !failed; at = at.parent_path()) {
    if (!fs::is_empty(at, failed) || failed || !fs::remove(at, failed) || at == outermost) return;
  }
}

}  // namespace

Result<FileChange> begin_change(const fs::path& path) {
  FileChange change;
  std::error_code failed;
  change.path = fs::canonical(path, failed);
  if (failed) {
    std::error_code ignored;
    if (fs::is_symlink(path, ignored)) {
      return Error{ErrorCode::kUnsupported, "it is a link that leads nowhere"};
    }
    change.path = path;
  }
  CODEXMEM_ASSIGN(change.before, read_if_there(change.path, change.existed));
  return change;
}

bool is_open_to_others(const fs::path& path) {
  struct stat there {};
  return ::stat(path.c_str(), &there) == 0 && (there.st_mode & 077U) != 0;
}

std::string shown(const FileChange& change, const std::string& name) {
  if (change.moved_to.empty()) {
    return index::unified_diff(name, change.before, change.after, !change.existed);
  }
  return fmt::format("{} is renamed to {}\n", name, change.moved_to.filename().string()) +
         index::unified_diff(name, "", change.after, true);
}

Result<fs::path> make_change(const FileChange& change) {
  bool exists = false;
  CODEXMEM_ASSIGN(const std::string now, read_if_there(change.path, exists));
  if (exists != change.existed || now != change.before) {
    return Error{ErrorCode::kBusy, "it was changed just now by somebody else; try again"};
  }
  std::error_code failed;
  if (change.remove) {
    fs::remove(change.path, failed);
    if (failed) return io_error(change.path, failed);
    remove_folders(change.path, change.made_folder);
    return fs::path();
  }
  if (!change.moved_from.empty()) {
    fs::rename(change.moved_from, change.path, failed);
    if (failed) return io_error(change.path, failed);
    return fs::path();
  }
  CODEXMEM_ASSIGN(fs::path made, make_folder(change.path));
  const bool moves = !change.moved_to.empty();
  struct ::stat info {};
  const bool keeps_mode = change.existed && !moves && ::stat(change.path.c_str(), &info) == 0;
  const unsigned mode = keeps_mode ? info.st_mode & 07777U : change.mode;
  {
    // Whatever takes room on the disk is done before anything is renamed.
    CODEXMEM_ASSIGN(FileReplacement file, FileReplacement::begin(change.path, mode));
    CODEXMEM_TRY(file.write(change.after));
    if (moves) fs::rename(change.path, change.moved_to, failed);
    if (failed) return io_error(change.path, failed);
    if (auto done = file.commit(); !done.ok()) {
      if (moves) fs::rename(change.moved_to, change.path, failed);
      return std::move(done).error();
    }
  }
  // Restores mode bits that the umask removed, and the owner when root edits another user's file.
  if (keeps_mode && info.st_uid != ::geteuid() &&
      ::chown(change.path.c_str(), info.st_uid, info.st_gid) != 0) {
    return io_error(change.path, std::error_code(errno, std::generic_category()));
  }
  if (keeps_mode && ::chmod(change.path.c_str(), mode) != 0) {
    return io_error(change.path, std::error_code(errno, std::generic_category()));
  }
  return made;
}

}  // namespace codexmem::app
