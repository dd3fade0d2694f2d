// Every writing call goes the same way: role, lengths, policy, the citations' hook and the vector
// before the store is locked; then, in one transaction, cooldown, rules, rows, history, the row of
// the audit log. What fails is noted in a transaction of its own.
//
// That no chain of decisions has a cycle needs no check: a decision supersedes only as it is made.
//
// Tested by memory/decisions_test.cpp and memory/decision_histories_test.cpp.
#include "memory/decisions/decisions.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>

#include "base/log.h"
#include "base/now.h"
#include "base/text.h"
#include "memory/decisions/decision_text.h"
#include "privacy/gate.h"

namespace codexmem::memory {

struct Decisions::Call {
  Caller caller;
  std::string_view tool;
  AuditArguments arguments = {};
  const DecisionHook* hook = nullptr;  // may be null or empty

  Result<DocumentWriter> look_at(const NewDecision& decision) const {
    return hook != nullptr && *hook ? (*hook)(decision) : DocumentWriter();
  }

  std::string role() const {
    return caller.is_at_shell ? fmt::format("{} (shell)", role_name(caller.role))
                              : std::string(role_name(caller.role));
  }
};

struct Decisions::Draft {
  Decision decision;
  std::string codes;  // of the vector; may be empty
  DocumentWriter also_write;
  std::optional<BranchPlace> place;  // the branch on which it holds; nothing: everywhere
};

namespace {

constexpr std::size_t kMinRationale = 10;
constexpr std::size_t kMinSupersedingRationale = 15;
constexpr std::size_t kMaxOldIds = 100;
constexpr std::size_t kMaxListed = 100'000;
constexpr std::int64_t kReviewWindowMs = 3'600'000;
constexpr std::chrono::milliseconds kSearchLogTimeout{1'000};

Error blocked(std::string message) { return Error{ErrorCode::kBlocked, std::move(message)}; }

Result<void> check_role(const Caller& caller, Role needed, std::string_view tool) {
  if (caller.role >= needed) return {};
  const bool is_viewer = caller.role == Role::kViewer;
  const std::string why = caller.why_viewer.empty()
                              ? "agent and admin need AGENT_MEMORY_SECRET to be set"
                              : caller.why_viewer;
  return blocked(fmt::format("Permission Denied: {} needs the role {}, and this is {}{}", tool,
                             role_name(needed), role_name(caller.role),
                             is_viewer ? " (" + why + ")" : ""));
}

Result<void> check_length(std::string_view name, std::string_view text, std::size_t least,
                          std::size_t most_bytes) {
  const std::size_t length = code_point_count(text);
  if (length < least) {
    return invalid_argument(fmt::format("{} must have at least {} character{}, got {}", name, least,
                                        least == 1 ? "" : "s", length));
  }
  return check_size(name, text, most_bytes);
}

Result<void> check_policy(const NewDecision& decision) {
  privacy::Inspection inspection;
  inspection.add("project", decision.project);
  inspection.add("title", decision.title);
  inspection.add("target", decision.target);
  inspection.add("rationale", decision.rationale);
  inspection.add("consequences", decision.consequences);
  inspection.add("files", decision.cited_files);
  inspection.add("symbols", decision.cited_symbols);
  return inspection.check();
}

Error conflict(std::string_view target, const Decision& active) {
  return blocked(
      fmt::format("CONFLICT: Active decisions for target '{}' exist: [{}]", target, active.id));
}

Result<Decision> get_decision(store::Database& database, std::string_view id) {
  CODEXMEM_ASSIGN(const std::string name, parse_decision_id(id));
  CODEXMEM_ASSIGN(std::optional<Decision> found, find_decision(database, name));
  if (!found) return Error{ErrorCode::kNotFound, fmt::format("Decision {} not found", name)};
  return *std::move(found);
}

// `old` is what `decision` may take the place of.
Result<void> check_supersedable(const Caller& caller, const Decision& old,
                                const Decision& decision) {
  if (old.source == DecisionSource::kHuman && caller.role != Role::kAdmin) {
    return blocked(fmt::format("Isolation Violation: Decision {} created by HUMAN.", old.id));
  }
  // One that lost to another branch's decision, and that nothing has superseded, may be settled
  // too.
  const bool is_rival = old.status == DecisionStatus::kSuperseded && old.superseded_by.empty();
  if (old.status != DecisionStatus::kActive && !is_rival) {
    return invalid_argument(
        fmt::format("{} is not an active decision: it is {}{}", old.id, status_name(old.status),
                    old.superseded_by.empty() ? "" : " by " + old.superseded_by));
  }
  if (old.project != decision.project) {
    return invalid_argument(fmt::format("{} belongs to project '{}', not to '{}'", old.id,
                                        old.project, decision.project));
  }
  if (old.target_key != decision.target_key) {
    return invalid_argument(fmt::format("{} is about target '{}', not about '{}'", old.id,
                                        old.target, decision.target));
  }
  return {};
}

// For those who read: as it is seen in `scope`, and without what a newer rule knows for a secret.
Decision shown(Decision decision, const BranchScope& scope) {
  scope.adapt(decision);
  decision.branch = scope.branch_of(document_key(decision.key));
  for (std::string* text : {&decision.title, &decision.target, &decision.rationale}) {
    *text = privacy::redacted(*text);
  }
  for (std::string& text : decision.consequences) text = privacy::redacted(text);
  return decision;
}

// The decisions that pass `filter`, as they are seen in `scope`.
Result<std::vector<Decision>> list_seen(store::Database& database, const DecisionFilter& filter,
                                        const BranchScope& scope) {
  if (!scope.changes_any()) return list_decisions(database, filter);
  DecisionFilter all = filter;
  all.statuses.clear();
  all.offset = 0;
  all.limit = kMaxListed;
  CODEXMEM_ASSIGN(std::vector<Decision> decisions, list_decisions(database, all));
  for (Decision& decision : decisions) scope.adapt(decision);  // by its status it is filtered
  std::erase_if(decisions, [&](const Decision& decision) {
    const auto& statuses = filter.statuses;
    return scope.is_hidden(document_key(decision.key)) ||
           (!statuses.empty() && std::ranges::find(statuses, decision.status) == statuses.end());
  });
  decisions.erase(decisions.begin(), decisions.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                             filter.offset, decisions.size())));
  if (decisions.size() > filter.limit) decisions.resize(filter.limit);
  return decisions;
}

void add_arguments(AuditArguments& arguments, const NewDecision& decision) {
  arguments.add("project", decision.project);
  arguments.add("title", decision.title);
  arguments.add("target", decision.target);
  arguments.add("rationale", decision.rationale);
  arguments.add("consequences", decision.consequences);
}

}  // namespace

