// Tested by search/snippet_test.cpp.
#include "search/snippet.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "text/words.h"

namespace codexmem::search {
namespace {

constexpr std::string_view kSpaces = " \t\r\n\f\v";

struct Line {
  std::size_t begin = 0, end = 0;  // in the content, without the line break
  double weight = 0;               // of its distinct terms
};

struct Found {
  std::uint32_t begin = 0, end = 0;
  std::string term;
  double weight = 0;
};

double weight_of(const TermWeights& weights, const std::string& term) {
  const auto found = weights.find(term);
  return found == weights.end() ? 0 : found->second;
}

std::vector<Found> find_terms(std::string_view text, const TermWeights& weights) {
  std::vector<Found> all;
  for_each_term(text, [&](const Term& term) {
    std::string name(term.text);
    const double weight = weight_of(weights, name);
    if (weight > 0) all.push_back({term.begin, term.end, std::move(name), weight});
  });
  return all;
}

std::vector<Line> lines_of(std::string_view content, ByteRange range, const TermWeights& weights) {
  std::vector<Line> lines;
  const std::size_t end = std::min<std::size_t>(range.end, content.size());
  for (std::size_t at = range.begin; at < end;) {
    const std::size_t newline = std::min(content.find('\n', at), end);
    Line line{at, newline, 0};
    if (newline > at && content[newline - 1] == '\r') --line.end;
    std::map<std::string, double> distinct;
    for (Found& found : find_terms(content.substr(line.begin, line.end - line.begin), weights)) {
      distinct.emplace(std::move(found.term), found.weight);
    }
    for (const auto& [term, weight] : distinct) line.weight += weight;
    lines.push_back(line);
    at = newline + 1;
  }
  return lines;
}

// The first match in `exact` that begins in `line`, or null.
const ByteRange* first_exact(const std::vector<ByteRange>& exact, const Line& line) {
  const auto at = std::ranges::lower_bound(exact, line.begin, {}, &ByteRange::begin);
  return at != exact.end() && at->begin <= line.end ? &*at : nullptr;
}

// Lines without an exact match get no weight, the others more than words give.
void prefer_exact(const std::vector<ByteRange>& exact, std::vector<Line>* lines) {
  for (Line& line : *lines) {
    line.weight = first_exact(exact, line) != nullptr ? 1 + line.weight : 0;
  }
}

// The part of an overlong line around its first match.
ByteRange cut_line(std::string_view content, const Line& line, const TermWeights& weights,
                   const SnippetOptions& options) {
  const std::size_t max_bytes = options.max_bytes;
  const std::string_view text = content.substr(line.begin, line.end - line.begin);
  const ByteRange* exact = options.exact == nullptr ? nullptr : first_exact(*options.exact, line);
  std::size_t match = 0;
  if (exact != nullptr) {
    match = exact->begin - line.begin;
  } else if (const auto found = find_terms(text, weights); !found.empty()) {
    match = found.front().begin;
  }
  std::size_t begin = match > max_bytes / 3 ? match - max_bytes / 3 : 0;
  const auto continues = [&](std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
  };
  while (continues(begin)) ++begin;
  std::size_t end = std::min(text.size(), begin + max_bytes);
  while (end > begin && continues(end)) --end;
  return {static_cast<std::uint32_t>(line.begin + begin),
          static_cast<std::uint32_t>(line.begin + end)};
}

// The matches in `exact` within `shown`, with offsets from its begin.
std::vector<TextMatch> exact_matches(std::string_view content, ByteRange shown,
                                     const std::vector<ByteRange>& exact, std::size_t max_matches) {
  std::vector<TextMatch> matches;
  std::size_t units = 0, counted = shown.begin;
  for (const ByteRange& match : exact) {
    if (match.empty() || !shown.contains(match)) continue;
    if (matches.size() == max_matches) break;
    units += utf16_length(content.substr(counted, match.begin - counted));
    const std::string_view text = content.substr(match.begin, match.size());
    const std::size_t length = utf16_length(text);
    matches.push_back({static_cast<std::uint32_t>(units),
                       static_cast<std::uint32_t>(units + length - 1), std::string(text)});
    units += length;
    counted = match.end;
  }
  return matches;
}

}  // namespace

std::vector<TextMatch> find_matches(std::string_view text, const TermWeights& weights,
                                    std::size_t max_matches) {
  std::vector<Found> all = find_terms(text, weights);
  std::ranges::sort(all, [](const Found& a, const Found& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  std::vector<Found> kept;
  for (Found& found : all) {
    if (kept.empty() || found.begin >= kept.back().end) kept.push_back(std::move(found));
  }
  if (kept.size() > max_matches) {
    std::map<std::string, int> seen;
    std::vector<int> repeat;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      repeat.push_back(seen[kept[i].term]++);
      order.push_back(i);
    }
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
      return repeat[a] != repeat[b] ? repeat[a] < repeat[b] : kept[a].weight > kept[b].weight;
    });
    order.resize(max_matches);
    std::ranges::sort(order);
    std::vector<Found> best;
    for (const std::size_t i : order) best.push_back(std::move(kept[i]));
    kept = std::move(best);
  }
  std::vector<TextMatch> matches;
  std::size_t units = 0, counted = 0;
  for (const Found& found : kept) {
    units += utf16_length(text.substr(counted, found.begin - counted));
    const std::string_view word = text.substr(found.begin, found.end - found.begin);
    const std::size_t length = utf16_length(word);
    matches.push_back({static_cast<std::uint32_t>(units),
                       static_cast<std::uint32_t>(units + length - 1), std::string(word)});
    units += length;
    counted = found.end;
  }
  return matches;
}

