// A trie whose missing edges are filled in, breadth first, with the edges of the longest proper
// suffix that is also in the trie, so that reading a text never goes back.
//
// Tested by text/keyword_set_test.cpp.
#include "text/keyword_set.h"

#include <algorithm>
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

  // The trie: each state's edges to the next ones. State 0 is the root.
  struct Edge {
    std::uint8_t cls;
    std::uint16_t to;
  };
  std::vector<std::vector<Edge>> edges(1);
  first_.assign(1, kNone);
  for (std::size_t k = 0; k < keywords.size(); ++k) {
    std::size_t state = 0;
    for (const char c : keywords[k]) {
      const std::uint8_t cls = classes_[lower_byte(c)];
      const auto known = std::ranges::find(edges[state], cls, &Edge::cls);
      if (known != edges[state].end()) {
        state = known->to;
        continue;
      }
      CODEXMEM_CHECK(edges.size() <= 0xFFFF);
      const auto added = static_cast<std::uint16_t>(edges.size());
      edges[state].push_back({cls, added});
      edges.emplace_back();
      first_.push_back(kNone);
      state = added;
    }
    outputs_.push_back({static_cast<std::uint32_t>(k), first_[state]});
    first_[state] = static_cast<std::uint32_t>(outputs_.size() - 1);
  }

  next_.assign(edges.size() * width_, 0);
  std::vector<std::uint16_t> suffix(edges.size(), 0);
  std::deque<std::uint16_t> queue = {0};
  while (!queue.empty()) {
    const std::uint16_t state = queue.front();
    queue.pop_front();
    std::uint16_t* const row = &next_[state * width_];
    if (state != 0) std::copy_n(&next_[suffix[state] * width_], width_, row);
    for (const auto& [cls, to] : edges[state]) {
      suffix[to] = row[cls];
      row[cls] = to;
      queue.push_back(to);
      // The state's own outputs first, then its suffix's outputs, which are already complete.
      std::uint32_t* last = &first_[to];
      while (*last != kNone) last = &outputs_[*last].next;
      *last = first_[suffix[to]];
    }
  }
}

}  // namespace codexmem