Result<void> read_settings(const ReadSetting& setting, DecisionOptions* options) {
  if (const std::string files = setting("CODEXMEM_DECISIONS_DIR"); !files.empty()) {
    options->files = files;
  }
  const std::string cooldown = setting("CODEXMEM_DECISION_COOLDOWN_MS");
  if (cooldown.empty()) return {};
  const std::string_view text = trim(cooldown);
  std::uint32_t milliseconds = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), milliseconds);
  if (failed != std::errc() || end != text.data() + text.size()) {
    return invalid_argument(fmt::format(
        "CODEXMEM_DECISION_COOLDOWN_MS must be a number of milliseconds, got '{}'", cooldown));
  }
  options->cooldown_ms = milliseconds;
  return {};
}

Decisions::Decisions(store::UserStore& store, const DocumentVectors& vectors,
                     DecisionOptions options, const BranchAccess* branches)
    : store_(&store), vectors_(&vectors), branches_(branches), options_(std::move(options)) {
  if (branches_ == nullptr) {
    no_branches_ = std::make_unique<const BranchAccess>(store, BranchSource{}, options_.clock,
                                                        std::filesystem::path());
    branches_ = no_branches_.get();
  }
  if (!options_.monotonic_ms) options_.monotonic_ms = steady_ms;
  if (options_.last_write_ms == nullptr) {
    options_.last_write_ms = std::make_shared<std::atomic<std::int64_t>>(kNeverWritten);
  }
  if (options_.similarity == nullptr) {
    own_similarity_ = std::make_unique<StoredSimilarity>(vectors);
    options_.similarity = own_similarity_.get();
  }
}

