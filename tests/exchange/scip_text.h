// tests/exchange/scip_text.h - a SCIP index as lines of text, for tests.
#pragma once

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <protozero/pbf_message.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "exchange/scip_schema.h"

namespace codexmem::testing {

namespace scip = exchange::scip;

inline std::string numbers_of(protozero::pbf_message<scip::Occurrence>& at) {
  std::vector<std::int32_t> numbers;
  for (const std::int32_t number : at.get_packed_int32()) numbers.push_back(number);
  return fmt::format("{}", fmt::join(numbers, ":"));
}

/// "at 2:4:9 roles 8 <symbol>", with " in RANGE" where the range around is given.
inline std::string occurrence_text(protozero::pbf_message<scip::Occurrence> at) {
  std::string range, symbol, around;
  std::int32_t roles = 0;
  while (at.next()) {
    if (at.tag() == scip::Occurrence::kRange) {
      range = numbers_of(at);
    } else if (at.tag() == scip::Occurrence::kEnclosingRange) {
      around = " in " + numbers_of(at);
    } else if (at.tag() == scip::Occurrence::kSymbol) {
      symbol = at.get_string();
    } else if (at.tag() == scip::Occurrence::kRoles) {
      roles = at.get_int32();
    } else {
      at.skip();
    }
  }
  return fmt::format("at {} roles {} {}{}", range, roles, symbol, around);
}

/// "is <symbol> kind 7 NAME", with its documentation, signature and relationships.
inline std::string symbol_text(protozero::pbf_message<scip::SymbolInformation> at) {
  std::string symbol, rest;
  while (at.next()) {
    switch (at.tag()) {
      case scip::SymbolInformation::kSymbol:
        symbol = at.get_string();
        break;
      case scip::SymbolInformation::kDocumentation:
        rest += " says '" + at.get_string() + "'";
        break;
      case scip::SymbolInformation::kKind:
        rest += fmt::format(" kind {}", at.get_enum());
        break;
      case scip::SymbolInformation::kDisplayName:
        rest += " " + at.get_string();
        break;
      case scip::SymbolInformation::kSignature: {
        protozero::pbf_message<scip::Document> signature(at.get_message());
        while (signature.next()) {
          if (signature.tag() == scip::Document::kText) {
            rest += " as '" + signature.get_string() + "'";
          } else {
            signature.skip();
          }
        }
        break;
      }
      case scip::SymbolInformation::kRelationships: {
        protozero::pbf_message<scip::Relationship> relation(at.get_message());
        while (relation.next()) {
          if (relation.tag() == scip::Relationship::kSymbol) {
            rest += " implements " + relation.get_string();
          } else {
            relation.skip();
          }
        }
        break;
      }
      default:
        at.skip();
    }
  }
  return "is " + symbol + rest;
}

/// A line for each occurrence and symbol of the document `path`; of "" the external symbols.
inline std::vector<std::string> scip_lines(const std::string& bytes, std::string_view path) {
  std::vector<std::string> lines;
  protozero::pbf_message<scip::Index> index(bytes);
  while (index.next()) {
    if (index.tag() == scip::Index::kExternalSymbols && path.empty()) {
      lines.push_back(symbol_text(index.get_message()));
    } else if (index.tag() == scip::Index::kDocuments) {
      std::vector<std::string> here;
      bool is_wanted = false;
      protozero::pbf_message<scip::Document> document(index.get_message());
      while (document.next()) {
        if (document.tag() == scip::Document::kRelativePath) {
          is_wanted = document.get_string() == path;
        } else if (document.tag() == scip::Document::kOccurrences) {
          here.push_back(occurrence_text(document.get_message()));
        } else if (document.tag() == scip::Document::kSymbols) {
          here.push_back(symbol_text(document.get_message()));
        } else {
          document.skip();
        }
      }
      if (is_wanted) lines.insert(lines.end(), here.begin(), here.end());
    } else {
      index.skip();
    }
  }
  return lines;
}

}  // namespace codexmem::testing
