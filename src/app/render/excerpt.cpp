// Words match as they do in the search: by their stems (text/prose.h). Of the pieces that begin
// with a sentence or with a few words before a match, the first with the most different words is
// taken.
//
// Tested by app/render_test.cpp.
#include "app/render/excerpt.h"

#include <algorithm>
#include <set>
#include <vector>

#include "app/render/columns.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "text/prose.h"
#include "text/words.h"

namespace codexmem::app {
namespace {

constexpr std::size_t kMaxExcerptBytes = std::size_t{64} << 10;
constexpr std::size_t kExcerptLines = 2;

struct Match {
  std::size_t begin = 0, end = 0;  // bytes
  std::string word;                // its stem
};

std::set<std::string> words_of(std::string_view query) {
  std::set<std::string> all, words;
  for_each_prose_term(query.substr(0, 1'000), [&](const Term& term) {
    if (term.is_compound) return;
    all.emplace(term.text);
    if (!is_stop_word(query.substr(term.begin, term.end - term.begin))) words.emplace(term.text);
  });
  return words.empty() ? all : words;
}

std::vector<Match> matches_in(std::string_view text, const std::set<std::string>& words) {
  std::vector<Match> matches;
  for_each_prose_term(text, [&](const Term& term) {
    std::string word(term.text);
    if (term.is_compound || !words.contains(word)) return;
    if (!matches.empty() && term.begin < matches.back().end) return;
    matches.push_back({term.begin, term.end, std::move(word)});
  });
  return matches;
}

// Where a piece with the match at `at` begins: with its sentence if that is near, else with a word
// shortly before it.
std::size_t begin_of_piece(std::string_view text, std::size_t at, std::size_t near) {
  const std::size_t first = at > near ? at - near : 0;
  for (std::size_t i = at; i > first; --i) {
    if (i >= 2 && text[i - 1] == ' ' && std::string_view(".!?:").find(text[i - 2]) != text.npos) {
      return i;
    }
  }
  if (first == 0) return 0;
  for (std::size_t i = at > near / 3 ? at - near / 3 : 0; i < at; ++i) {
    if (text[i] == ' ') return i + 1;
  }
  return at;
}

// cut(), between words where there is one near.
std::string cut_at_word(std::string_view text, std::size_t width) {
  if (column_count(text) <= width) return std::string(text);
  std::string out = cut(text, width);
  const std::size_t space = out.rfind(' ');
  if (space == out.npos || out.size() - space > 20) return out;
  return out.substr(0, space) + " …";
}

std::size_t count_words(const std::vector<Match>& matches, std::size_t begin, std::size_t end) {
  std::set<std::string_view> words;
  for (const Match& match : matches) {
    if (match.begin >= begin && match.end <= end) words.insert(match.word);
  }
  return words.size();
}

}  // namespace

std::string excerpt_lines(std::string_view text, std::string_view query, std::size_t indent,
                          const Console& console) {
  const std::set<std::string> words = words_of(query);
  const std::string folded = terminal_line(fold_whitespace(utf8_prefix(text, kMaxExcerptBytes)));
  const std::vector<Match> matches = matches_in(folded, words);
  if (matches.empty()) return {};
  const std::size_t width = std::clamp<std::size_t>(console.width(), indent + 20, indent + 100);
  const std::size_t room = (width - indent) * kExcerptLines - 20;  // lines break between words
  std::size_t begin = 0, most = column_count(folded) <= room ? words.size() : 0;
  for (const Match& match : matches) {
    const std::size_t from = begin_of_piece(folded, match.begin, room * 2 / 3);
    const std::size_t count = count_words(matches, from, from + room);
    if (count > most) {
      most = count;
      begin = from;
    }
  }
  std::string piece = begin == 0 ? "" : "… ";
  piece += cut_at_word(std::string_view(folded).substr(begin), room);
  const std::string lines = wrapped(piece, indent, width);
  std::string out;
  std::size_t done = 0;
  for (const Match& match : matches_in(lines, words)) {
    out += lines.substr(done, match.begin - done);
    out += console.painted(Paint::kMatch, lines.substr(match.begin, match.end - match.begin));
    done = match.end;
  }
  out += lines.substr(done);
  return out.ends_with('\n') ? out : out + "\n";
}

}  // namespace codexmem::app
