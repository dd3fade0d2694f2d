// base/file.h - reading and replacing whole files. Thread-safe.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace codexmem {

/// The bytes of the regular file at `path`. Errors: kNotFound; kIo when it cannot be read;
/// kUnsupported when it is no regular file or holds more than `max_bytes` bytes.
Result<std::string> read_file(const std::filesystem::path& path,
                              std::size_t max_bytes = std::size_t{1} << 30);

/// The first bytes of the regular file at `path`, at most `max_bytes`. Errors as read_file().
Result<std::string> read_beginning(const std::filesystem::path& path, std::size_t max_bytes);

/// Replaces `path` by a file that holds `bytes`: written beside it, synced, renamed over it, so
/// that a reader or a crash sees the old file or the new one. Errors: kIo, and then `path` is as it
/// was.
Result<void> replace_file(const std::filesystem::path& path, std::string_view bytes);

/// Waits until the file's bytes, or the directory's names, are on the disk. Errors: kNotFound, kIo.
Result<void> sync_path(const std::filesystem::path& path);

}  // namespace codexmem
