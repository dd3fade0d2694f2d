// Tested by graph/routes_test.cpp.
#include "graph/routes/routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/stop_scope.h"
#include "base/text.h"
#include "graph/routes/annotated_routes.h"
#include "graph/routes/framework_files.h"
#include "graph/routes/router_reader.h"
#include "graph/stored/repository_map.h"
#include "text/counted.h"
#include "text/line_index.h"

namespace codexmem::graph {
namespace {

struct Candidate {
  const store::FileRow* row = nullptr;
  const Framework* framework = nullptr;
};

class RouteSearch {
 public:
  RouteSearch(FactsCache& cache, store::CodeReader& reader, const FileTable& files)
      : reader_(reader), files_(files), routers_(cache, reader, files) {}

  Result<Routes> run(const std::stop_token& stop) {
    CODEXMEM_TRY(add_candidates(CodeOf::kProgram));
    if (candidates_.empty()) CODEXMEM_TRY(add_candidates(CodeOf::kExamples));
    for (const Candidate& each : candidates_) {
      if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "stopped"};
      CODEXMEM_TRY(routers_.read(*each.row, *each.framework));
    }
    CODEXMEM_TRY(routers_.read_followed());
    CODEXMEM_ASSIGN(const auto with_prefix, reader_.list_files_with_identifier("setGlobalPrefix"));
    std::string prefix;
    for (const store::FileId id : with_prefix) {
      const RouterReader::File* const file = routers_.load(id);
      if (file != nullptr && is_main_file(*file->row) && prefix.empty()) {
        prefix = global_prefix(file->pieces);
      }
    }
    std::set<store::FileId> seen;
    for (const Candidate& each : candidates_) {
      const RouterReader::File* const file = routers_.load(each.row->id);
      if (file != nullptr && seen.insert(each.row->id).second) {
        const bool has_prefix = each.framework->name == "NestJS";
        add_annotated(routers_, *file, has_prefix ? prefix : "", found_.routes);
      }
    }
    add_placed(routers_, files_, found_.routes);
    add_found();
    CODEXMEM_TRY(routers_.resolver().status());
    for (const auto& [what, count] : routers_.not_read()) {
      found_.not_read.push_back(fmt::format("{} with {}", counted(count, "place"), what));
    }
    std::ranges::sort(found_.routes, {}, [](const Route& each) {
      return std::tie(each.path, each.method, each.file, each.line, each.handler);
    });
    found_.routes.erase(std::unique(found_.routes.begin(), found_.routes.end()),
                        found_.routes.end());
    return std::move(found_);
  }

 private:
  Result<void> add_candidates(CodeOf code) {
    FrameworkFiles files(routers_.resolver(), reader_, files_);
    for (const Framework& framework : frameworks()) {
      CODEXMEM_ASSIGN(const auto rows, files.of(framework, code));
      for (const store::FileRow* row : rows) candidates_.push_back({row, &framework});
    }
    return {};
  }

  void add_found() {
    RouterGraph& graph = routers_.graph();
    for (const FoundRoute& route : graph.routes) {
      if (route.router == kNoRouter) continue;
      const RouterReader::File* const file = routers_.load(route.file);
      if (file == nullptr) continue;
      const LineIndex& lines = lines_.try_emplace(route.file, file->text).first->second;
      for (const RouterGraph::Whole& whole : graph.prefixes(route.router)) {
        Route made{.method = route.method, .handler = route.handler, .file = file->row->path};
        made.path = joined_path(whole.prefix, route.path);
        while (made.path.ends_with('$')) made.path.pop_back();
        if (file->family == "ruby") {  // as Rails lists them
          for (const std::string_view end : {"(.:format)", "/"}) {
            if (made.path.size() > end.size() && made.path.ends_with(end)) {
              made.path.resize(made.path.size() - end.size());
            }
          }
        }
        for (std::size_t at = 0; file->family == "ruby";) {  // a/(:b) is a(/:b)
          at = made.path.find("/(", at);
          if (at == std::string::npos) break;
          made.path.replace(at, 2, made.path.substr(at + 2, 1) == "/" ? "(" : "(/");
        }
        if (!made.path.starts_with('/') &&
            (file->family != "ruby" || !made.path.starts_with('('))) {
          made.path.insert(0, "/");
        }
        made.framework = whole.framework == nullptr ? "" : whole.framework->name;
        made.line = lines.line_of(route.offset);
        if (!whole.is_anchored) made.doubt = "prefix not known";
        if (whole.is_computed || route.is_computed) made.doubt = "computed";
        found_.routes.push_back(std::move(made));
      }
    }
  }

  store::CodeReader& reader_;
  const FileTable& files_;
  RouterReader routers_;
  std::vector<Candidate> candidates_;
  std::map<store::FileId, LineIndex> lines_;
  Routes found_;
};

}  // namespace

Result<Routes> find_routes(FactsCache& cache, store::CodeReader& reader,
                           const std::stop_token& stop) {
  CODEXMEM_ASSIGN(const auto files, cache.files(reader));
  return RouteSearch(cache, reader, *files).run(stop);
}

}  // namespace codexmem::graph
