#include "embed/vector_codes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace codexmem::embed {
namespace {

// Vectors as remote models make them: of many components, but of a few dozen directions that
// differ; all lean to one side, so cosines are 0.5 +- 0.07; one component is much larger than the
// others.
std::vector<float> leaning_vectors(std::size_t count, std::size_t dimension, std::mt19937& random) {
  constexpr std::size_t kDirections = 48;
  std::normal_distribution<float> normal;
  std::vector<float> directions(kDirections * dimension), common(dimension);
  for (float& v : directions) v = normal(random);
  for (float& v : common) v = normal(random);
  std::vector<float> vectors(count * dimension);
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = std::span(vectors).subspan(i * dimension, dimension);
    for (std::size_t c = 0; c < dimension; ++c) row[c] = common[c] + 0.2F * normal(random);
    for (std::size_t d = 0; d < kDirections; ++d) {
      const float weight = normal(random) / std::sqrt(static_cast<float>(kDirections));
      for (std::size_t c = 0; c < dimension; ++c) {
        row[c] += weight * directions[d * dimension + c];
      }
    }
    row[7] = -20;
    const float length = std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0F));
    for (float& v : row) v /= length;
  }
  return vectors;
}

TEST(VectorCodes, KeepTheOrderOfVectorsOf1536Components) {
  constexpr std::size_t kDimension = 1536, kCount = 2000, kQueries = 20, kBest = 10;
  std::mt19937 random(5);
  const auto vectors = leaning_vectors(kCount + kQueries, kDimension, random);
  const std::size_t stored = kCount * kDimension;
  const auto codes = encode_vectors(std::span(vectors).first(stored), kDimension).value();
  const auto decoded = decode_vectors(codes, kDimension).value();
  std::size_t kept = 0;
  double worst = 0;
  for (std::size_t q = 0; q < kQueries; ++q) {
    const float* query = &vectors[stored + q * kDimension];
    const auto best = [&](const std::vector<float>& rows, std::vector<double>& scores) {
      std::vector<std::size_t> order(kCount);
      std::iota(order.begin(), order.end(), 0);
      for (std::size_t i = 0; i < kCount; ++i) {
        scores.push_back(std::inner_product(query, query + kDimension, &rows[i * kDimension], 0.0));
      }
      std::partial_sort(order.begin(), order.begin() + kBest, order.end(),
                        [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
      order.resize(kBest);
      std::sort(order.begin(), order.end());
      return order;
    };
    std::vector<double> exact, coded;
    const auto wanted = best(vectors, exact), found = best(decoded, coded);
    for (std::size_t i = 0; i < kCount; ++i) worst = std::max(worst, std::abs(exact[i] - coded[i]));
    std::vector<std::size_t> both;
    std::set_intersection(wanted.begin(), wanted.end(), found.begin(), found.end(),
                          std::back_inserter(both));
    kept += both.size();
  }
  const double recall = static_cast<double>(kept) / (kQueries * kBest);
  std::printf("recall@10 %.3f, greatest error of a score %.4f\n", recall, worst);
  EXPECT_GE(recall, 0.95);
  EXPECT_LT(worst, 0.01);
}

}  // namespace
}  // namespace codexmem::embed
