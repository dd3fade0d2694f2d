#include "observe/work/rule_based_provider.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>

#include "support/growth.h"
#include "text/json.h"
#include "base/text.h"
#include "memory/recall/reflection.h"
#include "observe/work/rule_text.h"

namespace codexmem::observe {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ToolEvent event(std::string_view tool, std::string_view input, std::string_view response,
                std::int64_t id = 1) {
  return {.message_id = id,
          .tool_name = std::string(tool),
          .input = std::string(input),
          .response = std::string(response),
          .cwd = "/r"};
}

class RuleBased : public ::testing::Test {
 protected:
  std::vector<Observation> observe(std::vector<ToolEvent> events) {
    ObserveReply reply = provider_->observe({"p", "", std::move(events)}, {});
    EXPECT_FALSE(reply.failure.has_value());
    return std::move(reply.observations);
  }
  Observation one(std::string_view tool, std::string_view input, std::string_view response) {
    auto observations = observe({event(tool, input, response)});
    EXPECT_EQ(observations.size(), 1U);
    return observations.empty() ? Observation{} : observations[0];
  }

  void SetUp() override {
    provider_ = make_rule_based_provider([](const std::string& directory) { return directory; });
  }

  std::unique_ptr<Provider> provider_;
};

struct RuleCase {
  std::string_view name, tool, input, response;
  std::string_view type, title;
  std::vector<std::string> files_read, files_modified;
  std::string_view outcome = "none";
};

const RuleCase kRuleCases[] = {
    {"Claude Code, Read",
     "Read",
     R"({"file_path":"/r/src/auth.ts"})",
     R"({"type":"text","file":{"content":"export function login() {}\n","numLines":1,"startLine":1,"totalLines":1}})",
     "discovery",
     "Read src/auth.ts",
     {"src/auth.ts"},
     {}},
    {"Cursor, read_file",
     "read_file",
     R"({"target_file":"src/a.ts"})",
     R"("text")",
     "discovery",
     "Read src/a.ts",
     {"src/a.ts"},
     {}},
    {"outside of the repository",
     "Read",
     R"({"file_path":"/etc/hosts"})",
     R"({})",
     "discovery",
     "Read /etc/hosts",
     {"/etc/hosts"},
     {}},
    {"Grep",
     "Grep",
     R"({"pattern":"login\\(","path":"/r/src"})",
     R"({"mode":"files_with_matches","filenames":["/r/src/a.ts","src/b.ts"],"numFiles":2})",
     "discovery",
     R"(Searched for "login\(" in src: 2 hits)",
     {},
     {}},
    {"Grep finds nothing",
     "Grep",
     R"({"pattern":"x"})",
     R"({"filenames":[],"numFiles":0,"content":""})",
     "discovery",
     R"(Searched for "x": nothing found)",
     {},
     {}},
    {"Glob",
     "Glob",
     R"({"pattern":"**/*.ts"})",
     R"({"filenames":["/r/a.ts"],"numFiles":1})",
     "discovery",
     R"(Looked for files "**/*.ts": 1 file)",
     {},
     {}},
    {"Edit with the whole file",
     "Edit",
     R"({"file_path":"/r/src/auth.ts","old_string":"return 1;","new_string":"return 2;"})",
     R"({"originalFile":"class Session {\n  refresh() {\n    return 1;\n  }\n}\n"})",
     "change",
     "Edited src/auth.ts: changed Session.refresh()",
     {},
     {"src/auth.ts"}},
    {"Edit, one line",
     "Edit",
     R"({"file_path":"/r/a.json","old_string":"\"version\": \"1\"","new_string":"\"version\": \"2\""})",
     "{}",
     "change",
     R"(Edited a.json: "version": "2")",
     {},
     {"a.json"}},
    {"MultiEdit",
     "MultiEdit",
     R"({"file_path":"/r/a.py","edits":[{"old_string":"pass","new_string":"return 1"},{"old_string":"# end","new_string":"def g():\n    return 2\n"}]})",
     R"({"originalFileContents":"def f():\n    pass\n\n# end\n"})",
     "feature",
     "Edited a.py: added g(), changed f()",
     {},
     {"a.py"}},
    {"Write, a new file",
     "Write",
     R"({"file_path":"/r/src/x.ts","content":"export class X {}\n"})",
     R"({"type":"create","filePath":"/r/src/x.ts"})",
     "feature",
     "Created src/x.ts: X",
     {},
     {"src/x.ts"}},
    {"Write over a file",
     "Write",
     R"({"file_path":"/r/x.py","content":"def f():\n    return 2\n"})",
     R"({"type":"update","originalFile":"def f():\n    return 1\n"})",
     "change",
     "Edited x.py: changed f()",
     {},
     {"x.py"}},
    {"Write, nothing told",
     "write_file",
     R"({"path":"x.py","content":"def f():\n    return 2\n"})",
     R"("ok")",
     "change",
     "Wrote x.py: f()",
     {},
     {"x.py"}},
    {"NotebookEdit",
     "NotebookEdit",
     R"({"notebook_path":"/r/n.ipynb","new_source":"def plot(a):\n    return a","cell_type":"code"})",
     "{}",
     "change",
     "Edited n.ipynb: added plot()",
     {},
     {"n.ipynb"}},
    {"Cursor's edits",
     "write_file",
     R"({"file_path":"/r/a.go","edits":[{"old_string":"package a\n\nfunc F() int { return 1 }\n","new_string":"package a\n\nfunc F() int { return 2 }\n"}]})",
     "{}",
     "change",
     "Edited a.go: changed F()",
     {},
     {"a.go"}},
    {"apply_patch",
     "apply_patch",
     R"({"command":"*** Begin Patch\n*** Update File: src/auth.ts\n@@ class Session {\n   refresh() {\n-    return 1;\n+    return 2;\n   }\n*** Add File: src/x.ts\n+export function g() {}\n*** Delete File: old.ts\n*** End Patch"})",
     R"("Success.")",
     "feature",
     "Edited 3 files: src/auth.ts (changed refresh()), src/x.ts, old.ts",
     {},
     {"src/auth.ts", "src/x.ts", "old.ts"}},
    {"apply_patch as free text",
     "apply_patch",
     R"("*** Begin Patch\n*** Update File: a.md\n*** Move to: b.md\n@@\n-# A\n+# B\n*** End Patch")",
     R"({"output":"Success","metadata":{"exit_code":0}})",
     "change",
     "Moved a.md to b.md: # B",
     {},
     {"b.md", "a.md"}},
    {"apply_patch in a shell",
     "shell",
     R"({"command":["bash","-lc","apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a.sh\n+go() {\n+  true\n+}\n*** End Patch\nEOF"],"workdir":"/r"})",
     R"("{\"output\":\"Success\",\"metadata\":{\"exit_code\":0}}")",
     "feature",
     "Created a.sh: go()",
     {},
     {"a.sh"}},
    {"a unified diff",
     "apply_diff",
     R"({"diff":"diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n def f():\n-    return 1\n+    return 2\n"})",
     "{}",
     "change",
     "Edited a.py: changed f()",
     {},
     {"a.py"}},
    {"an edit that failed",
     "Edit",
     R"({"file_path":"/r/a.ts","old_string":"x","new_string":"y"})",
     R"("Error: String to replace not found in file.")",
     "discovery",
     "Could not edit a.ts",
     {"a.ts"},
     {}},
    {"tests, red",
     "Bash",
     R"({"command":"npm test 2>&1 | tail -30"})",
     R"({"stdout":"FAIL src/auth.test.ts\n  ● Auth › logs in\n\n    TypeError: x is undefined\n\nTests:       1 failed, 5 passed, 6 total\n","stderr":""})",
     "bugfix",
     "1 of 6 tests failed: Auth › logs in (jest)",
     {"src/auth.test.ts"},
     {},
     "error"},
    {"tests, whose tool says that they failed",
     "Bash",
     R"({"command":"pytest -q"})",
     R"({"error":"Command exited with non-zero status code 1","is_error":true})",
     "bugfix",
     "Tests failed: Command exited with non-zero status code 1 (pytest -q)",
     {},
     {},
     "error"},
    {"a build that failed without a word",
     "Bash",
     R"({"command":"make"})",
     R"({"error":"Command exited with non-zero status code 2","is_error":true})",
     "bugfix",
     "Build failed: Command exited with non-zero status code 2",
     {},
     {},
     "error"},
    {"tests that were interrupted",
     "Bash",
     R"({"command":"pytest -q"})",
     R"({"stdout":"3 passed","is_error":true,"interrupted":true})",
     "discovery",
     "Tests did not finish: `pytest -q`",
     {},
     {},
     "none"},
    {"a look that took too long",
     "Bash",
     R"({"command":"cat big.log"})",
     R"({"error":"Command timed out after 2m","is_error":true,"interrupted":true})",
     "discovery",
     "`cat big.log` did not work: Command timed out after 2m",
     {"big.log"},
     {}},
    {"tests, green",
     "Bash",
     R"({"command":"cd /r && pytest -q"})",
     R"({"stdout":"12 passed in 0.10s\n"})",
     "discovery",
     "Tests passed: pytest, 12 passed",
     {},
     {},
     "success"},
    {"tests that say nothing but their code",
     "exec_command",
     R"({"cmd":"./scripts/run_tests"})",
     R"("Process exited with code 1\nOutput:\nassertion broke\n")",
     "bugfix",
     "Tests failed: assertion broke (./scripts/run_tests)",
     {},
     {},
     "error"},
    {"no such program",
     "Bash",
     R"({"command":"pytest"})",
     R"({"stdout":"","stderr":"bash: pytest: command not found","exit_code":127})",
     "discovery",
     "`pytest` did not work: bash: pytest: command not found",
     {},
     {}},
    {"a build, red",
     "exec_command",
     R"({"cmd":"cargo build"})",
     R"("Process exited with code 101\nOutput:\nerror[E0308]: mismatched types\n --> src/main.rs:4:5\n")",
     "bugfix",
     "Build failed: error[E0308]: mismatched types",
     {"src/main.rs"},
     {},
     "error"},
    {"a build, green",
     "Bash",
     R"({"command":"make -j2"})",
     R"({"stdout":"done","exit_code":0})",
     "discovery",
     "Build succeeded: `make -j2`",
     {},
     {},
     "success"},
    {"a linter",
     "Bash",
     R"({"command":"npx eslint src"})",
     R"({"stdout":"✖ 3 problems (2 errors, 1 warning)\n"})",
     "discovery",
     "Check failed with 2 errors: `npx eslint src`",
     {},
     {}},
    {"a commit",
     "Bash",
     R"json({"command":"git add -A && git commit -m \"$(cat <<'EOF'\nfeat: refresh sessions\n\nThey ended.\nEOF\n)\""})json",
     R"({"stdout":"[main 1a2b3c4] feat: refresh sessions\n 2 files changed, 14 insertions(+)\n"})",
     "feature",
     "Committed: feat: refresh sessions",
     {},
     {}},
    {"an install",
     "Bash",
     R"({"command":"npm install zod"})",
     R"({"stdout":"added 1 package"})",
     "change",
     "Dependencies: zod (`npm install zod`)",
     {},
     {}},
    {"a here-document",
     "shell",
     R"({"command":["bash","-lc","cat > src/a.py <<'EOF'\ndef f():\n    return 1\nEOF\n"]})",
     R"({"exit_code":0})",
     "change",
     "Wrote src/a.py: f()",
     {},
     {"src/a.py"}},
    {"sed -i",
     "Bash",
     R"({"command":"sed -i 's/a/b/' src/a.ts"})",
     R"({"stdout":""})",
     "change",
     "Changed src/a.ts with `sed -i 's/a/b/' src/a.ts`",
     {},
     {"src/a.ts"}},
    {"reading in a shell",
     "Bash",
     R"({"command":"sed -n '1,80p' src/auth.ts"})",
     R"({"stdout":"x"})",
     "discovery",
     "Read src/auth.ts",
     {"src/auth.ts"},
     {}},
    {"searching in a shell",
     "Bash",
     R"({"command":"rg -n 'foo bar' src | head"})",
     R"({"stdout":"src/a.ts:1:foo bar"})",
     "discovery",
     R"(Searched for "foo bar")",
     {},
     {}},
    {"a log that tells of failures is no test run",
     "Bash",
     R"({"command":"cat ci.log"})",
     R"({"stdout":"=== 2 failed, 3 passed in 1.0s ==="})",
     "discovery",
     "Read ci.log",
     {"ci.log"},
     {}},
    {"a script that failed",
     "Bash",
     R"({"command":"python gen.py","description":"Generate"})",
     R"("Exit code 1\nTraceback (most recent call last):\n  File \"gen.py\", line 4\nModuleNotFoundError: No module named 'yaml'")",
     "discovery",
     "`python gen.py` did not work: ModuleNotFoundError: No module named 'yaml'",
     {},
     {}},
    {"WebFetch",
     "WebFetch",
     R"({"url":"https://example.com/docs","prompt":"how?"})",
     R"({"code":200,"result":"In a cookie."})",
     "discovery",
     "Fetched https://example.com/docs",
     {},
     {}},
    {"WebSearch",
     "WebSearch",
     R"({"query":"sqlite wal"})",
     R"({"results":[]})",
     "discovery",
     R"(Searched the web for "sqlite wal")",
     {},
     {}},
    {"Task",
     "Task",
     R"({"description":"Find the session code","prompt":"Look"})",
     R"({"content":[{"type":"text","text":"In src/auth.ts"}]})",
     "discovery",
     "Asked another agent: Find the session code -> In src/auth.ts",
     {},
     {}},
    {"MCP",
     "mcp__github__create_issue",
     R"({"title":"Login fails"})",
     R"([{"type":"text","text":"{}"}])",
     "discovery",
     "Used github: create_issue: Login fails",
     {},
     {}},
    {"unknown",
     "Mystery",
     R"({"foo":"bar"})",
     R"({"ok":true})",
     "discovery",
     "Used Mystery: bar",
     {},
     {}},
    {"unknown, with the shape of an edit",
     "tweak_file",
     R"({"path":"a.txt","old_str":"a","new_str":"b"})",
     "{}",
     "change",
     "Edited a.txt: b",
     {},
     {"a.txt"}},
    {"nothing at all", "", "", "", "discovery", "Used", {}, {}},
};

