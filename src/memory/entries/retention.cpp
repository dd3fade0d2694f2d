#include "memory/entries/retention.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <tuple>

#include "store/user/erasure.h"
#include "store/user/entries.h"
#include "store/user/forget.h"
#include "store/user/projects.h"

namespace codexmem::memory {
namespace {

constexpr double kDayOfMs = 86'400'000;
constexpr std::size_t kRetentionBatch = 500;

Result<std::size_t> remove(store::Database& database,
                           std::span<const RetentionCandidate> candidates) {
  CODEXMEM_ASSIGN(store::Transaction transaction, store::Transaction::begin(database));
  std::size_t removed = 0;
  for (const RetentionCandidate& candidate : candidates) {
    CODEXMEM_ASSIGN(const bool was_there,
                    store::remove_document(database, document_key(candidate.id)));
    if (was_there) ++removed;
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
  // An age beyond all time does not count.
  const double oldest = static_cast<double>(plan.now_ms) - request.max_age_days * kDayOfMs;
  const std::int64_t cutoff_ms = oldest < 0 ? 0 : static_cast<std::int64_t>(std::ceil(oldest));

  CODEXMEM_ASSIGN(store::UserMoment reader, store.moment());
  CODEXMEM_ASSIGN(const auto projects, store::list_project_ids(*reader, request.project));
  if (!request.project.empty() && projects.empty()) return plan;

  const auto add = [&](const std::vector<store::EntryTime>& entries, RetentionReason reason) {
    for (const store::EntryTime& entry : entries) {
      plan.candidates.push_back({entry.id, entry.created_at_ms, reason});
    }
  };
  std::optional<ProjectId> only;
  if (!request.project.empty()) only = projects.front();
  CODEXMEM_ASSIGN(const auto aged, store::list_aged_entries(*reader, only, cutoff_ms));
  add(aged, RetentionReason::kAge);
  plan.by_age = plan.candidates.size();
  for (const ProjectId project : projects) {
    CODEXMEM_ASSIGN(
        const auto surplus,
        store::list_surplus_entries(*reader, project, cutoff_ms, request.max_entries_per_project));
    add(surplus, RetentionReason::kProjectCount);
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
  CODEXMEM_TRY(finish_erasure(store, store::kErasurePatience));
  return removed;
}

}  // namespace codexmem::memory
