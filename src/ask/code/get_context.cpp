#include "ask/code/get_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ask/arguments.h"
#include "ask/code/code_answer.h"
#include "ask/code/context_maker.h"
#include "ask/fresh.h"
#include "text/json.h"
#include "base/text.h"
#include "memory/times.h"
#include "privacy/gate.h"

namespace codexmem::ask {

namespace {

constexpr std::size_t kDocstringBytes = 300;
constexpr std::size_t kNoteTitleBytes = 200;

double rounded_share(double value) { return std::round(value * 100) / 100; }

std::string context_symbol_json(const store::SymbolRow& row) {
  Json json;
  json["name"] = row.name;
  json["type"] = symbol_type_name(row.type);
  json["definition"] = row.signature.empty() ? row.name : row.signature;
  if (!row.docstring.empty()) json["docstring"] = shown_docstring(row);
  if (row.kind != symbol_type_name(row.type)) json["kind"] = row.kind;
  if (!row.container.empty()) json["container"] = row.container;
  json["startLine"] = row.start.line;
  json["endLine"] = row.end.line;
  return dump_json(json);
}

std::string test_json(const graph::TestUse& use) {
  Json json;
  json["path"] = use.path;
  if (!use.test.empty()) json["test"] = use.test;
  json["line"] = use.first.line;
  if (use.count > 1) json["count"] = use.count;
  return dump_json(json);
}

std::string related_json(const RelatedFile& file) {
  Json json;
  json["path"] = file.path;
  json["reason"] = join(file.reasons, ", ");
  json["score"] = rounded_share(file.score);
  return dump_json(json);
}

std::string dependency_json(const graph::DependencyItem& item) {
  Json json;
  json["importPath"] = item.import_path;
  json["symbols"] = item.symbols;
  json["isExternal"] = item.is_external;
  if (!item.path.empty()) json["file"]["path"] = item.path;
  if (!item.package.empty() && item.package != item.import_path) json["package"] = item.package;
  return dump_json(json);
}

std::string changed_json(const index::ChangedFile& file) {
  return dump_json({{"path", file.path}, {"commits", file.commits}});
}

// What the counts of changedTogether are of.
std::string history_json(const index::FileHistory& history) {
  Json json;
  json["commits"] = history.commits;
  json["lookedAt"] = history.looked_at;
  if (history.is_shallow) json["shallow"] = true;
  if (history.is_cut) json["partial"] = true;
  return dump_json(json);
}

std::string piece_json(const CodePiece& piece) {
  Json json;
  json["content"] = piece.content;
  json["startLine"] = piece.start_line;
  json["endLine"] = piece.end_line;
  json["score"] = rounded_share(piece.score);
  json["file"]["path"] = piece.path;
  if (!piece.symbol.empty()) json["symbol"] = piece.symbol;
  json["reason"] = piece.reason;
  return dump_json(json);
}

std::string file_json(const store::FileRow& row) {
  Json file;
  file["path"] = row.path;
  file["language"] = row.language;
  file["lines"] = row.line_count;
  return dump_json(file);
}

// Shares out the bytes of an answer: a part takes at most what stands open for it.
class Shares {
 public:
  explicit Shares(std::size_t bytes) : left_(bytes) {}

  // How many of `items`, in order, fit into `bytes` and into what is left.
  template <typename Items, typename Write>
  std::size_t take(const Items& items, Write write, std::size_t bytes) {
    const std::size_t room = std::min(bytes, left_);
    std::size_t used = 0, taken = 0;
    for (const auto& item : items) {
      const std::size_t size = write(item).size() + 1;
      if (used + size > room) break;
      used += size;
      ++taken;
    }
    left_ -= used;
    return taken;
  }
  bool take_one(std::size_t bytes) {
    if (bytes + 1 > left_) return false;
    left_ -= bytes + 1;
    return true;
  }

 private:
  std::size_t left_;
};

// Cuts the parts of an answer to their shares of its size.
class ContextCutter {
 public:
  ContextCutter(GetContextAnswer& answer, std::size_t context_size, std::size_t room)
      : answer_(answer), context_size_(context_size), room_(room), shares_(room) {}

