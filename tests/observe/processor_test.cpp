#include "observe/work/processor.h"

#include <fmt/core.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "text/json.h"
#include "observe/intake/journal.h"
#include "observe/worker_store.h"

namespace codexmem::observe {
namespace {

Observation observation(std::string type, std::string title, std::string narrative,
                        std::vector<std::int64_t> message_ids) {
  Observation made;
  made.type = std::move(type);
  made.title = std::move(title);
  made.narrative = std::move(narrative);
  made.message_ids = std::move(message_ids);
  return made;
}

// Answers as the test says; by default with one observation an event.
class FakeProvider : public Provider {
 public:
  FakeProvider(std::string name, bool wants_batches)
      : name_(std::move(name)), wants_batches_(wants_batches) {}

  std::string_view name() const override { return name_; }
  std::string_view model() const override { return "model"; }
  bool wants_batches() const override { return wants_batches_; }

  ObserveReply observe(const ObserveRequest& request, std::stop_token stop) const override {
    {
      const std::lock_guard lock(mutex_);
      requests.push_back(request);
    }
    if (on_observe) return on_observe(request, stop);
    ObserveReply reply;
    for (const ToolEvent& event : request.events)
      reply.observations.push_back(observation_of(event));
    reply.record.tokens = 10;
    return reply;
  }

  SummarizeReply summarize(const SummarizeRequest& request, std::stop_token) const override {
    const std::lock_guard lock(mutex_);
    summaries.push_back(request);
    SummarizeReply reply;
    if (!request.last_assistant_message.empty()) {
      reply.summary.emplace();
      reply.summary->request = "asked";
      reply.summary->completed = request.last_assistant_message;
    }
    return reply;
  }

  static Observation observation_of(const ToolEvent& event) {
    return observation("change", "Used " + event.tool_name, "with " + event.input,
                       {event.message_id});
  }

  std::function<ObserveReply(const ObserveRequest&, std::stop_token)> on_observe;
  mutable std::vector<ObserveRequest> requests;
  mutable std::vector<SummarizeRequest> summaries;

 private:
  mutable std::mutex mutex_;
  std::string name_;
  bool wants_batches_;
};

ObserveReply failing(FailureClass kind, bool may_pass,
                     std::optional<std::chrono::milliseconds> retry_after = {}) {
  ObserveReply reply;
  reply.failure = ProviderFailure{
      .kind = kind, .message = "it fails", .may_pass = may_pass, .retry_after = retry_after};
  return reply;
}

class ProcessorTest : public WorkerStoreTest {
 protected:
  Processor make(const Provider& provider, ProcessorOptions options = {}) {
    return Processor(*memory_, queue_, commits_, events_, provider, rules_, std::move(options));
  }

  void init(const std::string& prompt) {
    post("init",
         fmt::format(R"({{"contentSessionId":"s","project":"demo","prompt":"{}"}})", prompt));
  }
  void use(const std::string& tool, const std::string& more = "") {
    post("observations", fmt::format(R"({{"contentSessionId":"s","tool_name":"{}",)"
                                     R"("tool_input":{{"n":{}}}{}}})",
                                     tool, ++uses_, more));
  }

  bool step(Processor& processor) {
    const auto done = processor.step({});
    EXPECT_TRUE(done.ok()) << done.error().message();
    next_due_ms_ = done.ok() ? done->next_due_ms : std::nullopt;
    return done.ok() && done->has_worked;
  }

  std::int64_t metric(AgentTask task, AgentOutcome outcome) {
    auto metrics = Journal(store(), clock_).agent_metrics();
    EXPECT_TRUE(metrics.ok());
    return (*metrics)[task][outcome];
  }

  std::vector<std::string> events_of(const char* type) {
    std::vector<std::string> data;
    for (const Event& event : events_.await_after(0, std::chrono::milliseconds(0))) {
      if (event.type == type) data.push_back(event.data);
    }
    return data;
  }

