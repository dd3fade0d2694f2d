// Runs over a changing tree equal one run over the tree as it is.
//
//     incremental_test [--steps N] [--seed N]... [--from N] [--locks] [--keep]
//
// Each step changes the tree at random (random_tree.h), sometimes makes a run partial, interrupted,
// killed or without vectors, and then brings the index up to date. Its dump must equal the dump of
// an index made from nothing, its vectors must belong to its texts, its references to some names
// must equal the clean index's, and SQLite and FTS5 must find no fault. A failure prints the seed,
// the step, the actions and the differing lines; the same seed repeats the same actions, except the
// moments at which runs are cancelled and files written in one moment. --from compares from that
// step on, --keep keeps the tree, --locks adds large files of high entropy, such as lock files, and
// changes and deletes them: with SQLite 3.40.1 they left wrong data in the full-text tables. ctest
// runs two seeds briefly, and one with such files.
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <set>
#include <thread>

#include "embed/static_model.h"
#include "graph/uses/references.h"
#include "index/packs/dump.h"
#include "index/discovery/embedded_text.h"
#include "index/discovery/file_reader.h"
#include "index/run/indexer.h"
#include "index/run/vector_update.h"
#include "random_tree.h"
#include "embed/vector_snapshot.h"
#include "store/code_vectors.h"

namespace codexmem::index {
namespace fs = std::filesystem;
using store::Workspace;

namespace {

struct Failure {
  std::string message;
};

template <typename T>
T must(Result<T> result, const char* what) {
  if (!result.ok()) throw Failure{fmt::format("{}: {}", what, result.error().message())};
  return *std::move(result);
}
void must(Result<void> result, const char* what) {
  if (!result.ok()) throw Failure{fmt::format("{}: {}", what, result.error().message())};
}

std::vector<std::string> dump_or_throw(Workspace& workspace) {
  auto reader = must(workspace.reader(), "reader");
  std::vector<std::string> lines;
  must(dump_index(*reader, [&](std::string_view line) { lines.emplace_back(line); }), "dump");
  return lines;
}

// The references to some names: to a fixed share of them, to save time.
std::vector<std::string> references(Workspace& workspace, graph::FactsCache& cache) {
  constexpr std::size_t kNames = 12;
  auto reader = must(workspace.reader(), "reader");
  const std::vector<std::string> names = must(reader->list_symbol_names(), "names");
  std::vector<std::string> lines;
  const std::size_t step = std::max<std::size_t>(1, names.size() / kNames);
  for (std::size_t i = 0; i < names.size(); i += step) {
    graph::ReferenceQuery query;
    query.symbol = names[i];
    query.min_confidence = graph::Confidence::kName;
    query.explain = true;
    const auto answer = must(graph::find_references(cache, *reader, query), "references");
    for (const graph::ReferenceItem& item : answer.items) {
      lines.push_back(fmt::format("{} {}:{}:{} {} {}", names[i], item.path, item.position.line,
                                  item.position.column, graph::confidence_name(item.confidence),
                                  fmt::join(item.chain, ", ")));
    }
  }
  return lines;
}

// What differs, at most 30 lines of each.
std::string difference(const std::vector<std::string>& incremental,
                       const std::vector<std::string>& clean) {
  const auto missing = [](const std::vector<std::string>& from, const std::vector<std::string>& in,
                          char mark) {
    const std::multiset<std::string> there(in.begin(), in.end());
    std::string out;
    int shown = 0;
    for (const std::string& line : from) {
      if (!there.contains(line) && ++shown <= 30) out += fmt::format("{} {:.400}\n", mark, line);
    }
    return shown > 30 ? out + fmt::format("{} and {} more\n", mark, shown - 30) : out;
  };
  return missing(incremental, clean, '+') + missing(clean, incremental, '-');
}

// The stored vectors belong to the stored texts.
void check_vectors(Workspace& workspace) {
  auto reader = must(workspace.reader(), "reader");
  const VectorState state = must(load_vector_state(*reader), "vector state");
  if (!state.is_stored) throw Failure{"there is no model"};
  for (const store::FileRow& file : must(reader->list_files(), "files")) {
    const auto texts = must(read_embedded_texts(*reader, file.id), "texts");
    const auto rows = must(make_vectors(*state.embedder, texts), "vectors");
    for (const store::VectorRow& row : rows) {
      const auto stored = must(reader->find_vector(state.id, row.id), "vector");
      if (stored != row.codes) {
        throw Failure{
            fmt::format("{}: vector {} is not of this text", file.path, store::ordinal_of(row.id))};
      }
    }
  }
}

void check_database(Workspace& workspace) {
  store::Database* writer = must(workspace.writer(), "writer");
  must(writer->execute("INSERT INTO chunk_terms (chunk_terms, rank) VALUES ('integrity-check', 1)"),
       "chunk_terms");
  auto reader = must(workspace.reader(), "reader");
  for (const char* pragma : {"PRAGMA foreign_key_check", "PRAGMA quick_check"}) {
    auto query = must(reader->database().statement(pragma), pragma);
    while (must(query.step(), pragma)) {
      if (query.text(0) != "ok") throw Failure{fmt::format("{}: {}", pragma, query.text(0))};
    }
  }
}

class Scenario {
 public:
  Scenario(std::uint64_t seed, bool has_locks)
      : tree_(seed, has_locks), max_file_bytes_(has_locks ? kLargeLockFile : kLargeFile) {}

