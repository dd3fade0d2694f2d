// What waits in the queue goes first, so that a worker that runs makes nothing new of it meanwhile;
// then the records, in batches; then the sessions that have nothing left.
//
// Tested by memory/forget_test.cpp.
#include "memory/entries/forget.h"

#include <algorithm>

#include "store/user/erasure.h"
#include "memory/entries/sessions.h"
#include "store/user/projects.h"

namespace codexmem::memory {
namespace {

constexpr std::size_t kForgetBatch = 500;

Result<void> count_queued(store::Database& database, ForgetPlan& plan) {
  for (const SessionId session : plan.sessions) {
    CODEXMEM_ASSIGN(const std::int64_t waiting, store::count_queued(database, session));
    plan.queued += waiting;
  }
  return {};
}

// Has `work` remove something in a transaction of its own.
template <typename Work>
Result<void> write(store::UserStore& store, const Work& work) {
  CODEXMEM_ASSIGN(store::UserTransaction writer, store.begin());
  CODEXMEM_TRY(work(*writer));
  CODEXMEM_TRY(note_erasure(*writer));
  return writer.commit();
}

}  // namespace

Result<ForgetPlan> plan_forget(store::UserStore& store, std::span<const DocumentKey> keys,
                               const Clock& clock) {
  ForgetPlan plan;
  plan.now_ms = clock();
  CODEXMEM_ASSIGN(store::UserMoment reader, store.moment());
  for (const DocumentKey key : keys) {
    if (kind_of(key) == DocumentKind::kDecision) {
      return Error{ErrorCode::kInvalidArgument, "a decision cannot be forgotten"};
    }
    CODEXMEM_ASSIGN(const auto found, store::list_forget_items(*reader, key));
    plan.items.insert(plan.items.end(), found.begin(), found.end());
  }
  const auto place = [](const ForgetItem& item) { return std::pair(item.created_at_ms, item.key); };
  std::ranges::sort(plan.items, {}, place);
  const auto repeated =
      std::unique(plan.items.begin(), plan.items.end(),
                  [&](const ForgetItem& a, const ForgetItem& b) { return place(a) == place(b); });
  plan.items.erase(repeated, plan.items.end());
  return plan;
}

Result<ForgetPlan> plan_forget_session(store::UserStore& store, std::string_view content_session_id,
                                       const Clock& clock) {
  ForgetPlan plan;
  plan.now_ms = clock();
  CODEXMEM_ASSIGN(store::UserMoment reader, store.moment());
  CODEXMEM_ASSIGN(const auto session, find_session(*reader, content_session_id));
  if (!session) return plan;
  plan.sessions.push_back(session->id);
  CODEXMEM_ASSIGN(plan.items, store::list_forget_items(*reader, session->id));
  CODEXMEM_TRY(count_queued(*reader, plan));
  return plan;
}

Result<ForgetPlan> plan_forget_project(store::UserStore& store, std::string_view project,
                                       const Clock& clock) {
  ForgetPlan plan;
  plan.now_ms = clock();
  CODEXMEM_ASSIGN(store::UserMoment reader, store.moment());
  CODEXMEM_ASSIGN(const auto id, store::find_project(*reader, project));
  if (!id) return plan;
  plan.project = project;
  CODEXMEM_ASSIGN(plan.items, store::list_forget_items(*reader, *id));
  CODEXMEM_ASSIGN(plan.sessions, store::list_sessions_of(*reader, *id));
  CODEXMEM_TRY(count_queued(*reader, plan));
  return plan;
}

Result<std::size_t> execute_forget(store::UserStore& store, const ForgetPlan& plan) {
  const auto remove_captured = [&](store::Database& database) -> Result<void> {
    for (const SessionId session : plan.sessions) {
      CODEXMEM_TRY(store::remove_captured(database, session));
    }
    return plan.project.empty() ? Result<void>() : store::remove_traces(database, plan.project);
  };
  if (plan.is_empty()) return 0;
  CODEXMEM_TRY(write(store, remove_captured));
  std::size_t removed = 0;
  const std::span<const ForgetItem> all = plan.items;
  for (std::size_t begin = 0; begin < all.size(); begin += kForgetBatch) {
    const auto remove_batch = [&](store::Database& database) -> Result<void> {
      for (const ForgetItem& item :
           all.subspan(begin, std::min(kForgetBatch, all.size() - begin))) {
        CODEXMEM_ASSIGN(const bool was_there, store::remove_document(database, item.key));
        removed += was_there ? 1 : 0;
      }
      return {};
    };
    CODEXMEM_TRY(write(store, remove_batch));
  }
  const auto remove_sessions = [&](store::Database& database) -> Result<void> {
    for (const SessionId session : plan.sessions) {
      CODEXMEM_TRY(store::remove_empty_session(database, session));
    }
    return {};
  };
  CODEXMEM_TRY(write(store, remove_sessions));
  CODEXMEM_TRY(finish_erasure(store, store::kErasurePatience));
  return removed;
}

}  // namespace codexmem::memory
