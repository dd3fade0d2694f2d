#include "hook/transcript.h"

#include <gtest/gtest.h>

#include "support/temporary_directory.h"

namespace codexmem::hook {
namespace {

TEST(LastAssistantText, IsThatOfTheLastLineThatSaysSomething) {
  const testing::TemporaryDirectory directory;
  const auto path = directory.write(
      "claude.jsonl",
      R"({"type":"user","message":{"role":"user","content":"which assistant are you?"}})"
      "\n"
      R"({"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"Old."}]}})"
      "\n"
      R"({"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"Fixed <system-reminder>x</system-reminder>it."},{"type":"tool_use","name":"Bash"},{"type":"text","text":"Done."}]}})"
      "\n"
      R"({"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","name":"Bash"}]}})"
      "\n"
      R"({"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"assistant"}]}})"
      "\n{\"assistant\": cut");
  EXPECT_EQ(last_assistant_text(path), "Fixed it.\n\nDone.");
}

TEST(LastAssistantText, ReadsTheTranscriptsOfCodex) {
  const testing::TemporaryDirectory directory;
  const auto path = directory.write(
      "rollout.jsonl",
      R"({"timestamp":"t","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"All green."}]}})"
      "\n"
      R"({"timestamp":"t","type":"event_msg","payload":{"type":"agent_message","message":"assistant"}})"
      "\n");
  EXPECT_EQ(last_assistant_text(path), "All green.");
}

TEST(LastAssistantText, IsEmptyWithoutATranscript) {
  const testing::TemporaryDirectory directory;
  EXPECT_EQ(last_assistant_text(""), "");
  EXPECT_EQ(last_assistant_text(directory.path()), "");
  EXPECT_EQ(last_assistant_text(directory.path() / "gone"), "");
  EXPECT_EQ(last_assistant_text(directory.write("empty", "")), "");
  EXPECT_EQ(last_assistant_text(directory.write("other", "assistant\n[1]\n\n")), "");
}

TEST(LastAssistantText, OnlyTheEndOfALongTranscriptIsRead) {
  const testing::TemporaryDirectory directory;
  const std::string said = R"({"message":{"role":"assistant","content":"Said."}})";
  const std::string filler(kMaxTranscriptTail, 'x');
  EXPECT_EQ(last_assistant_text(directory.write("far", said + "\n" + filler + "\n")), "");
  EXPECT_EQ(last_assistant_text(directory.write("near", filler + "\n" + said + "\n")), "Said.");
}

}  // namespace
}  // namespace codexmem::hook