// ---- The audit log

Result<void> Decisions::note(store::Database& database, const Call& call,
                             std::string_view error) const {
  AuditRow row;
  row.at_ms = options_.clock();
  row.role = call.role();
  row.tool = call.tool;
  row.is_allowed = true;
  row.arguments = call.arguments.json();
  row.error = error;
  return add_audit(database, row);
}

void Decisions::note_failure(const Call& call, const Error& error) {
  // A store that others keep locked is not waited for once more.
  if (error.code() == ErrorCode::kBusy) return;
  const auto write = [&]() -> Result<void> {
    CODEXMEM_ASSIGN(store::UserTransaction writer, store_->begin());
    AuditRow row;
    row.at_ms = options_.clock();
    row.role = call.role();
    row.tool = call.tool;
    row.is_allowed = error.code() != ErrorCode::kBlocked;
    // What a secret was found in is not kept in any form.
    row.arguments = error.details().empty() ? call.arguments.json() : error.details();
    row.error = privacy::redacted(error.message());
    CODEXMEM_TRY(add_audit(*writer, row));
    return writer.commit();
  };
  if (const auto written = write(); !written.ok()) {
    log_warn("the audit log of decisions cannot be written: {}", written.error().message());
  }
}

template <typename T>
Result<T> Decisions::finish(const Call& call, Result<T> result) {
  if (!result.ok()) note_failure(call, result.error());
  return result;
}

// ---- Writing

Result<Decisions::Draft> Decisions::prepare(const Call& call, NewDecision decision,
                                            std::size_t min_rationale) const {
  for (std::string* text :
       {&decision.project, &decision.title, &decision.target, &decision.rationale}) {
    *text = std::string(trim_unicode(privacy::cleaned(*text)));
  }
  // These are on one line, and are compared by their visible characters.
  for (std::string* text : {&decision.project, &decision.title, &decision.target}) {
    *text = fold_whitespace(*text);
  }
  if (decision.project.empty()) decision.project = "default";
  for (auto* list : {&decision.consequences, &decision.cited_files, &decision.cited_symbols}) {
    *list = privacy::cleaned(*list);
  }
  CODEXMEM_TRY(check_length("project", decision.project, 1, kMaxNameBytes));
  CODEXMEM_TRY(check_length("title", decision.title, 1, kMaxTitleBytes));
  CODEXMEM_TRY(check_length("target", decision.target, 1, kMaxTitleBytes));
  CODEXMEM_TRY(check_length("rationale", decision.rationale, min_rationale, kMaxTextBytes));
  CODEXMEM_TRY(check_list("consequences", decision.consequences));
  CODEXMEM_TRY(check_list("files", decision.cited_files));
  CODEXMEM_TRY(check_list("symbols", decision.cited_symbols));
  CODEXMEM_TRY(check_policy(decision));

  Draft draft;
  CODEXMEM_ASSIGN(draft.also_write, call.look_at(decision));
  CODEXMEM_ASSIGN(draft.codes,
                  vectors_->encode(decision.title, decision.rationale + "\n" + decision.target));
  draft.decision.source = call.caller.is_human() ? DecisionSource::kHuman : DecisionSource::kAgent;
  draft.decision.rationale = escape_marker(decision.rationale);
  if (draft.decision.source == DecisionSource::kAgent) {
    draft.decision.rationale.insert(0, kViaMcp);
  }
  draft.decision.target_key = target_key(decision.target);
  draft.decision.project = std::move(decision.project);
  draft.decision.title = std::move(decision.title);
  draft.decision.target = std::move(decision.target);
  draft.decision.consequences = std::move(decision.consequences);
  return draft;
}

