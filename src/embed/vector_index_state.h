// embed/vector_index_state.h - what a vector index is made of, for vector_index*.cpp alone.
//
// A snapshot is a base and a tail. The base is shared between snapshots and never changes: ids in
// ascending order and, in the same order, their codes. What was added since is the tail, of the
// same form; what was removed is a bit in front of the base. A builder folds tail and removals into
// a new base when they have grown, so that a single change of a million vectors copies the tail and
// the bits, and not the codes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "embed/vector_index.h"

namespace codexmem::embed {

constexpr std::size_t kMaxDimension = 65536;
/// Components of a query are refused beyond this, so that sums of them stay finite.
constexpr float kMaxComponent = 1e6F;
inline bool is_usable_component(float v) { return std::fabs(v) <= kMaxComponent; }  // NaN is not

/// Vectors in the order of their ids. The base is one that snapshots share.
struct CodedVectors {
  std::size_t size() const { return ids.size(); }

  std::vector<std::int64_t> ids;    // ascending
  std::vector<std::uint8_t> codes;  // ids.size() x dimension
};

/// A set of rows of a base; takes no memory while it is empty.
class RowSet {
 public:
  bool contains(std::size_t row) const {
    return !bits_.empty() && (bits_[row / 64] >> (row % 64) & 1U) != 0;
  }
  bool insert(std::size_t row, std::size_t rows) {
    if (contains(row)) return false;
    if (bits_.empty()) bits_.resize((rows + 63) / 64);
    bits_[row / 64] |= std::uint64_t{1} << (row % 64);
    ++size_;
    return true;
  }
  std::size_t size() const { return size_; }

 private:
  std::vector<std::uint64_t> bits_;
  std::size_t size_ = 0;
};

/// The place of `id` in ascending `ids`, or nothing.
inline std::optional<std::size_t> find_sorted(const std::vector<std::int64_t>& ids,
                                              std::int64_t id) {
  const auto found = std::lower_bound(ids.begin(), ids.end(), id);
  if (found == ids.end() || *found != id) return std::nullopt;
  return static_cast<std::size_t>(found - ids.begin());
}

struct VectorIndex::State {
  std::string model_id;
  std::size_t dimension = 0;
  std::uint64_t generation = 0;
  std::shared_ptr<const CodedVectors> base;  // never null
  RowSet removed;                            // rows of base
  CodedVectors tail;                         // no id is one of a row of base that is not removed

  std::optional<std::size_t> find_base_row(std::int64_t id) const {
    const auto row = find_sorted(base->ids, id);
    return row && !removed.contains(*row) ? row : std::nullopt;
  }
};

}  // namespace codexmem::embed
