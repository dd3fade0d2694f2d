// Tested by git/rules_test.py.
#include "index/changes/rule_changes.h"

#include <fmt/core.h>

#include <cstdint>
#include <map>
#include <tuple>

#include "graph/uses/symbol_search.h"

namespace codexmem::index {
namespace {

ChangeFinding finding_of(const GivenRule& given, const graph::RuleBreach& breach) {
  ChangeFinding finding;
  finding.kind = ChangeFinding::Kind::kRule;
  finding.path = breach.path;
  finding.line = breach.position.line;
  finding.column = breach.position.column;
  finding.name = given.rule.text;
  finding.context = breach.context;
  finding.message = fmt::format("{} breaks \"{}\", of {}", breach.name, given.rule.text, given.of);
  return finding;
}

// Removes from `found` the breaches in new files whose text was in a deleted file: it was moved.
Result<void> drop_moved(const std::vector<graph::RuleBreach>& old, store::StoreReader& before,
                        store::StoreReader& after, std::vector<graph::RuleBreach>& found) {
  std::multiset<std::pair<std::string, std::string>> gone;
  for (const graph::RuleBreach& each : old) {
    CODEXMEM_ASSIGN(const auto still, after.find_file(each.path));
    if (!still && !each.path.empty()) gone.emplace(each.name, each.context);
  }
  std::vector<graph::RuleBreach> kept;
  for (graph::RuleBreach& each : found) {
    CODEXMEM_ASSIGN(const auto was, before.find_file(each.path));
    const auto at = was || each.path.empty() ? gone.end() : gone.find({each.name, each.context});
    if (at == gone.end()) {
      kept.push_back(std::move(each));
    } else {
      gone.erase(at);
    }
  }
  found = std::move(kept);
  return {};
}

// The breaches in `now` beyond the previous ones: for each file and name, as many as before are
// old, first those with the same text.
std::vector<graph::RuleBreach> new_breaches(const std::vector<graph::RuleBreach>& now,
                                            const std::vector<graph::RuleBreach>& before) {
  std::multiset<std::tuple<std::string, std::string, std::string>> same_words;
  std::map<std::pair<std::string, std::string>, std::size_t> known;
  for (const graph::RuleBreach& each : before) {
    same_words.emplace(each.path, each.name, each.context);
    ++known[{each.path, each.name}];
  }
  std::vector<graph::RuleBreach> others, found;
  for (const graph::RuleBreach& each : now) {
    const auto at = same_words.find({each.path, each.name, each.context});
    if (at == same_words.end()) {
      others.push_back(each);
      continue;
    }
    same_words.erase(at);
    --known[{each.path, each.name}];
  }
  for (graph::RuleBreach& each : others) {
    std::size_t& left = known[{each.path, each.name}];
    if (left > 0) {
      --left;  // its line was edited
    } else {
      found.push_back(std::move(each));
    }
  }
  return found;
}

}  // namespace

RuleChanges::RuleChanges(graph::FactsCache& cache, store::StoreReader& after,
                         const std::set<std::string>& files, std::stop_token stop)
    : check_(cache, after, &files, stop), after_(after), files_(files), stop_(std::move(stop)) {}

Result<void> RuleChanges::find(const std::vector<GivenRule>& rules) {
  for (const GivenRule& given : rules) {
    CODEXMEM_ASSIGN(graph::RuleState state, check_.run(given.rule, SIZE_MAX));
    if (state.total > 0) broken_.emplace_back(&given, std::move(state));
  }
  return {};
}

Result<std::vector<ChangeFinding>> RuleChanges::keep_new(store::StoreReader& before) {
  graph::FactsCache cache;
  graph::RuleCheck check(cache, before, &files_, stop_);
  std::vector<ChangeFinding> findings;
  for (const Broken& broken : broken_) {
    CODEXMEM_TRY(keep_new_of(broken, check, before, findings));
  }
  return findings;
}

Result<void> RuleChanges::keep_new_of(const Broken& broken, graph::RuleCheck& check,
                                      store::StoreReader& before,
                                      std::vector<ChangeFinding>& findings) {
  const auto& [given, state] = broken;
  CODEXMEM_ASSIGN(const graph::RuleState old, check.run(given->rule, SIZE_MAX));
  std::vector<graph::RuleBreach> breaches = new_breaches(state.breaches, old.breaches);
  CODEXMEM_TRY(drop_moved(old.breaches, before, after_, breaches));
  for (const graph::RuleBreach& breach : breaches) {
    ChangeFinding finding = finding_of(*given, breach);
    if (breach.path.empty()) {
      CODEXMEM_ASSIGN(const auto was,
                      graph::find_symbols(before, {.symbol = breach.name, .limit = 1}));
      if (was.results.empty()) continue;
      finding.path = was.results.front().path;
      finding.line = was.results.front().symbol.name_start.line;
      finding.column = was.results.front().symbol.name_start.column;
      finding.message = fmt::format("{} is gone, which breaks \"{}\", of {}", breach.name,
                                    given->rule.text, given->of);
    }
    findings.push_back(std::move(finding));
  }
  return {};
}

}  // namespace codexmem::index