TEST_F(RuleBased, SaysWhatAToolDid) {
  for (const RuleCase& given : kRuleCases) {
    SCOPED_TRACE(given.name);
    SetUp();
    const Observation observed = one(given.tool, given.input, given.response);
    EXPECT_EQ(observed.type, given.type);
    EXPECT_EQ(observed.title, given.title);
    EXPECT_EQ(observed.files_read, given.files_read);
    EXPECT_EQ(observed.files_modified, given.files_modified);
    EXPECT_EQ(observed.outcome, given.outcome);
    EXPECT_THAT(observed.message_ids, ElementsAre(1));
  }
}

TEST_F(RuleBased, OutlinesWhatWasRead) {
  const Observation observed = one(
      "Read", R"({"file_path":"/r/a.py"})",
      R"({"file":{"content":"class A:\n    def f(self):\n        pass\n\ndef g():\n    pass\n","numLines":6,"startLine":1,"totalLines":6}})");
  EXPECT_EQ(observed.narrative, "Declares A, g().");
  EXPECT_THAT(observed.facts, IsEmpty());
}

// Recorded hook events of two coding tools in the same session.
TEST_F(RuleBased, DescribesARealSession) {
  namespace fs = std::filesystem;
  for (const char* client : {"claude-code", "codex"}) {
    SCOPED_TRACE(client);
    SetUp();
    std::set<fs::path> files;
    for (const auto& file :
         fs::directory_iterator(fs::path(CODEXMEM_SOURCE_DIR) / "testdata/hooks" / client)) {
      files.insert(file.path());
    }
    std::vector<ToolEvent> events;
    for (const fs::path& file : files) {
      std::ifstream stream(file);
      const Json observed = Json::parse(stream);
      if (!observed.contains("tool_name")) continue;
      const Json response = observed.contains("tool_response") ? Json(observed["tool_response"])
                                                               : Json{{"error", observed["error"]}};
      events.push_back({.message_id = static_cast<std::int64_t>(events.size()) + 1,
                        .tool_name = observed["tool_name"].get<std::string>(),
                        .input = dump_json(observed["tool_input"]),
                        .response = dump_json(response),
                        .cwd = observed["cwd"].get<std::string>()});
    }
    const auto observed = observe(events);
    ASSERT_EQ(observed.size(), 3U);
    EXPECT_EQ(observed[0].title, "1 of 1 test failed: CartTest.test_total (unittest)");
    EXPECT_EQ(observed[1].title, "Edited cart.py: changed total()");
    EXPECT_EQ(observed[2].title,
              "Fixed: CartTest.test_total passes again (Tests passed: unittest, 1 passed)");
    EXPECT_THAT(observed[0].facts, Contains("first error: AssertionError: 0 != 3"));
    EXPECT_THAT(observed[0].files_read, ElementsAre("test_cart.py"));
  }
}

