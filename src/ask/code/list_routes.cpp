// Tested by git/routes_test.py.
#include "ask/code/list_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "ask/code/code_answer.h"
#include "ask/fresh.h"
#include "ask/united.h"
#include "text/counted.h"
#include "text/json_object.h"

namespace codexmem::ask {
namespace {

Result<ListRoutesAnswer> list_routes(const Context& context, store::CodeReader& reader,
                                     const ListRoutesParams& params) {
  CODEXMEM_ASSIGN(graph::Routes found,
                  graph::find_routes(context.code().facts, reader, context.stop));
  ListRoutesAnswer answer;
  answer.note = routes_note(found);
  std::erase_if(found.routes, [&](const graph::Route& each) {
    return !is_below(each, params.path) || !is_asked(context, each.file);
  });
  answer.total = found.routes.size();
  const std::size_t first = std::min(params.offset, answer.total);
  const std::size_t end =
      params.limit == 0 ? answer.total : std::min(first + params.limit, answer.total);
  const auto at = [&](std::size_t place) {
    return std::make_move_iterator(found.routes.begin() + static_cast<std::ptrdiff_t>(place));
  };
  answer.routes.assign(at(first), at(end));
  answer.rest = Rest::after(end, answer.total);
  if (params.path.empty() && params.offset == 0) {
    CODEXMEM_ASSIGN(graph::EntryPoints entries,
                    graph::find_entry_points(context.code().facts, reader, context.stop));
    if (!entries.not_read.empty()) {
      add_sentence(answer.note, "Not listed: " + entries.not_read + ".");
    }
    answer.entry_points = std::move(entries.list);
    std::erase_if(answer.entry_points,
                  [&](const graph::EntryPoint& each) { return !is_asked(context, each.file); });
    if (params.limit > 0 && answer.entry_points.size() > params.limit) {
      add_sentence(answer.note, fmt::format("{} more: --limit 0 lists all.",
                                            counted(answer.entry_points.size() - params.limit,
                                                    "command or task", "commands and tasks")));
      answer.entry_points.resize(params.limit);
    }
  }
  return answer;
}

constexpr Param kListRoutesParams[] = {
    {.name = "path",
     .option = "-p,--path",
     .help = "Only routes at this path or below it: /api/users",
     .into = into<&ListRoutesParams::path>},
    {.name = "limit",
     .type = ParamType::kWhole,
     .least = 0,
     .default_json = "0",
     .option = "-l,--limit",
     .help = "Maximum routes, 0: all (default)",
     .into = into<&ListRoutesParams::limit>},
    offset_param(into<&ListRoutesParams::offset>, "Routes to skip"),
    repository_param(),
};

}  // namespace

bool is_below(const graph::Route& route, std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  std::string_view own = route.path;
  if (!path.empty() && !path.starts_with('/'))
    own.remove_prefix(std::min<std::size_t>(1, own.size()));
  if (!own.starts_with(path)) return false;
  return path.empty() || own.size() == path.size() || own[path.size()] == '/';
}

std::string routes_note(const graph::Routes& routes) {
  std::string note;
  const auto count = [&](std::string_view doubt) {
    return static_cast<std::size_t>(std::ranges::count(routes.routes, doubt, &graph::Route::doubt));
  };
  if (const std::size_t computed = count("computed"); computed > 0) {
    add_sentence(note, fmt::format("{} computed: the part in braces is unknown.",
                                   counted(computed, "path")));
  }
  if (const std::size_t loose = count("prefix not known"); loose > 0) {
    add_sentence(note, fmt::format("{} of a router that nothing seen here mounts: a prefix may be "
                                   "missing.",
                                   counted(loose, "route")));
  }
  for (const std::string& each : routes.not_read) add_sentence(note, "Not listed: " + each + ".");
  return note;
}

std::string route_json(const graph::Route& route) {
  return json_object("method", route.method, "path", route.path, "handler", some(route.handler),
                     "framework", some(route.framework), "file", json_object("path", route.file),
                     "line", route.line, "doubt", some(route.doubt));
}

std::string entry_point_json(const graph::EntryPoint& each) {
  return json_object("kind", each.kind, "name", each.name, "handler", some(each.handler),
                     "framework", each.framework, "file", json_object("path", each.file), "line",
                     each.line);
}

Result<ListRoutesAnswer> run(const Context& context, const ListRoutesParams& params) {
  return answer_fresh<ListRoutesAnswer>(
      context, {}, [&](store::CodeReader& reader) { return list_routes(context, reader, params); },
      [](const ListRoutesAnswer& made, std::set<std::string>& mentioned) {
        for (const graph::Route& each : made.routes) mentioned.insert(each.file);
        for (const graph::EntryPoint& each : made.entry_points) mentioned.insert(each.file);
      });
}

Written ListRoutesAnswer::to_json() const {
  return object_json(json_object("routes", json_list(routes, route_json), "total", total,
                                 "entryPoints", some(json_list(entry_points, entry_point_json)),
                                 "note", some(note), "omitted", some(rest.omitted), "nextOffset",
                                 rest.next()));
}

constinit const Question kListRoutes = {
    .name = "list_routes",
    .title = "Routes",
    .description = "Routes of the program: method, path, handler, place, framework.",
    .groups = "",
    .is_united = true,
    .params = kListRoutesParams,
    .output_schema = R"json({"type":"object","properties":{
"routes":{"type":"array","items":{"type":"object"}},"total":{"type":"integer"},"entryPoints":{"type":"array","items":{"type":"object"}},"note":{"type":"string"},
"omitted":{"type":"integer"},"nextOffset":{"type":"integer"},"stale":{"type":"object"},"type":{"type":"string"},"message":{"type":"string"}},
"anyOf":[{"required":["routes"]},{"required":["type","message"]}]})json",
    .failure_type = "SearchError",
    .run = run_question<ListRoutesParams>};

}  // namespace codexmem::ask
