// The file, little-endian, everything else refused:
//
//   file  := "CXVI" u32:format=3 u64:generation u64:count u32:dimension u32:m byte[m]:model id
//            u32:lists (lists != 0: parts) i64[count]:ids (lists != 0: u16[count]:list of each)
//            byte[count x dimension]:codes u32:crc
//   parts := u32:patience fit:trained u64:squares fit:added byte[lists x dimension]:centroids
//   fit   := u64:rows i64:sum
//
// ids ascend. Codes are those of vector_codes.h, in the order of ids; with lists, one list after
// the other, each in the order of ids: where a row is follows from the lists of all, so there is
// nothing that could contradict it. crc is the CRC-32 of all bytes before it. FAISS's own reader
// is not used: it believes the sizes that a file claims, and an index may come with a repository
// from anywhere.
#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/crc32.h"
#include "embed/vector_index.h"
#include "embed/vector_index_state.h"
#include "embed/vector_lists.h"

namespace codexmem::embed {
namespace {

static_assert(std::endian::native == std::endian::little, "the file is written as memory has it");

constexpr std::string_view kMagic = "CXVI";
// stored: never renumber. 1 had a range for each component, 2 no lists.
constexpr std::uint32_t kFormat = 3;
constexpr std::size_t kHeaderBytes = 32;
constexpr std::size_t kPartsBytes = 44;                    // without centroids
constexpr std::size_t kPartBytes = std::size_t{1} << 20U;  // that are written at once
constexpr std::size_t kMaxModelBytes = 256;                // that load_head() reads of a model's id
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

// Reads a file in parts, the checksum along with them.
class Source {
 public:
  explicit Source(FileReader file) : file_(std::move(file)) {}

  std::uint64_t size() const { return file_.size(); }
  std::uint32_t checksum() const { return checksum_; }

  Result<void> read(void* into, std::size_t count) {
    CODEXMEM_TRY(file_.read(into, count));
    checksum_ = crc32({static_cast<const char*>(into), count}, checksum_);
    return {};
  }
  template <typename T>
  Result<void> read(std::vector<T>* values) {
    return read(values->data(), values->size() * sizeof(T));
  }
  Result<std::string> read_text(std::size_t count) {
    std::string bytes(count, '\0');
    CODEXMEM_TRY(read(bytes.data(), count));
    return bytes;
  }

 private:
  FileReader file_;
  std::uint32_t checksum_ = 0;
};

// The same for writing.
class Sink {
 public:
  explicit Sink(FileReplacement file) : file_(std::move(file)) {}

  Result<void> write(std::string_view bytes) {
    checksum_ = crc32(bytes, checksum_);
    return file_.write(bytes);
  }
  Result<void> commit() {
    const std::uint32_t checksum = checksum_;
    CODEXMEM_TRY(file_.write({reinterpret_cast<const char*>(&checksum), sizeof checksum}));
    return file_.commit();
  }

