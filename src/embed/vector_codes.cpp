#include "embed/vector_codes.h"

#include <faiss/Index.h>
#include <faiss/impl/ScalarQuantizer.h>

#include <bit>
#include <utility>

#include "embed/faiss_call.h"

namespace codexmem::embed {
namespace {

static_assert(std::endian::native == std::endian::little, "stored floats are little-endian");

// Returns f(quantizer), with exceptions of FAISS as an Error.
template <typename F>
auto with_quantizer(std::size_t dimension, F&& f)
    -> Result<decltype(f(std::declval<const faiss::ScalarQuantizer&>()))> {
  return call_faiss([&] {
    faiss::ScalarQuantizer quantizer(dimension, faiss::ScalarQuantizer::QT_8bit_uniform);
    quantizer.trained = {kCodeLow, kCodeWidth};
    return f(std::as_const(quantizer));
  });
}

}  // namespace

std::string faiss_version() {
  return fmt::format("{}.{}.{}", FAISS_VERSION_MAJOR, FAISS_VERSION_MINOR, FAISS_VERSION_PATCH);
}

Result<std::string> encode_vectors(std::span<const float> vectors, std::size_t dimension) {
  return with_quantizer(dimension, [&](const faiss::ScalarQuantizer& quantizer) {
    std::string codes(vectors.size(), '\0');
    quantizer.compute_codes(vectors.data(), reinterpret_cast<std::uint8_t*>(codes.data()),
                            vectors.size() / dimension);
    return codes;
  });
}

Result<std::vector<float>> decode_vectors(std::string_view codes, std::size_t dimension) {
  return with_quantizer(dimension, [&](const faiss::ScalarQuantizer& quantizer) {
    std::vector<float> vectors(codes.size());
    quantizer.decode(reinterpret_cast<const std::uint8_t*>(codes.data()), vectors.data(),
                     codes.size() / dimension);
    return vectors;
  });
}

Result<std::string> code_values() {
  std::string codes(256, '\0');
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<char>(i);
  CODEXMEM_ASSIGN(const std::vector<float> values, decode_vectors(codes, codes.size()));
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
}

}  // namespace codexmem::embed
