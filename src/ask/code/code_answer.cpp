#include "ask/code/code_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "ask/arguments.h"
#include "ask/budget.h"
#include "ask/united.h"
#include "text/counted.h"
#include "text/json_object.h"
#include "base/path.h"
#include "base/text.h"
#include "graph/stored/qualified_name.h"

namespace codexmem::ask {

namespace {

// "; 2 files were not parsed whole, 1 path is not indexed", or nothing.
std::string list_gaps(const graph::AnswerCoverage& coverage) {
  std::vector<std::string> gaps;
  const auto add = [&](std::size_t number, std::string_view what, std::string_view one,
                       std::string_view more) {
    if (number > 0)
      gaps.push_back(fmt::format("{} {}", counted(number, what), number == 1 ? one : more));
  };
  add(coverage.files_unparsed, "file", "was not parsed whole", "were not parsed whole");
  add(coverage.files_skipped, "path", "is not indexed", "are not indexed");
  return gaps.empty() ? "" : "; " + join(gaps, ", ");
}

JsonText files_json(const graph::AnswerCoverage& coverage, bool is_stale) {
  return json_object("filesSearched", coverage.files_searched, "filesSkipped",
                     coverage.files_skipped, "filesUnparsed", coverage.files_unparsed, "stale",
                     is_stale, "unresolvedLanguage", some(coverage.unresolved_language));
}

// Makes the path of `path::name` one of the united reader, where it names a repository.
void name_path(const UnitedCode& united, std::string& symbol) {
  const std::size_t colons = symbol.find("::");
  const std::string_view path = std::string_view(symbol).substr(0, colons);
  if (colons == std::string::npos || path.find('/') == std::string_view::npos) return;
  const bool is_named = united.find(path.substr(0, path.find('/'))) != nullptr;
  if (!is_named && path.front() != '/') return;
  if (auto named = united_argument(united, "symbol", path); named.ok()) {
    symbol = *std::move(named) + symbol.substr(colons);
  }
}

}  // namespace

Result<std::string> repository_path(const store::Workspace& workspace, std::string_view argument,
                                    std::string_view given) {
  const auto refuse = [&](std::string_view why) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{} must be a path in the repository {}, got \"{}\"{}", argument,
                             workspace.root().string(), utf8_prefix(given, 200), why)};
  };
  if (given.empty() || !is_valid_utf8(given)) return refuse("");
  auto path = path_below(workspace.root(), std::filesystem::path(given));
  if (!path) return refuse(", which leads out of it");
  if (path->empty()) return refuse(", the repository itself");
  return *std::move(path);
}

Result<std::string> repository_path(const CodeServices& code, std::string_view argument,
                                    std::string_view given) {
  if (code.united != nullptr) return united_argument(*code.united, argument, given);
  return repository_path(code.workspace, argument, given);
}

Result<std::string> asked_path(const Context& context, std::string_view argument,
                               std::string_view given) {
  if (context.repository.empty() || context.code().united == nullptr) {
    return repository_path(context.code(), argument, given);
  }
  CODEXMEM_ASSIGN(std::string path,
                  united_argument(*context.code().united, argument, given, context.repository));
  if (is_asked(context, path)) return path;
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("{} must be a path in the repository {}, got \"{}\"", argument,
                           context.repository, utf8_prefix(given, 200))};
}

Result<std::vector<std::string>> check_symbol_question(const CodeServices& code,
                                                       std::string& symbol,
                                                       std::optional<std::string>& file_path) {
  if (graph::parse_qualified_name(symbol).name.empty()) {
    return refuse_argument("symbol", "hold a name", symbol);
  }
  if (code.united != nullptr) name_path(*code.united, symbol);
  if (!file_path) return std::vector<std::string>();
  CODEXMEM_ASSIGN(file_path, repository_path(code, "file_path", *file_path));
  return std::vector<std::string>{*file_path};
}

std::string neighbour_json(const graph::Neighbour& neighbour) {
  const bool is_sure = neighbour.confidence == graph::Confidence::kResolved;
  return json_object("name", neighbour.symbol.qualified_name(), "file",
                     json_object("path", neighbour.path), "line", neighbour.symbol.start.line,
                     "count", neighbour.count > 1 ? std::optional(neighbour.count) : std::nullopt,
                     "depth", neighbour.depth > 1 ? std::optional(neighbour.depth) : std::nullopt,
                     "confidence",
                     some(is_sure ? "" : graph::confidence_name(neighbour.confidence)));
}

JsonText coverage_json(const graph::DefinitionCoverage& coverage, bool is_stale) {
  return json_joined(files_json(coverage, is_stale),
                     json_object("filesWithName", coverage.files_with_name));
}

