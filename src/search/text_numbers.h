// search/text_numbers.h - numbers distinct texts, for millions of them. One thread.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "search/byte_blocks.h"
#include "search/packed.h"
#include "text/text_hash.h"

namespace codexmem::search {

/// Numbers texts 0, 1, 2, ... in order of arrival: at most 4 GB, which the caller must ensure.
/// Takes the text and about 16 bytes for each.
class TextNumbers {
 public:
  std::size_t size() const { return places_.size(); }
  /// Bytes of all texts, including the free space of their blocks.
  std::size_t bytes() const { return texts_.bytes(); }
  std::string_view operator[](std::uint32_t number) const {
    VarintReader reader(texts_.from(places_[number]));
    return reader.text(reader.next());
  }

  std::uint32_t number_of(std::string_view text) {
    if ((size() + 1) * 3 > slots_.size() * 2) grow();
    const auto hash = static_cast<std::uint32_t>(hash_text(text));
    std::uint32_t& slot = slots_[slot_of(text, hash)];
    if (slot == kNone) {
      slot = static_cast<std::uint32_t>(size());
      piece_.clear();
      put_text(text, &piece_);
      places_.push_back(texts_.append(piece_));
      hashes_.push_back(hash);
    }
    return slot;
  }

  std::optional<std::uint32_t> find(std::string_view text) const {
    const std::uint32_t number = slots_[slot_of(text, static_cast<std::uint32_t>(hash_text(text)))];
    return number == kNone ? std::nullopt : std::optional(number);
  }

  /// Frees the look-up table: call neither number_of() nor find() afterwards.
  void end_numbering() {
    std::deque<std::uint32_t>().swap(hashes_);
    std::vector<std::uint32_t>().swap(slots_);
  }

  /// The numbers, sorted by the bytes of the texts.
  std::vector<std::uint32_t> sorted() const;

 private:
  static constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);

  std::size_t slot_of(std::string_view text, std::uint32_t hash) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
      const std::uint32_t number = slots_[i];
      if (number == kNone || (hashes_[number] == hash && (*this)[number] == text)) return i;
    }
  }
  void grow() {
    const std::size_t more = slots_.size() * 2;
    std::vector<std::uint32_t>().swap(slots_);  // never have both in memory
    slots_.assign(more, kNone);
    for (std::uint32_t number = 0; number < size(); ++number) {
      std::size_t i = hashes_[number] & (more - 1);
      while (slots_[i] != kNone) i = (i + 1) & (more - 1);
      slots_[i] = number;
    }
  }

  ByteBlocks texts_;                  // put_text() of each
  std::deque<std::uint32_t> places_;  // in texts_, by number
  std::deque<std::uint32_t> hashes_;  // by number
  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(64, kNone);
  std::string piece_;
};

}  // namespace codexmem::search
