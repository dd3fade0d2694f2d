// Tested by git/overview_test.py.
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/render/render.h"
#include "ask/code/repository_overview.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "text/counted.h"

namespace codexmem::app {
namespace {

// Writes the parts of an overview below each other.
class OverviewPage {
 public:
  OverviewPage(const ask::RepositoryOverviewAnswer& answer, const Console& console)
      : answer_(answer), console_(console) {}

  std::string write() {
    if (!answer_.summary.empty()) text_ += console_.in_lines(safe(answer_.summary)) + "\n";
    write_languages();
    write_packages();
    write_folders();
    write_entries();
    write_layers();
    write_files();
    write_tests();
    write_commands();
    if (!answer_.not_seen.empty()) heading("not seen");
    for (const std::string& what : answer_.not_seen) line(safe(what));
    left_out("notSeen");
    return std::move(text_);
  }

 private:
  static std::string safe(const std::string& text) { return terminal_line(text); }
  std::string path(const std::string& path) const {
    return console_.painted(Paint::kPath, safe(path));
  }
  std::string dim(const std::string& text) const { return console_.painted(Paint::kDim, text); }

  // As wide for one as for many.
  static std::string_view files_word(std::size_t files) { return files == 1 ? "file " : "files"; }

  void heading(std::string_view words) {
    text_ += (text_.empty() ? "" : "\n") + console_.painted(Paint::kBold, words) + "\n";
  }
  void line(const std::string& text) { text_ += "  " + text + "\n"; }

  // `name`, then `said` as far as the line has room.
  void entry(const std::string& name, const std::string& said, std::size_t width) {
    const std::size_t pad = width > name.size() ? width - name.size() : 0;
    text_ += "  " + path(name);
    if (!said.empty()) {
      text_ += std::string(pad + 2, ' ') +
               dim(console_.cut_to_line(safe(said), std::max(width, name.size()) + 4));
    }
    text_ += "\n";
  }

  void left_out(std::string_view list) {
    for (const auto& [name, count] : answer_.omitted) {
      if (name == list) line(dim(fmt::format("and {} more", count)));
    }
  }

  void write_languages() {
    heading(fmt::format("{} files, {} lines of code",
                        with_thousands(static_cast<long long>(answer_.files)),
                        with_thousands(static_cast<long long>(answer_.lines))));
    for (const graph::LanguageSize& each : answer_.map.languages) {
      line(fmt::format("{:<12} {:>7} {} {:>10} lines", each.language,
                       with_thousands(static_cast<long long>(each.files)), files_word(each.files),
                       with_thousands(static_cast<long long>(each.lines))));
    }
    left_out("languages");
  }

  void write_packages() {
    if (answer_.packages.empty()) return;
    heading("packages");
    for (const ask::OverviewPackage& each : answer_.packages) {
      entry(each.folder,
            fmt::format("{} ({}){}", each.name, each.kind,
                        each.about.empty() ? "" : ": " + each.about),
            20);
    }
    left_out("packages");
  }

  void write_folders() {
    if (answer_.folders.empty()) return;
    heading("folders");
    std::size_t width = 0;
    for (const ask::OverviewFolder& each : answer_.folders) {
      width = std::max(width, std::min<std::size_t>(each.size.path.size(), 36));
    }
    for (const ask::OverviewFolder& each : answer_.folders) {
      std::string said =
          fmt::format("{:>7} lines", with_thousands(static_cast<long long>(each.size.lines)));
      if (!each.about.empty()) said += "  " + each.about;
      if (each.about.empty() && !each.names.empty()) {
        said += fmt::format("  has {}", join(each.names, ", "));
      }
      entry(each.size.path.empty() ? "." : each.size.path, said, width);
    }
    left_out("folders");
  }

