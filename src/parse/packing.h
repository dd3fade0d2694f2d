// parse/packing.h - numbers, ranges and references as the packed form of facts has them.
//
// Internal to parse: facts_codec.cpp says what is packed, and what v, d, r and t are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "parse/facts.h"

namespace codexmem::parse {

class Writer {
 public:
  void byte(std::uint32_t value) { out_.push_back(static_cast<char>(value)); }

  void number(std::uint32_t value) {
    while (value >= 0x80) {
      byte((value & 0x7F) | 0x80);
      value >>= 7;
    }
    byte(value);
  }

  void count(std::size_t value) { number(static_cast<std::uint32_t>(value)); }

  // The difference to `before`, modulo 2^32, small in either direction.
  void difference(std::uint32_t value, std::uint32_t before) {
    auto signed_value = static_cast<std::int32_t>(value - before);
    number((static_cast<std::uint32_t>(signed_value) << 1) ^
           static_cast<std::uint32_t>(signed_value >> 31));
  }

  void range(const ByteRange& range, std::uint32_t before) {
    difference(range.begin, before);
    number(range.size());
  }

  void bytes(std::string_view text) { out_ += text; }

  // A reference, close to the one before.
  void reference(std::uint32_t value, std::uint32_t& before) {
    difference(value, before);
    before = value;
  }

  // A reference to a term or none; most are the one literal, or close to the one before.
  void term(TermId value, TermId& before) {
    if (value == kNoIndex) return number(0);
    if (value == literal_) return number(1);
    const auto step = static_cast<std::int32_t>(value - before);
    number(((static_cast<std::uint32_t>(step) << 1) ^ static_cast<std::uint32_t>(step >> 31)) + 2);
    before = value;
  }

  void set_literal(TermId literal) { literal_ = literal; }

  std::string take() { return std::move(out_); }

 private:
  std::string out_;
  TermId literal_ = kNoIndex;
};

template <typename Enum>
std::uint32_t code(Enum value) {
  return static_cast<std::uint32_t>(value);
}

inline std::uint32_t flag(bool is_set, std::uint32_t bit) { return is_set ? bit : 0; }

// Reads a payload; after the first failure everything is zero and failed() says so.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  bool failed() const { return failed_; }
  void fail() {
    failed_ = true;
    at_ = bytes_.size();
  }
  bool at_end() const { return at_ == bytes_.size(); }

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

  // A count of entries, each of which takes `least` bytes or more.
  std::uint32_t count(std::uint32_t least) {
    std::uint32_t value = number();
    if (value > (bytes_.size() - at_) / least) {
      fail();
      return 0;
    }
    return value;
  }

  std::uint32_t index(std::size_t limit) {
    std::uint32_t value = number();
    if (value >= limit) {
      fail();
      return 0;
    }
    return value;
  }

  std::uint32_t difference(std::uint32_t before) {
    std::uint32_t value = number();
    return before + ((value >> 1) ^ (0U - (value & 1U)));
  }

  ByteRange range(std::uint32_t before) {
    ByteRange range;
    range.begin = difference(before);
    std::uint32_t size = number();
    if (size > 0xFFFFFFFFU - range.begin) {
      fail();
      return {};
    }
    range.end = range.begin + size;
    return range;
  }

  std::string_view bytes(std::uint32_t size) {
    if (size > bytes_.size() - at_) {
      fail();
      return {};
    }
    std::string_view text = bytes_.substr(at_, size);
    at_ += size;
    return text;
  }

  // An enum of `size` values.
  template <typename Enum>
  Enum choice(std::uint32_t value, std::uint32_t size) {
    if (value >= size) {
      fail();
      return Enum{};
    }
    return static_cast<Enum>(value);
  }

  std::uint32_t reference(std::uint32_t& before) { return before = difference(before); }

  TermId term(TermId& before) {
    const std::uint32_t value = number();
    if (value == 0) return kNoIndex;
    if (value == 1) return literal_;
    return before = before + (((value - 2) >> 1) ^ (0U - ((value - 2) & 1U)));
  }

  TermId literal() const { return literal_; }
  void set_literal(TermId literal) { literal_ = literal; }

  std::size_t left() const { return bytes_.size() - at_; }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  bool failed_ = false;
  TermId literal_ = kNoIndex;
};

}  // namespace codexmem::parse
