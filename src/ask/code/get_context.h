// ask/code/get_context.h - get_context: what to know before editing a file or a symbol.
//
// Composed from graph (symbols, callers, callees, imports), search (similar pieces) and store (the
// code itself): ask/code/context_maker.h gathers it, get_context.cpp cuts and writes it. Design:
// docs/how-it-works.md, "MCP".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ask/decision_rules.h"
#include "ask/budget.h"
#include "ask/question.h"
#include "base/result.h"
#include "graph/imports/dependencies.h"
#include "graph/uses/neighbours.h"
#include "index/changes/change_history.h"
#include "memory/entries/citations.h"
#include "store/code/code_rows.h"

namespace codexmem::ask {

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

struct GetContextAnswer : Answer {
  store::FileRow file;
  std::vector<store::SymbolRow> symbols;  // source order
  std::vector<graph::Neighbour> callers;  // of the symbol, or of the file's exported ones
  std::vector<graph::Neighbour> callees;  // outside of what was asked about
  std::vector<graph::Neighbour> types;    // that it names
  std::vector<graph::TestUse> tests;      // that call it
  graph::Hierarchy hierarchy;             // of the symbol; of a file, what its types extend
  std::vector<RelatedFile> related;       // best first
  std::vector<graph::DependencyItem> dependencies;
  index::FileHistory history;      // `together` has only files of the index
  memory::CodeNotes notes;         // memories and decisions that cite it
  std::vector<RuleVerdict> rules;  // of decisions: broken in the file, or on what it imports
  std::string missing_notes;       // why these and the notes could not be read; empty: they were
  std::vector<CodePiece> code;     // best first
  std::set<std::string> cut;       // lists of which there are more than were looked at
  Omitted omitted;                 // what did not fit, by part

  Written to_json() const override;
};

/// The title of `note` and the documentation of `symbol` as answers show them: without secrets, cut
/// where they are long.
std::string note_title(const memory::CodeNote& note);
/// A note as answers list it: {"id", "title", "code_state", ...}.
std::string note_json(const memory::CodeNote& note);
std::string shown_docstring(const store::SymbolRow& symbol);

/// The names of the four lists of `hierarchy`, and the lists.
std::array<std::pair<const char*, const std::vector<graph::Neighbour>*>, 4> lists_of(
    const graph::Hierarchy& hierarchy);

/// Every part has a share of max_bytes, and what a part does not need goes to the next, the code
/// last: as many pieces as fit, best first.
///
/// Errors: kInvalidArgument for a file_path out of the root and for a symbol that the file does not
/// define, naming the nearest; kNotFound when the file is not indexed; as answer_fresh().
Result<GetContextAnswer> run(const Context& context, const GetContextParams& params);

extern const Question kGetContext;

}  // namespace codexmem::ask