TEST_F(RuleBased, RedThenGreenIsAFix) {
  const auto observed = observe(
      {event(
           "Bash", R"({"command":"pytest"})",
           R"({"stdout":"FAILED tests/test_a.py::test_x - assert 1 == 2\n1 failed, 3 passed in 0.1s\n"})",
           1),
       event("Edit", R"({"file_path":"/r/a.py","old_string":"a","new_string":"b"})", "{}", 2),
       event("Bash", R"({"command":"pytest"})", R"({"stdout":"4 passed in 0.1s\n"})", 3)});
  ASSERT_EQ(observed.size(), 3U);
  EXPECT_EQ(observed[0].title, "1 of 4 tests failed: test_a.py::test_x (pytest)");
  EXPECT_EQ(observed[2].title,
            "Fixed: test_a.py::test_x passes again (Tests passed: pytest, 4 passed)");
  EXPECT_EQ(observed[2].type, "bugfix");
  EXPECT_EQ(observed[2].outcome, "success");
  EXPECT_THAT(observed[2].files_read, ElementsAre("tests/test_a.py"));

  // What reflection reads: an error and a success of one target.
  const auto outcome_of = [](const Observation& observation) {
    memory::ObservedEntry entry;
    entry.type = observation.type;
    entry.title = observation.title;
    entry.body = observation.narrative;
    entry.facts = observation.facts;
    entry.files_read = observation.files_read;
    entry.files_modified = observation.files_modified;
    entry.outcome = observation.outcome;
    return memory::outcome_of(entry);
  };
  const auto red = outcome_of(observed[0]), edit = outcome_of(observed[1]),
             green = outcome_of(observed[2]);
  ASSERT_TRUE(red && green);
  EXPECT_TRUE(red->is_error);
  EXPECT_FALSE(green->is_error);
  EXPECT_EQ(red->targets, green->targets);
  EXPECT_FALSE(edit.has_value());
}

