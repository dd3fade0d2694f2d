// Prints each budget of the product beside what it is measured against.
//
// Works on a copy of the repository, in a folder of its own that it removes at the end. Whole
// processes are measured, as a user starts them; what is compared is run in turns, and medians are
// compared. Nothing here is an assertion: it exits 0 whatever the figures are.
#include <fmt/core.h>
#include <stdlib.h>
#include <sys/utsname.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "bare_parse.h"
#include "text/json.h"
#include "text/words.h"
#include "child.h"
#include "store/code/workspace.h"

namespace {
namespace fs = std::filesystem;
using namespace codexmem;
using namespace codexmem::bench;

struct Options {
  std::string codexmem;
  fs::path repository;
  std::size_t rounds = 3;   // of full indexes
  std::size_t calls = 200;  // of each tool
  bool smoke = false;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0.0 : values[values.size() / 2];
}

double quantile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  if (values.empty()) return 0.0;
  const auto at = static_cast<std::size_t>(part * static_cast<double>(values.size()));
  return values[std::min(at, values.size() - 1)];
}

std::string spread(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return fmt::format("{:.3f}-{:.3f} s", *low, *high);
}

void row(const std::string& what, const std::string& measured, const std::string& beside,
         const std::string& must, const std::string& aim) {
  fmt::print("{:<36}{:<14}{:<48}{:<12}{}\n", what, measured, beside, must, aim);
  std::fflush(stdout);
}

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// The repository that is measured: a copy of the one given.
struct Corpus {
  fs::path root;
  std::vector<SourceFile> sources;  // those with a grammar
  std::vector<std::string> paths;   // the same, relative
  std::vector<std::string> symbols;
  std::vector<std::string> queries;  // a few words each
  std::int64_t source_bytes = 0, lines = 0, files = 0;
};

[[noreturn]] void give_up(const std::string& why) {
  fmt::print(stderr, "codexmem_bench: {}\n", why);
  std::exit(2);
}

template <typename T>
T get(Result<T> result) {
  if (!result.ok()) give_up(result.error().message());
  return std::move(result).value();
}

// Reads what is measured, and what is asked, from the index.
void read_index(Corpus& corpus, const Options& options) {
  const auto workspace = get(store::Workspace::open_existing(corpus.root));
  auto reader = get(workspace->reader());
  const store::StoreCounts counts = get(reader->counts());
  corpus.source_bytes = counts.source_bytes;
  corpus.lines = counts.lines;
  corpus.files = counts.files;
  std::mt19937 random(1);
  std::vector<store::SymbolRow> documented;
  for (const store::FileRow& file : get(reader->list_files())) {
    if (!has_grammar(file.language)) continue;
    corpus.sources.push_back({corpus.root / file.path, file.language, file.size});
    corpus.paths.push_back(file.path);
  }
  if (corpus.paths.empty()) give_up("the repository has no source that is parsed");
  for (std::size_t tries = 0; corpus.symbols.size() < options.calls && tries < options.calls * 20;
       ++tries) {
    const std::string& path = corpus.paths[random() % corpus.paths.size()];
    const auto file = get(reader->find_file(path));
    if (!file) continue;
    const auto symbols = get(reader->list_symbols(file->id));
    if (symbols.empty()) continue;
    const store::SymbolRow& symbol = symbols[random() % symbols.size()];
    if (symbol.name.empty() || symbol.name.size() > 100) continue;
    corpus.symbols.push_back(symbol.name);
    // A question is the start of a doc comment, or the words of a name and of what holds it.
    std::string words;
    WordReader reader_of_words(symbol.docstring.size() > 20 ? symbol.docstring
                                                            : symbol.name + " " + symbol.container);
    Word word;
    for (int count = 0; count < 6 && reader_of_words.next(&word); ++count) {
      words += (words.empty() ? "" : " ") + std::string(word.text);
    }
    if (!words.empty()) corpus.queries.push_back(words);
  }
  if (corpus.symbols.empty()) give_up("the repository has no symbols");
}

