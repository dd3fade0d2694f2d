// What is added gathers as floats ("pending"); fold() makes one base of the old base and these.
//
// Codes are only comparable within one set of ranges, so when new vectors lie outside the ranges of
// the old ones, the old codes are decoded and encoded again. Ranges only grow: after some thousand
// vectors new ones lie inside, and folding is a merge of codes by id.
#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "embed/vector_index.h"
#include "embed/vector_index_state.h"

namespace codexmem::embed {
namespace {

// Up to so many vectors stay floats behind the base: a change then copies 2 MB at 128 dimensions.
constexpr std::size_t kTailVectors = 4096;
// While building, floats of so many bytes are gathered before they are encoded.
constexpr std::size_t kPendingBytes = std::size_t{64} << 20U;
// Rows that are decoded at once when codes change their ranges.
constexpr std::size_t kRecodeRows = 1024;

// Ranges that hold those of `base` and all of `vectors`.
Result<std::vector<float>> grow_ranges(const VectorBase& base, std::span<const float> vectors) {
  if (vectors.empty()) return base.table.ranges();
  const std::size_t dimension = base.table.dimension();
  CODEXMEM_ASSIGN(std::vector<float> ranges, CodeTable::train(vectors, dimension));
  if (base.size() == 0) return ranges;
  for (std::size_t i = 0; i < dimension; ++i) {
    const float low = base.table.low()[i];
    const float high = low + base.table.width()[i];
    const float new_high = ranges[i] + ranges[dimension + i];
    // An unchanged range keeps its very bits.
    const bool holds = low <= ranges[i] && new_high <= high;
    ranges[i] = std::min(low, ranges[i]);
    ranges[dimension + i] = holds ? base.table.width()[i] : std::max(high, new_high) - ranges[i];
  }
  return ranges;
}

// The codes of all rows of `from` by the ranges of `to`.
Result<std::vector<std::uint8_t>> recode(const CodeTable& from, const CodeTable& to) {
  if (from.ranges() == to.ranges()) return from.codes();
  std::vector<std::uint8_t> codes;
  codes.reserve(from.codes().size());
  for (std::size_t row = 0; row < from.size(); row += kRecodeRows) {
    CODEXMEM_ASSIGN(const std::vector<float> vectors,
                    from.decode(row, std::min(kRecodeRows, from.size() - row)));
    CODEXMEM_ASSIGN(const std::vector<std::uint8_t> part, to.encode(vectors));
    codes.insert(codes.end(), part.begin(), part.end());
  }
  return codes;
}

}  // namespace

struct VectorIndexBuilder::Impl {
  std::string model_id;
  std::size_t dimension = 0;
  std::shared_ptr<const VectorBase> base;
  RowSet removed;
  std::vector<std::int64_t> pending_ids;                       // each once
  std::vector<float> pending;                                  // pending_ids.size() x dimension
  std::unordered_map<std::int64_t, std::size_t> pending_rows;  // id -> row of pending

  std::size_t size() const { return base->size() - removed.size() + pending_ids.size(); }
  void put(std::int64_t id, std::span<const float> vector);
  bool erase_pending(std::int64_t id);
  bool erase_from_base(std::int64_t id);
  void sort_pending();
  Result<void> fold();
};

void VectorIndexBuilder::Impl::put(std::int64_t id, std::span<const float> vector) {
  erase_from_base(id);
  const auto [found, added] = pending_rows.emplace(id, pending_ids.size());
  if (added) {
    pending_ids.push_back(id);
    pending.insert(pending.end(), vector.begin(), vector.end());
  } else {
    std::copy(vector.begin(), vector.end(), pending.data() + found->second * dimension);
  }
}

bool VectorIndexBuilder::Impl::erase_pending(std::int64_t id) {
  const auto found = pending_rows.find(id);
  if (found == pending_rows.end()) return false;
  const std::size_t row = found->second;
  pending_rows.erase(found);
  const std::size_t last = pending_ids.size() - 1;
  if (row != last) {
    pending_ids[row] = pending_ids[last];
    pending_rows[pending_ids[row]] = row;
    std::copy_n(pending.data() + last * dimension, dimension, pending.data() + row * dimension);
  }
  pending_ids.pop_back();
  pending.resize(last * dimension);
  return true;
}

bool VectorIndexBuilder::Impl::erase_from_base(std::int64_t id) {
  const auto row = find_sorted(base->ids, id);
  return row && removed.insert(*row, base->size());
}

void VectorIndexBuilder::Impl::sort_pending() {
  if (std::is_sorted(pending_ids.begin(), pending_ids.end())) return;
  std::vector<std::size_t> order(pending_ids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return pending_ids[a] < pending_ids[b]; });
  std::vector<std::int64_t> ids;
  std::vector<float> vectors(pending.size());
  ids.reserve(order.size());
  for (const std::size_t row : order) {
    std::copy_n(pending.data() + row * dimension, dimension,
                vectors.data() + ids.size() * dimension);
    pending_rows[pending_ids[row]] = ids.size();
    ids.push_back(pending_ids[row]);
  }
  pending_ids = std::move(ids);
  pending = std::move(vectors);
}

