#include "app/directory_watch.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string_view>

namespace codexmem::app {
namespace {

constexpr std::uint32_t kEvents = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM |
                                  IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF |
                                  IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK;

// Folders that change with every command of git, or of ours, and hold no sources.
bool is_private(std::string_view name) { return name == ".git" || name == ".codexmem"; }

bool changes_rules(std::string_view name) {
  return name == ".gitignore" || name == ".codexmemignore" || name == ".gitmodules";
}

}  // namespace

DirectoryWatch::DirectoryWatch(std::filesystem::path root)
    : root_(std::move(root)), fd_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
  complete_ = fd_ >= 0;
}

DirectoryWatch::~DirectoryWatch() {
  if (fd_ >= 0) ::close(fd_);
}

bool DirectoryWatch::add(const std::string& folder) {
  if (fd_ < 0 || watched_.contains(folder)) return false;
  const int watch = ::inotify_add_watch(fd_, (root_ / folder).c_str(), kEvents);
  if (watch < 0) {
    complete_ = complete_ && (errno == ENOENT || errno == ENOTDIR || errno == EACCES);
    return false;
  }
  watched_[folder] = watch;
  folders_[watch] = folder;
  return true;
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
        changes.anything = true;
        continue;
      }
      const auto folder = folders_.find(event->wd);
      if (folder == folders_.end()) continue;
      if ((event->mask & IN_IGNORED) != 0) {
        watched_.erase(folder->second);
        folders_.erase(folder);
        continue;
      }
      const std::string name = event->len > 0 ? event->name : "";
      if (is_private(name)) continue;
      if (name.empty() || (event->mask & IN_ISDIR) != 0) {
        // Times of a folder's own entry say nothing about its files.
        if ((event->mask & IN_ATTRIB) == 0) changes.anything = true;
      } else if (changes_rules(name)) {
        changes.anything = true;
      } else {
        changes.files.insert(folder->second.empty() ? name : folder->second + "/" + name);
      }
    }
  }
}

}  // namespace codexmem::app
