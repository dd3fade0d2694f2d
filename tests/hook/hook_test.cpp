#include "hook/hook.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "base/file.h"
#include "text/json.h"
#include "base/text.h"
#include "config/worker_file.h"
#include "hook/loopback_server.h"
#include "hook/refusals.h"
#include "privacy/captured_text.h"
#include "support/temporary_directory.h"

namespace codexmem::hook {
namespace {

namespace fs = std::filesystem;
using testing::LoopbackServer;

class HookTest : public ::testing::Test {
 protected:
  std::string run(Event event, std::string_view json, Platform platform = Platform::kClaudeCode) {
    return answer_hook({.platform = platform, .event = event, .directory = data_}, json);
  }

  std::vector<Json> spooled() const {
    std::vector<fs::path> paths;
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(data_ / "spool", failed)) {
      if (entry.path().extension() == ".json") paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    std::vector<Json> events;
    for (const fs::path& path : paths) events.push_back(Json::parse(*read_file(path)));
    return events;
  }

  void worker_at(int port) {
    fs::create_directories(data_);
    ASSERT_TRUE(
        write_worker_file(
            data_, {.pid = ::getpid(), .port = port, .process_start = process_start(::getpid())})
            .ok());
  }

  std::uint64_t refusals(Refusal refusal) const {
    for (const Refused& one : list_refusals(data_)) {
      if (one.name == refusal_name(refusal)) return one.count;
    }
    return 0;
  }

  // Everything in the data directory, one text.
  std::string all_bytes() const {
    std::string all;
    for (const auto& entry : fs::recursive_directory_iterator(data_)) {
      all += entry.path().string() + "\n";
      if (entry.is_regular_file()) all += *read_file(entry.path());
    }
    return all;
  }

  testing::TemporaryDirectory directory_;
  fs::path data_ = directory_.path() / "data";
};

TEST_F(HookTest, WithoutAWorkerAnEventWaitsInTheSpool) {
  EXPECT_EQ(
      run(Event::kSessionInit, R"({"session_id":"s","cwd":"/nowhere/shop","prompt":"Fix it"})"),
      neutral_output(Platform::kClaudeCode));
  run(Event::kObservation, R"({"session_id":"s","cwd":"/nowhere/shop","tool_name":"Edit",
      "tool_input":{"file_path":"a"},"tool_response":{"ok":1},"tool_use_id":"u"})");
  run(Event::kSummarize, R"({"session_id":"s","cwd":"/nowhere/shop",
      "last_assistant_message":"Done."})");
  run(Event::kSessionComplete, R"({"session_id":"s","cwd":"/nowhere/shop"})");
  const auto events = spooled();
  ASSERT_EQ(events.size(), 4);
  const char* paths[] = {"/api/sessions/init", "/api/sessions/observations",
                         "/api/sessions/summarize", "/api/sessions/complete"};
  for (std::size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(events[i]["path"], paths[i]);
    const Json& body = events[i]["body"];
    EXPECT_EQ(body["contentSessionId"], "s");
    EXPECT_EQ(body["project"], "shop");
    EXPECT_EQ(body["cwd"], "/nowhere/shop");
    EXPECT_EQ(body["platform"], "claude-code");
    EXPECT_EQ(body["eventId"].get<std::string>().size(), 16);
    EXPECT_GT(body["at"].get<std::int64_t>(), 1'700'000'000'000);
  }
  EXPECT_NE(events[0]["body"]["eventId"], events[1]["body"]["eventId"]);
  EXPECT_EQ(events[0]["body"]["prompt"], "Fix it");
  EXPECT_EQ(events[1]["body"]["tool_name"], "Edit");
  EXPECT_EQ(events[1]["body"]["tool_input"].dump(), R"({"file_path":"a"})");
  EXPECT_EQ(events[1]["body"]["tool_response"].dump(), R"({"ok":1})");
  EXPECT_EQ(events[1]["body"]["tool_use_id"], "u");
  EXPECT_EQ(events[2]["body"]["last_assistant_message"], "Done.");
}

