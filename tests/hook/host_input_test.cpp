#include "hook/host_input.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/file.h"

namespace codexmem::hook {
namespace {

HostInput read(Platform platform, std::string_view json) {
  const auto input = read_host_input(platform, json);
  EXPECT_TRUE(input) << json;
  return input.value_or(HostInput{});
}

TEST(HostInput, ReadsClaudeCode) {
  const HostInput input = read(Platform::kClaudeCode, R"({
    "session_id":"s","transcript_path":"/t.jsonl","cwd":"/w","hook_event_name":"PostToolUse",
    "tool_name":"Edit","tool_input":{"file_path":"/w/a.ts"},"tool_response":{"ok":true},
    "tool_use_id":"toolu_1","prompt":null,"permission_mode":"default"})");
  EXPECT_EQ(input.session_id, "s");
  EXPECT_EQ(input.cwd, "/w");
  EXPECT_EQ(input.prompt, "");
  EXPECT_EQ(input.tool_name, "Edit");
  EXPECT_EQ(input.tool_input, R"({"file_path":"/w/a.ts"})");
  EXPECT_EQ(input.tool_response, R"({"ok":true})");
  EXPECT_EQ(input.tool_use_id, "toolu_1");
  EXPECT_EQ(input.transcript_path, "/t.jsonl");
  EXPECT_EQ(input.host_event, "PostToolUse");
}

TEST(HostInput, AFailedToolAnsweredItsError) {
  const HostInput input = read(Platform::kClaudeCode, R"({"session_id":"s","tool_name":"Bash",
    "tool_input":{"command":"false"},"error":"exit code 1","hook_event_name":"PostToolUseFailure"})");
  EXPECT_EQ(input.tool_response, R"({"error":"exit code 1","is_error":true})");
  const HostInput stopped = read(Platform::kClaudeCode, R"({"session_id":"s","tool_name":"Bash",
    "tool_input":{"command":"pytest"},"error":"stopped","is_interrupt":true,
    "hook_event_name":"PostToolUseFailure"})");
  EXPECT_EQ(stopped.tool_response, R"({"error":"stopped","is_error":true,"interrupted":true})");
}

TEST(HostInput, AToolThatFailedInCursorIsNoSuccess) {
  const auto response = [](const std::string& more) {
    return read(Platform::kCursor, R"({"conversation_id":"c","tool_name":"Shell",
      "tool_input":{"command":"pytest"},"hook_event_name":"postToolUseFailure",)" +
                                       more + "}")
        .tool_response;
  };
  EXPECT_EQ(response(R"("error_message":"status code 1","failure_type":"error")"),
            R"({"error":"status code 1","is_error":true})");
  EXPECT_EQ(response(R"("error_message":"too long","failure_type":"timeout")"),
            R"({"error":"too long","is_error":true,"interrupted":true})");
  EXPECT_EQ(response(R"("tool_output":"3 passed")"), R"({"output":"3 passed","is_error":true})");
}

TEST(HostInput, ReadsCodex) {
  const HostInput stop = read(Platform::kCodex, R"({"session_id":"s","turn_id":"t","cwd":"/w",
    "transcript_path":null,"hook_event_name":"Stop","stop_hook_active":false,
    "last_assistant_message":"Done.","model":"m","permission_mode":"default"})");
  EXPECT_EQ(stop.last_assistant_message, "Done.");
  EXPECT_EQ(stop.transcript_path, "");
  const HostInput sub = read(Platform::kCodex, R"({"session_id":"s","agent_id":"a","agent_type":"x",
    "tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch"},"tool_response":"ok"})");
  EXPECT_EQ(sub.agent_id, "a");
  EXPECT_EQ(sub.tool_response, R"("ok")");
}

TEST(HostInput, ReadsCursor) {
  const HostInput prompt = read(Platform::kCursor, R"({"conversation_id":"c","generation_id":"g",
    "workspace_roots":["/w","/v"],"prompt":"hello","hook_event_name":"beforeSubmitPrompt"})");
  EXPECT_EQ(prompt.session_id, "c");
  EXPECT_EQ(prompt.cwd, "/w");
  EXPECT_EQ(prompt.prompt, "hello");
  EXPECT_EQ(read(Platform::kCursor, R"({"generation_id":"g","workspace_roots":[]})").session_id,
            "g");

  const HostInput mcp = read(Platform::kCursor, R"({"conversation_id":"c","tool_name":"search",
    "tool_input":"{\"query\":\"x\"}","result_json":"{\"hits\":[]}"})");
  EXPECT_EQ(mcp.tool_input, R"({"query":"x"})");
  EXPECT_EQ(mcp.tool_response, R"({"hits":[]})");

  const HostInput shell = read(Platform::kCursor, R"({"conversation_id":"c","command":"make",
    "output":"all green","duration":12})");
  EXPECT_EQ(shell.tool_name, "Bash");
  EXPECT_EQ(shell.tool_input, R"({"command":"make"})");
  EXPECT_EQ(shell.tool_response, R"({"output":"all green"})");

  const HostInput edit = read(Platform::kCursor, R"({"conversation_id":"c","file_path":"/w/a.ts",
    "edits":[{"old_string":"a","new_string":"b"}]})");
  EXPECT_EQ(edit.tool_name, "write_file");
  EXPECT_EQ(edit.tool_input,
            R"({"file_path":"/w/a.ts","edits":[{"old_string":"a","new_string":"b"}]})");
}

