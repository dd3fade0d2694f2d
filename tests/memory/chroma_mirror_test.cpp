#include "memory/transfer/chroma_mirror.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "embed/chroma.h"
#include "memory/memory.h"
#include "memory/recall/recall.h"
#include "memory/store_fixture.h"
#include "support/fake_chroma.h"

namespace codexmem::memory {
namespace {

using codexmem::testing::FakeChroma;
using ::testing::ElementsAre;
using testing::EntryRow;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using State = FakeChroma::State;

class ChromaMirrorTest : public testing::StoreFixture {
 protected:
  ChromaMirrorTest() { use_vectors(); }

  // What a process would have of the store and the server.
  struct Process {
    std::unique_ptr<ChromaMirror> mirror;
    std::unique_ptr<Recall> recall;
    int wakes = 0;
  };

  std::unique_ptr<Process> start(VectorBackend backend = VectorBackend::kChroma,
                                 std::string collection = {}) {
    auto process = std::make_unique<Process>();
    embed::ChromaOptions options;
    options.url = server_.url();
    options.query_timeout = std::chrono::milliseconds(300);
    options.write_timeout = std::chrono::milliseconds(2'000);
    options.rest_after_failure = std::chrono::milliseconds(0);
    process->mirror = std::make_unique<ChromaMirror>(
        *store_, *vectors_, std::make_shared<embed::Chroma>(options), std::move(collection),
        [wakes = &process->wakes](ChromaMirror::Reason reason) {
          *wakes += reason == ChromaMirror::Reason::kServer;
        });
    RecallOptions recall;
    recall.backend = backend;
    recall.chroma = process->mirror.get();
    process->recall = std::make_unique<Recall>(*store_, *vectors_, clock(), recall);
    return process;
  }

  static void follow(Process& process) {
    const auto done = process.mirror->follow({});
    EXPECT_TRUE(done.ok()) << done.error().message();
  }

  static RecallAnswer ask(Process& process, const std::string& query, RecallRequest request = {}) {
    request.query = query;
    auto answer = process.recall->search(request);
    EXPECT_TRUE(answer.ok()) << answer.error().message();
    return answer.ok() ? *std::move(answer) : RecallAnswer{};
  }

  static std::vector<std::int64_t> keys(const RecallAnswer& answer) {
    std::vector<std::int64_t> all;
    for (const RecallHit& hit : answer.hits) all.push_back(static_cast<std::int64_t>(hit.key));
    return all;
  }

  std::vector<std::string> ids(const std::string& collection) {
    std::vector<std::string> all;
    for (const auto& [id, row] : server_.rows(collection)) all.push_back(id);
    return all;
  }

  FakeChroma server_;
};

constexpr char kBody[] = "database connections are pooled, at most eight at a time";
// Without a word of it, and near.
constexpr char kQuery[] = "postgres socket limits";

TEST_F(ChromaMirrorTest, CopiesHaveTheContractsIdsAndMetadata) {
  EntryRow row{.session = "s1", .type = "bugfix", .title = "Pool", .body = kBody};
  row.facts = R"(["the pool is a vector","connections are closed after a minute"])";
  row.files_modified = R"(["src/a.ts","src/b.ts"])";
  add(row);
  row.source = "observer";
  row.body = "another text about files and folders";
  add(row);
  execute(
      "INSERT INTO prompts (session_id, project_id, prompt_number, prompt_text, is_private, "
      "created_at_ms) VALUES (1, 1, 1, 'why does the server leak connections?', 0, 7), "
      "(1, 1, 2, '', 1, 8)");
  execute(
      "INSERT INTO summaries (session_id, project_id, request, learned, created_at_ms) VALUES "
      "(1, 1, 'find the leak of connections', 'sockets stay open', 9)");
  const auto process = start();
  follow(*process);
  EXPECT_THAT(server_.names(), ElementsAre("cm__demo"));
  EXPECT_THAT(ids("cm__demo"),
              ElementsAre("obs_1_fact_0", "obs_1_fact_1", "obs_1_narrative", "obs_1_text",
                          "obs_2_fact_0", "obs_2_fact_1", "obs_2_narrative", "prompt_1",
                          "summary_1_learned", "summary_1_request"));
  Json metadata = server_.rows("cm__demo")["obs_1_narrative"].metadata;
  EXPECT_EQ(metadata["store"].get<std::string>().size(), 16U);
  metadata.erase("store");
  EXPECT_EQ(metadata, (Json{{"created_at_epoch", testing::kNoon},
                            {"doc_type", "observation"},
                            {"field_type", "narrative"},
                            {"files_modified", "src/a.ts,src/b.ts"},
                            {"memory_session_id", "s1"},
                            {"project", "demo"},
                            {"sqlite_id", 1},
                            {"title", "Pool"},
                            {"type", "bugfix"}}));
  EXPECT_EQ(server_.rows("cm__demo")["prompt_1"].metadata["doc_type"], "user_prompt");
  EXPECT_EQ(server_.rows("cm__demo")["summary_1_learned"].metadata["doc_type"], "session_summary");

  const int before = server_.requests();
  follow(*process);
  EXPECT_EQ(server_.requests(), before) << "nothing is new";
  const auto later = start();
  follow(*later);
  EXPECT_EQ(server_.requests(), before + 1)
      << "a new process looks whether the collection is there";
}

TEST_F(ChromaMirrorTest, FindsByMeaningAndShowsItsSources) {
  add("", kBody);
  add("", "the colour of the kettle is blue");
  for (const VectorBackend backend : {VectorBackend::kChroma, VectorBackend::kHybrid}) {
    const auto process = start(backend);
    follow(*process);
    const RecallAnswer answer = ask(*process, kQuery);
    EXPECT_THAT(keys(answer), ElementsAre(4));
    EXPECT_TRUE(answer.is_hybrid);
    EXPECT_EQ(answer.backend, backend);
    EXPECT_EQ(answer.chroma_hits, 1U);
    EXPECT_EQ(answer.faiss_hits, backend == VectorBackend::kHybrid ? 1U : 0U);
    EXPECT_EQ(answer.vector_hits, 1U);
    EXPECT_EQ(answer.degraded, "");
  }
}

TEST_F(ChromaMirrorTest, AFactIsFoundForItsEntry) {
  EntryRow row{.title = "Kettle", .body = "the colour of the kettle is blue"};
  row.facts = R"(["it is descaled with lemon", "database connections are pooled, at most eight"])";
  add(row);
  const auto process = start();
  follow(*process);
  EXPECT_THAT(keys(ask(*process, kQuery)), ElementsAre(4));
}

TEST_F(ChromaMirrorTest, APromptHidesNoObservationOfItsNumber) {
  add(EntryRow{.session = "s1", .body = kBody});
  execute(
      "INSERT INTO prompts (session_id, project_id, prompt_number, prompt_text, created_at_ms) "
      "VALUES (1, 1, 1, 'pooled database connections, how many at a time?', 7)");
  const auto process = start();
  follow(*process);
  EXPECT_THAT(ask(*process, kQuery).hits, SizeIs(2));
}

TEST_F(ChromaMirrorTest, FiltersActInsideTheQuestion) {
  add(EntryRow{.project = "one", .body = kBody});
  now_ms_ += 1'000;
  add(EntryRow{.project = "two",
               .type = "bugfix",
               .body = "sockets of the database are limited",
               .concepts = R"(["gotcha"])"});
  const auto process = start(VectorBackend::kChroma, "everything");
  follow(*process);
  EXPECT_THAT(server_.names(), ElementsAre("everything"));
  RecallRequest request;
  request.projects = {"two"};
  EXPECT_THAT(keys(ask(*process, kQuery, request)), ElementsAre(8));
  EXPECT_EQ(server_.last_where(), (Json{{"project", "two"}}));
  request = {};
  request.kinds = {DocumentKind::kEntry, DocumentKind::kPrompt};
  request.from_ms = now_ms_;
  EXPECT_THAT(keys(ask(*process, kQuery, request)), ElementsAre(8));
  EXPECT_EQ(
      server_.last_where().dump(),
      R"({"$and":[{"doc_type":{"$in":["observation","user_prompt"]}},{"created_at_epoch":{"$gte":)" +
          std::to_string(now_ms_) + "}}]}");
  request = {};
  request.types = {"bugfix"};
  EXPECT_THAT(keys(ask(*process, kQuery, request)), ElementsAre(8));
  request = {};
  request.concepts = {"gotcha"};
  EXPECT_THAT(keys(ask(*process, kQuery, request)), ElementsAre(8));
  EXPECT_EQ(server_.last_where(), (Json{{"sqlite_id", 2}}));
  request.concepts = {"nothing"};
  EXPECT_THAT(keys(ask(*process, kQuery, request)), IsEmpty());
}

TEST_F(ChromaMirrorTest, ProjectsHaveCollectionsOfTheirOwn) {
  add(EntryRow{.project = "my app", .body = kBody});
  add(EntryRow{.project = "two", .body = "sockets of the database are limited"});
  const auto process = start();
  follow(*process);
  EXPECT_THAT(server_.names(), ElementsAre("cm__my_app", "cm__two"));
  EXPECT_THAT(ask(*process, kQuery).hits, SizeIs(2));
  RecallRequest request;
  request.projects = {"my app"};
  EXPECT_THAT(keys(ask(*process, kQuery, request)), ElementsAre(4));
}

TEST_F(ChromaMirrorTest, CopiesOfDeletedRecordsAreDeleted) {
  add("", kBody);
  add("", "sockets of the database are limited");
  const auto process = start();
  follow(*process);
  server_.put(
      "cm__demo", "obs_1_theirs",
      {{1, 0}, Json{{"sqlite_id", 1}, {"doc_type", "observation"}, {"store", "other"}}, ""});
  execute("DELETE FROM entries WHERE id = 1");
  follow(*process);
  EXPECT_THAT(ids("cm__demo"), ElementsAre("obs_1_theirs", "obs_2_narrative", "obs_2_text"));
  EXPECT_EQ(find_number("SELECT count(*) FROM chroma_documents"), 1);
}

TEST_F(ChromaMirrorTest, RowsThatTheStoreDoesNotKnowAreNotFound) {
  add("", kBody);
  const auto process = start();
  follow(*process);
  const auto vector = server_.rows("cm__demo")["obs_1_text"].vector;
  const auto put = [&](const std::string& id, Json metadata) {
    server_.put("cm__demo", id, {vector, std::move(metadata), "theirs"});
  };
  put("gone", {{"sqlite_id", 99}, {"doc_type", "observation"}, {"created_at_epoch", 5}});
  put("huge",
      {{"sqlite_id", std::int64_t{1} << 62}, {"doc_type", "observation"}, {"created_at_epoch", 5}});
  put("negative", {{"sqlite_id", -4}, {"doc_type", "observation"}, {"created_at_epoch", 5}});
  put("typed", {{"sqlite_id", "1"}, {"doc_type", 7}, {"created_at_epoch", "x"}});
  put("empty", Json::object());
  put("none", nullptr);
  const RecallAnswer answer = ask(*process, kQuery);
  EXPECT_THAT(keys(answer), ElementsAre(4));
  EXPECT_EQ(answer.degraded, "");
  // The same numbers in another store.
  put("obs_1_narrative", {{"sqlite_id", 1}, {"doc_type", "observation"}, {"created_at_epoch", 5}});
  put("obs_1_text", {{"sqlite_id", 1}, {"doc_type", "observation"}, {"created_at_epoch", 5}});
  EXPECT_THAT(keys(ask(*process, kQuery)), IsEmpty());
}

TEST_F(ChromaMirrorTest, AServerThatIsAwayLeavesWordsOrFaiss) {
  add("", kBody);
  const auto chroma = start();
  const auto hybrid = start(VectorBackend::kHybrid);
  follow(*chroma);
  for (const State state : {State::kDown, State::kSilent}) {
    server_.set_state(state);
    const auto begin = std::chrono::steady_clock::now();
    RecallAnswer answer = ask(*chroma, kQuery);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(3));
    EXPECT_THAT(keys(answer), IsEmpty());
    EXPECT_FALSE(answer.is_hybrid);
    EXPECT_NE(answer.degraded, "");
    EXPECT_THAT(keys(ask(*chroma, "pooled")), ElementsAre(4));
    answer = ask(*hybrid, kQuery);
    EXPECT_THAT(keys(answer), ElementsAre(4));
    EXPECT_TRUE(answer.is_hybrid);
    EXPECT_EQ(answer.faiss_hits, 1U);
    EXPECT_EQ(answer.chroma_hits, 0U);
    EXPECT_NE(answer.degraded, "");
  }
}

TEST_F(ChromaMirrorTest, WhatCouldNotBeSentGoesWhenItIsBack) {
  add("", kBody);
  const auto process = start();
  follow(*process);
  server_.set_state(State::kDown);
  add("", "sockets of the database are limited");
  EXPECT_FALSE(process->mirror->follow({}).ok());
  ask(*process, kQuery);
  EXPECT_EQ(process->wakes, 0);
  server_.set_state(State::kUp);
  ask(*process, kQuery);
  EXPECT_EQ(process->wakes, 1) << "a question that is answered says that it is back";
  follow(*process);
  EXPECT_THAT(ask(*process, kQuery).hits, SizeIs(2));
}

TEST_F(ChromaMirrorTest, ALostCollectionIsFilledAgain) {
  add("", kBody);
  const auto process = start();
  follow(*process);
  server_.wipe();
  EXPECT_NE(ask(*process, kQuery).degraded, "");
  EXPECT_EQ(process->wakes, 1);
  follow(*process);
  const RecallAnswer answer = ask(*process, kQuery);
  EXPECT_THAT(keys(answer), ElementsAre(4));
  EXPECT_EQ(answer.degraded, "");

  // Nobody asks, and a text is saved.
  server_.wipe();
  add("", "sockets of the database are limited");
  follow(*process);
  EXPECT_THAT(ids("cm__demo"), SizeIs(4));
}

TEST_F(ChromaMirrorTest, ACollectionOfOthersIsLeftAlone) {
  server_.make("cm__taken", Json{{"embedding_model", "another"}}, true);
  server_.make("cm__foreign", nullptr, true);
  server_.make("cm__empty", nullptr, false);
  for (const char* project : {"taken", "foreign", "empty", "free"}) {
    add(EntryRow{.project = project, .body = kBody});
  }
  const auto process = start();
  const auto done = process->mirror->follow({});
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_THAT(done.error().message(), ::testing::HasSubstr("CODEXMEM_CHROMA_COLLECTION"));
  EXPECT_THAT(ids("cm__taken"), ElementsAre("theirs"));
  EXPECT_THAT(ids("cm__foreign"), ElementsAre("theirs"));
  EXPECT_THAT(ids("cm__empty"), SizeIs(2));
  EXPECT_THAT(ids("cm__free"), SizeIs(2));
  const auto status = process->mirror->status({});
  ASSERT_TRUE(status.ok());
  EXPECT_TRUE(status->is_reachable);
  EXPECT_EQ(status->pending, 2U);
  EXPECT_EQ(status->rows, 4U);
  EXPECT_NE(status->problem, "");
}

// Another name for the same vectors.
class Renamed : public embed::Embedder {
 public:
  explicit Renamed(const embed::Embedder& model) : model_(model) {}
  const std::string& model_id() const override { return id_; }
  std::size_t dimension() const override { return model_.dimension(); }
  Result<std::vector<float>> embed_query(std::string_view text) const override {
    return model_.embed_query(text);
  }
  Result<std::vector<float>> embed_documents(std::span<const std::string_view> texts,
                                             std::stop_token stop) const override {
    return model_.embed_documents(texts, stop);
  }