TEST_F(HookTest, TheWorkerIsNotifiedInstead) {
  const LoopbackServer server("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
  worker_at(server.port());
  run(Event::kObservation, R"({"session_id":"s","cwd":"/nowhere/shop","tool_name":"Bash",
      "tool_input":{"command":"ls"},"tool_response":"a"})");
  ASSERT_EQ(server.requests().size(), 1);
  const std::string request = server.requests()[0];
  EXPECT_TRUE(request.starts_with("POST /api/sessions/observations HTTP/1.1\r\n"));
  const Json body = Json::parse(request.substr(request.find("\r\n\r\n")));
  EXPECT_EQ(body["tool_name"], "Bash");
  EXPECT_EQ(body["project"], "shop");
  EXPECT_TRUE(spooled().empty());
}

TEST_F(HookTest, ARefusalIsFinalAndATroubleIsSpooled) {
  const struct {
    const char* status;
    std::size_t spooled;
  } rows[] = {{"400 Bad", 0}, {"404 No", 0}, {"403 Who?", 1}, {"500 Broken", 2}, {"503 Soon", 3}};
  for (const auto& row : rows) {
    const LoopbackServer server(
        fmt::format("HTTP/1.1 {}\r\nContent-Length: 0\r\n\r\n", row.status));
    worker_at(server.port());
    run(Event::kSessionComplete, R"({"session_id":"s"})");
    EXPECT_EQ(spooled().size(), row.spooled) << row.status;
  }
}

TEST_F(HookTest, AHangingWorkerCostsLittleAndTheEventIsSpooled) {
  const LoopbackServer server("");
  worker_at(server.port());
  const auto begin = std::chrono::steady_clock::now();
  run(Event::kSummarize, R"({"session_id":"s","last_assistant_message":"m"})");
  EXPECT_EQ(run(Event::kContext, R"({"session_id":"s"})"), neutral_output(Platform::kClaudeCode));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
  EXPECT_EQ(spooled().size(), 1);
  EXPECT_TRUE(fs::exists(data_ / "spool/silent"));
  // The next ones do not wait for it, for a while.
  const LoopbackServer well("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
  worker_at(well.port());
  const auto reports_since = [&](std::chrono::seconds age) {
    fs::last_write_time(data_ / "spool/silent", fs::file_time_type::clock::now() - age);
    run(Event::kSummarize, R"({"session_id":"s","last_assistant_message":"n"})");
    const auto requests = well.requests();
    return std::ranges::count_if(
        requests, [](const std::string& request) { return request.starts_with("POST "); });
  };
  EXPECT_EQ(reports_since(std::chrono::seconds(0)), 0);
  EXPECT_EQ(reports_since(std::chrono::seconds(3)), 1);
  EXPECT_EQ(reports_since(std::chrono::seconds(-60)), 2);  // the clock was set back
  EXPECT_EQ(spooled().size(), 2);
}

constexpr std::string_view kPlannedEdit =
    R"({"session_id":"s","cwd":"/nowhere/shop","hook_event_name":"PreToolUse","tool_name":"Edit",
    "tool_input":{"file_path":"/nowhere/shop/a.py","old_string":"a","new_string":"b"}})";

