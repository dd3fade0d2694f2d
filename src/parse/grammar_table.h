// parse/grammar_table.h - the grammars of the build and their queries.
//
// Internal to parse. The table itself is written by CMakeLists.txt, a row for each
// codexmem_language.
#pragma once

#include <span>
#include <string_view>

struct TSLanguage;

namespace codexmem::parse {

struct GrammarRow {
  std::string_view language;
  const TSLanguage* (*get)();
  const char* queries_begin;
  const char* queries_end;
};

/// Every grammar, in the order of CMakeLists.txt.
std::span<const GrammarRow> grammar_table();

}  // namespace codexmem::parse
