// Function multiversioning by hand: target_clones resolves through an ifunc, which runs before a
// sanitizer is ready. The AVX2 versions are the same source, inlined into functions with another
// target; FMA stays off in them, so that a vector's bits do not depend on the processor.
#include "embed/vector_math.h"

#include <cmath>

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

#if defined(__x86_64__)
[[gnu::target("avx2")]] void add_scaled_avx2(float* sum, const std::int8_t* row, float scale,
                                             std::size_t count) {
  add_scaled_body(sum, row, scale, count);
}
const AddScaled kAddScaled =
    __builtin_cpu_supports("avx2") != 0 ? add_scaled_avx2 : add_scaled_plain;
#else
const AddScaled kAddScaled = add_scaled_plain;
#endif

}  // namespace

void add_scaled(std::span<float> sum, const std::int8_t* row, float scale) {
  kAddScaled(sum.data(), row, scale, sum.size());
}

float inner_product(std::span<const float> a, std::span<const float> b) {
  // Eight sums side by side: the compiler may not reorder one.
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
