// Tested by search/segment_test.cpp.
#include "search/text_numbers.h"

#include <algorithm>

namespace codexmem::search {
namespace {

// The first eight bytes as a number with the same order.
std::uint64_t prefix_of(std::string_view text) {
  std::uint64_t prefix = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    prefix = prefix << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0U);
  }
  return prefix;
}

}  // namespace

std::vector<std::uint32_t> TextNumbers::sorted() const {
  struct Key {
    std::uint64_t prefix;
    std::uint32_t number;
  };
  std::vector<Key> keys;
  keys.reserve(size());
  for (std::uint32_t i = 0; i < size(); ++i) keys.push_back({prefix_of((*this)[i]), i});
  std::ranges::sort(keys, [&](const Key& a, const Key& b) {
    return a.prefix != b.prefix ? a.prefix < b.prefix : (*this)[a.number] < (*this)[b.number];
  });
  std::vector<std::uint32_t> numbers;
  numbers.reserve(size());
  for (const Key& key : keys) numbers.push_back(key.number);
  return numbers;
}

}  // namespace codexmem::search
