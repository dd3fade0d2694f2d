// A watch belongs to a folder itself, not to its name: when a folder moves, its watch moves along
// and reports changes under the old name. So a moved folder loses its watch and the watches below
// it, and they are added again when its new place is walked. Adding an existing watch is a cheap
// call that returns the same descriptor, and is done each time, because a folder may have been
// removed and made again with the same name.
//
// Tested by serve/directory_watch_test.cpp.
#include "serve/directory_watch.h"

#include <fmt/core.h>
#include <sys/inotify.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>

namespace codexmem::serve {
namespace fs = std::filesystem;

namespace {

constexpr std::uint32_t kFileEvents = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM |
                                      IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR |
                                      IN_EXCL_UNLINK;
constexpr std::uint32_t kFolderEvents = kFileEvents | IN_MODIFY | IN_ATTRIB | IN_DONT_FOLLOW;

// True for an entry whose change may add or remove other files, in any folder.
bool changes_rules(std::string_view name) {
  return name == ".gitignore" || name == ".codexmemignore" || name == ".gitmodules" ||
         name == "pyvenv.cfg";
}

// File systems that other machines change too, without events from the kernel here. The numbers are
// from statfs(2).
std::string_view shared_file_system(const fs::path& path) {
  struct statfs info {};
  if (::statfs(path.c_str(), &info) != 0) return "";
  switch (static_cast<std::uint32_t>(info.f_type)) {
    case 0x6969:
      return "NFS";
    case 0x517B:
    case 0xFF534D42:
    case 0xFE534D42:
      return "SMB";
    case 0x01021997:
      return "9p";
    case 0x65735546:
      return "FUSE";
    case 0x786F4256:
      return "vboxsf";
    case 0x73757245:
      return "Coda";
    case 0x5346414F:
    case 0x6B414653:
      return "AFS";
    default:
      return "";
  }
}

}  // namespace

DirectoryWatch::DirectoryWatch(fs::path root, std::size_t limit)
    : root_(std::move(root)), limit_(limit) {
  open();
}

DirectoryWatch::~DirectoryWatch() { close(); }

void DirectoryWatch::open() {
  if (limit_ == 0) {
    lasting_gap_ = "watching is switched off";
  } else if (fd_ = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC); fd_ < 0) {
    lasting_gap_ = fmt::format("the system gives no watches: {}{}", std::strerror(errno),
                               errno == EMFILE ? " (fs.inotify.max_user_instances)" : "");
  } else if (const auto name = shared_file_system(root_); !name.empty()) {
    lasting_gap_ = fmt::format("the repository lies on a shared file system ({})", name);
  }
  gap_ = lasting_gap_;
}

void DirectoryWatch::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
  watched_.clear();
  by_folder_.clear();
}

int DirectoryWatch::watch(const fs::path& path, std::uint32_t events) {
  if (fd_ < 0) {
    errno = EBADF;
    return -1;
  }
  const int descriptor = ::inotify_add_watch(fd_, path.c_str(), events | IN_MASK_ADD);
  if (descriptor >= 0 && (watched_.size() < limit_ || watched_.contains(descriptor))) {
    watched_[descriptor].round = round_;
    return descriptor;
  }
  if (descriptor >= 0) {
    ::inotify_rm_watch(fd_, descriptor);
    errno = ENOSPC;
  }
  const int error = errno;
  if (error == ENOSPC) {
    new_gap_ = fmt::format("no more than {} folders can be watched, see {}", watched_.size(),
                           "fs.inotify.max_user_watches");
  } else if (error != ENOENT && error != ENOTDIR && error != EACCES && error != ELOOP) {
    new_gap_ = fmt::format("{} cannot be watched: {}", path.string(), std::strerror(error));
  }
  if (lasting_gap_.empty() && !new_gap_.empty()) gap_ = new_gap_;
  errno = error;
  return -1;
}

void DirectoryWatch::add(const std::string& folder) {
  const int descriptor = watch(root_ / folder, kFolderEvents);
  if (descriptor < 0) return;
  Watched& entry = watched_[descriptor];
  if (entry.folder != folder) forget_name(descriptor, entry);  // it has moved
  entry.folder = folder;
  by_folder_[folder] = descriptor;
}

void DirectoryWatch::follow(const fs::path& file, Interest interest) {
  follow_name(file, interest);
  std::error_code failed;
  if (!fs::is_symlink(file, failed)) return;
  const fs::path target = fs::weakly_canonical(file, failed);
  if (!failed) follow_name(target, interest);
}