TEST_F(HookTest, BeforeAnEditTheModelReadsWhatItBreaks) {
  const LoopbackServer server("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n{\"text\":\"x\"}");
  worker_at(server.port());
  EXPECT_EQ(run(Event::kBeforeEdit, kPlannedEdit),
            R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"x"}})");
  ASSERT_EQ(server.requests().size(), 1);
  const std::string request = server.requests()[0];
  EXPECT_TRUE(request.starts_with("POST /api/context/edit HTTP/1.1\r\n"));
  const Json body = Json::parse(request.substr(request.find("\r\n\r\n")));
  EXPECT_EQ(body["contentSessionId"], "s");
  EXPECT_EQ(body["tool_input"]["old_string"], "a");
  EXPECT_EQ(run(Event::kBeforeEdit,
                R"({"conversation_id":"s","hook_event_name":"preToolUse","tool_name":"Write",
                "tool_input":{"file_path":"a.py","content":"b"}})",
                Platform::kCursor),
            R"({"continue":true,"additional_context":"x","agent_message":"x"})");
  // It is posted as the host wrote it: a text that is cut would be another edit.
  run(Event::kBeforeEdit, R"({"session_id":"s","tool_name":"Write","tool_input":{"content":")" +
                              std::string(200'000, 'x') + R"("}})");
  EXPECT_GT(server.requests().back().size(), 200'000);
}

TEST_F(HookTest, AGuardThatIsSlowOrInTroubleSaysNothing) {
  const std::string neutral = neutral_output(Platform::kClaudeCode);
  EXPECT_EQ(run(Event::kBeforeEdit, kPlannedEdit), neutral);  // there is no worker
  const LoopbackServer hanging("");
  worker_at(hanging.port());
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(run(Event::kBeforeEdit, kPlannedEdit), neutral);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(900));
  for (const char* reply : {"HTTP/1.1 500 No\r\nContent-Length: 12\r\n\r\n{\"text\":\"x\"}",
                            "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{\"text\":\"\"}",
                            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]"}) {
    const LoopbackServer server(reply);
    worker_at(server.port());
    EXPECT_EQ(run(Event::kBeforeEdit, kPlannedEdit), neutral) << reply;
  }
  // Nothing is kept of an edit, and nothing counts as lost.
  EXPECT_EQ(spooled().size(), 0);
  EXPECT_EQ(refusals(Refusal::kTooSlow), 0);
}

TEST_F(HookTest, AtTheEndOfATurnThePersonReadsWhatWasNotLookedAt) {
  const LoopbackServer server("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n{\"text\":\"x\"}");
  worker_at(server.port());
  const std::string_view stop = R"({"session_id":"a b","last_assistant_message":"m"})";
  EXPECT_EQ(run(Event::kSummarize, stop), R"({"continue":true,"systemMessage":"x"})");
  EXPECT_TRUE(server.requests().back().starts_with(
      "GET /api/context/unseen?contentSessionId=a%20b HTTP/1.1\r\n"));
  EXPECT_EQ(run(Event::kSummarize, stop, Platform::kCodex), neutral_output(Platform::kCodex));
}

TEST_F(HookTest, NothingPrivateOrSecretIsSpooled) {
  const std::string token = std::string("ghp_") + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5";
  run(Event::kSessionInit, R"({"session_id":"s","prompt":"use )" + token +
                               R"( <PRIVATE a='>'>canary-1</Private> now"})");
  run(Event::kObservation,
      R"({"session_id":"s","tool_name":"Bash","tool_input":{"command":"curl -H ')" + token +
          R"(' <private>canary-2"},"tool_response":["<system-reminder>canary-3</system-reminder>"]})");
  run(Event::kSummarize,
      R"({"session_id":"s","last_assistant_message":"<private>canary-4</private>ok )" + token +
          R"("})");
  ASSERT_EQ(spooled().size(), 3);
  const std::string all = all_bytes();
  EXPECT_EQ(all.find("canary"), std::string::npos) << all;
  EXPECT_EQ(all.find(token.substr(8)), std::string::npos) << all;
  EXPECT_NE(all.find("[REDACTED:"), std::string::npos);
}

// Review of issue 7, 4: each part was redacted by itself, and names not at all.
TEST_F(HookTest, ASecretThatOnePartGivesAwayIsSpooledInNone) {
  const std::string password = std::string("hunter2Zx9qLw") + "7Kp3";
  const std::string token = std::string("ghp_") + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5";
  run(Event::kObservation,
      R"({"session_id":"s","cwd":"/home/)" + token +
          R"(","tool_name":"mcp__<private>canary</private>x","tool_input":{"command":"mysql --user=root --password=)" +
          password + R"( db"},"tool_response":{"stdout":"DSN is root / )" + password +
          R"( ok \u003cprivate\u003ecanary"}})");
  const auto events = spooled();
  ASSERT_EQ(events.size(), 1);
  const std::string all = all_bytes();
  EXPECT_EQ(all.find(password), std::string::npos) << all;
  EXPECT_EQ(all.find(token), std::string::npos) << all;
  EXPECT_EQ(all.find("canary"), std::string::npos) << all;
  EXPECT_EQ(events[0]["body"]["contentSessionId"], "s");
  EXPECT_EQ(events[0]["body"]["eventId"].get<std::string>().size(), 16);
  EXPECT_EQ(events[0]["body"]["tool_name"], "mcp__x");
}

