// memory_bench - how fast memory is found, and how much room it takes.
//
//   memory_bench fill DIRECTORY COUNT [--words-only] [FOLDER_OF_GIT_REPOSITORIES ...]
//   memory_bench ask DIRECTORY [--words-only] [--queries N]
//   memory_bench queries DIRECTORY N            questions as JSON lines, for a client of the server
//
// `fill` writes a store of COUNT different entries; `ask` prints times of searches by class of
// query, memory and sizes, and beside it FTS5 alone: ORDER BY bm25().
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "text/json.h"
#include "text/prose.h"
#include "base/text.h"
#include "text/words.h"
#include "bench_store.h"
#include "embed/static_model.h"
#include "memory/recall/recall.h"
#include "texts.h"

namespace {

using namespace codexmem;
namespace fs = std::filesystem;

constexpr std::int64_t kNow = 1'790'000'000'000;

template <typename T>
T must(Result<T> result) {
  if (!result.ok()) {
    fmt::print(stderr, "{}\n", result.error().message());
    std::exit(2);
  }
  return *std::move(result);
}

double now_ms() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// VmRSS or VmHWM, in MB.
double memory_mb(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name)) return std::atof(line.c_str() + name.size() + 1) / 1024;
  }
  return 0;
}

double share(std::vector<double>& times, double at) {
  std::sort(times.begin(), times.end());
  return times.empty()
             ? 0
             : times[std::min(times.size() - 1,
                              static_cast<std::size_t>(at * static_cast<double>(times.size())))];
}

struct Question {
  std::string kind;
  memory::RecallRequest request;
};

// Questions of what the store holds, so that there is something to find.
std::vector<Question> make_questions(store::Database& database, std::size_t count) {
  std::mt19937_64 random(7);
  const std::int64_t most = must(database.find_integer("SELECT max(id) FROM entries")).value_or(0);
  std::unordered_map<std::string, std::size_t> seen;
  struct Sample {
    std::vector<std::string> words;  // as written
    std::string project, type;
    std::int64_t at = 0;
  };
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < 4000 && most > 0; ++i) {
    store::Statement read = must(database.statement(
        "SELECT e.title || ' ' || e.body, p.name, e.entry_type, e.created_at_ms FROM entries AS e "
        "JOIN projects AS p ON p.id = e.project_id WHERE e.id >= ?1 LIMIT 1"));
    read.bind(1, static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most)) + 1);
    if (!must(read.step())) continue;
    Sample sample{{}, std::string(read.text(1)), std::string(read.text(2)), read.integer(3)};
    const std::string text(read.text(0));
    for_each_word(text, [&](const Word& word) {
      if (word.text.size() > 2 && !is_stop_word(word.text)) {
        sample.words.emplace_back(word.text);
        ++seen[std::string(word.text)];
      }
    });
    if (sample.words.size() >= 6) samples.push_back(std::move(sample));
  }
  std::vector<std::pair<std::size_t, std::string>> common;
  for (const auto& [word, times] : seen) common.emplace_back(times, word);
  std::sort(common.rbegin(), common.rend());
  std::vector<Question> questions;
  const auto add = [&](const std::string& kind, std::string query) -> memory::RecallRequest& {
    Question question;
    question.kind = kind;
    question.request.query = std::move(query);
    questions.push_back(std::move(question));
    return questions.back().request;
  };
  const auto pick = [&](const Sample& sample, std::size_t words) {
    std::string query;
    for (std::size_t i = 0; i < words; ++i) {
      query += (i == 0 ? "" : " ") + sample.words[random() % sample.words.size()];
    }
    return query;
  };
  for (std::size_t i = 0; i < count && !samples.empty(); ++i) {
    const Sample& sample = samples[random() % samples.size()];
    add("1 word", pick(sample, 1));
    add("2-3 words", pick(sample, 2 + random() % 2));
    add("4-6 words", pick(sample, 4 + random() % 3));
    const std::size_t frequent = std::min<std::size_t>(30, common.size());
    add("common words", common[random() % frequent].second + " " +
                            common[random() % frequent].second + " " +
                            common[random() % frequent].second);
    const std::size_t begin = random() % (sample.words.size() - 2);
    add("quoted phrase", "\"" + sample.words[begin] + " " + sample.words[begin + 1] + "\"");
    add("project", pick(sample, 3)).projects = {sample.project};
    add("type", pick(sample, 3)).types = {sample.type};
    memory::RecallRequest& dated = add("30 days", pick(sample, 3));
    dated.from_ms = sample.at - std::int64_t{15} * 86'400'000;
    dated.to_ms = sample.at + std::int64_t{15} * 86'400'000;
    add("no query, project", "").projects = {sample.project};
    if (i % 10 == 0) {
      memory::RecallRequest& files = add("file and project", pick(sample, 2));
      files.files = {"src/"};
      files.projects = {sample.project};
    }
  }
  return questions;
}