void measure_indexing(const Corpus& corpus, const Options& options) {
  const std::string root = corpus.root.string();
  std::vector<double> bare, full, ratios;
  std::int64_t peak_kib = 0;
  for (std::size_t round = 0; round < options.rounds; ++round) {
    bare.push_back(bare_parse(corpus.sources, 2));
    fs::remove_all(corpus.root / ".codexmem");
    const RunResult run = run_child({options.codexmem, "index", "--quiet"}, root);
    if (run.exit_code != 0) give_up("codexmem index failed");
    full.push_back(run.seconds);
    ratios.push_back(full.back() / bare.back());
    peak_kib = std::max(peak_kib, run.peak_kib);
  }
  row("full index, with embeddings", fmt::format("{:.2f} x", median(ratios)),
      fmt::format("{:.2f} s beside {:.2f} s of bare parsing", median(full), median(bare)), "2.0 x",
      "1.3 x");
  row("", "", fmt::format("spread {} and {}", spread(full), spread(bare)), "", "");
  row("peak memory while indexing", fmt::format("{} MB", peak_kib / 1024),
      fmt::format("{:.1f} MB of sources", static_cast<double>(corpus.source_bytes) / 1e6), "500 MB",
      "250 MB");

  std::int64_t stored = 0;
  {
    const auto workspace = get(store::Workspace::open_existing(corpus.root));
    get(get(workspace->writer())->find_integer("PRAGMA wal_checkpoint(TRUNCATE)"));
  }
  for (const auto& entry : fs::directory_iterator(corpus.root / ".codexmem")) {
    if (entry.is_regular_file()) stored += static_cast<std::int64_t>(entry.file_size());
  }
  row("stored",
      fmt::format("{:.2f} x",
                  static_cast<double>(stored) / static_cast<double>(corpus.source_bytes)),
      fmt::format("{:.1f} MB stored", static_cast<double>(stored) / 1e6), "2.75 x", "2.0 x");
}

void measure_refresh(const Corpus& corpus, const Options& options) {
  const std::string root = corpus.root.string();
  const std::size_t rounds = options.smoke ? 2 : 9;
  std::vector<double> status, unchanged, changed;
  run_child({"git", "status", "--short"}, root);
  run_child({options.codexmem, "index", "--quiet"}, root);
  for (std::size_t round = 0; round < rounds; ++round) {
    status.push_back(run_child({"git", "status", "--short"}, root).seconds);
    unchanged.push_back(run_child({options.codexmem, "index", "--quiet"}, root).seconds);
  }
  row("nothing changed", fmt::format("{:.2f} x", median(unchanged) / median(status)),
      fmt::format("{:.0f} ms beside {:.0f} ms of git status", median(unchanged) * 1e3,
                  median(status) * 1e3),
      "3 x", "1.5 x");
  std::mt19937 random(2);
  for (std::size_t round = 0; round < rounds; ++round) {
    const SourceFile& file = corpus.sources[random() % corpus.sources.size()];
    std::ofstream(file.path, std::ios::app) << "\n";
    changed.push_back(run_child({options.codexmem, "index", "--quiet"}, root).seconds);
  }
  row("one file changed", fmt::format("{:.0f} ms", median(changed) * 1e3),
      fmt::format("{} files; spread {}", corpus.files, spread(changed)), "250 ms", "50 ms");
}