TEST_F(RuleBased, StillRedNamesTheTestsThatPassAgain) {
  observe({event("Bash", R"({"command":"go test ./..."})",
                 R"({"stdout":"--- FAIL: TestA (0.00s)\n--- FAIL: TestB (0.00s)\nFAIL\n"})")});
  const Observation observed = one("Bash", R"({"command":"go test ./..."})",
                                   R"({"stdout":"--- FAIL: TestB (0.00s)\nFAIL\n"})");
  EXPECT_THAT(observed.facts, Contains("no longer failing: TestA"));
}

TEST_F(RuleBased, LookingTwiceIsRecordedOnce) {
  const auto observed = observe({event("Read", R"({"file_path":"/r/a"})", "{}", 1),
                                 event("Bash", R"({"command":"ls"})", R"("a")", 2),
                                 event("Read", R"({"file_path":"/r/a"})", "{}", 3),
                                 event("Bash", R"({"command":"ls"})", R"("a b")", 4),
                                 event("Bash", R"({"command":"make"})", R"({"exit_code":0})", 5),
                                 event("Bash", R"({"command":"make"})", R"({"exit_code":0})", 6)});
  ASSERT_EQ(observed.size(), 4U);
  EXPECT_THAT(observed[0].message_ids, ElementsAre(1, 3));
  EXPECT_THAT(observed[1].message_ids, ElementsAre(2, 4));
}

