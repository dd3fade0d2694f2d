// parse/walk/intern.h - small hash tables for one file's extraction: names and bindings.
//
// Internal to parse. They use open addressing and are cleared in place, so that most files need no
// allocation. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace codexmem::parse {

/// A larger table, from one huge file, is freed: every later small file would have to clear it.
inline constexpr std::size_t kMaxKeptSlots = std::size_t{1} << 14;

/// Numbers distinct strings 0, 1, 2, ... The strings must outlive the next clear().
class Interner {
 public:
  std::uint32_t id_of(std::string_view text) {
    if ((texts_.size() + 1) * 2 > slots_.size()) grow();
    std::uint64_t hash = hash_of(text);
    for (std::size_t i = hash & mask();; i = (i + 1) & mask()) {
      Slot& slot = slots_[i];
      if (slot.id == kEmpty) {
        slot = {static_cast<std::uint32_t>(hash >> 32), static_cast<std::uint32_t>(texts_.size())};
        texts_.push_back(text);
        return slot.id;
      }
      if (slot.tag == static_cast<std::uint32_t>(hash >> 32) && texts_[slot.id] == text) {
        return slot.id;
      }
    }
  }

  /// The number of a text, if it has one.
  std::optional<std::uint32_t> find(std::string_view text) const {
    if (slots_.empty()) return std::nullopt;
    const std::uint64_t hash = hash_of(text);
    for (std::size_t i = hash & mask();; i = (i + 1) & mask()) {
      const Slot& slot = slots_[i];
      if (slot.id == kEmpty) return std::nullopt;
      if (slot.tag == static_cast<std::uint32_t>(hash >> 32) && texts_[slot.id] == text) {
        return slot.id;
      }
    }
  }

  std::string_view text_of(std::uint32_t id) const { return texts_[id]; }
  const std::vector<std::string_view>& texts() const { return texts_; }

  void clear() {
    texts_.clear();
    if (slots_.size() > kMaxKeptSlots) slots_ = {};
    for (Slot& slot : slots_) slot.id = kEmpty;
  }

 private:
  static constexpr std::uint32_t kEmpty = 0xFFFFFFFFU;
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t id = kEmpty;
  };

  std::size_t mask() const { return slots_.size() - 1; }

  static std::uint64_t hash_of(std::string_view text) {
    // Eight bytes a step, mixed by multiplication (Fibonacci hashing, Knuth, TAOCP 6.4).
    std::uint64_t hash = text.size() * 0x9E3779B97F4A7C15ULL;
    const char* at = text.data();
    std::size_t left = text.size();
    while (left > 0) {
      std::uint64_t word = 0;
      std::size_t step = left < 8 ? left : 8;
      std::memcpy(&word, at, step);
      hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
      hash ^= hash >> 29;
      at += step;
      left -= step;
    }
    return hash ^ (hash >> 32);
  }

  void grow() {
    std::size_t size = slots_.empty() ? 1024 : slots_.size() * 2;
    slots_.assign(size, Slot{});
    for (std::uint32_t id = 0; id < texts_.size(); ++id) {
      std::uint64_t hash = hash_of(texts_[id]);
      std::size_t i = hash & mask();
      while (slots_[i].id != kEmpty) i = (i + 1) & mask();
      slots_[i] = {static_cast<std::uint32_t>(hash >> 32), id};
    }
  }

  std::vector<Slot> slots_;
  std::vector<std::string_view> texts_;
};

/// Maps a pair of 32-bit numbers to one; keeps the first value of a key. Clearing is free.
class PairMap {
 public:
  static constexpr std::uint32_t kAbsent = 0xFFFFFFFFU;

  std::uint32_t find(std::uint32_t a, std::uint32_t b) const {
    if (slots_.empty()) return kAbsent;
    std::uint64_t key = key_of(a, b);
    for (std::size_t i = home(key);; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].round != round_) return kAbsent;
      if (slots_[i].key == key) return slots_[i].value;
    }
  }

  void insert(std::uint32_t a, std::uint32_t b, std::uint32_t value) {
    if ((size_ + 1) * 2 > slots_.size()) grow();
    put({key_of(a, b), value, round_});
  }

  void clear() {
    size_ = 0;
    if (slots_.size() > kMaxKeptSlots || round_ == 0xFFFFFFFFU) {
      slots_ = {};
      round_ = 0;
    }
    ++round_;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t value = kAbsent;
    std::uint32_t round = 0;  // the slot is empty unless this is the current round
  };

  static std::uint64_t key_of(std::uint32_t a, std::uint32_t b) {
    return (static_cast<std::uint64_t>(a) << 32) | b;
  }
  std::size_t home(std::uint64_t key) const {
    return static_cast<std::size_t>((key * 0x9E3779B97F4A7C15ULL) >> 32) & (slots_.size() - 1);
  }
  void put(const Slot& added) {
    std::size_t i = home(added.key);
    while (slots_[i].round == round_) {
      if (slots_[i].key == added.key) return;
      i = (i + 1) & (slots_.size() - 1);
    }
    slots_[i] = added;
    ++size_;
  }
  void grow() {
    std::vector<Slot> old = std::move(slots_);
    slots_.assign(old.empty() ? 256 : old.size() * 2, Slot{});
    size_ = 0;
    for (const Slot& slot : old) {
      if (slot.round == round_) put(slot);
    }
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
  std::uint32_t round_ = 1;
};

}  // namespace codexmem::parse
