// The lists form an inverted file (IVF): k-means centroids, and each vector in the list of its
// nearest centroid. There are as many lists as vectors per list, so finding the nearest lists is
// cheap compared with scanning them.
//
// How long a search may continue without a new result is measured: the nearest ten for some queries
// are found by scanning every list, and then the smallest patience that keeps kRecall of them is
// chosen. A stored vector, or one near it, is too easy as a query: it and its neighbours were
// assigned to the same lists. Sums of four stored vectors with random signs are as hard as real
// queries, and harder than most, both on sources and on their commits' subjects. If the patience
// saves less than half of the work, every list is always scanned, which is exact again.
//
// Tested by tests/embed/vector_lists_test.cpp; bench/vectors.md has the measurements.
#include "embed/vector_lists.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

#include "embed/faiss_index.h"
#include "embed/vector_clusters.h"
#include "embed/vector_scan.h"

namespace codexmem::embed {
namespace {

constexpr std::size_t kSampledOfAList = 50;
constexpr double kGrowth = 2;      // of size or of imbalance, after which lists are made again
constexpr double kMinFit = 0.9;  // of added vectors, relative to the fit at training
constexpr std::uint64_t kAddedShare = 8;  // an eighth of the vectors suffices to show the current
                                          // distribution

constexpr std::size_t kQueries = 300;
constexpr int kSummands = 4;  // number of vectors that form a query
constexpr std::size_t kNearest = 10;
constexpr double kRecall = 0.992;  // for these queries; it gives 0.98 for real ones
constexpr double kMaxWork = 0.5;

// Sum of the squares of the lists' sizes x lists / rows squared: 1 if all are equal.
double imbalance(double squares, std::size_t lists, std::size_t rows) {
  const auto n = static_cast<double>(rows);
  return n == 0 ? 1 : squares * static_cast<double>(lists) / (n * n);
}

std::uint64_t sum_of_squares(const std::vector<std::uint32_t>& begins) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
    const std::uint64_t size = begins[i + 1] - begins[i];
    sum += size * size;
  }
  return sum;
}

// A copy of the rows of `base` in the order of ids.
std::shared_ptr<const VectorBase> in_order(const VectorBase& base, std::size_t dimension) {
  CodedVectors rows;
  rows.ids.reserve(base.size());
  rows.codes.reserve(base.size() * dimension);
  for (std::size_t rank = 0; rank < base.size(); ++rank) {
    const std::size_t row = base.row_at(rank);
    const std::uint8_t* const code = base.code_of(row, dimension);
    rows.ids.push_back(base.id_of(row));
    rows.codes.insert(rows.codes.end(), code, code + dimension);
  }
  return make_base(dimension, std::move(rows));
}

// Rows at regular distances in the order of ids, so that every file is represented.
std::vector<std::uint8_t> sample(const VectorBase& base, std::size_t dimension, std::size_t count) {
  std::vector<std::uint8_t> codes(count * dimension);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = base.row_at(i * base.size() / count);
    std::copy_n(base.code_of(row, dimension), dimension, codes.data() + i * dimension);
  }
  return codes;
}

std::vector<float> make_query(const VectorBase& base, std::size_t dimension,
                              std::mt19937_64* random) {
  std::vector<float> query(dimension);
  for (int i = 0; i < kSummands; ++i) {
    const std::uint64_t bits = (*random)();
    const float sign = (bits & 1U) != 0 ? 1.0F : -1.0F;
    const std::uint8_t* const code = base.code_of((bits >> 1U) % base.size(), dimension);
    for (std::size_t k = 0; k < dimension; ++k) {
      query[k] += sign * (static_cast<float>(code[k]) - kZeroCode);
    }
  }
  normalize(query);
  return query;
}

// The log of a search through every list, nearest first.
struct Trial {
  std::vector<std::uint32_t> news;   // the places of lists with new results, from 1
  std::vector<std::uint32_t> found;  // the places of lists that contain the nearest
  std::size_t full_at = 0;           // the place at which kNearest were found
  std::vector<std::uint32_t> rows;   // rows scanned, by place

  // The place at which a search with this patience ends.
  std::size_t end(std::size_t patience) const {
    std::size_t last = 0;
    for (const std::uint32_t place : news) {
      if (last >= full_at && place > last + patience) break;
      last = place;
    }
    return std::min(last + patience, rows.size() - 1);
  }
};

Trial try_query(const VectorBase& base, std::span<const float> query) {
  const CodeQuery ready(query);
  const IdFilter all;
  BestHits best(kNearest, all);
  std::vector<std::pair<std::int64_t, std::uint32_t>>
      places;  // of every id that was among the best
  Trial trial;
  trial.rows.push_back(0);
  for (const std::uint32_t list : nearest_lists(ready, base.lists)) {
    const VectorRows& rows = base.parts[list];
    const auto place = static_cast<std::uint32_t>(trial.rows.size());
    trial.rows.push_back(trial.rows.back() + static_cast<std::uint32_t>(rows.size()));
    const bool was_full = best.is_full();
    const std::size_t before = places.size();
    scan(ready, rows, [&](std::size_t row, float score) {
      if (!best.may_enter(score)) return;
      const std::int64_t id = rows.id(row);
      if (best.offer({id, score})) places.emplace_back(id, place);
    });
    if (places.size() != before) trial.news.push_back(place);
    if (!was_full && best.is_full()) trial.full_at = place;
  }
  for (const VectorHit& hit : best.take()) {
    const auto at = std::find_if(places.begin(), places.end(),
                                 [&](const auto& entry) { return entry.first == hit.id; });
    trial.found.push_back(at->second);
  }
  return trial;
}

