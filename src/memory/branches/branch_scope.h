// memory/branches/branch_scope.h - the part of the memory that one work tree sees.
//
// A document that was written on a branch is staged until the branch is merged
// (store/user/branches.h): until then it is seen on that branch, and where its commits are. Who
// knows git says which stages are seen (ask/memory_branches.h); this says what follows for
// documents. A scope never changes; safe to use from many threads. Design: docs/team.md.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "memory/entries/records.h"
#include "store/user/branches.h"

namespace codexmem::memory {

using store::BranchPlace;
using store::BranchStage;
using store::StageId;

/// A place as JSON, for the worker's queue; nothing for other texts.
std::string place_json(const BranchPlace& place);
std::optional<BranchPlace> read_place(std::string_view json);

/// What a work tree sees of the stages.
struct BranchSight {
  /// Where it writes to; nothing on the default branch, or outside of git.
  std::optional<BranchPlace> place = {};
  /// The stages it sees, besides the one of `place`.
  std::set<StageId> seen = {};
  bool sees_all = false;  // it is nobody's work tree: a person looks at all that there is
};

class BranchScope {
 public:
  /// Nothing is hidden.
  BranchScope() = default;

  /// Errors: the store's.
  static Result<BranchScope> read(store::Database& database, const BranchSight& sight);

  bool is_hidden(DocumentKey key) const { return hidden_.contains(key); }
  bool hides_any() const { return !hidden_.empty(); }
  bool changes_any() const { return hides_any() || !replaced_.empty(); }
  const std::set<DocumentKey>& hidden() const { return hidden_; }

  /// The branch to which a document belongs that is not merged; "(no branch)" for one that was
  /// written without any; empty: it is everybody's.
  std::string branch_of(DocumentKey key) const;

  /// The decision as it is seen here: superseded, if a decision of this branch supersedes it.
  void adapt(store::Decision& decision) const;
  /// The decision of this branch that supersedes the decision `key`.
  std::optional<DecisionKey> successor_of(DecisionKey key) const;

  /// A decision that is active here on a target of a project, and that `but` does not name.
  Result<std::optional<store::Decision>> find_active(store::Database& database,
                                                     std::string_view project,
                                                     std::string_view target_key,
                                                     std::span<const std::string> but = {}) const;

 private:
  std::set<DocumentKey> hidden_;
  std::map<DocumentKey, std::string> branches_;
  std::map<DecisionKey, store::HeldLink> replaced_;  // by the one that is superseded here
};

/// Makes a document everybody's. `how` says why, for display. Returns the id of the decision that
/// its target has by now and that it does not supersede: then nothing is changed. Errors: the
/// store's.
Result<std::optional<std::string>> land_document(store::Database& database, DocumentKey key,
                                                 std::string_view how, std::int64_t now_ms);

/// Makes the documents of `stage`, whose branch is merged, everybody's. `how` says how, for
/// display. A decision stays if its target has another one by now that it does not supersede: then
/// the stage stays too, and its `why` names the other. Errors: the store's.
Result<void> land_stage(store::Database& database, const BranchStage& stage, std::string_view how,
                        std::int64_t now_ms);

}  // namespace codexmem::memory
