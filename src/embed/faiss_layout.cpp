// The format that faiss::write_index of 1.7.3 and later writes for our two kinds, little-endian and
// unaligned:
//
//   flat   := "IxMp" index(n) coded(n) u64:n i64[n]:ids
//   ivf    := "IwSq" index(n) u64:lists u64:probes coded(lists) u8:0 u64:0 scale u64:d u8:0 lists
//   coded(n) := "IxSQ" index(n) scale u64:n*d byte[n*d]:codes
//   index(n) := i32:d i64:n i64 i64 u8:1 i32:0              two spare numbers, is trained, metric
//   scale  := i32:2 i32 f32 u64:d u64:d u64:2 f32:low f32:width     8-bit uniform, its one range
//   lists  := "ilar" u64:lists u64:d sizes, and of each list byte[size*d]:codes i64[size]:ids
//   sizes  := "full" u64:lists u64[lists] | "sprs" u64:2m (u64:list u64:size)[m]
//
// Tested by tests/embed/faiss_file_test.cpp and fuzz/vectors_fuzz.cpp.
#include "embed/faiss_layout.h"

#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "embed/vector_codes.h"
#include "embed/vector_lists.h"

namespace codexmem::embed {
namespace {

static_assert(std::endian::native == std::endian::little, "FAISS writes as memory has it");

constexpr std::int32_t kInnerProduct = 0;
constexpr std::int32_t kEightBitUniform = 2;
constexpr std::size_t kMaxRows = std::size_t{1} << 40U;  // no overflow when multiplied by any
                                                         // dimension

// Reads sequentially; after the first error it reads nothing more.
class Parser {
 public:
  explicit Parser(std::string_view bytes) : bytes_(bytes) {}

  bool is_good() const { return is_good_; }
  bool is_at_end() const { return is_good_ && bytes_.empty(); }
  std::size_t left() const { return bytes_.size(); }

  std::string_view take(std::size_t count) {
    if (!is_good_ || count > bytes_.size()) {
      is_good_ = false;
      return {};
    }
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }

  template <typename T>
  T number() {
    T value{};
    if (const std::string_view taken = take(sizeof value); !taken.empty())
      std::memcpy(&value, taken.data(), sizeof value);
    return value;
  }

  template <typename T>
  void expect(T value) {
    is_good_ &= number<T>() == value;
  }
  void expect_text(std::string_view text) { is_good_ &= take(text.size()) == text; }
  void check(bool condition) { is_good_ &= condition; }

 private:
  std::string_view bytes_;
  bool is_good_ = true;
};

const std::uint8_t* bytes_of(std::string_view view) {
  return reinterpret_cast<const std::uint8_t*>(view.data());
}

class LayoutReader {
 public:
  explicit LayoutReader(std::string_view file) : in_(file) {}

  std::optional<FaissLayout> read() {
    const std::string_view kind = in_.take(4);
    if (kind == "IxMp") {
      read_flat();
    } else if (kind == "IwSq") {
      read_lists();
    } else {
      return std::nullopt;
    }
    return in_.is_at_end() ? std::optional(std::move(layout_)) : std::nullopt;
  }

 private:
  void read_flat() {
    read_beginning();
    const std::string_view codes = read_coded(layout_.rows);
    in_.expect(std::uint64_t{layout_.rows});
    const std::string_view ids = in_.take(layout_.rows * sizeof(std::int64_t));
    if (in_.is_good()) layout_.parts.emplace_back(bytes_of(codes), ids.data(), layout_.rows);
  }

