// Learning reads the sample once: it is cut into the longest phrases known so far, and two phrases
// that have been neighbours often enough become a new phrase (OnPair, Gargiulo and Venturini,
// arXiv:2508.02280). Encoding takes the longest phrase at each place. Both look phrases up by their
// bytes: tables indexed by the first two, four and eight bytes say which lengths exist, so about
// two look-ups in the hash table find a phrase.
//
// Measured on sources of nine repositories and a part of Linux: docs/how-it-works.md, "Store". In
// the paper a phrase may take 64 bytes; 16 cost 3% more codes and need no lists of candidates.
//
// Tested by text/phrase_book_test.cpp.
#include "text/phrase_book.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "base/hash.h"

namespace codexmem {
namespace {

constexpr std::size_t kMost = PhraseBook::kMaxPhraseBytes;
constexpr std::uint16_t kNoCode = 0xFFFF;
constexpr std::size_t kMarkBytes = 3;
constexpr std::size_t kMaxText = std::size_t{1} << (8 * kMarkBytes);

// The first bytes at a place, followed by zeros after `size`.
struct Front {
  std::uint64_t low = 0, high = 0;
  std::size_t size = 0;  // at most kMost

  static Front load(const char* data) {
    Front front{.size = kMost};
    std::memcpy(&front.low, data, 8);
    std::memcpy(&front.high, data + 8, 8);
    return front;
  }

  static Front at(const char* data, std::size_t left) {
    if (left >= kMost) return load(data);
    char bytes[kMost] = {};
    std::memcpy(bytes, data, left);
    Front front = load(bytes);
    front.size = left;
    return front;
  }

  Front cut(std::size_t length) const {
    const auto mask = [](std::size_t bytes) {
      return bytes >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1;
    };
    return {low & mask(length), length > 8 ? high & mask(length - 8) : 0, length};
  }

  // (The bytes are in memory order on any machine.)
  std::size_t pair() const { return low & 0xFFFF; }
  std::size_t hash_four() const { return ((low & 0xFFFFFFFF) * 0x9E3779B97F4A7C15ULL) >> 49; }
  std::size_t hash_eight() const { return (low * 0x9E3779B97F4A7C15ULL) >> 49; }
  std::uint64_t hash() const {
    std::uint64_t x = (low ^ (high * 0xC2B2AE3D27D4EB4FULL)) + size * 0x165667B19E3779F9ULL;
    x = (x ^ (x >> 29)) * 0xBF58476D1CE4E5B9ULL;
    return x ^ (x >> 32);
  }
};
static_assert(std::endian::native == std::endian::little);

// Counts how often two phrases were neighbours: open addressing; emptied when it is full.
class PairCounts {
 public:
  PairCounts() : slots_(kSlots) {}

  std::uint32_t count(std::uint32_t pair) {
    for (std::size_t i = (pair * 0x9E3779B1U) >> (32 - kBits);; i = (i + 1) & (kSlots - 1)) {
      if (slots_[i].count == 0) {
        if (++used_ > kSlots / 4 * 3) {
          std::fill(slots_.begin(), slots_.end(), Slot{});
          used_ = 0;
          return 1;
        }
        slots_[i] = {pair, 1};
        return 1;
      }
      if (slots_[i].pair == pair) return ++slots_[i].count;
    }
  }

 private:
  static constexpr unsigned kBits = 21;
  static constexpr std::size_t kSlots = std::size_t{1} << kBits;
  struct Slot {
    std::uint32_t pair = 0, count = 0;
  };
  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

void put_number(std::string* out, std::size_t number, std::size_t bytes) {
  for (std::size_t i = bytes; i-- > 0;) *out += static_cast<char>(number >> (8 * i) & 0xFF);
}

std::size_t blocks_of(std::size_t size) {
  return (size + PhraseBook::kBlockBytes - 1) / PhraseBook::kBlockBytes;
}

// Finds phrases by their bytes.
class PhraseTable {
 public:
  explicit PhraseTable(const std::vector<std::array<char, kMost>>& bytes) : bytes_(bytes) {}

  // Adds the phrase of `code`, of `length` bytes.
  void add(std::uint16_t code, std::size_t length) {
    if (length == 1) return;
    const Front front = Front::load(bytes_[code].data()).cut(length);
    if (length == 2) {
      if (pairs_[front.pair()] == kNoCode) pairs_[front.pair()] = code;
      return;
    }
    if (length == 3) has_three_[front.pair()] = true;
    if (length >= 4) {
      four_[front.hash_four()] |=
          static_cast<std::uint16_t>(1U << std::min<std::size_t>(length, 8));
    }
    if (length >= 8) {
      eight_[front.hash_eight()] |= static_cast<std::uint16_t>(1U << (length - 8));
    }
    const std::uint64_t hash = front.hash();
    std::size_t i = hash & (kSlots - 1);
    while (slots_[i] != 0) i = (i + 1) & (kSlots - 1);
    slots_[i] = print_of(hash, length) | code;
  }

