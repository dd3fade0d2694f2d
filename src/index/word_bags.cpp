#include "index/word_bags.h"

#include "embed/vector_codes.h"

namespace codexmem::index {

std::size_t FileBags::size_bytes() const {
  std::size_t words = path.capacity() + file.capacity();
  for (const embed::WordBag& bag : chunks) words += bag.capacity();
  return sizeof(FileBags) + chunks.capacity() * sizeof(embed::WordBag) +
         words * sizeof(embed::WordCount);
}

FileBags collect_bags(embed::WordBagCollector& collector, const BagSource& source) {
  FileBags bags;
  const embed::PathNames names = embed::path_names(source.path);
  collector.add(names.base_name);
  collector.add(names.parent);
  bags.path = collector.take();
  bags.chunks.reserve(source.chunks.size());
  for (const ByteRange& chunk : source.chunks) {
    collector.add(source.text.substr(chunk.begin, chunk.size()));
    bags.chunks.push_back(collector.take());
    bags.chunks.back().shrink_to_fit();
  }
  collector.add(names.base_name, 2);
  collector.add(names.parent, 2);
  for (const std::string_view name : source.names) collector.add(name);
  bags.file = collector.take();
  return bags;
}

Result<std::vector<store::VectorRow>> make_vectors(const embed::StaticModel& model,
                                                   const embed::DocumentWeights& weights,
                                                   store::FileId id, const FileBags& bags) {
  const std::size_t dimension = model.dimension();
  const std::size_t count = bags.chunks.size() + 1;
  std::vector<float> vectors(count * dimension);
  const auto row = [&](std::size_t i) {
    return std::span(vectors).subspan(i * dimension, dimension);
  };
  for (std::size_t i = 0; i + 1 < count; ++i) {
    model.document_vector(bags.chunks[i], bags.path, weights, row(i));
  }
  model.document_vector(bags.file, {}, weights, row(count - 1));
  CODEXMEM_ASSIGN(const std::string codes, embed::encode_vectors(vectors, dimension));
  std::vector<store::VectorRow> rows;
  rows.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    rows.push_back({store::chunk_id(id, i + 1 < count ? i : store::kFileVectorIndex),
                    codes.substr(i * dimension, dimension)});
  }
  return rows;
}

}  // namespace codexmem::index
