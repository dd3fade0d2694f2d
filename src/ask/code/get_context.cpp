#include "ask/code/get_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ask/budget.h"
#include "ask/code/code_answer.h"
#include "ask/code/context_maker.h"
#include "ask/fresh.h"
#include "privacy/shown_code.h"
#include "text/json_object.h"
#include "base/text.h"
#include "memory/times.h"
#include "privacy/gate.h"

namespace codexmem::ask {

namespace {

constexpr std::size_t kDocstringBytes = 300;
constexpr std::size_t kNoteTitleBytes = 200;

double rounded_share(double value) { return std::round(value * 100) / 100; }

std::string context_symbol_json(const store::SymbolRow& row) {
  const std::string_view type = symbol_type_name(row.type);
  return json_object("name", row.name, "type", type, "definition",
                     row.signature.empty() ? row.name : privacy::shown_code(row.signature),
                     "docstring", some(shown_docstring(row)), "kind",
                     row.kind != type ? std::optional(row.kind) : std::nullopt, "container",
                     some(row.container), "startLine", row.start.line, "endLine", row.end.line);
}

std::string test_json(const graph::TestUse& use) {
  return json_object("path", use.path, "test", some(use.test), "line", use.first.line, "count",
                     use.count > 1 ? std::optional(use.count) : std::nullopt);
}

std::string related_json(const RelatedFile& file) {
  return json_object("path", file.path, "reason", join(file.reasons, ", "), "score",
                     rounded_share(file.score));
}

std::string dependency_json(const graph::DependencyItem& item) {
  return json_object("importPath", item.import_path, "symbols", item.symbols, "isExternal",
                     item.is_external, "file", some(json_object("path", some(item.path))),
                     "package", some(item.package == item.import_path ? "" : item.package));
}

std::string changed_json(const index::ChangedFile& file) {
  return json_object("path", file.path, "commits", file.commits);
}

// What the counts of changedTogether are of.
std::string history_json(const index::FileHistory& history) {
  return json_object("commits", history.commits, "lookedAt", history.looked_at, "shallow",
                     some(history.is_shallow), "partial", some(history.is_cut));
}

std::string piece_json(const CodePiece& piece) {
  return json_object("content", piece.content, "startLine", piece.start_line, "endLine",
                     piece.end_line, "score", rounded_share(piece.score), "file",
                     json_object("path", piece.path), "symbol", some(piece.symbol), "reason",
                     piece.reason);
}

std::string file_json(const store::FileRow& row) {
  return json_object("path", row.path, "language", row.language, "lines", row.line_count);
}

// The symbols that matter most first: top-level and exported ones.
std::vector<std::size_t> order_of(const std::vector<store::SymbolRow>& symbols) {
  std::vector<std::size_t> order(symbols.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) {
    return (symbols[i].container.empty() ? 0 : 2) + (symbols[i].exported ? 0 : 1);
  });
  return order;
}

// Cuts the parts of an answer to `room` bytes.
void cut_context(GetContextAnswer& answer, std::size_t most, std::size_t room) {
  ListCutter lists(room, answer.omitted);
  lists.add("relatedFiles", answer.related, related_json, room / 10, {.most = most});
  lists.add("callers", answer.callers, neighbour_json, room / 16);
  lists.add("callees", answer.callees, neighbour_json, room / 16);
  lists.add("memories", answer.notes.notes, note_json, room / 16,
            {.already_omitted = answer.notes.omitted});
  lists.add(
      "rules", answer.rules, [](const RuleVerdict& each) { return verdict_json(each); }, room / 10);
  lists.add("types", answer.types, neighbour_json, room / 16);
  lists.add("tests", answer.tests, test_json, room / 16);
  lists.add("supertypes", answer.hierarchy.supertypes, neighbour_json, room / 16);
  lists.add("subtypes", answer.hierarchy.subtypes, neighbour_json, room / 16);
  lists.add("overrides", answer.hierarchy.overrides, neighbour_json, room / 16);
  lists.add("overriddenBy", answer.hierarchy.overridden_by, neighbour_json, room / 16);
  if (answer.history.looked_at > 0) {
    lists.add("changedTogether", answer.history.together, changed_json, room / 12, {.most = most});
  }
  lists.add("dependencies", answer.dependencies, dependency_json, room / 8);
  lists.add("symbols", answer.symbols, context_symbol_json, room / 4,
            {.order = order_of(answer.symbols)});
  lists.add("relevantCode", answer.code, piece_json, room, {.most = most, .skips_large = true});
  lists.cut();
}

constexpr Param kGetContextParams[] = {
    {.name = "file_path",
     .also = kFileNames,
     .description = "File or symbol",
     .required = true,
     .least = 1,
     .option = "PLACE",
     .help = "A file, a symbol, or path::symbol",
     .takes = Takes::kPlace,
     .into = into<&GetContextParams::file_path>},
    {.name = "symbol",
     .also = kSymbolNames,
     .description = "In the file",
     .option = "-s,--symbol",
     .help = "One symbol of the file",
     .takes = Takes::kSymbol,
     .into = into<&GetContextParams::symbol>},
    {.name = "context_size",
     .type = ParamType::kWhole,
     .description = "Most pieces",
     .least = 1,
     .most = 20,
     .default_json = "5",
     .option = "-n,--size",
     .help = "How many related things (1 to 20, default 5)",
     .into = into<&GetContextParams::context_size>},
    {.name = "include_dependencies",
     .type = ParamType::kFlag,
     .description = "Imports",
     .default_json = "true",
     .option = "--dependencies,!--no-dependencies",
     .help = "With what the file imports (default), or without",
     .into = into<&GetContextParams::include_dependencies>},
    revision_param(),
    one_repository_param(),
    max_tokens_param(into_by<read_bytes, &GetContextParams::max_bytes>, "2048"),
};

}  // namespace

