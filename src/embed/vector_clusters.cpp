// FAISS does the clustering (sampling of the first centroids, means, splitting of empty clusters)
// through its general index interface; the assignment, which is nearly all of the work, is our own
// scan of codes. With FAISS's flat index it would be a matrix product by the installed BLAS, with
// different bits on different machines, and threads that stay.
//
// Tested by tests/embed/vector_lists_test.cpp.
#include "embed/vector_clusters.h"

#include <faiss/Clustering.h>
#include <faiss/IndexScalarQuantizer.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

#include "embed/faiss_call.h"
#include "embed/vector_codes.h"
#include "embed/vector_math.h"

namespace codexmem::embed {
namespace {

constexpr float kStep = 1 / 200.0F;  // between two codes
constexpr int kIterations = 10;
constexpr int kSeed = 1234;
constexpr std::size_t kDecodedFloats = std::size_t{1} << 20;  // at a time

// The index of centroids for FAISS's clustering.
class CentroidIndex : public faiss::Index {
 public:
  explicit CentroidIndex(std::size_t dimension)
      : faiss::Index(static_cast<idx_t>(dimension), faiss::METRIC_INNER_PRODUCT) {}

  void reset() override {
    codes_.clear();
    ntotal = 0;
  }

  void add(idx_t count, const float* vectors) override {
    const auto dimension = static_cast<std::size_t>(d);
    const auto rows = static_cast<std::size_t>(count);
    for (const float v : std::span(vectors, rows * dimension)) codes_.push_back(code_of(v));
    ntotal += count;
  }

  void search(idx_t count, const float* vectors, idx_t k, float* scores, idx_t* labels,
              const faiss::SearchParameters* /*unused*/) const override {
    CODEXMEM_CHECK(k == 1);
    const auto dimension = static_cast<std::size_t>(d);
    NearestCentroid nearest(codes_, dimension);
    std::vector<std::uint8_t> row(dimension);
    for (idx_t i = 0; i < count; ++i, vectors += dimension) {
      std::transform(vectors, vectors + dimension, row.begin(), code_of);
      const Nearest found = nearest.find(row.data());
      labels[i] = found.centroid;
      scores[i] = static_cast<float>(found.fit);
    }
  }

  std::vector<std::uint8_t> take() { return std::move(codes_); }

 private:
  static std::uint8_t code_of(float component) {
    const long code = std::lround(component / kStep) + kZeroCode;
    return static_cast<std::uint8_t>(std::clamp(code, 0L, 255L));
  }

  std::vector<std::uint8_t> codes_;
};

}  // namespace

NearestCentroid::NearestCentroid(std::span<const std::uint8_t> centroids, std::size_t dimension)
    : centroids_(centroids), weights_(dimension), dots_(centroids.size() / dimension) {}

// The weights are the vector's codes minus the zero code, so the zero code in the centroids adds
// the same constant to every dot product. No sum exceeds 31 bits: 255 x 128 x 65536.
Nearest NearestCentroid::find(const std::uint8_t* code) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    weights_[i] = static_cast<std::int16_t>(code[i] - kZeroCode);
    sum += weights_[i];
  }
  dot_codes(centroids_.data(), dots_.size(), weights_, dots_.data());
  const auto best = std::max_element(dots_.begin(), dots_.end());
  return {static_cast<std::uint32_t>(best - dots_.begin()),
          static_cast<std::int32_t>(std::int64_t{*best} - std::int64_t{kZeroCode} * sum)};
}

Result<std::vector<std::uint8_t>> find_centroids(std::span<const std::uint8_t> codes,
                                                 std::size_t dimension, std::size_t count) {
  return call_faiss([&] {
    faiss::IndexScalarQuantizer codec(static_cast<int>(dimension),
                                      faiss::ScalarQuantizer::QT_8bit_uniform,
                                      faiss::METRIC_INNER_PRODUCT);
    codec.sq.trained = {kCodeLow, kCodeWidth};
    codec.is_trained = true;
    faiss::ClusteringParameters parameters;
    parameters.niter = kIterations;
    parameters.seed = kSeed;
    parameters.spherical = true;
    parameters.min_points_per_centroid = 1;  // no warning on standard error
    parameters.max_points_per_centroid = static_cast<int>(codes.size() / dimension);
    parameters.decode_block_size = std::max<std::size_t>(1, kDecodedFloats / dimension);
    faiss::Clustering clustering(static_cast<int>(dimension), static_cast<int>(count), parameters);
    CentroidIndex centroids(dimension);
    clustering.train_encoded(static_cast<faiss::Index::idx_t>(codes.size() / dimension),
                             codes.data(), &codec, centroids);
    return centroids.take();
  });
}

}  // namespace codexmem::embed
