// memory/documents/document_vectors.h - vectors of documents, written with their rows.
//
// A model that is part of this program makes them before the transaction that writes the text, so
// that text and vector are committed together. One over a network would hold up whoever saves: its
// vectors are made afterwards, in the background. Thread-safe.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "embed/embedder.h"
#include "memory/entries/records.h"
#include "store/database.h"

namespace codexmem::memory {

class DocumentVectors {
 public:
  /// `embedder` may be null: then documents have no vectors. `is_immediate`: it answers from
  /// memory.
  DocumentVectors(std::shared_ptr<const embed::Embedder> embedder, bool is_immediate)
      : embedder_(std::move(embedder)), is_immediate_(is_immediate) {}

  const embed::Embedder* embedder() const { return embedder_.get(); }
  bool is_immediate() const { return is_immediate_; }

  /// The codes (embed/vector_codes.h) of the vector of a document that begins with `title` and goes
  /// on with `body`; empty when it is to be made later, when there is no model, and when the model
  /// knows no word of it. Not inside a transaction: it takes time.
  Result<std::string> encode(std::string_view title, std::string_view body) const;

  /// Stores what encode() gave for `document`, inside the transaction that writes its row. Nothing
  /// when `codes` is empty.
  Result<void> put(store::Database& database, DocumentKey document, std::string_view codes) const;

 private:
  std::shared_ptr<const embed::Embedder> embedder_;
  bool is_immediate_;
};

}  // namespace codexmem::memory
