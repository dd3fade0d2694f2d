// index/embedded_text.h - the texts of a file that vectors are made of, whichever model makes them.
//
// Of a piece: the names of its folder and its file, and from a new line its text. Of the file: the
// same first line, and the names that it defines. The view `embeddings` gives the same texts as
// `content` (store/code/code_schema.cpp). Design: docs/design/embed.md.
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

/// What is longer is cut: a model behind HTTP takes no more than some thousand tokens.
inline constexpr std::size_t kMostEmbeddedCharacters = 4000;

struct EmbeddedText {
  store::ChunkId id{};  // kFileVectorIndex: of the whole file
  std::string text;
};

/// The texts of the file `id`, in the order of its chunks, the file's own last. Chunks and symbols
/// are all that it has, in their order; of their ids the ordinals count.
std::vector<EmbeddedText> embedded_texts(store::FileId id, std::string_view path,
                                         std::string_view content,
                                         std::span<const store::ChunkRow> chunks,
                                         std::span<const store::SymbolRow> symbols);

/// The same of an indexed file, as it is stored, or as if it were at `path`; none when it is gone
/// or has no vectors because it is generated. The caller holds a transaction, or the lock. Errors:
/// those of the store; kCorrupt when a piece is not within its text.
Result<std::vector<EmbeddedText>> read_embedded_texts(store::StoreReader& reader, store::FileId id,
                                                      std::string_view path = "");

/// The vectors of `texts`. Errors: those of the model and of embed::encode_vectors().
Result<std::vector<store::VectorRow>> make_vectors(const embed::Embedder& embedder,
                                                   std::span<const EmbeddedText> texts,
                                                   const std::stop_token& stop = {});

}  // namespace codexmem::index
