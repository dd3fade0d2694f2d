#include "memory/retention.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <tuple>

#include "memory/erasure.h"
#include "store/user/projects.h"

namespace codexmem::memory {
namespace {

// Parameters: ?1 project, ?2 the time before which an entry is too old, ?3 how many are kept.
constexpr char kAgeSql[] = R"sql(
SELECT e.id, e.created_at_ms FROM entries AS e INDEXED BY entries_time
WHERE e.created_at_ms < ?2 AND (?1 IS NULL OR e.project_id = ?1) AND e.entry_type <> 'decision'
  AND NOT EXISTS (SELECT 1 FROM entry_metadata AS m
                  WHERE m.entry_id = e.id AND m.key = 'pinned' AND m.value = 'true')
ORDER BY e.created_at_ms, e.id)sql";
constexpr char kCountOfProjectSql[] = R"sql(
SELECT e.id, e.created_at_ms FROM entries AS e INDEXED BY entries_project
WHERE e.project_id = ?1 AND e.created_at_ms >= ?2 AND e.entry_type <> 'decision'
  AND NOT EXISTS (SELECT 1 FROM entry_metadata AS m
                  WHERE m.entry_id = e.id AND m.key = 'pinned' AND m.value = 'true')
ORDER BY e.created_at_ms DESC, e.id DESC LIMIT -1 OFFSET ?3)sql";
constexpr char kDeleteSql[] = "DELETE FROM entries WHERE id = ?1 RETURNING id";

constexpr double kDayOfMs = 86'400'000;
constexpr std::size_t kRetentionBatch = 500;

Result<void> collect(store::Statement& select, RetentionReason reason,
                     std::vector<RetentionCandidate>& candidates) {
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, select.step());
    if (!more) return {};
    candidates.push_back({select.id<EntryId>(0), select.integer(1), reason});
  }
}

Result<std::size_t> remove(store::Database& database,
                           std::span<const RetentionCandidate> candidates) {
  CODEXMEM_ASSIGN(store::Transaction transaction, store::Transaction::begin(database));
  std::size_t removed = 0;
  {
    CODEXMEM_ASSIGN(store::Statement erase, database.statement(kDeleteSql));
    for (const RetentionCandidate& candidate : candidates) {
      erase.bind(1, candidate.id);
      CODEXMEM_ASSIGN(const bool was_there, erase.step());
      // To its end: see transfer.cpp.
      if (was_there) {
        CODEXMEM_TRY(erase.step());
        ++removed;
      }
      erase.reset();
    }
  }
  if (removed > 0) CODEXMEM_TRY(note_erasure(database));
  CODEXMEM_TRY(transaction.commit());
  return removed;
}

}  // namespace

const char* retention_reason_name(RetentionReason reason) {
  return reason == RetentionReason::kAge ? "age" : "project_count";
}

Result<RetentionPlan> plan_retention(store::UserStore& store, const RetentionRequest& request,
                                     const Clock& clock) {
  if (!(request.max_age_days > 0)) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("max_age_days must be above 0, got {}", request.max_age_days)};
  }
  if (request.max_entries_per_project <= 0) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("max_entries_per_project must be above 0, got {}",
                             request.max_entries_per_project)};
  }
  RetentionPlan plan;
  plan.now_ms = request.now_ms ? *request.now_ms : clock();
  // Ages beyond all time are none.
  const double oldest = static_cast<double>(plan.now_ms) - request.max_age_days * kDayOfMs;
  const std::int64_t cutoff_ms = oldest < 0 ? 0 : static_cast<std::int64_t>(std::ceil(oldest));

  CODEXMEM_ASSIGN(store::UserReader reader, store.reader());
  CODEXMEM_ASSIGN(const store::Transaction moment, store::Transaction::begin_read(*reader));
  CODEXMEM_ASSIGN(const auto projects, store::list_project_ids(*reader, request.project));
  if (!request.project.empty() && projects.empty()) return plan;

  CODEXMEM_ASSIGN(store::Statement too_old, reader->statement(kAgeSql));
  if (!request.project.empty()) too_old.bind(1, projects.front());
  too_old.bind(2, cutoff_ms);
  CODEXMEM_TRY(collect(too_old, RetentionReason::kAge, plan.candidates));
  plan.by_age = plan.candidates.size();

  CODEXMEM_ASSIGN(store::Statement too_many, reader->statement(kCountOfProjectSql));
  for (const ProjectId project : projects) {
    too_many.bind(1, project);
    too_many.bind(2, cutoff_ms);
    too_many.bind(3, request.max_entries_per_project);
    CODEXMEM_TRY(collect(too_many, RetentionReason::kProjectCount, plan.candidates));
    too_many.reset();
  }
  plan.by_project_count = plan.candidates.size() - plan.by_age;
  std::sort(plan.candidates.begin(), plan.candidates.end(),
            [](const RetentionCandidate& a, const RetentionCandidate& b) {
              return std::tie(a.created_at_ms, a.id) < std::tie(b.created_at_ms, b.id);
            });
  return plan;
}

Result<std::size_t> execute_retention(store::UserStore& store, const RetentionPlan& plan) {
  std::size_t removed = 0;
  const std::span<const RetentionCandidate> all = plan.candidates;
  for (std::size_t begin = 0; begin < all.size(); begin += kRetentionBatch) {
    // Between batches others may write.
    CODEXMEM_ASSIGN(store::UserWriter writer, store.writer());
    CODEXMEM_ASSIGN(
        const std::size_t count,
        remove(*writer, all.subspan(begin, std::min(kRetentionBatch, all.size() - begin))));
    removed += count;
  }
  CODEXMEM_TRY(finish_erasure(store, kErasurePatience));
  return removed;
}

}  // namespace codexmem::memory
