#include "observe/intake/record_import.h"

#include <gtest/gtest.h>

#include <memory>
#include <stop_token>
#include <string>

#include "support/temporary_directory.h"

namespace codexmem::observe {
namespace {

constexpr char kBody[] = R"json({
  "sessions": [{"content_session_id": "c1", "memory_session_id": "m1", "project": "demo",
    "user_prompt": "hi", "started_at_epoch": 1767323000000, "status": "completed"}],
  "summaries": [{"memory_session_id": "m1", "project": "demo", "request": "Tea",
    "completed": "Tea was made", "files_read": "[\"kettle.cpp\"]", "prompt_number": 1,
    "created_at_epoch": 1767323500000}],
  "observations": [
    {"memory_session_id": "m1", "project": "demo", "type": "bugfix", "title": "Kettle",
     "narrative": "It boiled over", "facts": "[\"hot\",\"wet\"]", "concepts": ["gotcha"],
     "text": null, "prompt_number": 1, "created_at": "2026-01-02T03:12:00Z"},
    {"memory_session_id": "manual-demo", "project": "demo", "type": "discovery", "title": "Auth",
     "text": "Needs a key", "narrative": "Needs a key", "created_at_epoch": 1767323600000}],
  "prompts": [{"content_session_id": "c1", "prompt_number": 1, "prompt_text": "make tea",
    "created_at_epoch": 1767323400000}]
})json";

class RecordImportTest : public ::testing::Test {
 protected:
  RecordImportTest() {
    memory::MemoryOptions options;
    options.directory = directory_.path() / "data";
    auto opened = memory::Memory::open(std::move(options));
    EXPECT_TRUE(opened.ok()) << opened.error().message();
    memory_ = *std::move(opened);
  }

  RecordImport import(std::string_view body) {
    auto done = import_records(*memory_, body);
    EXPECT_TRUE(done.ok()) << done.error().message();
    return done.ok() ? *std::move(done) : RecordImport();
  }

  std::int64_t count(const std::string& sql) {
    auto reader = memory_->store().reader();
    return (*reader)->find_integer(sql)->value_or(-1);
  }

  codexmem::testing::TemporaryDirectory directory_;
  std::unique_ptr<memory::Memory> memory_;
};

TEST_F(RecordImportTest, EveryListComesIn) {
  const RecordImport done = import(kBody);
  EXPECT_EQ(done.sessions.imported, 1u);
  EXPECT_EQ(done.summaries.imported, 1u);
  EXPECT_EQ(done.observations.imported, 2u);
  EXPECT_EQ(done.prompts.imported, 1u);
  EXPECT_TRUE(done.refused.empty());
  const auto summaries = memory_->sessions().list_summaries({});
  ASSERT_EQ(summaries->size(), 1u);
  EXPECT_EQ(summaries->front().session, "c1");
  EXPECT_EQ(summaries->front().files_read, std::vector<std::string>{"kettle.cpp"});
  EXPECT_EQ(summaries->front().created_at_ms, 1'767'323'500'000);
  const auto entries = memory_->entries().list({.oldest_first = true});
  ASSERT_EQ(entries->size(), 2u);
  EXPECT_EQ((*entries)[0].session, "c1");
  EXPECT_EQ((*entries)[0].facts, (std::vector<std::string>{"hot", "wet"}));
  EXPECT_EQ((*entries)[0].concepts, std::vector<std::string>{"gotcha"});
  EXPECT_EQ((*entries)[0].created_at_ms, 1'767'323'520'000);
  EXPECT_EQ((*entries)[0].source, "import");
  EXPECT_EQ((*entries)[1].source, "manual");
  EXPECT_EQ((*entries)[1].session, "manual-demo");
  EXPECT_EQ(memory_->sessions().list_prompts({})->front().text, "make tea");
}

TEST_F(RecordImportTest, DoingItAgainChangesNothing) {
  import(kBody);
  const RecordImport again = import(kBody);
  EXPECT_EQ(again.sessions.imported + again.summaries.imported + again.observations.imported +
                again.prompts.imported,
            0u);
  EXPECT_EQ(again.sessions.skipped, 1u);
  EXPECT_EQ(again.observations.skipped, 2u);
  EXPECT_EQ(count("SELECT count(*) FROM entries"), 2);
  EXPECT_EQ(count("SELECT count(*) FROM summaries"), 1);
  EXPECT_EQ(count("SELECT count(*) FROM prompts"), 1);
}

TEST_F(RecordImportTest, SessionsThatAreOnlyReferredToAreStarted) {
  const RecordImport done = import(R"({"prompts": [{"content_session_id": "new", "project": "p",
    "prompt_number": 1, "prompt_text": "hi", "created_at_epoch": 1767323400000}]})");
  EXPECT_EQ(done.prompts.imported, 1u);
  EXPECT_EQ(done.sessions.imported + done.sessions.skipped, 0u);
  EXPECT_EQ(memory_->sessions().list_prompts({})->front().project, "p");
}

TEST_F(RecordImportTest, RefusedRecordsAreNamedAndTheRestIsImported) {
  const std::string secret = "ghp" + std::string("_") + "9aB3dE7fG1hJ5kL2mN8pQ4rS6tU0vW1xY3zA";
  const RecordImport done =
      import(R"({"observations": [{"title": "a", "narrative": "fine"}, {"narrative": "use )" +
             secret + R"("}, {"type": "No Type!", "narrative": "x"}]})");
  EXPECT_EQ(done.observations.imported, 1u);
  EXPECT_EQ(done.observations.skipped, 2u);
  ASSERT_EQ(done.refused.size(), 2u);
  EXPECT_EQ(done.refused[0].list, "observations");
  EXPECT_EQ(done.refused[0].index, 1u);
  EXPECT_EQ(done.refused[0].reason.find(secret), std::string::npos);
  EXPECT_EQ(done.refused[1].index, 2u);
}

TEST_F(RecordImportTest, ABodyOfAnotherShapeIsRefused) {
  for (const char* body : {"[]", "{bad", R"({"prompts": 3})", R"({"observations": [1]})"}) {
    const auto done = import_records(*memory_, body);
    ASSERT_FALSE(done.ok()) << body;
    EXPECT_EQ(done.error().code(), ErrorCode::kInvalidArgument);
  }
}

TEST_F(RecordImportTest, AWorkerThatStopsDoesNotWaitForIt) {
  std::stop_source stopping;
  stopping.request_stop();
  const auto done = import_records(*memory_, kBody, stopping.get_token());
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code(), ErrorCode::kCancelled);
}

}  // namespace
}  // namespace codexmem::observe
