// The file has the format of faiss::write_index (embed/faiss_layout.h). The side file,
// little-endian:
//
//   side  := "CXVM" u32:format=1 u32:crc of all that follows
//            u64:bytes u32:crc of the FAISS file
//            u64:generation u64:vectors u32:dimension u32:lists u32:m byte[m]:model id
//            (lists != 0: u32:patience fit:trained u64:squares fit:added u16[vectors]:list of each)
//   fit   := u64:rows i64:sum
//
// The lists of the vectors are in the order of ids: this gives the place of each id in the lists,
// and excludes duplicate ids. A pair matches if size and CRC-32 agree. It is written in this order:
// both new files are written completely under other names; the old side file is removed, the FAISS
// file is renamed, then the side file. So a process that dies in between leaves a FAISS file
// without a side file, which is not an index, and a concurrent reader retries once. Nothing waits
// for the disk: remains of a power cut fail their checksum and are rebuilt.
//
// The FAISS file is read in place. A damaged or hostile file can contain any ids and codes: every
// code is valid, and ids are checked to ascend.
//
// Tested by tests/embed/faiss_file_test.cpp, vector_index_test.cpp and vector_lists_test.cpp.
#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/crc32.h"
#include "base/file.h"
#include "embed/faiss_index.h"
#include "embed/faiss_layout.h"
#include "embed/vector_codes.h"
#include "embed/vector_index.h"
#include "embed/vector_index_state.h"
#include "embed/vector_lists.h"

