// embed/vector_codes.h - vectors with 8 bits a component, through FAISS's scalar quantizer.
//
// The form in which vectors are stored and searched. One scale serves every model, so codes are
// comparable for ever and need no training: components of vectors of length 1 are small, and one
// step of 0.005 moves an inner product with such a vector by 0.0014 (root mean square), whatever
// the dimension. Pure; thread-safe. The one adapter of FAISS. Measured: docs/design/embed.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace codexmem::embed {

/// Code c stands for kCodeLow + (c + 0.5) / 255 x kCodeWidth, which is (c - 127) / 200; components
/// outside of [-0.6375, 0.6375] take the nearer end. stored: never change. Source:
/// faiss::ScalarQuantizer::QT_8bit_uniform, FAISS 1.7.3.
inline constexpr float kCodeLow = -0.6375F;
inline constexpr float kCodeWidth = 1.275F;
inline constexpr int kZeroCode = 127;  // stands for 0

/// The version of FAISS: "1.7.3".
std::string faiss_version();

/// The codes of `vectors`, n x dimension, row-major, finite; as many bytes. Errors: kUnsupported
/// when FAISS fails.
Result<std::string> encode_vectors(std::span<const float> vectors, std::size_t dimension);

/// The vectors that `codes`, n x dimension, stand for. Errors: as above.
Result<std::vector<float>> decode_vectors(std::string_view codes, std::size_t dimension);

/// What each code from 0 to 255 stands for: 256 little-endian float32, for those who read a store
/// with SQL alone.
Result<std::string> code_values();

}  // namespace codexmem::embed
