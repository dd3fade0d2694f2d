// locomo_bench - recall on public conversations, within one process: what each signal is worth.
//
//   locomo_bench DATA DIRECTORY [--plain] [--facts] [--vectors] [--set NAME=VALUE ...] [--ablate]
//                [--half 0|1] [--run FILE]
//
// DATA holds docs.jsonl, questions.jsonl and facts.jsonl: one turn, question or fact a line. Each
// turn becomes an entry "Speaker: text" of its conversation's project; with --plain without session
// and all saved now, else in their sessions at their times. DIRECTORY is where the store is made.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "text/json.h"
#include "bench_store.h"
#include "embed/static_model.h"
#include "memory/recall/recall.h"

namespace {

using namespace codexmem;

std::vector<Json> read_lines(const std::filesystem::path& path) {
  std::vector<Json> all;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) all.push_back(Json::parse(line));
  return all;
}

template <typename T>
T must(Result<T> result) {
  if (!result.ok()) {
    fmt::print(stderr, "{}\n", result.error().message());
    std::exit(2);
  }
  return *std::move(result);
}

struct Figures {
  int n = 0;
  double hit1 = 0, hit10 = 0, recall1 = 0, recall5 = 0, recall10 = 0, mrr = 0;
  void print(const std::string& name) const {
    fmt::print(
        "{:<22} n {:>4}  hit@1 {:.3f}  hit@10 {:.3f}  recall@1 {:.3f}  @5 {:.3f}  @10 {:.4f}"
        "  mrr {:.3f}\n",
        name, n, hit1 / n, hit10 / n, recall1 / n, recall5 / n, recall10 / n, mrr / n);
  }
};

