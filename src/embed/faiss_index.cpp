// Tested by tests/embed/faiss_file_test.cpp.
#include "embed/faiss_index.h"

#include <faiss/IndexIDMap.h>
#include <faiss/IndexIVF.h>
#include <faiss/IndexScalarQuantizer.h>
#include <faiss/impl/io.h>
#include <faiss/index_io.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

#include "embed/faiss_call.h"
#include "embed/vector_codes.h"

namespace codexmem::embed {
namespace {

using FaissId = faiss::Index::idx_t;
static_assert(std::is_same_v<FaissId, std::int64_t>, "vectors of ids change hands");

constexpr std::size_t kWrittenAtOnce = std::size_t{1} << 16U;
constexpr auto kCodes = faiss::ScalarQuantizer::QT_8bit_uniform;

std::unique_ptr<faiss::IndexScalarQuantizer> coded(std::size_t dimension,
                                                   std::vector<std::uint8_t> codes) {
  auto index = std::make_unique<faiss::IndexScalarQuantizer>(static_cast<int>(dimension), kCodes,
                                                             faiss::METRIC_INNER_PRODUCT);
  index->sq.trained = {kCodeLow, kCodeWidth};
  index->is_trained = true;
  index->ntotal = static_cast<FaissId>(codes.size() / dimension);
  index->codes = std::move(codes);
  return index;
}

// FAISS writes one number at a time.
class SinkWriter : public faiss::IOWriter {
 public:
  explicit SinkWriter(const std::function<Result<void>(std::string_view)>& sink) : sink_(sink) {}

  std::size_t operator()(const void* from, std::size_t size, std::size_t count) override {
    const std::string_view bytes(static_cast<const char*>(from), size * count);
    if (buffer_.size() + bytes.size() > kWrittenAtOnce) flush();
    if (bytes.size() > kWrittenAtOnce) {
      if (done_.ok()) done_ = sink_(bytes);
    } else {
      buffer_ += bytes;
    }
    return done_.ok() ? count : 0;
  }

  void flush() {
    if (done_.ok() && !buffer_.empty()) done_ = sink_(buffer_);
    buffer_.clear();
  }

  const Result<void>& done() const { return done_; }

 private:
  const std::function<Result<void>(std::string_view)>& sink_;
  std::string buffer_;
  Result<void> done_;
};

class ViewReader : public faiss::IOReader {
 public:
  explicit ViewReader(std::string_view bytes) : bytes_(bytes) {}

  std::size_t operator()(void* into, std::size_t size, std::size_t count) override {
    const std::size_t items = size == 0 ? 0 : std::min(count, bytes_.size() / size);
    if (items != 0) std::memcpy(into, bytes_.data(), items * size);
    bytes_.remove_prefix(items * size);
    return items;
  }