void measure_server(const Corpus& corpus, const Options& options) {
  const std::string root = corpus.root.string();
  const std::vector<std::string> words = {options.codexmem, "serve", root};
  std::vector<double> starts;
  for (std::size_t round = 0; round < (options.smoke ? 1U : 5U); ++round) {
    std::unique_ptr<McpChild> server;
    starts.push_back(seconds_of([&] {
      server = std::make_unique<McpChild>(words, root);
      server->initialize();
      server->call("find_symbol", dump_json(Json{{"symbol", corpus.symbols.front()}}));
    }));
  }
  row("server start to first answer", fmt::format("{:.0f} ms", median(starts) * 1e3),
      "initialize, then find_symbol", "500 ms", "100 ms");

  struct Tool {
    const char* name;
    const char* must;
    const char* aim;
    std::function<Json(std::size_t)> arguments;
  };
  const auto symbol = [&](std::size_t at) { return corpus.symbols[at % corpus.symbols.size()]; };
  const auto path = [&](std::size_t at) { return corpus.paths[(at * 7919) % corpus.paths.size()]; };
  const std::vector<Tool> tools = {
      {"find_symbol", "200 ms", "5 ms",
       [&](std::size_t i) {
         return Json{{"symbol", symbol(i)}};
       }},
      {"search_code", "500 ms", "10 ms",
       [&](std::size_t i) {
         return Json{{"query", corpus.queries[i % corpus.queries.size()]}};
       }},
      {"get_references", "300 ms", "20 ms",
       [&](std::size_t i) {
         return Json{{"symbol", symbol(i)}};
       }},
      {"analyze_dependencies", "200 ms", "5 ms",
       [&](std::size_t i) {
         return Json{{"file_path", path(i)}};
       }},
      {"get_context", "300 ms", "15 ms",
       [&](std::size_t i) {
         return Json{{"file_path", path(i)}};
       }},
  };
  McpChild server(words, root);
  server.initialize();
  for (const Tool& tool : tools) {
    std::vector<double> times;
    std::size_t failed = 0;
    for (std::size_t at = 0; at < options.calls; ++at) {
      std::string answer;
      times.push_back(
          seconds_of([&] { answer = server.call(tool.name, dump_json(tool.arguments(at))); }));
      if (answer.find("\"isError\":true") != std::string::npos) ++failed;
    }
    row(fmt::format("{} over MCP, p90", tool.name),
        fmt::format("{:.1f} ms", quantile(times, 0.9) * 1e3),
        fmt::format("p50 {:.1f}, p99 {:.1f}, first {:.1f} ms{}", median(times) * 1e3,
                    quantile(times, 0.99) * 1e3, times.front() * 1e3,
                    failed > 0 ? fmt::format("; {} of {} failed", failed, times.size()) : ""),
        tool.must, tool.aim);
  }

  // Two of each tool at once; the last answer ends the batch.
  std::vector<double> batches;
  for (std::size_t round = 0; round * 10 < options.calls; ++round) {
    std::vector<std::pair<std::string, std::string>> calls;
    for (std::size_t at = 0; at < 10; ++at) {
      const Tool& tool = tools[at % tools.size()];
      calls.emplace_back(tool.name, dump_json(tool.arguments(round * 10 + at)));
    }
    batches.push_back(seconds_of([&] { server.call_all(calls); }));
  }
  row("10 calls at once, p90 of the last", fmt::format("{:.1f} ms", quantile(batches, 0.9) * 1e3),
      fmt::format("p50 {:.1f} ms of {} batches", median(batches) * 1e3, batches.size()), "-", "");
}

// A small repository of sources that import each other.
void generate(const fs::path& root) {
  fs::create_directories(root / "src");
  for (int at = 0; at < 40; ++at) {
    std::ofstream(root / "src" / fmt::format("part{}.ts", at))
        << (at > 0 ? fmt::format("import {{ compute{} }} from \"./part{}\";\n", at - 1, at - 1)
                   : "")
        << fmt::format(
               "/** Adds the numbers of part {0}. */\nexport function compute{0}(a: number) "
               "{{\n  return a + {1};\n}}\n",
               at, at > 0 ? fmt::format("compute{}(a)", at - 1) : "1");
    std::ofstream(root / "src" / fmt::format("tool{}.py", at)) << fmt::format(
        "def run_tool_{0}(path):\n    \"\"\"Runs tool {0} on a path.\"\"\"\n    return "
        "path\n",
        at);
  }
  run_child({"git", "init", "--quiet"}, root.string());
}

