// memory/decisions/decisions.h - what was decided, and what took its place.
//
// One decision at most is active for a target of a project. A decision never changes: another one
// supersedes it. Proposals are drafts that an admin may accept. Every call is checked against the
// caller's role, and noted in the audit log. Errors begin with the names of the contract
// (spec/decisions.md):
//
//   Permission Denied, Isolation Violation, Rate limit exceeded,
//   PI1 Violation, CONFLICT, a secret (privacy/policy.h)          kBlocked
//   a text that is too short, a malformed id, a decision
//   that is not in the state or of the target that is needed     kInvalidArgument
//   no decision with this id                                     kNotFound
//   and the store's                                       kBusy, kIo, kCorrupt
//
// Whatever fails has changed nothing but the audit log. Safe to call from many threads, and from
// many processes on one store. Design: docs/how-it-works.md, "Decisions".
//
// Limits: roles hold back programs that keep to the tools; a program that writes the store's files
// is not held back. A target under two names is two targets. The cooldown counts in one process.
// Each search reads all decisions: 10,000 of 65 words take 0.19 s on two busy cores (2026-11-22).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/settings.h"
#include "memory/branches/branch_access.h"
#include "memory/clock.h"
#include "memory/decisions/decision_audit.h"
#include "memory/decisions/decision_records.h"
#include "memory/decisions/decision_roles.h"
#include "memory/decisions/decision_similarity.h"
#include "memory/documents/document_vectors.h"
#include "memory/entries/entries.h"
#include "memory/entries/records.h"
#include "store/user/user_store.h"

namespace codexmem::memory {

/// A decision to be recorded. Lengths are counted in code points, white space at the ends apart.
/// Texts may be ill-formed UTF-8: they are repaired. Private parts are taken out.
struct NewDecision {
  std::string project;    // empty: "default"
  std::string title;      // at least 1
  std::string target;     // at least 1
  std::string rationale;  // at least 10; of one that supersedes, 15
  std::vector<std::string> consequences;
  /// Code that is cited by name: paths, and symbols (name, Class.method, path::name).
  std::vector<std::string> cited_files, cited_symbols;
};

/// A draft for an admin to accept.
struct NewProposal {
  NewDecision decision;
  std::vector<std::string> replaces;  // ids of active decisions that accepting it supersedes
  std::vector<EntryId> evidence;
};

/// Strict: active decisions alone. Balanced: one decision a target, the active one if there is one;
/// a superseded one is replaced by the newest of its chain. Audit: all.
enum class DecisionMode : std::uint8_t { kStrict, kBalanced, kAudit };
/// "strict", "balanced", "audit".
std::string_view mode_name(DecisionMode mode);
std::optional<DecisionMode> parse_mode(std::string_view name);

struct DecisionSearch {
  std::string query;       // not empty
  std::size_t limit = 5;   // 1 to 20
  std::size_t offset = 0;  // of the best ones, that are passed over
  DecisionMode mode = DecisionMode::kBalanced;
  std::vector<std::string> projects;  // none: every project
};

struct DecisionHit {
  std::string id;
  double score = 0;  // four decimals; active ones in [1, 2.1], others in [0, 0.5]
  std::string status, kind;
  std::string preview;  // "title: rationale", at most 240 code points, redacted
  std::string target, project, title, source;
  std::int64_t created_at_ms = 0;
  DecisionKey key{};
  std::string branch;  // that it belongs to, if that is not merged
};

struct DecisionAnswer {
  std::vector<DecisionHit> hits;  // by score, ties newer first
  std::size_t beyond = 0;         // further ones of the candidates, which the limit cut
  std::string degraded;  // why meaning could not be compared; empty: it could, or is not wanted
};

struct Acceptance {
  std::string decision_id;  // the proposal's decision
};

/// What reflection has done with the proposals of a project.
struct Reflection {
  std::vector<std::string> proposed, rejected, falsified;  // ids
  std::size_t weighed = 0;                                 // drafts whose confidence changed
};

/// Looks at a decision before its transaction, and returns the writer of related rows; the
/// writer may be empty. What it fails with, the call fails with.
using DecisionHook = std::function<Result<DocumentWriter>(const NewDecision&)>;

struct DecisionOptions {
  Clock clock;                                 // required: the time of day
  std::function<std::int64_t()> monotonic_ms;  // empty: the steady clock
  std::int64_t cooldown_ms = 2'000;  // between successful writes by record, supersede, accept
  /// When one of those that share this wrote last, by monotonic_ms; null: they share with nobody.
  std::shared_ptr<std::atomic<std::int64_t>> last_write_ms = {};
  std::filesystem::path files;                   // decisions are also written here; empty: nowhere
  const SimilaritySource* similarity = nullptr;  // null: by words and stored vectors
};

/// Puts CODEXMEM_DECISION_COOLDOWN_MS and CODEXMEM_DECISIONS_DIR into `options`. Errors:
/// kInvalidArgument when the former is no number of milliseconds.
Result<void> read_settings(const ReadSetting& setting, DecisionOptions* options);

/// A last_write_ms before any write.
inline constexpr std::int64_t kNeverWritten = INT64_MIN;

class Decisions {
 public:
  /// `store`, `vectors`, `branches` and what `options` points to outlive this. Null: nothing is
  /// staged.
  Decisions(store::UserStore& store, const DocumentVectors& vectors, DecisionOptions options,
            const BranchAccess* branches = nullptr);

