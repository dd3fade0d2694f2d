// app/help/known_languages.h - what `codexmem languages` and docs/languages.md say.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parse/rules/languages.h"

namespace codexmem::app {

/// A language, and how it is known.
struct KnownLanguage {
  const parse::Language* language = nullptr;
  /// "reference": names are resolved; "name": definitions, and references by name; "text": search.
  std::string_view known_by;
  std::string_view package;  // the grammar's, of npm; empty for text
  std::string_view version;  // of the package
};

/// Every language: those known by reference first, then by name, then as text; by name in each.
std::vector<KnownLanguage> languages_by_knowledge();

/// The extensions and file names by which its files are recognised: ".c .h".
std::string recognised_by(const parse::Language& language);

/// What the columns of both tables mean, in sentences.
std::string_view meaning_of_columns();

}  // namespace codexmem::app
