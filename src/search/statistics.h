// search/statistics.h - counts over the identifiers of all files. Stateless.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "search/segment.h"
#include "store/code/store_reader.h"

namespace codexmem::search {

/// The subject of the counts: the files, names and stems of a segment.
struct StatisticsSubject {
  std::size_t files = 0, stems = 0;
  std::function<std::optional<FileNumber>(store::FileId)> find_file;
  std::function<std::optional<StemNumber>(std::string_view)> find_stem;
  /// The only file that defines `name` (with a kind that counts for centrality); called with names
  /// in the order of their bytes.
  std::function<std::optional<FileNumber>(std::string_view)> find_sole_definer;
};

struct Statistics {
  std::vector<std::uint32_t> stem_frequencies;  // by stem: number of files with it in an identifier
  std::vector<float> centralities;              // ln(1+r) / ln(1+max r), by file
};

/// Counts over the store that `reader` sees. Errors: as the store.
///
/// Exact if that takes at most 32 MB (11,000 files with as many stems); otherwise from a sample of
/// the files, chosen by their ids.
Result<Statistics> compute_statistics(store::StoreReader& reader, const StatisticsSubject& subject);

}  // namespace codexmem::search
