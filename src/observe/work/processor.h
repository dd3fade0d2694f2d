// observe/work/processor.h - makes memories of what waits in the queue.
//
// Threads claim batches of the queue, give them to a provider, and store what it says in the
// transaction that takes the messages out: so nothing is lost and nothing is done twice, however
// the program ends. They sleep until something is queued or the next moment that is due; another
// thread renews leases, reports the queue's depth, forgets what failed long ago and weighs
// proposals when a session has ended. Safe to use from many threads. Design: docs/how-it-works.md,
// "Queue".
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "memory/memory.h"
#include "observe/work/attempt.h"
#include "observe/events.h"
#include "observe/intake/group_commit.h"
#include "observe/intake/intake.h"
#include "observe/models/provider.h"
#include "observe/intake/queue.h"

namespace codexmem::observe {

inline constexpr std::int64_t kMaxRetries = 3;  // after 1, 2 and 4 s, or as the server asks

struct ProcessorOptions {
  /// What a provider cannot do is done by rules; else it fails.
  bool falls_back = true;
  std::size_t model_threads = 3;  // of a provider that wants batches; else there is one
  BatchLimits model_limits = {
      .messages = 20, .payload_bytes = std::size_t{64} << 10, .company = std::chrono::seconds(5)};
  BatchLimits rule_limits = {};
  CiteInFolder cite = {};
};

/// A message that was done.
struct DoneMessage {
  MessageId id{};
  memory::SessionId session{};
  MessageKind kind = MessageKind::kObservation;
  std::string provider;
  std::int64_t at_ms = 0;
};

class Processor {
 public:
  /// The arguments are borrowed and outlive this. `provider` may be `rules`.
  Processor(memory::Memory& memory, Queue& queue, GroupCommit& commits, EventHub& events,
            const Provider& provider, const Provider& rules, ProcessorOptions options = {});
  /// Stops as stop() does.
  ~Processor();
  Processor(const Processor&) = delete;
  Processor& operator=(const Processor&) = delete;

  /// Makes pending what an earlier run had claimed, and starts the threads. Errors: of the store.
  Result<void> start();

  /// Cancels the running work, gives its messages back, and ends the threads.
  void stop();

  /// Is called with each captured event: wakes the threads and the listeners. For
  /// Intake::set_listener().
  void note_intake(const IntakeRequest& request, const IntakeOutcome& outcome);

  /// Says that messages have become pending.
  void wake();

  /// What one step came to.
  struct Step {
    bool has_worked = false;                  // there may be more to do at once
    std::optional<std::int64_t> next_due_ms;  // else, when; nothing: when something is queued
  };
  /// Claims a batch and does with it all that is to be done now, on the caller's thread. Errors:
  /// the store's, after which the batch is pending again or its lease ends.
  Result<Step> step(const std::stop_token& stop);

  /// Weighs proposals for the sessions that have ended and are drained.
  void reflect();

  /// True while a batch is being worked on.
  bool is_processing() const;

  /// The messages that were done last, newest first.
  std::vector<DoneMessage> recent() const;

 private:
  class Hold;      // a claim while its provider works: its lease is renewed
  class GiveBack;  // releases a claim unless something became of it

  void work(const std::stop_token& stop);
  void work_on(const std::stop_token& stop, int& deaths);
  void keep_house(const std::stop_token& stop);
  void renew_leases();
  void publish_depth();
  void mark_depth_old();  // with mutex_ held

  void log_failure(const Provider& provider, const ProviderFailure& failure);
  Result<void> store(const Claim& claim, const Attempt& attempt);
  Result<void> put_back(const Claim& claim, const Attempt& attempt, const ProviderFailure& failure);
  Result<void> give_up(const Claim& claim, const Attempt& attempt, const ProviderFailure& failure);
  void report_result(const Claim& claim, const Attempt& attempt, std::string_view outcome,
                     const std::vector<std::int64_t>& ids);
  void look_for_end(memory::SessionId session, const std::string& content_session_id);

  memory::Memory* memory_;
  Queue* queue_;
  GroupCommit* commits_;
  EventHub* events_;
  const Provider* provider_;
  AttemptTools tools_;
  ProcessorOptions options_;

  mutable std::mutex mutex_;            // guards all below
  std::condition_variable_any queued_;  // for the threads that work
  std::condition_variable_any house_;   // for the one that keeps house
  std::uint64_t queued_count_ = 0;      // raised when there is something new
  bool has_news_ = false;               // for the one that keeps house
  bool is_depth_old_ = true;
  bool has_failed_ = true;  // something is to be forgotten at some time
  std::list<Claim*> held_;
  std::int64_t no_renewal_before_ms_ = 0;  // the last one failed
  std::set<std::string> ended_;            // sessions that are completed and drained
  std::deque<DoneMessage> recent_;
  std::map<FailureClass, std::int64_t> failures_logged_ms_;

  std::vector<std::jthread> threads_;  // last: they end before what they work on
};

}  // namespace codexmem::observe