TEST_F(RuleBased, LookingAgainInALaterBatchIsRecordedOnceToo) {
  struct {
    std::string_view name;
    std::vector<EarlierObservation> earlier;
    std::size_t want;
  } const cases[] = {
      {"first", {}, 1},
      {"told", {{"Read src/a.ts", {}, {"src/a.ts"}, {}, true}}, 0},
      {"told of another prompt", {{"Read src/a.ts", {}, {"src/a.ts"}, {}, false}}, 1},
      {"edited since",
       {{"Read src/a.ts", {}, {"src/a.ts"}, {}, true},
        {"Edited src/a.ts", {}, {}, {"src/a.ts"}, true}},
       1},
      {"another file was edited since",
       {{"Read src/a.ts", {}, {"src/a.ts"}, {}, true},
        {"Edited src/b.ts", {}, {}, {"src/b.ts"}, true}},
       0},
  };
  for (const auto& given : cases) {
    SCOPED_TRACE(given.name);
    ObserveRequest request{"p", "", {event("Read", R"({"file_path":"/r/src/a.ts"})", "{}")}};
    request.earlier = given.earlier;
    const ObserveReply reply = provider_->observe(request, {});
    EXPECT_EQ(reply.observations.size(), given.want);
    EXPECT_FALSE(reply.failure.has_value());
  }
}

TEST_F(RuleBased, DescribesEachPartOfALineThatMatters) {
  struct {
    std::string_view name, command, response;
    std::vector<std::string> titles;
  } const cases[] = {
      {"a quiet commit, and a push that fails",
       "git commit -aqm 'fix: queue' && git push origin main",
       R"("Exit code 1\nerror: failed to push some refs to 'origin'")",
       {"Committed: fix: queue",
        "`git push origin main` did not work: error: failed to push some refs to 'origin'"}},
      {"a commit, and another thing that fails",
       "git commit -am 'fix: queue' && ./deploy.sh",
       R"("Exit code 1\n[main 1a2b3c4] fix: queue\n 1 file changed, 1 insertion(+)\nerror: no host")",
       {"Committed: fix: queue", "`./deploy.sh` did not work: error: no host"}},
      {"a commit that fails",
       "git add -A && git commit -m 'fix: queue' && git push",
       R"("Exit code 1\nOn branch main\nnothing to commit, working tree clean")",
       {"`git commit -m 'fix: queue'` did not work: nothing to commit, working tree clean"}},
      {"red tests before a commit",
       "pytest && git commit -am 'fix: queue'",
       R"("Exit code 1\nFAILED tests/a.py::test_x - assert 1 == 2\n1 failed in 0.1s\n")",
       {"1 of 1 test failed: a.py::test_x (pytest)"}},
      {"green tests before a commit",
       "pytest && git commit -qam 'fix: queue'",
       R"({"stdout":"3 passed in 0.1s\n"})",
       {"Tests passed: pytest, 3 passed", "Committed: fix: queue"}},
  };
  for (const auto& given : cases) {
    SCOPED_TRACE(given.name);
    SetUp();
    std::vector<std::string> titles;
    for (const Observation& observed :
         observe({event("Bash", dump_json({{"command", given.command}}), given.response)})) {
      titles.push_back(observed.title);
      EXPECT_THAT(observed.message_ids, ElementsAre(1));
    }
    EXPECT_EQ(titles, given.titles);
  }
}

