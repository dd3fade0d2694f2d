// index/run/empty_run.h - explains why a run found nothing to index, for its warnings. Stateless.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "index/discovery/discover.h"
#include "index/run/indexer.h"

namespace codexmem::index {

/// Why a run found nothing although files were expected; otherwise empty. If the run `is_of_all`
/// files: the rule that ignores most files, or the main reason. Otherwise: why the named `path`
/// gave no file.
std::string why_empty(const std::filesystem::path& root, const std::string& path, bool is_of_all,
                      const std::vector<SkippedEntry>& skipped, const IndexReport& report);

}  // namespace codexmem::index