double* find_weight(memory::RecallWeights& w, const std::string& name) {
  const std::map<std::string, double*> all = {
      {"before", &w.before},        {"after", &w.after},
      {"meaning", &w.meaning},      {"turn_meaning", &w.turn_meaning},
      {"coverage", &w.coverage},    {"turn_coverage", &w.turn_coverage},
      {"beside", &w.nearby},        {"asking", &w.asking},
      {"people", &w.people},        {"dates", &w.dates},
      {"quoted", &w.quoted},        {"files", &w.files},
      {"title", &w.title},          {"ingested", &w.ingested},
      {"project", &w.project},      {"recency", &w.recency},
      {"superseded", &w.superseded}};
  const auto found = all.find(name);
  return found == all.end() ? nullptr : found->second;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::filesystem::path data = argv[1], directory = argv[2];
  bool plain = false, facts = false, with_vectors = false, ablate = false;
  int half = -1;
  std::string run_path;
  memory::RecallWeights weights;
  for (int i = 3; i < argc; ++i) {
    const std::string arg = argv[i];
    if (arg == "--plain") plain = true;
    if (arg == "--facts") facts = true;
    if (arg == "--vectors") with_vectors = true;
    if (arg == "--ablate") ablate = true;
    if (arg == "--half") half = std::atoi(argv[++i]);
    if (arg == "--run") run_path = argv[++i];
    if (arg == "--set") {
      const std::string set = argv[++i];
      const std::size_t at = set.find('=');
      if (double* w = find_weight(weights, set.substr(0, at))) *w = std::atof(set.c_str() + at + 1);
    }
  }
  std::shared_ptr<const embed::Embedder> embedder;
  if (with_vectors) embedder = embed::make_static_embedder(must(embed::StaticModel::built_in()));
  const memory::DocumentVectors vectors(embedder, true);
  std::filesystem::remove_all(directory);
  const auto store = must(store::UserStore::open(directory));
  bench::BenchWriter writer(*store, vectors);
  constexpr std::int64_t kNow = 1'790'000'000'000;

  std::map<std::int64_t, std::vector<std::string>> doc_of;  // entry id -> evidence ids
  const auto docs = read_lines(data / "docs.jsonl");
  std::vector<bench::BenchEntry> batch;
  std::vector<std::vector<std::string>> names;
  const auto flush = [&] {
    const auto ids = must(writer.write(batch));
    for (std::size_t i = 0; i < ids.size(); ++i) doc_of[ids[i]] = names[i];
    batch.clear();
    names.clear();
  };
  std::int64_t at = 0;
  for (const Json& doc : docs) {
    bench::BenchEntry entry;
    entry.project = doc["conv"].get<std::string>();
    entry.body = doc["speaker"].get<std::string>() + ": " + doc["text"].get<std::string>();
    if (doc["caption"].is_string()) entry.body += " [" + doc["caption"].get<std::string>() + "]";
    entry.created_at_ms = kNow + 200 * at++;
    if (!plain) {
      entry.session = fmt::format("{}-{}", entry.project, doc["session"].get<int>());
      entry.created_at_ms = doc["epoch_ms"].get<std::int64_t>();
    }
    batch.push_back(entry);
    names.push_back({doc["id"].get<std::string>()});
  }
  flush();
  if (facts) {
    for (const Json& fact : read_lines(data / "facts.jsonl")) {
      bench::BenchEntry entry;
      entry.project = fact["conv"].get<std::string>();
      entry.body = fact["text"].get<std::string>();
      entry.created_at_ms = kNow + 3'600'000 + 3'600'000 * at++;
      entry.type = "fact";
      batch.push_back(entry);
      names.push_back(fact["evidence"].get<std::vector<std::string>>());
    }
    flush();
  }
  const auto questions = read_lines(data / "questions.jsonl");
  std::set<std::string> convs;
  for (const Json& q : questions) convs.insert(q["conv"].get<std::string>());

  const auto measure = [&](const std::string& title, const memory::RecallWeights& used,
                           bool detail) {
    memory::RecallOptions options;
    options.weights = used;
    memory::Recall recall(
        *store, vectors, [] { return kNow + 5'000'000; }, options);
    std::map<std::string, Figures> figures;
    std::ofstream run;
    if (!run_path.empty() && detail) run.open(run_path);
    double ms = 0;
    for (const Json& q : questions) {
      const std::string conv = q["conv"].get<std::string>();
      const auto index = static_cast<int>(std::distance(convs.begin(), convs.find(conv)));
      if (half >= 0 && index % 2 != half) continue;
      memory::RecallRequest request;
      request.query = q["question"].get<std::string>();
      request.projects = {conv};
      request.limit = facts ? 40 : 10;
      const auto answer = must(recall.search(request));
      ms += answer.total_ms;
      std::vector<std::string> ranked;
      for (const auto& hit : answer.hits) {
        for (const std::string& id : doc_of[memory::id_of(hit.key)]) {
          if (std::find(ranked.begin(), ranked.end(), id) == ranked.end()) ranked.push_back(id);
        }
      }
      if (run.is_open()) run << Json{{"qid", q["qid"]}, {"ranked", ranked}}.dump() << "\n";
      const auto evidence = q["evidence"].get<std::vector<std::string>>();
      const auto found = [&](std::size_t k) {
        double got = 0;
        for (std::size_t i = 0; i < std::min(k, ranked.size()); ++i) {
          got += std::find(evidence.begin(), evidence.end(), ranked[i]) != evidence.end();
        }
        return got / static_cast<double>(evidence.size());
      };
      const bool adversarial = q["adversarial"].get<bool>();
      for (const std::string& name :
           {std::string(adversarial ? "adversarial" : "all"),
            adversarial ? std::string() : q["category"].get<std::string>()}) {
        if (name.empty()) continue;
        Figures& f = figures[name];
        ++f.n;
        f.hit1 += found(1) > 0;
        f.hit10 += found(10) > 0;
        f.recall1 += found(1);
        f.recall5 += found(5);
        f.recall10 += found(10);
        for (std::size_t i = 0; i < std::min<std::size_t>(10, ranked.size()); ++i) {
          if (std::find(evidence.begin(), evidence.end(), ranked[i]) != evidence.end()) {
            f.mrr += 1.0 / static_cast<double>(i + 1);
            break;
          }
        }
      }
    }
    if (!detail) {
      figures["all"].print(title);
      return;
    }
    for (const auto& [name, f] : figures) f.print(name);
    fmt::print("{:.2f} ms a question\n", ms / static_cast<double>(questions.size()));
  };
  measure("all signals", weights, true);
  if (ablate) {
    for (const std::vector<std::string>& names :
         std::vector<std::vector<std::string>>{{"before", "after"},
                                               {"turn_meaning"},
                                               {"beside"},
                                               {"turn_coverage"},
                                               {"asking"},
                                               {"people"},
                                               {"dates"},
                                               {"quoted"},
                                               {"recency"}}) {
      memory::RecallWeights without = weights;
      for (const std::string& name : names) *find_weight(without, name) = 0;
      measure(fmt::format("without {}", fmt::join(names, ", ")), without, false);
    }
  }
  return 0;
}
