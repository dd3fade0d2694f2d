// Tested by search/locate_test.cpp.
#include "search/locate/locate_query.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/ascii.h"
#include "base/text.h"
#include "search/ranking.h"
#include "text/words.h"

namespace codexmem::search {
namespace {

constexpr std::size_t kMaxStems = 48;
constexpr std::size_t kMaxInnerNames = 16;
constexpr double kUsualFrequency = 0.05;  // of a term that no identifier has: share of files

// How much an occurrence of a word counts.
double occurrence_weight(IssuePart part) {
  switch (part) {
    case IssuePart::kTitle:
      return 2.0;
    case IssuePart::kError:
      return 1.0;
    case IssuePart::kSentence:
      return 0.5;
    case IssuePart::kCode:
      return 0.2;
  }
  return 0;
}

// Words that code has everywhere: they say nothing of what it does.
constexpr std::string_view kKeywords[] = {
    "assert", "async",   "await",     "bool",   "catch",  "class",    "const",    "def",
    "do",     "else",    "end",       "except", "export", "false",    "final",    "finally",
    "float",  "fn",      "for",       "from",   "func",   "function", "if",       "import",
    "int",    "let",     "new",       "nil",    "none",   "null",     "override", "package",
    "print",  "private", "protected", "public", "raise",  "require",  "return",   "returns",
    "self",   "static",  "str",       "string", "struct", "super",    "then",     "this",
    "throw",  "throws",  "true",      "try",    "using",  "var",      "void",     "while",
    "with",   "yield"};

struct WeightedTerm {
  std::string text;
  std::string word;  // as the text has it
  double weight = 0;
  double value = 0;  // weight x how rare it is
  bool is_title = false;
};

// Words of prose that are rare in code, and would count for it.
constexpr std::string_view kProseWords[] = {
    "actually",  "again",    "almost",  "already", "also",
    "although",  "always",   "another", "any",     "anymore",
    "anything",  "because",  "been",    "but",     "cannot",
    "currently", "even",     "ever",    "every",   "everything",
    "got",       "had",      "having",  "here",    "however",
    "instead",   "just",     "know",    "longer",  "looks",
    "many",      "maybe",    "me",      "might",   "more",
    "most",      "much",     "must",    "my",      "never",
    "no",        "now",      "other",   "our",     "perhaps",
    "please",    "probably", "quite",   "rather",  "really",
    "same",      "says",     "seem",    "seems",   "several",
    "simply",    "since",    "so",      "some",    "something",
    "sometimes", "still",    "such",    "sure",    "thanks",
    "them",      "they",     "thing",   "things",  "think",
    "though",    "thus",     "too",     "trying",  "unfortunately",
    "until",     "us",       "very",    "want",    "we",
    "well",      "whether",  "yet",     "you",     "your",
};

bool is_defined(const Snapshot& snapshot, std::string_view name) {
  return std::ranges::any_of(snapshot.parts(), [&](const Snapshot::Part& part) {
    return part.segment->find_name(name).has_value();
  });
}

std::vector<WeightedTerm> weigh_terms(const Snapshot& snapshot, const IssueText& issue) {
  std::map<std::string, WeightedTerm, std::less<>> terms;
  const auto add = [&](std::string text, std::string_view word, IssuePart part) {
    WeightedTerm& term = terms[text];
    if (term.text.empty()) {
      term.text = std::move(text);
      term.word = word;
    }
    term.weight += occurrence_weight(part);
    term.is_title = term.is_title || part == IssuePart::kTitle;
  };
  for (const IssueSegment& segment : issue.segments) {
    for_each_word(segment.text, [&](const Word& word) {
      if (word.text.size() < 2 || is_stop_word(word.text)) return;
      // LaTeX: the whole says more than `la` and `te`.
      const bool is_whole = word.starts_run && word.ends_run;
      if (!is_whole && word.text.size() < 3) return;
      if (std::ranges::all_of(word.text, is_digit)) return;
      if (segment.part == IssuePart::kCode && is_one_of(word.text, kKeywords)) return;
      if (segment.part != IssuePart::kCode && is_one_of(word.text, kProseWords)) return;
      add(stem(word.text), word.text, segment.part);
    });
    for_each_term(segment.text, [&](const Term& term) {
      if (!term.is_compound) return;
      const std::string_view written = segment.text.substr(term.begin, term.end - term.begin);
      add(std::string(term.text), written, segment.part);
      if (const std::string whole = stem(term.text.substr(1)); snapshot.has_stem(whole)) {
        add(whole, written, segment.part);
      }
    });
  }
  const auto files = static_cast<double>(snapshot.file_count());
  std::vector<WeightedTerm> list;
  for (auto& [text, term] : terms) {
    term.weight = term.weight / (1 + term.weight);
    const double known = snapshot.stem_frequency(text);
    term.value = term.weight * name_idf(files, known > 0 ? known : kUsualFrequency * files);
    list.push_back(std::move(term));
  }
  std::ranges::sort(list, [](const WeightedTerm& a, const WeightedTerm& b) {
    return std::pair(-a.value, std::string_view(a.text)) <
           std::pair(-b.value, std::string_view(b.text));
  });
  return list;
}

}  // namespace

LocateQuery make_locate_query(const Snapshot& snapshot, const IssueText& issue) {
  LocateQuery made;
  Query& query = made.query;
  query.text = issue.summary;
  std::vector<WeightedTerm> terms = weigh_terms(snapshot, issue);
  for (const bool compounds : {false, true}) {
    for (WeightedTerm& term : terms) {
      if (term.text.starts_with("=") != compounds) continue;
      if (query.terms.size() >= (compounds ? kMaxQueryTerms : kMaxStems)) break;
      if (!compounds) query.stems.push_back(term.text);
      made.is_title.push_back(term.is_title);
      made.words.push_back(std::move(term.word));
      query.terms.push_back({std::move(term.text), term.weight});
    }
  }
  std::vector<const IssueName*> names;
  for (const IssueName& name : issue.names) {
    if (is_defined(snapshot, name.name)) names.push_back(&name);
  }
  std::ranges::stable_sort(names, [](const IssueName* a, const IssueName* b) {
    return std::pair(a->part, -static_cast<int>(a->count)) <
           std::pair(b->part, -static_cast<int>(b->count));
  });
  for (const IssueName* name : names) {
    if (query.inner_symbols.size() >= kMaxInnerNames) break;
    query.inner_symbols.push_back(name->name);
  }
  return made;
}

}  // namespace codexmem::search
