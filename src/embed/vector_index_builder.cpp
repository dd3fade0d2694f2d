// Added vectors are collected in a list ("pending"); fold() merges them by id with the old base
// into a new one, each into its list. Only train() creates lists.
#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "embed/faiss_index.h"
#include "embed/vector_clusters.h"
#include "embed/vector_index.h"
#include "embed/vector_index_state.h"
#include "embed/vector_lists.h"

namespace codexmem::embed {
namespace {

// Up to this many vectors stay outside the base and are copied with every change: 4096 vectors of
// 128 components, 682 of 1536.
constexpr std::size_t kMaxTailVectors = 4096;
constexpr std::size_t kMinTailVectors = 64;
constexpr std::size_t kTailBytes = std::size_t{1} << 20;

}  // namespace

struct VectorIndexBuilder::Impl {
  std::string model_id;
  std::size_t dimension = 0;
  std::shared_ptr<const VectorBase> base;
  RowSet removed;
  CodedVectors pending;  // each id once; in the order of ids while is_sorted
  bool is_sorted = true;
  std::unordered_map<std::int64_t, std::size_t> pending_rows;  // id -> row, unless is_sorted

  std::size_t size() const { return base->size() - removed.size() + pending.size(); }
  void put(std::int64_t id, std::span<const std::uint8_t> codes);
  std::optional<std::size_t> find_pending(std::int64_t id) const;
  bool erase_pending(std::int64_t id);
  bool erase_from_base(std::int64_t id);
  void end_order();
  void sort_pending();
  /// Makes the new base from the rest of the old one and the pending vectors, which are then empty.
  std::shared_ptr<const VectorBase> fold();
  std::shared_ptr<const VectorBase> merge();
};

std::optional<std::size_t> VectorIndexBuilder::Impl::find_pending(std::int64_t id) const {
  if (is_sorted) return find_sorted(pending.ids, id);
  const auto found = pending_rows.find(id);
  return found == pending_rows.end() ? std::nullopt : std::optional(found->second);
}

// Ids usually arrive in ascending order. Then their map, which takes as much memory again as they
// do, is not needed.
void VectorIndexBuilder::Impl::end_order() {
  if (!is_sorted) return;
  is_sorted = false;
  for (std::size_t i = 0; i < pending.size(); ++i) pending_rows.emplace(pending.ids[i], i);
}

void VectorIndexBuilder::Impl::put(std::int64_t id, std::span<const std::uint8_t> codes) {
  erase_from_base(id);
  if (const auto row = find_pending(id)) {
    std::copy(codes.begin(), codes.end(), pending.codes.data() + *row * dimension);
    return;
  }
  if (is_sorted && pending.size() != 0 && id < pending.ids.back()) end_order();
  if (!is_sorted) pending_rows.emplace(id, pending.size());
  pending.ids.push_back(id);
  pending.codes.insert(pending.codes.end(), codes.begin(), codes.end());
}

bool VectorIndexBuilder::Impl::erase_pending(std::int64_t id) {
  const auto found = find_pending(id);
  if (!found) return false;
  end_order();
  const std::size_t row = *found;
  pending_rows.erase(id);
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
  const auto row = base->find_row(id);
  return row && removed.insert(*row, base->size());
}

void VectorIndexBuilder::Impl::sort_pending() {
  if (is_sorted) return;
  std::vector<std::size_t> order(pending.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return pending.ids[a] < pending.ids[b]; });
  CodedVectors sorted;
  sorted.ids.reserve(order.size());
  sorted.codes.reserve(pending.codes.size());
  for (const std::size_t row : order) {
    sorted.ids.push_back(pending.ids[row]);
    const auto begin = pending.codes.begin() + static_cast<std::ptrdiff_t>(row * dimension);
    sorted.codes.insert(sorted.codes.end(), begin, begin + static_cast<std::ptrdiff_t>(dimension));
  }
  pending = std::move(sorted);
  pending_rows = {};
  is_sorted = true;
}

std::shared_ptr<const VectorBase> VectorIndexBuilder::Impl::fold() {
  sort_pending();
  auto next = base->size() == 0 ? make_base(dimension, std::move(pending)) : merge();
  removed = {};
  pending = {};
  pending_rows = {};
  return next;
}

