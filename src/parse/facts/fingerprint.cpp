// Tested by parse/whole_facts_test.cpp.
#include "parse/facts/fingerprint.h"

#include <algorithm>
#include <string_view>

#include "base/hash.h"
#include "parse/facts/facts_codec.h"
#include "parse/rules/grammar_table.h"

namespace codexmem::parse {

std::string facts_fingerprint(const Language& language) {
  constexpr std::size_t kDigits = 16;
  const auto grammars = grammar_table();
  const auto row = std::ranges::find(grammars, language.name, &GrammarRow::language);
  if (!language.has_grammar || row == grammars.end()) return {};
  std::string parts = std::to_string(kFactsVersion);
  const auto add = [&](std::string_view part) {
    parts += ' ' + std::to_string(part.size()) + ':';
    parts += part;
  };
  for (const std::string_view part :
       {tree_sitter_version(), row->language, row->package, row->version, language.family,
        language.block_comment, language.class_frame,
        std::string_view(row->queries_begin, row->queries_end)}) {
    add(part);
  }
  for (const int value :
       {static_cast<int>(language.visibility), static_cast<int>(language.repair),
        static_cast<int>(language.is_configuration), static_cast<int>(language.is_prose)}) {
    add(std::to_string(value));
  }
  return sha256_hex(parts).substr(0, kDigits);
}

}  // namespace codexmem::parse
