#include "mcp/tools/analyze_dependencies_tool.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "text/json.h"
#include "base/text.h"
#include "mcp/tools/tool_support.h"

namespace codexmem::mcp {

namespace {

std::string edge_json(const graph::DependencyItem& item, bool outgoing) {
  Json json;
  if (!item.path.empty()) json["file"]["path"] = item.path;
  json["importPath"] = item.import_path;
  json["type"] = item.import_type;
  json["symbols"] = item.symbols;
  if (outgoing) json["isExternal"] = item.is_external;
  if (!item.not_indexed.empty()) json["notIndexed"] = item.not_indexed;
  if (item.is_external) json["package"] = item.package;
  json["depth"] = item.depth;
  if (!item.via.empty()) json["via"] = item.via;
  json["line"] = item.line;
  return dump_json(json);
}

// Both lists as one, taken in turn while both last: a page has something of each.
class Edges {
 public:
  explicit Edges(const graph::DependencyAnswer& found)
      : found_(found), in_turn_(2 * std::min(found.dependencies.size(), found.dependents.size())) {}

  std::size_t size() const { return found_.dependencies.size() + found_.dependents.size(); }

  bool is_outgoing(std::size_t at) const {
    if (at < in_turn_) return at % 2 == 0;
    return found_.dependencies.size() > found_.dependents.size();
  }

  const graph::DependencyItem& operator[](std::size_t at) const {
    const std::size_t index = at < in_turn_ ? at / 2 : at - in_turn_ / 2;
    return is_outgoing(at) ? found_.dependencies[index] : found_.dependents[index];
  }

 private:
  const graph::DependencyAnswer& found_;
  std::size_t in_turn_;
};

// Puts `items` at rest[name] as far as they fit into `max_bytes`, and the number of the others at
// rest[omitted], with `more` of them. Nothing when there are none.
template <typename Item>
void put_fitting(Json& rest, const char* name, const char* omitted, const std::vector<Item>& items,
                 std::size_t more, std::size_t max_bytes) {
  std::size_t kept = 0;
  for (std::size_t bytes = 0; kept < items.size(); ++kept) {
    Json json = items[kept];
    bytes += dump_json(json).size() + 1;
    if (bytes > max_bytes) break;
    rest[name].push_back(std::move(json));
  }
  if (kept < items.size() + more) rest[omitted] = items.size() + more - kept;
}

}  // namespace

AnalyzeDependenciesParams read_analyze_dependencies(const JsonValue& arguments) {
  AnalyzeDependenciesParams params;
  params.query.file_path = arguments.member("file_path").string().value_or("");
  params.query.depth = static_cast<std::uint32_t>(whole_argument(arguments, "depth", 2));
  params.query.include_external = arguments.member("include_external").boolean().value_or(false);
  params.offset = whole_argument(arguments, "offset", 0);
  params.max_bytes = answer_bytes(arguments, ask::kLongAnswerBytes);
  return params;
}

Result<AnalyzeDependenciesAnswer> run(const CallContext& context,
                                      const AnalyzeDependenciesParams& params) {
  graph::DependencyQuery query = params.query;
  CODEXMEM_ASSIGN(query.file_path, ask::repository_path(context.services->code->workspace,
                                                        "file_path", query.file_path));
  return ask::answer_fresh<AnalyzeDependenciesAnswer>(
      context, {query.file_path},
      [&](store::CodeReader& reader) -> Result<AnalyzeDependenciesAnswer> {
        AnalyzeDependenciesAnswer answer;
        answer.offset = params.offset;
        answer.max_bytes = params.max_bytes;
        CODEXMEM_ASSIGN(answer.found, graph::analyze_dependencies(reader, query, context.stop));
        CODEXMEM_ASSIGN(answer.coverage, graph::cover_imports(context.services->code->facts, reader,
                                                              query.file_path));
        answer.coverage.unresolved_imports = answer.found.unresolved.size();
        return answer;
      },
      [](const AnalyzeDependenciesAnswer& answer, std::set<std::string>& paths) {
        for (const auto& item : answer.found.dependencies) {
          if (item.not_indexed.empty()) paths.insert(item.path);
        }
        for (const auto& item : answer.found.dependents) paths.insert(item.path);
        for (const auto& cycle : answer.found.cycles) paths.insert(cycle.begin(), cycle.end());
      });
}

ToolResult to_result(const AnalyzeDependenciesAnswer& answer) {
  const graph::DependencyAnswer& found = answer.found;
  Json rest = Json::object();
  if (answer.offset == 0) {
    // A quarter of the answer each at most: the edges are what was asked for.
    put_fitting(rest, "cycles", "cyclesOmitted", found.cycles, found.cycles_omitted,
                answer.max_bytes / 4);
    put_fitting(rest, "unresolved", "unresolvedOmitted", found.unresolved, 0, answer.max_bytes / 4);
  }
  if (found.external_omitted > 0) rest["externalOmitted"] = found.external_omitted;
  rest["total"] = found.dependencies.size() + found.dependents.size();
  rest["coverage"] = Json::parse(coverage_json(answer.coverage, answer.is_stale));
  if (found.dependents.empty()) rest["note"] = note_no_dependents(found.path, answer.coverage);

  const std::size_t beside = dump_json(rest).size() + found.path.size() + 200;
  const std::size_t room = answer.max_bytes > beside ? answer.max_bytes - beside : 0;
  const Edges edges(found);
  std::vector<std::string> dependencies, dependents, resources;
  std::size_t at = std::min(answer.offset, edges.size());
  for (std::size_t bytes = 0; at < edges.size(); ++at) {
    std::string edge = edge_json(edges[at], edges.is_outgoing(at));
    bytes += edge.size() + 1;
    if (bytes > room && at > answer.offset) break;  // one at least
    auto& list = !edges.is_outgoing(at)  ? dependents
                 : edges[at].is_resource ? resources
                                         : dependencies;
    list.push_back(std::move(edge));
  }
  put_rest(rest, at, edges.size());
  const std::string more = dump_json(rest);
  return object_result(fmt::format(
      R"({{"file":{{"path":{}}},"dependencies":[{}],"dependents":[{}],"resources":[{}],{})",
      json_quote(found.path), join(dependencies, ","), join(dependents, ","), join(resources, ","),
      more.substr(1)));
}

ToolResult call_analyze_dependencies(const JsonValue& arguments, const CallContext& context) {
  return question_result(context, run(context, read_analyze_dependencies(arguments)));
}

}  // namespace codexmem::mcp