Result<void> Decisions::check_cooldown() const {
  const std::int64_t last = *options_.last_write_ms;
  if (last == kNeverWritten) return {};
  const std::int64_t left = last + options_.cooldown_ms - options_.monotonic_ms();
  if (left <= 0) return {};
  return blocked(fmt::format("Rate limit exceeded: please wait {:.1f} seconds",
                             static_cast<double>((left + 99) / 100) / 10));
}

// Names the decision and adds it with all that belongs to it.
Result<DecisionKey> Decisions::insert(store::Database& database, const Draft& draft,
                                      const Call& call, std::string_view reason) const {
  CODEXMEM_ASSIGN(const DecisionKey key,
                  insert_decision(database, draft.decision, call.role(), reason));
  if (draft.place) {
    CODEXMEM_TRY(store::stage_document(database, document_key(key), *draft.place,
                                       draft.decision.created_at_ms));
  }
  CODEXMEM_TRY(vectors_->put(database, document_key(key), draft.codes));
  if (draft.also_write) CODEXMEM_TRY(draft.also_write(database, document_key(key)));
  return key;
}

// On a branch the old one goes on to hold elsewhere.
Result<void> Decisions::end_old(store::Database& database, const Decision& old, const Decision& by,
                                const Call& call) const {
  if (by.is_staged || old.status == DecisionStatus::kSuperseded) return {};
  return change_status(database, old, DecisionStatus::kSuperseded, call.role(),
                       "superseded by " + by.id, by.created_at_ms);
}

Result<std::string> Decisions::try_write(const Call& call, NewDecision decision,
                                         const std::vector<std::string>* old_ids) {
  CODEXMEM_TRY(check_role(call.caller, Role::kAgent, call.tool));
  if (old_ids != nullptr && (old_ids->empty() || old_ids->size() > kMaxOldIds)) {
    return invalid_argument(
        fmt::format("old_decision_ids must have 1 to {} ids, got {}", kMaxOldIds, old_ids->size()));
  }
  CODEXMEM_ASSIGN(Draft draft,
                  prepare(call, std::move(decision),
                          old_ids != nullptr ? kMinSupersedingRationale : kMinRationale));
  Decision& made = draft.decision;
  draft.place = branches_->decision_place();
  made.is_staged = draft.place.has_value();
  {
    CODEXMEM_ASSIGN(auto writer, store_->writer());
    CODEXMEM_TRY(check_cooldown());
    CODEXMEM_ASSIGN(auto transaction, store::Transaction::begin(*writer));
    made.created_at_ms = options_.clock();
    made.id = new_decision_id(false, made.created_at_ms);
    CODEXMEM_ASSIGN(const BranchScope scope, branches_->scope_now(*writer));
    std::vector<Decision> olds;
    if (old_ids != nullptr) {
      for (const std::string& id : *old_ids) {
        CODEXMEM_ASSIGN(Decision old, get_decision(*writer, id));
        scope.adapt(old);
        CODEXMEM_TRY(check_supersedable(call.caller, old, made));
        if (std::count(made.supersedes.begin(), made.supersedes.end(), old.id) > 0) continue;
        made.supersedes.push_back(old.id);
        olds.push_back(std::move(old));
      }
    }
    CODEXMEM_ASSIGN(const auto active,
                    scope.find_active(*writer, made.project, made.target_key, made.supersedes));
    if (active) return conflict(made.target, *active);
    for (const Decision& old : olds) CODEXMEM_TRY(end_old(*writer, old, made, call));
    CODEXMEM_TRY(insert(*writer, draft, call,
                        olds.empty()
                            ? "recorded"
                            : fmt::format("supersedes {}", fmt::join(made.supersedes, ", "))));
    CODEXMEM_TRY(note(*writer, call, ""));
    CODEXMEM_TRY(transaction.commit());
    *options_.last_write_ms = options_.monotonic_ms();
  }
  std::vector<std::string> changed = made.supersedes;
  changed.push_back(made.id);
  write_files(changed);
  return made.id;
}

