#include "mcp/tools/get_references_tool.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "text/json.h"
#include "base/stop_scope.h"
#include "base/text.h"
#include "mcp/tools/tool_support.h"

namespace codexmem::mcp {

namespace {

// No item is shorter: more of them than this allows do not fit into an answer.
constexpr std::size_t kLeastItemBytes = 100;

constexpr std::size_t kMostHierarchies = 3;  // of definitions of one name
constexpr std::size_t kMostNeighbours = 50;  // of one kind; of more the first, and "cut" says so

// `definition` is an index into the answer's definitions.
std::string item_json(const graph::ReferenceItem& item, std::optional<std::size_t> definition) {
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
  return dump_json(json);
}

// A part of the answer: items in order, and the definitions that they refer to.
struct Page {
  std::vector<std::string> items;
  std::vector<std::string> definitions;
};

// The items that fit into `room` bytes with their definitions, at least one. When there is none,
// the definitions that fit: they tell an unused symbol from an unknown one.
Page make_page(const graph::ReferenceAnswer& found, bool with_definition, std::size_t room) {
  Page page;
  std::map<std::size_t, std::size_t> places;  // in page.definitions, by index in found.definitions
  std::size_t bytes = 0;
  for (const graph::ReferenceItem& item : found.items) {
    const auto place = places.find(item.definition);
    const bool is_new = place == places.end();
    const std::size_t at = is_new ? page.definitions.size() : place->second;
    std::string json = item_json(item, with_definition ? std::optional(at) : std::nullopt);
    std::string definition = is_new ? definition_json(found.definitions[item.definition]) : "";
    bytes += json.size() + definition.size() + 2;
    if (bytes > room && !page.items.empty()) return page;
    page.items.push_back(std::move(json));
    if (!is_new) continue;
    places.emplace(item.definition, at);
    page.definitions.push_back(std::move(definition));
  }
  if (!page.items.empty()) return page;
  for (const graph::ReferenceDefinition& definition : found.definitions) {
    page.definitions.push_back(definition_json(definition));
    bytes += page.definitions.back().size() + 1;
    if (bytes > room) break;
  }
  page.definitions.resize(count_fitting(page.definitions, room));
  return page;
}

Json coverage_json(const GetReferencesAnswer& answer) {
  const graph::ReferenceCoverage& coverage = answer.found.coverage;
  Json json = Json::parse(mcp::coverage_json(coverage, answer.is_stale));
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
    json.update(Json::parse(mcp::coverage_json(*answer.no_definition, answer.is_stale)));
  return json;
}

// What was searched in vain, and where a use could hide all the same.
std::string note_of(const GetReferencesAnswer& answer) {
  if (answer.no_definition) return note_no_definition(answer.symbol, *answer.no_definition);
  const graph::ReferenceCoverage& coverage = answer.found.coverage;
  std::string note = fmt::format("No use found of {} of \"{}\" in {} with that name.",
                                 counted(answer.found.definitions.size(), "definition"),
                                 answer.symbol, counted(coverage.files_searched, "file"));
  const std::string doubts = list_doubts(coverage);
  if (!doubts.empty()) note += " There a use could hide behind " + doubts + ".";
  if (coverage.files_with_reflection > 0) {
    note += fmt::format(" {} without the name look names up at run time.",
                        counted(coverage.files_with_reflection, "other file"));
  }
  if (coverage.name_matches_omitted > 0) {
    note += fmt::format(" {} the name alone: min_confidence \"name\" shows them.",
                        coverage.name_matches_omitted == 1
                            ? std::string("1 place has")
                            : fmt::format("{} places have", coverage.name_matches_omitted));
  }
  if (!coverage.unresolved_language.empty())
    note += " " + note_by_name(coverage.unresolved_language);
  return note;
}

Result<void> add_neighbours(const CallContext& context, store::CodeReader& reader,
                            GetReferencesAnswer& answer) {
  graph::FactsCache& facts = context.services->code->facts;
  const auto& definitions = answer.found.definitions;
  for (auto at = definitions.begin(); at != definitions.end(); ++at) {
    if (answer.neighbours.size() == kMostHierarchies) break;
    // The overloads of a function have the neighbours of the first.
    if (std::any_of(definitions.begin(), at, [&](const graph::ReferenceDefinition& other) {
          return other.path == at->path && other.qualified_name == at->qualified_name;
        })) {
      continue;
    }
    const graph::ReferenceDefinition& definition = *at;
    CODEXMEM_TRY(go_on());
    DefinitionNeighbours around;
    around.definition = static_cast<std::size_t>(at - definitions.begin());
    CODEXMEM_ASSIGN(around.callers,
                    graph::list_callers(facts, reader, definition.symbol, kMostNeighbours + 1));
    CODEXMEM_ASSIGN(around.callees,
                    graph::list_callees(facts, reader, definition.symbol, kMostNeighbours + 1));
    CODEXMEM_ASSIGN(around.hierarchy,
                    graph::find_hierarchy(facts, reader, definition.symbol, kMostNeighbours + 1));
    answer.neighbours.push_back(std::move(around));
  }
  return {};
}

using NamedList = std::pair<const char*, const std::vector<graph::Neighbour>*>;

std::array<NamedList, 6> lists_of(const DefinitionNeighbours& around) {
  return {NamedList{"callers", &around.callers},
          {"callees", &around.callees},
          {"supertypes", &around.hierarchy.supertypes},
          {"subtypes", &around.hierarchy.subtypes},
          {"overrides", &around.hierarchy.overrides},
          {"overriddenBy", &around.hierarchy.overridden_by}};
}

std::string hierarchy_json(const graph::ReferenceDefinition& definition,
                           const DefinitionNeighbours& around) {
  Json of;
  of["name"] = definition.qualified_name;
  of["file"]["path"] = definition.path;
  of["line"] = definition.start.line;
  std::string json = R"({"of":)" + dump_json(of);
  Json cut;
  for (const auto& [name, list] : lists_of(around)) {
    if (list->empty()) continue;
    std::vector<std::string> items;
    for (const graph::Neighbour& neighbour : *list) items.push_back(neighbour_json(neighbour));
    if (items.size() > kMostNeighbours) {
      cut.push_back(name);
      items.resize(kMostNeighbours);
    }
    json += fmt::format(R"(,"{}":[{}])", name, join(items, ","));
  }
  if (!cut.empty()) json += ",\"cut\":" + dump_json(cut);
  return json + "}";
}

}  // namespace

GetReferencesParams read_get_references(const JsonValue& arguments) {
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
  params.max_bytes = answer_bytes(arguments, ask::kLongAnswerBytes);
  return params;
}

Result<GetReferencesAnswer> run(const CallContext& context, const GetReferencesParams& params) {
  graph::ReferenceQuery query = params.query;
  CODEXMEM_ASSIGN(const auto inputs, check_symbol_question(context.services->code->workspace,
                                                           query.symbol, query.file_path));
  if (query.line && !query.file_path) {
    return Error{ErrorCode::kInvalidArgument, "line is a line of file_path, which is not given"};
  }
  query.offset = params.offset;
  query.limit = params.max_bytes / kLeastItemBytes + 1;
  return ask::answer_fresh<GetReferencesAnswer>(
      context, inputs,
      [&](store::CodeReader& reader) -> Result<GetReferencesAnswer> {
        GetReferencesAnswer answer;
        answer.symbol = params.query.symbol;
        answer.names_one_file = query.file_path.has_value();
        answer.offset = params.offset;
        answer.max_bytes = params.max_bytes;
        graph::FactsCache& facts = context.services->code->facts;
        CODEXMEM_ASSIGN(answer.found, graph::find_references(facts, reader, query, context.stop));
        if (answer.found.definitions.empty()) {
          CODEXMEM_ASSIGN(answer.no_definition,
                          graph::cover_definitions(facts, reader, query.symbol, query.file_path,
                                                   /*in_vain=*/true));
          // Those whose facts are damaged.
          answer.no_definition->files_unparsed += answer.found.coverage.files_unparsed;
        }
        if (params.include_hierarchy && params.offset == 0)
          CODEXMEM_TRY(add_neighbours(context, reader, answer));
        return answer;
      },
      [](const GetReferencesAnswer& answer, std::set<std::string>& paths) {
        for (const graph::ReferenceItem& item : answer.found.items) paths.insert(item.path);
        for (const auto& definition : answer.found.definitions) paths.insert(definition.path);
        for (const DefinitionNeighbours& around : answer.neighbours) {
          for (const auto& [name, list] : lists_of(around)) {
            for (const graph::Neighbour& neighbour : *list) paths.insert(neighbour.path);
          }
        }
      });
}

ToolResult to_result(const GetReferencesAnswer& answer) {
  const auto& found = answer.found;
  const bool with_definition = !answer.names_one_file && found.definitions.size() > 1;
  const bool is_in_vain = found.usages == 0;
  Json siblings = Json::object();
  siblings["coverage"] = coverage_json(answer);
  siblings["total"] = found.total;
  if (!found.suggestions.empty()) siblings["suggestions"] = found.suggestions;
  const std::string& by_name = found.coverage.unresolved_language;
  if (is_in_vain) {
    siblings["note"] = note_of(answer);
  } else if (!by_name.empty()) {
    siblings["note"] = note_by_name(by_name);
  }

  std::vector<std::string> around;
  for (const DefinitionNeighbours& each : answer.neighbours) {
    around.push_back(hierarchy_json(found.definitions[each.definition], each));
  }
  std::size_t around_bytes = 0, kept = 0;  // half of the answer at most
  while (kept < around.size() && around_bytes + around[kept].size() < answer.max_bytes / 2) {
    around_bytes += around[kept++].size() + 1;
  }
  if (kept < around.size()) siblings["hierarchyOmitted"] = around.size() - kept;
  around.resize(kept);
  const std::string hierarchy =
      answer.neighbours.empty() ? "" : fmt::format(R"("hierarchy":[{}],)", join(around, ","));

  const std::size_t beside = dump_json(siblings).size() + hierarchy.size() + 120;
  const Page page =
      make_page(found, with_definition, answer.max_bytes > beside ? answer.max_bytes - beside : 0);
  if (page.definitions.size() < found.definitions.size()) {
    siblings["definitionsOmitted"] = found.definitions.size() - page.definitions.size();
  }
  const std::size_t end = std::min(answer.offset, found.total) + page.items.size();
  put_rest(siblings, end, found.total);
  return list_result(page.items,
                     fmt::format(R"({{"definitions":[{}],{}{})", join(page.definitions, ","),
                                 hierarchy, dump_json(siblings).substr(1)));
}

ToolResult call_get_references(const JsonValue& arguments, const CallContext& context) {
  return question_result(context, run(context, read_get_references(arguments)));
}

}  // namespace codexmem::mcp