 private:
  std::string_view bytes_;
};

}  // namespace

struct FaissIndex::Impl {
  std::unique_ptr<faiss::Index> index;  // one of the two
  const faiss::IndexIDMap* flat = nullptr;
  faiss::IndexIVFScalarQuantizer* divided = nullptr;
};

FaissIndex::FaissIndex(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
FaissIndex::~FaissIndex() = default;

std::shared_ptr<FaissIndex> FaissIndex::flat(std::size_t dimension, CodedVectors vectors) {
  auto map = std::make_unique<faiss::IndexIDMap>();
  auto codes = coded(dimension, std::move(vectors.codes));
  map->d = codes->d;
  map->ntotal = codes->ntotal;
  map->metric_type = codes->metric_type;
  map->is_trained = true;
  map->id_map = std::move(vectors.ids);
  map->index = codes.release();
  map->own_fields = true;
  auto impl = std::make_unique<Impl>();
  impl->flat = map.get();
  impl->index = std::move(map);
  return std::shared_ptr<FaissIndex>(new FaissIndex(std::move(impl)));
}

std::shared_ptr<FaissIndex> FaissIndex::divided(std::size_t dimension,
                                                std::span<const std::uint8_t> centroids,
                                                std::vector<CodedVectors> lists) {
  auto coarse = coded(dimension, {centroids.begin(), centroids.end()});
  auto index = std::make_unique<faiss::IndexIVFScalarQuantizer>(
      coarse.get(), dimension, lists.size(), kCodes, faiss::METRIC_INNER_PRODUCT,
      /*encode_residual=*/false);
  coarse.release();
  index->own_fields = true;
  index->sq.trained = {kCodeLow, kCodeWidth};
  index->is_trained = true;
  auto* const held = dynamic_cast<faiss::ArrayInvertedLists*>(index->invlists);
  CODEXMEM_CHECK(held != nullptr);
  for (std::size_t list = 0; list < lists.size(); ++list) {
    index->ntotal += static_cast<FaissId>(lists[list].size());
    held->codes[list] = std::move(lists[list].codes);
    held->ids[list] = std::move(lists[list].ids);
  }
  auto impl = std::make_unique<Impl>();
  impl->divided = index.get();
  impl->index = std::move(index);
  return std::shared_ptr<FaissIndex>(new FaissIndex(std::move(impl)));
}

std::vector<VectorRows> FaissIndex::parts() const {
  std::vector<VectorRows> parts;
  if (impl_->flat != nullptr) {
    const auto* const codes = dynamic_cast<const faiss::IndexFlatCodes*>(impl_->flat->index);
    CODEXMEM_CHECK(codes != nullptr);
    const std::vector<FaissId>& ids = impl_->flat->id_map;
    parts.emplace_back(codes->codes.data(), ids.data(), ids.size());
    return parts;
  }
  const faiss::InvertedLists& lists = *impl_->divided->invlists;
  for (std::size_t list = 0; list < lists.nlist; ++list) {
    parts.emplace_back(lists.get_codes(list), lists.get_ids(list), lists.list_size(list));
  }
  return parts;
}

void FaissIndex::set_probes(std::size_t probes) {
  if (impl_->divided != nullptr) impl_->divided->nprobe = probes;
}

Result<void> FaissIndex::write(const std::function<Result<void>(std::string_view)>& sink) const {
  SinkWriter writer(sink);
  const auto written = call_faiss([&] {
    faiss::write_index(impl_->index.get(), &writer);
    return true;
  });
  writer.flush();
  CODEXMEM_TRY(writer.done());
  if (!written.ok()) return written.error();
  return {};
}

std::shared_ptr<VectorBase> make_base(std::size_t dimension, CodedVectors vectors) {
  auto base = std::make_shared<VectorBase>();
  base->rows = vectors.size();
  base->memory = FaissIndex::flat(dimension, std::move(vectors));
  base->parts = base->memory->parts();
  return base;
}

std::shared_ptr<VectorBase> make_base(std::size_t dimension, VectorLists lists,
                                      std::vector<CodedVectors> rows) {
  auto base = std::make_shared<VectorBase>();
  base->rows = lists.begins.back();
  base->memory = FaissIndex::divided(dimension, lists.centroids, std::move(rows));
  base->memory->set_probes(lists.probes);
  base->parts = base->memory->parts();
  base->lists = std::move(lists);
  base->lists.set_list_of();
  return base;
}

Result<std::vector<std::vector<VectorHit>>> search_with_faiss(std::string_view file,
                                                              std::span<const float> queries,
                                                              std::size_t k) {
  return call_faiss([&] {
    ViewReader reader(file);
    const std::unique_ptr<faiss::Index> index(faiss::read_index(&reader));
    if (auto* const lists = dynamic_cast<faiss::IndexIVF*>(index.get())) {
      lists->nprobe = lists->nlist;
    }
    const std::size_t count = queries.size() / static_cast<std::size_t>(index->d);
    k = std::min(k, static_cast<std::size_t>(index->ntotal));
    std::vector<float> scores(count * k);
    std::vector<FaissId> ids(count * k);
    if (k != 0) {
      index->search(static_cast<FaissId>(count), queries.data(), static_cast<FaissId>(k),
                    scores.data(), ids.data());
    }
    std::vector<std::vector<VectorHit>> hits(count);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (ids[i] >= 0) hits[i / k].push_back({ids[i], scores[i]});
    }
    return hits;
  });
}

}  // namespace codexmem::embed