Result<std::string> Decisions::record(const Caller& caller, NewDecision decision,
                                      const DecisionHook& hook) {
  Call call{caller, "record_decision", {}, &hook};
  add_arguments(call.arguments, decision);
  return finish(call, try_write(call, std::move(decision), nullptr));
}

Result<std::string> Decisions::supersede(const Caller& caller, NewDecision decision,
                                         const std::vector<std::string>& old_ids,
                                         const DecisionHook& hook) {
  Call call{caller, "supersede_decision", {}, &hook};
  add_arguments(call.arguments, decision);
  call.arguments.add("old_decision_ids", old_ids);
  return finish(call, try_write(call, std::move(decision), &old_ids));
}

Result<Acceptance> Decisions::try_accept(const Call& call, std::string_view proposal_id) {
  CODEXMEM_TRY(check_role(call.caller, Role::kAdmin, call.tool));
  Draft draft;
  Decision& made = draft.decision;
  Decision proposal;
  {
    // The proposal's texts never change, so its vector may be made before the store is locked.
    CODEXMEM_ASSIGN(auto reader, store_->reader());
    CODEXMEM_ASSIGN(proposal, get_decision(*reader, proposal_id));
  }
  made.project = proposal.project;
  made.title = proposal.title;
  made.target = proposal.target;
  made.target_key = proposal.target_key;
  made.consequences = proposal.consequences;
  made.source = DecisionSource::kHuman;
  made.rationale = fmt::format("{}\n\n(Accepted from proposal {}.)",
                               without_marker(proposal.rationale), proposal.id);
  CODEXMEM_ASSIGN(draft.codes, vectors_->encode(made.title, made.rationale + "\n" + made.target));
  NewDecision seen;
  seen.project = made.project;
  seen.title = made.title;
  seen.target = made.target;
  seen.rationale = made.rationale;
  seen.consequences = made.consequences;
  CODEXMEM_ASSIGN(draft.also_write, call.look_at(seen));
  {
    CODEXMEM_ASSIGN(auto writer, store_->writer());
    CODEXMEM_TRY(check_cooldown());
    CODEXMEM_ASSIGN(auto transaction, store::Transaction::begin(*writer));
    CODEXMEM_ASSIGN(proposal, get_decision(*writer, proposal.id));
    if (proposal.status != DecisionStatus::kDraft) {
      return invalid_argument(
          fmt::format("{} is not a draft but {}: its status is {}", proposal.id,
                      is_proposal(proposal.status) ? "an ended proposal" : "a decision",
                      status_name(proposal.status)));
    }
    made.created_at_ms = options_.clock();
    made.id = new_decision_id(false, made.created_at_ms);
    const std::int64_t age_ms = made.created_at_ms - proposal.first_observed_at_ms;
    if (proposal.source != DecisionSource::kHuman && age_ms < kReviewWindowMs) {
      return blocked(fmt::format(
          "PI1 Violation: {} was first observed {} minutes ago, and can be accepted after an hour",
          proposal.id, std::max<std::int64_t>(age_ms, 0) / 60'000));
    }
    CODEXMEM_ASSIGN(const auto active, find_active(*writer, made.project, made.target_key));
    if (active) {
      if (std::count(proposal.replaces.begin(), proposal.replaces.end(), active->id) == 0) {
        return conflict(made.target, *active);
      }
      made.supersedes = {active->id};
      CODEXMEM_TRY(end_old(*writer, *active, made, call));
    }
    CODEXMEM_TRY(insert(*writer, draft, call, "accepted from " + proposal.id));
    CODEXMEM_TRY(change_status(*writer, proposal, DecisionStatus::kAccepted, call.role(),
                               "became " + made.id, made.created_at_ms));
    CODEXMEM_TRY(store::set_converted_to(*writer, proposal.key, made.id));
    CODEXMEM_TRY(note(*writer, call, ""));
    CODEXMEM_TRY(transaction.commit());
    *options_.last_write_ms = options_.monotonic_ms();
  }
  std::vector<std::string> changed = made.supersedes;
  changed.push_back(proposal.id);
  changed.push_back(made.id);
  write_files(changed);
  return Acceptance{made.id};
}

Result<Acceptance> Decisions::accept(const Caller& caller, std::string_view proposal_id,
                                     const DecisionHook& hook) {
  Call call{caller, "accept_proposal", {}, &hook};
  call.arguments.add("proposal_id", proposal_id);
  return finish(call, try_accept(call, proposal_id));
}

Result<std::string> Decisions::try_propose(const Call& call, NewProposal proposal) {
  CODEXMEM_TRY(check_role(call.caller, Role::kAgent, call.tool));
  if (proposal.replaces.size() > kMaxOldIds) {
    return invalid_argument(fmt::format("replaces must have at most {} ids, got {}", kMaxOldIds,
                                        proposal.replaces.size()));
  }
  CODEXMEM_ASSIGN(Draft draft, prepare(call, std::move(proposal.decision), kMinRationale));
  Decision& made = draft.decision;
  made.status = DecisionStatus::kDraft;
  made.evidence = std::move(proposal.evidence);
  {
    CODEXMEM_ASSIGN(store::UserTransaction writer, store_->begin());
    made.created_at_ms = made.first_observed_at_ms = options_.clock();
    made.id = new_decision_id(true, made.created_at_ms);
    for (const std::string& id : proposal.replaces) {
      CODEXMEM_ASSIGN(const Decision old, get_decision(*writer, id));
      // Only an admin accepts, so that a human's decision may be named.
      CODEXMEM_TRY(check_supersedable({Role::kAdmin}, old, made));
      made.replaces.push_back(old.id);
    }
    CODEXMEM_TRY(insert(*writer, draft, call, "proposed"));
    CODEXMEM_TRY(note(*writer, call, ""));
    CODEXMEM_TRY(writer.commit());
  }
  write_files({made.id});
  return made.id;
}

Result<std::string> Decisions::propose(const Caller& caller, NewProposal proposal,
                                       const DecisionHook& hook) {
  Call call{caller, "propose_decision", {}, &hook};
  add_arguments(call.arguments, proposal.decision);
  call.arguments.add("replaces", proposal.replaces);
  return finish(call, try_propose(call, std::move(proposal)));
}

Result<void> Decisions::try_end(const Call& call, std::string_view id, DecisionStatus from,
                                DecisionStatus to, std::string_view reason) {
  // A person may dismiss what was proposed by itself: it holds for nobody.
  const bool may_be_dismissed = call.caller.is_at_shell && to == DecisionStatus::kRejected;
  if (!may_be_dismissed) CODEXMEM_TRY(check_role(call.caller, Role::kAdmin, call.tool));
  const std::string why = privacy::cleaned(reason);
  CODEXMEM_TRY(check_length("reason", why, 0, kMaxTitleBytes));
  privacy::Inspection inspection;
  inspection.add("reason", why);
  CODEXMEM_TRY(inspection.check());
  std::string changed;
  {
    CODEXMEM_ASSIGN(store::UserTransaction writer, store_->begin());
    CODEXMEM_ASSIGN(const Decision decision, get_decision(*writer, id));
    if (decision.source != DecisionSource::kReflection) {
      CODEXMEM_TRY(check_role(call.caller, Role::kAdmin, call.tool));
    }
    if (decision.status != from) {
      return invalid_argument(fmt::format("{} is not {}: it is {}", decision.id, status_name(from),
                                          status_name(decision.status)));
    }
    CODEXMEM_TRY(change_status(*writer, decision, to, call.role(), why, options_.clock()));
    CODEXMEM_TRY(note(*writer, call, ""));
    CODEXMEM_TRY(writer.commit());
    changed = decision.id;
  }
  write_files({changed});
  return {};
}

Result<void> Decisions::deprecate(const Caller& caller, std::string_view id,
                                  std::string_view reason) {
  Call call{caller, "deprecate_decision"};
  call.arguments.add("id", id);
  call.arguments.add("reason", reason);
  return finish(call,
                try_end(call, id, DecisionStatus::kActive, DecisionStatus::kDeprecated, reason));
}

Result<void> Decisions::release(const Caller& caller, std::string_view id) {
  Call call{caller, "release_decision"};
  call.arguments.add("id", id);
  const auto release = [&]() -> Result<void> {
    CODEXMEM_TRY(check_role(caller, Role::kAdmin, call.tool));
    CODEXMEM_ASSIGN(store::UserTransaction writer, store_->begin());
    CODEXMEM_ASSIGN(const Decision decision, get_decision(*writer, id));
    if (!decision.is_staged) {
      return invalid_argument(fmt::format("{} is of no branch", decision.id));
    }
    CODEXMEM_ASSIGN(const auto other, land_document(*writer, document_key(decision.key), "released",
                                                    options_.clock()));
    if (other) {
      return blocked(
          fmt::format("CONFLICT: {} holds on the default branch: supersede both", *other));
    }
    CODEXMEM_TRY(store::remove_empty_stages(*writer));
    CODEXMEM_TRY(note(*writer, call, ""));
    return writer.commit();
  };
  return finish(call, release());
}

Result<void> Decisions::reject(const Caller& caller, std::string_view proposal_id,
                               std::string_view reason) {
  Call call{caller, "reject_proposal"};
  call.arguments.add("proposal_id", proposal_id);
  call.arguments.add("reason", reason);
  return finish(
      call, try_end(call, proposal_id, DecisionStatus::kDraft, DecisionStatus::kRejected, reason));
}

// ---- Reading

Result<DecisionAnswer> Decisions::search(const Caller& caller, const DecisionSearch& search,
                                         std::stop_token stop) {
  Call call{caller, "search_decisions"};
  call.arguments.add("query", search.query);
  call.arguments.add("limit", static_cast<std::int64_t>(search.limit));
  call.arguments.add("mode", mode_name(search.mode));
  auto answer = finish(call, try_search(search, stop));
  if (!answer.ok()) return answer;
  // A question is answered though the log cannot be written, and soon.
  const auto write = [&]() -> Result<void> {
    CODEXMEM_ASSIGN(auto writer, store_->writer());
    const auto usual = writer->busy_timeout();
    writer->set_busy_timeout(std::min(usual, kSearchLogTimeout));
    auto begun = store::Transaction::begin(*writer);
    writer->set_busy_timeout(usual);
    CODEXMEM_ASSIGN(auto transaction, std::move(begun));
    CODEXMEM_TRY(note(*writer, call, ""));
    return transaction.commit();
  };
  if (const auto written = write(); !written.ok()) {
    log_warn("the audit log of decisions cannot be written: {}", written.error().message());
  }
  return answer;
}

Result<Decision> Decisions::get(std::string_view id) {
  CODEXMEM_ASSIGN(auto reader, store_->reader());
  CODEXMEM_ASSIGN(Decision decision, get_decision(*reader, id));
  return shown(std::move(decision), *branches_->scope());
}

Result<std::vector<Decision>> Decisions::list(DecisionFilter filter, const BranchAccess* other) {
  filter.target = target_key(filter.target);
  const auto scope = (other != nullptr ? other : branches_)->scope();
  CODEXMEM_ASSIGN(auto reader, store_->reader());
  CODEXMEM_ASSIGN(std::vector<Decision> decisions, list_seen(*reader, filter, *scope));
  for (Decision& decision : decisions) decision = shown(std::move(decision), *scope);
  return decisions;
}

Result<std::vector<StatusChange>> Decisions::history(std::string_view id) {
  CODEXMEM_ASSIGN(auto reader, store_->reader());
  CODEXMEM_ASSIGN(const Decision decision, get_decision(*reader, id));
  CODEXMEM_ASSIGN(std::vector<StatusChange> changes, list_history(*reader, decision.key));
  for (StatusChange& change : changes) change.reason = privacy::redacted(change.reason);
  return changes;
}

Result<std::vector<AuditRow>> Decisions::audit(std::size_t limit, std::int64_t before_id) {
  CODEXMEM_ASSIGN(auto reader, store_->reader());
  return list_audit(*reader, limit, before_id);
}

}  // namespace codexmem::memory