  const fs::path& root() const { return tree_.root(); }
  const std::vector<std::string>& log() const { return log_; }

  void step(bool check) {
    log_.clear();
    for (std::size_t i = 1 + tree_.below(5) / 2; i > 0; --i) log_.push_back(tree_.change());
    std::unique_ptr<Workspace> workspace = must(Workspace::open(root()), "open");
    if (tree_.chance(40)) {
      for (std::size_t i = 1 + tree_.below(2); i > 0; --i) disturb(workspace);
    }
    log_.emplace_back("index");
    must(index_repository(*workspace, plain()), "index");
    // A run that meets damage rebuilds everything, which would pass.
    for (const auto& entry : fs::directory_iterator(root() / ".codexmem")) {
      const std::string name = entry.path().filename().string();
      if (name.find(".damaged-") != std::string::npos) throw Failure{"a run met damage: " + name};
    }
    check_searched_vectors(*workspace);
    if (check) compare(std::move(workspace));
  }

 private:
  IndexOptions plain() const { return {.threads = 2, .max_file_bytes = max_file_bytes_}; }

  // A run that does not do everything, perhaps with a change after it.
  void disturb(std::unique_ptr<Workspace>& workspace) {
    IndexOptions options = plain();
    switch (tree_.below(8)) {
      case 0:
        options.skip_embeddings = true;
        log_.emplace_back("index without vectors");
        (void)must(index_repository(*workspace, options), "index without vectors");
        break;
      case 1: {
        for (std::size_t i = 1 + tree_.below(4); i > 0; --i) {
          if (std::string path = tree_.some_path(); !path.empty()) options.only.push_back(path);
        }
        options.skip_embeddings = tree_.chance(30);
        std::string only;
        for (const std::string& path : options.only) only += " " + path;
        log_.push_back(fmt::format("index only{}{}", only,
                                   options.skip_embeddings ? ", without vectors" : ""));
        (void)must(index_repository(*workspace, options), "index only");
        break;
      }
      case 2: {
        options.path = tree_.some_path();
        log_.push_back("index below " + options.path);
        auto report = index_repository(*workspace, options);
        if (!report.ok() && report.error().code() != ErrorCode::kNotFound) {
          must(std::move(report), "index below");
        }
        break;
      }
      case 3:
        options.force = true;
        log_.emplace_back("index everything again");
        (void)must(index_repository(*workspace, options), "index everything again");
        break;
      case 4:
      case 5:
        cancel(*workspace, options);
        break;
      case 6:
        change_meanwhile(*workspace, options);
        break;
      default:
        workspace.reset();  // a store is not taken through a fork
        kill(options);
        workspace = must(Workspace::open(root()), "open");
        break;
    }
    check_searched_vectors(*workspace);
    if (tree_.chance(50)) log_.push_back(tree_.change());
  }

