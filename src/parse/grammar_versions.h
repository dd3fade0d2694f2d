// parse/grammar_versions.h - which Tree-sitter and which grammars this program was built with.
//
// Their packages' versions; the table is written by CMakeLists.txt.
#pragma once

#include <span>
#include <string_view>

namespace codexmem::parse {

struct GrammarVersion {
  std::string_view grammar;  // "typescript"
  std::string_view version;  // "0.23.2"
};

/// Every grammar, in the order of cmake/codexmem_grammars.cmake.
std::span<const GrammarVersion> grammar_versions();

std::string_view tree_sitter_version();

}  // namespace codexmem::parse