  int uses_ = 0;
  EventHub events_{clock_};
  FakeProvider rules_{"rule-based", false};
  FakeProvider model_{"openai", true};
  std::optional<std::int64_t> next_due_ms_;
};

TEST_F(ProcessorTest, EventsBecomeObservationsInOneTransaction) {
  Processor processor = make(rules_);
  init("make tea");
  use("Edit", R"(,"tool_use_id":"t1","eventId":"e1")");
  now_ms_ += 5;
  use("Bash", R"(,"eventId":"e2")");
  now_ms_ += 20;
  ASSERT_TRUE(step(processor));
  EXPECT_FALSE(step(processor));
  EXPECT_EQ(next_due_ms_, std::nullopt);

  ASSERT_EQ(rules_.requests.size(), 1U);
  EXPECT_EQ(rules_.requests[0].prompt, "make tea");
  EXPECT_EQ(rules_.requests[0].project, "demo");
  ASSERT_EQ(rules_.requests[0].events.size(), 2U);
  EXPECT_EQ(rules_.requests[0].events[0].input, R"({"n":1})");

  EXPECT_EQ(count("SELECT count(*) FROM queue"), 0);
  EXPECT_EQ(value("SELECT group_concat(title || '|' || source_ref || '|' || source || '|' || "
                  "prompt_number || '|' || (created_at_ms - 1790000000000) || '|' || "
                  "discovery_tokens) FROM entries"),
            "Used Edit|tool:t1|observer|1|0|5,Used Bash|event:e2|observer|1|5|5");
  EXPECT_EQ(value("SELECT s.content_session_id FROM entries AS e JOIN sessions AS s ON s.id = "
                  "e.session_id"),
            "s");
  const auto timings = Journal(store(), clock_).timings({});
  ASSERT_TRUE(timings.ok());
  ASSERT_EQ(timings->rows.size(), 2U);
  EXPECT_EQ(timings->rows[1].queue_wait_ms, 25);
  EXPECT_TRUE(timings->rows[1].success);
  EXPECT_EQ(metric(AgentTask::kObservation, AgentOutcome::kSuccess), 1);
  EXPECT_EQ(events_of("record.saved").size(), 2U);
  ASSERT_EQ(events_of("model.result").size(), 1U);
  EXPECT_EQ(Json::parse(events_of("model.result")[0])["outcome"], "success");
  EXPECT_EQ(processor.recent().size(), 2U);
}

TEST_F(ProcessorTest, RepeatedEventsAreRecordedTwice) {
  Processor processor = make(rules_);
  rules_.on_observe = [](const ObserveRequest& request, std::stop_token) {
    ObserveReply reply;
    for (const ToolEvent& event : request.events) {
      reply.observations.push_back(observation("change", "Same", "the same", {event.message_id}));
    }
    return reply;
  };
  init("one");
  use("Edit", R"(,"tool_use_id":"t1")");
  use("Edit");
  init("two");
  use("Edit");
  while (step(processor)) {
  }
  EXPECT_EQ(count("SELECT count(*) FROM entries"), 3);
}

TEST_F(ProcessorTest, WhatAProviderSaysIsNotTrusted) {
  Processor processor = make(rules_);
  const std::string token = "gh" + std::string("p_") + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";
  rules_.on_observe = [&](const ObserveRequest&, std::stop_token) {
    ObserveReply reply;
    Observation wild =
        observation("No Type!", std::string(5'000, 't'), "the key is " + token + " \xff", {});
    wild.facts = std::vector<std::string>(2'000, std::string(9'000, 'f'));
    wild.files_read = {token};
    reply.observations.push_back(wild);
    reply.observations.push_back(observation("discovery", "", "", {}));  // says nothing
    return reply;
  };
  init("go");
  use("Edit");
  ASSERT_TRUE(step(processor));
  EXPECT_EQ(count("SELECT count(*) FROM entries"), 1);
  EXPECT_EQ(value("SELECT entry_type FROM entries"), "discovery");
  EXPECT_EQ(value("SELECT body || files_read FROM entries").find(token), std::string::npos);
}

TEST_F(ProcessorTest, SummariesAreMadeOfWhatCameBefore) {
  Processor processor = make(rules_);
  init("make tea");
  use("Edit");
  now_ms_ += 10;
  post("summarize", R"({"contentSessionId":"s","last_assistant_message":"tea is ready"})");
  ASSERT_TRUE(step(processor));
  ASSERT_TRUE(step(processor));
  now_ms_ += 10;
  init("and cake");
  use("Write");
  post("summarize", R"({"contentSessionId":"s"})");
  while (step(processor)) {
  }
  ASSERT_EQ(rules_.summaries.size(), 2U);
  EXPECT_EQ(rules_.summaries[0].prompts, (std::vector<std::string>{"make tea"}));
  EXPECT_EQ(rules_.summaries[0].last_assistant_message, "tea is ready");
  ASSERT_EQ(rules_.summaries[0].observations.size(), 1U);
  EXPECT_EQ(rules_.summaries[0].observations[0].title, "Used Edit");
  EXPECT_EQ(rules_.summaries[1].prompts, (std::vector<std::string>{"and cake"}));
  ASSERT_EQ(rules_.summaries[1].observations.size(), 1U);
  EXPECT_EQ(rules_.summaries[1].observations[0].title, "Used Write");
  // The second one said nothing.
  EXPECT_EQ(value("SELECT group_concat(completed || prompt_number) FROM summaries"),
            "tea is ready1");
  EXPECT_EQ(count("SELECT count(*) FROM queue"), 0);
  EXPECT_EQ(metric(AgentTask::kSummary, AgentOutcome::kSuccess), 2);
}

TEST_F(ProcessorTest, WhatMayPassIsTriedAgainThenDoneByRules) {
  Processor processor = make(model_);
  model_.on_observe = [](const ObserveRequest&, std::stop_token) {
    return failing(FailureClass::kTimeout, true);
  };
  init("go");
  use("Edit");
  EXPECT_FALSE(step(processor));
  EXPECT_EQ(next_due_ms_, now_ms_ + 5'000);  // it waits for company
  now_ms_ += 5'000;
  for (const std::int64_t delay_ms : {1'000, 2'000, 4'000}) {
    ASSERT_TRUE(step(processor));
    EXPECT_FALSE(step(processor));
    EXPECT_EQ(next_due_ms_, now_ms_ + delay_ms);
    now_ms_ += delay_ms;
  }
  EXPECT_EQ(count("SELECT count(*) FROM entries"), 0);
  ASSERT_TRUE(step(processor));
  EXPECT_EQ(model_.requests.size(), 4U);
  EXPECT_EQ(rules_.requests.size(), 1U);
  EXPECT_EQ(count("SELECT count(*) FROM entries"), 1);
  EXPECT_EQ(metric(AgentTask::kObservation, AgentOutcome::kFallbackUsed), 1);
  EXPECT_EQ(metric(AgentTask::kObservation, AgentOutcome::kSuccess), 0);
  EXPECT_EQ(value("SELECT group_concat(outcome || attempt) FROM message_failures"),
            "retry1,retry2,retry3,fallback4");
  EXPECT_EQ(value("SELECT provider FROM message_timings"), "rule-based");
}

TEST_F(ProcessorTest, AServerThatAsksForTimeGetsIt) {
  Processor processor = make(model_);
  init("go");
  use("Edit");
  now_ms_ += 5'000;
  model_.on_observe = [](const ObserveRequest&, std::stop_token) {
    return failing(FailureClass::kRateLimit, true, std::chrono::seconds(17));
  };
  ASSERT_TRUE(step(processor));
  EXPECT_FALSE(step(processor));
  EXPECT_EQ(next_due_ms_, now_ms_ + 17'000);
  now_ms_ += 17'000;
  model_.on_observe = [](const ObserveRequest&, std::stop_token) {
    return failing(FailureClass::kRateLimit, true, std::chrono::hours(1));
  };
  ASSERT_TRUE(step(processor));
  EXPECT_FALSE(step(processor));
  EXPECT_EQ(next_due_ms_, now_ms_ + 60'000);
}

TEST_F(ProcessorTest, WhatWillNotPassIsDoneByRulesAtOnce) {
  Processor processor = make(model_);
  model_.on_observe = [](const ObserveRequest&, std::stop_token) {
    ObserveReply reply = failing(FailureClass::kParseFail, false);
    reply.record = {.tokens = 7, .parse_fails = 2, .repair_fails = 1};
    return reply;
  };
  init("go");
  use("Edit");
  now_ms_ += 5'000;
  ASSERT_TRUE(step(processor));
  EXPECT_EQ(count("SELECT count(*) FROM entries"), 1);
  EXPECT_EQ(count("SELECT discovery_tokens FROM entries"), 17);
  EXPECT_EQ(metric(AgentTask::kObservation, AgentOutcome::kParseFail), 2);
  EXPECT_EQ(metric(AgentTask::kObservation, AgentOutcome::kRepairFail), 1);
  EXPECT_EQ(metric(AgentTask::kObservation, AgentOutcome::kFallbackUsed), 1);
}

TEST_F(ProcessorTest, WithoutAFallbackItFailsAndCanBeTriedAgain) {
  Processor processor = make(model_, {.falls_back = false});
  model_.on_observe = [](const ObserveRequest&, std::stop_token) {
    return failing(FailureClass::kAuth, false);
  };
  init("go");
  use("Edit");
  now_ms_ += 5'000;
  ASSERT_TRUE(step(processor));
  EXPECT_EQ(queue_.depth()->failed, 1);
  ASSERT_EQ(events_of("queue.failed").size(), 1U);
  const Json failed = Json::parse(events_of("queue.failed")[0]);
  EXPECT_EQ(failed["errorClass"], "auth");
  EXPECT_EQ(failed["attempts"], 1);
  EXPECT_EQ(value("SELECT error_class || success FROM message_timings"), "auth0");

  model_.on_observe = nullptr;
  EXPECT_EQ(*queue_.retry_failed({}), 1U);
  ASSERT_TRUE(step(processor));
  EXPECT_EQ(count("SELECT count(*) FROM entries"), 1);
}

TEST_F(ProcessorTest, AProviderThatThrowsHarmsNothingElse) {
  Processor processor = make(model_);
  model_.on_observe = [](const ObserveRequest&, std::stop_token) -> ObserveReply {
    throw std::runtime_error("oh");
  };
  init("go");
  use("Edit");
  now_ms_ += 5'000;
  ASSERT_TRUE(step(processor));
  EXPECT_EQ(count("SELECT count(*) FROM entries"), 1);
  EXPECT_EQ(value("SELECT error_class FROM message_failures"), "unknown");
}

TEST_F(ProcessorTest, WhatCannotBeStoredIsTriedAgainThenFails) {
  const auto limit_pages = [&](std::int64_t pages) {
    auto writer = store().writer();
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE((*writer)->find_integer(fmt::format("PRAGMA max_page_count={}", pages)).ok());
  };
  Processor processor = make(rules_);
  rules_.on_observe = [](const ObserveRequest& request, std::stop_token) {
    ObserveReply reply;
    for (const ToolEvent& event : request.events) {
      reply.observations.push_back(
          observation("change", "Long", std::string(60'000, 'x'), {event.message_id}));
    }
    return reply;
  };
  init("go");
  use("Edit");
  use("Write");
  limit_pages(1);  // as many as there are: the disk is full
  for (const std::int64_t delay_ms : {1'000, 2'000, 4'000}) {
    ASSERT_TRUE(step(processor));
    EXPECT_FALSE(step(processor));
    EXPECT_EQ(next_due_ms_, now_ms_ + delay_ms);
    now_ms_ += delay_ms;
  }
  ASSERT_TRUE(step(processor));
  EXPECT_EQ(count("SELECT count(*) FROM entries"), 0);  // all of a batch or nothing
  EXPECT_EQ(queue_.depth()->failed, 2);
  EXPECT_EQ(value("SELECT DISTINCT error_class FROM queue"), "storage");
  limit_pages(1'000'000);
  EXPECT_EQ(*queue_.retry_failed({}), 2U);
  ASSERT_TRUE(step(processor));
  EXPECT_EQ(count("SELECT count(*) FROM entries"), 2);
}

// A title that is no secret until it is cut.
Observation unkept(const ToolEvent& event) {
  const std::string filler(memory::kMaxTitleBytes - 21, 'x');
  return observation("change", filler + " AKIA" + "Q7RZ2LKWJ4N6XV3T" + "ABCDEFGHIJKLMNOP", "told",
                     {event.message_id});
}

TEST_F(ProcessorTest, AnObservationThatCannotBeKeptTakesNoOtherAlong) {
  model_.on_observe = [](const ObserveRequest& request, std::stop_token) {
    ObserveReply reply;
    reply.observations = {FakeProvider::observation_of(request.events[0]),
                          unkept(request.events[1]),
                          FakeProvider::observation_of(request.events[2])};
    return reply;
  };
  Processor processor = make(model_);
  init("go");
  for (const char* tool : {"Edit", "Write", "Bash"}) use(tool);
  now_ms_ += 5'000;
  ASSERT_TRUE(step(processor));
  EXPECT_EQ(
      value("SELECT group_concat(title, '|') FROM (SELECT title FROM entries ORDER BY title)"),
      "Used Bash|Used Edit|Used Write");
  ASSERT_EQ(rules_.requests.size(), 1U);  // of that message alone
  EXPECT_EQ(rules_.requests[0].events.size(), 1U);
  EXPECT_EQ(value("SELECT provider || outcome || error_class FROM message_failures"),
            "openaifallbackstorage");
  EXPECT_EQ(count("SELECT count(*) FROM queue"), 0);
}

TEST_F(ProcessorTest, WhatRulesSayThatCannotBeKeptIsLeftOutAndNoted) {
  rules_.on_observe = [](const ObserveRequest& request, std::stop_token) {
    ObserveReply reply;
    reply.observations = {FakeProvider::observation_of(request.events[0]),
                          unkept(request.events[1])};
    return reply;
  };
  Processor processor = make(rules_);
  init("go");
  for (const char* tool : {"Edit", "Write"}) use(tool);
  ASSERT_TRUE(step(processor));
  EXPECT_EQ(value("SELECT title FROM entries"), "Used Edit");
  EXPECT_EQ(value("SELECT provider || outcome || error_class FROM message_failures"),
            "rule-basedfailedstorage");
  EXPECT_EQ(count("SELECT count(*) FROM queue"), 0);
}

TEST_F(ProcessorTest, WhatThrowsWhileItIsStoredIsGivenBack) {
  ProcessorOptions options;
  bool has_thrown = false;
  options.cite = [&](const auto&, const auto&, const auto&) {
    if (!std::exchange(has_thrown, true)) throw std::runtime_error("oh");
    return Result(std::vector<memory::Citation>());
  };
  Processor processor = make(rules_, options);
  init("go");
  use("Edit", R"(,"cwd":"/work/demo")");
  ASSERT_TRUE(step(processor));
  EXPECT_EQ(queue_.depth()->pending, 1);
  now_ms_ += 1'000;
  ASSERT_TRUE(step(processor));
  EXPECT_EQ(count("SELECT count(*) FROM entries"), 1);
}

TEST_F(ProcessorTest, AClaimThatWasLostStoresNothing) {
  Processor processor = make(rules_);
  init("go");
  use("Edit");
  rules_.on_observe = [&](const ObserveRequest& request, std::stop_token) {
    // It took so long that somebody else has done it meanwhile.
    now_ms_ += kLease.count() + 1;
    auto other = queue_.claim({});
    EXPECT_TRUE(other.ok() && other->claim);
    EXPECT_TRUE(
        commits_
            .run([&](store::Database& database) { return queue_.remove(database, *other->claim); })
            .ok());
    ObserveReply reply;
    reply.observations.push_back(FakeProvider::observation_of(request.events[0]));
    return reply;
  };
  ASSERT_TRUE(step(processor));
  EXPECT_EQ(count("SELECT count(*) FROM entries"), 0);
  EXPECT_EQ(count("SELECT count(*) FROM message_timings"), 0);
}

TEST_F(ProcessorTest, ThreadsDrainTheQueueAndAStopCancels) {
  std::mutex mutex;
  std::condition_variable_any changed;
  bool is_asked = false;
  model_.on_observe = [&](const ObserveRequest&, std::stop_token stop) {
    std::unique_lock lock(mutex);
    is_asked = true;
    changed.notify_all();
    changed.wait(lock, stop, [] { return false; });
    return failing(FailureClass::kNetwork, true);
  };
  ProcessorOptions options;
  options.model_limits.company = std::chrono::milliseconds(0);
  Processor processor = make(model_, options);
  intake_.set_listener([&](const IntakeRequest& request, const IntakeOutcome& outcome) {
    processor.note_intake(request, outcome);
  });
  ASSERT_TRUE(processor.start().ok());
  init("go");
  use("Edit");
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return is_asked; });
  }
  EXPECT_TRUE(processor.is_processing());
  EXPECT_EQ(queue_.depth()->processing, 1);
  processor.stop();
  EXPECT_FALSE(processor.is_processing());
  EXPECT_EQ(queue_.depth()->pending, 1);
  EXPECT_EQ(count("SELECT attempts FROM queue"), 0);
  EXPECT_EQ(count("SELECT count(*) FROM message_failures"), 0);
}

TEST_F(ProcessorTest, TheLeaseOfALongCallIsRenewed) {
  ProcessorOptions options;
  options.model_limits.company = std::chrono::milliseconds(0);
  Processor processor = make(model_, options);
  model_.on_observe = [&](const ObserveRequest& request, std::stop_token) {
    for (int part = 0; part < 3; ++part) {
      now_ms_ += 30'000;
      const std::int64_t want_ms = now_ms_ + kLease.count();
      for (int i = 0; i < 2'000; ++i) {
        processor.wake();  // the thread that keeps house does not see a clock that is set by hand
        if (count("SELECT lease_until_ms FROM queue") == want_ms) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
      EXPECT_EQ(count("SELECT lease_until_ms FROM queue"), want_ms);
    }
    ObserveReply reply;
    reply.observations.push_back(FakeProvider::observation_of(request.events[0]));
    return reply;
  };
  intake_.set_listener([&](const IntakeRequest& request, const IntakeOutcome& outcome) {
    processor.note_intake(request, outcome);
  });
  ASSERT_TRUE(processor.start().ok());
  init("go");
  use("Edit");
  std::uint64_t seen = 0;
  while (events_of("record.saved").empty()) {
    const auto events = events_.await_after(seen, std::chrono::seconds(20));
    ASSERT_FALSE(events.empty());
    seen = events.back().id;
  }
  processor.stop();
  EXPECT_EQ(count("SELECT count(*) FROM entries"), 1);
  EXPECT_EQ(model_.requests.size(), 1U);
}

TEST_F(ProcessorTest, ManySessionsAreDrainedInTheirOrder) {
  Processor processor = make(rules_);
  intake_.set_listener([&](const IntakeRequest& request, const IntakeOutcome& outcome) {
    processor.note_intake(request, outcome);
  });
  ASSERT_TRUE(processor.start().ok());
  for (int i = 0; i < 40; ++i) {
    for (const char* session : {"a", "b", "c"}) {
      post("observations",
           fmt::format(R"({{"contentSessionId":"{}","tool_name":"T","tool_input":{}}})", session,
                       i));
    }
  }
  std::uint64_t seen = 0;
  while (!*queue_.is_drained(memory::SessionId{1}) || !*queue_.is_drained(memory::SessionId{2}) ||
         !*queue_.is_drained(memory::SessionId{3})) {
    const auto events = events_.await_after(seen, std::chrono::seconds(10));
    ASSERT_FALSE(events.empty());
    seen = events.back().id;
  }
  processor.stop();
  for (const char* session : {"a", "b", "c"}) {
    std::string want;
    for (int i = 0; i < 40; ++i) want += fmt::format("with {};", i);
    EXPECT_EQ(value(fmt::format("SELECT group_concat(body || ';', '') FROM (SELECT e.body FROM "
                                "entries AS e JOIN sessions AS s ON s.id = e.session_id WHERE "
                                "s.content_session_id = '{}' ORDER BY e.id)",
                                session)),
              want);
  }
}

TEST_F(ProcessorTest, WhatEndedIsWeighedWhenItIsDrained) {
  Processor processor = make(rules_);
  intake_.set_listener([&](const IntakeRequest& request, const IntakeOutcome& outcome) {
    processor.note_intake(request, outcome);
  });
  rules_.on_observe = [](const ObserveRequest& request, std::stop_token) {
    ObserveReply reply;
    for (const ToolEvent& event : request.events) {
      Observation failed = FakeProvider::observation_of(event);
      failed.outcome = "error";
      failed.target = "src/kettle.cpp";
      reply.observations.push_back(failed);
    }
    return reply;
  };
  init("go");
  for (int i = 0; i < 4; ++i) use("Bash");
  post("complete", R"({"contentSessionId":"s"})");
  processor.reflect();  // it is not drained
  EXPECT_EQ(count("SELECT count(*) FROM decisions"), 0);
  ASSERT_TRUE(step(processor));
  processor.reflect();
  EXPECT_EQ(count("SELECT count(*) FROM decisions WHERE kind = 'proposal'"), 2);
  EXPECT_EQ(events_of("session.status").size(), 2U);
}

}  // namespace
}  // namespace codexmem::observe