  struct Match {
    std::uint16_t code = 0;
    std::size_t length = 0;
  };

  // The longest phrase at `data`, which has `left` bytes, at least 1.
  Match match(const char* data, std::size_t left) const {
    const Front front = Front::at(data, left);
    if (front.size >= 4) {
      const std::uint32_t some = four_[front.hash_four()];
      std::uint32_t lengths = some & 0xFFU;
      if ((some >> 8 & 1U) != 0 && front.size >= 8) {
        lengths |= static_cast<std::uint32_t>(eight_[front.hash_eight()]) << 8;
      }
      if (front.size < kMost) lengths &= (2U << front.size) - 1;
      while (lengths != 0) {
        const auto length = static_cast<std::size_t>(std::bit_width(lengths)) - 1;
        if (const std::uint16_t code = find(front, length); code != kNoCode) return {code, length};
        lengths ^= 1U << length;
      }
    }
    if (front.size >= 3 && has_three_[front.pair()]) {
      if (const std::uint16_t code = find(front, 3); code != kNoCode) return {code, 3};
    }
    if (front.size >= 2 && pairs_[front.pair()] != kNoCode) return {pairs_[front.pair()], 2};
    return {static_cast<unsigned char>(*data), 1};
  }

 private:
  static constexpr std::size_t kSlots = std::size_t{1} << 17;

  static std::uint32_t print_of(std::uint64_t hash, std::size_t length) {
    return (static_cast<std::uint32_t>(hash >> 32) & 0xFFF00000) |
           static_cast<std::uint32_t>(length - 1) << 16;
  }

  std::uint16_t find(const Front& all, std::size_t length) const {
    const Front front = all.cut(length);
    const std::uint64_t hash = front.hash();
    const std::uint32_t print = print_of(hash, length);
    for (std::size_t i = hash & (kSlots - 1); slots_[i] != 0; i = (i + 1) & (kSlots - 1)) {
      if ((slots_[i] & 0xFFFF0000) != print) continue;
      const auto code = static_cast<std::uint16_t>(slots_[i]);
      const Front phrase = Front::load(bytes_[code].data());  // phrases are padded with zeros
      if (phrase.low == front.low && phrase.high == front.high) return code;
    }
    return kNoCode;
  }

  const std::vector<std::array<char, kMost>>& bytes_;
  // 12 bits of the hash, 4 bits length - 1, 16 bits code; 0: free. (Phrases of one byte are not
  // here.)
  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(kSlots);
  std::vector<std::uint16_t> pairs_ = std::vector<std::uint16_t>(65536, kNoCode);
  std::vector<bool> has_three_ = std::vector<bool>(65536);  // by the first two bytes
  // Bit n: a phrase of n bytes has this beginning; bit 8: one of 8 or more. Indexed by a hash.
  std::vector<std::uint16_t> four_ = std::vector<std::uint16_t>(32768);
  std::vector<std::uint16_t> eight_ = std::vector<std::uint16_t>(32768);  // for 8 bytes and more
};

}  // namespace

struct PhraseBook::Impl {
  std::vector<std::array<char, kMost>> bytes;  // by code, padded with zeros
  std::vector<std::uint8_t> lengths;
  std::string name;
  std::once_flag table_made;
  std::unique_ptr<PhraseTable> made_table;  // only encoding needs it

  void add(std::string_view phrase) {
    std::array<char, kMost> padded{};
    std::memcpy(padded.data(), phrase.data(), phrase.size());
    bytes.push_back(padded);
    lengths.push_back(static_cast<std::uint8_t>(phrase.size()));
  }

  const PhraseTable& table() {
    std::call_once(table_made, [&] {
      made_table = std::make_unique<PhraseTable>(bytes);
      for (std::size_t code = 0; code < lengths.size(); ++code) {
        made_table->add(static_cast<std::uint16_t>(code), lengths[code]);
      }
    });
    return *made_table;
  }

