// embed/vector_codes.h - vectors with 8 bits a component, through FAISS's scalar quantizer.
//
// The format in which vectors are stored and searched. A single scale serves every model, so codes
// stay comparable forever and need no training: components of vectors of length 1 are small, and a
// step of 0.005 changes an inner product with such a vector by 0.0014 (root mean square) in any
// dimension. Pure; thread-safe. The only adapter of FAISS's quantizer. Measured:
// docs/how-it-works.md, "Vectors".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace codexmem::embed {

/// Code c means kCodeLow + (c + 0.5) / 255 x kCodeWidth, which is (c - 127) / 200; components
/// outside [-0.6375, 0.6375] are clamped. stored: never change. Source:
/// faiss::ScalarQuantizer::QT_8bit_uniform, FAISS 1.7.3.
inline constexpr float kCodeLow = -0.6375F;
inline constexpr float kCodeWidth = 1.275F;
inline constexpr int kZeroCode = 127;  // means 0

/// The version of FAISS: "1.7.3".
std::string faiss_version();

/// The codes of `vectors`, n x dimension, row-major, finite; as many bytes. Errors: kUnsupported
/// when FAISS fails.
Result<std::string> encode_vectors(std::span<const float> vectors, std::size_t dimension);

/// Decodes `codes`, n x dimension. Errors: as above.
Result<std::vector<float>> decode_vectors(std::string_view codes, std::size_t dimension);

/// The values of the codes 0 to 255: 256 little-endian float32, for readers of a store that use
/// only SQL.
Result<std::string> code_values();

}  // namespace codexmem::embed
