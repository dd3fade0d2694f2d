// bench/memory/texts.h - as many different entries as are wanted, like those that developers write.
//
// From git repositories: each commit's message, and the paragraphs of their Markdown; two messages
// of one repository together when there are not enough. Without repositories: sentences of
// templates over a vocabulary in which words are as uneven as in English (Zipf).
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <vector>

#include "bench_store.h"

namespace codexmem::bench {

/// Calls `take` with `count` entries, no two of the same text, the oldest first; times end at
/// `now_ms` and go back two years. Stops when `take` returns false.
void generate_entries(const std::vector<std::filesystem::path>& repositories, std::size_t count,
                      std::int64_t now_ms, const std::function<bool(BenchEntry)>& take);

/// The git directories in `folder`, two levels deep.
std::vector<std::filesystem::path> find_repositories(const std::filesystem::path& folder);

}  // namespace codexmem::bench
