// embed/vector_scan.h - scores coded vectors for a query. Only for vector_*.cpp.
//
// A code c means low + (c + 0.5) / 255 x width (vector_codes.h), so
//
//   query . vector  =  (low + width / 510) sum_i query_i  +  sum_i (query_i width / 255) c_i
//
// The first sum is a constant of the query. The second has its weights rounded to 16 bits and is
// then exact in integers: dot_codes(), 7 ns for 128 components with AVX2. FAISS's own search
// decodes each component to a float, and Debian builds it without AVX2: 130 ns. So FAISS encodes
// and decodes, and the scan is ours, tested against FAISS.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "embed/vector_codes.h"
#include "embed/vector_index_state.h"
#include "embed/vector_math.h"

namespace codexmem::embed {

// Rows scanned between two checks of the results: their scores stay in the L1 cache.
constexpr std::size_t kBlockRows = 512;

// A query prepared for codes.
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
    // The largest weight fits 16 bits, and sums of products fit 31: rounding adds at most a half to
    // each weight.
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

inline bool is_better(const VectorHit& a, const VectorHit& b) {
  return a.score != b.score ? a.score > b.score : a.id < b.id;
}

// The best k of the offered hits.
class BestHits {
 public:
  BestHits(std::size_t k, const IdFilter& filter) : k_(k), filter_(filter) {}

  // True if a hit with this score may be among the best.
  bool may_enter(float score) const { return hits_.size() < k_ || score >= hits_.front().score; }

  // True if the hit is now among the best.
  bool offer(VectorHit hit) {
    if (hits_.size() == k_ && !is_better(hit, hits_.front())) return false;
    if (!filter_.passes(hit.id)) return false;
    if (hits_.size() == k_) {
      std::pop_heap(hits_.begin(), hits_.end(), is_better);
      hits_.pop_back();
    }
    hits_.push_back(hit);
    std::push_heap(hits_.begin(), hits_.end(), is_better);
    return true;
  }

  bool is_full() const { return hits_.size() == k_; }

  std::vector<VectorHit> take() {
    std::sort_heap(hits_.begin(), hits_.end(), is_better);
    return std::move(hits_);
  }

 private:
  std::size_t k_;
  const IdFilter& filter_;
  std::vector<VectorHit> hits_;  // a heap, the worst in front
};

// Calls f(row, score) for all rows, in order.
template <typename F>
void scan(const CodeQuery& query, const VectorRows& rows, F&& f) {
  std::int32_t dots[kBlockRows];
  for (std::size_t begin = 0; begin < rows.size(); begin += kBlockRows) {
    const std::size_t count = std::min(kBlockRows, rows.size() - begin);
    dot_codes(rows.codes() + begin * query.weights.size(), count, query.weights, dots);
    for (std::size_t i = 0; i < count; ++i) f(begin + i, query.score(dots[i]));
  }
}

// Appends to `hits` the scores of the rows for which wants(row) is true, in order. It works in
// blocks, because a push_back for each row takes as long as scoring it.
template <typename F>
void append_hits(const CodeQuery& query, const VectorRows rows, F&& wants,
                 std::vector<VectorHit>* hits) {
  std::int32_t dots[kBlockRows];
  VectorHit block[kBlockRows];
  for (std::size_t begin = 0; begin < rows.size(); begin += kBlockRows) {
    const std::size_t count = std::min(kBlockRows, rows.size() - begin);
    dot_codes(rows.codes() + begin * query.weights.size(), count, query.weights, dots);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
      block[kept] = {rows.id(begin + i), query.score(dots[i])};
      kept += wants(begin + i) ? 1U : 0U;
    }
    hits->insert(hits->end(), block, block + kept);
  }
}

// The lists by nearness of their centroids to the query, ties by smaller number.
inline std::vector<std::uint32_t> nearest_lists(const CodeQuery& query, const VectorLists& lists) {
  std::vector<std::int32_t> dots(lists.count());
  dot_codes(lists.centroids.data(), dots.size(), query.weights, dots.data());
  std::vector<std::uint32_t> order(lists.count());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return dots[a] != dots[b] ? dots[a] > dots[b] : a < b;
  });
  return order;
}

}  // namespace codexmem::embed