TEST_F(RuleBased, ACommitHasTheFilesEditedSinceTheOneBefore) {
  const auto observed = observe(
      {event("Write", R"({"file_path":"/r/a.py","content":"A = 1"})", "{}", 1),
       event("Bash", R"({"command":"git commit -qam a"})", R"({"stdout":""})", 2),
       event("Edit", R"({"file_path":"/r/b.py","old_string":"a","new_string":"b"})", "{}", 3),
       event("Bash", R"({"command":"git commit -am b"})",
             R"({"stdout":"[main 1a2b3c4] b\n 2 files changed\n create mode 100644 c.py\n"})", 4)});
  ASSERT_EQ(observed.size(), 4U);
  EXPECT_THAT(observed[1].files_modified, ElementsAre("a.py"));
  EXPECT_THAT(observed[3].files_modified, ElementsAre("c.py", "b.py"));
}

TEST_F(RuleBased, RedTestsNameTheirFiles) {
  struct {
    std::string_view name, command, output;
    std::vector<std::string> want;
  } const cases[] = {
      {"unittest, dotted",
       "python3 -m unittest",
       "FAIL: test_total (tests.test_cart.CartTest.test_total)\nRan 1 test in 0.1s\n"
       "FAILED (failures=1)\n",
       {"tests/test_cart.py"}},
      {"unittest, not dotted",
       "python3 -m unittest",
       "FAIL: test_total (test_cart.CartTest.test_total)\nRan 1 test in 0.1s\n"
       "FAILED (failures=1)\n",
       {}},
      {"unittest, a module that does not load",
       "python3 -m unittest",
       "ERROR: tests.test_tax (unittest.loader._FailedTest.tests.test_tax)\nImportError: x\n"
       "Ran 1 test in 0.1s\nFAILED (errors=1)\n",
       {"tests/test_tax.py"}},
      {"unittest, with its traceback",
       "python3 -m unittest",
       "FAIL: test_total (tests.test_cart.CartTest.test_total)\n"
       "  File \"/r/tests/test_cart.py\", line 4, in test_total\nRan 1 test in 0.1s\n"
       "FAILED (failures=1)\n",
       {"tests/test_cart.py"}},
      {"node",
       "npm test",
       "✖ first (1.2ms)\nℹ pass 0\nℹ fail 1\ntest at queue.test.mjs:4:1\n✖ first (1.2ms)\n",
       {"queue.test.mjs"}},
      {"TAP",
       "npm test",
       "not ok 1 - first\n  location: '/r/queue.test.mjs:4:1'\n# pass 0\n# fail 1\n",
       {"queue.test.mjs"}},
  };
  for (const auto& given : cases) {
    SCOPED_TRACE(given.name);
    EXPECT_EQ(
        one("Bash", dump_json({{"command", given.command}}), dump_json({{"stdout", given.output}}))
            .files_read,
        given.want);
  }
}