int fill(const fs::path& directory, std::size_t count, bool words_only,
         const std::vector<fs::path>& repositories) {
  std::shared_ptr<const embed::Embedder> embedder;
  if (!words_only) embedder = embed::make_static_embedder(must(embed::StaticModel::built_in()));
  const memory::DocumentVectors vectors(embedder, true);
  const auto store = must(store::UserStore::open(directory));
  {
    auto writer = must(store->writer());
    if (const auto bulk = writer->set_bulk(true); !bulk.ok()) return 2;
  }
  bench::BenchWriter writer(*store, vectors);
  std::vector<bench::BenchEntry> batch;
  std::size_t written = 0;
  const double begin = now_ms();
  const auto flush = [&] {
    must(writer.write(batch));
    written += batch.size();
    batch.clear();
  };
  bench::generate_entries(repositories, count, kNow, [&](bench::BenchEntry entry) {
    batch.push_back(std::move(entry));
    if (batch.size() == 5000) flush();
    return true;
  });
  if (!batch.empty()) flush();
  const double seconds = (now_ms() - begin) / 1000;
  fmt::print("{} entries in {:.1f} s: {:.0f} a second\n", written, seconds,
             static_cast<double>(written) / seconds);
  return 0;
}

int ask(const fs::path& directory, bool words_only, std::size_t count) {
  std::shared_ptr<const embed::Embedder> embedder;
  if (!words_only) embedder = embed::make_static_embedder(must(embed::StaticModel::built_in()));
  const memory::DocumentVectors vectors(embedder, true);
  const auto store = must(store::UserStore::open(directory));
  memory::Recall recall(*store, vectors, [] { return kNow; });
  std::vector<Question> questions;
  {
    auto reader = must(store->reader());
    questions = make_questions(*reader, count);
    fmt::print("entries {}, ",
               must(reader->find_integer("SELECT count(*) FROM entries")).value_or(0));
  }
  std::uintmax_t bytes = 0;
  for (const auto& file : fs::directory_iterator(directory)) bytes += file.file_size();
  fmt::print("store {:.1f} MB\n", static_cast<double>(bytes) / 1e6);
  double begin = now_ms();
  memory::RecallRequest first;
  first.query = "first question";
  must(recall.search(first));
  fmt::print("first search {:.0f} ms\n", now_ms() - begin);
  if (const auto done = recall.maintain(); !done.ok()) fmt::print("{}\n", done.error().message());
  fmt::print("after maintain: {:.0f} MB, most {:.0f} MB\n", memory_mb("VmRSS"), memory_mb("VmHWM"));

  std::vector<std::string> kinds;
  std::unordered_map<std::string, std::vector<double>> times, words, near, fuse;
  std::vector<double> all;
  for (const Question& question : questions) {
    if (!times.contains(question.kind)) kinds.push_back(question.kind);
    begin = now_ms();
    const auto answer = must(recall.search(question.request));
    times[question.kind].push_back(now_ms() - begin);
    all.push_back(times[question.kind].back());
    words[question.kind].push_back(answer.lexical_ms);
    near[question.kind].push_back(answer.vector_ms);
    fuse[question.kind].push_back(answer.fuse_ms);
  }
  const double rss = memory_mb("VmRSS"), most = memory_mb("VmHWM");
  fmt::print("{:<20} {:>8} {:>8} {:>8}   words, vectors, rest (p50)\n", "ms", "p50", "p90", "p99");
  for (const std::string& kind : kinds) {
    fmt::print("{:<20} {:8.2f} {:8.2f} {:8.2f}   {:.2f} {:.2f} {:.2f}\n", kind,
               share(times[kind], .5), share(times[kind], .9), share(times[kind], .99),
               share(words[kind], .5), share(near[kind], .5), share(fuse[kind], .5));
  }
  fmt::print("{:<20} {:8.2f} {:8.2f} {:8.2f}\n", "all", share(all, .5), share(all, .9),
             share(all, .99));
  fmt::print("memory {:.0f} MB, most {:.0f} MB\n", rss, most);

  std::vector<double> plain;
  auto reader = must(store->reader());
  for (const Question& question : questions) {
    std::string expression;
    for_each_prose_term(question.request.query, [&](const Term& term) {
      if (!term.is_compound)
        expression += (expression.empty() ? "\"" : " OR \"") + std::string(term.text) + "\"";
    });
    if (expression.empty() || question.kind.find("word") == std::string::npos) continue;
    begin = now_ms();
    store::Statement match =
        must(reader->statement("SELECT rowid FROM document_terms WHERE document_terms MATCH ?1 "
                               "ORDER BY bm25(document_terms) LIMIT 20"));
    match.bind(1, expression);
    while (must(match.step())) {
    }
    plain.push_back(now_ms() - begin);
    if (plain.size() >= 60) break;
  }
  fmt::print("{:<20} {:8.2f} {:8.2f} {:8.2f}   (words alone, no filter)\n", "FTS5 bm25()",
             share(plain, .5), share(plain, .9), share(plain, .99));
  return 0;
}

