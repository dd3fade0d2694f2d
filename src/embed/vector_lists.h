// embed/vector_lists.h - the division of a base into lists of near vectors. For vector_*.cpp alone.
#pragma once

#include <cstddef>
#include <cstdint>
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

/// Divides `base`, which nobody else holds, into lists, or puts its rows in the order of their ids
/// when it has less than `least_components`. In place: beside a sample of the codes 12 bytes a row.
/// Errors: kUnsupported when FAISS fails; then `base` is as it was.
Result<void> divide_into_lists(VectorBase* base, std::size_t dimension,
                               std::size_t least_components);

}  // namespace codexmem::embed
