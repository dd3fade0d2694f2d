#include "mcp/tools/analyze_dependencies_tool.h"

#include <fmt/format.h>

#include "base/json.h"
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
  if (item.is_external) json["package"] = item.package;
  json["depth"] = item.depth;
  if (!item.via.empty()) json["via"] = item.via;
  json["line"] = item.line;
  return dump_json(json);
}

std::vector<std::string> edges_json(const std::vector<graph::DependencyItem>& items,
                                    bool outgoing) {
  std::vector<std::string> edges;
  for (const graph::DependencyItem& item : items) edges.push_back(edge_json(item, outgoing));
  return edges;
}

std::size_t bytes_of(const std::vector<std::string>& items) {
  std::size_t bytes = 0;
  for (const std::string& item : items) bytes += item.size() + 1;
  return bytes;
}

// Puts `items` at rest[name] as far as they fit into `max_bytes`, and the number of the others at
// rest[omitted]. Nothing when there are none.
template <typename Item>
void put_fitting(Json& rest, const char* name, const char* omitted, const std::vector<Item>& items,
                 std::size_t max_bytes) {
  std::size_t kept = 0;
  for (std::size_t bytes = 0; kept < items.size(); ++kept) {
    Json json = items[kept];
    bytes += dump_json(json).size() + 1;
    if (bytes > max_bytes) break;
    rest[name].push_back(std::move(json));
  }
  if (kept < items.size()) rest[omitted] = items.size() - kept;
}

}  // namespace

AnalyzeDependenciesParams read_analyze_dependencies(const JsonValue& arguments) {
  AnalyzeDependenciesParams params;
  params.query.file_path = arguments.member("file_path").string().value_or("");
  params.query.depth = static_cast<std::uint32_t>(whole_argument(arguments, "depth", 2));
  params.query.include_external = arguments.member("include_external").boolean().value_or(false);
  params.max_bytes = answer_bytes(arguments, kLongAnswerBytes);
  return params;
}

Result<AnalyzeDependenciesAnswer> run(const CallContext& context,
                                      const AnalyzeDependenciesParams& params) {
  graph::DependencyQuery query = params.query;
  CODEXMEM_ASSIGN(query.file_path,
                  repository_path(context.services->workspace, "file_path", query.file_path));
  return answer_fresh<AnalyzeDependenciesAnswer>(
      context, {query.file_path},
      [&](store::CodeReader& reader) -> Result<AnalyzeDependenciesAnswer> {
        AnalyzeDependenciesAnswer answer;
        answer.max_bytes = params.max_bytes;
        CODEXMEM_ASSIGN(answer.found, graph::analyze_dependencies(reader, query));
        return answer;
      },
      [](const AnalyzeDependenciesAnswer& answer, std::set<std::string>& paths) {
        for (const auto& item : answer.found.dependencies) paths.insert(item.path);
        for (const auto& item : answer.found.dependents) paths.insert(item.path);
        for (const auto& cycle : answer.found.cycles) paths.insert(cycle.begin(), cycle.end());
      });
}

ToolResult to_result(const AnalyzeDependenciesAnswer& answer) {
  const graph::DependencyAnswer& found = answer.found;
  Json rest = Json::object();
  // A quarter of the answer each at most: the edges are what was asked for.
  put_fitting(rest, "cycles", "cyclesOmitted", found.cycles, answer.max_bytes / 4);
  put_fitting(rest, "unresolved", "unresolvedOmitted", found.unresolved, answer.max_bytes / 4);
  if (found.external_omitted > 0) rest["externalOmitted"] = found.external_omitted;

  // Each list may have half of the room, and what the other one leaves.
  std::vector<std::string> dependencies = edges_json(found.dependencies, true);
  std::vector<std::string> dependents = edges_json(found.dependents, false);
  const std::size_t beside = dump_json(rest).size() + found.path.size() + 200;
  const std::size_t room = answer.max_bytes > beside ? answer.max_bytes - beside : 0;
  const std::size_t half = room / 2;
  const std::size_t spare = half - std::min(half, bytes_of(dependents));
  dependencies.resize(count_fitting(dependencies, half + spare));
  const std::size_t used = std::min(room, bytes_of(dependencies));
  dependents.resize(count_fitting(dependents, room - used));
  if (const std::size_t omitted = found.dependencies.size() + found.dependents.size() -
                                  dependencies.size() - dependents.size();
      omitted > 0) {
    rest["omitted"] = omitted;
  }
  const std::string more = dump_json(rest);
  return object_result(fmt::format(
      R"({{"file":{{"path":{}}},"dependencies":[{}],"dependents":[{}]{}{})", json_quote(found.path),
      join(dependencies, ","), join(dependents, ","), more.size() > 2 ? "," : "", more.substr(1)));
}

ToolResult call_analyze_dependencies(const JsonValue& arguments, const CallContext& context) {
  const auto answer = run(context, read_analyze_dependencies(arguments));
  return answer.ok() ? to_result(*answer)
                     : fail_with(answer.error(), "DatabaseError", "SearchError");
}

}  // namespace codexmem::mcp