 private:
  FileReplacement file_;
  std::uint32_t checksum_ = 0;
};

void put_fit(std::string* bytes, const ListFit& fit) {
  put(bytes, &fit.rows, 1);
  put(bytes, &fit.sum, 1);
}

ListFit get_fit(std::string_view bytes, std::size_t at) {
  return {get<std::uint64_t>(bytes, at), get<std::int64_t>(bytes, at + 8)};
}

// Sums of it stay within 63 bits, whatever is folded in.
bool is_usable(const ListFit& fit) {
  return fit.rows < std::uint64_t{1} << 40U && fit.sum < std::int64_t{1} << 60U &&
         fit.sum > -(std::int64_t{1} << 60U);
}

// The list of each row, by the rank of its id.
std::vector<std::uint16_t> lists_by_rank(const VectorBase& base) {
  std::vector<std::uint16_t> by_row(base.size()), by_rank(base.size());
  for (std::size_t list = 0; list < base.lists.count(); ++list) {
    std::fill(by_row.begin() + base.lists.begins[list],
              by_row.begin() + base.lists.begins[list + 1], static_cast<std::uint16_t>(list));
  }
  for (std::size_t rank = 0; rank < by_rank.size(); ++rank)
    by_rank[rank] = by_row[base.row_at(rank)];
  return by_rank;
}

}  // namespace

Result<void> VectorIndex::save(const std::filesystem::path& path) const {
  if (state_->removed.size() != 0 || state_->tail.size() != 0) {
    return VectorIndexBuilder(*this).finish(generation(), true)->save(path);
  }
  const VectorBase& base = *state_->base;
  const std::uint64_t count = base.size();
  const auto dimension = static_cast<std::uint32_t>(state_->dimension);
  const auto model_bytes = static_cast<std::uint32_t>(state_->model_id.size());
  const VectorLists& lists = base.lists;
  const auto list_count = static_cast<std::uint32_t>(lists.count());
  CODEXMEM_ASSIGN(FileReplacement file, FileReplacement::begin(path));
  Sink sink(std::move(file));
  std::string bytes(kMagic);
  put(&bytes, &kFormat, 1);
  put(&bytes, &state_->generation, 1);
  put(&bytes, &count, 1);
  put(&bytes, &dimension, 1);
  put(&bytes, &model_bytes, 1);
  bytes += state_->model_id;
  put(&bytes, &list_count, 1);
  if (list_count != 0) {
    put(&bytes, &lists.patience, 1);
    put_fit(&bytes, lists.trained);
    put(&bytes, &lists.trained_squares, 1);
    put_fit(&bytes, lists.added);
    put(&bytes, lists.centroids.data(), lists.centroids.size());
  }
  for (std::size_t rank = 0; rank < base.size(); ++rank) {
    const std::int64_t id = base.id_at(rank);
    put(&bytes, &id, 1);
    if (bytes.size() < kPartBytes) continue;
    CODEXMEM_TRY(sink.write(bytes));
    bytes.clear();
  }
  if (list_count != 0) {
    const std::vector<std::uint16_t> list_of = lists_by_rank(base);
    put(&bytes, list_of.data(), list_of.size());
  }
  CODEXMEM_TRY(sink.write(bytes));
  CODEXMEM_TRY(sink.write(
      {reinterpret_cast<const char*>(base.vectors.codes.data()), base.vectors.codes.size()}));
  return sink.commit();
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
  CODEXMEM_ASSIGN(FileReader file, FileReader::open(path));
  const auto damaged = [&](std::string_view what) {
    return Error{ErrorCode::kCorrupt, fmt::format("{}: {}", path.string(), what)};
  };
  const std::uint64_t size = file.size();
  if (size < kHeaderBytes + 4) return damaged("not a vector index");
  Source source(std::move(file));
  CODEXMEM_ASSIGN(const std::string head, source.read_text(kHeaderBytes));
  if (!head.starts_with(kMagic)) return damaged("not a vector index");
  const auto format = get<std::uint32_t>(head, 4);
  const auto count = get<std::uint64_t>(head, 16);
  const std::size_t dimension = get<std::uint32_t>(head, 24);
  const std::size_t model_bytes = get<std::uint32_t>(head, 28);
  if (format != kFormat) {
    // Of a newer program, or a damaged one: the checksum tells.
    CODEXMEM_ASSIGN(const std::string rest, read_file(path, kMaxFileBytes));
    if (crc32(std::string_view(rest).substr(0, rest.size() - 4)) !=
        get<std::uint32_t>(rest, rest.size() - 4)) {
      return damaged("vector index with a wrong checksum");
    }
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{}: vector index of format {}, this program reads {}", path.string(),
                             format, kFormat)};
  }
  if (dimension == 0 || dimension > kMaxDimension) return damaged("impossible dimension");
  if (count > kMaxFileBytes || size > kMaxFileBytes) {
    return damaged("vector index of a wrong size");
  }
  // Nothing overflows: count is at most 2^34, dimension 2^16, and lists 2^16.
  const std::size_t lists_at = kHeaderBytes + model_bytes;
  if (size < lists_at + 8) return damaged("vector index of a wrong size");
  CODEXMEM_ASSIGN(std::string model_id, source.read_text(model_bytes));
  std::uint32_t list_count = 0;
  CODEXMEM_TRY(source.read(&list_count, sizeof list_count));
  if (list_count > kMaxLists || (list_count != 0 && count >= std::uint64_t{1} << 32U)) {
    return damaged("vector index with impossible lists");
  }
  const std::size_t parts_bytes = list_count == 0 ? 0 : kPartsBytes + list_count * dimension;
  const std::size_t codes_at =
      lists_at + 4 + parts_bytes + 8 * count + (list_count == 0 ? 0 : 2 * count);
  // What is read from here on is there: no damage makes memory of what is not.
  if (size != codes_at + count * dimension + 4) return damaged("vector index of a wrong size");

  const auto base = std::make_shared<VectorBase>();
  VectorLists& lists = base->lists;
  if (list_count != 0) {
    CODEXMEM_ASSIGN(const std::string parts, source.read_text(kPartsBytes));
    lists.patience = get<std::uint32_t>(parts, 0);
    lists.trained = get_fit(parts, 4);
    lists.trained_squares = get<std::uint64_t>(parts, 20);
    lists.added = get_fit(parts, 28);
    if (!is_usable(lists.trained) || !is_usable(lists.added)) {
      return damaged("vector index with impossible lists");
    }
    lists.centroids.resize(list_count * dimension);
    CODEXMEM_TRY(source.read(&lists.centroids));
  }
  std::vector<std::int64_t>& ids = base->vectors.ids;
  ids.resize(count);
  CODEXMEM_TRY(source.read(&ids));
  if ((count != 0 && ids.front() < 1) ||
      std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>()) != ids.end()) {
    return damaged("vector index with ids out of order");
  }
  if (list_count != 0) {
    std::vector<std::uint16_t> list_of(count);
    CODEXMEM_TRY(source.read(&list_of));
    lists.begins.assign(list_count + 1, 0);
    for (const std::uint16_t list : list_of) {
      if (list >= list_count) return damaged("vector index with impossible lists");
      ++lists.begins[std::size_t{list} + 1];
    }
    std::partial_sum(lists.begins.begin(), lists.begins.end(), lists.begins.begin());
    std::vector<std::uint32_t> next(lists.begins.begin(), lists.begins.end() - 1);
    lists.by_id.resize(count);
    std::vector<std::int64_t> by_row(count);
    for (std::size_t rank = 0; rank < count; ++rank) {
      lists.by_id[rank] = next[list_of[rank]]++;
      by_row[lists.by_id[rank]] = ids[rank];
    }
    ids = std::move(by_row);
  }
  base->vectors.codes.resize(count * dimension);
  CODEXMEM_TRY(source.read(&base->vectors.codes));
  const std::uint32_t checksum = source.checksum();
  std::uint32_t stored = 0;
  CODEXMEM_TRY(source.read(&stored, sizeof stored));
  if (checksum != stored) return damaged("vector index with a wrong checksum");

  auto state = std::make_unique<State>();
  state->model_id = std::move(model_id);
  state->dimension = dimension;
  state->generation = get<std::uint64_t>(head, 8);
  state->base = base;
  return std::shared_ptr<const VectorIndex>(new VectorIndex(std::move(state)));
}

}  // namespace codexmem::embed
