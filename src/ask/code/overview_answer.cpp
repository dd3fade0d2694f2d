// Tested by git/overview_test.py.
#include "ask/code/overview_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>

#include "ask/budget.h"
#include "ask/code/list_routes.h"
#include "ask/code/stated_purpose.h"
#include "base/text.h"
#include "graph/imports/packages.h"
#include "text/json.h"
#include "text/json_object.h"

namespace codexmem::ask {
namespace {

constexpr std::size_t kMaxApiNames = 60;

std::string language_json(const graph::LanguageSize& each) {
  return json_object("language", each.language, "files", each.files, "lines", each.lines);
}

std::string package_json(const OverviewPackage& each) {
  return json_object("folder", each.folder, "kind", each.kind, "name", each.name, "about",
                     some(first_sentence(each.about, kAboutBytes)));
}

std::string folder_json(const OverviewFolder& each) {
  return json_object("path", graph::package_path(each.size.path), "files", each.size.files, "lines",
                     each.size.lines, "about", some(each.about), "names", some(each.names));
}

std::string program_json(const OverviewProgram& each) {
  return json_object("command", each.program.name, "runs", some(each.program.runs), "file",
                     json_object("path", each.path));
}

std::string start_json(const graph::ProgramStart& each) {
  return json_object("file", json_object("path", each.path), "line", each.line);
}

std::string routes_json(const OverviewRoutes& each) {
  return json_object("framework", some(each.framework), "routes", each.count, "file",
                     json_object("path", each.path));
}

std::string entry_points_json(const OverviewEntryPoints& each) {
  return json_object("kind", each.kind, "framework", each.framework, "path",
                     graph::package_path(each.path), "count", each.count, "names", each.names);
}

std::string names_text(const std::vector<std::string>& names) { return dump_json(Json(names)); }

std::string api_json(const graph::PublicNames& each) {
  const std::size_t shown = std::min(each.names.size(), kMaxApiNames);
  return json_object("path", each.path, "names", std::span(each.names).first(shown), "more",
                     some(each.names.size() - shown));
}

std::string inversion_json(const graph::Inversion& each) {
  return json_object("from", each.from, "to", each.to, "imports", each.imports, "otherWay",
                     some(each.others), "file", json_object("path", each.path), "line", each.line);
}

std::string central_json(const graph::CentralFile& each) {
  return json_object("path", each.path, "importers", each.importers);
}

std::string hot_json(const HotFile& each) {
  return json_object("path", each.path, "commits", each.commits);
}

std::string tests_json(const OverviewTests& each) {
  return json_object("folder", each.folder, "files", each.files);
}

std::string command_json(const OverviewCommand& each) {
  return json_object("command", each.command.name, "runs", some(each.command.runs));
}

std::string quoted(const std::string& text) { return json_quote(text); }

// The bytes of the other members and of the lists' names.
constexpr std::size_t kFrameBytes = 900;

}  // namespace

void cut_overview(RepositoryOverviewAnswer& answer, std::size_t max_bytes) {
  if (max_bytes < 2 * bytes_of_tokens(kMinAnswerTokens)) {
    answer.summary = first_sentence(answer.summary, kAboutBytes);
  }
  for (graph::PublicNames& names : answer.api) {
    const std::size_t most = std::max<std::size_t>(max_bytes / 500, 3);
    if (names.names.size() > most) {
      add_omitted(answer.omitted, "names of " + names.path, names.names.size() - most);
      names.names.resize(most);
    }
  }
  const std::size_t frame = kFrameBytes + answer.summary.size();
  const std::size_t room = max_bytes > 2 * frame ? max_bytes - frame : max_bytes / 3;
  ListCutter lists(room, answer.omitted);
  const auto add = [&](std::string_view name, auto& items, auto write, std::size_t percent) {
    lists.add(name, items, write, room * percent / 100);
  };
  add("routeList", answer.route_list, route_json, 60);
  add("folders", answer.folders, folder_json, 28);
  add("languages", answer.map.languages, language_json, 5);
  add("packages", answer.packages, package_json, 10);
  add("programs", answer.programs, program_json, 4);
  add("starts", answer.starts, start_json, 4);
  add("routes", answer.routes, routes_json, 4);
  add("entryPoints", answer.entry_points, entry_points_json, 6);
  add("api", answer.api, api_json, 10);
  add("layers", answer.map.layers, names_text, 9);
  add("inversions", answer.map.inversions, inversion_json, 6);
  add("cycles", answer.map.cycles, names_text, 4);
  add("central", answer.map.central, central_json, 5);
  add("hot", answer.hot, hot_json, 5);
  add("tests", answer.tests, tests_json, 3);
  add("runTests", answer.run_tests, quoted, 2);
  add("commands", answer.commands, command_json, 8);
  add("notSeen", answer.not_seen, quoted, 5);
  lists.cut(/*hands_on=*/true);
  std::ranges::stable_sort(answer.folders, {},
                           [](const OverviewFolder& each) { return each.size.path; });
}

Written RepositoryOverviewAnswer::to_json() const {
  return object_json(json_object(
      "summary", some(summary), "languages", some(json_list(map.languages, language_json)),
      "packages", some(json_list(packages, package_json)), "folders",
      some(json_list(folders, folder_json)), "programs", some(json_list(programs, program_json)),
      "starts", some(json_list(starts, start_json)), "routes", some(json_list(routes, routes_json)),
      "routeList", some(json_list(route_list, route_json)), "entryPoints",
      some(json_list(entry_points, entry_points_json)), "api", some(json_list(api, api_json)),
      "layers", some(map.layers), "inversions", some(json_list(map.inversions, inversion_json)),
      "cycles", some(map.cycles), "central", some(json_list(map.central, central_json)), "hot",
      some(json_list(hot, hot_json)), "tests", some(json_list(tests, tests_json)), "runTests",
      some(run_tests), "commands", some(json_list(commands, command_json)), "notSeen",
      some(not_seen), "files", files, "lines", lines, "commits", some(commits), "omitted",
      some(omitted)));
}

}  // namespace codexmem::ask
