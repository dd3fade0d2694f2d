// text/keyword_set.h - searches many keywords in one pass (Aho and Corasick, CACM 18(6), 1975).
//
// Immutable once constructed, so safe to share between threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace codexmem {

class KeywordSet {
 public:
  /// Keywords of at least one byte, at most 65,535 bytes in total; ASCII letters match in either
  /// case.
  explicit KeywordSet(std::span<const std::string_view> keywords);

  /// Calls `found(keyword, end)` for each place where keyword number `keyword` ends before byte
  /// `end` of `text`, ordered by `end`, longest first. One table look-up per byte.
  template <typename Found>
  void scan(std::string_view text, Found&& found) const {
    std::size_t state = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      state = next_[state * width_ + classes_[static_cast<unsigned char>(text[i])]];
      for (std::uint32_t at = first_[state]; at != kNone; at = outputs_[at].next) {
        found(static_cast<std::size_t>(outputs_[at].keyword), i + 1);
      }
    }
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Output {
    std::uint32_t keyword;
    std::uint32_t next;
  };

  std::array<std::uint8_t, 256> classes_{};  // 0: a byte in no keyword
  std::size_t width_ = 1;                    // classes
  std::vector<std::uint16_t> next_;          // by state and class, the next state
  std::vector<std::uint32_t> first_;         // a state's outputs
  std::vector<Output> outputs_;
};

}  // namespace codexmem
