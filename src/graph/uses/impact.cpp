// Tested by graph/impact_test.cpp.
#include "graph/uses/impact.h"

#include <algorithm>
#include <deque>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace codexmem::graph {
namespace {

class ImpactSearch {
 public:
  ImpactSearch(FactsCache& cache, store::CodeReader& reader, const ImpactLimits& limits,
               const std::stop_token& stop)
      : cache_(cache), reader_(reader), limits_(limits), stop_(stop) {}

  Result<Impact> run(const std::vector<ImpactSeed>& seeds) {
    for (const ImpactSeed& seed : seeds) {
      seen_.emplace(seed.path, seed.name);
      steps_.push_back({seed, 0, Confidence::kResolved});
    }
    while (!steps_.empty()) {
      const Step step = std::move(steps_.front());
      steps_.pop_front();
      if (followed_ == limits_.most || std::chrono::steady_clock::now() > limits_.deadline) {
        ++impact_.not_followed;
        continue;
      }
      ++followed_;
      CODEXMEM_TRY(follow(step));
    }
    for (auto& [place, code] : found_) impact_.code.push_back(std::move(code));
    std::ranges::sort(impact_.code, [](const AffectedCode& a, const AffectedCode& b) {
      return std::tie(a.depth, b.confidence, b.uses, a.path, a.first) <
             std::tie(b.depth, a.confidence, a.uses, b.path, b.first);
    });
    return std::move(impact_);
  }

 private:
  struct Step {
    ImpactSeed from;
    std::size_t depth = 0;  // of `from`
    Confidence confidence = Confidence::kResolved;
  };

  Result<void> follow(const Step& step) {
    ReferenceQuery query{.symbol = step.from.name, .file_path = step.from.path};
    if (step.from.line != 0) query.line = step.from.line;
    query.include_definitions = false;
    query.min_confidence = Confidence::kLikely;
    auto answer = find_references(cache_, reader_, query, stop_);
    // A file that is gone since: its row is not there, and nothing is known of it.
    if (!answer.ok() && answer.error().code() == ErrorCode::kNotFound) return {};
    if (!answer.ok()) return std::move(answer).error();
    if (step.depth == 0) impact_.account.add(answer->account);
    for (const ReferenceItem& item : answer->items) {
      if (item.kind == UsageKind::kImport || item.kind == UsageKind::kDoc) continue;
      if (item.path == step.from.path && item.container == step.from.name) continue;
      add(step, item);
    }
    return {};
  }

  void add(const Step& step, const ReferenceItem& item) {
    const Confidence confidence = std::min(step.confidence, item.confidence);
    const std::pair place(item.path, item.container);
    const auto [found, is_new] = found_.try_emplace(place);
    AffectedCode& code = found->second;
    const std::size_t depth = step.depth + 1;
    if (is_new) {
      code = {item.path, item.container, item.position, 0,
              depth,     confidence,     item.kind,     step.from.name};
    }
    if (code.depth != depth) return;
    ++code.uses;
    if (confidence > code.confidence) {
      code.confidence = confidence;
      code.kind = item.kind;
      code.via = step.from.name;
    }
    code.first = std::min(code.first, item.position);
    if (!is_new || depth >= limits_.depth || item.container.empty()) return;
    if (seen_.insert(place).second) {
      steps_.push_back({{item.path, item.container, 0}, depth, confidence});
    }
  }

  FactsCache& cache_;
  store::CodeReader& reader_;
  const ImpactLimits& limits_;
  const std::stop_token& stop_;
  std::deque<Step> steps_;
  std::set<std::pair<std::string, std::string>> seen_;  // path and name of steps
  std::map<std::pair<std::string, std::string>, AffectedCode> found_;
  std::size_t followed_ = 0;
  Impact impact_;
};

}  // namespace

Result<Impact> find_impact(FactsCache& cache, store::CodeReader& reader,
                           const std::vector<ImpactSeed>& seeds, const ImpactLimits& limits,
                           const std::stop_token& stop) {
  return ImpactSearch(cache, reader, limits, stop).run(seeds);
}

Result<std::map<std::string, std::size_t>> find_importing_files(
    store::CodeReader& reader, const std::vector<std::string>& paths, std::size_t depth) {
  std::unordered_map<std::int64_t, std::vector<store::FileId>> importers;
  CODEXMEM_TRY(reader.visit_imports([&](store::FileId source, store::FileId target) {
    importers[static_cast<std::int64_t>(target)].push_back(source);
  }));
  std::unordered_map<std::int64_t, std::size_t> steps;
  std::deque<store::FileId> open;
  for (const std::string& path : paths) {
    CODEXMEM_ASSIGN(const auto file, reader.find_file(path));
    if (file && steps.emplace(static_cast<std::int64_t>(file->id), 0).second) {
      open.push_back(file->id);
    }
  }
  std::map<std::string, std::size_t> found;
  while (!open.empty()) {
    const store::FileId file = open.front();
    open.pop_front();
    const std::size_t next = steps.at(static_cast<std::int64_t>(file)) + 1;
    if (next > depth) continue;
    for (const store::FileId importer : importers[static_cast<std::int64_t>(file)]) {
      if (!steps.emplace(static_cast<std::int64_t>(importer), next).second) continue;
      open.push_back(importer);
      CODEXMEM_ASSIGN(const auto row, reader.find_file(importer));
      if (row) found.emplace(row->path, next);
    }
  }
  return found;
}

}  // namespace codexmem::graph
