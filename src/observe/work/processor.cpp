// A batch goes: claim, ask the provider, then one transaction in which its messages leave the queue
// and what was made of them arrives. Every way out of a step leaves the messages stored, pending or
// failed: what throws or cannot be written is given back, and where even that cannot be written the
// lease ends. No lock is held while a provider or the store works, except that a lease is renewed
// with the list of claims locked, so that a claim cannot be finished with its old name meanwhile.
//
// Tested by observe/processor_test.cpp and tests/worker/load.py.
#include "observe/work/processor.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "text/json.h"
#include "base/log.h"
#include "store/user/sessions.h"

namespace codexmem::observe {
namespace {

using memory::SessionId;

constexpr std::int64_t kFirstDelayMs = 1'000;
constexpr std::int64_t kMaxDelayMs = 60'000;
constexpr std::int64_t kRenewAfterMs = kLease.count() / 3;
constexpr std::int64_t kDepthEveryMs = 250;
constexpr std::int64_t kNoLease = 0;  // of a claim that somebody else has now
constexpr int kMaxDeaths = 3;         // of a thread, in a row
constexpr std::size_t kRecent = 20;
constexpr std::int64_t kLogAgainMs = 60'000;

std::int64_t delay_after(std::int64_t attempts, const ProviderFailure& failure) {
  const std::int64_t delay_ms = kFirstDelayMs << std::min<std::int64_t>(attempts, 10);
  const std::int64_t asked_ms = failure.retry_after ? failure.retry_after->count() : 0;
  return std::min(std::max(delay_ms, asked_ms), kMaxDelayMs);
}

}  // namespace

class Processor::Hold {
 public:
  Hold(Processor& processor, Claim& claim) : processor_(&processor), claim_(&claim) {
    const std::lock_guard lock(processor_->mutex_);
    processor_->held_.push_back(claim_);
    processor_->mark_depth_old();
  }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;
  ~Hold() {
    const std::lock_guard lock(processor_->mutex_);
    processor_->held_.remove(claim_);
    processor_->mark_depth_old();
  }

 private:
  Processor* processor_;
  Claim* claim_;
};

class Processor::GiveBack {
 public:
  GiveBack(Queue& queue, const Claim& claim) : queue_(&queue), claim_(&claim) {}
  GiveBack(const GiveBack&) = delete;
  GiveBack& operator=(const GiveBack&) = delete;
  ~GiveBack() {
    if (claim_ == nullptr) return;
    if (const auto done = queue_->release(*claim_); !done.ok()) {
      log_warn("worker: a claim is left to its lease: {}", done.error().message());
    }
  }
  void forget() { claim_ = nullptr; }