  // The phrases, each after a byte with its length.
  std::string packed() const {
    std::string all;
    for (std::size_t code = 0; code < lengths.size(); ++code) {
      all += static_cast<char>(lengths[code]);
      all.append(bytes[code].data(), lengths[code]);
    }
    return all;
  }
  void set_name(std::string_view packed) { name = sha256_hex(packed).substr(0, 32); }
};

PhraseBook::PhraseBook(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
PhraseBook::PhraseBook(PhraseBook&&) noexcept = default;
PhraseBook& PhraseBook::operator=(PhraseBook&&) noexcept = default;
PhraseBook::~PhraseBook() = default;

PhraseBook PhraseBook::learn(std::string_view sample, std::size_t most) {
  most = std::clamp<std::size_t>(most, 256, kMaxPhrases);
  auto impl = std::make_unique<Impl>();
  PhraseTable table(impl->bytes);
  for (int byte = 0; byte < 256; ++byte) {
    const char one = static_cast<char>(byte);
    impl->add({&one, 1});
  }
  PairCounts met;
  // With a larger sample, a pair needs more occurrences.
  const std::size_t enough =
      std::clamp<std::size_t>(sample.size() / (most * std::size_t{40}), 2, 8);
  std::size_t at = 0, before = 0;  // `before`: the length of the previous phrase
  std::uint16_t last = 0;
  while (at < sample.size() && impl->lengths.size() < most) {
    const auto [code, length] = table.match(sample.data() + at, sample.size() - at);
    const bool fits = before != 0 && before + length <= kMost;
    if (fits && met.count(static_cast<std::uint32_t>(last) << 16 | code) == enough) {
      last = static_cast<std::uint16_t>(impl->lengths.size());
      impl->add(sample.substr(at - before, before + length));
      before += length;
      table.add(last, before);
    } else {
      last = code;
      before = length;
    }
    at += length;
  }
  impl->set_name(impl->packed());
  return PhraseBook(std::move(impl));
}

std::optional<PhraseBook> PhraseBook::from(std::string_view phrases) {
  auto impl = std::make_unique<Impl>();
  impl->bytes.reserve(std::min(phrases.size() / 8, kMaxPhrases));
  impl->lengths.reserve(impl->bytes.capacity());
  for (std::size_t at = 0; at < phrases.size();) {
    const std::size_t code = impl->lengths.size(), length = static_cast<unsigned char>(phrases[at]);
    if (code == kMaxPhrases || length == 0 || length > kMost || length >= phrases.size() - at) {
      return std::nullopt;
    }
    const std::string_view phrase = phrases.substr(at + 1, length);
    if (code < 256 && (length != 1 || static_cast<unsigned char>(phrase[0]) != code)) {
      return std::nullopt;
    }
    impl->add(phrase);
    at += 1 + length;
  }
  if (impl->lengths.size() < 256) return std::nullopt;
  impl->set_name(phrases);
  return PhraseBook(std::move(impl));
}

std::size_t PhraseBook::size() const { return impl_->lengths.size(); }
std::string_view PhraseBook::phrase(std::size_t code) const {
  return {impl_->bytes[code].data(), impl_->lengths[code]};
}
std::string PhraseBook::packed() const { return impl_->packed(); }
const std::string& PhraseBook::name() const { return impl_->name; }

std::optional<std::string> PhraseBook::encode(std::string_view text) const {
  // SQL counts blocks, and the codes of a block, using the rows of phrases.
  if (text.empty() || size() < kBlockBytes || blocks_of(text.size()) > size() ||
      text.size() >= kMaxText) {
    return std::nullopt;
  }
  const PhraseTable& table = impl_->table();
  std::string marks, codes;
  codes.reserve(text.size() / 2);
  for (std::size_t at = 0; at < text.size();) {
    put_number(&marks, codes.size() / 2, kMarkBytes);
    const std::size_t end = std::min(text.size(), at + kBlockBytes);
    while (at < end) {
      const auto [code, length] = table.match(text.data() + at, end - at);
      put_number(&codes, code, 2);
      at += length;
    }
  }
  return marks + codes;
}

std::optional<std::string> PhraseBook::decode(std::string_view coded, std::size_t size) const {
  const std::size_t marks = blocks_of(size) * kMarkBytes;
  // A code never represents more than kMost bytes.
  if (coded.size() < marks || size > (coded.size() - marks) / 2 * kMost) return std::nullopt;
  std::string text(size + kMost, '\0');
  std::size_t at = 0;
  for (std::size_t i = marks; i + 1 < coded.size(); i += 2) {
    const std::size_t code = static_cast<std::size_t>(static_cast<unsigned char>(coded[i])) << 8 |
                             static_cast<unsigned char>(coded[i + 1]);
    if (code >= impl_->lengths.size()) return std::nullopt;
    std::memcpy(text.data() + at, impl_->bytes[code].data(), kMost);
    at += impl_->lengths[code];
    if (at > size) return std::nullopt;
  }
  if (at != size || (coded.size() - marks) % 2 != 0) return std::nullopt;
  text.resize(size);
  return text;
}

}  // namespace codexmem
