// store/file_identity.h - which file is at a path. Internal to store.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <optional>

namespace codexmem::store {

/// A file, whatever is written into it. Its number alone would not do: ext4 gives the number of a
/// deleted file to the next one. No program can set the time of birth.
struct FileIdentity {
  std::uint64_t number = 0;
  std::int64_t born_ns = 0;  // 0: the file system does not know
  bool is_regular = false;
  bool operator==(const FileIdentity&) const = default;
};

/// Nothing when there is no file at `path`; a link is not followed.
inline std::optional<FileIdentity> find_identity(const std::filesystem::path& path) {
  struct statx info {};
  if (::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW,
              STATX_INO | STATX_TYPE | STATX_MODE | STATX_BTIME, &info) != 0) {
    return std::nullopt;
  }
  FileIdentity found{.number = info.stx_ino, .is_regular = S_ISREG(info.stx_mode)};
  if ((info.stx_mask & STATX_BTIME) != 0) {
    found.born_ns = info.stx_btime.tv_sec * 1'000'000'000 + info.stx_btime.tv_nsec;
  }
  return found;
}

}  // namespace codexmem::store
