// Tested by app/render_test.cpp.
#include "app/render/snippet.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "text/ranges.h"

namespace codexmem::app {
namespace {

// A line of a snippet, and its matches.
struct SnippetLine {
  std::uint32_t number = 1;
  std::string text;
  std::vector<ByteRange> matches;  // ascending
  bool is_shown = false;
};

// The byte at which the UTF-16 code unit `unit` of `text` begins.
std::size_t byte_of_unit(std::string_view text, std::size_t unit) {
  std::size_t at = 0;
  for (std::size_t units = 0; at < text.size() && units < unit;) {
    const auto lead = static_cast<unsigned char>(text[at]);
    units += lead < 0xF0 ? 1 : 2;
    at += lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  }
  return std::min(at, text.size());
}

std::vector<SnippetLine> lines_of(const search::SearchHit& hit) {
  std::vector<ByteRange> matches;
  for (const search::TextMatch& match : hit.matches) {
    const std::size_t begin = byte_of_unit(hit.snippet, match.start);
    const std::size_t end = std::min(begin + match.text.size(), hit.snippet.size());
    matches.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
  }
  std::vector<SnippetLine> lines;
  std::uint32_t begin = 0;
  for (const std::string_view text : split(hit.snippet, '\n')) {
    const std::uint32_t end = begin + static_cast<std::uint32_t>(text.size());
    SnippetLine& line = lines.emplace_back();
    line.number = hit.snippet_line + static_cast<std::uint32_t>(lines.size() - 1);
    line.text = text;
    for (const ByteRange& match : matches) {
      const ByteRange here{std::max(match.begin, begin), std::min(match.end, end)};
      if (here.begin < here.end) line.matches.push_back({here.begin - begin, here.end - begin});
    }
    begin = end + 1;
  }
  return lines;
}

// How many different words match in `line`.
std::size_t count_words(const SnippetLine& line) {
  std::set<std::string> words;
  for (const ByteRange& match : line.matches) {
    words.insert(to_lower_ascii(line.text.substr(match.begin, match.size())));
  }
  return words.size();
}

// Marks the lines to show, at most `limit`: the line of the hit, the lines with most matches, then
// their neighbours.
void choose_lines(std::vector<SnippetLine>& lines, const search::SearchHit& hit,
                  std::size_t limit) {
  const auto is_blank = [](const SnippetLine& line) {
    return line.text.find_first_not_of(" \t\r") == std::string::npos;
  };
  std::vector<SnippetLine*> best;
  for (SnippetLine& line : lines) {
    if (line.number == hit.line || !line.matches.empty()) best.push_back(&line);
  }
  std::stable_sort(best.begin(), best.end(), [&](const SnippetLine* a, const SnippetLine* b) {
    const bool a_first = a->number == hit.line, b_first = b->number == hit.line;
    return a_first != b_first ? a_first : count_words(*a) > count_words(*b);
  });
  if (best.empty() && !lines.empty()) best.push_back(&lines.front());
  best.resize(std::min(best.size(), limit));
  for (SnippetLine* line : best) line->is_shown = true;
  // An exact match is shown with the line before it.
  std::size_t left = limit - best.size();
  for (bool has_grown = true; has_grown && left > 0;) {
    has_grown = false;
    const std::vector<SnippetLine> before = lines;
    for (std::size_t i = 0; i < lines.size() && left > 0; ++i) {
      if (before[i].is_shown) continue;
      const bool is_next = i > 0 && before[i - 1].is_shown;
      const bool is_ahead = hit.match_count > 0 && i + 1 < lines.size() && before[i + 1].is_shown &&
                            before[i + 1].number == hit.line;
      if (!is_next && !is_ahead) continue;
      lines[i].is_shown = has_grown = true;
      --left;
    }
  }
  // No blank lines before a gap or at an end.
  for (std::size_t i = lines.size(); i-- > 0;) {
    const bool is_last = i + 1 == lines.size() || !lines[i + 1].is_shown;
    const bool is_first = i == 0 || !lines[i - 1].is_shown;
    if ((is_last || is_first) && is_blank(lines[i])) lines[i].is_shown = false;
  }
}

// `shown`, which is the line or its beginning, with tabs or with spaces for them, with its matches
// in colour: each is found again by how many of its text come before it.
std::string with_matches(const SnippetLine& line, const std::string& shown,
                         const Console& console) {
  std::string out;
  std::size_t done = 0;
  for (const ByteRange& match : line.matches) {
    const std::string text = line.text.substr(match.begin, match.size());
    std::size_t at = line.text.find(text), place = shown.find(text);
    while (at < match.begin && place != std::string::npos) {
      at = line.text.find(text, at + 1);
      place = shown.find(text, place + 1);
    }
    if (place == std::string::npos || place < done) continue;
    out += shown.substr(done, place - done) + console.painted(Paint::kMatch, text);
    done = place + text.size();
  }
  return out + shown.substr(done);
}

}  // namespace

std::string snippet_lines(const search::SearchHit& hit, std::size_t most, const Console& console) {
  std::vector<SnippetLine> lines = lines_of(hit);
  choose_lines(lines, hit, most);
  std::string out;
  for (const SnippetLine& line : lines) {
    if (!line.is_shown) continue;
    const std::string number = fmt::format("{:>6}{}", line.number, line.text.empty() ? "" : "  ");
    out += console.painted(Paint::kDim, number) +
           with_matches(line, console.code_line(line.text, number.size()), console) + "\n";
  }
  return out;
}

}  // namespace codexmem::app