  void write_entries() {
    if (!answer_.programs.empty() || !answer_.starts.empty()) heading("programs begin in");
    for (const ask::OverviewProgram& each : answer_.programs) {
      line(safe(each.program.name) +
           dim(fmt::format("  {} ({})", safe(each.program.runs), safe(each.path))));
    }
    left_out("programs");
    for (const graph::ProgramStart& each : answer_.starts) {
      line(fmt::format("{}:{}", path(each.path), each.line));
    }
    left_out("starts");
    if (!answer_.routes.empty()) heading("routes");
    for (const ask::OverviewRoutes& each : answer_.routes) {
      line(fmt::format("{:>4}  {}  {}", each.count, path(each.path), dim(safe(each.framework))));
    }
    left_out("routes");
    for (const graph::Route& each : answer_.route_list) {
      line(fmt::format(
          "{} {}  {}", safe(each.method), path(each.path),
          safe(each.handler + fmt::format("  {}:{}  {}", each.file, each.line, each.doubt))));
    }
    left_out("routeList");
    if (!answer_.routes.empty() && answer_.route_list.empty()) {
      line(dim(console_.is_model() ? "routes \"/\" lists them, routes \"/api\" those below it"
                                   : "codexmem routes lists them"));
    }
    if (!answer_.entry_points.empty()) heading("commands and tasks");
    for (const ask::OverviewEntryPoints& each : answer_.entry_points) {
      line(fmt::format("{:>4}  {} of {}  {}", each.count, each.kind, safe(each.framework),
                       path(each.path.empty() ? "." : each.path)));
      const std::string more = each.count > each.names.size() ? ", ..." : "";
      text_ += console_.in_lines("      " + safe(join(each.names, ", ") + more)) + "\n";
    }
    left_out("entryPoints");
    if (!answer_.api.empty()) heading("offers");
    for (const graph::PublicNames& each : answer_.api) {
      line(path(each.path));
      text_ += console_.in_lines("    " + safe(join(each.names, ", "))) + "\n";
      left_out("names of " + each.path);
    }
    left_out("api");
  }

  void write_layers() {
    if (!answer_.map.layers.empty()) {
      heading("layers by imports, each above what it imports");
      for (std::size_t i = 0; i < answer_.map.layers.size(); ++i) {
        std::vector<std::string> names;
        for (const std::string& each : answer_.map.layers[i]) names.push_back(path(each));
        line(fmt::format("{:>2}  {}", i + 1, join(names, "  ")));
      }
      left_out("layers");
    }
    if (!answer_.map.cycles.empty()) {
      heading("cycles of imports");
      for (const auto& cycle : answer_.map.cycles) line(safe(join(cycle, ", ")));
      left_out("cycles");
    }
    if (!answer_.map.inversions.empty()) {
      heading("imports against the layers");
      for (const graph::Inversion& each : answer_.map.inversions) {
        const std::string from = each.from == each.path ? "" : safe(each.from) + " ";
        line(fmt::format("{}:{}  {}imports {}{}", path(each.path), each.line, from, safe(each.to),
                         dim(fmt::format("  {} of {}", each.imports, each.imports + each.others))));
      }
      left_out("inversions");
    }
  }

  void write_files() {
    if (!answer_.map.central.empty()) heading("imported by most files");
    for (const graph::CentralFile& each : answer_.map.central) {
      line(fmt::format("{:>4}  {}", each.importers, path(each.path)));
    }
    left_out("central");
    if (!answer_.hot.empty()) {
      heading(fmt::format("changed in most of the last {} commits", answer_.commits));
    }
    for (const ask::HotFile& each : answer_.hot) {
      line(fmt::format("{:>4}  {}", each.commits, path(each.path)));
    }
    left_out("hot");
  }

  void write_tests() {
    if (answer_.tests.empty()) return;
    heading("tests");
    for (const ask::OverviewTests& each : answer_.tests) {
      line(fmt::format("{:>4} {}  {}", each.files, files_word(each.files), path(each.folder)));
    }
    left_out("tests");
    for (const std::string& command : answer_.run_tests) line("run one: " + safe(command));
    left_out("runTests");
  }

  void write_commands() {
    if (answer_.commands.empty()) return;
    heading("commands");
    std::size_t width = 0;
    for (const ask::OverviewCommand& each : answer_.commands) {
      width = std::max(width, std::min<std::size_t>(each.command.name.size(), 36));
    }
    for (const ask::OverviewCommand& each : answer_.commands) {
      entry(each.command.name, each.command.runs, width);
    }
    left_out("commands");
  }

  const ask::RepositoryOverviewAnswer& answer_;
  const Console& console_;
  std::string text_;
};

}  // namespace

Rendered render_overview(const ask::Answer& given, const Console& console) {
  const auto& answer = static_cast<const ask::RepositoryOverviewAnswer&>(given);
  return {.text = OverviewPage(answer, console).write(), .found = answer.files > 0};
}

}  // namespace codexmem::app
