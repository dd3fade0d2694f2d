// Tested by index/indexer_test.cpp.
#include "index/run/empty_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <map>

namespace codexmem::index {
namespace {

bool has_files(const IndexReport& report) {
  return report.added + report.changed + report.renamed + report.unchanged > 0;
}

std::string why_empty_index(const std::filesystem::path& root,
                            const std::vector<SkippedEntry>& skipped, const IndexReport& report) {
  if (has_files(report)) return "";
  std::map<std::string, std::size_t> reasons;
  for (const SkippedEntry& entry : skipped) {
    std::string reason(skip_reason_name(entry.reason));
    if (entry.reason == SkipReason::kIgnored) reason += " by " + entry.detail;
    ++reasons[reason];
  }
  const auto most = std::max_element(reasons.begin(), reasons.end(),
                                     [](auto& a, auto& b) { return a.second < b.second; });
  if (most == reasons.end()) return fmt::format("no file is indexed: {} is empty", root.string());
  return fmt::format(
      "no file is indexed: of {} files and folders in {} most are skipped as {} ({}); `codexmem "
      "index --explain` lists all{}",
      skipped.size(), root.string(), most->first, most->second,
      most->first.starts_with(skip_reason_name(SkipReason::kIgnored))
          ? ", `codexmem index --no-ignore` indexes ignored files too"
          : "");
}

std::string why_empty_scope(const std::string& path, const std::vector<SkippedEntry>& skipped,
                            const IndexReport& report) {
  if (path.empty()) return "";
  // The path itself, or the skipped folder above it.
  const auto found = std::find_if(skipped.begin(), skipped.end(), [&](const SkippedEntry& entry) {
    return entry.path == path || entry.path == path + "/" ||
           (entry.path.ends_with('/') && path.starts_with(entry.path));
  });
  if (found != skipped.end()) {
    return fmt::format("{} is not indexed: {} ({})", path, skip_reason_name(found->reason),
                       found->detail);
  }
  if (has_files(report) || report.deleted > 0) return "";
  return is_own_data(path)
             ? fmt::format("{} is not indexed: it belongs to version control or to this index",
                           path)
             : fmt::format("{}: there is nothing to index here", path);
}

}  // namespace

std::string why_empty(const std::filesystem::path& root, const std::string& path, bool is_of_all,
                      const std::vector<SkippedEntry>& skipped, const IndexReport& report) {
  if (is_of_all) return why_empty_index(root, skipped, report);
  return report.warnings.empty() ? why_empty_scope(path, skipped, report) : std::string();
}

}  // namespace codexmem::index