void DirectoryWatch::follow_name(const fs::path& file, Interest interest) {
  fs::path folder = file.parent_path(), name = file.filename();
  std::string path;
  if (interest == Interest::kConfiguration) {
    path = file.lexically_relative(root_).string();
    const std::string below = folder.lexically_relative(root_).string();
    // All its entries count, if this round has also entered it.
    const auto known = by_folder_.find(below == "." ? "" : below);
    if (known != by_folder_.end() && watched_[known->second].round == round_) return;
  }
  int descriptor = watch(folder, kFileEvents);
  while (descriptor < 0 && (errno == ENOENT || errno == ENOTDIR) && folder.has_relative_path()) {
    name = folder.filename();
    folder = folder.parent_path();
    descriptor = watch(folder, kFileEvents);
  }
  if (descriptor >= 0) watched_[descriptor].followed[name.string()].emplace(interest, path);
}

void DirectoryWatch::forget_name(int descriptor, const Watched& entry) {
  if (!entry.folder) return;
  const auto named = by_folder_.find(*entry.folder);
  // The name may belong to another folder by now.
  if (named != by_folder_.end() && named->second == descriptor) by_folder_.erase(named);
}

void DirectoryWatch::forget_folder(std::map<std::string, int>::iterator folder) {
  const int descriptor = folder->second;
  by_folder_.erase(folder);
  const auto entry = watched_.find(descriptor);
  if (entry == watched_.end()) return;
  entry->second.folder.reset();
  if (!entry->second.followed.empty()) return;
  ::inotify_rm_watch(fd_, descriptor);
  watched_.erase(entry);
}

void DirectoryWatch::forget(const std::string& folder) {
  if (const auto entry = by_folder_.find(folder); entry != by_folder_.end()) forget_folder(entry);
  const std::string below = folder + "/";
  for (auto entry = by_folder_.lower_bound(below);
       entry != by_folder_.end() && entry->first.starts_with(below);) {
    forget_folder(entry++);
  }
}

void DirectoryWatch::begin_round() {
  ++round_;
  new_gap_.clear();
}

void DirectoryWatch::end_round() {
  for (auto entry = watched_.begin(); entry != watched_.end();) {
    if (entry->second.round == round_) {
      ++entry;
      continue;
    }
    forget_name(entry->first, entry->second);
    ::inotify_rm_watch(fd_, entry->first);
    entry = watched_.erase(entry);
  }
  gap_ = lasting_gap_.empty() ? new_gap_ : lasting_gap_;
}

void DirectoryWatch::take(Changes& changes) {
  alignas(inotify_event) char buffer[16384];
  while (fd_ >= 0) {
    const ssize_t size = ::read(fd_, buffer, sizeof buffer);
    if (size <= 0) return;
    for (const char* at = buffer; at < buffer + size;) {
      const auto* event = reinterpret_cast<const inotify_event*>(at);
      at += sizeof(inotify_event) + event->len;
      if ((event->mask & IN_Q_OVERFLOW) != 0) {
        // A folder may have moved unnoticed: start over.
        close();
        open();
        changes.anything = true;
        break;
      }
      const auto entry = watched_.find(event->wd);
      if (entry == watched_.end()) continue;
      if ((event->mask & IN_IGNORED) != 0) {  // the folder is gone
        forget_name(entry->first, entry->second);
        watched_.erase(entry);
        continue;
      }
      take_event(event->mask, event->len > 0 ? event->name : "", entry->second, changes);
    }
  }
}

void DirectoryWatch::take_event(std::uint32_t mask, const std::string& name, const Watched& watched,
                                Changes& changes) {
  if (name.empty()) {
    // An event of the folder itself. Its parent folder reports it, if that is watched.
    const bool alone = !watched.folder || watched.folder->empty() || !watched.followed.empty();
    if (alone && (mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT)) != 0) {
      changes.anything = true;
    }
    return;
  }
  if (const auto followed = watched.followed.find(name); followed != watched.followed.end()) {
    for (const auto& [interest, path] : followed->second) {
      if (interest == Interest::kRules) changes.anything = true;
      if (interest == Interest::kTracked) changes.later = true;
      if (interest == Interest::kConfiguration) changes.paths.insert(path);
    }
  }
  if (!watched.folder || name == ".codexmem") return;
  const std::string path = watched.folder->empty() ? name : *watched.folder + "/" + name;
  if (changes_rules(name)) {
    changes.anything = true;
  } else if (name == ".git") {
    // A repository was added or removed here, or its folder was replaced. Events inside do not
    // concern this folder, except changes of its times.
    if ((mask & IN_ATTRIB) == 0) changes.anything = true;
  } else {
    if ((mask & IN_ISDIR) != 0 && (mask & (IN_MOVED_FROM | IN_DELETE)) != 0) forget(path);
    changes.paths.insert(path);
  }
}

}  // namespace codexmem::serve
