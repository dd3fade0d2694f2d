// embed/code_table.h - vectors of 8 bits a component, through FAISS's scalar quantizer.
//
// The one adapter of FAISS. Reading is safe from many threads; set_codes() is for making a
// table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"

namespace codexmem::embed {

/// Rows of `dimension` codes. Component i has the range [low_i, low_i + width_i], and code c in it
/// stands for low_i + (c + 0.5) / 255 x width_i; a component outside is moved to the nearer end.
/// Source: faiss::ScalarQuantizer::QT_8bit, FAISS 1.7.3.
class CodeTable {
 public:
  /// No rows, with these ranges: the low ends of all components, then their widths; finite, widths
  /// not negative. `dimension` is ranges.size() / 2.
  explicit CodeTable(std::vector<float> ranges);
  CodeTable(CodeTable&&) noexcept;
  CodeTable& operator=(CodeTable&&) noexcept;
  ~CodeTable();

  std::size_t size() const;
  std::size_t dimension() const;
  std::span<const float> low() const;
  std::span<const float> width() const;
  /// Low ends, then widths.
  const std::vector<float>& ranges() const;
  /// All codes, size() x dimension(), row-major.
  const std::vector<std::uint8_t>& codes() const;
  const std::uint8_t* row(std::size_t i) const { return codes().data() + i * dimension(); }

  /// The least ranges that hold all of `vectors`, n x dimension, n at least 1.
  static Result<std::vector<float>> train(std::span<const float> vectors, std::size_t dimension);

  /// The codes of `vectors`, n x dimension, by this table's ranges. Nothing is appended.
  Result<std::vector<std::uint8_t>> encode(std::span<const float> vectors) const;

  /// The vectors that rows [begin, begin + count) stand for.
  Result<std::vector<float>> decode(std::size_t begin, std::size_t count) const;

  /// Takes `codes`, n x dimension(), as the only rows.
  void set_codes(std::vector<std::uint8_t> codes);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::embed
