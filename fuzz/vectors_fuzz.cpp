// The two files of a vector index as a damaged or made-up store may hold them. An input is edits of
// good files, or the files themselves; checksums, which would hide everything behind them, are made
// to fit. What is accepted is searched, by FAISS too, changed and saved again.
//
//   input := u8:kind edit[]            kind: which good pair; 3 and more: the rest is a FAISS file
//   edit  := u8:which u16:at u8:length byte[length % 9]
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "embed/faiss_index.h"
#include "embed/faiss_layout.h"
#include "embed/vector_files.h"
#include "embed/vector_index.h"
#include "scratch.h"

using namespace codexmem;
using codexmem::embed::VectorFiles;
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

VectorFiles good_files(const std::filesystem::path& path, std::size_t count, bool with_lists) {
  VectorIndexBuilder builder("model", 3);
  std::vector<std::int64_t> ids;
  std::string codes;
  for (std::size_t i = 0; i < count; ++i) {
    ids.push_back(static_cast<std::int64_t>(2 * i + 1));
    for (std::size_t k = 0; k < 3; ++k) codes += static_cast<char>(i * 37 + k * 11);
  }
  CODEXMEM_CHECK(builder.add(ids, codes).ok());
  if (with_lists) CODEXMEM_CHECK(builder.train(1).ok());
  CODEXMEM_CHECK(std::move(builder).freeze(3)->save(path).ok());
  return VectorFiles::read(path);
}

VectorFiles edited(VectorFiles files, std::span<const std::uint8_t> edits) {
  while (edits.size() >= 4) {
    std::string& bytes = edits[0] % 2 == 0 ? files.faiss : files.side;
    const std::size_t at = edits[1] | std::size_t{edits[2]} << 8U;
    const std::size_t length = std::min<std::size_t>(edits[3] % 9, edits.size() - 4);
    const std::string put(edits.begin() + 4,
                          edits.begin() + 4 + static_cast<std::ptrdiff_t>(length));
    if (edits[0] % 8 >= 6) {
      bytes.resize(std::min(at, bytes.size()));  // cut
      bytes += put;
    } else if (at + length <= bytes.size()) {
      bytes.replace(at, length, put);
    }
    edits = edits.subspan(4 + length);
  }
  return files;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Scratch scratch;
  static const auto path = scratch.path() / "vectors.faiss";
  static const std::array<VectorFiles, 3> kGood = {
      good_files(path, 20, false), good_files(path, 20, true), good_files(path, 1, true)};
  if (size == 0) return 0;
  const auto rest = std::span(data, size).subspan(1);
  VectorFiles files = kGood[data[0] % kGood.size()];
  if (data[0] < kGood.size()) {
    files = edited(std::move(files), rest);
  } else {
    files.faiss.assign(rest.begin(), rest.end());
  }
  files.write(path);
  static_cast<void>(VectorIndex::load(path));
  static_cast<void>(VectorIndex::load_head(path));
  static_cast<void>(embed::read_faiss_layout(files.faiss));
  files.seal();
  files.write(path);
  const auto loaded = VectorIndex::load(path);
  if (!loaded.ok()) return 0;
  const VectorIndex& index = **loaded;
  use(index);
  const std::vector<float> query(index.dimension(), 0.1F);
  const auto theirs = embed::search_with_faiss(files.faiss, query, 3);
  CODEXMEM_CHECK(theirs.ok() && theirs->size() == 1);

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
  CODEXMEM_CHECK((*again)->agrees_with_faiss().value());

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