TEST(HostInput, ReadsRawInEitherSpelling) {
  for (const char* json :
       {R"({"sessionId":"s","cwd":"/w","toolName":"t","toolInput":{"a":1},"toolResponse":"r",
            "toolUseId":"u","lastAssistantMessage":"m","transcriptPath":"/t"})",
        R"({"session_id":"s","cwd":"/w","tool_name":"t","tool_input":{"a":1},"tool_response":"r",
            "tool_use_id":"u","last_assistant_message":"m","transcript_path":"/t"})"}) {
    const HostInput input = read(Platform::kRaw, json);
    EXPECT_EQ(input.session_id, "s");
    EXPECT_EQ(input.tool_name, "t");
    EXPECT_EQ(input.tool_input, R"({"a":1})");
    EXPECT_EQ(input.tool_response, R"("r")");
    EXPECT_EQ(input.tool_use_id, "u");
    EXPECT_EQ(input.last_assistant_message, "m");
    EXPECT_EQ(input.transcript_path, "/t");
  }
  const HostInput edit = read(Platform::kRaw, R"({"sessionId":"s","filePath":"a","edits":[]})");
  EXPECT_EQ(edit.tool_name, "write_file");
}

// One session of each host, as tests/worker/client_session.py --capture kept it: a test fails, an
// edit mends it, the test passes.
TEST(HostInput, ReadsWhatHostsWrote) {
  for (const Platform platform : {Platform::kClaudeCode, Platform::kCodex}) {
    const std::filesystem::path folder =
        std::filesystem::path(CODEXMEM_SOURCE_DIR) / "testdata/hooks" / platform_name(platform);
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    ASSERT_EQ(paths.size(), 7) << folder;
    std::vector<HostInput> inputs;
    for (const auto& path : paths) {
      inputs.push_back(read(platform, *read_file(path)));
      EXPECT_EQ(inputs.back().session_id, inputs.front().session_id) << path;
      EXPECT_EQ(inputs.back().cwd, "/home/dev/shop") << path;
      EXPECT_EQ(inputs.back().agent_id, "") << path;
      // Files are named by the host's event.
      EXPECT_TRUE(path.stem().string().ends_with("-" + inputs.back().host_event)) << path;
    }
    EXPECT_NE(inputs[0].session_id, "");
    EXPECT_EQ(inputs[1].prompt, "Make the total of the cart right and run its test");
    const bool is_codex = platform == Platform::kCodex;
    for (const std::size_t run : {std::size_t{2}, std::size_t{4}}) {
      EXPECT_EQ(inputs[run].tool_name, "Bash");
      EXPECT_NE(inputs[run].tool_input.find("python3 -m unittest test_cart"), std::string::npos);
      EXPECT_NE(inputs[run].tool_use_id, "");
    }
    EXPECT_NE(inputs[2].tool_response.find("FAILED (failures=1)"), std::string::npos);
    EXPECT_NE(inputs[4].tool_response.find("OK"), std::string::npos);
    EXPECT_EQ(inputs[3].tool_name, is_codex ? "apply_patch" : "Edit");
    EXPECT_NE(inputs[3].tool_input.find("return sum(items)"), std::string::npos);
    EXPECT_EQ(inputs[5].last_assistant_message,
              "total() adds up the items now, and its test passes.");
    EXPECT_NE(inputs[6].transcript_path, "");
  }
}

TEST(HostInput, MissingOrMistypedFieldsAreEmpty) {
  for (const Platform platform :
       {Platform::kClaudeCode, Platform::kCursor, Platform::kRaw, Platform::kCodex}) {
    EXPECT_FALSE(read_host_input(platform, ""));
    EXPECT_FALSE(read_host_input(platform, "[]"));
    EXPECT_FALSE(read_host_input(platform, "{\"a\":"));
    const HostInput input =
        read(platform, R"({"session_id":7,"sessionId":{},"cwd":[],"workspace_roots":"x",
                           "tool_name":null,"prompt":false})");
    EXPECT_EQ(input.session_id + input.cwd + input.tool_name + input.prompt, "");
    EXPECT_EQ(input.tool_input, "{}");
    EXPECT_EQ(input.tool_response, "null");
  }
}