// Makes a git repository of a bare tree, so that there is a `git status` to compare with.
void track_all(const fs::path& root) {
  run_child({"git", "init", "--quiet"}, root.string());
  run_child({"git", "add", "--all"}, root.string());
  run_child({"git", "-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit",
             "--quiet", "--message=all"},
            root.string());
}

std::string first_line_of(const char* path, const std::string& key) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(key)) return line.substr(std::min(line.find(':') + 2, line.size()));
  }
  return "unknown";
}

void usage() {
  fmt::print(
      "usage: codexmem_bench [--codexmem PATH] [--rounds N] [--calls N] REPOSITORY\n"
      "       codexmem_bench [--codexmem PATH] --smoke\n"
      "\nMeasures a copy of REPOSITORY; --smoke measures a small one that it makes, once.\n");
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  options.codexmem = (fs::canonical(argv[0]).parent_path() / "codexmem").string();
  for (int at = 1; at < argc; ++at) {
    const std::string word = argv[at];
    const auto value = [&]() -> std::string { return at + 1 < argc ? argv[++at] : ""; };
    if (word == "--codexmem") {
      options.codexmem = fs::absolute(value()).string();
    } else if (word == "--rounds") {
      options.rounds = std::max<std::size_t>(1, std::strtoul(value().c_str(), nullptr, 10));
    } else if (word == "--calls") {
      options.calls = std::max<std::size_t>(1, std::strtoul(value().c_str(), nullptr, 10));
    } else if (word == "--smoke") {
      options.smoke = true;
    } else if (word.starts_with("-") || !options.repository.empty()) {
      usage();
      return word == "--help" || word == "-h" ? 0 : 2;
    } else {
      options.repository = word;
    }
  }
  if (options.repository.empty() != options.smoke) {
    usage();
    return 2;
  }
  std::string folder = (fs::temp_directory_path() / "codexmem-bench-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) give_up("no temporary folder");
  struct Remover {
    fs::path path;
    ~Remover() {
      std::error_code ignored;
      fs::remove_all(path, ignored);
    }
  } const remover{folder};
  Corpus corpus;
  corpus.root = fs::canonical(folder) / "repository";
  std::string commit = "generated";
  if (options.smoke) {
    options.rounds = 1;
    options.calls = 10;
    generate(corpus.root);
  } else {
    const fs::path from = fs::canonical(options.repository);
    fs::create_directories(corpus.root);
    run_child({"cp", "-a", from.string() + "/.", corpus.root.string()}, "/");
    fs::remove_all(corpus.root / ".codexmem");
    if (!fs::exists(corpus.root / ".git")) track_all(corpus.root);
    commit = from.filename().string();
  }
  if (run_child({options.codexmem, "index", "--quiet"}, corpus.root.string()).exit_code != 0) {
    give_up("codexmem index failed");
  }
  read_index(corpus, options);
  utsname machine{};
  ::uname(&machine);
  fmt::print("machine     {}, {} cores, {} {}\n", first_line_of("/proc/cpuinfo", "model name"),
             std::thread::hardware_concurrency(), machine.sysname, machine.release);
  fmt::print("corpus      {}: {} files, {} lines, {:.1f} MB; {} of them parsed\n", commit,
             corpus.files, corpus.lines, static_cast<double>(corpus.source_bytes) / 1e6,
             corpus.sources.size());
  fmt::print("runs        {} full indexes, {} calls of each tool\n\n", options.rounds,
             options.calls);
  row("what", "measured", "beside", "must", "aim");
  measure_indexing(corpus, options);
  measure_refresh(corpus, options);
  measure_server(corpus, options);
  return 0;
}
