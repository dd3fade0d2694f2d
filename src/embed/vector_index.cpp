// A search goes through the lists in the order of their centroids' nearness, and ends when some
// lists in a row (VectorLists::patience) contained none of the k best. A fixed number of lists
// costs half as much again for the same recall: queries differ, and a query with late results has
// more of them. A filter extends the patience according to the share of vectors that pass, because
// passing vectors may be in other lists than the rest, and a small share predicts less: if only a
// fifth passes, all rows are scanned, as without lists.
//
// Tested by tests/embed/vector_index_test.cpp and vector_lists_test.cpp.
#include "embed/vector_index.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "embed/faiss_layout.h"
#include "embed/vector_index_state.h"
#include "embed/vector_lists.h"
#include "embed/vector_scan.h"

namespace codexmem::embed {
namespace {

// Scoring one id, found by binary search, costs as much as scanning this many components.
constexpr std::size_t kComponentsALookUp = 16384;
constexpr std::size_t kTriedIds = 256;  // used to estimate the share that passes a filter

Result<void> check_query(std::span<const float> query, std::size_t dimension, bool is_whole) {
  if (!is_whole) {
    return Error{ErrorCode::kIo, "vector search: the index's file was cut by another program"};
  }
  if (query.size() != dimension) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("vector search: the query has {} components, the index {}",
                             query.size(), dimension)};
  }
  if (!std::all_of(query.begin(), query.end(), is_usable_component)) {
    return Error{ErrorCode::kInvalidArgument, "vector search: a component is not finite, or huge"};
  }
  return {};
}

// The share of ids in `base` that pass.
double passing_share(const IdFilter& filter, const VectorBase& base) {
  const std::size_t tried = std::min(kTriedIds, base.size());
  std::size_t passed = 0;
  for (std::size_t i = 0; i < tried; ++i) {
    passed += filter.passes(base.id_at(i * base.size() / tried)) ? 1U : 0U;
  }
  return tried == 0 ? 0 : static_cast<double>(passed) / static_cast<double>(tried);
}

}  // namespace

IdFilter IdFilter::only(std::vector<std::int64_t> ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  auto set = std::make_shared<Set>();
  if (!ids.empty()) {
    const auto span =
        static_cast<std::uint64_t>(ids.back()) - static_cast<std::uint64_t>(ids.front());
    if (span / 64 <= ids.size()) {
      set->bits.resize(span / 64 + 1);
      for (const std::int64_t id : ids) {
        const std::uint64_t at =
            static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(ids.front());
        set->bits[at / 64] |= std::uint64_t{1} << (at % 64);
      }
    }
  }
  set->ids = std::move(ids);
  IdFilter filter;
  filter.set_ = std::move(set);
  return filter;
}

bool IdFilter::Set::contains(std::int64_t id) const {
  if (bits.empty()) return std::binary_search(ids.begin(), ids.end(), id);
  const std::uint64_t at = static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(ids.front());
  return id >= ids.front() && at / 64 < bits.size() && (bits[at / 64] >> (at % 64) & 1U) != 0;
}

VectorIndex::VectorIndex(std::unique_ptr<const State> state) : state_(std::move(state)) {}
VectorIndex::~VectorIndex() = default;

const std::string& VectorIndex::model_id() const { return state_->model_id; }
std::size_t VectorIndex::dimension() const { return state_->dimension; }
std::uint64_t VectorIndex::generation() const { return state_->generation; }

std::size_t VectorIndex::size() const {
  return state_->base->size() - state_->removed.size() + state_->tail.ids.size();
}

bool VectorIndex::contains(std::int64_t id) const {
  return state_->find_base_row(id).has_value() || find_sorted(state_->tail.ids, id).has_value();
}

std::vector<std::int64_t> VectorIndex::ids() const {
  std::vector<std::int64_t> ids;
  ids.reserve(size());
  for (std::size_t rank = 0; rank < state_->base->size(); ++rank) {
    const std::size_t row = state_->base->row_at(rank);
    if (!state_->removed.contains(row)) ids.push_back(state_->base->id_of(row));
  }
  const auto middle = static_cast<std::ptrdiff_t>(ids.size());
  ids.insert(ids.end(), state_->tail.ids.begin(), state_->tail.ids.end());
  std::inplace_merge(ids.begin(), ids.begin() + middle, ids.end());
  return ids;
}

std::size_t VectorIndex::list_count() const { return state_->base->lists.count(); }

bool VectorIndex::is_whole() const {
  return state_->base->file == nullptr || state_->base->file->file.is_whole();
}

VectorIndex::Kind VectorIndex::kind() const { return {size(), dimension(), list_count()}; }

std::string VectorIndex::Kind::type() const {
  return lists == 0 ? "IDMap,SQ8 (flat, inner product)"
                    : fmt::format("IVF{},SQ8 (inner product)", lists);
}

bool VectorIndex::wants_training(std::size_t least_components) const {
  return lists_are_due(state_->base->lists, size(), dimension(), least_components);
}

