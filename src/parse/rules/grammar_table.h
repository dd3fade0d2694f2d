// parse/rules/grammar_table.h - the grammars of the build, their versions and their queries.
//
// CMakeLists.txt generates the table, with a row for each folder of grammars/ that has a
// language.json.
#pragma once

#include <span>
#include <string_view>

struct TSLanguage;

namespace codexmem::parse {

struct GrammarRow {
  std::string_view language;  // "typescript"
  std::string_view package;   // of npm, and the folder in it: "tree-sitter-php/php"
  std::string_view version;   // of the package: "0.23.2"
  const TSLanguage* (*get)();
  const char* queries_begin;
  const char* queries_end;
};

/// All grammars, sorted by language name.
std::span<const GrammarRow> grammar_table();

/// The version of the Tree-sitter runtime.
std::string_view tree_sitter_version();

}  // namespace codexmem::parse