 private:
  const embed::Embedder& model_;
  const std::string id_ = "renamed";
};

TEST_F(ChromaMirrorTest, AnotherModelRebuildsOurCollection) {
  add("", kBody);
  follow(*start());
  auto model = embed::StaticModel::built_in();
  ASSERT_TRUE(model.ok());
  const auto built_in = embed::make_static_embedder(*model);
  vectors_ = std::make_unique<DocumentVectors>(std::make_shared<Renamed>(*built_in), true);
  add("", "sockets of the database are limited");
  server_.put("cm__demo", "old", {{1, 0}, Json::object(), ""});
  const auto process = start();
  follow(*process);
  EXPECT_THAT(ids("cm__demo"),
              ElementsAre("obs_1_narrative", "obs_1_text", "obs_2_narrative", "obs_2_text"));
}

TEST_F(ChromaMirrorTest, ABackfillSendsAgain) {
  add(EntryRow{.project = "one", .body = kBody});
  add(EntryRow{.project = "two", .body = kBody});
  add(EntryRow{.project = "two", .body = "sockets of the database are limited"});
  const auto process = start();
  SentDocuments sent;
  ASSERT_TRUE(process->mirror->send_again("two", 1, &sent, {}).ok());
  EXPECT_THAT(sent.count, ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(ids("cm__two"), ElementsAre("obs_2_narrative", "obs_2_text"));
  ASSERT_TRUE(process->mirror->send_again("two", 1, &sent, {}).ok());
  EXPECT_THAT(ids("cm__two"), SizeIs(4)) << "those that were not sent come first";
  server_.wipe();
  sent = {};
  ASSERT_TRUE(process->mirror->send_again("", 1'000, &sent, {}).ok());
  EXPECT_THAT(sent.count, ElementsAre(3, 0, 0, 0));
  EXPECT_THAT(ids("cm__one"), SizeIs(2));
  EXPECT_THAT(ids("cm__two"), SizeIs(4));
  server_.set_state(State::kDown);
  sent = {};
  EXPECT_FALSE(process->mirror->send_again("", 1'000, &sent, {}).ok());
}

TEST_F(ChromaMirrorTest, AStopLeavesTheRestForLater) {
  add("", kBody);
  const auto process = start();
  std::stop_source stop;
  stop.request_stop();
  EXPECT_TRUE(process->mirror->follow(stop.get_token()).ok());
  EXPECT_EQ(server_.requests(), 0);
  follow(*process);
  EXPECT_THAT(ids("cm__demo"), SizeIs(2));
}

TEST_F(ChromaMirrorTest, WithoutAModelNothingIsSent) {
  vectors_ = std::make_unique<DocumentVectors>(nullptr, false);
  add("", kBody);
  const auto process = start();
  follow(*process);
  EXPECT_THAT(keys(ask(*process, "pooled")), ElementsAre(4));
  EXPECT_THAT(server_.names(), IsEmpty());
  EXPECT_TRUE(process->mirror->status({}).ok());
}

TEST_F(ChromaMirrorTest, AMemorySendsSavedEntriesInTheBackground) {
  store_.reset();
  MemoryOptions options;
  options.directory = directory_.path() / "data";
  auto model = embed::StaticModel::built_in();
  ASSERT_TRUE(model.ok());
  options.embedder = embed::make_static_embedder(*model);
  options.clock = clock();
  options.maintains = true;
  options.recall.backend = VectorBackend::kChroma;
  options.chroma = std::make_shared<embed::Chroma>(embed::ChromaOptions{.url = server_.url()});
  auto memory = Memory::open(std::move(options));
  ASSERT_TRUE(memory.ok()) << memory.error().message();
  NewEntry entry;
  entry.text = kBody;
  entry.project = "demo";
  ASSERT_TRUE((*memory)->entries().save(entry).ok());
  (*memory)->note_change();
  EXPECT_TRUE(server_.wait_for_rows("cm__demo", 2));
}

TEST(VectorBackend, Names) {
  EXPECT_EQ(parse_vector_backend("hybrid"), VectorBackend::kHybrid);
  EXPECT_EQ(parse_vector_backend("faiss"), std::nullopt);
  EXPECT_EQ(vector_backend_name(VectorBackend::kChroma), "chroma");
}

}  // namespace
}  // namespace codexmem::memory
