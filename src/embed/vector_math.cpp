// Manual function multiversioning: target_clones uses an ifunc, which runs before a sanitizer is
// ready. The AVX2 versions are the same source, inlined into functions with another target; FMA
// stays off in them, so that results do not depend on the processor.
#include "embed/vector_math.h"

#include <cmath>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace codexmem::embed {
namespace {

[[gnu::always_inline]] inline void add_scaled_body(float* sum, const std::int8_t* row, float scale,
                                                   std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) sum[i] += scale * static_cast<float>(row[i]);
}

void add_scaled_plain(float* sum, const std::int8_t* row, float scale, std::size_t count) {
  add_scaled_body(sum, row, scale, count);
}

using AddScaled = void (*)(float*, const std::int8_t*, float, std::size_t);

[[maybe_unused]] void dot_codes_plain(const std::uint8_t* codes, std::size_t rows,
                                      std::span<const std::int16_t> weights, std::int32_t* out) {
  for (std::size_t row = 0; row < rows; ++row) {
    std::int32_t sum = 0;
    for (const std::int16_t weight : weights) sum += weight * *codes++;
    out[row] = sum;
  }
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void add_scaled_avx2(float* sum, const std::int8_t* row, float scale,
                                             std::size_t count) {
  add_scaled_body(sum, row, scale, count);
}
const AddScaled kAddScaled =
    __builtin_cpu_supports("avx2") != 0 ? add_scaled_avx2 : add_scaled_plain;

// Adds the products of the components from `begin` on, which do not fill a vector register.
std::int32_t dot_rest(const std::uint8_t* row, std::span<const std::int16_t> weights,
                      std::size_t begin) {
  std::int32_t sum = 0;
  for (std::size_t i = begin; i < weights.size(); ++i) sum += weights[i] * row[i];
  return sum;
}

const __m128i* vector_at(const std::uint8_t* bytes) {
  return reinterpret_cast<const __m128i*>(bytes);
}

// The bytes are widened to 16 bits, multiplied with the weights and added in pairs (pmaddwd).
void dot_codes_sse2(const std::uint8_t* codes, std::size_t rows,
                    std::span<const std::int16_t> weights, std::int32_t* out) {
  const std::size_t length = weights.size();
  const std::size_t whole = length / 16 * 16;
  const __m128i zero = _mm_setzero_si128();
  for (std::size_t row = 0; row < rows; ++row, codes += length) {
    __m128i sum = zero;
    for (std::size_t i = 0; i < whole; i += 16) {
      const auto* w = reinterpret_cast<const __m128i*>(weights.data() + i);
      const __m128i bytes = _mm_loadu_si128(vector_at(codes + i));
      const __m128i low = _mm_madd_epi16(_mm_unpacklo_epi8(bytes, zero), _mm_loadu_si128(w));
      const __m128i high = _mm_madd_epi16(_mm_unpackhi_epi8(bytes, zero), _mm_loadu_si128(w + 1));
      sum = _mm_add_epi32(sum, _mm_add_epi32(low, high));
    }
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4E));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xB1));
    out[row] = _mm_cvtsi128_si32(sum) + dot_rest(codes, weights, whole);
  }
}

// Four rows at once share the loads of the weights and the final sums across lanes.
[[gnu::target("avx2")]] void dot_codes_avx2(const std::uint8_t* codes, std::size_t rows,
                                            std::span<const std::int16_t> weights,
                                            std::int32_t* out) {
  const std::size_t length = weights.size();
  const std::size_t whole = length / 16 * 16;
  std::size_t row = 0;
  for (; row + 4 <= rows; row += 4, codes += 4 * length) {
    __m256i sum0 = _mm256_setzero_si256();
    __m256i sum1 = sum0;
    __m256i sum2 = sum0;
    __m256i sum3 = sum0;
    for (std::size_t i = 0; i < whole; i += 16) {
      const __m256i w = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(weights.data() + i));
      const std::uint8_t* at = codes + i;
      const __m256i c0 = _mm256_cvtepu8_epi16(_mm_loadu_si128(vector_at(at)));
      const __m256i c1 = _mm256_cvtepu8_epi16(_mm_loadu_si128(vector_at(at + length)));
      const __m256i c2 = _mm256_cvtepu8_epi16(_mm_loadu_si128(vector_at(at + 2 * length)));
      const __m256i c3 = _mm256_cvtepu8_epi16(_mm_loadu_si128(vector_at(at + 3 * length)));
      sum0 = _mm256_add_epi32(sum0, _mm256_madd_epi16(c0, w));
      sum1 = _mm256_add_epi32(sum1, _mm256_madd_epi16(c1, w));
      sum2 = _mm256_add_epi32(sum2, _mm256_madd_epi16(c2, w));
      sum3 = _mm256_add_epi32(sum3, _mm256_madd_epi16(c3, w));
    }
    const __m256i pairs =
        _mm256_hadd_epi32(_mm256_hadd_epi32(sum0, sum1), _mm256_hadd_epi32(sum2, sum3));
    _mm_storeu_si128(
        reinterpret_cast<__m128i*>(out + row),
        _mm_add_epi32(_mm256_castsi256_si128(pairs), _mm256_extracti128_si256(pairs, 1)));
    for (std::size_t r = 0; whole < length && r < 4; ++r) {
      out[row + r] += dot_rest(codes + r * length, weights, whole);
    }
  }
  dot_codes_sse2(codes, rows - row, weights, out + row);
}

using DotCodes = void (*)(const std::uint8_t*, std::size_t, std::span<const std::int16_t>,
                          std::int32_t*);
const DotCodes kDotCodes = __builtin_cpu_supports("avx2") != 0 ? dot_codes_avx2 : dot_codes_sse2;
#else
const AddScaled kAddScaled = add_scaled_plain;
const auto kDotCodes = dot_codes_plain;
#endif

}  // namespace

void add_scaled(std::span<float> sum, const std::int8_t* row, float scale) {
  kAddScaled(sum.data(), row, scale, sum.size());
}

void dot_codes(const std::uint8_t* codes, std::size_t rows, std::span<const std::int16_t> weights,
               std::int32_t* out) {
  kDotCodes(codes, rows, weights, out);
}

float inner_product(std::span<const float> a, std::span<const float> b) {
  // Eight independent sums, because the compiler may not reorder a single one.
  constexpr std::size_t kLanes = 8;
  float lanes[kLanes] = {};
  const std::size_t whole = a.size() / kLanes * kLanes;
  for (std::size_t i = 0; i < whole; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += a[i + lane] * b[i + lane];
  }
  float sum = 0;
  for (const float lane : lanes) sum += lane;
  for (std::size_t i = whole; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void normalize(std::span<float> vector) {
  const float length = std::sqrt(inner_product(vector, vector));
  const bool usable = std::isfinite(length) && length > 0;
  for (float& component : vector) component = usable ? component / length : 0.0F;
}

}  // namespace codexmem::embed
