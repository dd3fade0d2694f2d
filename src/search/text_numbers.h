// search/text_numbers.h - numbers for distinct texts, for millions of them. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/text_hash.h"

namespace codexmem::search {

/// Numbers texts 0, 1, 2, ... as they come: 4 GB of them at most, which the caller sees to. Takes
/// the text and some 16 bytes for each.
class TextNumbers {
 public:
  std::size_t size() const { return begins_.size() - 1; }
  /// Bytes of all texts.
  std::size_t bytes() const { return bytes_.size(); }
  std::string_view operator[](std::uint32_t number) const {
    return std::string_view(bytes_).substr(begins_[number], begins_[number + 1] - begins_[number]);
  }

  std::uint32_t number_of(std::string_view text) {
    if ((size() + 1) * 3 > slots_.size() * 2) grow();
    const auto hash = static_cast<std::uint32_t>(hash_text(text));
    std::uint32_t& slot = slots_[slot_of(text, hash)];
    if (slot == kNone) {
      slot = static_cast<std::uint32_t>(size());
      bytes_ += text;
      begins_.push_back(static_cast<std::uint32_t>(bytes_.size()));
      hashes_.push_back(hash);
    }
    return slot;
  }

  std::optional<std::uint32_t> find(std::string_view text) const {
    const std::uint32_t number = slots_[slot_of(text, static_cast<std::uint32_t>(hash_text(text)))];
    return number == kNone ? std::nullopt : std::optional(number);
  }

  /// Gives up what finds numbers: neither number_of() nor find() may be called again.
  void end_numbering() {
    hashes_ = {};
    slots_ = {};
  }

  /// The numbers in the order of the texts' bytes.
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
    slots_.assign(slots_.size() * 2, kNone);
    const std::size_t mask = slots_.size() - 1;
    for (std::uint32_t number = 0; number < size(); ++number) {
      std::size_t i = hashes_[number] & mask;
      while (slots_[i] != kNone) i = (i + 1) & mask;
      slots_[i] = number;
    }
  }

  std::string bytes_;
  std::vector<std::uint32_t> begins_ = {0};
  std::vector<std::uint32_t> hashes_;  // by number
  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(64, kNone);
};

}  // namespace codexmem::search