TEST_F(RuleBased, AFixIsOnlyClaimedOfWhatWasRedAndMended) {
  constexpr std::string_view kRed =
      "FAILED tests/test_a.py::test_x - assert 1 == 2\n1 failed, 3 passed in 0.1s\n";
  constexpr std::string_view kGreen = "4 passed in 0.1s\n";
  constexpr std::int64_t kHour = 3'600'000;
  struct Step {
    std::string_view command, output;  // no output: an edit
    std::int64_t at_ms = 0;
  };
  struct {
    std::string_view name;
    std::vector<Step> steps;
    std::string_view title, type;
  } const cases[] = {
      {"the same command",
       {{"pytest", kRed}, {}, {"pytest", kGreen}},
       "Fixed: test_a.py::test_x passes again (Tests passed: pytest, 4 passed)",
       "bugfix"},
      {"other options",
       {{"pytest -q tests", kRed}, {}, {"pytest tests -x --tb=short", kGreen}},
       "Fixed: test_a.py::test_x passes again (Tests passed: pytest, 4 passed)",
       "bugfix"},
      {"green since",
       {{"pytest -q", kRed}, {}, {"pytest -x", kGreen}, {"pytest -q", kGreen}},
       "Tests passed: pytest, 4 passed",
       "discovery"},
      {"no edit",
       {{"pytest", kRed}, {"pytest", kGreen}},
       "test_a.py::test_x passes again (Tests passed: pytest, 4 passed)",
       "discovery"},
      {"red without names, no edit",
       {{"pytest", "1 failed in 0.1s\n"}, {"pytest", kGreen}},
       "Tests passed: pytest, 4 passed",
       "discovery"},
      {"red without names, then an edit",
       {{"pytest", "1 failed in 0.1s\n"}, {}, {"pytest", kGreen}},
       "Tests passed: pytest, 4 passed (it had failed before)",
       "bugfix"},
      {"fewer tests",
       {{"pytest", kRed}, {}, {"pytest tests/test_b.py", "1 passed in 0.1s\n"}},
       "Tests passed: pytest, 1 passed",
       "discovery"},
      {"one of two that were red",
       {{"pytest",
         "FAILED tests/test_a.py::test_x\nFAILED tests/test_a.py::test_y\n2 failed in 1s\n"},
        {},
        {"pytest tests/test_a.py::test_x", "1 passed in 0.1s\n"}},
       "Fixed: test_a.py::test_x passes again (Tests passed: pytest, 1 passed)",
       "bugfix"},
      {"red the day before yesterday",
       {{"pytest", kRed, kHour}, {"", "", 2 * kHour}, {"pytest", kGreen, 49 * kHour}},
       "Tests passed: pytest, 4 passed",
       "discovery"},
  };
  for (const auto& given : cases) {
    SCOPED_TRACE(given.name);
    SetUp();
    Observation last;
    for (const Step& step : given.steps) {
      ToolEvent observed =
          step.command.empty()
              ? event("Edit", R"({"file_path":"/r/a.py","old_string":"a","new_string":"b"})", "{}")
              : event("Bash", dump_json({{"command", step.command}}),
                      dump_json({{"stdout", step.output}}));
      observed.at_ms = step.at_ms;
      last = observe({observed}).at(0);
    }
    EXPECT_EQ(last.title, given.title);
    EXPECT_EQ(last.type, given.type);
  }
}

TEST_F(RuleBased, NothingIsSaidTwice) {
  const Observation red = one(
      "Bash", R"({"command":"python3 -m unittest"})",
      R"({"stdout":"FAIL: test_total (tests.test_cart.CartTest.test_total)\n----\nTraceback (most recent call last):\n  File \"/r/tests/test_cart.py\", line 4, in test_total\n    self.assertEqual(total(), 3)\nAssertionError: 0 != 3\n\nRan 1 test in 0.1s\n\nFAILED (failures=1)\n"})");
  EXPECT_EQ(red.narrative,
            "Ran `python3 -m unittest`.\nTraceback (most recent call last):\n  File "
            "\"/r/tests/test_cart.py\", line 4, in test_total\n    self.assertEqual(total(), 3)");
  EXPECT_THAT(red.facts, ElementsAre("failed: test_total (tests.test_cart.CartTest.test_total)",
                                     "first error: AssertionError: 0 != 3"));
  const Observation edit = one(
      "Edit",
      R"({"file_path":"/r/a.py","old_string":"    def f(self):\n        return 1","new_string":"    def f(self):\n        return 2"})",
      "{}");
  EXPECT_EQ(edit.narrative, "-         return 1\n+         return 2");
  EXPECT_THAT(edit.facts, IsEmpty());
  const Observation shown =
      one("Bash", R"({"command":"cat a.py"})", R"({"stdout":"    a = 1\n    b = 2\n"})");
  EXPECT_EQ(shown.narrative, "Ran `cat a.py`.\n    a = 1\n    b = 2");
}

TEST_F(RuleBased, WhatOnlyLooksIsRoutine) {
  for (const auto& [command, want] :
       std::vector<std::pair<std::string_view, bool>>{{"git diff --stat", true},
                                                      {"ls -la", true},
                                                      {"npx tsc --version", true},
                                                      {"curl -s http://x", true},
                                                      {"npm install zod", false},
                                                      {"sed -i s/a/b/ a.ts", false}}) {
    EXPECT_EQ(one("Bash", dump_json({{"command", command}}), R"({"stdout":"x"})").is_routine, want)
        << command;
  }
  EXPECT_TRUE(one("Task", R"({"description":"Look"})", "{}").is_routine);
  EXPECT_FALSE(
      one("Task", R"({"description":"Look"})", R"({"content":[{"type":"text","text":"It is so"}]})")
          .is_routine);
  EXPECT_TRUE(one("Glob", R"({"pattern":"*.ts"})", R"({"filenames":["a.ts"]})").is_routine);
}

