#include "embed/code_table.h"

#include <faiss/IndexScalarQuantizer.h>
#include <fmt/core.h>
#include <omp.h>

#include <exception>
#include <utility>

namespace codexmem::embed {
namespace {

// FAISS spreads loops over all processors through OpenMP, whose threads then stay and spin.
// Indexing has its own threads, so ours run on the calling thread alone; encoding 100,000 vectors
// of 128 components takes 40 ms there.
class OneThread {
 public:
  OneThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;
  ~OneThread() { omp_set_num_threads(before_); }

 private:
  int before_;
};

// f(), with what it throws as an Error.
template <typename F>
auto guard(F&& f) -> Result<decltype(f())> {
  try {
    const OneThread one_thread;
    return f();
  } catch (const std::exception& error) {
    return Error{ErrorCode::kUnsupported, fmt::format("FAISS: {}", error.what())};
  }
}

}  // namespace

struct CodeTable::Impl {
  explicit Impl(std::size_t dimension)
      : index(static_cast<int>(dimension), faiss::ScalarQuantizer::QT_8bit,
              faiss::METRIC_INNER_PRODUCT) {}

  faiss::IndexScalarQuantizer index;
};

CodeTable::CodeTable(std::vector<float> ranges) : impl_(std::make_unique<Impl>(ranges.size() / 2)) {
  impl_->index.sq.trained = std::move(ranges);
  impl_->index.is_trained = true;
}

CodeTable::CodeTable(CodeTable&&) noexcept = default;
CodeTable& CodeTable::operator=(CodeTable&&) noexcept = default;
CodeTable::~CodeTable() = default;

std::size_t CodeTable::size() const { return static_cast<std::size_t>(impl_->index.ntotal); }
std::size_t CodeTable::dimension() const { return static_cast<std::size_t>(impl_->index.d); }

std::span<const float> CodeTable::low() const { return std::span(ranges()).first(dimension()); }
std::span<const float> CodeTable::width() const { return std::span(ranges()).last(dimension()); }
const std::vector<float>& CodeTable::ranges() const { return impl_->index.sq.trained; }
const std::vector<std::uint8_t>& CodeTable::codes() const { return impl_->index.codes; }

Result<std::vector<float>> CodeTable::train(std::span<const float> vectors, std::size_t dimension) {
  return guard([&] {
    faiss::ScalarQuantizer quantizer(dimension, faiss::ScalarQuantizer::QT_8bit);
    quantizer.train(vectors.size() / dimension, vectors.data());
    return std::move(quantizer.trained);
  });
}

Result<std::vector<std::uint8_t>> CodeTable::encode(std::span<const float> vectors) const {
  return guard([&] {
    std::vector<std::uint8_t> codes(vectors.size());
    const auto count = static_cast<faiss::Index::idx_t>(vectors.size() / dimension());
    impl_->index.sa_encode(count, vectors.data(), codes.data());
    return codes;
  });
}

Result<std::vector<float>> CodeTable::decode(std::size_t begin, std::size_t count) const {
  return guard([&] {
    std::vector<float> vectors(count * dimension());
    impl_->index.sa_decode(static_cast<faiss::Index::idx_t>(count), row(begin), vectors.data());
    return vectors;
  });
}

void CodeTable::set_codes(std::vector<std::uint8_t> codes) {
  impl_->index.ntotal = static_cast<faiss::Index::idx_t>(codes.size() / dimension());
  impl_->index.codes = std::move(codes);
}

}  // namespace codexmem::embed
