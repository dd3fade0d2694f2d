// What is added gathers in a list ("pending"); fold() makes one base of the old base and these, a
// merge of codes by id.
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

// Up to so many vectors stay behind the base: a change then copies half a megabyte at 128
// dimensions.
constexpr std::size_t kTailVectors = 4096;

}  // namespace

struct VectorIndexBuilder::Impl {
  std::string model_id;
  std::size_t dimension = 0;
  std::shared_ptr<const CodedVectors> base;
  RowSet removed;
  CodedVectors pending;                                        // each id once, in any order
  std::unordered_map<std::int64_t, std::size_t> pending_rows;  // id -> row of pending

  std::size_t size() const { return base->size() - removed.size() + pending.size(); }
  void put(std::int64_t id, std::span<const std::uint8_t> codes);
  bool erase_pending(std::int64_t id);
  bool erase_from_base(std::int64_t id);
  void sort_pending();
  void fold();
};

void VectorIndexBuilder::Impl::put(std::int64_t id, std::span<const std::uint8_t> codes) {
  erase_from_base(id);
  const auto [found, added] = pending_rows.emplace(id, pending.size());
  if (added) {
    pending.ids.push_back(id);
    pending.codes.insert(pending.codes.end(), codes.begin(), codes.end());
  } else {
    std::copy(codes.begin(), codes.end(), pending.codes.data() + found->second * dimension);
  }
}

bool VectorIndexBuilder::Impl::erase_pending(std::int64_t id) {
  const auto found = pending_rows.find(id);
  if (found == pending_rows.end()) return false;
  const std::size_t row = found->second;
  pending_rows.erase(found);
  const std::size_t last = pending.size() - 1;
  if (row != last) {
    pending.ids[row] = pending.ids[last];
    pending_rows[pending.ids[row]] = row;
    std::copy_n(pending.codes.data() + last * dimension, dimension,
                pending.codes.data() + row * dimension);
  }
  pending.ids.pop_back();
  pending.codes.resize(last * dimension);
  return true;
}

bool VectorIndexBuilder::Impl::erase_from_base(std::int64_t id) {
  const auto row = find_sorted(base->ids, id);
  return row && removed.insert(*row, base->size());
}

void VectorIndexBuilder::Impl::sort_pending() {
  if (std::is_sorted(pending.ids.begin(), pending.ids.end())) return;
  std::vector<std::size_t> order(pending.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return pending.ids[a] < pending.ids[b]; });
  CodedVectors sorted;
  sorted.ids.reserve(order.size());
  sorted.codes.reserve(pending.codes.size());
  for (const std::size_t row : order) {
    pending_rows[pending.ids[row]] = sorted.size();
    sorted.ids.push_back(pending.ids[row]);
    const auto begin = pending.codes.begin() + static_cast<std::ptrdiff_t>(row * dimension);
    sorted.codes.insert(sorted.codes.end(), begin, begin + static_cast<std::ptrdiff_t>(dimension));
  }
  pending = std::move(sorted);
}

void VectorIndexBuilder::Impl::fold() {
  sort_pending();
  if (base->size() == 0) {
    base = std::make_shared<CodedVectors>(std::exchange(pending, {}));
    removed = {};
    pending_rows = {};
    return;
  }
  const auto next = std::make_shared<CodedVectors>();
  next->ids.reserve(size());
  next->codes.reserve(size() * dimension);
  const auto append = [&](const CodedVectors& from, std::size_t row) {
    next->ids.push_back(from.ids[row]);
    const auto begin = from.codes.begin() + static_cast<std::ptrdiff_t>(row * dimension);
    next->codes.insert(next->codes.end(), begin, begin + static_cast<std::ptrdiff_t>(dimension));
  };
  std::size_t row = 0;
  const auto append_old_below = [&](std::int64_t id) {
    for (; row < base->size() && base->ids[row] < id; ++row) {
      if (!removed.contains(row)) append(*base, row);
    }
  };
  for (std::size_t i = 0; i < pending.size(); ++i) {
    append_old_below(pending.ids[i]);
    append(pending, i);
  }
  append_old_below(std::numeric_limits<std::int64_t>::max());
  base = next;
  removed = {};
  pending = {};
  pending_rows = {};
}

VectorIndexBuilder::VectorIndexBuilder(std::string model_id, std::size_t dimension)
    : impl_(std::make_unique<Impl>()) {
  CODEXMEM_CHECK(dimension > 0 && dimension <= kMaxDimension);
  impl_->model_id = std::move(model_id);
  impl_->dimension = dimension;
  impl_->base = std::make_shared<CodedVectors>();
}

VectorIndexBuilder::VectorIndexBuilder(const VectorIndex& index) : impl_(std::make_unique<Impl>()) {
  const VectorIndex::State& state = *index.state_;
  impl_->model_id = state.model_id;
  impl_->dimension = state.dimension;
  impl_->base = state.base;
  impl_->removed = state.removed;
  impl_->pending = state.tail;
  for (std::size_t i = 0; i < state.tail.size(); ++i) {
    impl_->pending_rows.emplace(state.tail.ids[i], i);
  }
}

VectorIndexBuilder::VectorIndexBuilder(VectorIndexBuilder&&) noexcept = default;
VectorIndexBuilder& VectorIndexBuilder::operator=(VectorIndexBuilder&&) noexcept = default;
VectorIndexBuilder::~VectorIndexBuilder() = default;

Result<void> VectorIndexBuilder::add(std::span<const std::int64_t> ids, std::string_view codes) {
  const std::size_t dimension = impl_->dimension;
  if (codes.size() != ids.size() * dimension) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("vector index: {} vectors of {} components need {} codes, not {}",
                             ids.size(), dimension, ids.size() * dimension, codes.size())};
  }
  if (!std::all_of(ids.begin(), ids.end(), [](std::int64_t id) { return id > 0; })) {
    return Error{ErrorCode::kInvalidArgument, "vector index: an id is below 1"};
  }
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(codes.data()), codes.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    impl_->put(ids[i], bytes.subspan(i * dimension, dimension));
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

std::shared_ptr<const VectorIndex> VectorIndexBuilder::freeze(std::uint64_t generation) && {
  const bool fold = impl_->base->size() == 0 || impl_->pending.size() > kTailVectors ||
                    impl_->removed.size() * 4 > impl_->base->size();
  return finish(generation, fold);
}

std::shared_ptr<const VectorIndex> VectorIndexBuilder::finish(std::uint64_t generation, bool fold) {
  if (fold) {
    impl_->fold();
  } else {
    impl_->sort_pending();
  }
  auto state = std::make_unique<VectorIndex::State>();
  state->model_id = std::move(impl_->model_id);
  state->dimension = impl_->dimension;
  state->generation = generation;
  state->base = std::move(impl_->base);
  state->removed = std::move(impl_->removed);
  state->tail = std::move(impl_->pending);
  impl_.reset();
  return std::shared_ptr<const VectorIndex>(new VectorIndex(std::move(state)));
}

}  // namespace codexmem::embed