// JavaScript may cut an emoji in two and write the half; some programs print invalid UTF-8.
TEST(HostInput, HalvesOfCharactersAreRepaired) {
  const HostInput input = read(
      Platform::kClaudeCode, R"({"session_id":"s\ud83d","cwd":"\udc00/w","tool_name":"\ud83d\ude00",
           "tool_input":{"a":"\\ud83d \ud83dx"},"prompt":")"
                             "\xff\xfe ok\"}");
  EXPECT_EQ(input.session_id, "s\xEF\xBF\xBD");
  EXPECT_EQ(input.cwd, "\xEF\xBF\xBD/w");
  EXPECT_EQ(input.tool_name, "\xF0\x9F\x98\x80");
  EXPECT_EQ(input.tool_input, "{\"a\":\"\\\\ud83d \xEF\xBF\xBDx\"}");
  EXPECT_TRUE(input.prompt.ends_with(" ok"));
  // JSON in a text is JSON all the same.
  EXPECT_EQ(read(Platform::kCursor, R"({"result_json":"{\"output\":\"a\\ud83d\"}"})").tool_response,
            "{\"output\":\"a\\ufffd\"}");
}

TEST(HostInput, DeeplyNestedValuesAreText) {
  for (const std::size_t depth : {std::size_t{99}, std::size_t{100}, std::size_t{1'000'000}}) {
    const HostInput nested =
        read(Platform::kCursor, R"({"conversation_id":"s","prompt":"p","tool_input":)" +
                                    std::string(depth, '[') + std::string(depth, ']') + "}");
    EXPECT_EQ(nested.prompt, "p");
    EXPECT_EQ(nested.tool_input.size(), 2 * depth + (depth > 99 ? 2 : 0));
  }
  const HostInput input = read(
      Platform::kCursor, R"({"conversation_id":"s","tool_input":")" + std::string(1'000'000, '[') +
                             std::string(1'000'000, ']') + "\",\"tool_name\":\"[[[\\\"[\"}");
  EXPECT_EQ(input.tool_name, "[[[\"[");
  EXPECT_EQ(input.tool_input.size(), 2'000'002);  // a string, as it came
}

TEST(HostOutput, IsWhatEachHostTakes) {
  EXPECT_EQ(neutral_output(Platform::kClaudeCode), R"({"continue":true,"suppressOutput":true})");
  EXPECT_EQ(neutral_output(Platform::kRaw), R"({"continue":true,"suppressOutput":true})");
  EXPECT_EQ(neutral_output(Platform::kCursor), R"({"continue":true})");
  EXPECT_EQ(neutral_output(Platform::kCodex), R"({"continue":true})");
}

TEST(HostOutput, ContextGoesWhereTheHostTakesIt) {
  HostInput input;
  const std::string want =
      R"({"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"# \"x\""}})";
  for (const Platform platform : {Platform::kClaudeCode, Platform::kCodex, Platform::kRaw}) {
    input.host_event = "";
    EXPECT_EQ(context_output(platform, input, "# \"x\""), want);
    input.host_event = "SessionStart";
    EXPECT_EQ(context_output(platform, input, "# \"x\""), want);
    input.host_event = "Stop";
    EXPECT_EQ(context_output(platform, input, "x"), neutral_output(platform));
  }
  input.host_event = "sessionStart";
  EXPECT_EQ(context_output(Platform::kCursor, input, "x"),
            R"({"continue":true,"additional_context":"x"})");
  input.host_event = "beforeSubmitPrompt";
  EXPECT_EQ(context_output(Platform::kCursor, input, "x"), R"({"continue":true})");
}

TEST(HostNames, AreThoseOfTheCommandLine) {
  for (const char* name : {"claude-code", "cursor", "raw", "codex"}) {
    ASSERT_TRUE(parse_platform(name));
    EXPECT_EQ(platform_name(*parse_platform(name)), name);
  }
  EXPECT_FALSE(parse_platform("Codex"));
  for (const char* name : {"session-init", "observation", "file-edit", "summarize",
                           "session-complete", "context", "user-message"}) {
    EXPECT_TRUE(parse_event(name)) << name;
  }
  EXPECT_FALSE(parse_event("pre-compact"));
}

}  // namespace
}  // namespace codexmem::hook
