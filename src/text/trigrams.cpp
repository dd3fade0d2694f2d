// A filter is a Bloom filter with one hash function. Its size matters most, because it is stored
// with the sources and room is scarce. So it has two bits per trigram, and a trigram that a text
// does not contain passes with 1 - exp(-1/2) = 0.39. A search has about as many trigrams as its
// literals have letters, and each missing trigram makes a wrong pass less likely by this factor:
// eight missing, 0.0005. Trigrams with white space are left out: they are a third of all, and the
// least distinctive.
//
// Tested by text/trigrams_test.cpp.
#include "text/trigrams.h"

#include <algorithm>
#include <array>
#include <utility>

namespace codexmem {
namespace {

constexpr unsigned kUnitBits = 7;
constexpr std::uint32_t kTrigrams = 1U << (3 * kUnitBits);
constexpr std::size_t kTrigramsPerByte = 4;  // two bits each
constexpr std::uint8_t kBreak = 0;           // not a unit
constexpr std::uint8_t kSeveral = 0xFF;      // a byte of a multi-byte character

constexpr std::array<std::uint8_t, 256> make_units() {
  std::array<std::uint8_t, 256> units{};
  for (unsigned c = 0; c < 256; ++c) {
    units[c] = static_cast<std::uint8_t>(c >= 0x80              ? kSeveral
                                         : c <= ' ' || c == 127 ? kBreak
                                         : c >= 'A' && c <= 'Z' ? c - 'A' + 'a'
                                                                : c);
  }
  return units;
}
constexpr std::array<std::uint8_t, 256> kUnits = make_units();

// The code point that begins at `at` and its length; invalid UTF-8 is a byte with code 0.
std::pair<std::uint32_t, std::size_t> decode(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(at);
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  if (size == 1 || at + size > text.size()) return {0, 1};
  std::uint32_t point = lead & (0x7FU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(at + i) & 0xC0U) != 0x80U) return {0, 1};
    point = point << 6 | (byte(at + i) & 0x3FU);
  }
  return {point, size};
}

bool is_caseless(std::uint32_t point) {
  return (point >= 0x2E80 && point < 0xA640) || (point >= 0xAC00 && point < 0xD7A4);
}

// Calls `visit` with each trigram of `text`, including repeated ones.
template <typename Visit>
void visit_trigrams(std::string_view text, Visit visit) {
  std::uint32_t run = 0;
  unsigned size = 0;  // number of units in `run`, at most 3
  const auto add = [&](std::uint32_t unit) {
    run = (run << kUnitBits | unit) & (kTrigrams - 1);
    size += size < 3;
    if (size == 3) visit(run);
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::uint8_t unit = kUnits[static_cast<unsigned char>(text[at])];
    if (unit == kBreak) {
      size = 0;
      ++at;
    } else if (unit != kSeveral) {
      add(unit);
      ++at;
    } else {
      const auto [point, bytes] = decode(text, at);
      if (point == 0x212A || point == 0x17F) {
        add(point == 0x17F ? 's' : 'k');
      } else if (is_caseless(point)) {
        // Lower numbers than the units of ASCII characters.
        for (std::size_t i = 0; i < bytes; ++i) {
          add(static_cast<unsigned char>(text[at + i]) & 0x1FU);
        }
      } else {
        size = 0;
      }
      at += bytes;
    }
  }
}

std::size_t place_of(std::uint32_t trigram, std::size_t bits) {
  // Trigrams of one alphabet differ in few bits; two rounds of multiplication spread them.
  std::uint32_t mixed = (trigram + 1) * 0x85EBCA6BU;
  mixed = (mixed ^ mixed >> 13) * 0xC2B2AE35U;
  mixed ^= mixed >> 16;
  return static_cast<std::size_t>(std::uint64_t{mixed} * bits >> 32);
}

}  // namespace

std::vector<std::uint32_t> trigrams_of(std::string_view text) {
  std::vector<std::uint32_t> all;
  visit_trigrams(text, [&](std::uint32_t trigram) { all.push_back(trigram); });
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

TrigramFilterMaker::TrigramFilterMaker() : seen_(kTrigrams / 64) {}

std::string TrigramFilterMaker::make(std::string_view text) {
  distinct_.clear();
  visit_trigrams(text, [&](std::uint32_t trigram) {
    std::uint64_t& word = seen_[trigram / 64];
    const std::uint64_t bit = std::uint64_t{1} << trigram % 64;
    if ((word & bit) != 0) return;
    word |= bit;
    distinct_.push_back(trigram);
  });
  std::string filter((distinct_.size() + kTrigramsPerByte - 1) / kTrigramsPerByte, '\0');
  for (const std::uint32_t trigram : distinct_) {
    seen_[trigram / 64] = 0;
    const std::size_t place = place_of(trigram, 8 * filter.size());
    char& byte = filter[place / 8];
    byte = static_cast<char>(static_cast<unsigned char>(byte) | 1U << place % 8);
  }
  return filter;
}

bool may_hold(std::string_view filter, std::uint32_t trigram) {
  if (filter.empty()) return false;
  const std::size_t place = place_of(trigram, 8 * filter.size());
  return (static_cast<unsigned char>(filter[place / 8]) >> place % 8 & 1U) != 0;
}

}  // namespace codexmem