namespace codexmem::embed {
namespace {

static_assert(std::endian::native == std::endian::little, "the file is written as memory has it");

constexpr std::string_view kMagic = "CXVM";
constexpr std::uint32_t kFormat = 1;  // stored: never renumber
constexpr std::size_t kSummedFrom = 12;
constexpr std::size_t kMaxSideBytes = std::size_t{1} << 33U;
constexpr std::size_t kMaxModelBytes = 4096;
// Only two system calls are between the renames.
constexpr std::chrono::milliseconds kBetweenRenames{1};

template <typename T>
void put(std::string* bytes, const T* values, std::size_t count) {
  if (count != 0) bytes->append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

template <typename T>
void put(std::string* bytes, T value) {
  put(bytes, &value, 1);
}

void put(std::string* bytes, const ListFit& fit) {
  put(bytes, fit.rows);
  put(bytes, fit.sum);
}

// The contents of the side file.
struct Side {
  std::uint64_t file_bytes = 0;
  std::uint32_t file_checksum = 0;
  VectorIndex::Head head;
  VectorLists lists;                   // patience, trained, trained_squares and added
  std::vector<std::uint16_t> list_of;  // by rank
};

// Reads sequentially; past the end everything is 0, and is_good() is false.
class SideReader {
 public:
  explicit SideReader(std::string_view bytes) : bytes_(bytes) {}

  bool is_good() const { return is_good_; }
  std::size_t left() const { return bytes_.size(); }

  std::string_view take(std::size_t count) {
    is_good_ &= count <= bytes_.size();
    const std::string_view taken = is_good_ ? bytes_.substr(0, count) : std::string_view();
    bytes_.remove_prefix(taken.size());
    return taken;
  }
  template <typename T>
  T number() {
    T value{};
    if (const auto taken = take(sizeof value); !taken.empty())
      std::memcpy(&value, taken.data(), sizeof value);
    return value;
  }
  ListFit fit() {
    const auto rows = number<std::uint64_t>();
    return {rows, number<std::int64_t>()};
  }

 private:
  std::string_view bytes_;
  bool is_good_ = true;
};

// Its sums stay within 63 bits, whatever is folded in.
bool is_usable(const ListFit& fit) {
  return fit.rows < std::uint64_t{1} << 40U && fit.sum < std::int64_t{1} << 60U &&
         fit.sum > -(std::int64_t{1} << 60U);
}

// Reads the part of a side file of this format after the checksum, if it is usable.
std::optional<Side> parse_side(std::string_view bytes) {
  SideReader in(bytes);
  Side side;
  side.file_bytes = in.number<std::uint64_t>();
  side.file_checksum = in.number<std::uint32_t>();
  side.head.generation = in.number<std::uint64_t>();
  VectorIndex::Kind& kind = side.head.kind;
  kind.vectors = in.number<std::uint64_t>();
  kind.dimension = in.number<std::uint32_t>();
  kind.lists = in.number<std::uint32_t>();
  const auto model_bytes = in.number<std::uint32_t>();
  if (!in.is_good() || kind.dimension == 0 || kind.dimension > kMaxDimension ||
      kind.lists > kMaxLists || model_bytes > kMaxModelBytes) {
    return std::nullopt;
  }
  side.head.model_id = in.take(model_bytes);
  if (kind.lists != 0) {
    side.lists.patience = in.number<std::uint32_t>();
    side.lists.trained = in.fit();
    side.lists.trained_squares = in.number<std::uint64_t>();
    side.lists.added = in.fit();
    if (!is_usable(side.lists.trained) || !is_usable(side.lists.added) ||
        kind.vectors > std::numeric_limits<std::uint32_t>::max() ||
        in.left() != kind.vectors * sizeof(std::uint16_t)) {
      return std::nullopt;
    }
    const std::string_view list_of = in.take(in.left());
    side.list_of.resize(kind.vectors);
    if (!list_of.empty()) std::memcpy(side.list_of.data(), list_of.data(), list_of.size());
  }
  return in.is_good() && in.left() == 0 ? std::optional(std::move(side)) : std::nullopt;
}

Error corrupt(const std::filesystem::path& path, std::string_view what) {
  return {ErrorCode::kCorrupt, fmt::format("{}: {}", path.string(), what)};
}

// Errors: as VectorIndex::load().
Result<Side> read_side(const std::filesystem::path& path) {
  CODEXMEM_ASSIGN(const std::string file, read_file(path, kMaxSideBytes));
  const std::string_view bytes = file;
  SideReader in(bytes);
  const std::string_view magic = in.take(kMagic.size());
  const auto format = in.number<std::uint32_t>();
  const auto checksum = in.number<std::uint32_t>();
  if (magic != kMagic || !in.is_good()) return corrupt(path, "not what belongs to a vector index");
  if (crc32(bytes.substr(kSummedFrom)) != checksum) return corrupt(path, "wrong checksum");
  if (format != kFormat) {
    return Error{ErrorCode::kUnsupported, fmt::format("{}: of format {}, this program reads {}",
                                                      path.string(), format, kFormat)};
  }
  auto side = parse_side(bytes.substr(kSummedFrom));
  if (!side) return corrupt(path, "damaged");
  return std::move(*side);
}

std::string side_bytes(const Side& side, const VectorBase& base) {
  std::string body;
  put(&body, side.file_bytes);
  put(&body, side.file_checksum);
  put(&body, side.head.generation);
  put(&body, std::uint64_t{base.size()});
  put(&body, static_cast<std::uint32_t>(side.head.kind.dimension));
  put(&body, static_cast<std::uint32_t>(base.lists.count()));
  put(&body, static_cast<std::uint32_t>(side.head.model_id.size()));
  body += side.head.model_id;
  if (base.lists.count() != 0) {
    put(&body, base.lists.patience);
    put(&body, base.lists.trained);
    put(&body, base.lists.trained_squares);
    put(&body, base.lists.added);
    for (const std::uint32_t row : base.lists.by_id) {
      put(&body, static_cast<std::uint16_t>(base.part_of(row)));
    }
  }
  std::string bytes(kMagic);
  put(&bytes, kFormat);
  put(&bytes, crc32(body));
  return bytes + body;
}

// Writes FAISS's data of `base`, and sets size and checksum. Errors: kIo; kUnsupported when FAISS
// fails.
Result<void> write_base(const VectorBase& base, FileReplacement* file, Side* side) {
  if (base.file != nullptr) {
    const std::string_view bytes = base.file->file.bytes();
    side->file_bytes = bytes.size();
    side->file_checksum = base.file->checksum;
    return file->write(bytes);
  }
  return base.memory->write([&](std::string_view bytes) {
    side->file_bytes += bytes.size();
    side->file_checksum = crc32(bytes, side->file_checksum);
    return file->write(bytes);
  });
}

// True while consecutive ids ascend from 1 on.
class AscendingIds {
 public:
  bool take(std::int64_t id) { return id > std::exchange(last_, id); }

 private:
  std::int64_t last_ = 0;
};

// Sets the lists of `base` from the two files; false if they do not agree.
bool set_lists(VectorBase* base, const FaissLayout& layout, Side* side) {
  VectorLists& lists = base->lists;
  lists = std::move(side->lists);
  lists.centroids.assign(layout.centroids.begin(), layout.centroids.end());
  lists.probes = layout.probes;
  lists.begins.assign(1, 0);
  for (const VectorRows& rows : base->parts) {
    lists.begins.push_back(lists.begins.back() + static_cast<std::uint32_t>(rows.size()));
  }
  lists.set_list_of();
  std::vector<std::uint32_t> next(base->parts.size());  // number of visited rows in each list
  lists.by_id.reserve(base->size());
  AscendingIds ids;
  for (const std::uint16_t list : side->list_of) {
    if (list >= next.size() || next[list] == base->parts[list].size()) return false;
    const std::uint32_t row = next[list]++;
    if (!ids.take(base->parts[list].id(row))) return false;
    lists.by_id.push_back(lists.begins[list] + row);
  }
  return true;
}

bool has_ascending_ids(const VectorRows& rows) {
  AscendingIds ids;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!ids.take(rows.id(row))) return false;
  }
  return true;
}

// The base in the file at `path`, which belongs to `side`. Errors: as VectorIndex::load().
Result<std::shared_ptr<const VectorBase>> map_base(const std::filesystem::path& path, Side* side) {
  CODEXMEM_ASSIGN(MappedFile file, MappedFile::open(path));
  const std::string_view bytes = file.bytes();
  if (bytes.size() != side->file_bytes || crc32(bytes) != side->file_checksum) {
    return corrupt(path, "not the vector index that the file beside it is about, or damaged");
  }
  auto layout = read_faiss_layout(bytes);
  if (!layout) return corrupt(path, "not a FAISS index of this program's kinds");
  const VectorIndex::Kind& kind = side->head.kind;
  if (layout->dimension != kind.dimension || layout->rows != kind.vectors ||
      layout->centroids.size() != kind.lists * kind.dimension) {
    return corrupt(path, "not the vector index that the file beside it is about");
  }
  auto base = std::make_shared<VectorBase>();
  base->rows = layout->rows;
  base->parts = std::move(layout->parts);
  if (kind.lists != 0 ? !set_lists(base.get(), *layout, side)
                      : !has_ascending_ids(base->parts.front())) {
    return corrupt(path, "vector index with ids out of order, or impossible lists");
  }
  base->file = std::make_shared<MappedIndex>(MappedIndex{std::move(file), side->file_checksum});
  return std::shared_ptr<const VectorBase>(std::move(base));
}

}  // namespace

