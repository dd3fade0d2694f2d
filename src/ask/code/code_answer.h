// ask/code/code_answer.h - what questions about code have in common: paths, coverage, neighbours.
//
// Stateless; safe to use from many threads. JSON goes out as text. Design: docs/how-it-works.md,
// "MCP".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ask/context.h"
#include "base/result.h"
#include "base/text.h"
#include "graph/imports/coverage.h"
#include "graph/uses/neighbours.h"
#include "graph/uses/symbol_search.h"
#include "graph/uses/use_drawers.h"
#include "store/code/workspace.h"
#include "text/json_object.h"

namespace codexmem::ask {

/// The details of an error that is an EmbeddingError.
inline constexpr std::string_view kEmbeddingFailure = R"({"type":"EmbeddingError"})";

/// `given`, a path from the argument `argument`, relative to the root with `/` between names.
///
/// Absolute paths may go through symbolic links. Errors: kInvalidArgument when it leads out of the
/// root, names the root itself, or is no UTF-8.
Result<std::string> repository_path(const store::Workspace& workspace, std::string_view argument,
                                    std::string_view given);

/// The same in the reader of `code`: of a workspace as united_argument() has it.
Result<std::string> repository_path(const CodeServices& code, std::string_view argument,
                                    std::string_view given);

/// The same of a question that is about one repository of a workspace where its argument
/// `repository` names one: the path is one of that. Errors: as above, and for a path in another.
Result<std::string> asked_path(const Context& context, std::string_view argument,
                               std::string_view given);

/// A question about a symbol, of find_symbol and get_references: `symbol` must hold a name, and
/// `file_path`, when it is given, becomes a path of the reader, and so does the path of
/// `path::name` in a workspace. Returns the files that the
/// question names. Errors: kInvalidArgument.
Result<std::vector<std::string>> check_symbol_question(const CodeServices& code,
                                                       std::string& symbol,
                                                       std::optional<std::string>& file_path);

/// A neighbour as answers list it: {"name", "file": {"path"}, "line"}, with `count`, `depth` and
/// `confidence` where they say something.
std::string neighbour_json(const graph::Neighbour& neighbour);

/// The text of the object `coverage` of an answer. Zero counts are included.
JsonText coverage_json(const graph::DefinitionCoverage& coverage, bool is_stale);
JsonText coverage_json(const graph::FactsCoverage& coverage, bool is_stale);

/// The object `account` of an answer: a number for each drawer, which add up to `total`; beside
/// them `otherDefinitions` and `renamed`, where there are some, and `complete`.
JsonText account_json(const graph::UseAccount& account);

/// Constructs in the files read that could hide something: "2 evals, 1 computed member"; empty when
/// there is nothing.
std::string list_doubts(const graph::FactsCoverage& coverage);

/// The definitions that have the name `symbol` exactly. Errors: kNotFound, with names near it, when
/// there are none; the store's.
Result<std::vector<graph::SymbolMatch>> find_exactly(store::CodeReader& reader,
                                                     const std::string& symbol);

/// What was searched in vain for a definition of `symbol`, as one or two sentences.
std::string note_no_definition(std::string_view symbol, const graph::DefinitionCoverage& coverage);

/// Says that uses in `language` are matches of the name.
std::string note_by_name(std::string_view language);

/// A definition that is shown.
struct ShownDefinition {
  std::string name;  // qualified
  std::string_view path;
  bool has_condition = false;  // of builds
};

/// Says that of definitions with one name in one folder a build has some; "" where there are none.
std::string note_alternatives(const std::vector<ShownDefinition>& definitions);

/// Adds a sentence to a note; nothing where it is empty.
void add_sentence(std::string& note, std::string_view sentence);

/// What note_no_definition() says, for files that import the one at `path`.
std::string note_no_dependents(std::string_view path, const graph::FactsCoverage& coverage);

}  // namespace codexmem::ask
