#include "observe/intake/intake.h"

#include <fmt/core.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "text/json.h"
#include "memory/entries/entries.h"
#include "privacy/captured_text.h"
#include "observe/worker_store.h"

namespace codexmem::observe {
namespace {

constexpr char kInit[] = R"({"contentSessionId":"s","project":"demo","prompt":"make tea"})";

class IntakeTest : public WorkerStoreTest {
 protected:
  IntakeOutcome init(const std::string& prompt, const std::string& more = "") {
    return post("init", fmt::format(R"({{"contentSessionId":"s","project":"demo","prompt":{}{}}})",
                                    dump_json(Json(prompt)), more));
  }
  IntakeOutcome use(const std::string& tool, const std::string& input,
                    const std::string& more = "") {
    return post("observations",
                fmt::format(R"({{"contentSessionId":"s","tool_name":"{}","tool_input":{},)"
                            R"("tool_response":"ok","cwd":"/home/u/demo"{}}})",
                            tool, input, more));
  }
  IntakeOutcome summarize(const std::string& message, const std::string& more = "") {
    return post("summarize",
                fmt::format(R"({{"contentSessionId":"s","last_assistant_message":{}{}}})",
                            dump_json(Json(message)), more));
  }

  // Every byte of every file in the data directory.
  std::string all_bytes() {
    std::string bytes;
    for (const auto& file : std::filesystem::recursive_directory_iterator(directory_.path())) {
      if (!file.is_regular_file()) continue;
      std::ifstream in(file.path(), std::ios::binary);
      bytes.append(std::istreambuf_iterator<char>(in), {});
    }
    return bytes;
  }
};

TEST_F(IntakeTest, BodiesAreReadAndMissingFieldsAreReported) {
  struct Case {
    const char *path, *body, *want;
  };
  const std::vector<Case> cases = {
      {"init", "{", "The body is not valid JSON"},
      {"init", "[]", "The body must be a JSON object"},
      {"init", "{}", "Missing contentSessionId"},
      {"init", R"({"contentSessionId":7})", "Missing contentSessionId"},
      {"init", R"({"contentSessionId":" "})", "Missing contentSessionId"},
      {"init", R"({"contentSessionId":"s"})", "Missing project"},
      {"init", R"({"contentSessionId":"s","project":"p"})", "Missing prompt"},
      {"init", R"({"contentSessionId":"s","project":"p","prompt":1})", "Missing prompt"},
      {"observations", R"({"tool_name":"Read"})", "Missing contentSessionId"},
      {"observations", R"({"contentSessionId":"s"})", "Missing tool_name"},
      {"summarize", "{}", "Missing contentSessionId"},
      {"complete", "{}", "Missing contentSessionId"},
  };
  for (const Case& test : cases) {
    const auto read = read_intake(std::string("/api/sessions/") + test.path, test.body);
    ASSERT_FALSE(read.ok()) << test.body;
    EXPECT_EQ(read.error().message(), test.want);
    EXPECT_EQ(read.error().code(), ErrorCode::kInvalidArgument);
  }
  EXPECT_EQ(read_intake("/api/sessions/init",
                        R"({"contentSessionId":")" + std::string(501, 'x') + R"("})")
                .error()
                .message(),
            "contentSessionId must have at most 500 bytes, got 501");
  EXPECT_EQ(read_intake("/api/sessions/other", kInit).error().code(), ErrorCode::kNotFound);
}

TEST_F(IntakeTest, DeepOrLongEventsAreTakenAllTheSame) {
  const std::string deep = std::string(5'000, '[') + std::string(5'000, ']');
  const std::string name(3'000, 'n');
  const auto read =
      read_intake("/api/sessions/observations",
                  R"({"contentSessionId":"s","tool_name":"T)" + name + R"(","project":")" + name +
                      R"(","tool_use_id":")" + name + R"(1","tool_input":)" + deep + "}");
  ASSERT_TRUE(read.ok()) << read.error().message();
  const auto& tool = std::get<ObservationRequest>(*read);
  EXPECT_EQ(tool.tool_input.size(), deep.size() + 2);
  for (const std::string* text : {&tool.tool_name, &tool.project, &tool.tool_use_id}) {
    EXPECT_LE(text->size(), memory::kMaxNameBytes);
  }
  const auto other =
      read_intake("/api/sessions/observations",
                  R"({"contentSessionId":"s","tool_name":"T","tool_use_id":")" + name + R"(2"})");
  EXPECT_NE(std::get<ObservationRequest>(*other).tool_use_id, tool.tool_use_id);
}

TEST_F(IntakeTest, ABodyOfManyPartsTakesTimeInProportion) {
  std::string many = "[";
  for (int i = 0; i < 100'000; ++i) many += R"({"a":1},)";
  many.back() = ']';
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_TRUE(
      read_intake("/api/sessions/observations",
                  R"({"contentSessionId":"s","tool_name":"T","tool_response":)" + many + "}")
          .ok());
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(5));
}

TEST_F(IntakeTest, PromptsAreCountedPrivateOnesToo) {
  EXPECT_EQ(init("make tea").prompt_number, 1);
  const IntakeOutcome hidden = init("<private>my diary</private>");
  EXPECT_EQ(hidden.status, IntakeStatus::kStarted);
  EXPECT_EQ(hidden.reason, "private");
  EXPECT_EQ(hidden.prompt_number, 2);
  EXPECT_EQ(init("").reason, "private");
  EXPECT_EQ(init("make tea").prompt_number, 4);
  const IntakeOutcome again = init("make tea");
  EXPECT_EQ(again.prompt_number, 4);
  EXPECT_TRUE(again.is_duplicate);
  now_ms_ += 11'000;
  EXPECT_EQ(init("make tea").prompt_number, 5);
}

TEST_F(IntakeTest, AnEventThatComesAgainChangesNothing) {
  const std::string id = R"(,"eventId":"e1")";
  EXPECT_EQ(init("<private>x</private>", id).prompt_number, 1);
  EXPECT_EQ(init("next").prompt_number, 2);
  now_ms_ += 1'000'000;
  const IntakeOutcome again = init("<private>x</private>", id);
  EXPECT_EQ(again.prompt_number, 1);
  EXPECT_EQ(again.reason, "private");
  EXPECT_TRUE(again.is_duplicate);
  EXPECT_EQ(init("last").prompt_number, 3);

  EXPECT_EQ(use("Bash", R"({"command":"ls"})", R"(,"eventId":"e2")").status, IntakeStatus::kQueued);
  now_ms_ += 1'000'000;
  EXPECT_EQ(use("Bash", R"({"command":"ls"})", R"(,"eventId":"e2")").status,
            IntakeStatus::kDeduped);
  EXPECT_EQ(use("Bash", R"({"command":"ls"})", R"(,"eventId":"e3")").status, IntakeStatus::kQueued);

  EXPECT_EQ(post("complete", R"({"contentSessionId":"s","eventId":"e4"})").status,
            IntakeStatus::kCompleted);
  EXPECT_EQ(init("back").prompt_number, 4);
  EXPECT_EQ(post("complete", R"({"contentSessionId":"s","eventId":"e4"})").status,
            IntakeStatus::kDeduped);
  EXPECT_EQ(value("SELECT status FROM sessions"), "active");
}

TEST_F(IntakeTest, TheHostsIdOrTheContentTellsRepetitions) {
  init("go");
  EXPECT_EQ(use("Bash", R"({"a":1})", R"(,"tool_use_id":"t1")").status, IntakeStatus::kQueued);
  now_ms_ += 10'000'000;
  EXPECT_EQ(use("Bash", R"({"a":2})", R"(,"tool_use_id":"t1")").status, IntakeStatus::kDeduped);
  EXPECT_EQ(use("Bash", R"({"a":1})", R"(,"tool_use_id":"t2")").status, IntakeStatus::kQueued);

  EXPECT_EQ(use("Bash", R"({"b":1})", R"(,"eventId":"x")").status, IntakeStatus::kQueued);
  now_ms_ += 299'000;
  EXPECT_EQ(use("Bash", R"({ "b": 1 })", R"(,"eventId":"y")").status, IntakeStatus::kDeduped);
  now_ms_ += 2'000;
  EXPECT_EQ(use("Bash", R"({"b":1})").status, IntakeStatus::kQueued);
  init("next");
  EXPECT_EQ(use("Bash", R"({"b":1})").status, IntakeStatus::kQueued);

  EXPECT_EQ(summarize("done").status, IntakeStatus::kQueued);
  now_ms_ += 10'000'000;
  EXPECT_EQ(summarize("done").status, IntakeStatus::kDeduped);
  EXPECT_EQ(summarize("done, too").status, IntakeStatus::kQueued);
  init("last");
  EXPECT_EQ(summarize("done").status, IntakeStatus::kQueued);
}

TEST_F(IntakeTest, SomeToolsAreNotCaptured) {
  init("go");
  for (const char* tool :
       {"TodoWrite", "Skill", "update_plan", "AskUserQuestion", "mcp__codexmem__search",
        "codexmem.search", "MCP:codexmem", "mcp_codexmem_timeline"}) {
    EXPECT_EQ(use(tool, "{}").reason, "tool_excluded") << tool;
  }
  for (const char* tool : {"Read", "mcp__other__search", "codexmemory"}) {
    EXPECT_EQ(use(tool, "{}").status, IntakeStatus::kQueued) << tool;
  }
  EXPECT_EQ(use("Edit", R"({"file_path":"/x/session-memory/a.md"})").reason, "session_memory_meta");
  EXPECT_EQ(use("Edit", R"({"file_path":"/x/a.md","text":"session-memory"})").status,
            IntakeStatus::kQueued);
}

TEST_F(IntakeTest, ExcludedProjectsAreNotCaptured) {
  const IntakeOutcome started =
      post("init", R"({"contentSessionId":"s","project":"hush-hush","prompt":"secret plan"})");
  EXPECT_EQ(started.status, IntakeStatus::kSkipped);
  EXPECT_EQ(started.reason, "project_excluded");
  EXPECT_NE(started.session, memory::SessionId{});
  // The folder has another name.
  EXPECT_EQ(use("Skill", "{}").reason, "project_excluded");
  EXPECT_EQ(summarize("plan").reason, "project_excluded");
  EXPECT_EQ(
      post("observations", R"({"contentSessionId":"t","tool_name":"Read","cwd":"/a/hush"})").reason,
      "project_excluded");
  EXPECT_EQ(count("SELECT count(*) FROM prompts"), 0);
  EXPECT_EQ(count("SELECT count(*) FROM queue"), 0);
}

// A repository may say what its project is called.
TEST_F(IntakeTest, AnExcludedFolderComesOutByNoOtherName) {
  const std::string folder = (directory_.path() / "hush").string();
  std::filesystem::create_directories(folder + "/.git");
  const std::string named = R"("contentSessionId":"n","project":"shop","cwd":")" + folder + "\"";
  EXPECT_EQ(post("init", "{" + named + R"(,"prompt":"secret plan"})").reason, "project_excluded");
  EXPECT_EQ(post("observations", "{" + named + R"(,"tool_name":"Read"})").reason,
            "project_excluded");
  EXPECT_EQ(post("summarize", "{" + named + R"(,"last_assistant_message":"plan"})").reason,
            "project_excluded");
  EXPECT_EQ(count("SELECT count(*) FROM queue"), 0);
}

TEST_F(IntakeTest, ASessionThatWasNeverSeenIsStarted) {
  const IntakeOutcome queued = use("Read", "{}");
  EXPECT_EQ(queued.status, IntakeStatus::kQueued);
  EXPECT_EQ(queued.prompt_number, 0);
  EXPECT_EQ(value("SELECT p.name FROM sessions AS s JOIN projects AS p ON p.id = s.project_id"),
            "demo");
  EXPECT_EQ(post("complete", R"({"contentSessionId":"unknown"})").reason, "not_active");
  EXPECT_EQ(count("SELECT count(*) FROM sessions"), 1);
}

TEST_F(IntakeTest, ASessionIsCompletedOnceAndStartedAgain) {
  const IntakeOutcome started = init("go");
  const IntakeOutcome completed = post("complete", R"({"contentSessionId":"s"})");
  EXPECT_EQ(completed.status, IntakeStatus::kCompleted);
  EXPECT_EQ(completed.session, started.session);
  EXPECT_EQ(post("complete", R"({"contentSessionId":"s"})").reason, "not_active");
  init("more");
  EXPECT_EQ(post("complete", R"({"contentSessionId":"s"})").status, IntakeStatus::kCompleted);
}

TEST_F(IntakeTest, NothingOfAPrivateTurnIsKept) {
  init("public one");
  init("<PRIVATE reason='x>y'>canary-prompt <private>canary-nested</private> canary-after");
  EXPECT_EQ(use("Bash", R"({"command":"canary-input"})", R"(,"tool_use_id":"canary-id")").reason,
            "private");
  EXPECT_EQ(summarize("canary-summary").reason, "private");
  init("public two");
  EXPECT_EQ(use("Bash", R"({"command":"ls"})").status, IntakeStatus::kQueued);
  EXPECT_EQ(all_bytes().find("canary"), std::string::npos);
}

TEST_F(IntakeTest, AnEventBelongsToTheTurnInWhichItWasSeen) {
  init("one");
  now_ms_ += 1'000;
  const std::int64_t hidden_ms = now_ms_;
  init("<private>two</private>");
  now_ms_ += 1'000;
  init("three");
  now_ms_ += 1'000;
  const auto at = [](std::int64_t at_ms) { return fmt::format(R"(,"at":{})", at_ms); };
  EXPECT_EQ(use("Bash", R"({"n":1})", at(hidden_ms + 500)).reason, "private");
  EXPECT_EQ(use("Bash", R"({"n":2})", at(hidden_ms - 500)).prompt_number, 1);
  EXPECT_EQ(use("Bash", R"({"n":3})", at(now_ms_)).prompt_number, 3);
  EXPECT_EQ(use("Bash", R"({"n":4})", at(now_ms_ + 1'000'000)).prompt_number, 3);
  EXPECT_EQ(use("Bash", R"({"n":5})", R"(,"at":"yesterday")").prompt_number, 3);
  // A clock that was set back does not make a private turn public.
  init("<private>four</private>");
  EXPECT_EQ(use("Bash", R"({"n":6})", at(hidden_ms - 500)).reason, "private");
}

TEST_F(IntakeTest, LateEventsArePlacedWhereTheyHappened) {
  const std::int64_t begun_ms = now_ms_ - 3'600'000;
  const auto at = [&](std::int64_t ms) { return fmt::format(R"(,"at":{})", begun_ms + ms); };
  EXPECT_EQ(init("make tea", at(0)).prompt_number, 1);
  EXPECT_EQ(init("make tea", at(9'000)).prompt_number, 1);
  EXPECT_EQ(init("make tea", at(20'000)).prompt_number, 2);
  EXPECT_EQ(init("make tea", at(5'000)).prompt_number, 3);  // another one, that comes later still
  post("complete", R"({"contentSessionId":"s")" + at(30'000) + "}");
  EXPECT_EQ(count("SELECT started_at_ms FROM sessions"), begun_ms);
  EXPECT_EQ(count("SELECT completed_at_ms FROM sessions"), begun_ms + 30'000);
  EXPECT_EQ(count("SELECT created_at_ms FROM prompts WHERE prompt_number = 2"), begun_ms + 20'000);
  // What cannot be meant is taken for now.
  for (const char* when : {"5", "946684799999", "99999999999999", "-1", "1e300"}) {
    init(when, fmt::format(R"(,"at":{})", when));
    EXPECT_EQ(
        count("SELECT max(created_at_ms) FROM prompts WHERE id = (SELECT max(id) FROM prompts)"),
        now_ms_)
        << when;
  }
}

TEST_F(IntakeTest, HowAKeyIsWrittenHidesNoSecret) {
  const std::string secret = "Zx9vQ2rT7" + std::string("mK4pL8w");
  init("go");
  use("Bash", R"({ "p\u0061ssword" : ")" + secret + R"(", "\u006e": [ 1 ] })");
  const std::string payload = value("SELECT payload FROM queue");
  EXPECT_EQ(payload.find(secret), std::string::npos) << payload;
  EXPECT_NE(payload.find(R"("n":[1])"), std::string::npos) << payload;
}

TEST_F(IntakeTest, PrivatePartsAndSecretsAreGoneBeforeAnythingIsWritten) {
  const std::string token = "gh" + std::string("p_") + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";
  init("Look <private>canary-1</private> at " + token);
  use("Bash",
      R"({"command":"echo <Private a=\"b\">canary-2</PRIVATE>","<private>canary-key</private>":"v",)"
      R"("deep":[{"x":"keep <private>canary-3 <private>canary-4</private> canary-5"}],)"
      R"("json":"{\"a\":\"\\u003cprivate\\u003ecanary-6\\u003c/private\\u003e\"}"})",
      R"(,"extra":"canary-7")");
  use("Bash", R"({"command":"login )" + token + R"("})");
  summarize("done <system-reminder>canary-8</system-reminder> with " + token);
  const std::string bytes = all_bytes();
  EXPECT_EQ(bytes.find("canary"), std::string::npos);
  EXPECT_EQ(bytes.find(token), std::string::npos);
  EXPECT_EQ(bytes.find(token.substr(4)), std::string::npos);
  const Json payload = Json::parse(value("SELECT payload FROM queue ORDER BY id LIMIT 1"));
  EXPECT_EQ(payload["tool_input"]["deep"][0]["x"], "keep ");
  EXPECT_NE(value("SELECT payload FROM queue WHERE kind = 'summarize'").find("[REDACTED:"),
            std::string::npos);
}

TEST_F(IntakeTest, ASecretThatACutGoesThroughIsRedactedWhole) {
  const std::string token = "gh" + std::string("p_") + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";
  init("go");
  const std::size_t head = privacy::kMaxCapturedText - privacy::kMaxCapturedText / 4;
  // One secret crosses the end of the kept beginning, one crosses the start of the kept end.
  std::string text(head - 10, 'x');
  text += " " + token + " " + std::string(100'000, 'y') + " " + token + " " +
          std::string(privacy::kMaxCapturedText / 4 - 20, 'z');
  use("Bash", dump_json(Json{{"text", text}}));
  const std::string payload = value("SELECT payload FROM queue");
  EXPECT_EQ(payload.find("A1b2C3"), std::string::npos);
  EXPECT_EQ(payload.find("p6Q7r8"), std::string::npos);
}

TEST_F(IntakeTest, LongTextsAreCutInTheMiddle) {
  init("go");
  const std::string text = "begin " + std::string(300'000, 'x') + " end";
  use("Bash", dump_json(Json{{"text", text}}));
  Json payload = Json::parse(value("SELECT payload FROM queue"));
  std::string kept = payload["tool_input"]["text"];
  EXPECT_TRUE(kept.starts_with("begin "));
  EXPECT_TRUE(kept.ends_with(" end"));
  EXPECT_LT(kept.size(), privacy::kMaxCapturedText + 100);
  EXPECT_NE(kept.find("bytes left out"), std::string::npos);

  // Many long ones are cut shorter.
  Json many = Json::array();
  for (int i = 0; i < 20; ++i) many.push_back(text);
  use("Bash", dump_json(many));
  payload = Json::parse(value("SELECT payload FROM queue ORDER BY id DESC"));
  EXPECT_EQ(payload["tool_input"].size(), 20U);
  EXPECT_LE(dump_json(payload["tool_input"]).size(), privacy::kMaxCapturedJson);

  // Too many parts are a text.
  Json numbers = Json::array();
  for (int i = 0; i < 100'000; ++i) numbers.push_back(i);
  use("Bash", dump_json(numbers));
  payload = Json::parse(value("SELECT payload FROM queue ORDER BY id DESC"));
  EXPECT_TRUE(payload["tool_input"].is_string());
  EXPECT_LE(dump_json(payload["tool_input"]).size(), privacy::kMaxCapturedJson);
  EXPECT_LE(privacy::captured_json(dump_json(Json(std::vector<std::string>(60'000, "\"")))).size(),
            privacy::kMaxCapturedJson);
}

TEST_F(IntakeTest, AFullQueueRefusesAndMayTakeItLater) {
  const IntakeOutcome started = init("go");
  const auto filled = commits_.run([&](store::Database& database) -> Result<void> {
    for (std::size_t i = 0; i < kMaxSessionMessages; ++i) {
      CODEXMEM_TRY(queue_.add(database, {.session = started.session, .payload = "{}"}));
    }
    return {};
  });
  ASSERT_TRUE(filled.ok());
  EXPECT_EQ(use("Bash", "{}", R"(,"eventId":"e")").reason, "queue_full");
  auto claim = queue_.claim({});
  ASSERT_TRUE(claim.ok() && claim->claim);
  ASSERT_TRUE(
      commits_
          .run([&](store::Database& database) { return queue_.remove(database, *claim->claim); })
          .ok());
  EXPECT_EQ(use("Bash", "{}", R"(,"eventId":"e")").status, IntakeStatus::kQueued);
}

TEST_F(IntakeTest, EventsAreTakenTogetherInTheirOrder) {
  std::vector<IntakeRequest> requests;
  requests.push_back(*read_intake("/api/sessions/init", kInit));
  for (int i = 0; i < 3; ++i) {
    requests.push_back(*read_intake(
        "/api/sessions/observations",
        fmt::format(R"({{"contentSessionId":"s","tool_name":"Read","tool_input":{}}})", i)));
  }
  std::size_t heard = 0;
  intake_.set_listener([&](const IntakeRequest&, const IntakeOutcome&) { ++heard; });
  const auto outcomes = intake_.take_all(std::move(requests));
  ASSERT_TRUE(outcomes.ok()) << outcomes.error().message();
  ASSERT_EQ(outcomes->size(), 4U);
  EXPECT_EQ(outcomes->back().prompt_number, 1);
  EXPECT_EQ(heard, 4U);
  EXPECT_EQ(count("SELECT count(*) FROM queue WHERE prompt_number = 1"), 3);
}

}  // namespace
}  // namespace codexmem::observe