JsonText coverage_json(const graph::FactsCoverage& coverage, bool is_stale) {
  const auto& dynamic = coverage.dynamic;
  std::optional<JsonText> kinds;
  if (dynamic.total() > 0) {
    kinds =
        json_object("eval", dynamic.eval, "computedMember", dynamic.computed_member, "reflection",
                    dynamic.reflection, "computedImport", dynamic.computed_import);
  }
  return json_joined(
      files_json(coverage, is_stale),
      json_object("unparsedRanges", coverage.unparsed_ranges, "dynamicConstructs", dynamic.total(),
                  "dynamicKinds", kinds, "unresolvedImports", coverage.unresolved_imports));
}

JsonText account_json(const graph::UseAccount& account) {
  std::vector<std::pair<std::string, std::size_t>> drawers;
  for (std::size_t i = 0; i < graph::kDrawers; ++i) {
    const auto drawer = static_cast<graph::Drawer>(i);
    drawers.emplace_back(graph::drawer_name(drawer), account[drawer]);
  }
  return json_joined(
      json_value(drawers),
      json_object("total", account.total(), "otherDefinitions", some(account.others), "renamed",
                  some(account.renamed), "renamedPossible", some(account.renamed_possible),
                  "complete", account.is_complete()));
}

std::string list_doubts(const graph::FactsCoverage& coverage) {
  std::vector<std::string> doubts;
  const auto doubt = [&](std::size_t number, std::string_view what) {
    if (number > 0) doubts.push_back(counted(number, what));
  };
  doubt(coverage.unparsed_ranges, "unparsed part");
  doubt(coverage.unresolved_imports, "unresolved import");
  doubt(coverage.dynamic.eval, "eval");
  doubt(coverage.dynamic.reflection, "look-up by reflection");
  doubt(coverage.dynamic.computed_member, "computed member");
  doubt(coverage.dynamic.computed_import, "computed import");
  return join(doubts, ", ");
}

Result<std::vector<graph::SymbolMatch>> find_exactly(store::CodeReader& reader,
                                                     const std::string& symbol) {
  CODEXMEM_ASSIGN(auto found, graph::find_symbols(reader, {.symbol = symbol}));
  std::erase_if(found.results, [](const graph::SymbolMatch& match) {
    return match.match != graph::NameMatch::kExact;
  });
  if (!found.results.empty()) return std::move(found.results);
  const std::string near =
      found.suggestions.empty() ? "" : "; near: " + join(found.suggestions, ", ");
  return Error{ErrorCode::kNotFound, fmt::format("nothing is called \"{}\"{}", symbol, near)};
}

std::string note_no_definition(std::string_view symbol, const graph::DefinitionCoverage& coverage) {
  std::string note = fmt::format("No definition of \"{}\" is indexed: {} searched{}.", symbol,
                                 counted(coverage.files_searched, "file"), list_gaps(coverage));
  if (const std::size_t files = coverage.files_with_name.value_or(0); files > 0) {
    note += fmt::format(" The name occurs in {}: it may be a library's, or made at run time.",
                        counted(files, "file"));
  }
  return note;
}

std::string note_by_name(std::string_view language) {
  return fmt::format("Uses in {} are found only by name: they may mean another definition of it.",
                     language);
}

std::string note_alternatives(const std::vector<ShownDefinition>& definitions) {
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> places;  // name, folder
  std::set<std::pair<std::string_view, std::string_view>> conditional;
  for (const ShownDefinition& each : definitions) {
    const std::pair<std::string_view, std::string_view> place(each.name, folder_of(each.path));
    ++places[place];
    if (each.has_condition) conditional.insert(place);
  }
  if (std::ranges::none_of(conditional, [&](const auto& place) { return places[place] > 1; })) {
    return {};
  }
  return "Definitions of one package with a buildCondition are alternatives: a build has those "
         "whose "
         "condition it meets.";
}

void add_sentence(std::string& note, std::string_view sentence) {
  if (!note.empty() && !sentence.empty()) note += " ";
  note += sentence;
}

std::string note_no_dependents(std::string_view path, const graph::FactsCoverage& coverage) {
  if (!coverage.unresolved_language.empty()) {
    return fmt::format(
        "Imports in {} are not resolved: what {} imports and who imports it is unknown.",
        coverage.unresolved_language, path);
  }
  return fmt::format("No file is known to import {}: {} searched{}.", path,
                     counted(coverage.files_searched, "file"), list_gaps(coverage));
}

}  // namespace codexmem::ask