  void cut() {
    keep("relatedFiles", answer_.related, related_json, room_ / 10, context_size_);
    keep("callers", answer_.callers, neighbour_json, room_ / 16);
    keep("callees", answer_.callees, neighbour_json, room_ / 16);
    const std::size_t notes = answer_.notes.notes.size();
    truncate(answer_.notes.notes, shares_.take(answer_.notes.notes, note_json, room_ / 16));
    omit("memories", notes - answer_.notes.notes.size() + answer_.notes.omitted);
    keep(
        "rules", answer_.rules, [](const RuleVerdict& each) { return verdict_json(each); },
        room_ / 10);
    keep("types", answer_.types, neighbour_json, room_ / 16);
    keep("tests", answer_.tests, test_json, room_ / 16);
    graph::Hierarchy& hierarchy = answer_.hierarchy;
    keep("supertypes", hierarchy.supertypes, neighbour_json, room_ / 16);
    keep("subtypes", hierarchy.subtypes, neighbour_json, room_ / 16);
    keep("overrides", hierarchy.overrides, neighbour_json, room_ / 16);
    keep("overriddenBy", hierarchy.overridden_by, neighbour_json, room_ / 16);
    if (answer_.history.looked_at > 0) {
      keep("changedTogether", answer_.history.together, changed_json, room_ / 12, context_size_);
    }
    keep("dependencies", answer_.dependencies, dependency_json, room_ / 8);
    keep_symbols(room_ / 4);
    keep_code();
  }

 private:
  void omit(const char* part, std::size_t count) {
    if (count > 0) answer_.omitted.emplace_back(part, count);
  }

  template <typename Item>
  static void truncate(std::vector<Item>& items, std::size_t count) {
    if (count < items.size()) {
      items.erase(items.begin() + static_cast<std::ptrdiff_t>(count), items.end());
    }
  }

  // Leaves of `items`, of `most` at most, those that fit into `bytes`.
  template <typename Item, typename Write>
  void keep(const char* part, std::vector<Item>& items, Write write, std::size_t bytes,
            std::size_t most = SIZE_MAX) {
    const std::size_t all = items.size();
    truncate(items, most);
    truncate(items, shares_.take(items, write, bytes));
    omit(part, all - items.size());
  }

