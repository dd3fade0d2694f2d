// Tested by memory/team_memory_test.cpp.
#include "memory/transfer/team_settle.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
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

constexpr std::size_t kMaxSteps = 1'000'000;  // files may claim anything

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
      if (!row.document || !is_decision(*row.document)) continue;
      const DecisionKey key = decision_of(*row.document);
      CODEXMEM_ASSIGN(auto found, get_decisions(database, std::span(&key, 1)));
      if (found.empty() || decisions.contains(key)) continue;
      const DecisionStatus said = parse_status(row.status).value_or(DecisionStatus::kActive);
      decisions.emplace(
          key, Shared{std::move(found.front()), row.shared_id, said, row.supersedes, said, {}});
    }
    CODEXMEM_TRY(read_claims(database, rows, by_id));
    for (const SharedFile& row : rows) {
      if (row.document && !is_decision(*row.document)) {
        CODEXMEM_TRY(link_entries(database, row, by_id));
      }
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
    std::string id;       // that its file has
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
    for (const std::string& id : row.supersedes) {
      const auto file = by_id.find(id);
      if (file == by_id.end() || is_decision(file->second) || !holds(row.shared_id, id)) continue;
      CODEXMEM_TRY(store::link_entry(database, entry, entry_of(file->second), now_ms_));
    }
    return {};
  }

  bool is_older(const Decision& a, const Decision& b) const {
    return std::pair(not_later(a.created_at_ms, now_ms_), std::string_view(a.id)) <
           std::pair(not_later(b.created_at_ms, now_ms_), std::string_view(b.id));
  }

  // Chooses the claims of files to supersede others that hold, so that no chain has a cycle. What a
  // file says counts for more than a date, but in a cycle the newer file is right.
  Result<void> read_claims(store::Database& database, const std::vector<SharedFile>& rows,
                           const std::map<std::string, DocumentKey>& by_id) {
    std::map<std::string, std::int64_t> moments;
    for (const auto& [id, document] : by_id) {
      CODEXMEM_ASSIGN(const auto moment, find_moment(database, document));
      if (moment) moments.emplace(id, not_later(*moment, now_ms_));
    }
    std::vector<std::tuple<std::int64_t, std::string, std::string>> against_dates;
    for (const SharedFile& row : rows) {
      const auto newer = moments.find(row.shared_id);
      for (const std::string& id : row.supersedes) {
        const auto older = moments.find(id);
        if (newer == moments.end() || older == moments.end() || id == row.shared_id) continue;
        if (std::tie(older->second, id) < std::tie(newer->second, row.shared_id)) {
          claims_[row.shared_id].insert(id);
        } else {
          against_dates.emplace_back(newer->second, row.shared_id, id);
        }
      }
    }
    std::ranges::sort(against_dates, std::ranges::greater());
    for (const auto& [moment, id, old] : against_dates) {
      if (!leads_to(old, id)) claims_[id].insert(old);
    }
    return {};
  }

  static Result<std::optional<std::int64_t>> find_moment(store::Database& database,
                                                         DocumentKey document) {
    if (is_decision(document)) {
      const DecisionKey key = decision_of(document);
      CODEXMEM_ASSIGN(const auto found, get_decisions(database, std::span(&key, 1)));
      return found.empty() ? std::nullopt : std::optional(found.front().created_at_ms);
    }
    CODEXMEM_ASSIGN(const auto found, store::find_stored_entry(database, entry_of(document)));
    return found ? std::optional(found->created_at_ms) : std::nullopt;
  }

  bool holds(const std::string& id, const std::string& old) const {
    const auto found = claims_.find(id);
    return found != claims_.end() && found->second.contains(old);
  }

  // True if a chain of claims leads from one to the other, or if there are too many to follow.
  bool leads_to(const std::string& from, const std::string& to) {
    std::set<std::string> seen{from};
    std::vector<std::string> pending{from};
    while (!pending.empty()) {
      const std::string id = std::move(pending.back());
      pending.pop_back();
      if (id == to) return true;
      const auto found = claims_.find(id);
      if (found == claims_.end()) continue;
      for (const std::string& old : found->second) {
        if (++steps_ > kMaxSteps) return true;
        if (seen.insert(old).second) pending.push_back(old);
      }
    }
    return false;
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
          if (old == key || !holds(shared.id, id)) continue;
          CODEXMEM_TRY(store::link_decision(database, key, old));
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
        const auto last = std::ranges::max_element(rivals, [&](const Shared* a, const Shared* b) {
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
  std::map<std::string, std::set<std::string>> claims_;  // that hold: what a file supersedes
  std::size_t steps_ = 0;                                // of leads_to(), in all
};

}  // namespace

Result<void> settle_shared(store::Database& database, const std::string& project, ProjectId id,
                           std::int64_t now_ms) {
  return Settlement(project, id, now_ms).run(database);
}

}  // namespace codexmem::memory
