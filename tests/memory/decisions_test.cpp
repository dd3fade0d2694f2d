#include "memory/decisions/decisions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <thread>

#include "base/file.h"
#include "memory/decisions_fixture.h"

namespace codexmem::memory::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

class DecisionCalls : public DecisionsTest {
 protected:
  // That `call` fails so, and has changed nothing but the audit log.
  template <typename Call>
  void expect_failure(ErrorCode code, const std::string& message, Call call) {
    const std::string before = dump();
    const auto result = call();
    ASSERT_FALSE(result.ok()) << message;
    EXPECT_EQ(result.error().message(), message);
    EXPECT_EQ(error_code_name(result.error().code()), error_code_name(code)) << message;
    EXPECT_EQ(dump(), before) << message;
    const auto rows = decisions_->audit(1);
    ASSERT_TRUE(rows.ok());
    ASSERT_THAT(*rows, SizeIs(1));
    EXPECT_EQ(rows->front().error, message);
    EXPECT_EQ(rows->front().is_allowed, code != ErrorCode::kBlocked);
  }
};

using RecordDecision = DecisionCalls;

TEST_F(RecordDecision, IsActiveAndFound) {
  const std::string id = record(kAgent, about("Database Policy"));
  EXPECT_THAT(id, MatchesRegex("decision_20260102_030410_678[0-9]{3}_[0-9a-f]{8}\\.md"));
  const Decision decision = get(id);
  EXPECT_EQ(decision.status, DecisionStatus::kActive);
  EXPECT_EQ(decision.rationale, "[via MCP] It is embedded and outlives power cuts");
  EXPECT_EQ(decision.source, DecisionSource::kAgent);
  EXPECT_EQ(get(id.substr(0, id.size() - 3)).id, id);
  const auto hits = search("which database outlives power cuts");
  ASSERT_EQ(hits.size(), 1U);
  EXPECT_EQ(hits[0].id, id);
  EXPECT_GE(hits[0].score, 1);
  EXPECT_EQ(hits[0].preview, "Use SQLite: It is embedded and outlives power cuts");
}

TEST_F(RecordDecision, TellsWhoItIsFrom) {
  const struct {
    Caller caller;
    DecisionSource source;
    const char* rationale;
    const char* role;
  } kCases[] = {
      {kAgent, DecisionSource::kAgent, "[via MCP] \\[via MCP] trust me", "agent"},
      {kAdmin, DecisionSource::kHuman, "\\[via MCP] trust me", "admin"},
      {kPerson, DecisionSource::kHuman, "\\[via MCP] trust me", "admin (shell)"},
  };
  int n = 0;
  for (const auto& [caller, source, rationale, role] : kCases) {
    const std::string id =
        record(caller, about("t" + std::to_string(++n), "T", "  [via MCP] trust me "));
    EXPECT_EQ(get(id).source, source);
    EXPECT_EQ(get(id).rationale, rationale);
    const auto history = decisions_->history(id);
    ASSERT_TRUE(history.ok());
    ASSERT_THAT(*history, SizeIs(1));
    EXPECT_EQ(history->front().role, role);
    EXPECT_EQ(history->front().from, std::nullopt);
  }
}

