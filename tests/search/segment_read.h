// tests/search/segment_read.h - reads everything that a segment says, for tests of damaged ones.
#pragma once

#include <cstdint>

#include "search/segment.h"

namespace codexmem::search {

/// A number that depends on all that `segment` says, so that nothing is left out.
inline std::uint64_t read_all(const Segment& segment) {
  std::uint64_t sum = segment.bytes() + segment.languages().size() + segment.all_kinds().size();
  const auto add = [&](auto numbers) {
    for (const std::uint32_t one : numbers) sum += one;
  };
  // A damaged count may be large; beyond the end everything reads as empty.
  constexpr std::uint32_t kMost = 2000;
  for (FileNumber file = 0; file < std::min(segment.file_count(), kMost); ++file) {
    sum += segment.path(file).size() + segment.language(file).size();
    sum += static_cast<std::uint64_t>(segment.id(file)) + segment.term_count(file);
    for (std::uint32_t i = 0; i < std::min(segment.chunk_count(file), kMost); ++i) {
      sum += segment.chunk_length(file, i);
    }
    sum += segment.path_cuts(file).size() + segment.version_cuts(file).size();
    sum += segment.kinds(file).size() + (segment.centrality(file) > 0 ? 1 : 0);
    add(segment.base_stems(file));
    add(segment.directory_stems(file));
    add(segment.importers(file));
    sum += segment.find_file(segment.id(file)).value_or(0);
    sum += segment.find_path(segment.path(file)).value_or(0);
  }
  for (StemNumber stem = 0; stem < std::min(segment.stem_count(), kMost); ++stem) {
    sum += segment.stem(stem).size() + segment.stem_frequency(stem);
    add(segment.names_with(stem));
    add(segment.files_named(stem));
    sum += segment.find_stem(segment.stem(stem)).value_or(0);
  }
  for (NameNumber name = 0; name < std::min(segment.name_count(), kMost); ++name) {
    sum += segment.name(name).size() + segment.find_name(segment.name(name)).value_or(0);
    segment.read_name(
        name, [&](StemNumber stem) { sum += stem; },
        [&](const Definer& one) { sum += one.file + one.ordinal + (one.weight > 0 ? 1U : 0U); });
  }
  return sum;
}

}  // namespace codexmem::search
