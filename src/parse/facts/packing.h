// parse/facts/packing.h - numbers, ranges and references in the packed form of facts.
//
// A section is one list of its fields, a template over its coder: a Writer writes the fields, a
// Reader fills them. Both have the functions under "Fields" below, and both check each value
// against the same limits: what a Writer writes without failing, a Reader reads.
//
// Internal to parse: facts_codec.cpp describes the format, and v, d, r and t.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parse/facts/facts.h"

namespace codexmem::parse {

template <typename Enum>
std::uint32_t code(Enum value) {
  return static_cast<std::uint32_t>(value);
}

inline std::uint32_t flag(bool is_set, std::uint32_t bit) { return is_set ? bit : 0; }

// Maps small differences in either direction to small numbers.
inline std::uint32_t zigzag(std::uint32_t difference) {
  return (difference << 1) ^ (0U - (difference >> 31));
}
inline std::uint32_t unzigzag(std::uint32_t value) { return (value >> 1) ^ (0U - (value & 1U)); }

class Writer {
 public:
  using Facts = const FileFacts;
  static constexpr bool kReads = false;

  explicit Writer(TermId literal) : literal_(literal) { number(literal + 1); }

  TermId literal() const { return literal_; }
  bool failed() const { return failed_; }
  void demand(bool is_good) { failed_ = failed_ || !is_good; }
  std::string take() { return std::move(out_); }

  void byte(std::uint32_t value) { out_.push_back(static_cast<char>(value)); }
  void bytes(std::string_view text) { out_ += text; }
  void count(std::size_t value) { number(static_cast<std::uint32_t>(value)); }

  // ---- Fields.

  void number(std::uint32_t value) {
    while (value >= 0x80) {
      byte((value & 0x7F) | 0x80);
      value >>= 7;
    }
    byte(value);
  }

  template <typename Rows>
  const Rows& rows(const Rows& rows, std::uint32_t /*least*/, std::size_t most = kNoIndex) {
    demand(rows.size() <= most);
    count(rows.size());
    return rows;
  }

  template <typename... Flags>
  void flags(Flags... flags) {
    byte(bits(1, flags...));
  }
  template <typename Enum, typename... Flags>
  void head(Enum value, Enum last, Flags... flags) {
    demand(value <= last);
    byte(code(value) | bits(8, flags...));
  }
  template <typename Enum>
  void choice(Enum value, Enum last) {
    demand(value <= last);
    byte(code(value));
  }

  void index(std::uint32_t value, std::size_t limit) {
    demand(value < limit);
    number(value);
  }
  void optional(std::uint32_t value, std::size_t limit = kNoIndex) {
    demand(value + 1 <= limit);
    number(value + 1);
  }
  void name(const std::string& value, const std::vector<std::string>& names) {
    const auto found = std::ranges::lower_bound(names, value);
    demand(found != names.end() && *found == value);
    count(static_cast<std::size_t>(found - names.begin()));
  }
  void text(const std::string& value) {
    count(value.size());
    bytes(value);
  }

  void difference(std::uint32_t value, std::uint32_t before) { number(zigzag(value - before)); }
  void reference(std::uint32_t value, std::uint32_t& before) {
    difference(value, before);
    before = value;
  }
  void step(std::uint32_t value, std::uint32_t& before) {
    demand(value >= before);
    number(value - before);
    before = value;
  }
  void distance(std::uint32_t value, std::uint32_t self) {
    demand(value < self);
    number(self - value);
  }

  void range(const ByteRange& range, std::uint32_t before) {
    demand(range.begin <= range.end);
    difference(range.begin, before);
    number(range.size());
  }
  void next_range(const ByteRange& next, std::uint32_t& before) {
    range(next, before);
    before = next.begin;
  }

  void term(TermId value, TermId& before) {
    if (value == kNoIndex) return number(0);
    if (value == literal_) return number(1);
    const std::uint32_t difference = zigzag(value - before);
    demand(difference + 2 >= 2);
    number(difference + 2);
    before = value;
  }

 private:
  template <typename... Flags>
  static std::uint32_t bits(std::uint32_t first, Flags... flags) {
    std::uint32_t all = 0;
    ((all |= flag(flags, first), first <<= 1), ...);
    return all;
  }

  std::string out_;
  bool failed_ = false;
  TermId literal_;
};

// Reads a payload; after the first failure all values are zero and failed() is true.
class Reader {
 public:
  using Facts = FileFacts;
  static constexpr bool kReads = true;

  explicit Reader(std::string_view bytes) : bytes_(bytes), literal_(number() - 1) {}

