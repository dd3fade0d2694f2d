// Tested by memory/team_memory_test.cpp.
#include "memory/transfer/team_settle.h"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "memory/decisions/decision_records.h"
#include "memory/entries/records.h"
#include "store/user/entries.h"
#include "store/user/shared_files.h"

namespace codexmem::memory {
namespace {

using store::SharedFile;

class Settlement {
 public:
  Settlement(const std::string& project, ProjectId id, std::int64_t now_ms)
      : project_(project), id_(id), now_ms_(now_ms) {}

  Result<void> run(store::Database& database) {
    CODEXMEM_ASSIGN(const auto rows, store::list_shared_files(database, id_));
    std::map<std::string, DocumentKey> by_id;
    for (const SharedFile& row : rows) {
      if (row.document) by_id.emplace(row.shared_id, *row.document);
    }
    std::map<DecisionKey, Shared> decisions;
    for (const SharedFile& row : rows) {
      if (!row.document) continue;
      if (!is_decision(*row.document)) {
        CODEXMEM_TRY(link_entries(database, row, by_id));
        continue;
      }
      const DecisionKey key = decision_of(*row.document);
      CODEXMEM_ASSIGN(auto found, get_decisions(database, std::span(&key, 1)));
      if (found.empty() || decisions.contains(key)) continue;
      const DecisionStatus said = parse_status(row.status).value_or(DecisionStatus::kActive);
      decisions.emplace(key, Shared{std::move(found.front()), said, row.supersedes, said, {}});
    }
    CODEXMEM_TRY(link_decisions(database, decisions, by_id));
    CODEXMEM_TRY(choose_active(database, decisions));
    // Those that end first: one is active on a target.
    for (const bool is_active : {false, true}) {
      for (const auto& [key, shared] : decisions) {
        if ((shared.wanted == DecisionStatus::kActive) != is_active) continue;
        if (shared.decision.status == shared.wanted) continue;
        const std::string why = shared.rival.empty() ? "by the files of the repository"
                                                     : "another branch decided " + shared.rival;
        CODEXMEM_TRY(
            change_status(database, shared.decision, shared.wanted, kTeamRole, why, now_ms_));
      }
    }
    for (SharedFile row : rows) {
      if (!row.document || !is_decision(*row.document)) continue;
      const auto found = decisions.find(decision_of(*row.document));
      if (found == decisions.end() || row.rival == found->second.rival) continue;
      row.rival = found->second.rival;
      CODEXMEM_TRY(store::put_shared_file(database, row, id_));
    }
    return {};
  }

 private:
  struct Shared {
    Decision decision;
    DecisionStatus said;  // by its file
    std::vector<std::string> supersedes;
    DecisionStatus wanted;
    std::string rival;
  };

  Result<void> link_entries(store::Database& database, const SharedFile& row,
                            const std::map<std::string, DocumentKey>& by_id) const {
    const EntryId entry = entry_of(*row.document);
    if (!row.is_own) CODEXMEM_TRY(store::unlink_entry(database, entry));
    if (row.supersedes.empty()) return {};
    CODEXMEM_ASSIGN(const auto newer, store::find_stored_entry(database, entry));
    for (const std::string& id : row.supersedes) {
      const auto file = by_id.find(id);
      if (file == by_id.end() || is_decision(file->second)) continue;
      CODEXMEM_ASSIGN(const auto old, store::find_stored_entry(database, entry_of(file->second)));
      // Only older ones, so that no chain has a cycle.
      if (!newer || !old ||
          std::tie(old->created_at_ms, id) >= std::tie(newer->created_at_ms, row.shared_id)) {
        continue;
      }
      CODEXMEM_TRY(store::link_entry(database, entry, old->id, now_ms_));
    }
    return {};
  }

  static bool is_older(const Decision& a, const Decision& b) {
    return std::tie(a.created_at_ms, a.id) < std::tie(b.created_at_ms, b.id);
  }

  Result<void> link_decisions(store::Database& database,
                              const std::map<DecisionKey, Shared>& decisions,
                              const std::map<std::string, DocumentKey>& by_id) const {
    for (const auto& [key, shared] : decisions) {
      CODEXMEM_TRY(store::unlink_decision(database, key));
      std::vector<Decision> olds;
      for (const std::string& id : shared.supersedes) {
        const auto file = by_id.find(id);
        if (file != by_id.end() && is_decision(file->second)) {
          const DecisionKey old = decision_of(file->second);
          CODEXMEM_ASSIGN(auto found, get_decisions(database, std::span(&old, 1)));
          for (Decision& one : found) olds.push_back(std::move(one));
        } else {
          CODEXMEM_ASSIGN(auto found, find_decision(database, id));
          if (found && found->project == project_) olds.push_back(*std::move(found));
        }
      }
      // Only older ones, so that no chain has a cycle.
      for (const Decision& old : olds) {
        if (old.key == key || !is_older(old, shared.decision)) continue;
        CODEXMEM_TRY(store::link_decision(database, key, old.key));
      }
    }
    return {};
  }

  Result<void> choose_active(store::Database& database,
                             std::map<DecisionKey, Shared>& decisions) const {
    std::map<std::string, std::vector<Shared*>> by_target;
    for (auto& [key, shared] : decisions) {
      if (shared.said != DecisionStatus::kActive) continue;
      CODEXMEM_ASSIGN(const bool is_over, store::is_superseded(database, key));
      if (is_over) {
        shared.wanted = DecisionStatus::kSuperseded;
        continue;
      }
      CODEXMEM_ASSIGN(const bool is_ended, was_ended_here(database, shared.decision));
      if (is_ended) {
        shared.wanted = DecisionStatus::kDeprecated;
        continue;
      }
      by_target[shared.decision.target_key].push_back(&shared);
    }
    for (auto& [target, rivals] : by_target) {
      // A member's own decision holds until he shares it or gives it up.
      CODEXMEM_ASSIGN(const auto active, find_active(database, project_, target));
      std::string winner;
      if (active && !decisions.contains(active->key)) {
        winner = active->id;
      } else {
        const auto last = std::ranges::max_element(rivals, [](const Shared* a, const Shared* b) {
          return is_older(a->decision, b->decision);
        });
        winner = (*last)->decision.id;
      }
      for (Shared* shared : rivals) {
        if (shared->decision.id == winner) continue;
        shared->wanted = DecisionStatus::kSuperseded;
        shared->rival = winner;
      }
    }
    return {};
  }

  // True if the member deprecated it, which its file does not say yet.
  static Result<bool> was_ended_here(store::Database& database, const Decision& decision) {
    if (decision.status != DecisionStatus::kDeprecated) return false;
    CODEXMEM_ASSIGN(const auto history, list_history(database, decision.key));
    return !history.empty() && history.back().role != kTeamRole;
  }

  const std::string& project_;
  ProjectId id_;
  std::int64_t now_ms_;
};

}  // namespace

Result<void> settle_shared(store::Database& database, const std::string& project, ProjectId id,
                           std::int64_t now_ms) {
  return Settlement(project, id, now_ms).run(database);
}

}  // namespace codexmem::memory