Snippet make_snippet(std::string_view content, ByteRange range, std::uint32_t start_line,
                     const TermWeights& weights, const SnippetOptions& options) {
  Snippet snippet;
  snippet.first_line = snippet.best_line = start_line;
  snippet.best_offset = range.begin;
  std::vector<Line> lines = lines_of(content, range, weights);
  if (lines.empty()) return snippet;
  if (options.exact != nullptr) prefer_exact(*options.exact, &lines);

  std::size_t best = 0;
  if (!options.from_start) {
    for (std::size_t i = 1; i < lines.size(); ++i) {
      if (lines[i].weight > lines[best].weight) best = i;
    }
  }
  // If the piece begins in the middle of a line, show the indentation of that line, so that the
  // other lines align with it.
  const auto indented_begin = [&](std::size_t index) {
    std::size_t begin = lines[index].begin;
    while (index == 0 && begin > 0 && (content[begin - 1] == ' ' || content[begin - 1] == '\t')) {
      --begin;
    }
    return begin;
  };
  std::size_t first = best, last = best;
  const auto size_of = [&](std::size_t from, std::size_t to) {
    return lines[to].end - indented_begin(from);
  };
  ByteRange shown;
  if (size_of(best, best) > options.max_bytes) {
    shown = cut_line(content, lines[best], weights, options);
  } else {
    // Add two lines after the best one for each line before it, as long as they fit.
    for (int step = 0;; ++step) {
      const bool after = last + 1 < lines.size() && size_of(first, last + 1) <= options.max_bytes;
      const bool before =
          !options.from_start && first > 0 && size_of(first - 1, last) <= options.max_bytes;
      if (!after && !before) break;
      if (before && (!after || step % 3 == 0)) {
        --first;
      } else {
        ++last;
      }
    }
    shown = {static_cast<std::uint32_t>(indented_begin(first)),
             static_cast<std::uint32_t>(lines[last].end)};
  }
  snippet.text = content.substr(shown.begin, shown.size());
  snippet.first_line = start_line + static_cast<std::uint32_t>(first);
  snippet.best_line = start_line + static_cast<std::uint32_t>(best);
  const std::size_t word = content.find_first_not_of(kSpaces, lines[best].begin);
  snippet.best_offset = static_cast<std::uint32_t>(
      word == std::string_view::npos || word >= lines[best].end ? lines[best].begin : word);
  snippet.matches = options.exact != nullptr
                        ? exact_matches(content, shown, *options.exact, options.max_matches)
                        : find_matches(snippet.text, weights, options.max_matches);
  return snippet;
}

}  // namespace codexmem::search
