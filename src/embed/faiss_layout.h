// embed/faiss_layout.h - where codes and ids are in a file that FAISS has written. For vector_*.cpp
// alone.
//
// FAISS's own reader believes the sizes and counts that a file claims, and an index may come with a
// repository from anywhere. So this reads them first, and FAISS only gets what it accepts. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/mapped_file.h"
#include "embed/vector_index_state.h"

namespace codexmem::embed {

/// Places in the file's bytes.
struct FaissLayout {
  std::size_t dimension = 0;
  std::size_t rows = 0;
  std::vector<VectorRows> parts;            // all rows, or those of each list
  std::span<const std::uint8_t> centroids;  // codes, a row for each list; none: "IDMap,SQ8"
  std::uint32_t probes = 0;
};

/// The layout of `file`, if that is what FaissIndex::write() writes, or FAISS for an index of the
/// same kind: every size and count agrees with the others and with the length of `file`. Ids may be
/// anything. Takes memory for the lists' places only.
std::optional<FaissLayout> read_faiss_layout(std::string_view file);

/// A file that an index is read from in place.
struct MappedIndex {
  MappedFile file;
  std::uint32_t checksum = 0;  // CRC-32 of its bytes
};

}  // namespace codexmem::embed
