// CXM1, little-endian:
//
//   model  := "CXM1" u32:version=1 u32:D u32:V u32:n u32:0 u32:crc u32:0 body
//   body   := u32[V+1]:offsets byte[n]:words zero* f32[V]:query scales f32[V]:document scales
//             i8[V x D]:rows
//
// crc is the CRC-32 of body. Offsets ascend from 0 to n; word i is words[offsets[i], offsets[i+1]);
// words are in byte order, each once. The zeroes pad to a multiple of 4.
//
// Cost at 128 dimensions: loading 2 ms, mostly the checksum; a look-up 10 ns; a word's row 10 ns.
//
// Tested by tests/embed/static_model_test.cpp against vectors of the model's training program.
#include "embed/static_model.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/file.h"
#include "base/crc32.h"
#include "text/words.h"
#include "embed/vector_math.h"

// models/text-code-static-128d.cxm, see codexmem_embed_file() in src/embed/CMakeLists.txt.
extern "C" {
extern const char codexmem_static_model[];
extern const char codexmem_static_model_end[];
}

namespace codexmem::embed {
namespace {

static_assert(std::endian::native == std::endian::little, "models are read in place");

constexpr std::string_view kModelMagic = "CXM1";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kModelHeaderBytes = 32;
constexpr std::size_t kMaxWords = 65535;  // WordId, and one value more in table_
constexpr std::size_t kMaxModelDimension = 4096;

Error damaged(std::string_view what) {
  return {ErrorCode::kCorrupt, fmt::format("static model: {}", what)};
}

std::uint32_t read_u32(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

template <typename T>
std::vector<T> read_array(std::string_view bytes, std::size_t at, std::size_t count) {
  std::vector<T> values(count);
  std::memcpy(values.data(), bytes.data() + at, count * sizeof(T));
  return values;
}

// FNV-1a, with its high bits folded into the low ones that select the slot.
std::size_t hash_word(std::string_view word) {
  std::uint64_t h = 0xCBF29CE484222325ULL;
  for (const char c : word) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return static_cast<std::size_t>(h ^ (h >> 32U));
}

std::string id_of(std::size_t dimension, std::uint32_t checksum) {
  return fmt::format("text-code-static-{}d-{:08x}", dimension, checksum);
}

std::string_view built_in_bytes() {
  return {codexmem_static_model,
          static_cast<std::size_t>(codexmem_static_model_end - codexmem_static_model)};
}

bool all_finite(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
}

}  // namespace

Result<std::shared_ptr<const StaticModel>> StaticModel::from_bytes(std::string_view bytes) {
  const std::shared_ptr<StaticModel> model(new StaticModel);
  CODEXMEM_TRY(model->open(bytes));
  return std::shared_ptr<const StaticModel>(model);
}

Result<std::shared_ptr<const StaticModel>> StaticModel::load(const std::filesystem::path& path) {
  const std::shared_ptr<StaticModel> model(new StaticModel);
  CODEXMEM_ASSIGN(model->owned_, read_file(path));
  if (auto opened = model->open(model->owned_); !opened.ok()) {
    return std::move(opened).error().with_context(path.string());
  }
  return std::shared_ptr<const StaticModel>(model);
}

Result<std::shared_ptr<const StaticModel>> StaticModel::built_in() {
  static const auto kModel = []() -> Result<std::shared_ptr<const StaticModel>> {
    const std::shared_ptr<StaticModel> model(new StaticModel);
    CODEXMEM_TRY(model->open(built_in_bytes(), /*is_checked=*/false));
    return std::shared_ptr<const StaticModel>(model);
  }();
  return kModel;
}

std::string StaticModel::built_in_id() {
  return id_of(read_u32(built_in_bytes(), 8), read_u32(built_in_bytes(), 24));
}

Result<void> StaticModel::open(std::string_view bytes, bool is_checked) {
  if (bytes.size() < kModelHeaderBytes || bytes.substr(0, 4) != kModelMagic) {
    return damaged("not a CXM1 file");
  }
  if (const std::uint32_t version = read_u32(bytes, 4); version != kVersion) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("static model: version {}, this program reads {}", version, kVersion)};
  }
  dimension_ = read_u32(bytes, 8);
  word_count_ = read_u32(bytes, 12);
  const std::size_t blob_bytes = read_u32(bytes, 16);
  if (dimension_ == 0 || dimension_ > kMaxModelDimension) return damaged("impossible dimension");
  if (word_count_ == 0 || word_count_ > kMaxWords) return damaged("impossible number of words");

