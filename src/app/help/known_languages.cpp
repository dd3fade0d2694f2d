// Tested by app/known_languages_test.cpp.
#include "app/help/known_languages.h"

#include <algorithm>

#include "graph/core/language_semantics.h"
#include "parse/rules/grammar_table.h"

namespace codexmem::app {
namespace {

int rank_of(const KnownLanguage& known) {
  return known.known_by == "reference" ? 0 : known.known_by == "name" ? 1 : 2;
}

}  // namespace

std::vector<KnownLanguage> languages_by_knowledge() {
  std::vector<KnownLanguage> all;
  for (const parse::Language& language : parse::languages()) {
    KnownLanguage known{&language, "text", {}, {}};
    if (language.has_grammar) {
      known.known_by = graph::resolves_names(parse::family_of(language)) ? "reference" : "name";
    }
    for (const parse::GrammarRow& row : parse::grammar_table()) {
      if (row.language != language.name) continue;
      known.package = row.package;
      known.version = row.version;
    }
    all.push_back(known);
  }
  std::ranges::sort(all, [](const KnownLanguage& a, const KnownLanguage& b) {
    if (rank_of(a) != rank_of(b)) return rank_of(a) < rank_of(b);
    return a.language->name < b.language->name;
  });
  return all;
}

std::string recognised_by(const parse::Language& language) {
  std::string text;
  for (const auto list : {language.extensions, language.file_names}) {
    for (const std::string_view each : list) {
      if (!text.empty()) text += ' ';
      text += each;
    }
  }
  return text;
}

std::string_view meaning_of_columns() {
  return "Known by reference: names are resolved through scopes, imports and types. By name: "
         "definitions, the files that imports name, and references by their spelling. As text: "
         "search only.\n"
         "definitions, references, imports: F1 from 0 to 1 against a compiler or analyser, on "
         "repositories that nobody looked at while the rules were written, if there are any; for "
         "languages known by name, the share of universal-ctags' definitions that are found. "
         "calls: precision/recall of the pairs of caller and callee in one repository. Empty: not "
         "measured.";
}

}  // namespace codexmem::app
