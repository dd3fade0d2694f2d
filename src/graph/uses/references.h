// graph/uses/references.h - the uses of a symbol, each with how sure it is.
//
// Resolved when asked, from per-file facts: an inverted index gives the files in which the name
// occurs, each occurrence is resolved through scopes, imports, re-exports and receiver types
// (graph/core/resolver.h), and those that mean the symbol are the answer. Nothing is linked
// beforehand, so an edited file leaves no stale edge. Design: docs/how-it-works.md, "Names".
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "text/ranges.h"
#include "base/result.h"
#include "base/symbol_type.h"
#include "graph/imports/coverage.h"
#include "graph/stored/facts_cache.h"
#include "graph/uses/use_drawers.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

enum class UsageKind : std::uint8_t { kCall, kImport, kType, kInherit, kRead, kWrite, kDoc };

/// "call", "import", "type", "inherit", "read", "write", "doc".
std::string_view usage_kind_name(UsageKind kind);

struct ReferenceQuery {
  std::string symbol;  // a name, or qualified as for find_symbols()
  std::optional<std::string> file_path =
      {};                                  // relative to the root: the file that defines the symbol
  std::optional<std::uint32_t> line = {};  // 1-based: only the definition on this line of file_path
  bool include_definitions = true;
  // kName lists every place that has the name.
  Confidence min_confidence = Confidence::kPossible;
  bool explain = false;  // fill ReferenceItem::chain
  // Selects the files to report usages of; no function: all files.
  std::function<bool(std::string_view path)> keep = {};
  // The range of items to return; getting the next range costs less than the first.
  std::size_t offset = 0;
  std::size_t limit = SIZE_MAX;
  std::size_t possible_limit = SIZE_MAX;  // the maximum number of possible uses returned as items
};

/// A definition that the query names.
struct ReferenceDefinition {
  store::SymbolId symbol{};
  std::string name;
  std::string qualified_name;
  SymbolType type = SymbolType::kVariable;
  std::string kind;
  std::string path;
  Position start;       // of the declaration
  Position name_start;  // of the identifier
  std::uint32_t end_line = 1;
  // As graph::build_condition(), where several definitions have one name in one folder.
  std::string build_condition = {};
};

struct ReferenceItem {
  std::string path;
  Position position;       // of a definition its declaration's start; of a usage the identifier
  Position name_position;  // of the identifier
  std::string context;  // the line of `position` without surrounding white space, at most 300 bytes
  std::string name_context = {};  // of a definition the line of `name_position`, in the same way
  bool is_definition = false;
  UsageKind kind = UsageKind::kRead;  // of a usage
  std::string container;              // qualified name of the enclosing symbol; "" at top level
  Confidence confidence = Confidence::kResolved;
  std::size_t definition = 0;      // index into ReferenceAnswer::definitions
  std::vector<std::string> chain;  // with explain: the steps from the use to the definition
  Drawer drawer = Drawer::kCertain;
  Doubt doubt = Doubt::kNone;  // of a possible use, and of an unread place
  std::string means = {};      // of a place that means something else: what
};

/// A file with places that were not understood.
struct UnreadFile {
  std::string path;
  Doubt doubt = Doubt::kUnparsed;
};

/// A place where a use could hide.
struct BlindSpot {
  std::string path;
  std::uint32_t line = 1;  // 1-based
  std::string what;        // eval, computed_member, reflection, computed_import, unparsed, import
  std::string context;     // the line without surrounding white space, at most 300 bytes
};

/// What the answer could not see. Files searched are those that hold the name.
struct ReferenceCoverage : FactsCoverage {
  // With a file: definitions inside functions, where others of the name are not.
  std::size_t local_definitions_omitted = 0;
  std::size_t name_matches_omitted = 0;  // places below min_confidence
  std::vector<UnreadFile> unread;        // the first files that have some, by path
  // Only when there is no usage: other files of the language that mention eval, getattr and their
  // like, and the first places of searched files where a use could hide.
  std::size_t files_with_reflection = 0;
  std::vector<BlindSpot> blind_spots;
};

struct ReferenceAnswer {
  std::vector<ReferenceDefinition> definitions;  // exported and source first, as find_symbols()
  // Definitions first, then certain and likely uses by path and position, then possible ones, then
  // other places of the name.
  std::vector<ReferenceItem> items;
  std::size_t total = 0;   // items before offset and limit
  std::size_t usages = 0;  // of these, those that are no definitions
  UseAccount account;
  ReferenceCoverage coverage;
  std::vector<std::string>
      suggestions;  // when there is no definition: path::name of other files that define it, then
                    // names near the one asked for; at most 5
};

/// Finds the uses of the symbols that `query` names.
///
/// A use of several definitions (a merged or overloaded one) comes once, with the first. Results
/// are kept in `cache`, so that another part of the same answer is quick. Errors: kInvalidArgument
/// for an empty symbol; kNotFound when file_path is not indexed; kCancelled; the store's errors.
Result<ReferenceAnswer> find_references(FactsCache& cache, store::CodeReader& reader,
                                        const ReferenceQuery& query, std::stop_token stop = {});

/// The account of the uses of `symbols`, without their places. Errors: kCancelled; the store's
/// errors.
Result<UseAccount> account_uses(FactsCache& cache, store::CodeReader& reader,
                                const std::vector<store::SymbolId>& symbols,
                                std::stop_token stop = {});

}  // namespace codexmem::graph
