// bench/search/search_bench.cpp - how well, and how fast, search answers annotated queries.
//
//   search_bench [--steps | --ablation] [--off PART,...] [--no-vectors] [--no-index] [--hits N]
//     [--threshold T] [--verbose] [--results FILE] SET CHECKOUTS [NAME...]
//
// SET holds repos.tsv, a repository a line: name, owner/name, two commits, language, the folder to
// index, split; and annotations/NAME.tsv, a query a line: category, query, relevant, secondary; `;`
// between targets, each a path or path:first-last. CHECKOUTS/NAME is the repository at that commit.
// Folders are indexed first unless --no-index; with names only these. Prints NDCG@10, recall@10 and
// MRR by repository, category and language, and the latency of a warm engine; of queries whose
// targets have lines also the MRR of files, and how many have the symbol in the first hit and in
// the first five: the hit's lines hold the target's first line of code, or lie wholly within the
// target.
//
// NDCG: gain 1 at the rank of the first hit that covers a target (paths equal, or one a suffix of
// the other at a `/`; lines overlap), divided by that of min(10, targets) ones.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "base/file.h"
#include "config/path_kind.h"
#include "text/json.h"
#include "base/text.h"
#include "index/run/indexer.h"
#include "parse/text/leading_lines.h"
#include "search/engine.h"
#include "search/search.h"

