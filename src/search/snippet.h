// search/snippet.h - chooses the displayed lines of a piece of code. Pure; thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/ranges.h"
#include "text/text_hash.h"
#include "search/search.h"

namespace codexmem::search {

/// Terms (stems and compounds) and their weights.
using TermWeights = TextMap<double>;

struct SnippetOptions {
  std::size_t max_bytes = 400;
  std::size_t max_matches = 5;
  bool from_start = false;  // the piece's first lines, rather than its best-matching ones
  // Exact matches in the content, ascending: the best line contains one of them, and they are the
  // matches.
  const std::vector<ByteRange>* exact = nullptr;
};

struct Snippet {
  std::string text;               // whole lines without the last line break, at most max_bytes
  std::uint32_t first_line = 1;   // of the text, 1-based
  std::uint32_t best_line = 1;    // the line with the highest weight of words, the first among
                                  // equals
  std::uint32_t best_offset = 0;  // of that line's first character that is not a space, in the
                                  // content
  std::vector<TextMatch> matches;
};

/// The lines of the piece `range` of `content`, which begins on `start_line`, around the
/// best-matching line. A line longer than max_bytes is cut around its first match, never inside a
/// character.
Snippet make_snippet(std::string_view content, ByteRange range, std::uint32_t start_line,
                     const TermWeights& weights, const SnippetOptions& options);

/// The words and runs of `text` whose terms have a weight above 0: ascending, without overlap, the
/// longer of two that overlap; at most `max_matches`, highest weights first, each term once before
/// any is repeated.
std::vector<TextMatch> find_matches(std::string_view text, const TermWeights& weights,
                                    std::size_t max_matches);

}  // namespace codexmem::search