// Review of issue 7, 5: 15 MB were redacted, posted and spooled whole.
TEST_F(HookTest, LongTextsAreCutBeforeTheyAreSentOrSpooled) {
  const std::string lines(5'000'000, 'x');
  const Json input{{"session_id", "s"},
                   {"cwd", "/nowhere/shop"},
                   {"tool_name", "Bash"},
                   {"tool_input", {{"command", "make"}}},
                   {"tool_response", {{"stdout", "begin " + lines}, {"stderr", lines + " end"}}}};
  const LoopbackServer server("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
  worker_at(server.port());
  run(Event::kObservation, dump_json(input));
  const auto events = spooled();
  ASSERT_EQ(events.size(), 1);
  const Json& response = events[0]["body"]["tool_response"];
  EXPECT_TRUE(response["stdout"].get<std::string>().starts_with("begin x"));
  EXPECT_TRUE(response["stderr"].get<std::string>().ends_with("x end"));
  EXPECT_LE(dump_json(response).size(), privacy::kMaxCapturedJson);
  EXPECT_TRUE(server.requests().empty());  // the worker takes it from there

  run(Event::kSessionInit,
      dump_json(Json{{"session_id", "s"}, {"prompt", "<private>" + lines + "</private>"}}));
  run(Event::kObservation, dump_json(input));
  EXPECT_EQ(spooled().size(), 1);
  ASSERT_EQ(server.requests().size(), 1);  // the prompt without its text, and nothing of its turn
  EXPECT_NE(server.requests()[0].find(R"("prompt":"")"), std::string::npos);
}

// New user 7, 39.
TEST_F(HookTest, NothingOfAnExcludedProjectIsSentOrSpooled) {
  const LoopbackServer server("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
  const auto run_excluding = [&](Event event, std::string_view json) {
    return answer_hook(
        {.platform = Platform::kClaudeCode,
         .event = event,
         .directory = data_,
         .environment =
             [](std::string_view name) {
               return std::string(name == "CODEXMEM_EXCLUDED_PROJECTS" ? "client-*,shop" : "");
             }},
        json);
  };
  for (const bool has_worker : {false, true}) {
    if (has_worker) worker_at(server.port());
    for (const Event event : {Event::kSessionInit, Event::kObservation, Event::kSummarize,
                              Event::kContext, Event::kUserMessage}) {
      EXPECT_EQ(run_excluding(event, R"({"session_id":"s","cwd":"/nowhere/client-a","prompt":"p",
                    "tool_name":"Bash","hook_event_name":"SessionStart"})"),
                neutral_output(Platform::kClaudeCode));
    }
    // Its session goes on in another folder.
    run_excluding(Event::kObservation,
                  R"({"session_id":"s","cwd":"/nowhere/other","tool_name":"Bash"})");
    run_excluding(Event::kSessionComplete, R"({"session_id":"s","cwd":"/nowhere/shop"})");
  }
  EXPECT_TRUE(server.requests().empty());
  EXPECT_TRUE(spooled().empty());
  run_excluding(Event::kObservation,
                R"({"session_id":"t","cwd":"/nowhere/shops","tool_name":"Bash"})");
  EXPECT_EQ(server.requests().size(), 1);
}

// Review of issue 7, 8, and new user 7, 17.
TEST_F(HookTest, RefusalsAreReportedAndCounted) {
  const LoopbackServer server("HTTP/1.1 400 Bad\r\nContent-Length: 13\r\n\r\n{\"error\":\"x\"}");
  worker_at(server.port());
  ::testing::internal::CaptureStderr();
  run(Event::kSummarize, R"({"session_id":"s"})");
  run(Event::kSummarize, "garbage");
  run(Event::kSummarize, R"({"prompt":"x"})");
  run(Event::kSummarize, R"({"prompt":"x"})");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "codexmem-hook: the worker refused the event: 400 {\"error\":\"x\"}\n"
            "codexmem-hook: the event is not a JSON object\n"
            "codexmem-hook: the event names no session\n"
            "codexmem-hook: the event names no session\n");
  EXPECT_EQ(refusals(Refusal::kWorkerRefused), 1);
  EXPECT_EQ(refusals(Refusal::kNoJson), 1);
  EXPECT_EQ(refusals(Refusal::kNoSession), 2);
  EXPECT_EQ(refusals(Refusal::kTooSlow), 0);
}

