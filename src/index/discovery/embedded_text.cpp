// Tested by index/embedded_text_test.cpp, which compares with the view.
#include "index/discovery/embedded_text.h"

#include <unordered_set>
#include <utility>

#include "base/path.h"
#include "embed/vector_codes.h"

namespace codexmem::index {
namespace {

// "src/app.test.ts" -> "src/app.test
// ": the names of the folder and the file, without the last extension.
std::string heading(std::string_view path) {
  std::string line(file_name(folder_of(path)));
  if (!line.empty()) line += '/';
  return (line += file_stem(path)) += '\n';
}

// Cuts `text` to its first kMaxEmbeddedCharacters.
void cut(std::string* text) {
  if (text->size() <= kMaxEmbeddedCharacters) return;
  std::size_t characters = 0;
  for (std::size_t at = 0; at < text->size(); ++at) {
    const bool begins = (static_cast<unsigned char>((*text)[at]) & 0xC0U) != 0x80U;
    if (begins && ++characters > kMaxEmbeddedCharacters) return text->resize(at);
  }
}

}  // namespace

std::vector<EmbeddedText> embedded_texts(store::FileId id, std::string_view path,
                                         std::string_view content,
                                         std::span<const store::ChunkRow> chunks,
                                         std::span<const store::SymbolRow> symbols) {
  const std::string head = heading(path);
  std::vector<EmbeddedText> texts;
  texts.reserve(chunks.size() + 1);
  for (const store::ChunkRow& chunk : chunks) {
    std::string text = head;
    text += content.substr(chunk.range.begin, chunk.range.size());
    texts.push_back({store::chunk_id(id, store::ordinal_of(chunk.id)), std::move(text)});
  }
  std::string names = head;
  std::unordered_set<std::string_view> seen;
  for (const store::SymbolRow& symbol : symbols) {
    if (!seen.insert(symbol.name).second) continue;
    if (seen.size() > 1) names += ' ';
    names += symbol.name;
  }
  texts.push_back({store::chunk_id(id, store::kFileVectorIndex), std::move(names)});
  for (EmbeddedText& text : texts) cut(&text.text);
  return texts;
}

Result<std::vector<EmbeddedText>> read_embedded_texts(store::StoreReader& reader, store::FileId id,
                                                      std::string_view path) {
  CODEXMEM_ASSIGN(const auto file, reader.find_file(id));
  if (!file || (file->flags & store::kFileGenerated) != 0) return std::vector<EmbeddedText>();
  CODEXMEM_ASSIGN(const auto content, reader.find_content(id));
  CODEXMEM_ASSIGN(const auto chunks, reader.list_chunks(id));
  CODEXMEM_ASSIGN(const auto symbols, reader.list_symbols(id));
  if (!content) return std::vector<EmbeddedText>();
  for (const store::ChunkRow& chunk : chunks) {
    if (chunk.range.begin > chunk.range.end || chunk.range.end > content->size()) {
      return Error{ErrorCode::kCorrupt, file->path + ": a stored piece is not within its text"};
    }
  }
  return embedded_texts(id, path.empty() ? file->path : path, *content, chunks, symbols);
}

Result<std::vector<store::VectorRow>> make_vectors(const embed::Embedder& embedder,
                                                   std::span<const EmbeddedText> texts,
                                                   const std::stop_token& stop) {
  std::vector<std::string_view> views;
  views.reserve(texts.size());
  for (const EmbeddedText& text : texts) views.emplace_back(text.text);
  CODEXMEM_ASSIGN(const std::vector<float> vectors, embedder.embed_documents(views, stop));
  const std::size_t dimension = embedder.dimension();
  CODEXMEM_ASSIGN(const std::string codes, embed::encode_vectors(vectors, dimension));
  std::vector<store::VectorRow> rows;
  rows.reserve(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    rows.push_back({texts[i].id, codes.substr(i * dimension, dimension)});
  }
  return rows;
}

}  // namespace codexmem::index
