#include "ask/code/analyze_dependencies.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "ask/budget.h"
#include "ask/code/code_answer.h"
#include "ask/fresh.h"
#include "ask/united.h"
#include "text/json.h"
#include "text/json_object.h"
#include "base/text.h"

namespace codexmem::ask {

namespace {

// What was found, before it is cut.
struct FoundDependencies {
  graph::DependencyAnswer found;
  graph::FactsCoverage coverage;
};

std::string edge_json(const graph::DependencyItem& item, bool outgoing) {
  // Of a package in the repository the file is its folder.
  const std::string& package = item.is_package ? item.path : item.package;
  return json_object("file", some(json_object("path", some(item.path))), "importPath",
                     item.import_path, "type", item.import_type, "symbols", item.symbols,
                     "isExternal", outgoing ? std::optional(item.is_external) : std::nullopt,
                     "notIndexed", some(item.not_indexed), "package",
                     item.is_external || item.is_package ? std::optional(package) : std::nullopt,
                     "depth", item.depth, "via", some(item.via), "line", item.line, "unused",
                     some(item.is_unused));
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

// Leaves of `items` what fits into `max_bytes`. Returns how many were cut.
template <typename Item>
std::size_t cut_to(std::vector<Item>& items, std::size_t max_bytes) {
  std::size_t kept = 0;
  for (std::size_t bytes = 0; kept < items.size(); ++kept) {
    bytes += dump_json(Json(items[kept])).size() + 1;
    if (bytes > max_bytes) break;
  }
  const std::size_t cut = items.size() - kept;
  items.resize(kept);
  return cut;
}

// The members after the lists of edges.
std::string rest_json(const AnalyzeDependenciesAnswer& answer) {
  return json_object("cycles", some(answer.cycles), "cyclesOmitted", some(answer.cycles_omitted),
                     "unresolved", some(answer.unresolved), "unresolvedOmitted",
                     some(answer.unresolved_omitted), "externalOmitted",
                     some(answer.external_omitted), "total", answer.total, "coverage",
                     coverage_json(answer.coverage, answer.is_stale), "note", some(answer.note),
                     "omitted", some(answer.rest.omitted), "nextOffset", answer.rest.next());
}

AnalyzeDependenciesAnswer cut(FoundDependencies all, const AnalyzeDependenciesParams& params,
                              bool is_stale) {
  graph::DependencyAnswer& found = all.found;
  AnalyzeDependenciesAnswer answer;
  answer.path = found.path;
  answer.depth = params.query.depth;
  answer.coverage = std::move(all.coverage);
  answer.is_stale = is_stale;
  if (params.offset == 0) {
    // A quarter of the answer each at most: the edges are what was asked for.
    answer.cycles = std::move(found.cycles);
    answer.cycles_omitted = cut_to(answer.cycles, params.max_bytes / 4) + found.cycles_omitted;
    answer.unresolved = std::move(found.unresolved);
    answer.unresolved_omitted = cut_to(answer.unresolved, params.max_bytes / 4);
  }
  answer.external_omitted = found.external_omitted;
  const Edges edges(found);
  answer.total = edges.size();
  if (found.dependents.empty() && params.direction != "imports")
    answer.note = note_no_dependents(found.path, answer.coverage);
  if (found.views_are_cut) {
    add_sentence(answer.note,
                 "Not all code was read that may name a template: too much has its name.");
  }

  const std::size_t rest_bytes = rest_json(answer).size() + found.path.size() + 200;
  const std::size_t room = bytes_left(params.max_bytes, rest_bytes);
  std::size_t at = std::min(params.offset, edges.size());
  for (std::size_t bytes = 0; at < edges.size(); ++at) {
    bytes += edge_json(edges[at], edges.is_outgoing(at)).size() + 1;
    if (bytes > room && at > params.offset) break;  // one at least
    auto& list = !edges.is_outgoing(at)  ? answer.dependents
                 : edges[at].is_resource ? answer.resources
                                         : answer.dependencies;
    list.push_back(edges[at]);
  }
  answer.rest = Rest::after(at, edges.size());
  return answer;
}

std::string edges_json(const std::vector<graph::DependencyItem>& edges, bool outgoing) {
  std::vector<std::string> texts;
  for (const graph::DependencyItem& edge : edges) texts.push_back(edge_json(edge, outgoing));
  return join(texts, ",");
}

constexpr Param kAnalyzeDependenciesParams[] = {
    {.name = "file_path",
     .also = kFileNames,
     .description = "The file",
     .required = true,
     .least = 1,
     .option = "FILE",
     .help = "The file asked about",
     .takes = Takes::kFile,
     .into = into<&AnalyzeDependenciesParams::query, &graph::DependencyQuery::file_path>},
    {.name = "depth",
     .also = "max_depth",
     .type = ParamType::kWhole,
     .description = "Levels",
     .least = 1,
     .most = 10,
     .default_json = "2",
     .option = "-d,--depth",
     .help = "Levels of files (1 to 10, default 2)",
     .into = into<&AnalyzeDependenciesParams::query, &graph::DependencyQuery::depth>},
    {.name = "include_external",
     .type = ParamType::kFlag,
     .description = "Packages too",
     .default_json = "false",
     .option = "-x,--external",
     .help = "With external packages",
     .into = into<&AnalyzeDependenciesParams::query, &graph::DependencyQuery::include_external>},
    {.name = "direction",
     .also = "only",
     .description = "One way",
     .choices = "imports,importers",
     .option = "--only",
     .help = "Only imports, or only importers",
     .into = into<&AnalyzeDependenciesParams::direction>},
    offset_param(into<&AnalyzeDependenciesParams::offset>, "Files to skip, when an answer was cut"),
    revision_param(),
    repository_param(),
    max_tokens_param(into_by<read_bytes, &AnalyzeDependenciesParams::max_bytes>, "25000"),
};

}  // namespace

Result<AnalyzeDependenciesAnswer> run(const Context& context,
                                      const AnalyzeDependenciesParams& params) {
  graph::DependencyQuery query = params.query;
  CODEXMEM_ASSIGN(query.file_path, repository_path(context.code(), "file_path", query.file_path));
  CODEXMEM_ASSIGN(
      FoundDependencies all,
      answer_fresh<FoundDependencies>(
          context, {query.file_path},
          [&](store::CodeReader& reader) -> Result<FoundDependencies> {
            FoundDependencies made;
            CODEXMEM_ASSIGN(made.found, graph::analyze_dependencies(reader, query, context.stop));
            CODEXMEM_ASSIGN(made.coverage,
                            graph::cover_imports(context.code().facts, reader, query.file_path));
            made.coverage.unresolved_imports = made.found.unresolved.size();
            const auto is_elsewhere = [&](const graph::DependencyItem& item) {
              return !is_asked(context, item.path);
            };
            std::erase_if(made.found.dependencies, is_elsewhere);
            std::erase_if(made.found.dependents, is_elsewhere);
            if (params.direction == "imports") made.found.dependents.clear();
            if (params.direction == "importers") {
              made.found.dependencies.clear();
              made.found.cycles.clear();
              made.found.cycles_omitted = 0;
              made.found.unresolved.clear();
              made.found.external_omitted = 0;
            }
            CODEXMEM_TRY(graph::mark_unused(context.code().facts, reader, made.found.dependents));
            return made;
          },
          [](const FoundDependencies& made, std::set<std::string>& paths) {
            for (const auto& item : made.found.dependencies) {
              if (item.not_indexed.empty() && !item.is_package) paths.insert(item.path);
            }
            for (const auto& item : made.found.dependents) paths.insert(item.path);
            for (const auto& cycle : made.found.cycles) paths.insert(cycle.begin(), cycle.end());
          }));
  return cut(std::move(all), params, context.is_stale());
}

Written AnalyzeDependenciesAnswer::to_json() const {
  return object_json(fmt::format(
      R"({{"file":{{"path":{}}},"dependencies":[{}],"dependents":[{}],"resources":[{}],{})",
      json_quote(path), edges_json(dependencies, true), edges_json(dependents, false),
      edges_json(resources, true), rest_json(*this).substr(1)));
}

constinit const Question kAnalyzeDependencies = {
    .name = "analyze_dependencies",
    .title = "Analyze dependencies",
    .description = "What a file imports and what imports it, also through others.",
    .groups = "code",
    .is_united = true,
    .params = kAnalyzeDependenciesParams,
    .output_schema = R"json({"type":"object","properties":{
"file":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]},
"dependencies":{"type":"array","items":{"type":"object","properties":{
"file":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]},"importPath":{"type":"string"},"type":{"type":"string"},"symbols":{"type":"array","items":{"type":"string"}},"isExternal":{"type":"boolean"},"package":{"type":"string"},"depth":{"type":"integer"},"via":{"type":"string"},"line":{"type":"integer"}},
"required":["importPath","type","symbols","isExternal","depth"]}},
"dependents":{"type":"array","items":{"type":"object","properties":{
"file":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]},"importPath":{"type":"string"},"type":{"type":"string"},"symbols":{"type":"array","items":{"type":"string"}},"depth":{"type":"integer"},"via":{"type":"string"},"line":{"type":"integer"},"unused":{"type":"boolean","description":"Only the import or documentation has the names"}},
"required":["file","importPath","type","symbols","depth"]}},
"resources":{"type":"array","description":"Imported files that are not modules: styles, data, texts","items":{"type":"object"}},
"cycles":{"type":"array","items":{"type":"array","items":{"type":"string"}}},"unresolved":{"type":"array","items":{"type":"string"}},"cyclesOmitted":{"type":"integer"},"unresolvedOmitted":{"type":"integer"},"externalOmitted":{"type":"integer"},"total":{"type":"integer"},"omitted":{"type":"integer"},"nextOffset":{"type":"integer"},
"coverage":{"type":"object"},"note":{"type":"string"},
"stale":{"type":"object"},"type":{"type":"string"},"message":{"type":"string"}},
"anyOf":[{"required":["file","dependencies","dependents"]},{"required":["type","message"]}]})json",
    .failure_type = "SearchError",
    .run = run_question<AnalyzeDependenciesParams>};

}  // namespace codexmem::ask