TEST_F(HookTest, NothingOfAPrivateTurnIsSentUntilTheNextPrompt) {
  const LoopbackServer server("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
  for (const bool has_worker : {false, true}) {
    if (has_worker) worker_at(server.port());
    run(Event::kSessionInit, R"({"session_id":"s","prompt":"public"})");
    run(Event::kSessionInit, R"({"session_id":"s","prompt":"<private>canary"})");
    run(Event::kObservation, R"({"session_id":"s","tool_name":"Bash","tool_response":"canary"})");
    run(Event::kFileEdit, R"({"session_id":"s","tool_name":"Edit","tool_response":"canary"})");
    run(Event::kSummarize, R"({"session_id":"s","last_assistant_message":"canary"})");
    run(Event::kObservation, R"({"session_id":"t","tool_name":"Bash","tool_response":"other"})");
    run(Event::kSessionInit, R"({"session_id":"s","prompt":"public again"})");
    run(Event::kObservation, R"({"session_id":"s","tool_name":"Bash","tool_response":"seen"})");
  }
  EXPECT_EQ(all_bytes().find("canary"), std::string::npos);
  const auto events = spooled();
  ASSERT_EQ(events.size(), 5);
  EXPECT_EQ(events[1]["body"]["prompt"], "");
  EXPECT_EQ(events[2]["body"]["contentSessionId"], "t");
  EXPECT_EQ(events[4]["body"]["tool_response"], "seen");
  ASSERT_EQ(server.requests().size(), 5);
  for (const std::string& request : server.requests()) {
    EXPECT_EQ(request.find("canary"), std::string::npos);
  }
}

TEST_F(HookTest, APromptWithoutWordsIsNotPrivate) {
  run(Event::kSessionInit, R"({"session_id":"s","prompt":" "})");
  run(Event::kObservation, R"({"session_id":"s","tool_name":"Bash"})");
  const auto events = spooled();
  ASSERT_EQ(events.size(), 2);
  EXPECT_NE(events[0]["body"]["prompt"], "");
}

TEST_F(HookTest, TheSummaryComesFromTheTranscriptWhenTheHostDoesNotGiveIt) {
  const auto path = directory_.write(
      "t.jsonl", R"({"message":{"role":"assistant","content":"From the transcript."}})"
                 "\n");
  run(Event::kSummarize, fmt::format(R"({{"session_id":"s","transcript_path":"{}",
      "last_assistant_message":null}})",
                                     path.string()));
  run(Event::kSummarize, R"({"session_id":"s"})");
  const auto events = spooled();
  ASSERT_EQ(events.size(), 2);
  EXPECT_EQ(events[0]["body"]["last_assistant_message"], "From the transcript.");
  EXPECT_EQ(events[1]["body"]["last_assistant_message"], "");
}

TEST_F(HookTest, SubagentsUseToolsButTakeNoTurns) {
  for (const Event event : {Event::kSessionInit, Event::kSummarize, Event::kSessionComplete}) {
    run(event, R"({"session_id":"s","agent_id":"a","prompt":"p"})", Platform::kCodex);
  }
  EXPECT_TRUE(spooled().empty());
  run(Event::kObservation, R"({"session_id":"s","agent_id":"a","tool_name":"Bash"})",
      Platform::kCodex);
  EXPECT_EQ(spooled().size(), 1);
}