int print_questions(const fs::path& directory, std::size_t count) {
  const auto store = must(store::UserStore::open(directory));
  auto reader = must(store->reader());
  for (const Question& question : make_questions(*reader, count)) {
    const memory::RecallRequest& request = question.request;
    Json arguments = Json::object();
    if (!request.query.empty()) arguments["query"] = request.query;
    if (!request.projects.empty()) arguments["project"] = request.projects.front();
    if (!request.types.empty()) arguments["obs_type"] = request.types.front();
    if (!request.files.empty()) arguments["files"] = request.files.front();
    if (request.from_ms) arguments["dateStart"] = *request.from_ms;
    if (request.to_ms) arguments["dateEnd"] = *request.to_ms;
    fmt::print("{}\n", dump_json(Json{{"kind", question.kind}, {"arguments", arguments}}));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> all(argv + 1, argv + argc);
  std::vector<std::string> given;
  bool words_only = false;
  std::size_t queries = 100;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] == "--words-only") {
      words_only = true;
    } else if (all[i] == "--queries" && i + 1 < all.size()) {
      queries = static_cast<std::size_t>(std::atoll(all[++i].c_str()));
    } else {
      given.push_back(all[i]);
    }
  }
  if (given.size() >= 3 && given[0] == "fill") {
    std::vector<fs::path> repositories;
    for (std::size_t i = 3; i < given.size(); ++i) {
      for (auto& path : bench::find_repositories(given[i])) repositories.push_back(std::move(path));
    }
    return fill(given[1], static_cast<std::size_t>(std::atoll(given[2].c_str())), words_only,
                repositories);
  }
  if (given.size() >= 2 && given[0] == "ask") return ask(given[1], words_only, queries);
  if (given.size() >= 3 && given[0] == "queries") {
    return print_questions(given[1], static_cast<std::size_t>(std::atoll(given[2].c_str())));
  }
  fmt::print(
      stderr,
      "memory_bench fill DIRECTORY COUNT [FOLDER ...] | ask DIRECTORY | queries DIRECTORY N\n");
  return 2;
}