  // What a server has kept since it began, and what the file of vectors is brought up to, are what
  // the store holds.
  void check_searched_vectors(Workspace& workspace) {
    auto reader = must(workspace.reader(), "reader");
    const auto moment = must(store::Transaction::begin_read(reader->database()), "transaction");
    const auto built_in = must(embed::StaticModel::built_in(), "model");
    const auto model = must(reader->find_model(built_in->id()), "model");
    if (!model) return;
    const auto rows = must(store::code_vector_rows(*reader, *model), "rows");
    const auto read = [&](const fs::path& file, std::shared_ptr<const embed::VectorIndex> from) {
      return must(embed::current_vectors(*rows, file, std::move(from)), "vectors");
    };
    const auto scores = [&](const embed::VectorIndex& index) {
      const std::vector<float> query(model->dimension, 0.1F);
      std::vector<std::pair<std::int64_t, float>> list;
      for (const embed::VectorHit& hit : must(index.score_all(query), "scores")) {
        list.emplace_back(hit.id, hit.score);
      }
      return list;
    };
    searched_ = read(workspace.vectors_path(), searched_);
    const auto stored = scores(*read("", nullptr));
    if (scores(*searched_) != stored ||
        scores(*read(workspace.vectors_path(), nullptr)) != stored) {
      throw Failure{"what a search sees of the vectors is not what is stored"};
    }
  }

