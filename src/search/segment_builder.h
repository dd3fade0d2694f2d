// search/segment_builder.h - segments from the rows of a store. Stateless.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "search/segment.h"
#include "store/code/store_reader.h"

namespace codexmem::search {

/// Writes the segment of all files that `reader` sees, at the moment of its transaction. `mark`
/// goes into its head, which is returned. A million definitions take some two seconds and 60 MB
/// beside what `sink` keeps. Errors: those of the store and of `sink`; kUnsupported for more than 4
/// GB of names.
Result<SegmentHead> build_segment(store::StoreReader& reader, std::uint64_t mark,
                                  const SegmentWriter::Sink& sink);

/// The same for a few files, `ids`, in memory: without importers, and with the statistics that
/// `base`, the segment of the others, has of their names and of what they were before.
Result<std::shared_ptr<const Segment>> build_segment(store::StoreReader& reader,
                                                     const std::vector<store::FileId>& ids,
                                                     const Segment& base);

}  // namespace codexmem::search
