// Tested by search/vectors_test.cpp.
#include "search/vectors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <unordered_set>

namespace codexmem::search {
namespace {

static_assert(std::endian::native == std::endian::little, "stored vectors are little-endian");

constexpr float kScale = 127;

std::int8_t quantize(float component) {
  const float clamped = std::clamp(component, -1.0F, 1.0F);
  return static_cast<std::int8_t>(std::lround(clamped * kScale));
}

// The compiler makes one version for AVX2 and one for the baseline, and the processor chooses.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
__attribute__((target_clones("avx2", "default"), optimize("O3")))
#endif
std::int32_t
int8_product(const std::int8_t* a, const std::int8_t* b, std::size_t size) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    sum += static_cast<std::int16_t>(a[i]) * static_cast<std::int16_t>(b[i]);
  }
  return sum;
}

}  // namespace

Result<std::shared_ptr<const Vectors>> Vectors::build(store::CodeReader& reader,
                                                      const store::CodeReader::Model& model,
                                                      const Vectors* previous,
                                                      std::int64_t previous_generation) {
  if (previous != nullptr && previous->dimension_ != model.dimension) previous = nullptr;
  auto vectors = std::make_shared<Vectors>(model.dimension);
  if (previous == nullptr) {
    CODEXMEM_TRY(reader.visit_vectors(
        0, [&](store::ChunkId id, store::ModelId owner, std::string_view bytes) {
          if (owner == model.id) vectors->add(id, bytes);
          return true;
        }));
    return std::shared_ptr<const Vectors>(std::move(vectors));
  }

  CODEXMEM_ASSIGN(const auto rewritten, reader.list_files_since(previous_generation));
  CODEXMEM_ASSIGN(const auto files, reader.list_files());
  std::unordered_set<std::int64_t> unchanged;
  for (const store::FileRow& file : files) unchanged.insert(static_cast<std::int64_t>(file.id));
  for (const store::FileId id : rewritten) unchanged.erase(static_cast<std::int64_t>(id));

  // Both are ascending by id: a merge.
  std::size_t old = 0;
  const auto keep_old_below = [&](std::int64_t bound) {
    for (; old < previous->size() && static_cast<std::int64_t>(previous->ids_[old]) < bound;
         ++old) {
      const store::ChunkId id = previous->ids_[old];
      if (unchanged.contains(static_cast<std::int64_t>(store::file_of(id)))) {
        vectors->add(id, previous->row(old));
      }
    }
  };
  CODEXMEM_TRY(reader.visit_vectors(
      previous_generation, [&](store::ChunkId id, store::ModelId owner, std::string_view bytes) {
        keep_old_below(static_cast<std::int64_t>(id));
        if (owner == model.id) vectors->add(id, bytes);
        return true;
      }));
  keep_old_below(std::numeric_limits<std::int64_t>::max());
  return std::shared_ptr<const Vectors>(std::move(vectors));
}

void Vectors::add(store::ChunkId id, std::string_view bytes) {
  if (bytes.size() != dimension_ * sizeof(float)) return;
  ids_.push_back(id);
  for (std::size_t i = 0; i < dimension_; ++i) {
    float component = 0;
    std::memcpy(&component, bytes.data() + i * sizeof(float), sizeof(float));
    rows_.push_back(std::isfinite(component) ? quantize(component) : std::int8_t{0});
  }
}

void Vectors::add(store::ChunkId id, std::span<const std::int8_t> row) {
  ids_.push_back(id);
  rows_.insert(rows_.end(), row.begin(), row.end());
}

std::vector<DenseScore> Vectors::scan(std::span<const float> query) const {
  std::vector<DenseScore> scores;
  if (query.size() != dimension_) return scores;
  std::vector<std::int8_t> packed;
  bool is_zero = true;
  for (const float component : query) {
    packed.push_back(quantize(component));
    is_zero = is_zero && packed.back() == 0;
  }
  if (is_zero) return scores;
  scores.reserve(size());
  for (std::size_t i = 0; i < size(); ++i) {
    const std::int32_t product =
        int8_product(packed.data(), rows_.data() + i * dimension_, dimension_);
    scores.push_back({ids_[i], static_cast<float>(product) / (kScale * kScale)});
  }
  return scores;
}

std::vector<float> Vectors::find(store::ChunkId id) const {
  const auto at = std::ranges::lower_bound(ids_, id);
  if (at == ids_.end() || *at != id) return {};
  std::vector<float> vector;
  for (const std::int8_t component : row(static_cast<std::size_t>(at - ids_.begin()))) {
    vector.push_back(static_cast<float>(component) / kScale);
  }
  return vector;
}

}  // namespace codexmem::search