std::filesystem::path VectorIndex::side_path(const std::filesystem::path& path) {
  return path.string() + ".meta";
}

Result<void> VectorIndex::save(const std::filesystem::path& path) const {
  if (!is_whole()) {
    return Error{ErrorCode::kIo, path.string() + ": the vector index was cut by another program"};
  }
  if (state_->removed.size() != 0 || state_->tail.size() != 0) {
    return VectorIndexBuilder(*this).finish(generation(), true)->save(path);
  }
  const std::filesystem::path side_file_path = side_path(path);
  Side side;
  side.head = {.model_id = model_id(), .generation = generation(), .kind = kind()};
  CODEXMEM_ASSIGN(FileReplacement file, FileReplacement::begin(path));
  CODEXMEM_TRY(write_base(*state_->base, &file, &side));
  CODEXMEM_ASSIGN(FileReplacement side_file, FileReplacement::begin(side_file_path));
  CODEXMEM_TRY(side_file.write(side_bytes(side, *state_->base)));
  std::error_code failed;
  std::filesystem::remove(side_file_path, failed);
  CODEXMEM_TRY(file.commit(Sync::kNo));
  return side_file.commit(Sync::kNo);
}

Result<bool> VectorIndex::agrees_with_faiss(std::size_t queries) const {
  constexpr std::size_t kNearest = 10;
  constexpr float kTie = 1e-3F;
  const VectorBase& base = *state_->base;
  if (base.file == nullptr || base.size() == 0) return true;
  if (!is_whole()) return Error{ErrorCode::kIo, "the vector index was cut by another program"};
  std::string codes;
  for (std::size_t i = 0; i < queries; ++i) {
    const std::size_t row = base.row_at(i * base.size() / queries);
    codes.append(reinterpret_cast<const char*>(base.code_of(row, dimension())), dimension());
  }
  CODEXMEM_ASSIGN(const std::vector<float> asked, decode_vectors(codes, dimension()));
  CODEXMEM_ASSIGN(const auto theirs, search_with_faiss(base.file->file.bytes(), asked, kNearest));
  const VectorIndex plain(std::make_unique<State>(State{.model_id = model_id(),
                                                        .dimension = dimension(),
                                                        .generation = generation(),
                                                        .base = state_->base,
                                                        .removed = {},
                                                        .tail = {}}));
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    const std::span query = std::span(asked).subspan(i * dimension(), dimension());
    std::vector<std::int64_t> ids;
    for (const VectorHit& hit : theirs[i]) ids.push_back(hit.id);
    CODEXMEM_ASSIGN(const auto same, plain.score_ids(query, ids));
    CODEXMEM_ASSIGN(auto best, plain.score_all(query));
    const std::size_t count = std::min(kNearest, best.size());
    std::partial_sort(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(count), best.end(),
                      [](VectorHit a, VectorHit b) { return a.score > b.score; });
    if (same.size() != count || ids.size() != count) return false;
    for (std::size_t k = 0; k < count; ++k) {
      if (std::fabs(same[k].score - theirs[i][k].score) > kTie ||
          std::fabs(best[k].score - theirs[i][k].score) > kTie) {
        return false;
      }
    }
  }
  return true;
}