std::array<std::pair<const char*, const std::vector<graph::Neighbour>*>, 4> lists_of(
    const graph::Hierarchy& hierarchy) {
  return {std::pair{"supertypes", &hierarchy.supertypes},
          {"subtypes", &hierarchy.subtypes},
          {"overrides", &hierarchy.overrides},
          {"overriddenBy", &hierarchy.overridden_by}};
}

std::string note_json(const memory::CodeNote& note) {
  const memory::CitationState& cited = note.cited;
  const std::string& symbol = cited.symbol.empty() ? cited.citation.symbol : cited.symbol;
  return json_object("id", note.id, "title", note_title(note), "type", some(note.type), "decision",
                     some(note.status), "code_state", memory::code_state_name(cited.state),
                     "symbol", some(symbol), "branch", some(note.branch), "created_at",
                     memory::iso_time(note.created_at_ms));
}

std::string note_title(const memory::CodeNote& note) {
  return std::string(utf8_prefix(privacy::redacted(note.title), kNoteTitleBytes));
}

std::string shown_docstring(const store::SymbolRow& symbol) {
  return privacy::shown_code(symbol.docstring, kDocstringBytes);
}

Result<GetContextAnswer> run(const Context& context, const GetContextParams& asked) {
  GetContextParams params = asked;
  if (params.symbol && trim(*params.symbol).empty()) params.symbol.reset();
  CODEXMEM_ASSIGN(const std::string path, asked_path(context, "file_path", params.file_path));
  CODEXMEM_ASSIGN(
      GetContextAnswer answer,
      answer_fresh<GetContextAnswer>(
          context, {path},
          [&](store::CodeReader& reader) { return make_context(context, reader, params, path); },
          [](const GetContextAnswer& made, std::set<std::string>& paths) {
            for (const CodePiece& piece : made.code) paths.insert(piece.path);
            for (const RelatedFile& file : made.related) paths.insert(file.path);
            for (const auto& neighbour : made.callers) paths.insert(neighbour.path);
            for (const auto& neighbour : made.callees) paths.insert(neighbour.path);
            for (const auto& neighbour : made.types) paths.insert(neighbour.path);
            for (const auto& test : made.tests) paths.insert(test.path);
            for (const auto& [name, list] : lists_of(made.hierarchy)) {
              for (const graph::Neighbour& neighbour : *list) paths.insert(neighbour.path);
            }
            for (const auto& edge : made.dependencies) paths.insert(edge.path);
          }));
  // Names of the parts, token_estimate, omitted, cut, history.
  constexpr std::size_t kFrameBytes = 540;
  const std::size_t frame = file_json(answer.file).size() + kFrameBytes;
  cut_context(answer, params.context_size, bytes_left(params.max_bytes, frame));
  return answer;
}

