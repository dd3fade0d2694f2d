// embed/vector_lists.h - the division of a base into lists of near vectors. For vector_*.cpp alone.
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

/// True when `size` vectors with these lists should be divided anew, or not at all: they are as
/// many as `least_components` say and have no lists, or twice or half as many as when the lists
/// were made, or those that came since lie further from the centroids.
bool lists_are_due(const VectorLists& lists, std::size_t size, std::size_t dimension,
                   std::size_t least_components);

/// `base` divided into lists, or with its rows in the order of their ids when it has less than
/// `least_components`. Takes as much memory as `base` beside it, unless that is a file. Errors:
/// kUnsupported when FAISS fails.
Result<std::shared_ptr<const VectorBase>> divide_into_lists(
    const std::shared_ptr<const VectorBase>& base, std::size_t dimension,
    std::size_t least_components);

/// Puts rows, which come in the order of their ids, into the lists of a base that is made.
class ListFiller {
 public:
  /// `lists` has all but `by_id`.
  ListFiller(std::size_t dimension, VectorLists lists);

  void add(std::size_t list, std::int64_t id, const std::uint8_t* code);

  std::shared_ptr<VectorBase> finish();

 private:
  std::size_t dimension_;
  VectorLists lists_;
  std::vector<CodedVectors> rows_;
};

}  // namespace codexmem::embed