TEST_F(RuleBased, HostileEventsGiveSmallObservationsInTime) {
  const auto start = testing::ProcessorClock::now();
  std::vector<std::string> texts;
  for (const std::string_view part :
       {"a", "\n", "\"", "'", "<<E\n", "$(", "| ", "&& x ", "> f ", "*** Update File: x\n@@\n+a\n",
        "--- a\n+++ b\n@@ -1 +1 @@\n", "FAILED a.py::b\n", "/", "../", "\xFF", "[[[[", "#"}) {
    std::string text;
    while (text.size() < (std::size_t{1} << 18)) text += part;
    texts.push_back(std::move(text));
  }
  for (const std::string& text : texts) {
    const auto json = [&](std::string_view key) { return dump_json({{key, text}}); };
    const std::string raw = dump_json(Json(text));
    for (const ToolEvent& given :
         {event("Bash", json("command"), raw),
          event("Bash", R"({"command":"pytest"})", json("stdout")), event("apply_patch", raw, raw),
          event("Write", dump_json({{"file_path", text}, {"content", text}}), raw),
          event(
              "Edit",
              dump_json({{"file_path", "a.ts"}, {"old_string", text}, {"new_string", text + "x"}}),
              json("originalFile")),
          event(text.substr(0, 1000), raw, raw), event("Grep", json("pattern"), json("filenames")),
          event("Read", text, text)}) {
      for (const Observation& observed : observe({given})) {
        EXPECT_LE(observed.title.size(), kMaxRuleTitleBytes);
        EXPECT_LE(observed.narrative.size(), kMaxRuleNarrativeBytes);
        EXPECT_LE(observed.facts.size(), kMaxRuleFacts);
        for (const std::string& fact : observed.facts) EXPECT_LE(fact.size(), kMaxRuleFactBytes);
        EXPECT_LE(observed.files_modified.size(), kMaxRuleFiles);
      }
    }
  }
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  observe({event("Bash", deep, deep), event("Bash", R"({"command":"x"})", deep)});
  EXPECT_LT(testing::ProcessorClock::now() - start, std::chrono::seconds(60 * CODEXMEM_SLOWNESS));
}

TEST_F(RuleBased, SummarisesATurn) {
  SummarizeRequest request;
  request.prompts = {"Fix the login test", "and clean up"};
  request.observations = observe(
      {event("Read", R"({"file_path":"/r/src/auth.py"})", "{}", 1),
       event("Grep", R"({"pattern":"login"})", R"({"filenames":["a"],"numFiles":1})", 2),
       event(
           "Bash", R"({"command":"pytest"})",
           R"({"stdout":"FAILED tests/test_a.py::test_x - assert 1 == 2\n1 failed, 3 passed in 0.1s\n"})",
           3),
       event(
           "Edit",
           R"({"file_path":"/r/src/auth.py","old_string":"def f():\n    return 1","new_string":"def f():\n    return 2"})",
           "{}", 4),
       event(
           "Edit",
           R"({"file_path":"/r/src/auth.py","old_string":"def g():\n    return 1","new_string":"def g():\n    return 2"})",
           "{}", 5),
       event("Bash", R"({"command":"pytest"})", R"({"stdout":"4 passed in 0.1s\n"})", 6)});
  request.last_assistant_message =
      "The login works again: the token had expired.\n\nNext steps:\n- remove the old "
      "endpoint\n\nThat is "
      "all.";
  const auto reply = provider_->summarize(request, {});
  ASSERT_TRUE(reply.summary.has_value());
  const SessionSummary& summary = *reply.summary;
  EXPECT_EQ(summary.request, "Fix the login test\n\nLast: and clean up");
  EXPECT_EQ(summary.investigated,
            "Read src/auth.py, tests/test_a.py. Searched for \"login\": 1 hit");
  EXPECT_THAT(summary.learned,
              HasSubstr("1 of 4 tests failed: test_a.py::test_x (pytest): assert 1 == 2 - fixed"));
  EXPECT_EQ(summary.learned.find('\n'), std::string::npos) << summary.learned;
  EXPECT_THAT(summary.completed, HasSubstr("src/auth.py: changed f(); changed g()"));
  EXPECT_EQ(summary.next_steps, "- remove the old endpoint");
  EXPECT_EQ(summary.notes, "The login works again: the token had expired.");
  EXPECT_THAT(summary.files_edited, ElementsAre("src/auth.py"));
}

TEST_F(RuleBased, FailingTestsAreNext) {
  SummarizeRequest request;
  request.prompts = {"Fix it"};
  request.observations = observe({event("Bash", R"({"command":"make"})", R"({"exit_code":2})")});
  const auto reply = provider_->summarize(request, {});
  ASSERT_TRUE(reply.summary.has_value());
  EXPECT_THAT(reply.summary->next_steps, HasSubstr("Still red: Build failed"));
}

TEST_F(RuleBased, NothingIsNoSummary) {
  EXPECT_FALSE(provider_->summarize({}, {}).summary.has_value());
}

}  // namespace
}  // namespace codexmem::observe
