// embed/embedder.h - texts to vectors, whichever model does it.
//
// The built-in model (embed/static_model.h) answers from memory; a remote one over HTTP. Whoever
// stores vectors stores model_id() with them: vectors of two models say nothing about each other.
// Implementations are immutable or lock themselves: safe to use from many threads at once.
// Design: docs/design/embed.md.
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

  /// Floats of each vector; 0 while a remote model has not told it yet.
  virtual std::size_t dimension() const = 0;

  /// The vector of a question: dimension() floats of length 1, or all zero when the model knows no
  /// word of it. Errors are those of the transport; the built-in model has none.
  virtual Result<std::vector<float>> embed_query(std::string_view text) const = 0;

  /// The vectors of texts that questions are compared with: texts.size() x dimension(), row-major,
  /// each of length 1 or all zero. The cosine of a query and a document is their inner product.
  /// Errors as above, and then no vector is returned; kCancelled when `stop` was requested.
  virtual Result<std::vector<float>> embed_documents(std::span<const std::string_view> texts,
                                                     std::stop_token stop = {}) const = 0;
};

}  // namespace codexmem::embed
