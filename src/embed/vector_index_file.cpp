// The file, little-endian, everything else refused:
//
//   file := "CXVI" u32:format=2 u64:generation u64:count u32:dimension u32:m byte[m]:model id
//           i64[count]:ids byte[count x dimension]:codes u32:crc
//
// ids ascend, codes are those of vector_codes.h; crc is the CRC-32 of all bytes before it. FAISS's
// own reader is not used: it believes the sizes that a file claims, and an index may come with a
// repository from anywhere.
#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <string_view>
#include <utility>

#include "base/file.h"
#include "base/hash.h"
#include "embed/vector_index.h"
#include "embed/vector_index_state.h"

namespace codexmem::embed {
namespace {

static_assert(std::endian::native == std::endian::little, "the file is written as memory has it");

constexpr std::string_view kMagic = "CXVI";
constexpr std::uint32_t kFormat = 2;  // stored: never renumber. 1 had a range for each component
constexpr std::size_t kHeaderBytes = 32;
constexpr std::size_t kMaxModelBytes = 256;  // that load_head() reads of a model's id
constexpr std::size_t kMaxFileBytes = std::size_t{16} << 30U;

template <typename T>
void put(std::string* bytes, const T* values, std::size_t count) {
  if (count != 0) bytes->append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

template <typename T>
T get(std::string_view bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

template <typename T>
std::vector<T> get_array(std::string_view bytes, std::size_t at, std::size_t count) {
  std::vector<T> values(count);
  if (count != 0) std::memcpy(values.data(), bytes.data() + at, count * sizeof(T));
  return values;
}

}  // namespace

Result<void> VectorIndex::save(const std::filesystem::path& path) const {
  if (state_->removed.size() != 0 || state_->tail.size() != 0) {
    return VectorIndexBuilder(*this).finish(generation(), true)->save(path);
  }
  const CodedVectors& base = *state_->base;
  const std::uint64_t count = base.size();
  const auto dimension = static_cast<std::uint32_t>(state_->dimension);
  const auto model_bytes = static_cast<std::uint32_t>(state_->model_id.size());
  std::string bytes(kMagic);
  bytes.reserve(kHeaderBytes + model_bytes + count * (8 + dimension) + 4);
  put(&bytes, &kFormat, 1);
  put(&bytes, &state_->generation, 1);
  put(&bytes, &count, 1);
  put(&bytes, &dimension, 1);
  put(&bytes, &model_bytes, 1);
  bytes += state_->model_id;
  put(&bytes, base.ids.data(), base.ids.size());
  put(&bytes, base.codes.data(), base.codes.size());
  const std::uint32_t checksum = crc32(bytes);
  put(&bytes, &checksum, 1);
  return replace_file(path, bytes);
}

Result<VectorIndex::Head> VectorIndex::load_head(const std::filesystem::path& path) {
  CODEXMEM_ASSIGN(const std::string file, read_beginning(path, kHeaderBytes + kMaxModelBytes));
  const std::string_view bytes = file;
  if (bytes.size() < kHeaderBytes || bytes.substr(0, 4) != kMagic ||
      get<std::uint32_t>(bytes, 4) != kFormat) {
    return Error{ErrorCode::kCorrupt, path.string() + ": not a vector index"};
  }
  return Head{std::string(bytes.substr(kHeaderBytes, get<std::uint32_t>(bytes, 28))),
              get<std::uint64_t>(bytes, 8)};
}

Result<std::shared_ptr<const VectorIndex>> VectorIndex::load(const std::filesystem::path& path) {
  CODEXMEM_ASSIGN(const std::string file, read_file(path, kMaxFileBytes));
  const std::string_view bytes = file;
  const auto damaged = [&](std::string_view what) {
    return Error{ErrorCode::kCorrupt, fmt::format("{}: {}", path.string(), what)};
  };
  if (bytes.size() < kHeaderBytes + 4 || bytes.substr(0, 4) != kMagic) {
    return damaged("not a vector index");
  }
  if (crc32(bytes.substr(0, bytes.size() - 4)) != get<std::uint32_t>(bytes, bytes.size() - 4)) {
    return damaged("vector index with a wrong checksum");
  }
  if (const auto format = get<std::uint32_t>(bytes, 4); format != kFormat) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{}: vector index of format {}, this program reads {}", path.string(),
                             format, kFormat)};
  }
  const auto count = get<std::uint64_t>(bytes, 16);
  const std::size_t dimension = get<std::uint32_t>(bytes, 24);
  const std::size_t model_bytes = get<std::uint32_t>(bytes, 28);
  if (dimension == 0 || dimension > kMaxDimension) return damaged("impossible dimension");
  if (count > kMaxFileBytes) return damaged("vector index of a wrong size");
  // Nothing overflows: count is at most 2^34 and dimension at most 2^16.
  const std::size_t ids_at = kHeaderBytes + model_bytes;
  const std::size_t codes_at = ids_at + 8 * count;
  if (bytes.size() != codes_at + count * dimension + 4) {
    return damaged("vector index of a wrong size");
  }

  const auto base = std::make_shared<CodedVectors>();
  base->ids = get_array<std::int64_t>(bytes, ids_at, count);
  if ((count != 0 && base->ids.front() < 1) ||
      std::adjacent_find(base->ids.begin(), base->ids.end(), std::greater_equal<>()) !=
          base->ids.end()) {
    return damaged("vector index with ids out of order");
  }
  base->codes = get_array<std::uint8_t>(bytes, codes_at, count * dimension);

  auto state = std::make_unique<State>();
  state->model_id = bytes.substr(kHeaderBytes, model_bytes);
  state->dimension = dimension;
  state->generation = get<std::uint64_t>(bytes, 8);
  state->base = base;
  return std::shared_ptr<const VectorIndex>(new VectorIndex(std::move(state)));
}

}  // namespace codexmem::embed
