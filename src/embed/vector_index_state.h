// embed/vector_index_state.h - the parts of a vector index. Only for vector_*.cpp and faiss_*.cpp.
//
// A snapshot is a base and a tail. The base is the content of one FAISS index; snapshots share it,
// and it never changes. It is in memory (embed/faiss_index.h), or in a mapped file written by FAISS
// (embed/faiss_file.h), and is read in place in both cases. Its rows are in the order of their ids,
// or, if the index is divided into lists, grouped by list, each list in the order of ids. Vectors
// added since are in the tail, in the order of ids; removed ones are marked by bits for the base.
// When tail and removals have grown, a builder folds them into a new base. So a single change among
// a million vectors copies the tail and the bits, not the codes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "embed/vector_index.h"

namespace codexmem::embed {

constexpr std::size_t kMaxDimension = 65536;
/// Larger components of a query are refused, so that their sums stay finite.
constexpr float kMaxComponent = 1e6F;
inline bool is_usable_component(float v) { return std::fabs(v) <= kMaxComponent; }  // NaN is not

/// Vectors and their ids, one per row.
struct CodedVectors {
  std::size_t size() const { return ids.size(); }

  std::vector<std::int64_t> ids;
  std::vector<std::uint8_t> codes;  // ids.size() x dimension
};

/// The same, in borrowed memory; in a file it is unaligned.
class VectorRows {
 public:
  VectorRows() = default;
  VectorRows(const std::uint8_t* codes, const void* ids, std::size_t size)
      : codes_(codes), ids_(static_cast<const char*>(ids)), size_(size) {}
  /// `vectors` must outlive this object.
  explicit VectorRows(const CodedVectors& vectors)
      : VectorRows(vectors.codes.data(), vectors.ids.data(), vectors.size()) {}

  std::size_t size() const { return size_; }
  const std::uint8_t* codes() const { return codes_; }
  std::int64_t id(std::size_t row) const {
    std::int64_t id;
    std::memcpy(&id, ids_ + row * sizeof id, sizeof id);
    return id;
  }

 private:
  const std::uint8_t* codes_ = nullptr;  // size_ x dimension
  const char* ids_ = nullptr;
  std::size_t size_ = 0;
};

/// How near vectors are to the centroids of their lists, in integers: exact, and every bit pattern
/// in a file is a valid number.
struct ListFit {
  std::uint64_t rows = 0;
  std::int64_t sum = 0;  // over rows, of Nearest::fit (embed/vector_clusters.h)
  double mean() const {
    return rows == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(rows);
  }
};

/// The lists that the rows of a base are divided into.
struct VectorLists {
  std::size_t count() const { return begins.empty() ? 0 : begins.size() - 1; }
  void set_list_of() {
    list_of.reserve(begins.back());
    for (std::size_t list = 0; list < count(); ++list) {
      list_of.resize(begins[list + 1], static_cast<std::uint16_t>(list));
    }
  }

  std::vector<std::uint8_t> centroids;  // count() x dimension, codes
  std::vector<std::uint32_t> begins;    // first row of each list, and the number of rows
  std::vector<std::uint16_t> list_of;   // list of each row; follows from `begins`
  std::vector<std::uint32_t> by_id;     // the rows in the order of their ids
  std::uint32_t probes = 0;           // FAISS's own way of searching: scan this many nearest lists
  std::uint32_t patience = 0;         // our search ends after this many lists without a new result
  ListFit trained;                    // of the vectors for which the centroids were made
  std::uint64_t trained_squares = 0;  // sum of the squares of the lists' sizes at that time
  ListFit added;                      // of the vectors folded in since
};

class FaissIndex;    // faiss_index.h
struct MappedIndex;  // faiss_layout.h

/// The data that snapshots share.
struct VectorBase {
  std::size_t size() const { return rows; }

  /// The row of the `rank`th smallest id, from 0.
  std::size_t row_at(std::size_t rank) const {
    return lists.by_id.empty() ? rank : lists.by_id[rank];
  }
  std::int64_t id_at(std::size_t rank) const { return id_of(row_at(rank)); }

  std::size_t first_row(std::size_t part) const { return part == 0 ? 0 : lists.begins[part]; }
  std::size_t part_of(std::size_t row) const {
    return lists.list_of.empty() ? 0 : lists.list_of[row];
  }
  std::int64_t id_of(std::size_t row) const {
    const std::size_t part = part_of(row);
    return parts[part].id(row - first_row(part));
  }
  const std::uint8_t* code_of(std::size_t row, std::size_t dimension) const {
    const std::size_t part = part_of(row);
    return parts[part].codes() + (row - first_row(part)) * dimension;
  }

  /// The rank of the smallest id that is not below `id`; size() if there is no such id.
  std::size_t lower_rank(std::int64_t id) const {
    std::size_t low = 0;
    for (std::size_t high = size(); low < high;) {
      const std::size_t middle = low + (high - low) / 2;
      if (id_at(middle) < id) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  std::optional<std::size_t> find_row(std::int64_t id) const {
    const std::size_t rank = lower_rank(id);
    return rank < size() && id_at(rank) == id ? std::optional(row_at(rank)) : std::nullopt;
  }

  std::size_t rows = 0;
  std::vector<VectorRows> parts;  // all rows in one part; or a part for each list
  VectorLists lists;              // empty: rows are in the order of their ids
  // The owner of the parts: one of these.
  std::shared_ptr<FaissIndex> memory;
  std::shared_ptr<const MappedIndex> file;
};

/// A set of rows of a base; uses no memory while empty.
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
  std::shared_ptr<const VectorBase> base;  // never null
  RowSet removed;                          // rows of base
  CodedVectors tail;                       // by id; no id of a row of base that is not removed

  std::optional<std::size_t> find_base_row(std::int64_t id) const {
    const auto row = base->find_row(id);
    return row && !removed.contains(*row) ? row : std::nullopt;
  }
};

}  // namespace codexmem::embed
