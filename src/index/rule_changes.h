// index/rule_changes.h - rules that a change breaks: places that break one now and did not before.
//
// One thread. Design: docs/design/rules.md.
#pragma once

#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "graph/code_rules.h"
#include "graph/facts_cache.h"
#include "index/change_check.h"
#include "store/code/store_reader.h"

namespace codexmem::index {

class RuleChanges {
 public:
  /// `files`: what the change leaves of the files that it touches. All outlive this.
  RuleChanges(graph::FactsCache& cache, store::StoreReader& after,
              const std::set<std::string>& files, std::stop_token stop);

  /// Finds the places among the files that break one of `rules`, which outlive this. Errors:
  /// kCancelled; those of the store.
  Result<void> find(const std::vector<GivenRule>& rules);

  /// True when no rule is broken: the state before is not needed then.
  bool empty() const { return broken_.empty(); }

  /// The places that are more than there were: of those in one file and of one name as many as
  /// before are old. A symbol that is missing is found where it was. Errors: as above.
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
