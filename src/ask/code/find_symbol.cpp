#include "ask/code/find_symbol.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "ask/code/code_answer.h"
#include "ask/code/search_code.h"
#include "ask/fresh.h"
#include "privacy/shown_code.h"
#include "text/counted.h"
#include "text/json.h"
#include "text/json_object.h"
#include "base/text.h"

namespace codexmem::ask {

namespace {

constexpr std::size_t kMaxExact = 1000;     // in one answer; its size cuts sooner
constexpr std::size_t kMaxNearMisses = 20;  // the same when the name does not exist exactly
constexpr std::chrono::milliseconds kRelativesTime{1'000};  // of many definitions of one name
constexpr std::size_t kDefinitionBytes = 300;
constexpr std::size_t kDefinitionLines = 4;

// "implements", "is implemented by".
std::string relation_words(graph::Relation relation) {
  std::string words(graph::relation_name(relation));
  std::ranges::replace(words, '_', ' ');
  return words.ends_with(" by") ? "is " + words : words;
}

// The first lines of `range` of `text`: whole lines where one fits, at most kDefinitionBytes.
std::string first_lines(std::string_view text, ByteRange range) {
  std::string_view rest =
      text.substr(std::min<std::size_t>(range.begin, text.size()), range.size());
  std::size_t end = 0;
  for (std::size_t line = 0; line < kDefinitionLines && end < rest.size(); ++line) {
    const std::size_t next = std::min(rest.find('\n', end), rest.size() - 1) + 1;
    if (next > kDefinitionBytes && end > 0) break;
    end = next;
  }
  return std::string(trim(privacy::shown_code(rest, std::min(end, kDefinitionBytes))));
}

std::string match_json(const graph::SymbolMatch& match, const std::string& definition,
                       const graph::Relative* relative) {
  const store::SymbolRow& row = match.symbol;
  const Json modifiers = Json::parse(row.modifiers, nullptr, /*allow_exceptions=*/false);
  const JsonText listed{modifiers.is_array() ? dump_json(modifiers) : ""};
  const JsonText symbol = json_object(
      "name", row.name, "type", symbol_type_name(row.type), "startLine", row.start.line, "endLine",
      row.end.line, "definition", definition, "docstring", row.docstring, "signature",
      some(row.signature == definition ? "" : row.signature), "kind", row.kind, "container",
      some(row.container), "startColumn", row.start.column, "nameLine", row.name_start.line,
      "nameColumn", row.name_start.column, "modifiers", some(listed), "exported", row.exported,
      "buildCondition", some(match.build_condition));
  std::optional<JsonText> relation;
  if (relative != nullptr) {
    relation = json_object("to", relative->to, "depth", relative->depth, "confidence",
                           graph::confidence_name(relative->confidence));
  }
  return json_object("symbol", symbol, "file",
                     json_object("path", match.path, "language", match.language), "score",
                     rounded_score(match.score), "match", graph::name_match_name(match.match),
                     "relation", relation);
}

std::string result_json(const FindSymbolAnswer& answer, std::size_t i) {
  return match_json(answer.found.results[i], answer.definitions[i],
                    answer.relatives.empty() ? nullptr : &answer.relatives[i]);
}

// Cuts the texts of the first result until it fits into `max_bytes`, the documentation first.
void shorten_first(FindSymbolAnswer& answer, std::size_t max_bytes) {
  store::SymbolRow& symbol = answer.found.results.front().symbol;
  for (std::string* text : {&symbol.docstring, &symbol.signature, &answer.definitions.front()}) {
    while (!text->empty() && result_json(answer, 0).size() > max_bytes) {
      text->resize(utf8_prefix(*text, text->size() / 2).size());
    }
  }
}

// The members next to the list of matches.
std::string siblings_json(const FindSymbolAnswer& answer) {
  std::vector<std::string_view> types;
  for (const SymbolType type : answer.found.other_types) types.push_back(symbol_type_name(type));
  return json_object(
      "total", answer.found.total, "coverage", coverage_json(answer.coverage, answer.is_stale),
      "otherTypes", some(types), "suggestions", some(answer.found.suggestions), "account",
      answer.account ? std::optional(account_json(*answer.account)) : std::nullopt, "note",
      some(answer.note), "omitted", some(answer.rest.omitted), "nextOffset", answer.rest.next());
}

void fit(FindSymbolAnswer& answer, const FindSymbolParams& params) {
  auto& results = answer.found.results;
  const std::size_t room = room_for_items(params.max_bytes, siblings_json(answer));
  // The first comes whatever its size, with less of its texts.
  if (!results.empty()) shorten_first(answer, room);
  answer.written =
      write_fitting(results.size(), room, [&](std::size_t i) { return result_json(answer, i); });
  results.resize(answer.written.size());
  answer.definitions.resize(results.size());
  answer.relatives.resize(std::min(answer.relatives.size(), results.size()));
  const std::size_t total = answer.found.total;
  answer.rest = Rest::after(std::min(params.offset, total) + results.size(), total);
}

// Replaces the results by the symbols with `relation` to them, from `offset` on.
Result<void> find_related(const Context& context, store::CodeReader& reader,
                          const FindSymbolParams& params, FindSymbolAnswer& answer) {
  graph::SymbolAnswer& found = answer.found;
  CODEXMEM_ASSIGN(
      graph::Relatives all,
      graph::find_relatives(context.code().facts, reader, found.results, *params.relation,
                            kMaxExact, std::chrono::steady_clock::now() + kRelativesTime));
  answer.relatives = std::move(all.found);
  std::vector<store::SymbolId> asked;
  for (const graph::SymbolMatch& match : found.results) asked.push_back(match.symbol.id);
  CODEXMEM_ASSIGN(answer.account,
                  graph::account_uses(context.code().facts, reader, asked, context.stop));
  found.results.clear();
  found.total = answer.relatives.size();
  if (answer.relatives.empty()) {
    answer.note = fmt::format("Nothing that is indexed {} {}.", relation_words(*params.relation),
                              params.query.symbol);
  }
  if (all.not_looked_at > 0) {
    add_sentence(answer.note, fmt::format("{} of this name had no time: name one, as path::name.",
                                          counted(all.not_looked_at, "further definition")));
  }
  const std::size_t skipped = std::min(params.offset, answer.relatives.size());
  answer.relatives.erase(answer.relatives.begin(),
                         answer.relatives.begin() + static_cast<std::ptrdiff_t>(skipped));
  for (graph::Relative& each : answer.relatives) found.results.push_back(std::move(each.match));
  return {};
}

// Fills in the results, from the offset on.
Result<FindSymbolAnswer> find_matches(const Context& context, store::CodeReader& reader,
                                      const FindSymbolParams& params,
                                      const graph::SymbolQuery& query) {
  FindSymbolAnswer answer;
  CODEXMEM_ASSIGN(answer.found, graph::find_symbols(reader, query));
  auto& results = answer.found.results;
  const bool exact = answer.is_exact();
  if (!exact) {
    CODEXMEM_ASSIGN(auto inherited, graph::find_inherited(context.code().facts, reader, query));
    if (!inherited.empty()) {
      answer.found = {};
      answer.found.total = inherited.size();
      results = std::move(inherited);
    }
  }
  const bool is_inherited =
      !results.empty() && results.front().match == graph::NameMatch::kInherited;
  const bool in_vain = !exact && answer.found.other_types.empty() && !is_inherited;
  CODEXMEM_ASSIGN(answer.coverage,
                  graph::cover_definitions(context.code().facts, reader, query.symbol,
                                           query.file_path, in_vain));
  if (params.relation && (exact || is_inherited)) {
    CODEXMEM_TRY(find_related(context, reader, params, answer));
  } else {
    const std::size_t skipped = std::min(params.offset, results.size());
    results.erase(results.begin(), results.begin() + static_cast<std::ptrdiff_t>(skipped));
    const std::size_t most = !exact ? kMaxNearMisses : context.whole_lists ? SIZE_MAX : kMaxExact;
    results.resize(std::min(results.size(), most));
  }
  std::map<store::FileId, std::string> texts;
  for (graph::SymbolMatch& match : results) {
    const store::FileId file = store::file_of(match.symbol.id);
    auto text = texts.find(file);
    if (text == texts.end()) {
      CODEXMEM_ASSIGN(auto content, reader.find_content(file));
      text = texts.emplace(file, std::move(content).value_or("")).first;
    }
    answer.definitions.push_back(first_lines(text->second, match.symbol.range));
    store::cut_texts(text->second, &match.symbol);
    match.symbol.signature = privacy::shown_code(match.symbol.signature);
    match.symbol.docstring = privacy::shown_code(match.symbol.docstring);
    match.build_condition = graph::build_condition(match.language, match.path, text->second);
  }
  return answer;
}

constexpr Param kFindSymbolParams[] = {
    {.name = "symbol",
     .also = kSymbolNames,
     .description = "Name, Class.method, path::name",
     .required = true,
     .least = 1,
     .most = 100,
     .option = "NAME",
     .help = "A name, Class.method, module.name or path::name",
     .takes = Takes::kSymbol,
     .into = into<&FindSymbolParams::query, &graph::SymbolQuery::symbol>},
    {.name = "type",
     .words =
         "func=function,def=function,fn=function,const=variable,constant=variable,field=property",
     .also = "kind,symbol_type",
     .description = "Its sort",
     .choices = "function,class,variable,interface,type,method,property",
     .option = "-t,--type",
     .help = "function, class, variable, interface, type, method or property",
     .takes = Takes::kKind,
     .into = into_named<parse_symbol_type, &FindSymbolParams::query, &graph::SymbolQuery::type>},
    {.name = "file_path",
     .also = kFileNames,
     .description = "Only there",
     .option = "-f,--file",
     .help = "Only definitions in this file",
     .takes = Takes::kFile,
     .into = into<&FindSymbolParams::query, &graph::SymbolQuery::file_path>},
    {.name = "relation",
     .description = "To it",
     .choices = "implements,extends,overrides,implemented_by,extended_by,overridden_by",
     .option = "-r,--relation",
     .help = "Find what implements, extends or overrides it instead; ..._by asks the opposite",
     .into = into_named<graph::parse_relation, &FindSymbolParams::relation>},
    offset_param(into<&FindSymbolParams::offset>, "Results to skip, when an answer was cut"),
    revision_param(),
    repository_param(),
    max_tokens_param(into_by<read_bytes, &FindSymbolParams::max_bytes>, "25000", kAllTokens),
};

}  // namespace

Result<FindSymbolAnswer> run(const Context& context, const FindSymbolParams& params) {
  graph::SymbolQuery query = params.query;
  query.limit = SIZE_MAX;  // offset reaches all of them
  query.near_limit = params.offset + kMaxNearMisses;
  CODEXMEM_ASSIGN(const auto inputs,
                  check_symbol_question(context.code(), query.symbol, query.file_path));
  CODEXMEM_ASSIGN(
      FindSymbolAnswer answer,
      answer_fresh<FindSymbolAnswer>(
          context, inputs,
          [&](store::CodeReader& reader) { return find_matches(context, reader, params, query); },
          [](const FindSymbolAnswer& made, std::set<std::string>& paths) {
            for (const graph::SymbolMatch& match : made.found.results) paths.insert(match.path);
          },
          Reach::kAsked));
  answer.is_stale = context.is_stale();
  if (answer.coverage.files_with_name) {
    answer.note = note_no_definition(query.symbol, answer.coverage);
    if (answer.found.total > 0) answer.note += " The results have names like it.";
  }
  if (params.relation && answer.relatives.empty() && answer.note.empty()) {
    answer.note =
        fmt::format("Nothing is called \"{}\" exactly, so nothing relates to it.", query.symbol);
  }
  std::vector<ShownDefinition> shown;
  for (const graph::SymbolMatch& each : answer.found.results) {
    shown.push_back({each.symbol.qualified_name(), each.path, !each.build_condition.empty()});
  }
  add_sentence(answer.note, note_alternatives(shown));
  fit(answer, params);
  return answer;
}

bool FindSymbolAnswer::is_exact() const {
  return !found.results.empty() && found.results.front().match == graph::NameMatch::kExact;
}

bool FindSymbolAnswer::is_in_vain() const {
  return relatives.empty() &&
         (found.results.empty() || found.results.front().match > graph::NameMatch::kExact) &&
         found.other_types.empty();
}

Written FindSymbolAnswer::to_json() const { return list_json(written, siblings_json(*this)); }

constinit const Question kFindSymbol = {
    .name = "find_symbol",
    .title = "Find symbol",
    .description = "Where a name is defined; near names if none is exact.",
    .groups = "code",
    .is_united = true,
    .params = kFindSymbolParams,
    .output_schema = R"json({"type":"object","properties":{
"results":{"type":"array","items":{"type":"object","properties":{
"symbol":{"type":"object","properties":{"name":{"type":"string"},"type":{"type":"string"},"startLine":{"type":"integer"},"endLine":{"type":"integer"},"definition":{"type":"string"},"docstring":{"type":"string"},"signature":{"type":"string"},
"kind":{"type":"string"},"container":{"type":"string"},"startColumn":{"type":"integer"},"nameLine":{"type":"integer"},"nameColumn":{"type":"integer"},"modifiers":{"type":"array","items":{"type":"string"}},"exported":{"type":"boolean"},"buildCondition":{"type":"string"}},
"required":["name","type","startLine","endLine","definition","docstring"]},
"file":{"type":"object","properties":{"path":{"type":"string"},"language":{"type":"string"}},"required":["path"]},
"score":{"type":"number","minimum":0,"maximum":1},"match":{"type":"string","enum":["exact","case","prefix","camel","subword","inherited"]},"relation":{"type":"object"}
},"required":["symbol","file","score"]}},
"total":{"type":"integer"},"omitted":{"type":"integer"},"nextOffset":{"type":"integer"},"suggestions":{"type":"array","items":{"type":"string"}},
"otherTypes":{"type":"array","description":"Types that the name exists with, when not with the one asked for","items":{"type":"string"}},
"coverage":{"type":"object"},"account":{"type":"object"},"note":{"type":"string"},
"stale":{"type":"object"},"type":{"type":"string"},"message":{"type":"string"}},
"anyOf":[{"required":["results"]},{"required":["type","message"]}]})json",
    .failure_type = "SearchError",
    .run = run_question<FindSymbolParams>};

}  // namespace codexmem::ask