TEST_F(HookTest, InputThatSaysNothingDoesNothing) {
  for (const Event event :
       {Event::kSessionInit, Event::kObservation, Event::kFileEdit, Event::kSummarize,
        Event::kSessionComplete, Event::kContext, Event::kUserMessage}) {
    for (const char* json : {"", "{}", "[1]", "{\"session_id\":", R"({"prompt":"x"})"}) {
      EXPECT_EQ(run(event, json, Platform::kCodex), neutral_output(Platform::kCodex)) << json;
    }
  }
  EXPECT_EQ(run(Event::kObservation, R"({"session_id":"s"})"),
            neutral_output(Platform::kClaudeCode));
  EXPECT_FALSE(fs::exists(data_));
}

TEST_F(HookTest, ContextIsThatOfTheWorker) {
  const LoopbackServer server("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n# shop: ok");
  worker_at(server.port());
  EXPECT_EQ(run(Event::kContext, R"({"session_id":"s","cwd":"/nowhere/my shop",
                "hook_event_name":"SessionStart"})",
                Platform::kCodex),
            R"({"hookSpecificOutput":{"hookEventName":"SessionStart",)"
            R"("additionalContext":"# shop: ok"}})");
  EXPECT_TRUE(server.requests().at(0).starts_with(
      "GET /api/context/inject?project=my%20shop&cwd=/nowhere/my%20shop HTTP/1.1\r\n"));
  EXPECT_EQ(run(Event::kUserMessage, "{}", Platform::kCodex),
            fmt::format(R"({{"continue":true,"systemMessage":"codexmem remembers this session: )"
                        R"(http://127.0.0.1:{}/viewer"}})",
                        server.port()));
  // New user 7, 19.
  ASSERT_TRUE(write_worker_file(data_, {.pid = ::getpid(), .port = 1, .process_start = 1}).ok());
  EXPECT_EQ(run(Event::kUserMessage, "{}", Platform::kCodex), neutral_output(Platform::kCodex));
}

TEST_F(HookTest, ContextOfAWorkerThatHasJustStartedIsWaitedFor) {
  const LoopbackServer server("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n# shop: ok",
                              std::chrono::milliseconds(200));
  worker_at(server.port());
  EXPECT_NE(run(Event::kContext, R"({"session_id":"s","cwd":"/nowhere/shop"})").find("# shop: ok"),
            std::string::npos);
  EXPECT_EQ(refusals(Refusal::kTooSlow), 0);
}

TEST_F(HookTest, ContextThatAHangingWorkerOwesIsCounted) {
  const LoopbackServer server("");
  worker_at(server.port());
  EXPECT_EQ(run(Event::kContext, R"({"session_id":"s","cwd":"/nowhere/shop"})"),
            neutral_output(Platform::kClaudeCode));
  EXPECT_EQ(refusals(Refusal::kTooSlow), 1);
}

TEST_F(HookTest, SettingsOfTheUserAndTheRepositoryAreHeeded) {
  directory_.write("repo/.git/HEAD", "ref: refs/heads/main\n");
  const std::string repository = (directory_.path() / "repo").string();
  const auto send = [&](const std::string& tool) {
    run(Event::kObservation,
        dump_json(Json{{"session_id", "s"}, {"cwd", repository}, {"tool_name", tool}}));
  };
  directory_.write("repo/codexmem.json", R"({"project": "shop", "skipTools": ["Read"]})");
  send("Read");
  EXPECT_TRUE(spooled().empty());
  send("Edit");
  ASSERT_EQ(spooled().size(), 1);
  EXPECT_EQ(spooled()[0]["body"]["project"], "shop");

  directory_.write("data/settings.json", R"({"excludedProjects": ["shop"]})");
  directory_.write("repo/codexmem.json", R"({"project": "shop", "excludedProjects": []})");
  send("Edit");
  directory_.write("data/settings.json", "{}");
  directory_.write("repo/codexmem.json", R"({"excludedProjects": ["*"]})");
  send("Edit");
  EXPECT_EQ(spooled().size(), 1);
  // By no name does a repository come out of what its user excludes.
  directory_.write("data/settings.json", R"({"excludedProjects": ["repo"]})");
  directory_.write("repo/codexmem.json", R"({"project": "shop"})");
  send("Edit");
  EXPECT_EQ(spooled().size(), 1);
  directory_.write("data/settings.json", "{}");
  // A damaged file neither restricts nor delays anything.
  directory_.write("repo/codexmem.json", "{");
  send("Edit");
  EXPECT_EQ(spooled().size(), 2);
}

