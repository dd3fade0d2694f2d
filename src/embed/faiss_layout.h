// embed/faiss_layout.h - finds codes and ids in a file written by FAISS. Only for vector_*.cpp.
//
// FAISS's own reader trusts the sizes and counts in a file, and an index may come with an untrusted
// repository. So this code checks them first, and FAISS only reads accepted files. Pure.
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
  std::vector<VectorRows> parts;            // all rows in one part, or a part for each list
  std::span<const std::uint8_t> centroids;  // codes, a row for each list; empty: "IDMap,SQ8"
  std::uint32_t probes = 0;
};

/// The layout of `file`, if it has the format of FaissIndex::write(), or of FAISS for an index of
/// the same kind, and every size and count agrees with the others and with the length of `file`.
/// Ids may have any value. Takes memory only for the places of the lists.
std::optional<FaissLayout> read_faiss_layout(std::string_view file);

/// A file from which an index is read in place.
struct MappedIndex {
  MappedFile file;
  std::uint32_t checksum = 0;  // CRC-32 of its bytes
};

}  // namespace codexmem::embed