  // A run that is stopped after some calls of its progress, or some microseconds.
  void cancel(Workspace& workspace, IndexOptions options) {
    options.force = tree_.chance(50);
    options.skip_embeddings = tree_.chance(20);
    std::stop_source stop;
    std::jthread timer;
    std::size_t calls = ~std::size_t{0};
    if (tree_.chance(60)) {
      const std::chrono::microseconds delay(tree_.below(20'000));
      log_.push_back(fmt::format("cancel after {} us", delay.count()));
      timer = std::jthread([stop, delay]() mutable {
        std::this_thread::sleep_for(delay);
        stop.request_stop();
      });
    } else {
      calls = tree_.below(6);
      log_.push_back(fmt::format("cancel in call {}", calls));
    }
    auto report = index_repository(
        workspace, options,
        [&](const IndexProgress&) {
          if (calls-- == 0) stop.request_stop();
        },
        stop.get_token());
    if (!report.ok() && report.error().code() != ErrorCode::kCancelled) {
      must(std::move(report), "cancelled");
    }
    log_.back() += fmt::format("{}{}: {}", options.force ? ", everything" : "",
                               options.skip_embeddings ? ", without vectors" : "",
                               report.ok() ? "too late" : "cancelled");
  }

  // A run under which the tree changes.
  void change_meanwhile(Workspace& workspace, const IndexOptions& options) {
    std::size_t calls = tree_.below(5);
    log_.push_back(fmt::format("index, and in call {}:", calls));
    (void)must(index_repository(workspace, options,
                                [&](const IndexProgress&) {
                                  if (calls-- == 0) log_.push_back("  " + tree_.change());
                                }),
               "index while the tree changes");
  }

  // A run whose process ends in the middle.
  void kill(const IndexOptions& options) {
    std::size_t calls = tree_.below(6);
    log_.push_back(fmt::format("die in call {}", calls));
    const pid_t child = ::fork();
    if (child == 0) {
      auto workspace = Workspace::open(root());
      if (workspace.ok()) {
        (void)index_repository(**workspace, options, [&](const IndexProgress&) {
          if (calls-- == 0) ::_exit(9);
        });
      }
      ::_exit(0);
    }
    int status = 0;
    if (::waitpid(child, &status, 0) != child || !WIFEXITED(status)) throw Failure{"the child"};
  }

  void compare(std::unique_ptr<Workspace> workspace) {
    check_database(*workspace);
    check_vectors(*workspace);
    std::vector<std::string> incremental = dump_or_throw(*workspace);
    // The cache has seen all that the store was before.
    const auto said = references(*workspace, cache_);
    incremental.insert(incremental.end(), said.begin(), said.end());
    workspace.reset();
    const fs::path store = root() / ".codexmem";
    const fs::path aside = root().string() + ".store";
    fs::rename(store, aside);
    std::vector<std::string> clean;
    {
      const auto fresh = must(Workspace::open(root()), "open");
      must(index_repository(*fresh, plain()), "clean index");
      clean = dump_or_throw(*fresh);
      graph::FactsCache cache;
      const auto answers = references(*fresh, cache);
      clean.insert(clean.end(), answers.begin(), answers.end());
    }
    fs::remove_all(store);
    fs::rename(aside, store);
    if (incremental != clean) {
      throw Failure{"+ incremental, - clean\n" + difference(incremental, clean)};
    }
  }

  RandomTree tree_;
  const std::size_t max_file_bytes_;
  std::vector<std::string> log_;
  std::shared_ptr<const embed::VectorIndex> searched_;
  graph::FactsCache cache_;
};

struct Arguments {
  std::uint64_t steps = 30, from = 0;
  std::vector<std::uint64_t> seeds;
  bool keep = false;
  bool has_locks = false;
};

bool run_seed(const Arguments& arguments, std::uint64_t seed) {
  auto scenario = std::make_unique<Scenario>(seed, arguments.has_locks);
  const auto began = std::chrono::steady_clock::now();
  for (std::uint64_t step = 1; step <= arguments.steps; ++step) {
    std::string failure;
    try {
      scenario->step(step >= arguments.from);
    } catch (const Failure& thrown) {
      failure = thrown.message;
    } catch (const std::exception& thrown) {
      failure = thrown.what();
    }
    if (failure.empty()) {
      if (step % 100 == 0) std::fprintf(stderr, "seed %lu: %lu steps\n", seed, step);
      continue;
    }
    std::string done;
    for (const std::string& line : scenario->log()) done += "  " + line + "\n";
    std::printf("seed %lu, step %lu: the index differs from a clean one\n%s%s\n", seed, step,
                done.c_str(), failure.c_str());
    if (arguments.keep) {
      std::printf("the tree is kept: %s\n", scenario->root().c_str());
      (void)scenario.release();  // so that the tree stays
    }
    return false;
  }
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                      std::chrono::steady_clock::now() - began)
                      .count();
  std::printf("seed %lu: %lu steps, each equal to a clean index (%ld ms)\n", seed, arguments.steps,
              static_cast<long>(ms));
  return true;
}

bool parse(int count, char** words, Arguments* arguments) {
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    if (word == "--keep" || word == "--locks") {
      (word == "--keep" ? arguments->keep : arguments->has_locks) = true;
      continue;
    }
    if (++i == count) return false;
    std::uint64_t number = 0;
    const char* end = words[i] + std::strlen(words[i]);
    if (std::from_chars(words[i], end, number).ptr != end) return false;
    if (word == "--steps") {
      arguments->steps = number;
    } else if (word == "--from") {
      arguments->from = number;
    } else if (word == "--seed") {
      arguments->seeds.push_back(number);
    } else {
      return false;
    }
  }
  if (arguments->seeds.empty()) arguments->seeds = {1, 2};  // 2 has a git repository
  return true;
}

}  // namespace
}  // namespace codexmem::index

int main(int count, char** words) {
  codexmem::index::Arguments arguments;
  if (!codexmem::index::parse(count, words, &arguments)) {
    std::fputs(
        "usage: incremental_test [--steps N] [--seed N]... [--from STEP] [--locks] "
        "[--keep]\n",
        stderr);
    return 2;
  }
  for (const std::uint64_t seed : arguments.seeds) {
    if (!codexmem::index::run_seed(arguments, seed)) return 1;
  }
  return 0;
}
