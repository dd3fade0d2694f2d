#include "embed/vector_math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace codexmem::embed {
namespace {

TEST(DotCodes, AreExactAtEveryLength) {
  std::mt19937 random(1);
  for (std::size_t length = 0; length < 70; ++length) {
    for (const std::size_t rows : {0U, 1U, 3U, 4U, 9U}) {
      std::vector<std::uint8_t> codes(rows * length);
      for (auto& code : codes) code = static_cast<std::uint8_t>(random());
      std::vector<std::int16_t> weights(length);
      for (auto& weight : weights) weight = static_cast<std::int16_t>(random());
      std::vector<std::int32_t> got(rows);
      dot_codes(codes.data(), rows, weights, got.data());
      for (std::size_t row = 0; row < rows; ++row) {
        std::int32_t want = 0;
        for (std::size_t i = 0; i < length; ++i) want += weights[i] * codes[row * length + i];
        EXPECT_EQ(got[row], want) << length << " " << row;
      }
    }
  }
}

TEST(AddScaled, AddsEveryComponent) {
  for (std::size_t length = 0; length < 40; ++length) {
    std::vector<float> sum(length, 1.0F);
    std::vector<std::int8_t> row;
    for (std::size_t i = 0; i < length; ++i) row.push_back(static_cast<std::int8_t>(20 - 7 * i));
    add_scaled(sum, row.data(), 0.5F);
    for (std::size_t i = 0; i < length; ++i) {
      EXPECT_EQ(sum[i], 1.0F + 0.5F * static_cast<float>(row[i]));
    }
  }
}

TEST(Normalize, MakesUnitVectorsOrZero) {
  std::vector<float> vector = {3, 0, -4};
  normalize(vector);
  EXPECT_FLOAT_EQ(vector[0], 0.6F);
  EXPECT_FLOAT_EQ(vector[2], -0.8F);
  vector = {0, 0, 0};
  normalize(vector);
  EXPECT_EQ(vector, std::vector<float>(3));
  vector = {1, std::numeric_limits<float>::infinity(), 0};
  normalize(vector);
  EXPECT_EQ(vector, std::vector<float>(3));
}

}  // namespace
}  // namespace codexmem::embed