Written GetContextAnswer::to_json() const {
  const auto write_rule = [](const RuleVerdict& verdict) { return verdict_json(verdict); };
  const bool has_history = history.looked_at > 0;
  // Most symbols have no hierarchy, and few files have rules.
  std::string result = json_object(
      "file", JsonText{file_json(file)}, "symbols", json_list(symbols, context_symbol_json),
      "callers", json_list(callers, neighbour_json), "callees", json_list(callees, neighbour_json),
      "memories", some(json_list(notes.notes, note_json)), "rules",
      some(json_list(rules, write_rule)), "memoriesMissing", some(utf8_prefix(missing_notes, 300)),
      "types", some(json_list(types, neighbour_json)), "tests", some(json_list(tests, test_json)),
      "supertypes", some(json_list(hierarchy.supertypes, neighbour_json)), "subtypes",
      some(json_list(hierarchy.subtypes, neighbour_json)), "overrides",
      some(json_list(hierarchy.overrides, neighbour_json)), "overriddenBy",
      some(json_list(hierarchy.overridden_by, neighbour_json)), "changedTogether",
      has_history ? std::optional(json_list(history.together, changed_json)) : std::nullopt,
      "history", some(JsonText{has_history ? history_json(history) : ""}), "relatedFiles",
      json_list(related, related_json), "dependencies", json_list(dependencies, dependency_json),
      "relevantCode", json_list(code, piece_json), "omitted", some(omitted), "cut", some(cut));
  result.pop_back();
  const std::size_t bytes = result.size() + 25;
  result += fmt::format(",\"token_estimate\":{}}}", tokens_of_bytes(bytes));
  return object_json(std::move(result));
}

constinit const Question kGetContext = {
    .name = "get_context",
    .title = "Get context",
    .description = "Before an edit: code, callers, callees, types, tests, imports, history, notes.",
    .groups = "code",
    .is_united = true,
    .params = kGetContextParams,
    .output_schema = R"json({"type":"object","properties":{
"file":{"type":"object","properties":{"path":{"type":"string"},"language":{"type":"string"},"lines":{"type":"integer"}},"required":["path"]},
"symbols":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"type":{"type":"string"},"definition":{"type":"string"},"docstring":{"type":"string"},"kind":{"type":"string"},"container":{"type":"string"},"startLine":{"type":"integer"},"endLine":{"type":"integer"}},"required":["name","type","definition"]}},
"memories":{"type":"array","items":{"type":"object"}},"rules":{"type":"array","items":{"type":"object"}},"callers":{"type":"array","items":{"type":"object"}},"callees":{"type":"array","items":{"type":"object"}},"types":{"type":"array","items":{"type":"object"}},"tests":{"type":"array","items":{"type":"object"}},"supertypes":{"type":"array","items":{"type":"object"}},"subtypes":{"type":"array","items":{"type":"object"}},"overrides":{"type":"array","items":{"type":"object"}},"overriddenBy":{"type":"array","items":{"type":"object"}},
"relatedFiles":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"reason":{"type":"string"},"score":{"type":"number"}},"required":["path"]}},
"changedTogether":{"type":"array","items":{"type":"object"}},"history":{"type":"object"},
"dependencies":{"type":"array","items":{"type":"object","properties":{"importPath":{"type":"string"},"symbols":{"type":"array","items":{"type":"string"}},"isExternal":{"type":"boolean"},"file":{"type":"object"},"package":{"type":"string"}},"required":["importPath","symbols","isExternal"]}},
"relevantCode":{"type":"array","items":{"type":"object","properties":{"content":{"type":"string"},"startLine":{"type":"integer"},"endLine":{"type":"integer"},"score":{"type":"number"},"file":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]},"symbol":{"type":"string"},"reason":{"type":"string"}},"required":["content","startLine","endLine","score"]}},
"token_estimate":{"type":"integer"},"omitted":{"type":"object"},
"stale":{"type":"object"},"type":{"type":"string"},"message":{"type":"string"}},
"anyOf":[{"required":["file","symbols","relatedFiles","dependencies","relevantCode","token_estimate"]},{"required":["type","message"]}]})json",
    .failure_type = "SearchError",
    .run = run_question<GetContextParams>};

}  // namespace codexmem::ask
