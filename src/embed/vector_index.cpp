// A code c stands for low + (c + 0.5) / 255 x width (vector_codes.h), so
//
//   query . vector  =  (low + width / 510) sum_i query_i  +  sum_i (query_i width / 255) c_i
//
// The first sum is a constant of the query. The second has its weights rounded to 16 bits, and is
// then exact in integers: dot_codes(), 7 ns for 128 components with AVX2. FAISS's own search
// decodes each component to a float, and Debian builds it without AVX2: 130 ns. So FAISS encodes
// and decodes, and the scan is ours, tested against FAISS's.
//
// Tested by tests/embed/vector_index_test.cpp.
#include "embed/vector_index.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "embed/vector_codes.h"
#include "embed/vector_index_state.h"
#include "embed/vector_math.h"

namespace codexmem::embed {
namespace {

// Rows that are scanned between two looks at the results: their scores stay in the first cache.
constexpr std::size_t kBlockRows = 512;

// A query made ready for codes.
struct CodeQuery {
  explicit CodeQuery(std::span<const float> query) : weights(query.size()) {
    std::vector<double> exact(query.size());
    double greatest = 0;
    double sum = 0;
    double shift = 0;
    for (std::size_t i = 0; i < query.size(); ++i) {
      exact[i] = double{query[i]} * kCodeWidth / 255;
      shift += query[i] * (double{kCodeLow} + double{kCodeWidth} / 510);
      greatest = std::max(greatest, std::fabs(exact[i]));
      sum += std::fabs(exact[i]);
    }
    offset = static_cast<float>(shift);
    if (greatest == 0) return;
    // The greatest weight fits 16 bits, and no sum of products can pass 31: rounding adds at most
    // a half to each weight.
    const double room =
        std::numeric_limits<std::int32_t>::max() / 255.0 - 0.5 * static_cast<double>(query.size());
    const double factor = std::min(32767 / greatest, room / sum);
    for (std::size_t i = 0; i < query.size(); ++i) {
      weights[i] = static_cast<std::int16_t>(std::lround(exact[i] * factor));
    }
    unit = static_cast<float>(1 / factor);
  }

  float score(std::int32_t dot) const { return offset + unit * static_cast<float>(dot); }

  std::vector<std::int16_t> weights;
  float offset = 0;
  float unit = 0;
};

bool is_better(const VectorHit& a, const VectorHit& b) {
  return a.score != b.score ? a.score > b.score : a.id < b.id;
}

// The best k of the hits that are offered.
class BestHits {
 public:
  BestHits(std::size_t k, const IdFilter& filter) : k_(k), filter_(filter) {}

  // True when a hit with this score may be among the best.
  bool may_enter(float score) const { return hits_.size() < k_ || score >= hits_.front().score; }

  void offer(VectorHit hit) {
    if (hits_.size() == k_ && !is_better(hit, hits_.front())) return;
    if (filter_ && !filter_(hit.id)) return;
    if (hits_.size() == k_) {
      std::pop_heap(hits_.begin(), hits_.end(), is_better);
      hits_.pop_back();
    }
    hits_.push_back(hit);
    std::push_heap(hits_.begin(), hits_.end(), is_better);
  }

  std::vector<VectorHit> take() {
    std::sort_heap(hits_.begin(), hits_.end(), is_better);
    return std::move(hits_);
  }

