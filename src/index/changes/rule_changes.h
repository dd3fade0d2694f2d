// index/changes/rule_changes.h - finds rules that a change breaks: places that violate one only
// afterwards.
//
// One thread. Design: docs/how-it-works.md, "Rules, revisions, history".
#pragma once

#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "graph/imports/code_rules.h"
#include "graph/stored/facts_cache.h"
#include "index/changes/change_check.h"
#include "store/code/store_reader.h"

namespace codexmem::index {

class RuleChanges {
 public:
  /// `files`: the changed files that still exist. All arguments must outlive this object.
  RuleChanges(graph::FactsCache& cache, store::StoreReader& after,
              const std::set<std::string>& files, std::stop_token stop);

  /// Finds the places in the files that violate one of `rules`, which must outlive this object.
  /// Errors: kCancelled; as the store.
  Result<void> find(const std::vector<GivenRule>& rules);

  /// True when no rule is violated; the previous state is then not needed.
  bool empty() const { return broken_.empty(); }

  /// The new violations: for each file and name, as many as before are old. A missing symbol is
  /// found in the previous state. Errors: as above.
  Result<std::vector<ChangeFinding>> keep_new(store::StoreReader& before);

 private:
  using Broken = std::pair<const GivenRule*, graph::RuleState>;

  Result<void> keep_new_of(const Broken& broken, graph::RuleCheck& check,
                           store::StoreReader& before, std::vector<ChangeFinding>& findings);

  graph::RuleCheck check_;
  store::StoreReader& after_;
  const std::set<std::string>& files_;
  std::stop_token stop_;
  std::vector<Broken> broken_;
};

}  // namespace codexmem::index
