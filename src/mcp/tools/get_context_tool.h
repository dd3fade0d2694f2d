// mcp/tools/get_context_tool.h - get_context: what to know before editing a file or a symbol.
//
// Composed from graph (symbols, callers, callees, imports), search (similar pieces) and store (the
// code itself). Design: docs/mcp.md.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/dependencies.h"
#include "graph/neighbours.h"
#include "index/change_history.h"
#include "mcp/tool.h"
#include "memory/citations.h"
#include "store/code/code_rows.h"

namespace codexmem::mcp {

struct GetContextParams {
  std::string file_path;  // as it was given
  std::optional<std::string> symbol;
  std::size_t context_size = 5;  // most pieces of code, and most related files
  bool include_dependencies = true;
  std::size_t max_bytes = 0;  // of the answer's JSON
};

/// A file that has to do with the one asked about.
struct RelatedFile {
  std::string path;
  double score = 0;  // 0 to 1
  // imported, imports it, calls it, called by it, test, similar, changes with it, ...
  std::vector<std::string> reasons;
};

/// A piece of code: a whole definition, a chunk (whole statements), or the whole file.
struct CodePiece {
  std::string path;
  std::uint32_t start_line = 1, end_line = 1;
  double score = 0;    // 0 to 1
  std::string symbol;  // qualified name of the definition, if it is one
  std::string reason;
  std::string content;
};

struct GetContextAnswer {
  store::FileRow file;
  std::vector<store::SymbolRow> symbols;  // source order
  std::vector<graph::Neighbour> callers;  // of the symbol, or of the file's exported ones
  std::vector<graph::Neighbour> callees;  // outside of what was asked about
  std::vector<graph::Neighbour> types;    // that it names
  std::vector<graph::TestUse> tests;      // that call it
  graph::Hierarchy hierarchy;             // of the symbol; of a file, what its types extend
  std::vector<RelatedFile> related;       // best first
  std::vector<graph::DependencyItem> dependencies;
  index::FileHistory history;   // `together` has files of the index alone
  memory::CodeNotes notes;      // memories and decisions that cite it
  std::set<std::string> cut;    // lists of which there are more than were looked at
  std::string missing_notes;    // why these could not be read; empty: they were
  std::vector<CodePiece> code;  // candidates, best first
  std::size_t context_size = 5;
  std::size_t max_bytes = 0;
};

GetContextParams read_get_context(const JsonValue& arguments);

/// Errors: kInvalidArgument for a file_path out of the root and for a symbol that the file does not
/// define, naming the nearest; kNotFound when the file is not indexed; those of answer_fresh().
Result<GetContextAnswer> run(const CallContext& context, const GetContextParams& params);

/// Every part has a share of max_bytes, and what a part does not need goes to the next, the code
/// last: as many pieces as fit, best first. What was cut is counted in `omitted`, by part.
ToolResult to_result(const GetContextAnswer& answer);

ToolResult call_get_context(const JsonValue& arguments, const CallContext& context);

}  // namespace codexmem::mcp