 private:
  std::size_t k_;
  const IdFilter& filter_;
  std::vector<VectorHit> hits_;  // a heap, the worst in front
};

Result<void> check_query(std::span<const float> query, std::size_t dimension) {
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

// Calls f(row, score) for all rows, in order.
template <typename F>
void scan(const CodeQuery& query, const CodedVectors& vectors, F&& f) {
  std::int32_t dots[kBlockRows];
  for (std::size_t begin = 0; begin < vectors.size(); begin += kBlockRows) {
    const std::size_t rows = std::min(kBlockRows, vectors.size() - begin);
    dot_codes(vectors.codes.data() + begin * query.weights.size(), rows, query.weights, dots);
    for (std::size_t i = 0; i < rows; ++i) f(begin + i, query.score(dots[i]));
  }
}

}  // namespace

VectorIndex::VectorIndex(std::unique_ptr<const State> state) : state_(std::move(state)) {}
VectorIndex::~VectorIndex() = default;

const std::string& VectorIndex::model_id() const { return state_->model_id; }
std::size_t VectorIndex::dimension() const { return state_->dimension; }
std::uint64_t VectorIndex::generation() const { return state_->generation; }

std::size_t VectorIndex::size() const {
  return state_->base->size() - state_->removed.size() + state_->tail.ids.size();
}

std::int64_t VectorIndex::max_id() const {
  std::int64_t max = state_->tail.ids.empty() ? 0 : state_->tail.ids.back();
  for (std::size_t row = state_->base->size(); row-- > 0;) {
    if (state_->removed.contains(row)) continue;
    max = std::max(max, state_->base->ids[row]);
    break;
  }
  return max;
}

bool VectorIndex::contains(std::int64_t id) const {
  return state_->find_base_row(id).has_value() || find_sorted(state_->tail.ids, id).has_value();
}

std::vector<std::int64_t> VectorIndex::ids() const {
  std::vector<std::int64_t> ids;
  ids.reserve(size());
  for (std::size_t row = 0; row < state_->base->size(); ++row) {
    if (!state_->removed.contains(row)) ids.push_back(state_->base->ids[row]);
  }
  const auto middle = static_cast<std::ptrdiff_t>(ids.size());
  ids.insert(ids.end(), state_->tail.ids.begin(), state_->tail.ids.end());
  std::inplace_merge(ids.begin(), ids.begin() + middle, ids.end());
  return ids;
}

Result<std::vector<VectorHit>> VectorIndex::search(std::span<const float> query, std::size_t k,
                                                   const IdFilter& filter) const {
  CODEXMEM_TRY(check_query(query, dimension()));
  if (k == 0) return std::vector<VectorHit>();
  const CodeQuery ready(query);
  BestHits best(k, filter);
  scan(ready, *state_->base, [&](std::size_t row, float score) {
    if (!best.may_enter(score) || state_->removed.contains(row)) return;
    best.offer({state_->base->ids[row], score});
  });
  scan(ready, state_->tail, [&](std::size_t row, float score) {
    best.offer({state_->tail.ids[row], score});
  });
  return best.take();
}

Result<std::vector<VectorHit>> VectorIndex::score_all(std::span<const float> query) const {
  CODEXMEM_TRY(check_query(query, dimension()));
  const CodeQuery ready(query);
  std::vector<VectorHit> hits;
  hits.reserve(size());
  scan(ready, *state_->base, [&](std::size_t row, float score) {
    if (!state_->removed.contains(row)) hits.push_back({state_->base->ids[row], score});
  });
  const auto middle = static_cast<std::ptrdiff_t>(hits.size());
  scan(ready, state_->tail, [&](std::size_t row, float score) {
    hits.push_back({state_->tail.ids[row], score});
  });
  std::inplace_merge(hits.begin(), hits.begin() + middle, hits.end(),
                     [](const VectorHit& a, const VectorHit& b) { return a.id < b.id; });
  return hits;
}

Result<std::vector<VectorHit>> VectorIndex::score_ids(std::span<const float> query,
                                                      std::span<const std::int64_t> ids) const {
  CODEXMEM_TRY(check_query(query, dimension()));
  const CodeQuery ready(query);
  std::vector<VectorHit> hits;
  const auto add = [&](std::int64_t id, const CodedVectors& vectors, std::size_t row) {
    std::int32_t dot = 0;
    dot_codes(vectors.codes.data() + row * dimension(), 1, ready.weights, &dot);
    hits.push_back({id, ready.score(dot)});
  };
  for (const std::int64_t id : ids) {
    if (const auto row = state_->find_base_row(id)) {
      add(id, *state_->base, *row);
    } else if (const auto tail = find_sorted(state_->tail.ids, id)) {
      add(id, state_->tail, *tail);
    }
  }
  return hits;
}

}  // namespace codexmem::embed