 private:
  Queue* queue_;
  const Claim* claim_;
};

Processor::Processor(memory::Memory& memory, Queue& queue, GroupCommit& commits, EventHub& events,
                     const Provider& provider, const Provider& rules, ProcessorOptions options)
    : memory_(&memory),
      queue_(&queue),
      commits_(&commits),
      events_(&events),
      provider_(&provider),
      tools_{&memory, &rules, options.falls_back, std::move(options.cite)},
      options_(std::move(options)) {}

Processor::~Processor() { stop(); }

Result<void> Processor::start() {
  CODEXMEM_TRY(queue_->reset());
  const std::size_t workers = provider_->wants_batches() ? options_.model_threads : 1;
  for (std::size_t i = 0; i < workers; ++i) {
    threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
  }
  threads_.emplace_back([this](const std::stop_token& stop) { keep_house(stop); });
  return {};
}

void Processor::stop() {
  for (std::jthread& thread : threads_) thread.request_stop();
  threads_.clear();
}

void Processor::note_intake(const IntakeRequest& request, const IntakeOutcome& outcome) {
  const HookEvent& event =
      std::visit([](const auto& request_) -> const HookEvent& { return request_; }, request);
  const bool is_started = outcome.status == IntakeStatus::kStarted && !outcome.is_duplicate;
  const bool is_completed = outcome.status == IntakeStatus::kCompleted;
  if (is_started || is_completed) {
    events_->publish("session.status",
                     dump_json(Json{{"sessionDbId", static_cast<std::int64_t>(outcome.session)},
                                    {"contentSessionId", event.content_session_id},
                                    {"status", is_completed ? "completed" : "active"},
                                    {"promptNumber", outcome.prompt_number}}));
  }
  // What was waiting for company gets none any more.
  if (outcome.status == IntakeStatus::kQueued || is_completed) wake();
  if (is_completed) look_for_end(outcome.session, event.content_session_id);
}

void Processor::wake() {
  const std::lock_guard lock(mutex_);
  ++queued_count_;
  queued_.notify_all();
  mark_depth_old();
}

void Processor::mark_depth_old() {
  if (is_depth_old_) return;
  is_depth_old_ = true;
  has_news_ = true;
  house_.notify_one();
}

bool Processor::is_processing() const {
  const std::lock_guard lock(mutex_);
  return !held_.empty();
}

std::vector<DoneMessage> Processor::recent() const {
  const std::lock_guard lock(mutex_);
  return {recent_.begin(), recent_.end()};
}

// ---- The threads

void Processor::work(const std::stop_token& stop) {
  for (int deaths = 0; !stop.stop_requested();) {
    try {
      work_on(stop, deaths);
      return;
    } catch (const std::exception& error) {
      log_error("worker: a thread that works on the queue has died: {}", error.what());
    }
    if (++deaths > kMaxDeaths) {
      log_error("worker: it is not started again; what waits is worked on after a restart");
      return;
    }
  }
}

void Processor::work_on(const std::stop_token& stop, int& deaths) {
  std::int64_t patience_ms = kFirstDelayMs;  // with a store that fails
  while (!stop.stop_requested()) {
    std::uint64_t seen = 0;
    {
      const std::lock_guard lock(mutex_);
      seen = queued_count_;
    }
    const auto done = step(stop);
    std::optional<std::int64_t> wait_ms;
    if (done.ok()) {
      deaths = 0;
      patience_ms = kFirstDelayMs;
      if (done->has_worked) continue;
      if (done->next_due_ms) {
        wait_ms = std::max<std::int64_t>(0, *done->next_due_ms - memory_->clock()());
      }
    } else {
      log_error("worker: {}", done.error().message());
      wait_ms = patience_ms;
      patience_ms = std::min(patience_ms * 2, kMaxDelayMs);
    }
    std::unique_lock lock(mutex_);
    // Somebody who comes with something new does not make a store that fails a better one.
    const auto has_more = [&] { return done.ok() && queued_count_ != seen; };
    if (wait_ms) {
      queued_.wait_for(lock, stop, std::chrono::milliseconds(*wait_ms), has_more);
    } else {
      queued_.wait(lock, stop, has_more);
    }
  }
}

void Processor::keep_house(const std::stop_token& stop) {
  std::int64_t depth_ms = 0;  // when it was reported last
  std::optional<std::int64_t> forget_ms;
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    const std::int64_t now_ms = memory_->clock()();
    std::optional<std::int64_t> next_ms = forget_ms;
    const auto note = [&next_ms](std::int64_t at_ms) {
      next_ms = std::min(at_ms, next_ms.value_or(at_ms));
    };
    for (const Claim* claim : held_) {
      if (claim->lease_until_ms == kNoLease) continue;
      note(std::max(claim->lease_until_ms - kLease.count() + kRenewAfterMs, no_renewal_before_ms_));
    }
    if (is_depth_old_) note(depth_ms + kDepthEveryMs);
    if (has_failed_ || !ended_.empty()) note(now_ms);
    if (!next_ms) {
      house_.wait(lock, stop, [this] { return has_news_; });
    } else if (*next_ms > now_ms) {
      house_.wait_for(lock, stop, std::chrono::milliseconds(*next_ms - now_ms),
                      [this] { return has_news_; });
    }
    has_news_ = false;
    if (stop.stop_requested()) return;

    renew_leases();
    const bool reports_depth = is_depth_old_ && memory_->clock()() >= depth_ms + kDepthEveryMs;
    const bool forgets = has_failed_ || (forget_ms && *forget_ms <= memory_->clock()());
    const bool reflects = !ended_.empty();
    if (reports_depth) is_depth_old_ = false;
    has_failed_ = false;
    lock.unlock();
    try {
      if (reports_depth) {
        depth_ms = memory_->clock()();
        publish_depth();
      }
      if (forgets) {
        const auto next = queue_->forget_payloads();
        if (next.ok()) forget_ms = *next;
      }
      if (reflects) reflect();
    } catch (const std::exception& error) {
      log_error("worker: {}", error.what());
    }
    lock.lock();
  }
}

