// A query is read three times: as words (stems, pairs of neighbours), as runs (compounds), and as
// identifiers (symbols). docs/how-it-works.md, "Search", describes the constants and rules.
//
// Tested by search/query_test.cpp.
#include "search/query.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "text/letters.h"
#include "base/text.h"
#include "text/words.h"

namespace codexmem::search {
namespace {

constexpr double kPairWeight = 0.6;
constexpr double kWeakWeight = 0.5;
constexpr std::size_t kLongWord = 6;     // letters
constexpr std::size_t kMinPrefix = 4;  // letters

// Words that describe any change or part. In 1,642 queries about 30 repositories, the files that
// answered contained these words hardly more often than other matching files. Sorted by bytes.
constexpr std::string_view kWeakWords[] = {
    "add",        "added",          "adding",      "adds",       "all",
    "allow",      "allowing",       "allows",      "also",       "always",
    "behavior",   "behaviour",      "bug",         "built",      "correctly",
    "define",     "defined",        "defines",     "determine",  "determined",
    "determines", "different",      "ensure",      "ensures",    "fix",
    "fixed",      "fixes",          "function",    "functions",  "handle",
    "handled",    "handles",        "handling",    "happen",     "happens",
    "implement",  "implementation", "implemented", "implements", "improve",
    "improved",   "improves",       "instead",     "issue",      "issues",
    "logic",      "make",           "makes",       "making",     "mechanism",
    "missing",    "multiple",       "only",        "perform",    "performed",
    "performs",   "proper",         "properly",    "provide",    "provided",
    "provides",   "refactor",       "specific",    "specified",  "specify",
    "support",    "supported",      "supports",    "up",         "work",
    "working",    "works",
};

static_assert(std::ranges::is_sorted(kWeakWords));

bool is_weak_word(std::string_view word) { return std::ranges::binary_search(kWeakWords, word); }

// The length of the character at `at` if it may be in a name (or begin one); otherwise 0.
std::size_t name_character(std::string_view text, std::size_t at, bool begins) {
  if (at >= text.size()) return 0;
  if (text[at] == '_' || text[at] == '$') return 1;
  const Character c = read_character(text, at);
  switch (letter_kind(c.code)) {
    case LetterKind::kSeparator:
      return 0;
    case LetterKind::kDigit:
    case LetterKind::kMark:
      return begins ? 0 : c.length;
    default:
      return c.length;
  }
}

// An identifier or several joined by `::`, `.`, `->` or `#`: bytes [begin, end), and the begin of
// the last name.
struct Joined {
  std::size_t begin = 0, end = 0, last_name = 0;
  bool is_joined = false;
};

std::size_t skip_name(std::string_view text, std::size_t at) {
  while (const std::size_t length = name_character(text, at, false)) at += length;
  return at;
}

std::size_t joint_size(std::string_view rest) {
  if (rest.starts_with("::") || rest.starts_with("->")) return 2;
  return rest.starts_with(".") || rest.starts_with("#") ? 1 : 0;
}

// Reads the identifiers from `begin`, whose character starts a name.
Joined read_joined(std::string_view text, std::size_t begin) {
  Joined joined{begin, skip_name(text, begin), begin, false};
  for (;;) {
    const std::size_t joint = joint_size(text.substr(joined.end));
    const std::size_t next = joined.end + joint;
    if (joint == 0 || name_character(text, next, true) == 0) return joined;
    joined.last_name = next;
    joined.end = skip_name(text, next);
    joined.is_joined = true;
  }
}

// True if the spelling shows that a word is an identifier rather than a word of a sentence.
bool looks_like_code(std::string_view name) {
  LetterKind before = LetterKind::kSeparator, last = LetterKind::kSeparator;
  for (std::size_t at = 0; at < name.size();) {
    if (name[at] == '_') return true;
    const Character c = read_character(name, at);
    const LetterKind kind = letter_kind(c.code);
    at += c.length;
    if (kind == LetterKind::kMark) continue;
    const bool is_upper = kind == LetterKind::kUpper;
    if (last == LetterKind::kLower && (is_upper || kind == LetterKind::kDigit)) return true;
    if (before == LetterKind::kUpper && last == LetterKind::kUpper && kind == LetterKind::kLower) {
      return true;
    }
    before = std::exchange(last, kind);
  }
  return false;
}

void find_symbols(std::string_view text, Query* query) {
  const std::string_view whole = trim(text);
  if (name_character(whole, 0, true) != 0) {
    const Joined joined = read_joined(whole, 0);
    const std::string_view rest = whole.substr(joined.end);
    if (rest.empty() || rest == "()") {
      query->symbol = whole.substr(joined.last_name, joined.end - joined.last_name);
      return;
    }
  }
  for (std::size_t at = 0; at < text.size();) {
    if (name_character(text, at, false) == 0) {
      at += read_character(text, at).length;
      continue;
    }
    if (name_character(text, at, true) == 0) {
      at = skip_name(text, at);
      continue;
    }
    const Joined joined = read_joined(text, at);
    at = joined.end;
    if (!joined.is_joined && !looks_like_code(text.substr(joined.begin, joined.end - joined.begin)))
      continue;
    std::string name(text.substr(joined.last_name, joined.end - joined.last_name));
    if (std::ranges::find(query->inner_symbols, name) == query->inner_symbols.end()) {
      query->inner_symbols.push_back(std::move(name));
    }
  }
}

void add_term(std::string_view text, double weight, std::vector<QueryTerm>* terms) {
  if (terms->size() >= kMaxQueryTerms) return;
  if (std::ranges::find(*terms, text, &QueryTerm::text) != terms->end()) return;
  terms->push_back({std::string(text), weight});
}

}  // namespace

bool stems_match(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  return b.starts_with(a) && (a.size() == b.size() || code_point_count(a) >= kMinPrefix);
}

Query parse_query(std::string_view text, bool with_pairs) {
  Query query;
  query.text = text;
  std::vector<std::string> words;
  std::vector<std::string> whole_words;  // that are not part of a longer name
  for_each_word(text, [&](const Word& word) {
    words.emplace_back(word.text);
    if (word.starts_run && word.ends_run) whole_words.emplace_back(word.text);
  });
  const bool has_content =
      std::ranges::any_of(words, [](const auto& w) { return !is_stop_word(w); });
  for (const std::string& word : words) {
    if (has_content && is_stop_word(word)) continue;
    add_term(stem(word), is_weak_word(word) ? kWeakWeight : 1, &query.terms);
  }
  for (const QueryTerm& term : query.terms) query.stems.push_back(term.text);
  for_each_term(text, [&](const Term& term) {
    if (term.is_compound) add_term(term.text, 1, &query.terms);
  });
  for (std::size_t i = 1; with_pairs && i < words.size(); ++i) {
    if (is_stop_word(words[i - 1]) || is_stop_word(words[i])) continue;
    add_term(compound_of(words[i - 1], words[i]), kPairWeight, &query.terms);
  }
  // "filename" may be `fileName` as well; the index has no compound for a word written as one.
  for (const std::string& word : whole_words) {
    if (!with_pairs || code_point_count(word) < kLongWord || is_stop_word(word)) continue;
    add_term(compound_of(word, ""), kPairWeight, &query.terms);
  }
  find_symbols(text, &query);
  return query;
}

}  // namespace codexmem::search
