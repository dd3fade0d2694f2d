// Each list is written as the texts of its items, whose sizes say what fits.
//
// Tested by git/overview_test.py.
#include "ask/code/overview_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>

#include "ask/code/stated_purpose.h"
#include "base/text.h"
#include "graph/packages.h"
#include "text/json.h"

namespace codexmem::ask {
namespace {

constexpr std::size_t kMostApiNames = 60;

std::string language_json(const graph::LanguageSize& each) {
  return dump_json({{"language", each.language}, {"files", each.files}, {"lines", each.lines}});
}

std::string package_json(const OverviewPackage& each) {
  Json json = {{"folder", each.folder}, {"kind", each.kind}, {"name", each.name}};
  if (!each.about.empty()) json["about"] = first_sentence(each.about, kAboutBytes);
  return dump_json(json);
}

std::string folder_json(const OverviewFolder& each) {
  Json json = {{"path", graph::package_path(each.size.path)},
               {"files", each.size.files},
               {"lines", each.size.lines}};
  if (!each.about.empty()) json["about"] = each.about;
  if (!each.names.empty()) json["names"] = each.names;
  return dump_json(json);
}

std::string program_json(const OverviewProgram& each) {
  Json json = {{"command", each.program.name}};
  if (!each.program.runs.empty()) json["runs"] = each.program.runs;
  json["file"]["path"] = each.path;
  return dump_json(json);
}

std::string start_json(const graph::ProgramStart& each) {
  return dump_json({{"file", {{"path", each.path}}}, {"line", each.line}});
}

std::string names_json(const std::vector<std::string>& names) { return dump_json(Json(names)); }

std::string api_json(const graph::PublicNames& each) {
  Json json = {{"path", each.path}};
  const std::size_t shown = std::min(each.names.size(), kMostApiNames);
  json["names"] = std::vector<std::string>(each.names.begin(),
                                           each.names.begin() + static_cast<std::ptrdiff_t>(shown));
  if (shown < each.names.size()) json["more"] = each.names.size() - shown;
  return dump_json(json);
}

std::string inversion_json(const graph::Inversion& each) {
  Json json = {{"from", each.from}, {"to", each.to}, {"imports", each.imports}};
  if (each.others > 0) json["otherWay"] = each.others;
  json["file"]["path"] = each.path;
  json["line"] = each.line;
  return dump_json(json);
}

std::string central_json(const graph::CentralFile& each) {
  return dump_json({{"path", each.path}, {"importers", each.importers}});
}

std::string hot_json(const HotFile& each) {
  return dump_json({{"path", each.path}, {"commits", each.commits}});
}

std::string tests_json(const OverviewTests& each) {
  return dump_json({{"folder", each.folder}, {"files", each.files}});
}

std::string command_json(const OverviewCommand& each) {
  Json json = {{"command", each.command.name}};
  if (!each.command.runs.empty()) json["runs"] = each.command.runs;
  return dump_json(json);
}

std::string quoted(const std::string& text) { return json_quote(text); }

// Cuts the lists of an answer to a size: each has a share, and what some do not need goes to the
// others, in the order of the lists.
class Shares {
 public:
  Shares(RepositoryOverviewAnswer& answer, std::size_t bytes) : answer_(answer), bytes_(bytes) {}

  template <typename Items, typename Write>
  void add(const char* name, Items& items, Write write, std::size_t percent) {
    List list{.name = name, .percent = percent};
    for (const auto& item : items) list.sizes.push_back(write(item).size() + 1);
    list.cut = [&items](std::size_t kept) {
      items.erase(items.begin() + static_cast<std::ptrdiff_t>(kept), items.end());
    };
    lists_.push_back(std::move(list));
  }

  void cut() {
    std::size_t left = bytes_;
    const auto keep = [&](List& list, std::size_t room) {
      while (list.kept < list.sizes.size() && list.sizes[list.kept] <= std::min(room, left)) {
        room -= list.sizes[list.kept];
        left -= list.sizes[list.kept];
        ++list.kept;
      }
    };
    for (List& list : lists_) keep(list, bytes_ * list.percent / 100);
    for (List& list : lists_) keep(list, left);
    for (const List& list : lists_) {
      if (list.kept == list.sizes.size()) continue;
      list.cut(list.kept);
      count(list.name, list.sizes.size() - list.kept);
    }
  }