  // Of many symbols those that matter most: top-level and exported ones; in source order.
  void keep_symbols(std::size_t bytes) {
    std::vector<store::SymbolRow>& symbols = answer_.symbols;
    std::vector<std::size_t> order(symbols.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto rank = [&](std::size_t i) {
      return (symbols[i].container.empty() ? 0 : 2) + (symbols[i].exported ? 0 : 1);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
    const auto write = [&](std::size_t i) { return context_symbol_json(symbols[i]); };
    omit(
        "symbols", symbols.size() - [&] {
          truncate(order, shares_.take(order, write, bytes));
          return order.size();
        }());
    std::sort(order.begin(), order.end());
    std::vector<store::SymbolRow> kept;
    for (const std::size_t i : order) kept.push_back(std::move(symbols[i]));
    symbols = std::move(kept);
  }

  // As many pieces as fit, best first; a smaller one may follow one that does not.
  void keep_code() {
    std::vector<CodePiece> kept;
    for (CodePiece& piece : answer_.code) {
      if (kept.size() == context_size_) break;
      if (shares_.take_one(piece_json(piece).size())) kept.push_back(std::move(piece));
    }
    omit("relevantCode", answer_.code.size() - kept.size());
    answer_.code = std::move(kept);
  }

  GetContextAnswer& answer_;
  std::size_t context_size_, room_;
  Shares shares_;
};

// `"name":[...],`, or nothing when there are no `items`.
template <typename Items, typename Write>
std::string member_of(const char* name, const Items& items, Write write) {
  return items.empty() ? "" : fmt::format(R"("{}":[{}],)", name, list_of(items, write));
}

// The members that only some answers have: most symbols have no hierarchy.
std::string further_members(const GetContextAnswer& answer) {
  std::string further = member_of("memories", answer.notes.notes, note_json);
  further += member_of("rules", answer.rules,
                       [](const RuleVerdict& verdict) { return verdict_json(verdict); });
  if (!answer.missing_notes.empty()) {
    further +=
        fmt::format("\"memoriesMissing\":{},", json_quote(utf8_prefix(answer.missing_notes, 300)));
  }
  further += member_of("types", answer.types, neighbour_json);
  further += member_of("tests", answer.tests, test_json);
  for (const auto& [name, list] : lists_of(answer.hierarchy)) {
    further += member_of(name, *list, neighbour_json);
  }
  if (answer.history.looked_at > 0) {
    further +=
        fmt::format(R"("changedTogether":[{}],"history":{},)",
                    list_of(answer.history.together, changed_json), history_json(answer.history));
  }
  return further;
}

constexpr Param kGetContextParams[] = {
    {.name = "file_path",
     .required = true,
     .least = 1,
     .option = "PLACE",
     .help = "A file, a symbol, or path::symbol",
     .takes = Takes::kPlace},
    {.name = "symbol",
     .option = "-s,--symbol",
     .help = "One symbol of the file",
     .takes = Takes::kSymbol},
    {.name = "context_size",
     .type = ParamType::kWhole,
     .description = "Most pieces and related files",
     .least = 1,
     .most = 20,
     .default_json = "5",
     .option = "-n,--size",
     .help = "How many related things (1 to 20, default 5)"},
    {.name = "include_dependencies",
     .type = ParamType::kFlag,
     .default_json = "true",
     .option = "--dependencies,!--no-dependencies",
     .help = "With what the file imports (default), or without"},
    revision_param(),
    one_repository_param(),
    unlisted(max_tokens_param("2048")),
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
  Json json;
  json["id"] = note.id;
  json["title"] = note_title(note);
  if (!note.type.empty()) json["type"] = note.type;
  if (!note.status.empty()) json["decision"] = note.status;
  json["code_state"] = memory::code_state_name(note.cited.state);
  const memory::CitationState& cited = note.cited;
  const std::string& symbol = cited.symbol.empty() ? cited.citation.symbol : cited.symbol;
  if (!symbol.empty()) json["symbol"] = symbol;
  json["created_at"] = memory::iso_time(note.created_at_ms);
  return dump_json(json);
}

std::string note_title(const memory::CodeNote& note) {
  return std::string(utf8_prefix(privacy::redacted(note.title), kNoteTitleBytes));
}

std::string shown_docstring(const store::SymbolRow& symbol) {
  return std::string(utf8_prefix(symbol.docstring, kDocstringBytes));
}

GetContextParams GetContextParams::from_json(const Context&, const JsonValue& arguments) {
  GetContextParams params;
  params.file_path = arguments.member("file_path").string().value_or("");
  params.symbol = arguments.member("symbol").string();
  if (params.symbol && trim(*params.symbol).empty()) params.symbol.reset();
  params.context_size = whole_argument(arguments, "context_size", 5);
  params.include_dependencies = arguments.member("include_dependencies").boolean().value_or(true);
  params.max_bytes = answer_bytes(arguments, kShortAnswerBytes);
  return params;
}

Result<GetContextAnswer> run(const Context& context, const GetContextParams& params) {
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
  ContextCutter(answer, params.context_size,
                params.max_bytes > frame ? params.max_bytes - frame : 0)
      .cut();
  return answer;
}

Written GetContextAnswer::to_json() const {
  std::string result = fmt::format(
      R"({{"file":{},"symbols":[{}],"callers":[{}],"callees":[{}],{}"relatedFiles":[{}],)"
      R"("dependencies":[{}],"relevantCode":[{}])",
      file_json(file), list_of(symbols, context_symbol_json), list_of(callers, neighbour_json),
      list_of(callees, neighbour_json), further_members(*this), list_of(related, related_json),
      list_of(dependencies, dependency_json), list_of(code, piece_json));
  if (!omitted.empty()) {
    Json counts;
    for (const auto& [part, count] : omitted) counts[part] = count;
    result += ",\"omitted\":" + dump_json(counts);
  }
  if (!cut.empty()) result += ",\"cut\":" + dump_json(Json(cut));
  const std::size_t bytes = result.size() + 25;
  result += fmt::format(",\"token_estimate\":{}}}", (bytes + kBytesPerToken - 1) / kBytesPerToken);
  return object_json(std::move(result));
}

constinit const Question kGetContext = {
    .name = "get_context",
    .title = "Get context",
    .description =
        "Before you edit a file or a symbol in it: its code, callers, callees, types, tests, "
        "similar "
        "code, imports, what changes with it, memories, decisions.",
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