TEST_F(HookTest, AnIndexedFolderWithoutGitHasItsSettingsAtItsRoot) {
  directory_.write("plain/.codexmem/index.db", "");
  directory_.write("plain/codexmem.json", R"({"excludedProjects": ["*"]})");
  directory_.write("plain/src/deep/a.py", "");
  run(Event::kObservation, dump_json(Json{{"session_id", "s"},
                                          {"cwd", (directory_.path() / "plain/src/deep").string()},
                                          {"tool_name", "Edit"}}));
  EXPECT_TRUE(spooled().empty());
}

TEST_F(HookTest, ARepositoryGetsNothingOfAProjectWhoseNameItTakes) {
  const LoopbackServer server("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
  worker_at(server.port());
  directory_.write("repo/.git/HEAD", "ref: refs/heads/main\n");
  directory_.write("repo/codexmem.json", R"({"project": "bank"})");
  const std::string event = dump_json(Json{{"session_id", "s"},
                                           {"cwd", (directory_.path() / "repo").string()},
                                           {"hook_event_name", "SessionStart"}});
  run(Event::kContext, event);
  directory_.write("data/settings.json", R"({"project": "mine"})");
  run(Event::kContext, event);
  ASSERT_EQ(server.requests().size(), 2);
  EXPECT_NE(server.requests()[0].find("inject?project=repo"), std::string::npos);
  EXPECT_NE(server.requests()[1].find("inject?project=mine"), std::string::npos);
}

TEST_F(HookTest, AFolderThatCannotBeWrittenIsNoFailureOfTheHost) {
  directory_.write("data", "a file stands in its place");
  EXPECT_EQ(run(Event::kSessionInit, R"({"session_id":"s","prompt":"p"})"),
            neutral_output(Platform::kClaudeCode));
  EXPECT_EQ(answer_hook({.event = Event::kSessionInit, .directory = ""}, R"({"session_id":"s"})"),
            neutral_output(Platform::kRaw));
}

TEST(RunHook, OnlyAnUnknownPlatformFails) {
  const testing::TemporaryDirectory directory;
  ::setenv("CODEXMEM_DATA_DIR", directory.path().c_str(), 1);
  int input[2], output[2];
  ASSERT_EQ(::pipe(input), 0);
  ASSERT_EQ(::pipe(output), 0);
  ::close(input[1]);
  EXPECT_EQ(run_hook("emacs", "observation", input[0], output[1]), 1);
  EXPECT_EQ(run_hook("codex", "an-event-of-tomorrow", input[0], output[1]), 0);
  char buffer[64];
  const ssize_t count = ::read(output[0], buffer, sizeof buffer);
  EXPECT_EQ(std::string(buffer, static_cast<std::size_t>(count)), "{\"continue\":true}\n");
  ::close(output[1]);
  EXPECT_EQ(run_hook("codex", "an-event-of-tomorrow", input[0], -1), 0);
  ::close(input[0]);
  ::close(output[0]);
  const auto refused = list_refusals(directory.path());
  ASSERT_EQ(refused.size(), 1);
  EXPECT_EQ(refused[0].name, "unknown_event");
  EXPECT_EQ(refused[0].count, 2);
  ::unsetenv("CODEXMEM_DATA_DIR");
  EXPECT_NE(hook_help().find("cursor"), std::string::npos);
  EXPECT_NE(hook_help().find("session-complete"), std::string::npos);
  const std::string help = hook_help();
  for (const std::string_view line : split(help, '\n')) EXPECT_LE(line.size(), 80U) << line;
}

}  // namespace
}  // namespace codexmem::hook