namespace codexmem::search {
namespace {

constexpr std::size_t kRanks = 10;

struct Target {
  std::string path;
  std::uint32_t first = 0, last = 0;  // 0: the whole file
  std::uint32_t code_line = 0;        // the first that is no comment or decorator
};

struct Task {
  std::string category, query;
  std::vector<Target> targets;
};

struct Repository {
  std::string name, language;
  std::filesystem::path root;
  std::vector<Task> tasks;
  std::unique_ptr<store::Workspace> workspace;
};

struct Score {
  double ndcg = 0, recall = 0, reciprocal_rank = 0;
  bool has_symbols = false;  // targets have lines
  double file_reciprocal_rank = 0, symbol_at_1 = 0, symbol_at_5 = 0;
};

struct Sum {
  Score total;
  std::size_t queries = 0, symbol_queries = 0;
  void add(const Score& score) {
    total.ndcg += score.ndcg;
    total.recall += score.recall;
    total.reciprocal_rank += score.reciprocal_rank;
    total.file_reciprocal_rank += score.file_reciprocal_rank;
    total.symbol_at_1 += score.symbol_at_1;
    total.symbol_at_5 += score.symbol_at_5;
    ++queries;
    if (score.has_symbols) ++symbol_queries;
  }
  Score mean() const {
    const auto n = static_cast<double>(std::max<std::size_t>(queries, 1));
    const auto symbols = static_cast<double>(std::max<std::size_t>(symbol_queries, 1));
    return {.ndcg = total.ndcg / n,
            .recall = total.recall / n,
            .reciprocal_rank = total.reciprocal_rank / n,
            .has_symbols = symbol_queries > 0,
            .file_reciprocal_rank = total.file_reciprocal_rank / symbols,
            .symbol_at_1 = total.symbol_at_1 / symbols,
            .symbol_at_5 = total.symbol_at_5 / symbols};
  }
};

Target parse_target(std::string_view text) {
  Target target{.path = std::string(text)};
  const std::size_t colon = text.rfind(':');
  const std::size_t dash = text.rfind('-');
  if (colon == std::string_view::npos || dash == std::string_view::npos || dash < colon)
    return target;
  const auto number = [&](std::size_t begin, std::size_t end, std::uint32_t* out) {
    const auto [at, error] = std::from_chars(text.data() + begin, text.data() + end, *out);
    return error == std::errc() && at == text.data() + end;
  };
  Target span{.path = std::string(text.substr(0, colon))};
  if (number(colon + 1, dash, &span.first) && number(dash + 1, text.size(), &span.last)) {
    span.code_line = span.first;
    return span;
  }
  return target;
}

Result<std::vector<Task>> read_tasks(const std::filesystem::path& path) {
  CODEXMEM_ASSIGN(const std::string text, read_file(path));
  std::vector<Task> tasks;
  for (const std::string_view line : split(text, '\n')) {
    if (trim(line).empty()) continue;
    const auto fields = split(line, '\t');
    if (fields.size() < 3)
      return Error{ErrorCode::kInvalidArgument, path.string() + ": " + std::string(line)};
    Task task{std::string(fields[0]), std::string(fields[1]), {}};
    for (std::size_t i = 2; i < std::min<std::size_t>(fields.size(), 4); ++i) {
      for (const std::string_view target : split(trim(fields[i]), ';')) {
        if (!target.empty()) task.targets.push_back(parse_target(target));
      }
    }
    tasks.push_back(std::move(task));
  }
  return tasks;
}

// Moves code_line past the comments and decorators that the target begins with.
void find_code_line(const std::filesystem::path& root, Target* target) {
  if (target->first == 0) return;
  const auto text = read_file(root / target->path);
  if (!text.ok()) return;
  std::size_t begin = 0;
  for (std::uint32_t line = 1; line < target->first && begin != std::string::npos; ++line) {
    begin = text->find('\n', begin);
    if (begin != std::string::npos) ++begin;
  }
  if (begin == std::string::npos) return;
  const std::size_t code = parse::skip_leading_lines(*text, static_cast<std::uint32_t>(begin));
  const std::string_view skipped = std::string_view(*text).substr(begin, code - begin);
  target->code_line = std::min(
      target->last, target->first + static_cast<std::uint32_t>(std::ranges::count(skipped, '\n')));
}

bool paths_match(const std::string& a, const std::string& b) {
  return a == b || a.ends_with("/" + b) || b.ends_with("/" + a);
}

bool covers(const SearchHit& hit, const Target& target) {
  return paths_match(hit.path, target.path) &&
         (target.first == 0 || (hit.end_line >= target.first && hit.start_line <= target.last));
}

bool shows_symbol(const SearchHit& hit, const Target& target) {
  return target.first > 0 && paths_match(hit.path, target.path) &&
         ((hit.start_line <= target.code_line && target.code_line <= hit.end_line) ||
          (hit.start_line >= target.first && hit.end_line <= target.last));
}

void score_symbols(const std::vector<SearchHit>& hits, const std::vector<Target>& targets,
                   Score* score) {
  score->has_symbols =
      std::ranges::any_of(targets, [](const Target& target) { return target.first > 0; });
  if (!score->has_symbols) return;
  std::vector<std::string> files;
  for (std::size_t i = 0; i < std::min(hits.size(), kRanks); ++i) {
    const SearchHit& hit = hits[i];
    const bool is_new = std::ranges::find(files, hit.path) == files.end();
    if (is_new) files.push_back(hit.path);
    for (const Target& target : targets) {
      if (is_new && score->file_reciprocal_rank == 0 && paths_match(hit.path, target.path)) {
        score->file_reciprocal_rank = 1 / static_cast<double>(files.size());
      }
      if (!shows_symbol(hit, target)) continue;
      if (i < 1) score->symbol_at_1 = 1;
      if (i < 5) score->symbol_at_5 = 1;
    }
  }
}

Score score_of(const std::vector<SearchHit>& hits, const std::vector<Target>& targets) {
  std::array<bool, kRanks> gains{};
  std::size_t found = 0;
  double best = 0;
  for (const Target& target : targets) {
    for (std::size_t i = 0; i < std::min(hits.size(), kRanks); ++i) {
      if (!covers(hits[i], target)) continue;
      gains[i] = true;
      ++found;
      best = std::max(best, 1 / static_cast<double>(i + 1));
      break;
    }
  }
  double gained = 0, possible = 0;
  for (std::size_t i = 0; i < kRanks; ++i) {
    const double share = 1 / std::log2(static_cast<double>(i + 2));
    if (gains[i]) gained += share;
    if (i < targets.size()) possible += share;
  }
  if (targets.empty()) return {};
  Score score{.ndcg = gained / possible,
              .recall = static_cast<double>(found) / static_cast<double>(targets.size()),
              .reciprocal_rank = best};
  score_symbols(hits, targets, &score);
  return score;
}

struct Options {
  std::filesystem::path results;
  bool steps = false, ablation = false, index = true, vectors = true, verbose = false;
  double threshold = 0;
  std::size_t hits = kRanks;  // of each answer; those beyond the tenth are for --results
  std::uint32_t off = 0;
};

std::uint32_t off_bits(std::string_view names) {
  std::uint32_t bits = 0;
  for (const std::string_view name : split(names, ',')) {
    bool known = name.empty();
    for (std::size_t i = 0; i < kParts.size(); ++i) {
      if (kParts[i].name != name) continue;
      bits |= 1U << i;
      known = true;
    }
    if (name == "prior") bits |= kPriorOff, known = true;
    if (name == "pairs") bits |= kPairsOff, known = true;
    if (!known) fmt::print(stderr, "unknown part: {}\n", name);
  }
  return bits;
}

double milliseconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

struct Run {
  std::map<std::string, Sum> by_repository, by_category, by_language;
  Sum all;
  std::vector<double> milliseconds;
  double refresh_ms = 0;  // of the first snapshots
  std::size_t hits = 0;
};

Result<Run> run(const std::vector<Repository>& repositories, const Options& options,
                std::uint32_t off, std::ofstream* results) {
  Run run;
  for (const Repository& repository : repositories) {
    SearchOptions search_options;
    search_options.use_vectors = options.vectors;
    search_options.parts_off = off;
    SearchEngine engine(*repository.workspace, std::move(search_options));
    const auto started = std::chrono::steady_clock::now();
    CODEXMEM_TRY(engine.refresh());
    run.refresh_ms += milliseconds_since(started);
    for (const Task& task : repository.tasks) {
      SearchRequest request;
      request.query = task.query;
      request.limit = options.hits;
      request.threshold = options.threshold;
      request.explain = true;
      const auto begin = std::chrono::steady_clock::now();
      CODEXMEM_ASSIGN(const SearchAnswer answer, engine.search(request));
      run.milliseconds.push_back(
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
              .count());
      const Score score = score_of(answer.hits, task.targets);
      run.all.add(score);
      run.by_repository[repository.name].add(score);
      run.by_category[task.category].add(score);
      run.by_language[repository.language].add(score);
      run.hits += answer.hits.size();
      if (options.verbose) {
        fmt::print("{:.3f} {} | {} |", score.ndcg, repository.name, task.query);
        for (const Target& target : task.targets) fmt::print(" {}", target.path);
        fmt::print("\n");
        for (const SearchHit& hit : answer.hits) {
          fmt::print("    {:.3f} {}:{}-{}", hit.score, hit.path, hit.start_line, hit.end_line);
          for (const ScorePart& part : hit.why) fmt::print(" {}={:.2f}", part.name, part.value);
          fmt::print("\n");
        }
      }
      if (results == nullptr || !results->is_open()) continue;
      Json line = {{"repo", repository.name},
                   {"query", task.query},
                   {"known", answer.known},
                   {"results", Json::array()}};
      for (const SearchHit& hit : answer.hits) {
        double raw = 0, prior = 1, symbol = 0;
        for (const ScorePart& part : hit.why) {
          if (part.name == "prior") {
            prior = part.value;
            continue;
          }
          raw += part.weight * part.value;
          if (part.name == "symbol") symbol = part.weight * part.value;
        }
        raw *= prior;
        if (is_test_path(hit.path)) raw += (1 - prior) * symbol;
        Json parts = Json::object();
        for (const ScorePart& part : hit.why) parts[part.name] = part.value;
        line["results"].push_back({{"path", hit.path},
                                   {"start_line", hit.start_line},
                                   {"end_line", hit.end_line},
                                   {"score", hit.score},
                                   {"probability", hit.probability},
                                   {"raw", raw},
                                   {"parts", std::move(parts)}});
      }
      *results << dump_json(line) << '\n';
    }
  }
  std::ranges::sort(run.milliseconds);
  return run;
}

void print(const Run& run) {
  const auto line = [](const std::string& name, const Sum& sum) {
    const Score mean = sum.mean();
    fmt::print("  {:<20} {:>4}  {:.4f}  {:.4f}  {:.4f}", name, sum.queries, mean.ndcg, mean.recall,
               mean.reciprocal_rank);
    if (mean.has_symbols) {
      fmt::print("    {:<8.4f}  {:<8.4f}  {:.4f}", mean.file_reciprocal_rank, mean.symbol_at_1,
                 mean.symbol_at_5);
    }
    fmt::print("\n");
  };
  fmt::print("  {:<20} {:>4}  {:<6}  {:<6}  {:<6}", "", "n", "NDCG", "recall", "MRR");
  if (run.all.symbol_queries > 0) fmt::print("    file MRR  symbol@1  symbol@5");
  fmt::print("\n");
  for (const auto& [name, sum] : run.by_repository) line(name, sum);
  for (const auto& [name, sum] : run.by_category) line(name, sum);
  for (const auto& [name, sum] : run.by_language) line(name, sum);
  line("all", run.all);
  if (run.milliseconds.empty()) return;
  const auto at = [&](double share) {
    const auto last = static_cast<double>(run.milliseconds.size() - 1);
    return run.milliseconds[static_cast<std::size_t>(std::lround(share * last))];
  };
  fmt::print(
      "latency p50 {:.2f} ms, p90 {:.2f} ms, max {:.2f} ms; first snapshots {:.0f} ms; {} hits\n",
      at(0.5), at(0.9), at(1), run.refresh_ms, run.hits);
}

Result<void> print_steps(const std::vector<Repository>& repositories, const Options& options) {
  constexpr std::string_view kOrder[] = {"file_text,best_chunks",
                                         "prior",
                                         "base_name",
                                         "directories",
                                         "definition_name",
                                         "symbol,inner_symbol",
                                         "centrality",
                                         "pairs",
                                         "dense_chunks,dense_mean",
                                         "dense_file",
                                         "importers",
                                         "extent"};
  std::uint32_t off = 0;
  for (const std::string_view names : kOrder) off |= off_bits(names);
  const auto report = [&](std::string_view name) -> Result<void> {
    CODEXMEM_ASSIGN(const Run done, run(repositories, options, off, nullptr));
    fmt::print("{:<28} {:.4f}\n", name, done.all.mean().ndcg);
    return {};
  };
  CODEXMEM_TRY(report("best_chunk"));
  for (const std::string_view names : kOrder) {
    off &= ~off_bits(names);
    CODEXMEM_TRY(report("+ " + std::string(names)));
  }
  return {};
}

// What each signal is worth: NDCG@10 of all queries and by category with it left out.
Result<void> print_ablation(const std::vector<Repository>& repositories, const Options& options) {
  const auto report = [&](std::string_view name, std::uint32_t off, bool vectors) -> Result<void> {
    Options one = options;
    one.vectors = vectors;
    CODEXMEM_ASSIGN(const Run done, run(repositories, one, off, nullptr));
    fmt::print("  {:<24} {:.4f}", name, done.all.mean().ndcg);
    for (const auto& [category, sum] : done.by_category) {
      fmt::print("  {} {:.4f}", category, sum.mean().ndcg);
    }
    fmt::print("\n");
    return {};
  };
  std::uint32_t not_dense = 0;
  for (std::size_t i = 0; i < kParts.size(); ++i) {
    if (!kParts[i].name.starts_with("dense")) not_dense |= 1U << i;
  }
  CODEXMEM_TRY(report("everything", 0, true));
  CODEXMEM_TRY(report("words and names alone", 0, false));
  CODEXMEM_TRY(report("vectors and prior alone", not_dense, true));
  for (const PartInfo& part : kParts) {
    CODEXMEM_TRY(report("without " + std::string(part.name), off_bits(part.name), true));
  }
  CODEXMEM_TRY(report("without pairs", kPairsOff, true));
  return report("without prior", kPriorOff, true);
}

Result<std::vector<Repository>> read_set(const std::filesystem::path& set,
                                         const std::filesystem::path& checkouts,
                                         const std::vector<std::string>& names) {
  constexpr std::size_t kLanguage = 4, kFolder = 5;
  std::vector<Repository> repositories;
  CODEXMEM_ASSIGN(const std::string text, read_file(set / "repos.tsv"));
  for (const std::string_view line : split(text, '\n')) {
    const auto fields = split(line, '\t');
    if (fields.size() <= kFolder) continue;
    Repository repository;
    repository.name = fields[0];
    if (!names.empty() && std::ranges::find(names, repository.name) == names.end()) continue;
    repository.language = fields[kLanguage];
    repository.root = checkouts / repository.name / fields[kFolder];
    CODEXMEM_ASSIGN(repository.tasks, read_tasks(set / "annotations" / (repository.name + ".tsv")));
    for (Task& task : repository.tasks) {
      for (Target& target : task.targets) find_code_line(repository.root, &target);
    }
    repositories.push_back(std::move(repository));
  }
  return repositories;
}

Result<int> run_all(int argc, char** argv) {
  Options options;
  std::vector<std::string> operands;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const auto next = [&] { return std::string(i + 1 < argc ? argv[++i] : ""); };
    if (argument == "--results") {
      options.results = next();
    } else if (argument == "--off") {
      options.off = off_bits(next());
    } else if (argument == "--threshold") {
      options.threshold = std::stod(next());
    } else if (argument == "--hits") {
      options.hits = std::stoul(next());
    } else if (argument == "--steps") {
      options.steps = true;
    } else if (argument == "--ablation") {
      options.ablation = true;
    } else if (argument == "--no-index") {
      options.index = false;
    } else if (argument == "--no-vectors") {
      options.vectors = false;
    } else if (argument == "--verbose") {
      options.verbose = true;
    } else if (argument.starts_with("--")) {
      return Error{ErrorCode::kInvalidArgument, "what is " + std::string(argument) + "?"};
    } else {
      operands.emplace_back(argument);
    }
  }
  if (operands.size() < 2) {
    return Error{ErrorCode::kInvalidArgument,
                 "usage: search_bench [--steps | --ablation] [--off PART,...] [--no-vectors]"
                 " [--no-index] [--hits N] [--threshold T] [--verbose] [--results FILE]"
                 " SET CHECKOUTS [NAME...]"};
  }
  CODEXMEM_ASSIGN(std::vector<Repository> repositories,
                  read_set(operands[0], operands[1], {operands.begin() + 2, operands.end()}));
  for (Repository& repository : repositories) {
    CODEXMEM_ASSIGN(repository.workspace, store::Workspace::open(repository.root));
    if (!options.index) continue;
    CODEXMEM_TRY(index::index_repository(*repository.workspace));
  }
  if (options.steps) {
    CODEXMEM_TRY(print_steps(repositories, options));
    return 0;
  }
  if (options.ablation) {
    CODEXMEM_TRY(print_ablation(repositories, options));
    return 0;
  }
  std::ofstream results;
  if (!options.results.empty()) results.open(options.results);
  CODEXMEM_ASSIGN(const Run done, run(repositories, options, options.off, &results));
  print(done);
  return 0;
}

}  // namespace
}  // namespace codexmem::search

int main(int argc, char** argv) {
  const auto done = codexmem::search::run_all(argc, argv);
  if (done.ok()) return *done;
  fmt::print(stderr, "search_bench: {}\n", done.error().message());
  return 2;
}
