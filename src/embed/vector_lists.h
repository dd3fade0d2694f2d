// embed/vector_lists.h - divides a base into lists of similar vectors. Only for vector_*.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"
#include "embed/vector_index_state.h"

namespace codexmem::embed {

/// A list's number takes two bytes.
constexpr std::size_t kMaxLists = 65535;

/// True if `size` vectors with these lists should be divided again, or no longer: they reach
/// `least_components` and have no lists, or are twice or half as many as when the lists were made,
/// or vectors added since are farther from the centroids.
bool lists_are_due(const VectorLists& lists, std::size_t size, std::size_t dimension,
                   std::size_t least_components);

/// `base` divided into lists, or with its rows in the order of their ids if it has less than
/// `least_components`. Takes as much memory again as `base`, unless that is a file. Errors:
/// kUnsupported when FAISS fails.
Result<std::shared_ptr<const VectorBase>> divide_into_lists(
    const std::shared_ptr<const VectorBase>& base, std::size_t dimension,
    std::size_t least_components);

/// Assigns rows, which arrive in the order of their ids, to the lists of a new base.
class ListFiller {
 public:
  /// `lists` must be complete except for `by_id`.
  ListFiller(std::size_t dimension, VectorLists lists);

  void add(std::size_t list, std::int64_t id, const std::uint8_t* code);

  std::shared_ptr<VectorBase> finish();

 private:
  std::size_t dimension_;
  VectorLists lists_;
  std::vector<CodedVectors> rows_;
};

}  // namespace codexmem::embed
