// embed/vector_clusters.h - centroids of coded vectors, by FAISS's k-means. Only for vector_*.cpp.
//
// Pure, on the calling thread; the same input gives the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace codexmem::embed {

/// The codes of `count` centroids of length 1, count x dimension, of the vectors in `codes` (at
/// least `count`): spherical k-means, Lloyd's iterations from a fixed seed. Errors: kUnsupported
/// when FAISS fails.
Result<std::vector<std::uint8_t>> find_centroids(std::span<const std::uint8_t> codes,
                                                 std::size_t dimension, std::size_t count);

/// The centroid nearest to a vector, by inner product of the decoded values.
struct Nearest {
  std::uint32_t centroid = 0;  // the first among equally near ones
  std::int32_t fit = 0;        // the inner product x 40,000
};

/// Finds the nearest centroid for consecutive vectors. Not thread-safe.
class NearestCentroid {
 public:
  /// `centroids` are codes, at least one row, and must outlive this object.
  NearestCentroid(std::span<const std::uint8_t> centroids, std::size_t dimension);

  /// `code` is one row.
  Nearest find(const std::uint8_t* code);

 private:
  std::span<const std::uint8_t> centroids_;
  std::vector<std::int16_t> weights_;  // of the current vector
  std::vector<std::int32_t> dots_;
};

}  // namespace codexmem::embed