void Processor::renew_leases() {
  const std::int64_t now_ms = memory_->clock()();
  if (now_ms < no_renewal_before_ms_) return;
  for (Claim* claim : held_) {
    if (claim->lease_until_ms == kNoLease) continue;
    if (now_ms < claim->lease_until_ms - kLease.count() + kRenewAfterMs) continue;
    const auto renewed = queue_->renew(*claim);
    if (renewed.ok()) continue;
    log_warn("worker: a lease could not be renewed: {}", renewed.error().message());
    if (renewed.error().code() == ErrorCode::kCancelled) {
      claim->lease_until_ms = kNoLease;
    } else {
      no_renewal_before_ms_ = now_ms + kFirstDelayMs;
    }
  }
}

void Processor::publish_depth() {
  const auto depth = queue_->depth();
  if (!depth.ok()) return;
  events_->publish("queue.depth", dump_json(Json{{"pending", depth->pending},
                                                 {"processing", depth->processing},
                                                 {"failed", depth->failed}}));
}

void Processor::reflect() {
  std::set<std::string> ended;
  {
    const std::lock_guard lock(mutex_);
    ended.swap(ended_);
  }
  for (const std::string& session : ended) {
    if (const auto done = memory_->decisions().reflect(session); !done.ok()) {
      log_warn("worker: proposals were not weighed: {}", done.error().message());
    }
  }
}

void Processor::look_for_end(SessionId session, const std::string& content_session_id) {
  const auto has_ended = [&]() -> Result<bool> {
    {
      CODEXMEM_ASSIGN(store::UserReader reader, memory_->store().reader());
      CODEXMEM_ASSIGN(const auto state, store::find_session_state(*reader, session));
      if (!state || state->is_active) return false;
    }
    return queue_->is_drained(session);
  }();
  if (!has_ended.ok() || !*has_ended) return;
  const std::lock_guard lock(mutex_);
  ended_.insert(content_session_id);
  has_news_ = true;
  house_.notify_one();
}

// ---- One batch

Result<Processor::Step> Processor::step(const std::stop_token& stop) {
  CODEXMEM_ASSIGN(
      ClaimAnswer answer,
      queue_->claim(provider_->wants_batches() ? options_.model_limits : options_.rule_limits));
  if (!answer.claim) return Step{false, answer.next_due_ms};
  Claim claim = *std::move(answer.claim);
  GiveBack give_back(*queue_, claim);

  Attempt attempt;
  {
    const Hold hold(*this, claim);
    attempt = ask(tools_, *provider_, claim, stop);
    if (attempt.failure && stop.stop_requested()) return Step{true, {}};
    if (attempt.failure) log_failure(*provider_, *attempt.failure);
    if (!attempt.failure) prepare(tools_, claim, attempt, stop);
    const bool may_pass =
        attempt.failure && attempt.failure->may_pass && claim.attempts < kMaxRetries;
    if (attempt.failure && !may_pass && tools_.falls_back && provider_ != tools_.rules) {
      attempt = fall_back(tools_, claim, std::move(attempt), stop);
    }
  }

  Result<void> done;
  if (!attempt.failure) {
    done = store(claim, attempt);
    if (!done.ok() && done.error().code() != ErrorCode::kCancelled) {
      attempt.failure = storage_failure(claim, done.error());
    }
  }
  if (attempt.failure) {
    const ProviderFailure failure = *attempt.failure;
    done = failure.may_pass && claim.attempts < kMaxRetries ? put_back(claim, attempt, failure)
                                                            : give_up(claim, attempt, failure);
  }
  if (!done.ok()) {
    if (done.error().code() != ErrorCode::kCancelled) return std::move(done).error();
    log_warn("worker: somebody else has worked on a claim that had ended");
  }
  give_back.forget();
  look_for_end(claim.session, claim.content_session_id);
  // The rest of the session may be taken by another thread, or is due at another time now.
  wake();
  return Step{true, {}};
}

