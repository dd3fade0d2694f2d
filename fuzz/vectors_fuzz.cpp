// The vectors' file as a damaged or made-up store may hold it. The checksum, which would hide
// everything behind it, is made to fit; what is accepted is searched, changed and saved again.
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/crc32.h"
#include "base/result.h"
#include "embed/vector_index.h"
#include "scratch.h"

using namespace codexmem;
using codexmem::embed::VectorIndex;
using codexmem::embed::VectorIndexBuilder;

namespace {

void use(const VectorIndex& index) {
  const std::vector<float> query(index.dimension(), 0.1F);
  const auto hits = index.search(query, 3);
  CODEXMEM_CHECK(hits.ok() && hits->size() == std::min<std::size_t>(3, index.size()));
  const std::vector<std::int64_t> ids = index.ids();
  CODEXMEM_CHECK(ids.size() == index.size());
  const auto all = index.score_all(query);
  CODEXMEM_CHECK(all.ok() && all->size() == ids.size());
  const auto near = index.score_near(query, 2);
  CODEXMEM_CHECK(near.ok() && near->size() >= std::min<std::size_t>(2, index.size()));
  static_cast<void>(index.wants_training(1));
  const auto some = index.score_ids(query, ids);
  CODEXMEM_CHECK(some.ok() && some->size() == ids.size());
  for (const auto id : ids) CODEXMEM_CHECK(index.contains(id));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Scratch scratch;
  const auto path = scratch.path() / "vectors.faiss";
  std::string bytes(reinterpret_cast<const char*>(data), size);
  fuzz::overwrite(path, bytes);
  static_cast<void>(VectorIndex::load(path));

  const std::uint32_t checksum = crc32(bytes);
  bytes.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
  fuzz::overwrite(path, bytes);
  const auto loaded = VectorIndex::load(path);
  if (!loaded.ok()) return 0;
  const VectorIndex& index = **loaded;
  use(index);

  VectorIndexBuilder builder(index);
  const std::vector<std::int64_t> ids = index.ids();
  builder.remove(std::span(ids).first(ids.size() / 2));
  const std::vector<std::int64_t> added = {1, 5};
  const std::string codes(added.size() * index.dimension(), 'x');
  CODEXMEM_CHECK(builder.add(added, codes).ok());
  const auto changed = std::move(builder).freeze(1);
  use(*changed);
  CODEXMEM_CHECK(changed->save(path).ok());
  const auto again = VectorIndex::load(path);
  CODEXMEM_CHECK(again.ok() && (*again)->ids() == changed->ids());

  // Lists, where there were none, and of what may not be vectors at all.
  if (changed->size() * changed->dimension() > 4096) return 0;
  VectorIndexBuilder divided(*changed);
  CODEXMEM_CHECK(divided.train(1).ok());
  const auto lists = std::move(divided).freeze(2);
  use(*lists);
  CODEXMEM_CHECK(lists->save(path).ok());
  const auto listed = VectorIndex::load(path);
  CODEXMEM_CHECK(listed.ok() && (*listed)->list_count() == lists->list_count());
  use(**listed);
  return 0;
}