  void read_lists() {
    read_beginning();
    const auto count = in_.number<std::uint64_t>();
    const auto probes = in_.number<std::uint64_t>();
    in_.check(count >= 1 && count <= kMaxLists && probes >= 1 && probes <= count &&
              layout_.rows <= std::numeric_limits<std::uint32_t>::max());
    const std::string_view centroids = read_coded(count);
    in_.expect(std::uint8_t{0});  // no table from ids to places
    in_.expect(std::uint64_t{0});
    read_scale();
    in_.expect(std::uint64_t{layout_.dimension});
    in_.expect(std::uint8_t{0});  // codes of vectors, not of differences from a centroid
    in_.expect_text("ilar");
    in_.expect(count);
    in_.expect(std::uint64_t{layout_.dimension});
    const std::vector<std::uint64_t> sizes = read_sizes(count);
    std::size_t rows = 0;
    for (std::size_t list = 0; in_.is_good() && list < sizes.size(); ++list) {
      const std::size_t row_bytes = layout_.dimension + sizeof(std::int64_t);
      if (sizes[list] > in_.left() / row_bytes) return in_.check(false);
      const std::string_view codes = in_.take(sizes[list] * layout_.dimension);
      const std::string_view ids = in_.take(sizes[list] * sizeof(std::int64_t));
      layout_.parts.emplace_back(bytes_of(codes), ids.data(), sizes[list]);
      rows += sizes[list];
    }
    in_.check(rows == layout_.rows);
    layout_.centroids = {bytes_of(centroids), centroids.size()};
    layout_.probes = static_cast<std::uint32_t>(probes);
  }

  std::vector<std::uint64_t> read_sizes(std::uint64_t count) {
    const std::string_view form = in_.take(4);
    const auto numbers = in_.number<std::uint64_t>();
    std::vector<std::uint64_t> sizes;
    if (!in_.is_good() || count > kMaxLists) return sizes;
    if (form == "full") {
      in_.check(numbers == count);
      const std::string_view taken = in_.take(count * sizeof(std::uint64_t));
      sizes.resize(count);
      if (!taken.empty()) std::memcpy(sizes.data(), taken.data(), taken.size());
      return sizes;
    }
    in_.check(form == "sprs" && numbers % 2 == 0 && numbers <= 2 * count);
    sizes.resize(count);
    for (std::uint64_t i = 0, least = 0; in_.is_good() && i < numbers; i += 2) {
      const auto list = in_.number<std::uint64_t>();
      const auto size = in_.number<std::uint64_t>();
      in_.check(list >= least && list < count && size != 0);
      if (in_.is_good()) sizes[list] = size;
      least = list + 1;
    }
    return sizes;
  }

  // Reads the header of the outermost index.
  void read_beginning() {
    const auto dimension = in_.number<std::int32_t>();
    const auto rows = in_.number<std::int64_t>();
    in_.check(dimension >= 1 && static_cast<std::size_t>(dimension) <= kMaxDimension && rows >= 0 &&
              static_cast<std::size_t>(rows) <= kMaxRows);
    if (!in_.is_good()) return;
    layout_.dimension = static_cast<std::size_t>(dimension);
    layout_.rows = static_cast<std::size_t>(rows);
    read_beginning_rest();
  }

  void read_beginning_rest() {
    in_.take(2 * sizeof(std::int64_t));
    in_.expect(std::uint8_t{1});
    in_.expect(kInnerProduct);
  }

  std::string_view read_coded(std::size_t rows) {
    in_.expect_text("IxSQ");
    in_.expect(static_cast<std::int32_t>(layout_.dimension));
    in_.expect(static_cast<std::int64_t>(rows));
    read_beginning_rest();
    read_scale();
    if (!in_.is_good()) return {};
    in_.expect(std::uint64_t{rows * layout_.dimension});
    return in_.take(rows * layout_.dimension);
  }

  void read_scale() {
    in_.expect(kEightBitUniform);
    in_.take(sizeof(std::int32_t) + sizeof(float));  // how to determine a range
    in_.expect(std::uint64_t{layout_.dimension});
    in_.expect(std::uint64_t{layout_.dimension});
    in_.expect(std::uint64_t{2});
    in_.expect(kCodeLow);
    in_.expect(kCodeWidth);
  }

  Parser in_;
  FaissLayout layout_;
};

}  // namespace

std::optional<FaissLayout> read_faiss_layout(std::string_view file) {
  return LayoutReader(file).read();
}

}  // namespace codexmem::embed