// Once a kind and minute: a server that is away fails every call.
void Processor::log_failure(const Provider& provider, const ProviderFailure& failure) {
  const std::int64_t now_ms = memory_->clock()();
  {
    const std::lock_guard lock(mutex_);
    std::int64_t& logged_ms = failures_logged_ms_[failure.kind];
    if (logged_ms != 0 && now_ms - logged_ms < kLogAgainMs) return;
    logged_ms = now_ms;
  }
  log_warn("worker: {}: {}: {}", provider.name(), failure_class_name(failure.kind),
           failure.message);
}

Result<void> Processor::store(const Claim& claim, const Attempt& attempt) {
  const bool is_summary = claim.kind == MessageKind::kSummarize;
  const memory::Entries table = memory_->entries();
  const memory::Sessions sessions = memory_->sessions();
  std::vector<std::int64_t> ids;
  const GroupCommit::Work write = [&](store::Database& database) -> Result<void> {
    ids.clear();
    CODEXMEM_TRY(queue_->remove(database, claim));
    for (const memory::PreparedEntry& entry : attempt.entries) {
      CODEXMEM_ASSIGN(const memory::SavedEntry saved, table.insert(database, entry));
      ids.push_back(static_cast<std::int64_t>(saved.id));
    }
    if (attempt.summary_row) {
      CODEXMEM_ASSIGN(const memory::SummaryId id,
                      sessions.insert_summary(database, *attempt.summary_row));
      ids.push_back(static_cast<std::int64_t>(id));
    }
    return note_done(database, claim, attempt, memory_->clock()());
  };
  CODEXMEM_TRY(commits_->run(write));
  memory_->note_change();
  report_result(claim, attempt, attempt.before ? "fallback" : "success", ids);
  for (const std::int64_t id : ids) {
    events_->publish("record.saved",
                     dump_json(Json{{"kind", is_summary ? "summary" : "observation"},
                                    {"id", id},
                                    {"project", claim.project}}));
  }
  const std::lock_guard lock(mutex_);
  for (const Message& message : claim.messages) {
    recent_.push_front({message.id, claim.session, claim.kind, std::string(attempt.by->name()),
                        memory_->clock()()});
  }
  if (recent_.size() > kRecent) recent_.resize(kRecent);
  return {};
}

Result<void> Processor::put_back(const Claim& claim, const Attempt& attempt,
                                 const ProviderFailure& failure) {
  const std::int64_t now_ms = memory_->clock()();
  const GroupCommit::Work write = [&](store::Database& database) -> Result<void> {
    CODEXMEM_TRY(
        queue_->retry(database, claim, now_ms + delay_after(claim.attempts, failure), failure));
    return note_failed(database, claim, attempt, failure, FailureOutcome::kRetry, now_ms);
  };
  CODEXMEM_TRY(commits_->run(write));
  report_result(claim, attempt, "retry", {});
  return {};
}

Result<void> Processor::give_up(const Claim& claim, const Attempt& attempt,
                                const ProviderFailure& failure) {
  const std::int64_t now_ms = memory_->clock()();
  const GroupCommit::Work write = [&](store::Database& database) -> Result<void> {
    CODEXMEM_TRY(queue_->fail(database, claim, failure));
    return note_failed(database, claim, attempt, failure, FailureOutcome::kFailed, now_ms);
  };
  CODEXMEM_TRY(commits_->run(write));
  report_result(claim, attempt, "failed", {});
  for (const Message& message : claim.messages) {
    events_->publish("queue.failed",
                     dump_json(Json{{"messageId", static_cast<std::int64_t>(message.id)},
                                    {"sessionDbId", static_cast<std::int64_t>(claim.session)},
                                    {"errorClass", failure_class_name(failure.kind)},
                                    {"message", failure.message},
                                    {"attempts", claim.attempts + 1}}));
  }
  const std::lock_guard lock(mutex_);
  has_failed_ = true;
  has_news_ = true;
  house_.notify_one();
  return {};
}

void Processor::report_result(const Claim& claim, const Attempt& attempt, std::string_view outcome,
                              const std::vector<std::int64_t>& ids) {
  events_->publish(
      "model.result",
      dump_json(Json{{"kind", message_kind_name(claim.kind)},
                     {"sessionDbId", static_cast<std::int64_t>(claim.session)},
                     {"provider", attempt.by->name()},
                     {"model", attempt.by->model()},
                     {"outcome", outcome},
                     {"ms", std::max<std::int64_t>(0, attempt.answered_ms - attempt.begun_ms)},
                     {"ids", ids}}));
}

}  // namespace codexmem::observe