// The number of lists, nearest first, that contain kRecall of the results.
std::uint32_t find_probes(const std::vector<Trial>& trials) {
  std::vector<std::uint32_t> places;
  for (const Trial& trial : trials) {
    places.insert(places.end(), trial.found.begin(), trial.found.end());
  }
  std::sort(places.begin(), places.end());
  const auto wanted =
      static_cast<std::size_t>(std::ceil(kRecall * static_cast<double>(places.size())));
  return places[std::max<std::size_t>(wanted, 1) - 1];
}

// Sets the patience, and the number of probes with which FAISS finds as much.
void measure_lists(VectorBase* base, std::size_t dimension) {
  std::mt19937_64 random(1);  // NOLINT(cert-msc51-cpp): the same each time
  std::vector<Trial> trials;
  for (std::size_t q = 0; q < kQueries; ++q) {
    trials.push_back(try_query(*base, make_query(*base, dimension, &random)));
  }
  const auto recall = [&](std::size_t patience) {
    std::size_t found = 0, all = 0;
    for (const Trial& trial : trials) {
      const std::size_t end = trial.end(patience);
      all += trial.found.size();
      for (const std::uint32_t place : trial.found) found += place <= end ? 1U : 0U;
    }
    return static_cast<double>(found) / static_cast<double>(std::max<std::size_t>(all, 1));
  };
  const auto work = [&](std::size_t patience) {
    double rows = 0;
    for (const Trial& trial : trials) rows += trial.rows[trial.end(patience)];
    return rows / static_cast<double>(kQueries * base->size());
  };
  const std::size_t lists = base->lists.count();
  std::size_t low = 1;
  for (std::size_t high = lists; low < high;) {
    const std::size_t middle = low + (high - low) / 2;
    if (recall(middle) < kRecall) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const bool saves = work(low) <= kMaxWork;
  base->lists.patience = static_cast<std::uint32_t>(saves ? low : lists);
  base->lists.probes = find_probes(trials);
  base->memory->set_probes(base->lists.probes);
}

}  // namespace

bool lists_are_due(const VectorLists& lists, std::size_t size, std::size_t dimension,
                   std::size_t least_components) {
  if (lists.count() == 0) return size * dimension >= least_components;
  if (size * dimension < least_components / 2) return true;
  const auto now = static_cast<double>(size);
  const auto then = static_cast<double>(lists.trained.rows);
  if (now > kGrowth * then || kGrowth * now < then) return true;
  if (lists.added.rows < lists.trained.rows / kAddedShare) return false;
  return lists.added.mean() < kMinFit * lists.trained.mean() ||
         imbalance(static_cast<double>(sum_of_squares(lists.begins)), lists.count(),
                   lists.begins.back()) >
             kGrowth * imbalance(static_cast<double>(lists.trained_squares), lists.count(),
                                 lists.trained.rows);
}

Result<std::shared_ptr<const VectorBase>> divide_into_lists(
    const std::shared_ptr<const VectorBase>& base, std::size_t dimension,
    std::size_t least_components) {
  const std::size_t rows = base->size();
  if (rows == 0 || rows * dimension < least_components ||
      rows > std::numeric_limits<std::uint32_t>::max()) {
    return base->lists.count() == 0 ? base : in_order(*base, dimension);
  }
  const std::size_t count = std::clamp<std::size_t>(
      static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(rows)))), 1, kMaxLists);
  VectorLists lists;
  CODEXMEM_ASSIGN(lists.centroids,
                  find_centroids(sample(*base, dimension, std::min(rows, count * kSampledOfAList)),
                                 dimension, count));

  std::vector<std::uint16_t> list_of(rows);  // by rank
  lists.begins.assign(count + 1, 0);
  NearestCentroid nearest(lists.centroids, dimension);
  for (std::size_t rank = 0; rank < rows; ++rank) {
    const Nearest found = nearest.find(base->code_of(base->row_at(rank), dimension));
    list_of[rank] = static_cast<std::uint16_t>(found.centroid);
    lists.trained.sum += found.fit;
    ++lists.begins[found.centroid + 1];
  }
  std::partial_sum(lists.begins.begin(), lists.begins.end(), lists.begins.begin());
  lists.trained.rows = rows;
  lists.trained_squares = sum_of_squares(lists.begins);
  lists.probes = 1;

  ListFiller filler(dimension, std::move(lists));
  for (std::size_t rank = 0; rank < rows; ++rank) {
    const std::size_t row = base->row_at(rank);
    filler.add(list_of[rank], base->id_of(row), base->code_of(row, dimension));
  }
  const std::shared_ptr<VectorBase> divided = filler.finish();
  measure_lists(divided.get(), dimension);
  return std::shared_ptr<const VectorBase>(divided);
}

ListFiller::ListFiller(std::size_t dimension, VectorLists lists)
    : dimension_(dimension), lists_(std::move(lists)), rows_(lists_.count()) {
  for (std::size_t list = 0; list < rows_.size(); ++list) {
    const std::size_t size = lists_.begins[list + 1] - lists_.begins[list];
    rows_[list].ids.reserve(size);
    rows_[list].codes.reserve(size * dimension);
  }
  lists_.by_id.clear();
  lists_.by_id.reserve(lists_.begins.back());
}

void ListFiller::add(std::size_t list, std::int64_t id, const std::uint8_t* code) {
  CodedVectors& rows = rows_[list];
  lists_.by_id.push_back(lists_.begins[list] + static_cast<std::uint32_t>(rows.size()));
  rows.ids.push_back(id);
  rows.codes.insert(rows.codes.end(), code, code + dimension_);
}

std::shared_ptr<VectorBase> ListFiller::finish() {
  return make_base(dimension_, std::move(lists_), std::move(rows_));
}

}  // namespace codexmem::embed
