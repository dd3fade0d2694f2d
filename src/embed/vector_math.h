// embed/vector_math.h - the inner loops over vectors. Pure functions, safe from many threads.
//
// On x86-64 each loop exists twice, for the baseline and for AVX2; the processor is checked once.
// Both give the same bits: sums run in the same order, and multiply-add is never fused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace codexmem::embed {

/// sum[i] += scale x row[i] for all i; both have the same length.
void add_scaled(std::span<float> sum, const std::int8_t* row, float scale);

/// Scales `vector` to Euclidean length 1; a vector of zeroes, or with a length that is not finite,
/// becomes all zero.
void normalize(std::span<float> vector);

/// The inner products of `rows` rows of bytes, row-major, with `weights`, into `out`; a row has
/// weights.size() bytes. Exact; the caller must ensure that 255 x the sum of |weights| fits an
/// int32.
void dot_codes(const std::uint8_t* codes, std::size_t rows, std::span<const std::int16_t> weights,
               std::int32_t* out);

/// The inner product of two vectors of the same length.
float inner_product(std::span<const float> a, std::span<const float> b);

}  // namespace codexmem::embed