 private:
  struct List {
    const char* name = nullptr;
    std::size_t percent = 0;
    std::vector<std::size_t> sizes = {};
    std::size_t kept = 0;
    std::function<void(std::size_t)> cut = {};
  };

  void count(const char* name, std::size_t omitted) {
    for (auto& [list, number] : answer_.omitted) {
      if (list == name) {
        number += omitted;
        return;
      }
    }
    answer_.omitted.emplace_back(name, omitted);
  }

  RepositoryOverviewAnswer& answer_;
  std::size_t bytes_;
  std::vector<List> lists_;
};

// What stands beside the lists, and their names, take this much.
constexpr std::size_t kFrameBytes = 900;

}  // namespace

void cut_overview(RepositoryOverviewAnswer& answer, std::size_t max_bytes) {
  if (max_bytes < kMinAnswerTokens * kBytesPerToken * 2) {
    answer.summary = first_sentence(answer.summary, kAboutBytes);
  }
  for (graph::PublicNames& names : answer.api) {
    const std::size_t most = std::max<std::size_t>(max_bytes / 500, 3);
    if (names.names.size() > most) {
      answer.omitted.emplace_back("names of " + names.path, names.names.size() - most);
      names.names.resize(most);
    }
  }
  const std::size_t frame = kFrameBytes + answer.summary.size();
  Shares shares(answer, max_bytes > 2 * frame ? max_bytes - frame : max_bytes / 3);
  shares.add("folders", answer.folders, folder_json, 28);
  shares.add("languages", answer.map.languages, language_json, 5);
  shares.add("packages", answer.packages, package_json, 10);
  shares.add("programs", answer.programs, program_json, 4);
  shares.add("starts", answer.starts, start_json, 4);
  shares.add("api", answer.api, api_json, 10);
  shares.add("layers", answer.map.layers, names_json, 9);
  shares.add("inversions", answer.map.inversions, inversion_json, 6);
  shares.add("cycles", answer.map.cycles, names_json, 4);
  shares.add("central", answer.map.central, central_json, 5);
  shares.add("hot", answer.hot, hot_json, 5);
  shares.add("tests", answer.tests, tests_json, 3);
  shares.add("runTests", answer.run_tests, quoted, 2);
  shares.add("commands", answer.commands, command_json, 8);
  shares.add("notSeen", answer.not_seen, quoted, 5);
  shares.cut();
  std::ranges::stable_sort(answer.folders, {},
                           [](const OverviewFolder& each) { return each.size.path; });
}

Written RepositoryOverviewAnswer::to_json() const {
  Json rest = Json::object();
  rest["files"] = files;
  rest["lines"] = lines;
  if (commits > 0) rest["commits"] = commits;
  for (const auto& [list, count] : omitted) rest["omitted"][list] = count;
  std::string text = "{";
  if (!summary.empty()) text += fmt::format(R"("summary":{},)", json_quote(summary));
  const auto add = [&](std::string_view name, const auto& items, auto write) {
    if (items.empty()) return;
    std::vector<std::string> texts;
    for (const auto& item : items) texts.push_back(write(item));
    text += fmt::format(R"("{}":[{}],)", name, join(texts, ","));
  };
  add("languages", map.languages, language_json);
  add("packages", packages, package_json);
  add("folders", folders, folder_json);
  add("programs", programs, program_json);
  add("starts", starts, start_json);
  add("api", api, api_json);
  add("layers", map.layers, names_json);
  add("inversions", map.inversions, inversion_json);
  add("cycles", map.cycles, names_json);
  add("central", map.central, central_json);
  add("hot", hot, hot_json);
  add("tests", tests, tests_json);
  add("runTests", run_tests, quoted);
  add("commands", commands, command_json);
  add("notSeen", not_seen, quoted);
  return object_json(text + dump_json(rest).substr(1));
}

}  // namespace codexmem::ask
