// Prints what the tokenizer, the built-in model and the vector index cost on a folder of source,
// the index beside FAISS's own searches over the same vectors. Figures: bench/vectors.md.
//
//   embed_bench DIRECTORY [CHUNK_BYTES [lists | ivf [QUESTIONS]]]
//
// Every regular file below 1 MB without a zero byte is read, and the whole cut into chunks of
// CHUNK_BYTES (1600). With `lists` the index is also divided into lists, whatever its size, and
// compared with itself without; with `ivf` FAISS's own inverted lists are measured too. Queries are
// the lines of the file QUESTIONS, 300 at even distances, or five words drawn from one chunk each.
// Times are processor time on one thread; saving, loading and ten callers by the clock. Recall is
// against the exact ten nearest of FAISS's flat index.
#include <faiss/IndexFlat.h>
#include <faiss/IndexIVF.h>
#include <faiss/IndexScalarQuantizer.h>
#include <fmt/core.h>
#include <omp.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <random>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "base/file.h"
#include "text/words.h"
#include "embed/static_model.h"
#include "embed/vector_codes.h"
#include "embed/vector_index.h"
#include "embed/vector_math.h"

namespace {

using namespace codexmem;
using namespace codexmem::embed;
using Ids = std::vector<std::int64_t>;

constexpr std::size_t kQueries = 300;
constexpr std::size_t kNearest = 10;

// Processor time of f(), which other programs on the machine change little.
template <typename F>
double cpu_seconds(F&& f) {
  const std::clock_t begin = std::clock();
  f();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

template <typename F>
double wall_seconds(F&& f) {
  const auto begin = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::string read_folder(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> paths;
  std::error_code failed;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory, failed)) {
    if (entry.is_regular_file() && entry.file_size() < 1000000) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::string text;
  for (const auto& path : paths) {
    const auto bytes = read_file(path);
    if (bytes.ok() && bytes->find('\0') == std::string::npos) text += *bytes;
  }
  return text;
}

struct Corpus {
  std::vector<float> vectors;               // one for each chunk
  std::vector<std::vector<float>> queries;  // kQueries
  std::size_t count = 0;
};

// kQueries of the lines of `text`, at even distances.
std::vector<std::vector<float>> ask(const StaticModel& model, const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  std::vector<std::vector<float>> queries;
  for (std::size_t q = 0; q < kQueries && !lines.empty(); ++q) {
    queries.push_back(model.query_vector(lines[q * lines.size() / kQueries]));
  }
  return queries;
}

Corpus embed_corpus(const StaticModel& model, std::string_view text, std::size_t chunk_bytes) {
  std::vector<WordBag> bags;
  const double bagging = cpu_seconds([&] {
    WordBagCollector collector(model);
    for (std::size_t at = 0; at < text.size(); at += chunk_bytes) {
      collector.add(text.substr(at, chunk_bytes));
      WordBag bag = collector.take();
      if (bag.empty()) continue;
      bags.push_back(std::move(bag));
    }
  });
  Corpus corpus;
  corpus.count = bags.size();
  corpus.vectors.resize(bags.size() * model.dimension());
  const double embedding = cpu_seconds([&] {
    for (std::size_t i = 0; i < bags.size(); ++i) {
      model.document_vector(
          bags[i], std::span(corpus.vectors).subspan(i * model.dimension(), model.dimension()));
    }
  });
  const double megabytes = static_cast<double>(text.size()) / 1e6;
  fmt::print("bags of {} chunks           {:8.0f} MB/s\n", bags.size(), megabytes / bagging);
  fmt::print("vectors from bags           {:8.2f} us each\n",
             embedding * 1e6 / static_cast<double>(bags.size()));
  fmt::print("words to vectors, together  {:8.0f} MB/s\n", megabytes / (bagging + embedding));

  std::mt19937 random(1);
  for (std::size_t q = 0; q < kQueries; ++q) {
    const WordBag& bag = bags[random() % bags.size()];
    std::string query;
    for (int i = 0; i < 5; ++i) {
      query += std::string(model.word(bag[random() % bag.size()].id)) + " ";
    }
    corpus.queries.push_back(model.query_vector(query));
  }
  return corpus;
}

float exact_score(const Corpus& corpus, std::size_t query, std::int64_t id) {
  const std::span<const float> vector = corpus.queries[query];
  const auto begin = static_cast<std::size_t>(id - 1) * vector.size();
  return inner_product(vector, std::span(corpus.vectors).subspan(begin, vector.size()));
}

// Runs `search`, which gives the nearest ids of a query, best first, and prints its time and, when
// the true nearest are given, its recall: the share of results no worse than the last true one.
template <typename F>
std::vector<Ids> measure(const std::string& name, const Corpus& corpus,
                         const std::vector<Ids>* truth, F&& search) {
  std::vector<Ids> found;
  const double time = cpu_seconds([&] {
    for (const auto& query : corpus.queries) found.push_back(search(query));
  });
  fmt::print("{:28}{:8.3f} ms a query", name, time * 1e3 / kQueries);
  if (truth != nullptr) {
    std::size_t hits = 0;
    for (std::size_t q = 0; q < found.size(); ++q) {
      const float least = exact_score(corpus, q, (*truth)[q].back()) - 1e-6F;
      hits += static_cast<std::size_t>(
          std::count_if(found[q].begin(), found[q].end(),
                        [&](std::int64_t id) { return exact_score(corpus, q, id) >= least; }));
    }
    fmt::print("   recall@10 {:.3f}",
               static_cast<double>(hits) / static_cast<double>(kQueries * kNearest));
  }
  fmt::print("\n");
  return found;
}

Ids search_faiss(const faiss::Index& index, const std::vector<float>& query) {
  Ids ids(kNearest);
  std::vector<float> scores(kNearest);
  index.search(1, query.data(), kNearest, scores.data(), ids.data());
  for (std::int64_t& id : ids) ++id;  // ours start at 1
  return ids;
}

void bench_inverted_lists(const Corpus& corpus, std::size_t dimension,
                          const std::vector<Ids>& truth) {
  const auto count = static_cast<faiss::Index::idx_t>(corpus.count);
  for (const std::size_t lists : {256U, 512U}) {
    faiss::IndexFlatIP coarse(static_cast<faiss::Index::idx_t>(dimension));
    faiss::IndexIVFScalarQuantizer index(&coarse, dimension, lists, faiss::ScalarQuantizer::QT_8bit,
                                         faiss::METRIC_INNER_PRODUCT, false);
    index.cp.max_points_per_centroid = 64;
    index.cp.min_points_per_centroid = 5;
    index.cp.niter = 10;
    const double time = cpu_seconds([&] {
      index.train(count, corpus.vectors.data());
      index.add(count, corpus.vectors.data());
    });
    fmt::print("FAISS IVF{},SQ8 build {:16.2f} s\n", lists, time);
    for (const std::size_t probes : {16U, 64U}) {
      index.nprobe = probes;
      measure(fmt::format("FAISS IVF{},SQ8 {} probes", lists, probes), corpus, &truth,
              [&](const auto& query) { return search_faiss(index, query); });
    }
  }
}

double most_memory_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

// The index divided into lists, against itself.
void bench_lists(const Corpus& corpus, const VectorIndex& exact) {
  VectorIndexBuilder builder(exact);
  const double before = most_memory_mb();
  const double training = cpu_seconds([&] { (void)builder.train(1).ok(); });
  const double after = most_memory_mb();
  const std::shared_ptr<const VectorIndex> lists = std::move(builder).freeze(1);
  const auto path = std::filesystem::temp_directory_path() / "embed_bench.lists";
  const double save = wall_seconds([&] { (void)lists->save(path).ok(); });
  const double load = wall_seconds([&] { (void)VectorIndex::load(path).ok(); });
  fmt::print(
      "{} lists: made in {:.2f} s, {:.0f} MB more than ever before (a copy of the index too), save "
      "{:.0f} ms, load {:.0f} ms, {:.1f} bytes a vector\n",
      lists->list_count(), training, after - before, save * 1e3, load * 1e3,
      static_cast<double>(std::filesystem::file_size(path)) / static_cast<double>(exact.size()));
  std::filesystem::remove(path);
  for (const std::int64_t part : {1, 2, 10, 100, 1000}) {
    const IdFilter filter =
        part == 1 ? IdFilter()
                  : IdFilter([part](std::int64_t id) { return id * 7919 % part == 0; });
    std::size_t found = 0;
    std::size_t wanted = 0;
    double exact_time = 0;
    double time = 0;
    for (const auto& query : corpus.queries) {
      std::vector<VectorHit> truth;
      std::vector<VectorHit> hits;
      exact_time += cpu_seconds([&] { truth = exact.search(query, kNearest, filter).value(); });
      time += cpu_seconds([&] { hits = lists->search(query, kNearest, filter).value(); });
      wanted += truth.size();
      for (const VectorHit& hit : hits) found += hit.score >= truth.back().score ? 1U : 0U;
    }
    fmt::print("one in {:4} passes: exact {:8.3f} ms, lists {:8.3f} ms, recall@10 {:.4f}\n", part,
               exact_time * 1e3 / kQueries, time * 1e3 / kQueries,
               static_cast<double>(found) / static_cast<double>(wanted));
  }
  const double near = cpu_seconds([&] {
    for (const auto& query : corpus.queries)
      (void)lists->score_near(query, lists->size() / 10).ok();
  });
  const double all = cpu_seconds([&] {
    for (const auto& query : corpus.queries) (void)lists->score_all(query).ok();
  });
  fmt::print("lists, scores: of one in ten {:.3f} ms, of all {:.3f} ms\n", near * 1e3 / kQueries,
             all * 1e3 / kQueries);
}

void bench_index(const Corpus& corpus, std::size_t dimension, std::string_view more) {
  const auto count = static_cast<faiss::Index::idx_t>(corpus.count);
  Ids ids(corpus.count);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::int64_t>(i + 1);
  VectorIndexBuilder builder("bench", dimension);
  std::shared_ptr<const VectorIndex> index;
  std::string stored;
  const double build = cpu_seconds([&] {
    stored = encode_vectors(corpus.vectors, dimension).value();
    if (auto added = builder.add(ids, stored); !added.ok()) return;
    index = std::move(builder).freeze(1);
  });
  const auto path = std::filesystem::temp_directory_path() / "embed_bench.vectors";
  const double save = wall_seconds([&] { (void)index->save(path).ok(); });
  const double load = wall_seconds([&] { (void)VectorIndex::load(path).ok(); });
  fmt::print(
      "index: build {:.0f} ms, save {:.0f} ms, load {:.1f} ms, {:.1f} bytes a vector\n",
      build * 1e3, save * 1e3, load * 1e3,
      static_cast<double>(std::filesystem::file_size(path)) / static_cast<double>(corpus.count));
  std::filesystem::remove(path);

  omp_set_num_threads(1);
  faiss::IndexFlatIP flat(static_cast<faiss::Index::idx_t>(dimension));
  flat.add(count, corpus.vectors.data());
  const std::vector<Ids> truth =
      measure("FAISS flat (floats)", corpus, nullptr,
              [&](const auto& query) { return search_faiss(flat, query); });
  faiss::IndexScalarQuantizer codes(static_cast<int>(dimension), faiss::ScalarQuantizer::QT_8bit,
                                    faiss::METRIC_INNER_PRODUCT);
  codes.train(count, corpus.vectors.data());
  codes.add(count, corpus.vectors.data());
  measure("FAISS SQ8", corpus, &truth,
          [&](const auto& query) { return search_faiss(codes, query); });
  const auto nearest = [&](const auto& query) {
    const std::vector<VectorHit> hits = index->search(query, kNearest).value();
    Ids found;
    for (const VectorHit& hit : hits) found.push_back(hit.id);
    return found;
  };
  measure("index search", corpus, &truth, nearest);
  measure("index score_all", corpus, nullptr, [&](const auto& query) {
    (void)index->score_all(query).ok();
    return Ids();
  });
  const double ten = wall_seconds([&] {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 10; ++t) {
      threads.emplace_back([&] {
        for (const auto& query : corpus.queries) (void)index->search(query, kNearest).ok();
      });
    }
  });
  fmt::print("index search, ten callers   {:8.3f} ms a query, {} processors\n",
             ten * 1e3 / (10 * kQueries), std::thread::hardware_concurrency());
  const double update = cpu_seconds([&] {
    for (std::int64_t i = 0; i < 100; ++i) {
      VectorIndexBuilder next(*index);
      const std::int64_t added = 1000000000 + i;
      const std::int64_t removed = i + 1;
      if (!next.add({&added, 1}, std::string_view(stored).substr(0, dimension)).ok()) return;
      next.remove({&removed, 1});
      index = std::move(next).freeze(2);
    }
  });
  fmt::print("one vector replaced         {:8.3f} ms\n", update * 1e3 / 100);
  if (more.empty()) return;
  bench_lists(corpus, *index);
  if (more == "ivf") bench_inverted_lists(corpus, dimension, truth);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: embed_bench DIRECTORY [CHUNK_BYTES [lists | ivf [QUESTIONS]]]\n");
    return 2;
  }
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const std::string text = read_folder(argv[1]);
  const std::size_t chunk_bytes = argc > 2 ? std::stoul(argv[2]) : 1600;
  if (text.empty() || chunk_bytes == 0) {
    fmt::print(stderr, "embed_bench: no text in {}, or chunks of no bytes\n", argv[1]);
    return 2;
  }
  const double megabytes = static_cast<double>(text.size()) / 1e6;
  fmt::print("{:.1f} MB of source\n", megabytes);
  std::size_t count = 0;
  const double words = cpu_seconds([&] { for_each_word(text, [&](const Word&) { ++count; }); });
  fmt::print("words                       {:8.0f} MB/s\n", megabytes / words);
  const double terms = cpu_seconds([&] { for_each_term(text, [&](const Term&) { ++count; }); });
  fmt::print("terms                       {:8.0f} MB/s\n", megabytes / terms);

  std::shared_ptr<const StaticModel> model;
  const double load = cpu_seconds([&] { model = StaticModel::built_in().value(); });
  fmt::print("model loaded                {:8.2f} ms\n", load * 1e3);
  Corpus corpus = embed_corpus(*model, text, chunk_bytes);
  if (argc > 4) corpus.queries = ask(*model, read_file(argv[4]).value());
  bench_index(corpus, model->dimension(), argc > 3 ? argv[3] : "");
  return count == 0 ? 1 : 0;
}
