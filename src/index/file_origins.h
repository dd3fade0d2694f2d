// index/file_origins.h - who committed a file last, and when.
//
// Read through libgit2; nothing is kept. Not thread-safe. Design: docs/design/team.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace codexmem::index {

/// The last commit that made a file what it is in HEAD.
struct FileOrigin {
  std::string author;     // the name in the commit; empty: it is not known
  std::string commit_id;  // hexadecimal; empty: HEAD does not have the file
  std::int64_t committed_at_ms = 0;
};

/// The commit that is checked out in the repository at `top`, in hexadecimal; empty when there is
/// none.
std::string find_head(const std::filesystem::path& top);

/// The origins of `paths` (from `top`), in their order. A file whose commit is not among the last
/// 5,000, or not found within a second, has HEAD's id and no author.
std::vector<FileOrigin> find_file_origins(const std::filesystem::path& top,
                                          std::span<const std::string> paths);

}  // namespace codexmem::index
