// index/discovery/embedded_text.h - the texts of a file that vectors are made from, for any model.
//
// For a chunk: the names of its folder and file, and its text on a new line. For the file: the same
// first line, and the names that it defines. The view `embeddings` has the same texts in its column
// `content` (store/code/code_schema.cpp). Design: docs/how-it-works.md, "Vectors".
#pragma once

#include <cstddef>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "embed/embedder.h"
#include "store/code/store_reader.h"
#include "store/code/code_rows.h"

namespace codexmem::index {

/// Longer texts are cut: a remote model accepts at most some thousand tokens.
inline constexpr std::size_t kMaxEmbeddedCharacters = 4000;

struct EmbeddedText {
  store::ChunkId id{};  // kFileVectorIndex: the whole file
  std::string text;
};

/// The texts of the file `id`, in the order of its chunks, with the file's own text last. `chunks`
/// and `symbols` must be complete and in order; only the ordinals of their ids matter.
std::vector<EmbeddedText> embedded_texts(store::FileId id, std::string_view path,
                                         std::string_view content,
                                         std::span<const store::ChunkRow> chunks,
                                         std::span<const store::SymbolRow> symbols);

/// The same for an indexed file, as stored or as if it were at `path`; empty when it is gone or has
/// no vectors because it is generated. The caller holds a transaction or the lock. Errors: as the
/// store; kCorrupt when a chunk is not within its text.
Result<std::vector<EmbeddedText>> read_embedded_texts(store::StoreReader& reader, store::FileId id,
                                                      std::string_view path = "");

/// The vectors of `texts`. Errors: as the model and embed::encode_vectors().
Result<std::vector<store::VectorRow>> make_vectors(const embed::Embedder& embedder,
                                                   std::span<const EmbeddedText> texts,
                                                   const std::stop_token& stop = {});

}  // namespace codexmem::index