Result<void> VectorIndexBuilder::Impl::fold() {
  sort_pending();
  CODEXMEM_ASSIGN(std::vector<float> ranges, grow_ranges(*base, pending));
  const auto next = std::make_shared<VectorBase>(std::move(ranges));
  CODEXMEM_ASSIGN(const std::vector<std::uint8_t> old_codes, recode(base->table, next->table));
  CODEXMEM_ASSIGN(const std::vector<std::uint8_t> new_codes, next->table.encode(pending));

  std::vector<std::uint8_t> codes;
  codes.reserve(size() * dimension);
  next->ids.reserve(size());
  const auto append = [&](std::int64_t id, const std::vector<std::uint8_t>& from, std::size_t row) {
    next->ids.push_back(id);
    const auto begin = from.begin() + static_cast<std::ptrdiff_t>(row * dimension);
    codes.insert(codes.end(), begin, begin + static_cast<std::ptrdiff_t>(dimension));
  };
  std::size_t row = 0;
  const auto append_old_below = [&](std::int64_t id) {
    for (; row < base->size() && base->ids[row] < id; ++row) {
      if (!removed.contains(row)) append(base->ids[row], old_codes, row);
    }
  };
  for (std::size_t i = 0; i < pending_ids.size(); ++i) {
    append_old_below(pending_ids[i]);
    append(pending_ids[i], new_codes, i);
  }
  append_old_below(std::numeric_limits<std::int64_t>::max());
  next->table.set_codes(std::move(codes));

  base = next;
  removed = {};
  pending_ids = {};
  pending = {};
  pending_rows = {};
  return {};
}

VectorIndexBuilder::VectorIndexBuilder(std::string model_id, std::size_t dimension)
    : impl_(std::make_unique<Impl>()) {
  CODEXMEM_CHECK(dimension > 0 && dimension <= kMaxDimension);
  impl_->model_id = std::move(model_id);
  impl_->dimension = dimension;
  impl_->base = std::make_shared<VectorBase>(std::vector<float>(2 * dimension));
}

VectorIndexBuilder::VectorIndexBuilder(const VectorIndex& index) : impl_(std::make_unique<Impl>()) {
  const VectorIndex::State& state = *index.state_;
  impl_->model_id = state.model_id;
  impl_->dimension = state.dimension;
  impl_->base = state.base;
  impl_->removed = state.removed;
  impl_->pending_ids = state.tail_ids;
  impl_->pending = state.tail;
  for (std::size_t i = 0; i < state.tail_ids.size(); ++i) {
    impl_->pending_rows.emplace(state.tail_ids[i], i);
  }
}

VectorIndexBuilder::VectorIndexBuilder(VectorIndexBuilder&&) noexcept = default;
VectorIndexBuilder& VectorIndexBuilder::operator=(VectorIndexBuilder&&) noexcept = default;
VectorIndexBuilder::~VectorIndexBuilder() = default;

Result<void> VectorIndexBuilder::add(std::span<const std::int64_t> ids,
                                     std::span<const float> vectors) {
  const std::size_t dimension = impl_->dimension;
  if (vectors.size() != ids.size() * dimension) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("vector index: {} vectors of {} components need {} floats, not {}",
                             ids.size(), dimension, ids.size() * dimension, vectors.size())};
  }
  if (!std::all_of(vectors.begin(), vectors.end(), is_usable_component)) {
    return Error{ErrorCode::kInvalidArgument, "vector index: a component is not finite, or huge"};
  }
  if (!std::all_of(ids.begin(), ids.end(), [](std::int64_t id) { return id > 0; })) {
    return Error{ErrorCode::kInvalidArgument, "vector index: an id is below 1"};
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    impl_->put(ids[i], vectors.subspan(i * dimension, dimension));
    if (impl_->pending.size() * sizeof(float) >= kPendingBytes) CODEXMEM_TRY(impl_->fold());
  }
  return {};
}

std::size_t VectorIndexBuilder::remove(std::span<const std::int64_t> ids) {
  std::size_t removed = 0;
  for (const std::int64_t id : ids) {
    if (impl_->erase_pending(id) || impl_->erase_from_base(id)) ++removed;
  }
  return removed;
}

std::size_t VectorIndexBuilder::size() const { return impl_->size(); }

Result<std::shared_ptr<const VectorIndex>> VectorIndexBuilder::freeze(std::uint64_t generation) && {
  const bool fold = impl_->base->size() == 0 || impl_->pending_ids.size() > kTailVectors ||
                    impl_->removed.size() * 4 > impl_->base->size();
  return finish(generation, fold);
}

Result<std::shared_ptr<const VectorIndex>> VectorIndexBuilder::finish(std::uint64_t generation,
                                                                      bool fold) {
  if (fold) {
    CODEXMEM_TRY(impl_->fold());
  } else {
    impl_->sort_pending();
  }
  auto state = std::make_unique<VectorIndex::State>();
  state->model_id = std::move(impl_->model_id);
  state->dimension = impl_->dimension;
  state->generation = generation;
  state->base = std::move(impl_->base);
  state->removed = std::move(impl_->removed);
  state->tail_ids = std::move(impl_->pending_ids);
  state->tail = std::move(impl_->pending);
  impl_.reset();
  return std::shared_ptr<const VectorIndex>(new VectorIndex(std::move(state)));
}

}  // namespace codexmem::embed