  TermId literal() const { return literal_; }
  bool failed() const { return failed_; }
  void fail() {
    failed_ = true;
    at_ = bytes_.size();
  }
  bool at_end() const { return at_ == bytes_.size(); }
  std::size_t left() const { return bytes_.size() - at_; }

  std::uint32_t byte() {
    if (at_ >= bytes_.size()) {
      fail();
      return 0;
    }
    return static_cast<unsigned char>(bytes_[at_++]);
  }

  std::uint32_t number() {
    std::uint32_t value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      std::uint32_t part = byte();
      if (shift == 28 && part > 0x0F) break;
      value |= (part & 0x7F) << shift;
      if (part < 0x80) return value;
    }
    fail();
    return 0;
  }

  std::string_view bytes(std::uint32_t size) {
    if (size > left()) {
      fail();
      return {};
    }
    std::string_view text = bytes_.substr(at_, size);
    at_ += size;
    return text;
  }

  // A count of entries of at least `least` bytes each.
  std::uint32_t count(std::uint32_t least) {
    const std::uint32_t value = number();
    return checked(value, value <= left() / least);
  }

  template <typename Enum>
  Enum enum_of(std::uint32_t value, Enum last) {
    return static_cast<Enum>(checked(value, value <= code(last)));
  }

  // ---- Fields.

  void number(std::uint32_t& value) { value = number(); }

  // Up to `most` rows of at least `least` bytes each.
  template <typename Rows>
  Rows& rows(Rows& rows, std::uint32_t least, std::size_t most = kNoIndex) {
    const std::uint32_t size = count(least);
    rows.resize(checked(size, size <= most));
    return rows;
  }

  // A byte of flags, starting at bit 1.
  template <typename... Flags>
  void flags(Flags&... flags) {
    set(byte(), flags...);
  }
  // An enum of up to 8 values, and flags starting at bit 8.
  template <typename Enum, typename... Flags>
  void head(Enum& value, Enum last, Flags&... flags) {
    const std::uint32_t head = byte();
    value = enum_of(head & 7, last);
    set(head >> 3, flags...);
  }
  template <typename Enum>
  void choice(Enum& value, Enum last) {
    value = enum_of(byte(), last);
  }

  void index(std::uint32_t& value, std::size_t limit) {
    number(value);
    value = checked(value, value < limit);
  }
  // An index or kNoIndex.
  void optional(std::uint32_t& value, std::size_t limit = kNoIndex) {
    number(value);
    value = checked(value, value <= limit) - 1;
  }
  void name(std::string& value, const std::vector<std::string>& names) {
    std::uint32_t id = 0;
    index(id, names.size());
    if (!failed_) value = names[id];
  }
  void text(std::string& value) { value = bytes(number()); }

  // The difference to `before`, modulo 2^32.
  void difference(std::uint32_t& value, std::uint32_t before) {
    value = before + unzigzag(number());
  }
  // A reference, close to the previous one.
  void reference(std::uint32_t& value, std::uint32_t& before) {
    difference(value, before);
    before = value;
  }
  // A number that is not smaller than the previous one.
  void step(std::uint32_t& value, std::uint32_t& before) {
    const std::uint32_t step = number();
    before = value = before + checked(step, step <= 0xFFFFFFFFU - before);
  }
  // A reference to an earlier item than `self` in its section.
  void distance(std::uint32_t& value, std::uint32_t self) {
    const std::uint32_t distance = number();
    value = self - checked(distance, distance != 0 && distance <= self);
  }

  void range(ByteRange& range, std::uint32_t before) {
    difference(range.begin, before);
    const std::uint32_t size = number();
    range.end = range.begin + checked(size, size <= 0xFFFFFFFFU - range.begin);
  }
  void next_range(ByteRange& next, std::uint32_t& before) {
    range(next, before);
    before = next.begin;
  }

  // An optional reference to a term; most are the literal, or close to the previous one.
  void term(TermId& value, TermId& before) {
    const std::uint32_t given = number();
    if (given < 2) {
      value = given == 0 ? kNoIndex : literal_;
    } else {
      value = before += unzigzag(given - 2);
    }
  }

 private:
  std::uint32_t checked(std::uint32_t value, bool is_good) {
    if (is_good) return value;
    fail();
    return 0;
  }

  template <typename... Flags>
  static void set(std::uint32_t bits, Flags&... flags) {
    ((flags = (bits & 1) != 0, bits >>= 1), ...);
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  bool failed_ = false;
  TermId literal_;
};

}  // namespace codexmem::parse