TEST_F(RecordDecision, LengthsAreCountedInCodePointsWithoutWhiteSpaceAtTheEnds) {
  struct Case {
    NewDecision decision;
    const char* message;
  };
  for (const Case& each : {
           Case{about("t", " \n"), "title must have at least 1 character, got 0"},
           Case{about("\u00a0\u3000"), "target must have at least 1 character, got 0"},
           Case{about("t", "T", " größer 12 "),
                "rationale must have at least 10 characters, got 9"},
           Case{about("t", "T", "<private>a long reason</private> short"),
                "rationale must have at least 10 characters, got 5"},
       }) {
    expect_failure(ErrorCode::kInvalidArgument, each.message,
                   [&] { return decisions_->record(kAgent, each.decision); });
  }
  record(kAgent, about("t", "T", "größer 123"));  // ten
  expect_failure(ErrorCode::kInvalidArgument, "title must have at most 2000 bytes, got 2001",
                 [&] { return decisions_->record(kAgent, about("t", std::string(2'001, 'x'))); });
}

TEST_F(RecordDecision, ATakenTargetIsAConflictThatNamesItsDecision) {
  const std::string id = record(kAgent, about("Database Policy"));
  pass(5'000);
  expect_failure(ErrorCode::kBlocked,
                 "CONFLICT: Active decisions for target 'database POLICY' exist: [" + id + "]",
                 [&] { return decisions_->record(kAgent, about("  database POLICY ")); });
  NewDecision elsewhere = about("Database Policy");
  elsewhere.project = "other";
  EXPECT_TRUE(decisions_->record(kAgent, elsewhere).ok());
}

TEST_F(RecordDecision, AViewerMayNot) {
  expect_failure(ErrorCode::kBlocked,
                 "Permission Denied: record_decision needs the role agent, and this is viewer "
                 "(agent and admin need AGENT_MEMORY_SECRET to be set)",
                 [&] { return decisions_->record(kViewer, about("t")); });
  expect_failure(ErrorCode::kBlocked,
                 "Permission Denied: supersede_decision needs the role agent, and this is viewer "
                 "(agent and admin need AGENT_MEMORY_SECRET to be set)",
                 [&] { return decisions_->supersede(kViewer, about("t"), {"x"}); });
}

TEST_F(RecordDecision, OnlyASuccessfulWriteStartsTheCooldown) {
  record(kAgent, about("a"));
  pass(600);
  const auto too_soon = [&] { return decisions_->record(kAgent, about("b")); };
  expect_failure(ErrorCode::kBlocked, "Rate limit exceeded: please wait 1.4 seconds", too_soon);
  pass(1'399);  // the attempt has not put it off
  expect_failure(ErrorCode::kBlocked, "Rate limit exceeded: please wait 0.1 seconds", too_soon);
  const std::string draft = propose(kPerson, about("c"));  // no such write
  expect_failure(ErrorCode::kBlocked, "Rate limit exceeded: please wait 0.1 seconds",
                 [&] { return decisions_->accept(kAdmin, draft); });
  pass(1);
  EXPECT_TRUE(decisions_->accept(kAdmin, draft).ok());
  expect_failure(ErrorCode::kBlocked, "Rate limit exceeded: please wait 2.0 seconds",
                 [&] { return decisions_->supersede(kAgent, about("a"), {"x"}); });
  now_ms_ -= 5 * kHourMs;  // the time of day does not matter
  monotonic_ms_ += 2'000;
  EXPECT_TRUE(too_soon().ok());
}

TEST_F(RecordDecision, ASecretIsRefusedAndNowhereToBeFound) {
  const std::string secret = std::string("ghp_") + "x7Qm2Vt9Lr4Kp8Zw1Ns6Yd3Hb5Gc0Jf2A" + "qRt";
  for (int field = 0; field < 4; ++field) {
    NewDecision decision = about("t");
    if (field == 0) decision.title = "Use " + secret;
    if (field == 1) decision.target = secret;
    if (field == 2) decision.rationale += " token " + secret;
    if (field == 3) decision.consequences = {"fine", secret};
    const std::string before = dump();
    const auto refused = decisions_->record(kAgent, decision);
    ASSERT_FALSE(refused.ok()) << field;
    EXPECT_EQ(refused.error().code(), ErrorCode::kBlocked);
    EXPECT_THAT(refused.error().message(), Not(HasSubstr(secret)));
    EXPECT_THAT(refused.error().details(), HasSubstr("\"fields\""));
    EXPECT_EQ(dump(), before);
  }
  DecisionSearch search;
  search.query = secret;
  ASSERT_TRUE(decisions_->search(kViewer, search).ok());
  EXPECT_FALSE(decisions_->record(kViewer, about(secret)).ok());
  EXPECT_FALSE(decisions_->accept(kAdmin, secret).ok());
  for (const auto& file : std::filesystem::directory_iterator(store_->directory())) {
    const auto bytes = read_file(file.path());
    ASSERT_TRUE(bytes.ok());
    EXPECT_THAT(*bytes, Not(HasSubstr(secret.substr(4)))) << file.path();
  }
}

TEST_F(RecordDecision, WhatANewerRuleKnowsForASecretIsNotShown) {
  const std::string id = record(kAgent, about("t"));
  const std::string secret = std::string("ghp_") + "x7Qm2Vt9Lr4Kp8Zw1Ns6Yd3Hb5Gc0Jf2A" + "qRt";
  {
    auto writer = store_->writer();
    auto put = (*writer)->statement(
        "INSERT INTO decisions (id, kind, project_id, title, target, target_key, status, "
        "rationale, "
        "source, created_at_ms) VALUES ('old.md', 'decision', 1, ?1, 'u', 'u', 'active', ?1, "
        "'agent', 1)");
    const std::string text = "kettle " + secret;
    put->bind(1, text);
    ASSERT_TRUE(put->run().ok());
  }
  EXPECT_THAT(get("old").rationale, Not(HasSubstr(secret)));
  const auto all = decisions_->list({});
  ASSERT_TRUE(all.ok());
  for (const Decision& decision : *all) {
    EXPECT_THAT(decision.title, Not(HasSubstr(secret)));
  }
  const auto hits = search("kettle");
  ASSERT_THAT(hits, SizeIs(1));
  EXPECT_THAT(hits[0].preview + hits[0].title, Not(HasSubstr(secret)));
  ASSERT_TRUE(decisions_->export_files(directory_.path() / "files").ok());
  EXPECT_THAT(*read_file(directory_.path() / "files" / "old.md"), Not(HasSubstr(secret)));
}

TEST_F(RecordDecision, PrivatePartsAreTakenOut) {
  const std::string id =
      record(kAgent, about("t", "Title", "because it is so <private>canary</private> and so"));
  EXPECT_EQ(get(id).rationale, "[via MCP] because it is so  and so");
  for (const auto& file : std::filesystem::directory_iterator(store_->directory())) {
    EXPECT_THAT(*read_file(file.path()), Not(HasSubstr("canary"))) << file.path();
  }
}

TEST_F(RecordDecision, TheHookWritesInTheSameTransaction) {
  NewDecision seen;
  const DecisionHook good = [&](const NewDecision& decision) -> Result<DocumentWriter> {
    seen = decision;
    return DocumentWriter([](store::Database& database, DocumentKey document) {
      auto note = database.statement("INSERT INTO meta (key, value) VALUES ('hook', ?1)");
      note->bind(1, document);
      return note->run();
    });
  };
  const auto id = decisions_->record(kAgent, about(" t "), good);
  ASSERT_TRUE(id.ok());
  EXPECT_EQ(seen.target, "t");
  auto reader = store_->reader();
  EXPECT_EQ(*(*reader)->find_integer("SELECT value FROM meta WHERE key = 'hook'"),
            static_cast<std::int64_t>(document_key(get(*id).key)));
  pass(5'000);
  expect_failure(ErrorCode::kIo, "no index", [&] {
    return decisions_->record(kAgent, about("u"), [](const NewDecision&) -> Result<DocumentWriter> {
      return DocumentWriter([](store::Database&, DocumentKey) -> Result<void> {
        return Error{ErrorCode::kIo, "no index"};
      });
    });
  });
}

using SupersedeDecision = DecisionCalls;

TEST_F(SupersedeDecision, TakesThePlaceOfTheOldOne) {
  const std::string old = record(kAgent, about("db"));
  const std::string now = supersede(kAgent, about("DB", "Use Postgres"), {old, old});
  EXPECT_EQ(status(old), "superseded");
  EXPECT_EQ(get(old).superseded_by, now);
  EXPECT_EQ(status(now), "active");
  EXPECT_THAT(get(now).supersedes, ElementsAre(old));
  const auto history = decisions_->history(old);
  ASSERT_THAT(*history, SizeIs(2));
  EXPECT_EQ(history->back().from, DecisionStatus::kActive);
  EXPECT_EQ(history->back().to, DecisionStatus::kSuperseded);
  EXPECT_EQ(history->back().reason, "superseded by " + now);
}

TEST_F(SupersedeDecision, NamesTheIdThatIsWrong) {
  const std::string old = record(kAgent, about("db"));
  const std::string now = supersede(kAgent, about("db"), {old});
  const std::string other = record(kAgent, about("cache"));
  const std::string draft = propose(kAgent, about("db"));
  NewDecision elsewhere = about("db");
  elsewhere.project = "other";
  const std::string foreign = record(kAgent, elsewhere);
  pass(5'000);
  struct Case {
    std::vector<std::string> ids;
    ErrorCode code;
    std::string message;
  };
  for (const Case& one : {
           Case{{}, ErrorCode::kInvalidArgument, "old_decision_ids must have 1 to 100 ids, got 0"},
           Case{{"decision_x"}, ErrorCode::kNotFound, "Decision decision_x.md not found"},
           Case{{"../" + now},
                ErrorCode::kInvalidArgument,
                "an id of a decision is the name of its file, such as "
                "decision_20260102_030405_000000_0123abcd.md, without a folder"},
           Case{{now, old},
                ErrorCode::kInvalidArgument,
                old + " is not an active decision: it is superseded by " + now},
           Case{{draft},
                ErrorCode::kInvalidArgument,
                draft + " is not an active decision: it is draft"},
           Case{{now, other},
                ErrorCode::kInvalidArgument,
                other + " is about target 'cache', not about 'db'"},
           Case{{foreign},
                ErrorCode::kInvalidArgument,
                foreign + " belongs to project 'other', not to 'demo'"},
       }) {
    expect_failure(one.code, one.message,
                   [&] { return decisions_->supersede(kAgent, about("db"), one.ids); });
  }
  expect_failure(
      ErrorCode::kInvalidArgument, "rationale must have at least 15 characters, got 14",
      [&] { return decisions_->supersede(kAgent, about("db", "T", "fourteen chars"), {now}); });
}

TEST_F(SupersedeDecision, OfAHumanIsNotAnAgentsToTake) {
  const std::string humans = record(kPerson, about("db"));
  pass(5'000);
  expect_failure(ErrorCode::kBlocked,
                 "Isolation Violation: Decision " + humans + " created by HUMAN.",
                 [&] { return decisions_->supersede(kAgent, about("db"), {humans}); });
  const std::string by_admin = supersede(kAdmin, about("db"), {humans});
  EXPECT_EQ(status(supersede(kPerson, about("db"), {by_admin})), "active");
}

using AcceptProposal = DecisionCalls;

TEST_F(AcceptProposal, MakesADecisionOfADraftAfterAnHour) {
  const std::string draft = propose(kAgent, about("db", "T", "[via MCP] reasons of mine"));
  EXPECT_THAT(draft, StartsWith("proposal_"));
  pass(kHourMs - 1);
  expect_failure(ErrorCode::kBlocked,
                 "PI1 Violation: " + draft +
                     " was first observed 59 minutes ago, and can be accepted after an hour",
                 [&] { return decisions_->accept(kAdmin, draft); });
  pass(1);
  const auto accepted = decisions_->accept(kAdmin, draft);
  ASSERT_TRUE(accepted.ok()) << accepted.error().message();
  EXPECT_EQ(status(draft), "accepted");
  EXPECT_EQ(get(draft).converted_to, accepted->decision_id);
  const Decision made = get(accepted->decision_id);
  EXPECT_EQ(made.status, DecisionStatus::kActive);
  EXPECT_EQ(made.source, DecisionSource::kHuman);
  EXPECT_EQ(made.rationale,
            "\\[via MCP] reasons of mine\n\n(Accepted from proposal " + draft + ".)");
  pass(5'000);
  expect_failure(ErrorCode::kInvalidArgument,
                 draft + " is not a draft but an ended proposal: its status is accepted",
                 [&] { return decisions_->accept(kAdmin, draft); });
  expect_failure(ErrorCode::kInvalidArgument,
                 made.id + " is not a draft but a decision: its status is active",
                 [&] { return decisions_->accept(kAdmin, made.id); });
}

TEST_F(AcceptProposal, OfAHumanNeedsNoReview) {
  const std::string draft = propose(kPerson, about("db"));
  EXPECT_TRUE(decisions_->accept(kAdmin, draft).ok());
}

TEST_F(AcceptProposal, NeedsAnAdmin) {
  const std::string draft = propose(kPerson, about("db"));
  expect_failure(ErrorCode::kBlocked,
                 "Permission Denied: accept_proposal needs the role admin, and this is agent",
                 [&] { return decisions_->accept(kAgent, draft); });
  expect_failure(ErrorCode::kNotFound, "Decision nothing.md not found",
                 [&] { return decisions_->accept(kAdmin, "nothing"); });
}

TEST_F(AcceptProposal, OnATakenTargetSupersedesWhatItNames) {
  const std::string active = record(kAgent, about("db"));
  const std::string blind = propose(kPerson, about("db"));
  const std::string seeing = propose(kPerson, about("DB"), {active});
  pass(5'000);
  expect_failure(ErrorCode::kBlocked,
                 "CONFLICT: Active decisions for target 'db' exist: [" + active + "]",
                 [&] { return decisions_->accept(kAdmin, blind); });
  const auto accepted = decisions_->accept(kAdmin, seeing);
  ASSERT_TRUE(accepted.ok()) << accepted.error().message();
  EXPECT_EQ(get(active).superseded_by, accepted->decision_id);
}

using EndDecision = DecisionCalls;

TEST_F(EndDecision, IsForAdmins) {
  const std::string active = record(kAgent, about("db"));
  const std::string draft = propose(kAgent, about("db"));
  expect_failure(ErrorCode::kBlocked,
                 "Permission Denied: deprecate_decision needs the role admin, and this is agent",
                 [&] { return decisions_->deprecate(kAgent, active, ""); });
  expect_failure(ErrorCode::kBlocked,
                 "Permission Denied: reject_proposal needs the role admin, and this is agent",
                 [&] { return decisions_->reject(kAgent, draft, ""); });
  // What somebody wrote down is not dismissed by a person without the secret, either.
  EXPECT_FALSE(decisions_->reject({.role = Role::kViewer, .is_at_shell = true}, draft, "").ok());
  expect_failure(ErrorCode::kInvalidArgument, draft + " is not active: it is draft",
                 [&] { return decisions_->deprecate(kAdmin, draft, ""); });
  expect_failure(ErrorCode::kInvalidArgument, active + " is not draft: it is active",
                 [&] { return decisions_->reject(kAdmin, active, ""); });
  EXPECT_TRUE(decisions_->deprecate(kAdmin, active, "moved on").ok());
  EXPECT_TRUE(decisions_->reject(kPerson, draft, "no").ok());
  EXPECT_EQ(decisions_->history(active)->back().reason, "moved on");
  record(kAgent, about("db"));  // the target is free again
}

TEST_F(EndDecision, AProposalNamesOnlyWhatItCanSupersede) {
  const std::string active = record(kAgent, about("db"));
  expect_failure(ErrorCode::kInvalidArgument, active + " is about target 'db', not about 'cache'",
                 [&] {
                   return decisions_->propose(kAgent, {about("cache"), {active}, {}});
                 });
}

using AuditLog = DecisionCalls;

TEST_F(AuditLog, KeepsEachCallNewestFirst) {
  const std::string id = record(kAgent, about("db"));
  search("power");
  EXPECT_FALSE(decisions_->deprecate(kAgent, id, "why").ok());
  const auto rows = decisions_->audit(10);
  ASSERT_TRUE(rows.ok());
  ASSERT_THAT(*rows, SizeIs(3));
  EXPECT_EQ((*rows)[0].tool, "deprecate_decision");
  EXPECT_FALSE((*rows)[0].is_allowed);
  EXPECT_EQ((*rows)[0].arguments, R"({"id":")" + id + R"(","reason":"why"})");
  EXPECT_EQ((*rows)[1].tool, "search_decisions");
  EXPECT_EQ((*rows)[1].role, "viewer");
  EXPECT_EQ((*rows)[1].arguments, R"({"query":"power","limit":5,"mode":"balanced"})");
  EXPECT_EQ((*rows)[2].arguments, R"({"project":"demo","title":"Use SQLite","target":"db",)"
                                  R"("rationale":"It is embedded and outlives power cuts"})");
  EXPECT_EQ((*rows)[2].error, "");
  EXPECT_EQ((*rows)[2].at_ms, now_ms_);
  EXPECT_THAT(*decisions_->audit(10, (*rows)[1].id), SizeIs(1));
}

TEST_F(AuditLog, DoesNotHoldUpASearch) {
  record(kAgent, about("db"));
  const auto other = store::UserStore::open(store_->directory());
  ASSERT_TRUE(other.ok());
  auto writer = (*other)->writer();
  const auto lock = store::Transaction::begin(**writer);
  ASSERT_TRUE(lock.ok());
  EXPECT_THAT(search("power"), SizeIs(1));  // after a second
}

TEST_F(AuditLog, LongArgumentsAreCut) {
  record(kAgent, about("db", "T", std::string(100'000, 'x')));
  EXPECT_LT(decisions_->audit(1)->front().arguments.size(), 1'000U);
}

TEST(DecisionOptions, AreReadFromTheSettings) {
  std::string cooldown = " 250 ";
  const ReadSetting setting = [&](std::string_view name) {
    return name == "CODEXMEM_DECISION_COOLDOWN_MS" ? cooldown
           : name == "CODEXMEM_DECISIONS_DIR"      ? std::string("/somewhere")
                                                   : std::string();
  };
  DecisionOptions options;
  ASSERT_TRUE(read_settings(setting, &options).ok());
  EXPECT_EQ(options.cooldown_ms, 250);
  EXPECT_EQ(options.files, "/somewhere");
  for (const char* bad : {"-1", "2s", "99999999999999"}) {
    cooldown = bad;
    const auto read = read_settings(setting, &options);
    ASSERT_FALSE(read.ok());
    EXPECT_THAT(read.error().message(), HasSubstr(bad));
  }
}

// What a process of its own gives back after recording: 0 recorded, 1 conflict, 2 anything else.
int record_elsewhere(const std::filesystem::path& directory, int start) {
  auto store = store::UserStore::open(directory);
  if (!store.ok()) return 2;
  const DocumentVectors vectors(nullptr, true);
  DecisionOptions options;
  options.clock = system_clock();
  Decisions decisions(**store, vectors, options);
  char go = 0;
  if (::read(start, &go, 1) < 0) return 2;
  const auto id = decisions.record(kAgent, about("the one target"));
  if (id.ok()) return 0;
  return id.error().message().starts_with("CONFLICT: ") ? 1 : 2;
}

TEST(Race, OfProcessesForOneTargetHasOneWinner) {
  const codexmem::testing::TemporaryDirectory directory;
  for (int round = 0; round < 5; ++round) {
    const auto data = directory.path() / std::to_string(round);
    ASSERT_TRUE(store::UserStore::open(data).ok());
    std::array<int, 2> pipe{};
    ASSERT_EQ(::pipe(pipe.data()), 0);
    std::vector<pid_t> children;
    for (int i = 0; i < 4; ++i) {
      const pid_t child = ::fork();
      ASSERT_GE(child, 0);
      if (child == 0) {
        ::close(pipe[1]);
        ::_exit(record_elsewhere(data, pipe[0]));
      }
      children.push_back(child);
    }
    ::close(pipe[0]);
    ::close(pipe[1]);  // all see the end at once
    std::array<int, 3> outcomes{};
    for (const pid_t child : children) {
      int state = 0;
      ASSERT_EQ(::waitpid(child, &state, 0), child);
      ASSERT_TRUE(WIFEXITED(state));
      ++outcomes.at(static_cast<std::size_t>(std::min(WEXITSTATUS(state), 2)));
    }
    EXPECT_THAT(outcomes, ElementsAre(1, 3, 0));
  }
}

TEST_F(DecisionCalls, OfManyThreadsKeepOneActive) {
  DecisionOptions free = options();
  free.cooldown_ms = 0;
  free.clock = [] { return 1'767'323'045'678; };
  free.monotonic_ms = [] { return 0; };
  reopen(std::move(free));
  std::atomic<int> recorded{0}, conflicts{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 5; ++k) {
        const auto id = decisions_->record(kAgent, about("t" + std::to_string(k)));
        ++(id.ok() ? recorded : conflicts);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(recorded, 5);
  EXPECT_EQ(conflicts, 15);
}

}  // namespace
}  // namespace codexmem::memory::testing
