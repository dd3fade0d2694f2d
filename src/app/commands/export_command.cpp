// codexmem export: what the index knows, in the files of other programs.
//
// Tested by git/export_test.py.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>

#include "app/command.h"
#include "app/question.h"
#include "app/signals.h"
#include "base/file.h"
#include "base/stop_scope.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "config/project.h"
#include "exchange/ctags.h"
#include "exchange/drawing.h"
#include "exchange/scip_export.h"
#include "serve/embedding_provider.h"
#include "serve/memory_setup.h"
#include "serve/repository.h"
#include "text/counted.h"

namespace codexmem::app {
namespace fs = std::filesystem;

namespace {

// Writes to standard output as it is, without the filter for terminals.
Result<void> write_out(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) {
      return Error{ErrorCode::kIo, fmt::format("standard output: {}", std::strerror(errno))};
    }
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return {};
}

class ExportFilesCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("--scip", scip_, "Write a SCIP index, for code browsers; - is standard output")
        .are_files();
    arguments.text("--ctags", tags_, "Write a tags file as universal-ctags does").are_files();
    arguments.text("--format", format_, "Of --ctags: tags (default), or json: a line a tag")
        .are({"tags", "json"});
    arguments.text("--dot", dot_, "Write a graph for Graphviz").are_files();
    arguments.text("--graphml", graphml_, "Write a graph as GraphML").are_files();
    arguments.text("--of", of_, "Edges of the graph: deps (imports, default) or calls")
        .are({"deps", "calls"});
    arguments.text("--by", by_, "Nodes of the graph: file (default), folder, or symbol for calls")
        .are({"file", "folder", "symbol"});
    arguments.text("--repo", directory_, "Export the repository around this folder").are_folders();
    arguments.flag("--no-refresh", no_refresh_, "Use the index as it is");
    arguments.flag("-q,--quiet", quiet_, "Print nothing but errors");
  }

  ExitCode run(Console& console) override {
    const auto done = write_all(console);
    if (!done.ok()) return fail(console, done.error());
    return ExitCode::kFound;
  }

 private:
  Result<void> write_all(Console& console) {
    CODEXMEM_TRY(check_options());
    const fs::path start = serve::start_directory(directory_);
    const StopOnSignal stop;
    const auto provider = serve::choose_provider(serve::load_settings(start).reader());
    CODEXMEM_ASSIGN(const auto workspace,
                    open_fresh_index(no_refresh_, provider, start, stop.token(), console));
    root_ = workspace->root();
    CODEXMEM_ASSIGN(auto reader, workspace->reader());
    CODEXMEM_ASSIGN(const auto moment, reader->begin_read());
    const StopScope scope(stop.token());
    graph::FactsCache cache;
    if (!scip_.empty()) CODEXMEM_TRY(write_scip(cache, *reader, console));
    if (!tags_.empty()) CODEXMEM_TRY(write_tags(*reader, console));
    if (!dot_.empty() || !graphml_.empty()) CODEXMEM_TRY(write_graphs(cache, *reader, console));
    return {};
  }

  Result<void> check_options() const {
    std::size_t to_output = 0;
    for (const std::string* file : {&scip_, &tags_, &dot_, &graphml_}) {
      if (*file == "-") ++to_output;
    }
    if (scip_.empty() && tags_.empty() && dot_.empty() && graphml_.empty()) {
      return invalid_argument("export needs --scip, --ctags, --dot or --graphml, with a file");
    }
    if (to_output > 1) return invalid_argument("only one file can be standard output");
    if (scip_ == "-" && ::isatty(STDOUT_FILENO) == 1) {
      return invalid_argument("a SCIP index is not text: name a file, or send it to one");
    }
    const auto is_one_of = [](const std::string& word, std::initializer_list<const char*> words) {
      return std::ranges::find(words, word) != words.end();
    };
    if (!is_one_of(format_, {"tags", "json"})) {
      return invalid_argument(fmt::format("--format is tags or json, not \"{}\"", format_));
    }
    if (!is_one_of(of_, {"deps", "calls"})) {
      return invalid_argument(fmt::format("--of is deps or calls, not \"{}\"", of_));
    }
    if (!is_one_of(by_, {"file", "folder", "symbol"})) {
      return invalid_argument(fmt::format("--by is file, folder or symbol, not \"{}\"", by_));
    }
    return {};
  }

  // Has `write` write the file `path`, which is replaced once all is written. Text on standard
  // output passes the filter for terminals.
  template <typename Write>
  Result<void> into(const std::string& path, Console& console, Write write) {
    if (path == "-") {
      if (&path == &scip_) return write(exchange::Output(write_out));
      const bool is_json = &path == &tags_ && format_ == "json";
      return write([&](std::string_view text) -> Result<void> {
        console.print(is_json ? terminal_json(text) : std::string(text));
        if (console.ok()) return {};
        return Error{ErrorCode::kIo, "standard output cannot be written"};
      });
    }
    constexpr unsigned kForAll = 0666;
    CODEXMEM_ASSIGN(auto file, FileReplacement::begin(fs::current_path() / path, kForAll));
    CODEXMEM_TRY(write([&](std::string_view bytes) { return file.write(bytes); }));
    return file.commit();
  }

  void say(const std::string& path, const std::string& what, Console& console) const {
    if (!quiet_) console.note(fmt::format("{}: {}", path == "-" ? "standard output" : path, what));
  }

  Result<void> write_scip(graph::FactsCache& cache, store::CodeReader& reader, Console& console) {
    const ProjectPlace place = find_project_place(root_);
    // (A clone of a folder has a path as its remote, which says nothing elsewhere.)
    const bool has_address = !place.remote.empty() && place.remote.front() != '/';
    const exchange::ScipHead head{root_.string(), has_address ? place.remote : place.name,
                                  CODEXMEM_VERSION};
    exchange::ScipReport report;
    CODEXMEM_TRY(into(scip_, console, [&](const exchange::Output& output) -> Result<void> {
      CODEXMEM_ASSIGN(report, exchange::export_scip(cache, reader, head, output));
      return {};
    }));
    say(scip_,
        fmt::format("{} and {} in {}", counted(report.symbols, "symbol"),
                    counted(report.occurrences, "occurrence"),
                    counted(report.walked.files, "file")),
        console);
    say_uncertain(scip_, report.uncertain, "name", console);
    if (report.outside > 0) {
      say(scip_,
          fmt::format("left out: {} of other packages and of the language's library",
                      counted(report.outside, "name")),
          console);
    }
    if (report.walked.unread > 0) {
      say(scip_,
          fmt::format("left out: {} whose facts cannot be read; `codexmem index --force` makes "
                      "them again",
                      counted(report.walked.unread, "file")),
          console);
    }
    return {};
  }

  void say_uncertain(const std::string& path, std::size_t number, std::string_view noun,
                     Console& console) const {
    if (number == 0) return;
    say(path,
        fmt::format("left out: {} that may mean something of the repository, without certainty",
                    counted(number, noun)),
        console);
  }

  Result<void> write_tags(store::CodeReader& reader, Console& console) {
    exchange::TagHead head;
    head.version = CODEXMEM_VERSION;
    if (format_ == "json") {
      head.format = exchange::TagFormat::kJson;
    } else if (tags_ != "-" && !is_in_root(tags_)) {
      head.prefix = root_.string() + "/";  // an editor looks from the folder of the tags file
    }
    std::size_t count = 0;
    CODEXMEM_TRY(into(tags_, console, [&](const exchange::Output& output) -> Result<void> {
      CODEXMEM_ASSIGN(count, exchange::export_tags(reader, head, output));
      return {};
    }));
    say(tags_, counted(count, "tag"), console);
    return {};
  }

  bool is_in_root(const std::string& path) const {
    std::error_code failed;
    return fs::equivalent(fs::absolute(path, failed).parent_path(), root_, failed);
  }

  Result<void> write_graphs(graph::FactsCache& cache, store::CodeReader& reader, Console& console) {
    const auto of = of_ == "calls" ? exchange::EdgesOf::kCalls : exchange::EdgesOf::kImports;
    const auto nodes = by_ == "folder"   ? exchange::NodesAre::kFolders
                       : by_ == "symbol" ? exchange::NodesAre::kSymbols
                                         : exchange::NodesAre::kFiles;
    CODEXMEM_ASSIGN(const auto drawing, exchange::draw(cache, reader, of, nodes));
    const auto write = [&](const std::string& path, auto format) -> Result<void> {
      if (path.empty()) return {};
      CODEXMEM_TRY(into(path, console,
                        [&](const exchange::Output& output) { return format(drawing, output); }));
      say(path, counted(drawing.edges.size(), "edge"), console);
      say_uncertain(path, drawing.uncertain, "call", console);
      return {};
    };
    CODEXMEM_TRY(write(dot_, exchange::write_dot));
    return write(graphml_, exchange::write_graphml);
  }

  std::string scip_, tags_, dot_, graphml_, directory_;
  std::string format_ = "tags", of_ = "deps", by_ = "file";
  fs::path root_;
  bool no_refresh_ = false, quiet_ = false;
};

}  // namespace

std::unique_ptr<Command> make_export_command() { return std::make_unique<ExportFilesCommand>(); }

}  // namespace codexmem::app
