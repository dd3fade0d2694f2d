// search/vectors.h - the vectors of one model, in memory, for an exact scan.
//
// A vector is kept as int8 (component x 127, rounded): a quarter of the floats' memory, and an
// inner product to within 0.01 of the cosine. Immutable once built; read by any number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "search/ranking.h"
#include "store/code_reader.h"

namespace codexmem::search {

class Vectors {
 public:
  /// No vectors, for `dimension` components.
  explicit Vectors(std::size_t dimension) : dimension_(dimension) {}

  /// The vectors of `model` that `reader` sees. Those of `previous` (may be null), built when the
  /// store was at `previous_generation`, are kept for files not written since. Vectors of other
  /// models and of another length are left out. Errors: those of the store.
  static Result<std::shared_ptr<const Vectors>> build(store::CodeReader& reader,
                                                      const store::CodeReader::Model& model,
                                                      const Vectors* previous,
                                                      std::int64_t previous_generation);

  std::size_t size() const { return ids_.size(); }
  std::size_t dimension() const { return dimension_; }

  /// The cosine of `query` (dimension() floats of length 1) with each vector, by id.
  std::vector<DenseScore> scan(std::span<const float> query) const;

  /// The vector with this id as floats of length 1; empty when there is none.
  std::vector<float> find(store::ChunkId id) const;

 private:
  void add(store::ChunkId id, std::string_view bytes);
  void add(store::ChunkId id, std::span<const std::int8_t> row);
  std::span<const std::int8_t> row(std::size_t index) const {
    return std::span(rows_).subspan(index * dimension_, dimension_);
  }

  std::size_t dimension_;
  std::vector<store::ChunkId> ids_;  // ascending
  std::vector<std::int8_t> rows_;    // size() x dimension_, row-major
};

}  // namespace codexmem::search
