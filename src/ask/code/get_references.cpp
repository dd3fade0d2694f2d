#include "ask/code/get_references.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "ask/budget.h"
#include "ask/code/code_answer.h"
#include "ask/fresh.h"
#include "ask/united.h"
#include "text/counted.h"
#include "text/json.h"
#include "text/json_object.h"
#include "base/stop_scope.h"
#include "base/text.h"

namespace codexmem::ask {

namespace {

// No item is shorter: more of them than this allows do not fit into an answer.
constexpr std::size_t kMinItemBytes = 100;

// Of possible uses that were not asked for, the first page has so many.
constexpr std::size_t kFirstPossibleBytes = 4000;

constexpr std::size_t kMaxHierarchies = 3;  // of definitions of one name
constexpr std::size_t kMaxNeighbours = 50;  // of one kind; of more the first, and "cut" says so

// `definition` is an index into the answer's definitions.
std::string reference_json(const graph::ReferenceItem& item,
                           std::optional<std::size_t> definition) {
  const bool is_definition = item.is_definition;
  return json_object(
      "file", json_object("path", item.path), "line", item.position.line, "column",
      item.position.column, "context", item.context, "type", is_definition ? "definition" : "usage",
      "nameLine", is_definition ? std::optional(item.name_position.line) : std::nullopt,
      "nameColumn", is_definition ? std::optional(item.name_position.column) : std::nullopt, "kind",
      some(is_definition ? "" : graph::usage_kind_name(item.kind)), "container",
      some(item.container), "confidence", graph::confidence_name(item.confidence), "definition",
      definition, "drawer",
      some(item.drawer > graph::Drawer::kPossible ? graph::drawer_name(item.drawer) : ""), "why",
      some(item.doubt != graph::Doubt::kNone ? graph::doubt_text(item.doubt) : ""), "means",
      some(item.means), "chain", some(item.chain));
}

std::string definition_json(const graph::ReferenceDefinition& definition) {
  return json_object("name", definition.qualified_name, "type", symbol_type_name(definition.type),
                     "kind", definition.kind, "file", json_object("path", definition.path), "line",
                     definition.start.line, "column", definition.start.column, "nameLine",
                     definition.name_start.line, "nameColumn", definition.name_start.column,
                     "endLine", definition.end_line, "buildCondition",
                     some(definition.build_condition));
}

Json references_coverage(const GetReferencesAnswer& answer) {
  const graph::ReferenceCoverage& coverage = answer.found.coverage;
  Json json = Json::parse(coverage_json(coverage, answer.is_stale).text);
  json["nameMatchesOmitted"] = coverage.name_matches_omitted;
  if (coverage.local_definitions_omitted > 0) {
    json["localDefinitionsOmitted"] = coverage.local_definitions_omitted;
  }
  if (coverage.files_with_reflection > 0) {
    json["filesWithReflection"] = coverage.files_with_reflection;
  }
  for (const graph::UnreadFile& file : coverage.unread) {
    Json place;
    place["file"]["path"] = file.path;
    place["why"] = graph::doubt_text(file.doubt);
    json["unread"].push_back(std::move(place));
  }
  for (const graph::BlindSpot& spot : coverage.blind_spots) {
    Json place;
    place["file"]["path"] = spot.path;
    place["line"] = spot.line;
    place["what"] = spot.what;
    place["context"] = spot.context;
    json["blindSpots"].push_back(std::move(place));
  }
  if (answer.no_definition)
    json.update(Json::parse(coverage_json(*answer.no_definition, answer.is_stale).text));
  return json;
}

// What was searched in vain, and where a use could hide all the same.
std::string note_of_none(const GetReferencesAnswer& answer, const std::string& symbol) {
  const graph::ReferenceCoverage& coverage = answer.found.coverage;
  const graph::UseAccount& account = answer.found.account;
  const std::string of =
      fmt::format("{} of \"{}\"", counted(answer.found.definitions.size(), "definition"), symbol);
  std::string note;
  if (const std::size_t possible = account[graph::Drawer::kPossible]; possible > 0) {
    note = fmt::format(
        "{} may be a use of {}: min_confidence \"possible\" lists {}. Nothing surer was found.",
        counted(possible, "place"), of, possible == 1 ? "it" : "them");
  } else {
    note = fmt::format("No use found of {} in {} with that name.", of,
                       counted(coverage.files_searched, "file"));
  }
  const std::string doubts = list_doubts(coverage);
  if (!doubts.empty()) note += " There a use could hide behind " + doubts + ".";
  if (coverage.files_with_reflection > 0) {
    note += fmt::format(" {} without the name look names up at run time.",
                        counted(coverage.files_with_reflection, "other file"));
  }
  return note;
}

// Which places of the name were not looked into.
std::string note_unread(const graph::ReferenceAnswer& found) {
  const std::size_t unread = found.account[graph::Drawer::kUnread];
  if (unread == 0 || found.coverage.unread.empty()) return "";
  std::vector<std::string> files;
  for (const graph::UnreadFile& file : found.coverage.unread) {
    files.push_back(fmt::format("{} ({})", file.path, graph::doubt_text(file.doubt)));
  }
  return fmt::format("{} with the name {} not read: {}.", counted(unread, "place"),
                     unread == 1 ? "was" : "were", join(files, ", "));
}

std::string note_of(const GetReferencesAnswer& answer, const std::string& symbol) {
  if (answer.no_definition) return note_no_definition(symbol, *answer.no_definition);
  std::string note;
  if (answer.found.usages == 0) note = note_of_none(answer, symbol);
  add_sentence(note, note_unread(answer.found));
  const std::string& by_name = answer.found.coverage.unresolved_language;
  if (!by_name.empty()) add_sentence(note, note_by_name(by_name));
  return note;
}

// Leaves the first kMaxNeighbours of `list`, and notes in `cut` that there are more.
void cut_neighbours(const char* name, std::vector<graph::Neighbour>& list,
                    std::vector<std::string>& cut) {
  if (list.size() <= kMaxNeighbours) return;
  list.resize(kMaxNeighbours);
  cut.emplace_back(name);
}

Result<DefinitionNeighbours> find_neighbours(const Context& context, store::CodeReader& reader,
                                             const graph::ReferenceDefinition& definition) {
  const graph::Surroundings shared(context.code().facts, reader);
  DefinitionNeighbours around;
  around.name = definition.qualified_name;
  around.path = definition.path;
  around.line = definition.start.line;
  CODEXMEM_ASSIGN(around.callers,
                  graph::list_callers(shared, definition.symbol, kMaxNeighbours + 1));
  CODEXMEM_ASSIGN(around.callees,
                  graph::list_callees(shared, definition.symbol, kMaxNeighbours + 1));
  CODEXMEM_ASSIGN(around.hierarchy,
                  graph::find_hierarchy(shared, definition.symbol, kMaxNeighbours + 1));
  cut_neighbours("callers", around.callers, around.cut);
  cut_neighbours("callees", around.callees, around.cut);
  cut_neighbours("supertypes", around.hierarchy.supertypes, around.cut);
  cut_neighbours("subtypes", around.hierarchy.subtypes, around.cut);
  cut_neighbours("overrides", around.hierarchy.overrides, around.cut);
  cut_neighbours("overriddenBy", around.hierarchy.overridden_by, around.cut);
  return around;
}

Result<void> add_neighbours(const Context& context, store::CodeReader& reader,
                            GetReferencesAnswer& answer) {
  const auto& definitions = answer.found.definitions;
  for (auto at = definitions.begin(); at != definitions.end(); ++at) {
    if (answer.neighbours.size() == kMaxHierarchies) break;
    // The overloads of a function have the neighbours of the first.
    if (std::any_of(definitions.begin(), at, [&](const graph::ReferenceDefinition& other) {
          return other.path == at->path && other.qualified_name == at->qualified_name;
        })) {
      continue;
    }
    CODEXMEM_TRY(go_on());
    CODEXMEM_ASSIGN(auto around, find_neighbours(context, reader, *at));
    answer.neighbours.push_back(std::move(around));
  }
  answer.has_hierarchy = !answer.neighbours.empty();
  return {};
}

std::string hierarchy_json(const DefinitionNeighbours& around) {
  const graph::Hierarchy& types = around.hierarchy;
  return json_object("of",
                     json_object("name", around.name, "file", json_object("path", around.path),
                                 "line", around.line),
                     "callers", some(json_list(around.callers, neighbour_json)), "callees",
                     some(json_list(around.callees, neighbour_json)), "supertypes",
                     some(json_list(types.supertypes, neighbour_json)), "subtypes",
                     some(json_list(types.subtypes, neighbour_json)), "overrides",
                     some(json_list(types.overrides, neighbour_json)), "overriddenBy",
                     some(json_list(types.overridden_by, neighbour_json)), "cut", some(around.cut));
}

// The member `hierarchy` with a comma behind it, or nothing.
std::string hierarchy_member(const GetReferencesAnswer& answer) {
  if (!answer.has_hierarchy) return "";
  return "\"hierarchy\":" + json_list(answer.neighbours, hierarchy_json).text + ",";
}

// The members next to the list of uses, except the definitions and the hierarchy.
std::string siblings_json(const GetReferencesAnswer& answer) {
  const graph::ReferenceAnswer& found = answer.found;
  std::optional<JsonText> account;
  if (!found.definitions.empty()) account = account_json(found.account);
  return json_object("coverage", JsonText{dump_json(references_coverage(answer))}, "account",
                     account, "total", found.total, "suggestions", some(found.suggestions), "note",
                     some(answer.note), "hierarchyOmitted", some(answer.neighbours_omitted),
                     "definitionsOmitted", some(answer.definitions_omitted), "omitted",
                     some(answer.rest.omitted), "nextOffset", answer.rest.next());
}

std::string reference_json(const GetReferencesAnswer& answer, const graph::ReferenceItem& item,
                           std::size_t definition) {
  return reference_json(item, answer.names_definition ? std::optional(definition) : std::nullopt);
}

// Leaves the items that fit into `room` bytes with their definitions, at least one. When there is
// none, the definitions that fit: they distinguish an unused symbol from an unknown one.
//
// Possible uses end the page when they take more than `possible_room`.
void cut_page(GetReferencesAnswer& answer, std::size_t room, std::size_t possible_room) {
  graph::ReferenceAnswer& found = answer.found;
  std::vector<graph::ReferenceDefinition> definitions;
  std::map<std::size_t, std::size_t> places;  // in `definitions`, by index in found.definitions
  std::size_t bytes = 0, possible_bytes = 0, kept = 0;
  for (; kept < found.items.size(); ++kept) {
    graph::ReferenceItem& item = found.items[kept];
    const auto place = places.find(item.definition);
    const bool is_new = place == places.end();
    const std::size_t at = is_new ? definitions.size() : place->second;
    const graph::ReferenceDefinition& definition = found.definitions[item.definition];
    const std::size_t own = reference_json(answer, item, at).size() + 2;
    bytes += own + (is_new ? definition_json(definition).size() : 0);
    if (item.drawer == graph::Drawer::kPossible) possible_bytes += own;
    if ((bytes > room || possible_bytes > possible_room) && kept > 0) break;
    if (is_new) {
      places.emplace(item.definition, at);
      definitions.push_back(definition);
    }
    item.definition = at;
  }
  found.items.resize(kept);
  if (kept == 0) {
    std::vector<std::string> texts;
    for (const auto& definition : found.definitions) texts.push_back(definition_json(definition));
    definitions = found.definitions;
    definitions.resize(count_fitting(texts, room));
  }
  answer.definitions_omitted = found.definitions.size() - definitions.size();
  found.definitions = std::move(definitions);
}

void fit(GetReferencesAnswer& answer, const GetReferencesParams& params) {
  std::size_t around_bytes = 0, kept = 0;  // half of the answer at most
  for (; kept < answer.neighbours.size(); ++kept) {
    const std::size_t bytes = hierarchy_json(answer.neighbours[kept]).size();
    if (around_bytes + bytes >= params.max_bytes / 2) break;
    around_bytes += bytes + 1;
  }
  answer.neighbours_omitted = answer.neighbours.size() - kept;
  answer.neighbours.resize(kept);
  const std::size_t rest_bytes =
      siblings_json(answer).size() + hierarchy_member(answer).size() + 120;
  const bool is_first_page = params.offset == 0 && !params.min_confidence;
  cut_page(answer, bytes_left(params.max_bytes, rest_bytes),
           is_first_page ? kFirstPossibleBytes : params.max_bytes);
  const std::size_t total = answer.found.total;
  answer.rest = Rest::after(std::min(params.offset, total) + answer.found.items.size(), total);
}

constexpr Param kGetReferencesParams[] = {
    {.name = "symbol",
     .also = kSymbolNames,
     .description = "Name, Class.method, path::name",
     .required = true,
     .least = 1,
     .most = 100,
     .option = "NAME",
     .help = "A name, Class.method, module.name or path::name",
     .takes = Takes::kSymbol,
     .into = into<&GetReferencesParams::query, &graph::ReferenceQuery::symbol>},
    {.name = "file_path",
     .also = kFileNames,
     .description = "File that defines it",
     .option = "-f,--file",
     .help = "The file that defines it",
     .takes = Takes::kFile,
     .into = into<&GetReferencesParams::query, &graph::ReferenceQuery::file_path>},
    {.name = "line",
     .type = ParamType::kWhole,
     .listed = false,
     .least = 1,
     .into = into<&GetReferencesParams::query, &graph::ReferenceQuery::line>},
    {.name = "include_definitions",
     .type = ParamType::kFlag,
     .description = "Itself too",
     .default_json = "true",
     .option = "--definitions,!--no-definitions",
     .help = "With the definitions themselves (default), or without",
     .into = into<&GetReferencesParams::query, &graph::ReferenceQuery::include_definitions>},
    {.name = "min_confidence",
     .listed = false,
     .choices = "resolved,likely,possible,name",
     .option = "--min-confidence",
     .help = "resolved, likely, possible (default), or name: every place that has the name",
     .into = into_named<graph::parse_confidence, &GetReferencesParams::min_confidence>},
    {.name = "explain",
     .type = ParamType::kFlag,
     .listed = false,
     .option = "--explain",
     .help = "Show the steps from each use to the definition",
     .into = into<&GetReferencesParams::query, &graph::ReferenceQuery::explain>},
    {.name = "include_hierarchy",
     .type = ParamType::kFlag,
     .listed = false,
     .option = "--hierarchy",
     .help = "With callers, callees, super- and subtypes, overrides",
     .into = into<&GetReferencesParams::include_hierarchy>},
    {.name = "offset",
     .type = ParamType::kWhole,
     .description = "To skip",
     .least = 0,
     .lists_bounds = false,
     .into = into<&GetReferencesParams::offset>},
    revision_param(),
    repository_param(),
    max_tokens_param(into_by<read_bytes, &GetReferencesParams::max_bytes>, "25000", kAllTokens),
};

}  // namespace

std::array<NamedNeighbours, 6> lists_of(const DefinitionNeighbours& around) {
  return {NamedNeighbours{"callers", &around.callers},
          {"callees", &around.callees},
          {"supertypes", &around.hierarchy.supertypes},
          {"subtypes", &around.hierarchy.subtypes},
          {"overrides", &around.hierarchy.overrides},
          {"overriddenBy", &around.hierarchy.overridden_by}};
}

Result<GetReferencesAnswer> run(const Context& context, const GetReferencesParams& params) {
  graph::ReferenceQuery query = params.query;
  if (params.min_confidence) query.min_confidence = *params.min_confidence;
  CODEXMEM_ASSIGN(const auto inputs,
                  check_symbol_question(context.code(), query.symbol, query.file_path));
  if (query.line && !query.file_path) {
    return Error{ErrorCode::kInvalidArgument, "line is a line of `file_path`, which is not given"};
  }
  if (!context.repository.empty()) {
    query.keep = [&context](std::string_view path) { return is_asked(context, path); };
  }
  query.offset = params.offset;
  query.limit = params.max_bytes / kMinItemBytes + 1;
  if (params.offset == 0 && !params.min_confidence) {
    query.possible_limit = kFirstPossibleBytes / kMinItemBytes + 1;
  }
  CODEXMEM_ASSIGN(
      GetReferencesAnswer answer,
      answer_fresh<GetReferencesAnswer>(
          context, inputs,
          [&](store::CodeReader& reader) -> Result<GetReferencesAnswer> {
            GetReferencesAnswer made;
            graph::FactsCache& facts = context.code().facts;
            CODEXMEM_ASSIGN(made.found, graph::find_references(facts, reader, query, context.stop));
            if (made.found.definitions.empty()) {
              CODEXMEM_ASSIGN(made.no_definition,
                              graph::cover_definitions(facts, reader, query.symbol, query.file_path,
                                                       /*in_vain=*/true));
              // Those whose facts are damaged.
              made.no_definition->files_unparsed += made.found.coverage.files_unparsed;
            }
            if (params.include_hierarchy && params.offset == 0)
              CODEXMEM_TRY(add_neighbours(context, reader, made));
            return made;
          },
          [](const GetReferencesAnswer& made, std::set<std::string>& paths) {
            for (const graph::ReferenceItem& item : made.found.items) paths.insert(item.path);
            for (const auto& definition : made.found.definitions) paths.insert(definition.path);
            for (const DefinitionNeighbours& around : made.neighbours) {
              for (const auto& [name, list] : lists_of(around)) {
                for (const graph::Neighbour& neighbour : *list) paths.insert(neighbour.path);
              }
            }
          }));
  answer.is_stale = context.is_stale();
  answer.names_definition = !query.file_path && answer.found.definitions.size() > 1;
  answer.note = note_of(answer, params.query.symbol);
  std::vector<ShownDefinition> shown;
  for (const graph::ReferenceDefinition& each : answer.found.definitions) {
    shown.push_back({each.qualified_name, each.path, !each.build_condition.empty()});
  }
  add_sentence(answer.note, note_alternatives(shown));
  fit(answer, params);
  return answer;
}

Written GetReferencesAnswer::to_json() const {
  std::vector<std::string> items;
  for (const graph::ReferenceItem& item : found.items) {
    items.push_back(reference_json(*this, item, item.definition));
  }
  return list_json(items, fmt::format(R"({{"definitions":{},{}{})",
                                      json_list(found.definitions, definition_json).text,
                                      hierarchy_member(*this), siblings_json(*this).substr(1)));
}

constinit const Question kGetReferences = {
    .name = "get_references",
    .title = "Find references",
    .description = "Every use of a symbol: its function, kind and how sure it is.",
    .groups = "code",
    .is_united = true,
    .params = kGetReferencesParams,
    .output_schema = R"json({"type":"object","properties":{
"results":{"type":"array","items":{"type":"object","properties":{
"file":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]},
"line":{"type":"integer"},"column":{"type":"integer"},"context":{"type":"string"},"type":{"type":"string","enum":["usage","definition"]},
"nameLine":{"type":"integer"},"nameColumn":{"type":"integer"},"kind":{"type":"string","enum":["call","import","type","inherit","read","write","doc"]},
"container":{"type":"string"},"confidence":{"type":"string","enum":["resolved","likely","possible","name"]},"drawer":{"type":"string"},"why":{"type":"string"},"means":{"type":"string"},"definition":{"type":"integer"},"chain":{"type":"array","items":{"type":"string"}}
},"required":["file","line","column","context","type","confidence"]}},
"definitions":{"type":"array","items":{"type":"object"}},"definitionsOmitted":{"type":"integer"},"coverage":{"type":"object"},"account":{"type":"object"},"note":{"type":"string"},"hierarchy":{"type":"array","items":{"type":"object"}},
"total":{"type":"integer"},"omitted":{"type":"integer"},"nextOffset":{"type":"integer"},"suggestions":{"type":"array","items":{"type":"string"}},
"stale":{"type":"object"},"type":{"type":"string"},"message":{"type":"string"}},
"anyOf":[{"required":["results","definitions","coverage"]},{"required":["type","message"]}]})json",
    .failure_type = "SearchError",
    .run = run_question<GetReferencesParams>};

}  // namespace codexmem::ask
