// Tested by tests/memory/branches_test.cpp.
#include "memory/branches/branch_scope.h"

#include <fmt/core.h>

#include <algorithm>

#include "store/user/decisions.h"
#include "text/json.h"
#include "text/json_object.h"

namespace codexmem::memory {

using store::Decision;
using store::DecisionStatus;

std::string place_json(const BranchPlace& place) {
  return json_object("repository", place.repository, "branch", place.branch, "head", place.head,
                     "birth", place.birth, "is_own", place.is_own)
      .text;
}

std::optional<BranchPlace> read_place(std::string_view json) {
  const Json given = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  const auto text = [&](const char* name) {
    return given.contains(name) && given[name].is_string() ? given[name].get<std::string>()
                                                           : std::string();
  };
  if (!given.is_object() || text("repository").empty()) return std::nullopt;
  return BranchPlace{text("repository"), text("branch"), text("head"), text("birth"),
                     given.value("is_own", Json()) == Json(true)};
}

Result<BranchScope> BranchScope::read(store::Database& database, const BranchSight& sight) {
  BranchScope scope;
  CODEXMEM_ASSIGN(const auto documents, store::list_staged_documents(database));
  if (documents.empty()) return scope;
  CODEXMEM_ASSIGN(const auto stages, store::list_stages(database, ""));
  std::map<StageId, std::string> names;
  std::set<StageId> seen = sight.seen;
  for (const BranchStage& stage : stages) {
    const BranchPlace& place = stage.place;
    names.emplace(stage.id, place.branch.empty() ? "(no branch)" : place.branch);
    // Another program may have written to this branch after git was looked at.
    const bool is_here = sight.place && !stage.is_aside && !place.branch.empty() &&
                         place.repository == sight.place->repository &&
                         place.branch == sight.place->branch && place.head == sight.place->head &&
                         place.birth == sight.place->birth;
    if (is_here || sight.sees_all) seen.insert(stage.id);
  }
  std::set<DocumentKey> visible;
  for (const store::StagedDocument& document : documents) {
    scope.branches_.emplace(document.key, names[document.stage]);
    (seen.contains(document.stage) ? visible : scope.hidden_).insert(document.key);
  }
  for (const DocumentKey key : visible) scope.hidden_.erase(key);
  if (sight.sees_all) return scope;  // each decision as it is where it was made
  CODEXMEM_ASSIGN(const auto links, store::list_held_links(database));
  for (const store::HeldLink& link : links) {
    if (!scope.is_hidden(document_key(link.key))) scope.replaced_[link.old] = link;
  }
  return scope;
}

std::string BranchScope::branch_of(DocumentKey key) const {
  const auto found = branches_.find(key);
  return found == branches_.end() ? "" : found->second;
}

void BranchScope::adapt(Decision& decision) const {
  const auto found = replaced_.find(decision.key);
  if (found == replaced_.end() || decision.status != DecisionStatus::kActive) return;
  decision.status = DecisionStatus::kSuperseded;
  decision.superseded_by = found->second.id;
}

std::optional<DecisionKey> BranchScope::successor_of(DecisionKey key) const {
  const auto found = replaced_.find(key);
  return found == replaced_.end() ? std::nullopt : std::optional(found->second.key);
}

Result<std::optional<Decision>> BranchScope::find_active(store::Database& database,
                                                         std::string_view project,
                                                         std::string_view target_key,
                                                         std::span<const std::string> but) const {
  store::DecisionFilter filter;
  filter.projects = {std::string(project)};
  filter.statuses = {DecisionStatus::kActive};
  filter.target = target_key;
  filter.limit = 1'000;
  CODEXMEM_ASSIGN(auto decisions, store::list_decisions(database, filter));
  for (Decision& decision : decisions) {
    const bool is_named = std::ranges::find(but, decision.id) != but.end();
    if (!is_named && !is_hidden(document_key(decision.key)) && !replaced_.contains(decision.key)) {
      return std::optional(std::move(decision));
    }
  }
  return std::optional<Decision>();
}

namespace {

constexpr std::string_view kRole = "merge";

// Makes a decision everybody's; the other one that holds on its target, if there is one.
Result<std::optional<std::string>> land_decision(store::Database& database, DecisionKey key,
                                                 std::string_view how, std::int64_t now_ms) {
  CODEXMEM_ASSIGN(const auto found, store::get_decisions(database, std::span(&key, 1)));
  if (found.empty()) return std::optional<std::string>();
  const Decision& decision = found.front();
  const auto end = [&](const Decision& old, const std::string& by) {
    return store::change_status(database, old, DecisionStatus::kSuperseded, kRole,
                                fmt::format("superseded by {}, {}", by, how), now_ms);
  };
  // What came later on its branch, and was merged before it.
  CODEXMEM_ASSIGN(const auto links, store::list_held_links(database));
  for (const store::HeldLink& link : links) {
    if (link.old != key || decision.status != DecisionStatus::kActive) continue;
    CODEXMEM_ASSIGN(const auto later, store::get_decisions(database, std::span(&link.key, 1)));
    if (later.empty() || later.front().is_staged) continue;
    CODEXMEM_TRY(end(decision, link.id));
    CODEXMEM_TRY(store::release_decision(database, key));
    return std::optional<std::string>();
  }
  if (decision.status == DecisionStatus::kActive) {
    // With a decision of its branch it supersedes what that one superseded.
    std::set<std::string> olds(decision.supersedes.begin(), decision.supersedes.end());
    for (std::vector<std::string> next(olds.begin(), olds.end()); !next.empty();) {
      const std::string id = std::move(next.back());
      next.pop_back();
      CODEXMEM_ASSIGN(const auto old, store::find_decision(database, id));
      if (!old || !old->is_staged) continue;
      for (const std::string& older : old->supersedes) {
        if (olds.insert(older).second) next.push_back(older);
      }
    }
    CODEXMEM_ASSIGN(const auto active,
                    store::find_active(database, decision.project, decision.target_key));
    if (active && !olds.contains(active->id)) return std::optional(active->id);
    if (active) CODEXMEM_TRY(end(*active, decision.id));
  }
  CODEXMEM_TRY(store::release_decision(database, key));
  return std::optional<std::string>();
}

}  // namespace

Result<std::optional<std::string>> land_document(store::Database& database, DocumentKey key,
                                                 std::string_view how, std::int64_t now_ms) {
  if (kind_of(key) == DocumentKind::kDecision) {
    CODEXMEM_ASSIGN(auto other,
                    land_decision(database, static_cast<DecisionKey>(id_of(key)), how, now_ms));
    if (other) return other;
  }
  CODEXMEM_TRY(store::unstage_document(database, key));
  return std::optional<std::string>();
}

Result<void> land_stage(store::Database& database, const BranchStage& stage, std::string_view how,
                        std::int64_t now_ms) {
  CODEXMEM_ASSIGN(const auto documents, store::list_staged_documents(database));
  std::string why;
  for (const store::StagedDocument& document : documents) {
    if (document.stage != stage.id) continue;
    CODEXMEM_ASSIGN(const auto other, land_document(database, document.key, how, now_ms));
    if (other) why = fmt::format("{}, but {} was decided there: supersede both", how, *other);
  }
  if (!why.empty()) {
    BranchStage waiting = stage;
    waiting.why = std::move(why);
    CODEXMEM_TRY(store::update_stage(database, waiting));
  }
  return store::remove_empty_stages(database);
}

}  // namespace codexmem::memory
