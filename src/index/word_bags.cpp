#include "index/word_bags.h"

#include <bit>
#include <cstring>

namespace codexmem::index {

static_assert(std::endian::native == std::endian::little, "stored vectors are little-endian");

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

std::vector<store::VectorRow> make_vectors(const embed::StaticModel& model,
                                           const embed::DocumentWeights& weights, store::FileId id,
                                           const FileBags& bags) {
  std::vector<store::VectorRow> rows;
  rows.reserve(bags.chunks.size() + 1);
  std::vector<float> vector(model.dimension());
  const auto add = [&](std::uint32_t index, std::span<const embed::WordCount> words,
                       std::span<const embed::WordCount> more) {
    model.document_vector(words, more, weights, vector);
    std::string bytes(vector.size() * sizeof(float), '\0');
    std::memcpy(bytes.data(), vector.data(), bytes.size());
    rows.push_back({store::chunk_id(id, index), std::move(bytes)});
  };
  for (std::uint32_t i = 0; i < bags.chunks.size(); ++i) add(i, bags.chunks[i], bags.path);
  add(store::kFileVectorIndex, bags.file, {});
  return rows;
}

}  // namespace codexmem::index
