// graph/uses/symbol_search.h - finds definitions by name; when some match exactly, only these.
//
// Stateless; reads through the caller's CodeReader. Design: docs/how-it-works.md, "Definitions and
// context".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/symbol_type.h"
#include "graph/stored/facts_cache.h"
#include "graph/uses/name_match.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

struct SymbolQuery {
  std::string symbol;  // a name, or qualified: Class.method, module.name, path/to/file.ts::name
  std::optional<SymbolType> type = {};        // a Python alias of a type is a variable too
  std::optional<std::string> file_path = {};  // relative to the root: only this file's symbols
  std::size_t limit = 200;                    // results at most, at least 1
  std::size_t near_limit = 200;  // so many when the name does not exist exactly, and those that
                                 // answer as well as the last of them
};

struct SymbolMatch {
  store::SymbolRow symbol;
  std::string path;
  std::string language;
  double score = 0.0;  // 1.0 for exact matches, below it for others
  NameMatch match = NameMatch::kExact;
  std::string build_condition = {};  // for who reads the text: build_condition()
};

struct SymbolAnswer {
  /// When the name exists exactly (within type and file), only exact matches; else by score. Ties:
  /// exported before local, source before tests, then path, then line.
  std::vector<SymbolMatch> results;
  std::vector<std::string>
      suggestions;  // other names near the one asked for, best first, at most 5
  /// No result, but the name exists: of these types, which are not the one asked for.
  std::vector<SymbolType> other_types;
  std::size_t total = 0;  // matches before the limit; of near names beyond it each counts once
};

/// Finds the definitions that `query` names.
///
/// No match gives an empty answer, perhaps with suggestions. Errors: kInvalidArgument for an empty
/// symbol or a limit of 0; kNotFound when file_path is not indexed, with the nearest indexed path
/// in the message; the store's errors.
Result<SymbolAnswer> find_symbols(store::CodeReader& reader, const SymbolQuery& query);

/// The member that `query.symbol` (Class.member) names if a supertype of the class declares it:
/// Flask.route is Scaffold.route. For each class of that name the nearest supertypes with the
/// member, in the order of find_symbols(); empty without such a member, or when query.file_path is
/// set.
///
/// For when find_symbols() has no exact match. Errors: the store's errors.
Result<std::vector<SymbolMatch>> find_inherited(FactsCache& cache, store::CodeReader& reader,
                                                const SymbolQuery& query);

/// The error for a name that several definitions have: says what to type for each. `wholes` are
/// these (path::Class.name), each once.
Error several_definitions(std::string_view name, std::vector<std::string> wholes);

/// The build condition of the file at `path`, of files.language `language` and with that text:
/// "linux && cgo"; "" for any.
std::string build_condition(std::string_view language, std::string_view path,
                            std::string_view text);

/// The indexed path nearest to `path`, for the message of an error: the same base name in the
/// nearest folder, else the nearest spelling.
Result<std::optional<std::string>> find_nearest_path(store::CodeReader& reader,
                                                     std::string_view path);

/// The file at `path`. Errors: kInvalidArgument for a folder; kNotFound, saying why it or a folder
/// above it was skipped, else naming the nearest indexed path.
Result<store::FileRow> get_indexed_file(store::CodeReader& reader, std::string_view path);

}  // namespace codexmem::graph
