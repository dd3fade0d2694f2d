// A trie whose missing edges are filled in, breadth first, with the edges of the longest proper
// suffix that is also in the trie, so that reading a text never goes back.
//
// Tested by text/keyword_set_test.cpp.
#include "text/keyword_set.h"

#include <deque>

#include "base/ascii.h"
#include "base/result.h"

namespace codexmem {
namespace {

unsigned char lower_byte(char c) { return static_cast<unsigned char>(to_lower(c)); }

}  // namespace

KeywordSet::KeywordSet(std::span<const std::string_view> keywords) {
  for (const std::string_view keyword : keywords) {
    for (const char c : keyword) {
      std::uint8_t& cls = classes_[lower_byte(c)];
      if (cls == 0) cls = static_cast<std::uint8_t>(width_++);
    }
  }
  for (unsigned char c = 'A'; c <= 'Z'; ++c) classes_[c] = classes_[c - 'A' + 'a'];

  // During construction an edge is the number of a state; 0, the root, means no edge.
  std::size_t bytes = 0;
  for (const std::string_view keyword : keywords) bytes += keyword.size();
  next_.reserve((bytes + 1) * width_);
  next_.assign(width_, 0);
  first_.assign(1, kNone);
  for (std::size_t k = 0; k < keywords.size(); ++k) {
    std::size_t state = 0;
    for (const char c : keywords[k]) {
      const std::size_t edge = state * width_ + classes_[lower_byte(c)];
      if (next_[edge] == 0) {
        CODEXMEM_CHECK(first_.size() <= 0xFFFF);
        next_[edge] = static_cast<std::uint16_t>(first_.size());
        first_.push_back(kNone);
        next_.resize(next_.size() + width_, 0);
      }
      state = next_[edge];
    }
    outputs_.push_back({static_cast<std::uint32_t>(k), first_[state]});
    first_[state] = static_cast<std::uint32_t>(outputs_.size() - 1);
  }

  std::vector<std::uint16_t> suffix(first_.size(), 0);
  std::deque<std::uint16_t> queue = {0};
  while (!queue.empty()) {
    const std::uint16_t state = queue.front();
    queue.pop_front();
    for (std::size_t cls = 1; cls < width_; ++cls) {
      std::uint16_t& edge = next_[state * width_ + cls];
      const std::uint16_t other =
          state == 0 ? std::uint16_t{0} : next_[suffix[state] * width_ + cls];
      if (edge == 0) {
        edge = other;
        continue;
      }
      suffix[edge] = other;
      queue.push_back(edge);
      // The state's own outputs first, then its suffix's outputs, which are already complete.
      std::uint32_t* last = &first_[edge];
      while (*last != kNone) last = &outputs_[*last].next;
      *last = first_[other];
    }
  }
  next_.shrink_to_fit();
}

}  // namespace codexmem
