#include "ask/code/get_references.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "ask/code/code_answer.h"
#include "ask/fresh.h"
#include "ask/united.h"
#include "text/counted.h"
#include "text/json.h"
#include "base/stop_scope.h"
#include "base/text.h"

namespace codexmem::ask {

namespace {

// No item is shorter: more of them than this allows do not fit into an answer.
constexpr std::size_t kLeastItemBytes = 100;

constexpr std::size_t kMostHierarchies = 3;  // of definitions of one name
constexpr std::size_t kMostNeighbours = 50;  // of one kind; of more the first, and "cut" says so

// `definition` is an index into the answer's definitions.
std::string reference_json(const graph::ReferenceItem& item,
                           std::optional<std::size_t> definition) {
  Json json;
  json["file"]["path"] = item.path;
  json["line"] = item.position.line;
  json["column"] = item.position.column;
  json["context"] = item.context;
  json["type"] = item.is_definition ? "definition" : "usage";
  if (item.is_definition) {
    json["nameLine"] = item.name_position.line;
    json["nameColumn"] = item.name_position.column;
  } else {
    json["kind"] = graph::usage_kind_name(item.kind);
  }
  if (!item.container.empty()) json["container"] = item.container;
  json["confidence"] = graph::confidence_name(item.confidence);
  if (definition) json["definition"] = *definition;
  if (!item.chain.empty()) json["chain"] = item.chain;
  return dump_json(json);
}

std::string definition_json(const graph::ReferenceDefinition& definition) {
  Json json;
  json["name"] = definition.qualified_name;
  json["type"] = symbol_type_name(definition.type);
  json["kind"] = definition.kind;
  json["file"]["path"] = definition.path;
  json["line"] = definition.start.line;
  json["column"] = definition.start.column;
  json["nameLine"] = definition.name_start.line;
  json["nameColumn"] = definition.name_start.column;
  json["endLine"] = definition.end_line;
  if (!definition.build_condition.empty()) json["buildCondition"] = definition.build_condition;
  return dump_json(json);
}

Json references_coverage(const GetReferencesAnswer& answer) {
  const graph::ReferenceCoverage& coverage = answer.found.coverage;
  Json json = Json::parse(coverage_json(coverage, answer.is_stale));
  json["nameMatchesOmitted"] = coverage.name_matches_omitted;
  if (coverage.local_definitions_omitted > 0) {
    json["localDefinitionsOmitted"] = coverage.local_definitions_omitted;
  }
  if (coverage.files_with_reflection > 0) {
    json["filesWithReflection"] = coverage.files_with_reflection;
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
    json.update(Json::parse(coverage_json(*answer.no_definition, answer.is_stale)));
  return json;
}

// What was searched in vain, and where a use could hide all the same.
std::string note_of(const GetReferencesAnswer& answer, const std::string& symbol) {
  if (answer.no_definition) return note_no_definition(symbol, *answer.no_definition);
  const graph::ReferenceCoverage& coverage = answer.found.coverage;
  std::string note = fmt::format("No use found of {} of \"{}\" in {} with that name.",
                                 counted(answer.found.definitions.size(), "definition"), symbol,
                                 counted(coverage.files_searched, "file"));
  const std::string doubts = list_doubts(coverage);
  if (!doubts.empty()) note += " There a use could hide behind " + doubts + ".";
  if (coverage.files_with_reflection > 0) {
    note += fmt::format(" {} without the name look names up at run time.",
                        counted(coverage.files_with_reflection, "other file"));
  }
  if (coverage.name_matches_omitted > 0) {
    note += fmt::format(" {} only the name: min_confidence \"name\" shows them.",
                        coverage.name_matches_omitted == 1
                            ? std::string("1 place has")
                            : fmt::format("{} places have", coverage.name_matches_omitted));
  }
  if (!coverage.unresolved_language.empty())
    note += " " + note_by_name(coverage.unresolved_language);
  return note;
}

// Leaves the first kMostNeighbours of `list`, and notes in `cut` that there are more.
void cut_neighbours(const char* name, std::vector<graph::Neighbour>& list,
                    std::vector<std::string>& cut) {
  if (list.size() <= kMostNeighbours) return;
  list.resize(kMostNeighbours);
  cut.emplace_back(name);
}

Result<DefinitionNeighbours> find_neighbours(const Context& context, store::CodeReader& reader,
                                             const graph::ReferenceDefinition& definition) {
  graph::FactsCache& facts = context.code().facts;
  DefinitionNeighbours around;
  around.name = definition.qualified_name;
  around.path = definition.path;
  around.line = definition.start.line;
  CODEXMEM_ASSIGN(around.callers,
                  graph::list_callers(facts, reader, definition.symbol, kMostNeighbours + 1));
  CODEXMEM_ASSIGN(around.callees,
                  graph::list_callees(facts, reader, definition.symbol, kMostNeighbours + 1));
  CODEXMEM_ASSIGN(around.hierarchy,
                  graph::find_hierarchy(facts, reader, definition.symbol, kMostNeighbours + 1));
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
    if (answer.neighbours.size() == kMostHierarchies) break;
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
  Json of;
  of["name"] = around.name;
  of["file"]["path"] = around.path;
  of["line"] = around.line;
  std::string json = R"({"of":)" + dump_json(of);
  for (const auto& [name, list] : lists_of(around)) {
    if (list->empty()) continue;
    std::vector<std::string> items;
    for (const graph::Neighbour& neighbour : *list) items.push_back(neighbour_json(neighbour));
    json += fmt::format(R"(,"{}":[{}])", name, join(items, ","));
  }
  if (!around.cut.empty()) json += ",\"cut\":" + dump_json(Json(around.cut));
  return json + "}";
}

// The member `hierarchy` with a comma behind it, or nothing.
std::string hierarchy_member(const GetReferencesAnswer& answer) {
  if (!answer.has_hierarchy) return "";
  std::vector<std::string> around;
  for (const DefinitionNeighbours& each : answer.neighbours) around.push_back(hierarchy_json(each));
  return fmt::format(R"("hierarchy":[{}],)", join(around, ","));
}

// What stands beside the list of uses, but for the definitions and the hierarchy.
Json siblings_json(const GetReferencesAnswer& answer) {
  Json siblings = Json::object();
  siblings["coverage"] = references_coverage(answer);
  siblings["total"] = answer.found.total;
  if (!answer.found.suggestions.empty()) siblings["suggestions"] = answer.found.suggestions;
  if (!answer.note.empty()) siblings["note"] = answer.note;
  if (answer.neighbours_omitted > 0) siblings["hierarchyOmitted"] = answer.neighbours_omitted;
  if (answer.definitions_omitted > 0) siblings["definitionsOmitted"] = answer.definitions_omitted;
  answer.rest.put_into(siblings);
  return siblings;
}

std::string reference_json(const GetReferencesAnswer& answer, const graph::ReferenceItem& item,
                           std::size_t definition) {
  return reference_json(item, answer.tells_definition ? std::optional(definition) : std::nullopt);
}

// Leaves the items that fit into `room` bytes with their definitions, at least one. When there is
// none, the definitions that fit: they tell an unused symbol from an unknown one.
void cut_page(GetReferencesAnswer& answer, std::size_t room) {
  graph::ReferenceAnswer& found = answer.found;
  std::vector<graph::ReferenceDefinition> definitions;
  std::map<std::size_t, std::size_t> places;  // in `definitions`, by index in found.definitions
  std::size_t bytes = 0, kept = 0;
  for (; kept < found.items.size(); ++kept) {
    graph::ReferenceItem& item = found.items[kept];
    const auto place = places.find(item.definition);
    const bool is_new = place == places.end();
    const std::size_t at = is_new ? definitions.size() : place->second;
    const graph::ReferenceDefinition& definition = found.definitions[item.definition];
    bytes += reference_json(answer, item, at).size() +
             (is_new ? definition_json(definition).size() : 0) + 2;
    if (bytes > room && kept > 0) break;
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
  const std::size_t beside =
      dump_json(siblings_json(answer)).size() + hierarchy_member(answer).size() + 120;
  cut_page(answer, params.max_bytes > beside ? params.max_bytes - beside : 0);
  const std::size_t total = answer.found.total;
  answer.rest = Rest::after(std::min(params.offset, total) + answer.found.items.size(), total);
}

constexpr Param kGetReferencesParams[] = {
    {.name = "symbol",
     .description = "Name, Class.method or path::name",
     .required = true,
     .least = 1,
     .most = 100,
     .option = "NAME",
     .help = "A name, Class.method, module.name or path::name",
     .takes = Takes::kSymbol},
    {.name = "file_path",
     .description = "File that defines it",
     .option = "-f,--file",
     .help = "The file that defines it",
     .takes = Takes::kFile},
    {.name = "line", .type = ParamType::kWhole, .least = 1},
    {.name = "include_definitions",
     .type = ParamType::kFlag,
     .default_json = "true",
     .option = "--definitions,!--no-definitions",
     .help = "With the definitions themselves (default), or without"},
    {.name = "min_confidence",
     .choices = "resolved,likely,name",
     .option = "--min-confidence",
     .help = "resolved, likely (default; name where names are not resolved), or name: whatever has "
             "the name"},
    {.name = "explain",
     .type = ParamType::kFlag,
     .listed = false,
     .option = "--explain",
     .help = "Show the steps from each use to the definition"},
    {.name = "include_hierarchy",
     .type = ParamType::kFlag,
     .option = "--hierarchy",
     .help = "With callers, callees, super- and subtypes, overrides"},
    {.name = "offset", .type = ParamType::kWhole, .least = 0, .lists_bounds = false},
    revision_param(),
    repository_param(),
    unlisted(max_tokens_param("25000")),
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

GetReferencesParams GetReferencesParams::from_json(const Context& context,
                                                   const JsonValue& arguments) {
  GetReferencesParams params;
  params.query.symbol = arguments.member("symbol").string().value_or("");
  params.query.file_path = arguments.member("file_path").string();
  if (const std::size_t line = whole_argument(arguments, "line", 0); line > 0) {
    params.query.line = static_cast<std::uint32_t>(std::min<std::size_t>(line, UINT32_MAX));
  }
  params.query.include_definitions =
      arguments.member("include_definitions").boolean().value_or(true);
  if (const auto confidence = arguments.member("min_confidence").string()) {
    params.query.min_confidence = graph::parse_confidence(*confidence);
  }
  params.query.explain = arguments.member("explain").boolean().value_or(false);
  params.include_hierarchy = arguments.member("include_hierarchy").boolean().value_or(false);
  params.offset = whole_argument(arguments, "offset", 0);
  params.max_bytes = list_bytes(context, arguments);
  return params;
}

Result<GetReferencesAnswer> run(const Context& context, const GetReferencesParams& params) {
  graph::ReferenceQuery query = params.query;
  CODEXMEM_ASSIGN(const auto inputs,
                  check_symbol_question(context.code(), query.symbol, query.file_path));
  if (query.line && !query.file_path) {
    return Error{ErrorCode::kInvalidArgument, "line is a line of file_path, which is not given"};
  }
  if (!context.repository.empty()) {
    query.keep = [&context](std::string_view path) { return is_asked(context, path); };
  }
  query.offset = params.offset;
  query.limit = params.max_bytes / kLeastItemBytes + 1;
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
  answer.tells_definition = !query.file_path && answer.found.definitions.size() > 1;
  const std::string& by_name = answer.found.coverage.unresolved_language;
  if (answer.found.usages == 0) {
    answer.note = note_of(answer, params.query.symbol);
  } else if (!by_name.empty()) {
    answer.note = note_by_name(by_name);
  }
  std::vector<ShownDefinition> shown;
  for (const graph::ReferenceDefinition& each : answer.found.definitions) {
    shown.push_back({each.qualified_name, each.path, !each.build_condition.empty()});
  }
  add_sentence(answer.note, note_alternatives(shown));
  fit(answer, params);
  return answer;
}

Written GetReferencesAnswer::to_json() const {
  std::vector<std::string> items, definitions;
  for (const graph::ReferenceItem& item : found.items) {
    items.push_back(reference_json(*this, item, item.definition));
  }
  for (const auto& definition : found.definitions) {
    definitions.push_back(definition_json(definition));
  }
  return list_json(items,
                   fmt::format(R"({{"definitions":[{}],{}{})", join(definitions, ","),
                               hierarchy_member(*this), dump_json(siblings_json(*this)).substr(1)));
}

constinit const Question kGetReferences = {
    .name = "get_references",
    .title = "Find references",
    .description =
        "Who calls, writes or inherits from a symbol: every use, the function around it and how "
        "sure it is.",
    .groups = "code",
    .is_united = true,
    .params = kGetReferencesParams,
    .output_schema = R"json({"type":"object","properties":{
"results":{"type":"array","items":{"type":"object","properties":{
"file":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]},
"line":{"type":"integer"},"column":{"type":"integer"},"context":{"type":"string"},"type":{"type":"string","enum":["usage","definition"]},
"nameLine":{"type":"integer"},"nameColumn":{"type":"integer"},"kind":{"type":"string","enum":["call","import","type","inherit","read","write"]},
"container":{"type":"string"},"confidence":{"type":"string","enum":["resolved","likely","name"]},"definition":{"type":"integer"},"chain":{"type":"array","items":{"type":"string"}}
},"required":["file","line","column","context","type","confidence"]}},
"definitions":{"type":"array","items":{"type":"object"}},"definitionsOmitted":{"type":"integer"},"coverage":{"type":"object"},"note":{"type":"string"},"hierarchy":{"type":"array","items":{"type":"object"}},
"total":{"type":"integer"},"omitted":{"type":"integer"},"nextOffset":{"type":"integer"},"suggestions":{"type":"array","items":{"type":"string"}},
"stale":{"type":"object"},"type":{"type":"string"},"message":{"type":"string"}},
"anyOf":[{"required":["results","definitions","coverage"]},{"required":["type","message"]}]})json",
    .failure_type = "SearchError",
    .run = run_question<GetReferencesParams>};

}  // namespace codexmem::ask
