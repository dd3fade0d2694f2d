// search/text_numbers.h - numbers for distinct texts, for millions of them. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/text_hash.h"

namespace codexmem::search {

/// Numbers texts 0, 1, 2, ... as they come. Takes the text and some 12 bytes for each.
class TextNumbers {
 public:
  std::size_t size() const { return begins_.size() - 1; }
  std::string_view operator[](std::uint32_t number) const {
    return std::string_view(bytes_).substr(begins_[number], begins_[number + 1] - begins_[number]);
  }

  std::uint32_t number_of(std::string_view text) {
    if ((size() + 1) * 3 > slots_.size() * 2) grow();
    std::uint32_t& slot = slots_[slot_of(text)];
    if (slot == kNone) {
      slot = static_cast<std::uint32_t>(size());
      bytes_ += text;
      begins_.push_back(bytes_.size());
    }
    return slot;
  }

  std::optional<std::uint32_t> find(std::string_view text) const {
    const std::uint32_t number = slots_[slot_of(text)];
    return number == kNone ? std::nullopt : std::optional(number);
  }

  /// The numbers in the order of the texts' bytes.
  std::vector<std::uint32_t> sorted() const;

 private:
  static constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);

  std::size_t slot_of(std::string_view text) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash_text(text) & mask;; i = (i + 1) & mask) {
      if (slots_[i] == kNone || (*this)[slots_[i]] == text) return i;
    }
  }
  void grow() {
    slots_.assign(slots_.size() * 2, kNone);
    for (std::uint32_t i = 0; i < size(); ++i) slots_[slot_of((*this)[i])] = i;
  }

  std::string bytes_;
  std::vector<std::uint64_t> begins_ = {0};
  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(64, kNone);
};

}  // namespace codexmem::search
