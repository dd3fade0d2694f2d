// Tested by app/render_test.cpp.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/render/columns.h"
#include "app/render/render.h"
#include "ask/code/analyze_dependencies.h"
#include "base/path.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "config/path_kind.h"
#include "text/counted.h"

namespace codexmem::app {
namespace {

// "  {a, b}\n" of a list of names behind `used` columns; on a terminal that has no room for them in
// the line, they are below it, four columns from `indent`.
std::string braced_names(const std::vector<std::string>& list, std::size_t indent, std::size_t used,
                         const Console& console) {
  if (list.empty()) return "\n";
  const std::string all = "{" + names_of(list) + "}";
  if (!console.is_terminal() || used + 2 + column_count(all) <= console.width()) {
    return "  " + all + "\n";
  }
  return "\n" + wrapped(all, indent + 4, console.width());
}

// Behind a file that imports what only its documentation uses.
constexpr char kOnlyNamed[] = "  only the import or documentation";

// An import, or who imports: "  src/a.ts  {name}".
std::string edge_line(const graph::DependencyItem& edge, bool outgoing, std::size_t indent,
                      const Console& console) {
  const bool external = outgoing && edge.is_external;
  const std::string package = edge.is_external ? terminal_line(edge.package) : "";
  std::string target = terminal_line(edge.path);
  if (external || target.empty()) {
    target = package.empty() ? terminal_line(edge.import_path) : package;
  }
  std::string line =
      std::string(indent, ' ') + console.painted(external ? Paint::kDim : Paint::kPath, target);
  if (external) line += console.painted(Paint::kDim, "  external");
  // (Who imports it through others imports names of those.)
  if (edge.is_unused) line += console.painted(Paint::kDim, kOnlyNamed);
  if (!outgoing && !edge.via.empty() && console.is_model()) return line + "\n";
  const std::size_t used = indent + column_count(target) + (external ? 10 : 0);
  return line + braced_names(edge.symbols, indent, used, console);
}

// Who imports the file, with tests apart from code.
struct Importers {
  std::vector<graph::DependencyItem> code, tests;
};

// The importers of a test are all code: there is nothing to set them apart from.
Importers divide(const ask::AnalyzeDependenciesAnswer& answer) {
  Importers out;
  const bool is_of_test = is_test_path(answer.path);
  for (const graph::DependencyItem& item : answer.dependents) {
    (!is_of_test && is_test_path(item.path) ? out.tests : out.code).push_back(item);
  }
  return out;
}

// Tests by folder, a line each.
std::string test_lines(const std::vector<graph::DependencyItem>& tests, const Console& console) {
  std::map<std::string_view, std::vector<std::string>> folders;
  for (const graph::DependencyItem& test : tests) {
    folders[folder_of(test.path)].push_back(terminal_line(file_name(test.path)));
  }
  std::string out;
  for (const auto& [folder, names] : folders) {
    out += "  " + console.painted(Paint::kPath, terminal_line(folder)) + ": " + join(names, ", ") +
           "\n";
  }
  return out;
}

// How many import the file, and how much was searched for them.
std::string sum_of(const ask::AnalyzeDependenciesAnswer& answer, const Importers& importers) {
  std::string sum =
      fmt::format("{}{} in up to {}; {} searched", counted(importers.code.size(), "importer"),
                  importers.tests.empty() ? "" : " and " + counted(importers.tests.size(), "test"),
                  counted(answer.depth, "step"), counted(answer.coverage.files_searched, "file"));
  if (!answer.coverage.may_hide_imports) return sum;
  const std::vector<std::string>& names = answer.coverage.unparsed;
  return sum +
         fmt::format(", {} not whole{}",
                     counted(names.empty() ? answer.coverage.files_unparsed : names.size(), "file"),
                     names.empty() ? "" : ": " + names_of(names));
}

}  // namespace

std::string edge_lines(const std::vector<graph::DependencyItem>& edges, bool outgoing,
                       const Console& console) {
  std::string out;
  std::vector<std::string> between;
  for (const graph::DependencyItem& edge : edges) {
    if (edge.via.empty()) {
      out += edge_line(edge, outgoing, 2, console);
    } else if (std::find(between.begin(), between.end(), edge.via) == between.end()) {
      between.push_back(edge.via);
    }
  }
  for (const std::string& via : between) {
    const auto between_at = std::ranges::find(edges, via, &graph::DependencyItem::path);
    const bool is_unused = between_at != edges.end() && between_at->is_unused;
    out += "  through " + console.painted(Paint::kPath, terminal_line(via)) +
           console.painted(Paint::kDim, is_unused ? kOnlyNamed : "") + "\n";
    for (const graph::DependencyItem& edge : edges) {
      if (edge.via == via) out += edge_line(edge, outgoing, 4, console);
    }
  }
  return out;
}

Rendered render_dependencies(const ask::Answer& given, const Console& console) {
  const auto& answer = static_cast<const ask::AnalyzeDependenciesAnswer&>(given);
  Rendered out;
  const auto list = [&](const std::vector<graph::DependencyItem>& edges, bool outgoing,
                        const char* heading) {
    if (edges.empty()) return;
    out.found = true;
    out.text += console.painted(Paint::kBold, heading) + "\n";
    out.text += edge_lines(edges, outgoing, console);
  };
  list(answer.dependencies, true, "imports");
  list(answer.resources, true, "uses");
  const Importers importers = divide(answer);
  list(importers.code, false, "imported by");
  if (!importers.tests.empty()) {
    out.found = true;
    out.text += console.painted(Paint::kBold, "imported by tests") + "\n" +
                test_lines(importers.tests, console);
  }
  if (!answer.cycles.empty()) {
    out.text += console.painted(Paint::kBold, "cycles") + "\n";
    for (const auto& cycle : answer.cycles) {
      std::vector<std::string> paths;
      for (const std::string& path : cycle) paths.push_back(terminal_line(path));
      if (!paths.empty()) paths.push_back(paths.front());
      out.text += console.in_lines("  " + join(paths, " -> ")) + "\n";
    }
  }
  if (const std::string missing = names_of(answer.unresolved); !missing.empty()) {
    out.text += fmt::format("{}\n{}\n", console.painted(Paint::kBold, "not found"),
                            console.in_lines("  " + missing));
  }
  out.text += more_to_come(answer.rest, console);
  ask::Omitted omitted;
  ask::add_omitted(omitted, "cycles", answer.cycles_omitted);
  ask::add_omitted(omitted, "not found", answer.unresolved_omitted);
  out.text += omitted_line(omitted, console);
  if (console.is_model() && answer.external_omitted > 0) {
    out.text += fmt::format("{} external: include_external shows them\n", answer.external_omitted);
  }
  out.text += remarks(answer.note, {}, console);
  if (!answer.dependents.empty() && answer.is_whole()) {
    out.text += console.painted(Paint::kDim, console.in_lines(sum_of(answer, importers))) + "\n";
  }
  return out;
}

}  // namespace codexmem::app