  const std::size_t blob_at = kModelHeaderBytes + 4 * (word_count_ + 1);
  const std::size_t scales_at = blob_at + (blob_bytes + 3) / 4 * 4;
  const std::size_t rows_at = scales_at + 2 * 4 * word_count_;
  if (bytes.size() != rows_at + word_count_ * dimension_) return damaged("wrong size");
  const std::uint32_t checksum = read_u32(bytes, 24);
  if (is_checked && crc32(bytes.substr(kModelHeaderBytes)) != checksum) {
    return damaged("wrong checksum");
  }

  offsets_ = read_array<std::uint32_t>(bytes, kModelHeaderBytes, word_count_ + 1);
  blob_ = bytes.substr(blob_at, blob_bytes);
  if (offsets_.front() != 0 || offsets_.back() != blob_bytes ||
      !std::is_sorted(offsets_.begin(), offsets_.end())) {
    return damaged("word offsets out of order");
  }
  for (std::size_t i = 1; is_checked && i < word_count_; ++i) {
    if (word(static_cast<WordId>(i - 1)) >= word(static_cast<WordId>(i))) {
      return damaged("words out of order");
    }
  }
  query_scales_ = read_array<float>(bytes, scales_at, word_count_);
  document_scales_ = read_array<float>(bytes, scales_at + 4 * word_count_, word_count_);
  if (is_checked && (!all_finite(query_scales_) || !all_finite(document_scales_))) {
    return damaged("a scale is not finite");
  }
  rows_ = reinterpret_cast<const std::int8_t*>(bytes.data() + rows_at);
  id_ = id_of(dimension_, checksum);
  build_word_table();
  return {};
}

void StaticModel::build_word_table() {
  table_.assign(std::bit_ceil(2 * word_count_), 0);
  for (std::size_t i = 0; i < word_count_; ++i) {
    std::size_t slot = hash_word(word(static_cast<WordId>(i))) & (table_.size() - 1);
    while (table_[slot] != 0) slot = (slot + 1) & (table_.size() - 1);
    table_[slot] = static_cast<std::uint16_t>(i + 1);
  }
}

std::optional<WordId> StaticModel::find_word(std::string_view word) const {
  for (std::size_t slot = hash_word(word) & (table_.size() - 1); table_[slot] != 0;
       slot = (slot + 1) & (table_.size() - 1)) {
    const auto id = static_cast<WordId>(table_[slot] - 1);
    if (this->word(id) == word) return id;
  }
  return std::nullopt;
}

std::string_view StaticModel::word(WordId id) const {
  return blob_.substr(offsets_[id], offsets_[id + 1U] - offsets_[id]);
}

std::vector<float> StaticModel::query_vector(std::string_view text) const {
  std::vector<float> sum(dimension_);
  for_each_word(text, [&](const Word& word) {
    if (const auto id = find_word(word.text)) {
      add_scaled(sum, rows_ + *id * dimension_, query_scales_[*id]);
    }
  });
  normalize(sum);
  return sum;
}

void StaticModel::document_vector(std::span<const WordCount> words, std::span<float> out) const {
  CODEXMEM_CHECK(out.size() == dimension_);
  std::fill(out.begin(), out.end(), 0.0F);
  for (const auto& [id, count] : words) {
    const float scale = std::sqrt(static_cast<float>(count)) * document_scales_[id];
    add_scaled(out, rows_ + id * dimension_, scale);
  }
  normalize(out);
}

bool is_static_model_id(std::string_view model_id) {
  return model_id.starts_with("text-code-static-") || model_id.starts_with("code-static-");
}

namespace {

class StaticEmbedder : public Embedder {
 public:
  explicit StaticEmbedder(std::shared_ptr<const StaticModel> model) : model_(std::move(model)) {}

  const std::string& model_id() const override { return model_->id(); }
  std::size_t dimension() const override { return model_->dimension(); }

  Result<std::vector<float>> embed_query(std::string_view text) const override {
    return model_->query_vector(text);
  }

  Result<std::vector<float>> embed_documents(std::span<const std::string_view> texts,
                                             std::stop_token /*stop*/) const override {
    std::vector<float> vectors(texts.size() * dimension());
    WordBagCollector collector(*model_);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      collector.add(texts[i]);
      model_->document_vector(collector.take(),
                              std::span(vectors).subspan(i * dimension(), dimension()));
    }
    return vectors;
  }

 private:
  std::shared_ptr<const StaticModel> model_;
};

}  // namespace

std::unique_ptr<Embedder> make_static_embedder(std::shared_ptr<const StaticModel> model) {
  return std::make_unique<StaticEmbedder>(std::move(model));
}

}  // namespace codexmem::embed
