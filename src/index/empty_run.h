// index/empty_run.h - why a run has found nothing to index, for its warnings. Stateless.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "index/discover.h"
#include "index/indexer.h"

namespace codexmem::index {

/// Why there is nothing where something was to be expected; empty when there is something, or was
/// to be nothing: why a run that `is_of_all` files found none (the rule that ignores most, or the
/// reason), or why `path`, which was asked for by name, gave nothing.
std::string why_empty(const std::filesystem::path& root, const std::string& path, bool is_of_all,
                      const std::vector<SkippedEntry>& skipped, const IndexReport& report);

}  // namespace codexmem::index