Result<std::vector<VectorHit>> VectorIndex::search(std::span<const float> query, std::size_t k,
                                                   const IdFilter& filter) const {
  CODEXMEM_TRY(check_query(query, dimension(), is_whole()));
  if (k == 0) return std::vector<VectorHit>();
  if (const auto* ids = filter.ids();
      ids != nullptr && ids->size() < size() * dimension() / kComponentsALookUp) {
    CODEXMEM_ASSIGN(std::vector<VectorHit> hits, score_ids(query, *ids));
    const std::size_t kept = std::min(k, hits.size());
    std::partial_sort(hits.begin(), hits.begin() + static_cast<std::ptrdiff_t>(kept), hits.end(),
                      is_better);
    hits.resize(kept);
    return hits;
  }
  const CodeQuery ready(query);
  const VectorBase& base = *state_->base;
  BestHits best(k, filter);
  const auto probe = [&](std::size_t part) {
    bool is_new = false;
    const std::size_t first = base.first_row(part);
    const VectorRows& rows = base.parts[part];
    scan(ready, rows, [&](std::size_t row, float score) {
      if (!best.may_enter(score) || state_->removed.contains(first + row)) return;
      is_new |= best.offer({rows.id(row), score});
    });
    return is_new;
  };
  const VectorLists& lists = base.lists;
  double patience = lists.patience;
  if (!filter.is_all()) patience /= std::max(passing_share(filter, base), 1e-6);
  if (patience >= static_cast<double>(lists.count())) {
    for (std::size_t part = 0; part < base.parts.size(); ++part) probe(part);
  } else {
    std::size_t in_vain = 0;
    for (const std::uint32_t list : nearest_lists(ready, lists)) {
      in_vain = probe(list) ? 0 : in_vain + 1;
      if (best.is_full() && static_cast<double>(in_vain) >= patience) break;
    }
  }
  scan(ready, VectorRows(state_->tail), [&](std::size_t row, float score) {
    if (best.may_enter(score)) best.offer({state_->tail.ids[row], score});
  });
  return best.take();
}

Result<std::vector<VectorHit>> VectorIndex::score_all(std::span<const float> query) const {
  CODEXMEM_TRY(check_query(query, dimension(), is_whole()));
  const CodeQuery ready(query);
  const VectorBase& base = *state_->base;
  std::vector<VectorHit> hits;
  hits.reserve(size());
  if (base.lists.count() == 0 && base.size() != 0) {
    const RowSet& removed = state_->removed;
    append_hits(
        ready, base.parts.front(), [&](std::size_t row) { return !removed.contains(row); }, &hits);
  } else {
    std::vector<float> scores(base.size());
    for (std::size_t part = 0; part < base.parts.size(); ++part) {
      float* const first = scores.data() + base.first_row(part);
      scan(ready, base.parts[part], [&](std::size_t row, float score) { first[row] = score; });
    }
    for (const std::uint32_t row : base.lists.by_id) {
      if (!state_->removed.contains(row)) hits.push_back({base.id_of(row), scores[row]});
    }
  }
  const auto middle = static_cast<std::ptrdiff_t>(hits.size());
  scan(ready, VectorRows(state_->tail), [&](std::size_t row, float score) {
    hits.push_back({state_->tail.ids[row], score});
  });
  std::inplace_merge(hits.begin(), hits.begin() + middle, hits.end(),
                     [](const VectorHit& a, const VectorHit& b) { return a.id < b.id; });
  return hits;
}

Result<std::vector<VectorHit>> VectorIndex::score_near(std::span<const float> query,
                                                       std::size_t at_least) const {
  CODEXMEM_TRY(check_query(query, dimension(), is_whole()));
  if (list_count() == 0 || at_least >= size()) return score_all(query);
  const CodeQuery ready(query);
  const VectorBase& base = *state_->base;
  std::vector<VectorHit> hits;
  hits.reserve(at_least + at_least / 8);
  scan(ready, VectorRows(state_->tail), [&](std::size_t row, float score) {
    hits.push_back({state_->tail.ids[row], score});
  });
  for (const std::uint32_t list : nearest_lists(ready, base.lists)) {
    if (hits.size() >= at_least) break;
    const std::size_t first = base.first_row(list);
    append_hits(
        ready, base.parts[list],
        [&](std::size_t row) { return !state_->removed.contains(first + row); }, &hits);
  }
  return hits;
}

Result<std::vector<VectorHit>> VectorIndex::score_ids(std::span<const float> query,
                                                      std::span<const std::int64_t> ids) const {
  CODEXMEM_TRY(check_query(query, dimension(), is_whole()));
  const CodeQuery ready(query);
  const VectorBase& base = *state_->base;
  std::vector<VectorHit> hits;
  const auto add = [&](std::int64_t id, const std::uint8_t* code) {
    std::int32_t dot = 0;
    dot_codes(code, 1, ready.weights, &dot);
    hits.push_back({id, ready.score(dot)});
  };
  std::size_t next = base.size();  // the rank after the last one: ids are often consecutive
  for (const std::int64_t id : ids) {
    const std::size_t rank =
        next < base.size() && base.id_at(next) == id ? next : base.lower_rank(id);
    next = rank + 1;
    if (rank < base.size() && base.id_at(rank) == id &&
        !state_->removed.contains(base.row_at(rank))) {
      add(id, base.code_of(base.row_at(rank), dimension()));
    } else if (const auto tail = find_sorted(state_->tail.ids, id)) {
      add(id, state_->tail.codes.data() + *tail * dimension());
    }
  }
  return hits;
}

}  // namespace codexmem::embed