Result<void> VectorIndex::remove_files(const std::filesystem::path& path) {
  for (const std::filesystem::path& file : {side_path(path), path}) {
    std::error_code failed;
    std::filesystem::remove(file, failed);
    if (failed) return Error{ErrorCode::kIo, file.string() + ": " + failed.message()};
  }
  return {};
}

Result<VectorIndex::Head> VectorIndex::load_head(const std::filesystem::path& path) {
  CODEXMEM_ASSIGN(Side side, read_side(side_path(path)));
  std::error_code failed;
  const auto bytes = std::filesystem::file_size(path, failed);
  if (failed) return Error{ErrorCode::kNotFound, path.string() + ": " + failed.message()};
  if (bytes != side.file_bytes) return corrupt(path, "vector index of a wrong size");
  return std::move(side.head);
}

Result<std::shared_ptr<const VectorIndex>> VectorIndex::load(const std::filesystem::path& path) {
  const auto try_once = [&]() -> Result<std::shared_ptr<const VectorIndex>> {
    CODEXMEM_ASSIGN(Side side, read_side(side_path(path)));
    auto state = std::make_unique<State>();
    CODEXMEM_ASSIGN(state->base, map_base(path, &side));
    state->model_id = std::move(side.head.model_id);
    state->dimension = side.head.kind.dimension;
    state->generation = side.head.generation;
    return std::shared_ptr<const VectorIndex>(new VectorIndex(std::move(state)));
  };
  auto loaded = try_once();
  std::error_code ignored;
  if (loaded.ok() || !std::filesystem::exists(path, ignored)) return loaded;
  std::this_thread::sleep_for(kBetweenRenames);
  return try_once();
}

}  // namespace codexmem::embed
