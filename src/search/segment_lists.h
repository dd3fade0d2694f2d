// search/segment_lists.h - compact lists for building a segment from millions of names.
//
// Internal to the builder. One thread. Tested by search/segment_test.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "search/byte_blocks.h"
#include "search/packed.h"
#include "search/segment.h"

namespace codexmem::search {

using NumberPair = std::pair<std::uint32_t, std::uint32_t>;

/// Empties `values` and frees their memory, which assigning {} would keep.
template <typename T>
void give_up(std::vector<T>& values) {
  std::vector<T>().swap(values);
}

/// Lists of numbers, one for each key, in one array.
class NumberLists {
 public:
  /// The lists of `pairs` (key, value), in the order of the pairs.
  NumberLists(std::size_t keys, const std::vector<NumberPair>& pairs) : begins_(keys + 1) {
    for (const auto& [key, value] : pairs) ++begins_[key + 1];
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    values_.resize(pairs.size());
    std::vector<std::uint32_t> next(begins_.begin(), begins_.end() - 1);
    for (const auto& [key, value] : pairs) values_[next[key]++] = value;
  }
  // For each value the keys that it occurs with, in the order of `visit_pairs`, which calls its
  // argument with each key and value; it is called twice and must repeat the same pairs.
  template <typename VisitPairs>
  static NumberLists inverted(std::size_t values, VisitPairs visit_pairs) {
    NumberLists made(values, {});
    std::size_t pairs = 0;
    visit_pairs([&](std::uint32_t, std::uint32_t value) {
      ++made.begins_[value + 1];
      ++pairs;
    });
    std::partial_sum(made.begins_.begin(), made.begins_.end(), made.begins_.begin());
    made.values_.resize(pairs);
    std::vector<std::uint32_t> next(made.begins_.begin(), made.begins_.end() - 1);
    visit_pairs([&](std::uint32_t key, std::uint32_t value) { made.values_[next[value]++] = key; });
    return made;
  }
  std::span<const std::uint32_t> operator[](std::size_t key) const {
    return std::span(values_).subspan(begins_[key], begins_[key + 1] - begins_[key]);
  }
  std::size_t size() const { return begins_.size() - 1; }

 private:
  std::vector<std::uint32_t> begins_;  // one more than the number of keys
  std::vector<std::uint32_t> values_;
};

/// The stems of each name, in the order of the names: their number, then the stems.
class StemLists {
 public:
  void add(const std::vector<std::uint32_t>& stems) {
    piece_.clear();
    put_varint(stems.size(), &piece_);
    for (const std::uint32_t stem : stems) put_varint(stem, &piece_);
    blocks_.append(piece_);
  }

  /// Calls `visit` with each name and a reader at its list, which `visit` must read completely.
  template <typename Visit>
  void visit(Visit visit) const {
    NameNumber name = 0;
    for (const std::string& block : blocks_.blocks()) {
      for (VarintReader reader(block); !reader.is_at_end();) visit(name++, reader);
    }
  }

 private:
  ByteBlocks blocks_;
  std::string piece_;
};

/// Names defined by only one file, in order; each without its common prefix with the previous name.
class SoleNames {
 public:
  void add(std::string_view name, FileNumber file) {
    const auto shared =
        static_cast<std::size_t>(std::ranges::mismatch(name, last_).in1 - name.begin());
    piece_.clear();
    put_varint(shared, &piece_);
    put_text(name.substr(shared), &piece_);
    put_varint(file, &piece_);
    blocks_.append(piece_);
    last_ = name;
  }

  /// Looks up names in ascending order.
  class Finder {
   public:
    explicit Finder(const SoleNames& names) : blocks_(names.blocks_.blocks()) { step(); }

    std::optional<FileNumber> find(std::string_view name) {
      while (!is_over_ && name_ < name) step();
      return !is_over_ && name_ == name ? std::optional(file_) : std::nullopt;
    }

   private:
    void step() {
      while (reader_.is_at_end() && block_ < blocks_.size()) {
        reader_ = VarintReader(blocks_[block_++]);
      }
      is_over_ = reader_.is_at_end();
      if (is_over_) return;
      name_.resize(reader_.next());
      name_ += reader_.text(reader_.next());
      file_ = reader_.next();
    }

    const std::vector<std::string>& blocks_;
    std::size_t block_ = 0;  // the next one
    VarintReader reader_{std::string_view()};
    bool is_over_ = false;
    std::string name_;
    FileNumber file_ = 0;
  };

 private:
  ByteBlocks blocks_;
  std::string last_, piece_;
};

}  // namespace codexmem::search
