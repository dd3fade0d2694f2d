// search/segment_builder.h - builds segments from the rows of a store. Stateless.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "search/segment.h"
#include "store/code/store_reader.h"

namespace codexmem::search {

/// Writes the segment of all files that `reader` sees, in its transaction. Returns its head, which
/// contains `mark`. A million definitions take about two seconds and 60 MB, not counting the memory
/// of `sink`. Errors: as the store and `sink`; kUnsupported for more than 4 GB of names.
Result<SegmentHead> build_segment(store::StoreReader& reader, std::uint64_t mark,
                                  const SegmentWriter::Sink& sink);

/// The same for a few files, `ids`, in memory: without importers, and with the statistics for their
/// names and previous versions from `base`, the segment of the others.
Result<std::shared_ptr<const Segment>> build_segment(store::StoreReader& reader,
                                                     const std::vector<store::FileId>& ids,
                                                     const Segment& base);

}  // namespace codexmem::search
