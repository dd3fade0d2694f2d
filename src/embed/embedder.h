// embed/embedder.h - turns texts into vectors, with any model.
//
// The built-in model (embed/static_model.h) computes in memory; a remote one is called over HTTP.
// Store model_id() with vectors: vectors of different models are not comparable. Implementations
// are immutable or lock themselves: safe to use from many threads at once. Design:
// docs/how-it-works.md, "Vectors".
#pragma once

#include <cstddef>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace codexmem::embed {

class Embedder {
 public:
  virtual ~Embedder() = default;

  /// The name of the model and its version; equal ids mean comparable vectors.
  virtual const std::string& model_id() const = 0;

  /// Floats per vector; 0 while a remote model's dimension is still unknown.
  virtual std::size_t dimension() const = 0;

  /// The vector of a query: dimension() floats of length 1, or all zero if the model knows no word
  /// of it. Errors: as the transport; the built-in model does not fail.
  virtual Result<std::vector<float>> embed_query(std::string_view text) const = 0;

  /// The vectors of documents: texts.size() x dimension(), row-major, each of length 1 or all zero.
  /// The cosine of a query and a document is their inner product. Errors as above, and then no
  /// vector is returned; kCancelled when `stop` was requested.
  virtual Result<std::vector<float>> embed_documents(std::span<const std::string_view> texts,
                                                     std::stop_token stop = {}) const = 0;
};

}  // namespace codexmem::embed