std::shared_ptr<const VectorBase> VectorIndexBuilder::Impl::merge() {
  // Calls f(id, code, list) for all remaining vectors, in the order of ids; the list of pending
  // vectors is nothing.
  const auto visit = [&](auto&& f) {
    std::size_t rank = 0;
    const auto visit_old = [&](std::size_t end) {
      for (; rank < end; ++rank) {
        const std::size_t row = base->row_at(rank);
        if (removed.contains(row)) continue;
        f(base->id_of(row), base->code_of(row, dimension), base->part_of(row));
      }
    };
    for (std::size_t i = 0; i < pending.size(); ++i) {
      visit_old(base->lower_rank(pending.ids[i]));
      f(pending.ids[i], pending.codes.data() + i * dimension, std::nullopt);
    }
    visit_old(base->size());
  };
  const VectorLists& old = base->lists;
  if (old.count() == 0) {
    CodedVectors all;
    all.ids.reserve(size());
    all.codes.reserve(size() * dimension);
    visit([&](std::int64_t id, const std::uint8_t* code, std::optional<std::size_t>) {
      all.ids.push_back(id);
      all.codes.insert(all.codes.end(), code, code + dimension);
    });
    return make_base(dimension, std::move(all));
  }
  VectorLists lists = {.centroids = old.centroids,
                       .begins = std::vector<std::uint32_t>(old.begins.size()),
                       .list_of = {},
                       .by_id = {},
                       .probes = old.probes,
                       .patience = old.patience,
                       .trained = old.trained,
                       .trained_squares = old.trained_squares,
                       .added = old.added};
  NearestCentroid nearest(old.centroids, dimension);
  std::vector<std::uint32_t> list_of_pending;
  for (std::size_t i = 0; i < pending.size(); ++i) {
    const Nearest found = nearest.find(pending.codes.data() + i * dimension);
    list_of_pending.push_back(found.centroid);
    lists.added.sum += found.fit;
  }
  lists.added.rows += pending.size();
  auto next = list_of_pending.begin();
  visit([&](std::int64_t, const std::uint8_t*, std::optional<std::size_t> list) {
    ++lists.begins[(list ? *list : *next++) + 1];
  });
  std::partial_sum(lists.begins.begin(), lists.begins.end(), lists.begins.begin());
  ListFiller filler(dimension, std::move(lists));
  next = list_of_pending.begin();
  visit([&](std::int64_t id, const std::uint8_t* code, std::optional<std::size_t> list) {
    filler.add(list ? *list : *next++, id, code);
  });
  return filler.finish();
}

VectorIndexBuilder::VectorIndexBuilder(std::string model_id, std::size_t dimension)
    : impl_(std::make_unique<Impl>()) {
  CODEXMEM_CHECK(dimension > 0 && dimension <= kMaxDimension);
  impl_->model_id = std::move(model_id);
  impl_->dimension = dimension;
  impl_->base = std::make_shared<VectorBase>();
}

VectorIndexBuilder::VectorIndexBuilder(const VectorIndex& index) : impl_(std::make_unique<Impl>()) {
  const VectorIndex::State& state = *index.state_;
  impl_->model_id = state.model_id;
  impl_->dimension = state.dimension;
  impl_->base = state.base;
  impl_->removed = state.removed;
  impl_->pending = state.tail;
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

void VectorIndexBuilder::reserve(std::size_t count) {
  if (count <= impl_->size()) return;
  const std::size_t pending = impl_->pending.size() + count - impl_->size();
  impl_->pending.ids.reserve(pending);
  impl_->pending.codes.reserve(pending * impl_->dimension);
}

Result<void> VectorIndexBuilder::train(std::size_t least_components) {
  if (impl_->pending.size() != 0 || impl_->removed.size() != 0) impl_->base = impl_->fold();
  CODEXMEM_ASSIGN(impl_->base, divide_into_lists(impl_->base, impl_->dimension, least_components));
  return {};
}

std::size_t VectorIndexBuilder::size() const { return impl_->size(); }

std::shared_ptr<const VectorIndex> VectorIndexBuilder::freeze(std::uint64_t generation) && {
  const std::size_t tail =
      std::clamp(kTailBytes / impl_->dimension, kMinTailVectors, kMaxTailVectors);
  const bool fold = impl_->base->size() == 0 || impl_->pending.size() > tail ||
                    impl_->removed.size() * 4 > impl_->base->size();
  return finish(generation, fold);
}

std::shared_ptr<const VectorIndex> VectorIndexBuilder::finish(std::uint64_t generation, bool fold) {
  if (fold) {
    impl_->base = impl_->fold();
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
