// store/file_identity.h - which file stands at a path. Internal to store.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <optional>

namespace codexmem::store {

/// Whoever has a file open keeps its number from being given to another.
struct FileIdentity {
  dev_t device = 0;
  ino_t number = 0;
  bool operator==(const FileIdentity&) const = default;
};

/// Nothing when there is no file at `path`.
inline std::optional<FileIdentity> find_identity(const std::filesystem::path& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return std::nullopt;
  return FileIdentity{info.st_dev, info.st_ino};
}

}  // namespace codexmem::store