  /// Records a decision and returns its id. Needs the role agent. CONFLICT when its target has an
  /// active one. On a branch that is not merged it holds there, and elsewhere the one that it
  /// supersedes (memory/branches/branch_scope.h).
  Result<std::string> record(const Caller& caller, NewDecision decision,
                             const DecisionHook& hook = {});

  /// Puts a decision in the place of those with `old_ids` and returns its id. Needs the role agent;
  /// these must be all active ones of its target in its project, and a human's decision is not an
  /// agent's to supersede.
  Result<std::string> supersede(const Caller& caller, NewDecision decision,
                                const std::vector<std::string>& old_ids,
                                const DecisionHook& hook = {});

  /// The decisions about `search.query`. Every role may.
  Result<DecisionAnswer> search(const Caller& caller, const DecisionSearch& search,
                                std::stop_token stop = {});

  /// Makes a decision of a draft. Needs the role admin, and that the draft, unless a human wrote
  /// it, was first observed an hour ago. A decision that is active on the target is superseded if
  /// the proposal names it, else CONFLICT.
  Result<Acceptance> accept(const Caller& caller, std::string_view proposal_id,
                            const DecisionHook& hook = {});

  /// Writes down a draft and returns its id. Needs the role agent.
  Result<std::string> propose(const Caller& caller, NewProposal proposal,
                              const DecisionHook& hook = {});

  /// Ends an active decision without another. Needs the role admin. `reason` may be empty.
  Result<void> deprecate(const Caller& caller, std::string_view id, std::string_view reason);

  /// Makes a decision of a branch everybody's, though the branch is not merged. Needs the role
  /// admin. CONFLICT when its target has another one that it does not supersede.
  Result<void> release(const Caller& caller, std::string_view id);

  /// Ends a draft. Needs the role admin.
  Result<void> reject(const Caller& caller, std::string_view proposal_id, std::string_view reason);

  /// Weighs the drafts of a project, and makes new ones, from what was observed in a session of it
  /// that has ended (memory/recall/reflection.h). Calling it twice changes nothing more.
  Result<Reflection> reflect(std::string_view content_session_id);

  // Reading, for people; redacted, and not noted in the audit log.

  /// The decision or proposal with this id.
  Result<Decision> get(std::string_view id);
  /// `filter.target` is compared as targets are. As they are seen on the branch, or from another
  /// work tree.
  Result<std::vector<Decision>> list(DecisionFilter filter, const BranchAccess* other = nullptr);
  /// What it went through, oldest first.
  Result<std::vector<StatusChange>> history(std::string_view id);
  /// The newest calls first; before `before_id` unless it is 0.
  Result<std::vector<AuditRow>> audit(std::size_t limit, std::int64_t before_id = 0);

  /// Writes every decision and proposal to a file of its name in `directory` and returns how many.
  Result<std::size_t> export_files(const std::filesystem::path& directory);

 private:
  struct Call;   // one call of a tool, for the audit log
  struct Draft;  // a decision that passed every check outside of the store

  /// Notes `call` if it failed, and gives its result on.
  template <typename T>
  Result<T> finish(const Call& call, Result<T> result);
  Result<void> note(store::Database& database, const Call& call, std::string_view error) const;
  void note_failure(const Call& call, const Error& error);

  Result<Draft> prepare(const Call& call, NewDecision decision, std::size_t min_rationale) const;
  Result<void> check_cooldown() const;
  Result<DecisionKey> insert(store::Database& database, const Draft& draft, const Call& call,
                             std::string_view reason) const;
  Result<void> end_old(store::Database& database, const Decision& old, const Decision& by,
                       const Call& call) const;
  Result<std::string> try_write(const Call& call, NewDecision decision,
                                const std::vector<std::string>* old_ids);
  Result<Acceptance> try_accept(const Call& call, std::string_view proposal_id);
  Result<std::string> try_propose(const Call& call, NewProposal proposal);
  Result<void> try_end(const Call& call, std::string_view id, DecisionStatus from,
                       DecisionStatus to, std::string_view reason);
  Result<DecisionAnswer> try_search(const DecisionSearch& search, std::stop_token stop);
  void write_files(const std::vector<std::string>& ids);

  store::UserStore* store_;
  const DocumentVectors* vectors_;
  std::unique_ptr<const BranchAccess> no_branches_;
  const BranchAccess* branches_;
  DecisionOptions options_;
  std::unique_ptr<SimilaritySource> own_similarity_;
};

}  // namespace codexmem::memory
