// app/render/render.h - the answers of the code questions for people.
//
// Each function takes the answer of its question and returns lines for a terminal: places as
// path:line, which editors and terminals open. Stateless.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/render/console.h"
#include "ask/answer.h"
#include "ask/budget.h"
#include "graph/imports/dependencies.h"
#include "graph/uses/use_drawers.h"

namespace codexmem::app {

/// What there is to print, and whether anything was found.
struct Rendered {
  std::string text;
  bool found = false;
  std::string warning = {};  // what the JSON of a list does not say; empty: nothing
};

/// Prints the answer of one question.
using Render = Rendered (*)(const ask::Answer& answer, const Console& console);

/// Names on one line, which a line break in a file's name cannot end.
std::string names_of(const std::vector<std::string>& list);
/// What people should know of an answer that is less than it seems: its note and near names.
std::string remarks(const std::string& note, const std::vector<std::string>& near,
                    const Console& console);
/// Imports, or importers where not `outgoing`: those of the file itself, then below each file
/// between, in the order of the answer, those that come through it.
std::string edge_lines(const std::vector<graph::DependencyItem>& edges, bool outgoing,
                       const Console& console);
/// How to ask for the rest of a list, as a line; empty if it is whole.
std::string more_to_come(const ask::Rest& rest, const Console& console);
/// What follows a list in the shell: how many more there are, and the note.
std::string end_of_list(const ask::Rest& rest, const std::string& note, const Console& console);
/// What the account of a symbol means for a model that would search the text once more: a line, or
/// nothing where a place is open.
std::string account_meaning(const graph::UseAccount& account, const Console& console);
/// What did not fit into an answer, as a line; the shell has room for nearly all.
std::string omitted_line(const ask::Omitted& omitted, const Console& console);

Rendered render_search(const ask::Answer& answer, const Console& console);
Rendered render_located(const ask::Answer& answer, const Console& console);
Rendered render_symbols(const ask::Answer& answer, const Console& console);
/// At most `limit` definitions and uses, 0: all. On a terminal by file; elsewhere a line each,
/// which begins with path:line:column.
Rendered render_references(const ask::Answer& answer, const Console& console,
                           std::size_t limit = 0);
Rendered render_dependencies(const ask::Answer& answer, const Console& console);
Rendered render_change(const ask::Answer& answer, const Console& console);
Rendered render_overview(const ask::Answer& answer, const Console& console);
Rendered render_calls(const ask::Answer& answer, const Console& console);
Rendered render_unused(const ask::Answer& answer, const Console& console);
Rendered render_routes(const ask::Answer& answer, const Console& console);
Rendered render_history(const ask::Answer& answer, const Console& console);
Rendered render_rename(const ask::Answer& answer, const Console& console);
Rendered render_context(const ask::Answer& answer, const Console& console);

}  // namespace codexmem::app
