// index/discovery/file_origins.h - finds the author and time of the last commit of a file.
//
// Read through libgit2; nothing is kept. Not thread-safe. Design: docs/team.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace codexmem::index {

/// The last commit that changed a file to its content in HEAD.
struct FileOrigin {
  std::string author;     // the name in the commit; empty: unknown
  std::string commit_id;  // hexadecimal; empty: HEAD does not have the file
  std::int64_t committed_at_ms = 0;
};

/// The id of the commit that is checked out in the repository at `top`, in hexadecimal; empty if it
/// has no commit.
std::string find_head(const std::filesystem::path& top);

/// The origins of `paths` (relative to `top`), in their order. A file whose commit is not among the
/// last 5,000, or not found within a second, has HEAD's id and no author.
std::vector<FileOrigin> find_file_origins(const std::filesystem::path& top,
                                          std::span<const std::string> paths);

}  // namespace codexmem::index
