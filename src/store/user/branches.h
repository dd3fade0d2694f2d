// store/user/branches.h - documents that were written on a branch which is not merged.
//
// A stage is the state of a branch at which documents were written; documents of one stage are
// merged together. A document without a stage is everybody's. Until a staged decision is merged,
// the decisions that it supersedes hold elsewhere, so these links are held back too. Design:
// docs/team.md, "Memory of branches".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/database.h"
#include "store/user/decisions.h"
#include "store/user/records.h"

namespace codexmem::store {

enum class StageId : std::int64_t {};

/// Where a document is written: a branch and the commit that is checked out. Commits are in hex.
struct BranchPlace {
  std::string repository;  // git's common folder
  std::string branch;      // empty: no branch is checked out
  std::string head;        // empty: none was made yet
  std::string birth;       // how git's log of the branch begins; empty: not known
  bool is_own = false;     // the default branch does not have `head`
  bool operator==(const BranchPlace&) const = default;
};

struct BranchStage {
  StageId id{};
  BranchPlace place;
  std::int64_t made_at_ms = 0;  // of its first document
  std::string carrier;          // the first commit after it; empty: not known
  std::string files, patch;     // of the carrier, or of `head`: its files, its patch id
  std::string signature;        // that commit's author, time and subject; empty: not known
  std::string tip;              // the branch as it was last seen; empty: never
  bool is_aside = false;        // the branch is gone
  std::string why;              // it waits, for display
  std::string judged;           // the state of git for which it was judged
  bool operator==(const BranchStage&) const = default;
};
void visit_fields(FieldsOf<BranchStage> auto& stage, auto&& visit) {
  visit("repository", stage.place.repository)("branch", stage.place.branch);
  visit("head", stage.place.head)("birth", stage.place.birth);
  visit("is_own", stage.place.is_own)("made_at_ms", stage.made_at_ms);
  visit("carrier", stage.carrier)("files", stage.files)("patch", stage.patch);
  visit("signature", stage.signature);
  visit("tip", stage.tip)("is_aside", stage.is_aside)("why", stage.why)("judged", stage.judged);
}

/// The stages of a repository, or of all (empty), oldest first.
Result<std::vector<BranchStage>> list_stages(Database& database, std::string_view repository);

Result<bool> has_staged_documents(Database& database);

struct StagedDocument {
  DocumentKey key{};
  StageId stage{};
};
/// By document; one may have several stages.
Result<std::vector<StagedDocument>> list_staged_documents(Database& database);

/// The stages of one document. Imports and edits take them over.
Result<std::vector<BranchStage>> list_stages_of(Database& database, DocumentKey key);

/// A staged decision that is active, and the decision that it supersedes where it is seen.
struct HeldLink {
  DecisionKey key{}, old{};
  std::string id;  // of `key`
};
Result<std::vector<HeldLink>> list_held_links(Database& database);

// Writing: inside the caller's transaction.

/// Notes that the document `key` was written at `place`.
Result<void> stage_document(Database& database, DocumentKey key, const BranchPlace& place,
                            std::int64_t now_ms);
/// Notes that `key` belongs to `stage` of this or another store.
Result<void> stage_document(Database& database, DocumentKey key, const BranchStage& stage);

/// Notes that `key` belongs to everybody. Nothing happens to links of decisions.
Result<void> unstage_document(Database& database, DocumentKey key);

/// Writes all but the id and the place's commit.
Result<void> update_stage(Database& database, const BranchStage& stage);

/// Removes stages without documents.
Result<void> remove_empty_stages(Database& database);

/// Makes a staged decision everybody's: marks it, and turns its links into real ones, but those to
/// decisions that are staged themselves.
Result<void> release_decision(Database& database, DecisionKey key);

}  // namespace codexmem::store
