#include "index/packs/remote_vectors.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <mutex>
#include <set>

#include "embed/static_model.h"
#include "index/packs/pack_file.h"
#include "index/packs/pack_make.h"
#include "search/search.h"
#include "store/code/vector_cache.h"
#include "temporary_tree.h"

namespace codexmem::index {
namespace {

// Counts letters. What it does wrong is set by a test.
class LetterEmbedder : public embed::Embedder {
 public:
  const std::string& model_id() const override { return id; }
  std::size_t dimension() const override { return 0; }
  Result<std::vector<float>> embed_query(std::string_view text) const override {
    ++queries;
    if (failure) return *failure;
    return vector_of(text);
  }
  Result<std::vector<float>> embed_documents(std::span<const std::string_view> texts,
                                             std::stop_token stop) const override {
    if (before_answer) before_answer();
    if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "cancelled"};
    const std::lock_guard lock(mutex);
    if (failure || (answers_left && (*answers_left)-- == 0)) {
      return failure.value_or(Error{ErrorCode::kIo, "gone"});
    }
    std::vector<float> vectors;
    for (const std::string_view text : texts) {
      sent.emplace_back(text);
      const auto vector = vector_of(text);
      vectors.insert(vectors.end(), vector.begin(), vector.end());
    }
    return vectors;
  }
  std::vector<float> vector_of(std::string_view text) const {
    std::vector<float> vector(components);
    for (const char c : text) vector[static_cast<unsigned char>(c) % components] += 1;
    double sum = 0;
    for (const float v : vector) sum += static_cast<double>(v) * static_cast<double>(v);
    for (float& v : vector) v = static_cast<float>(static_cast<double>(v) / std::sqrt(sum));
    return vector;
  }

  std::string id = "openai:example.com/letters";
  std::size_t components = 32;
  std::optional<Error> failure;
  mutable std::optional<int> answers_left;
  std::function<void()> before_answer;
  mutable std::mutex mutex;
  mutable std::vector<std::string> sent;
  mutable std::atomic<int> queries = 0;
};

class RemoteVectorsTest : public ::testing::Test {
 protected:
  RemoteVectorsTest() : workspace_(store::Workspace::open(tree_.root()).value()) {}

  void add_files(int count) {
    for (int i = 0; i < count; ++i) {
      tree_.write(fmt::format("f{}.py", i), fmt::format("def f{}():\n    return {}\n", i, i));
    }
  }
  void index(bool with_vectors = false) {
    const auto report =
        index_repository(*workspace_, {.force = true, .skip_embeddings = !with_vectors});
    ASSERT_TRUE(report.ok()) << report.error().message();
  }
  Result<RemoteVectorsReport> update(std::stop_token stop = {}) {
    embedder_->sent.clear();
    return update_remote_vectors(*workspace_, *embedder_, {}, std::move(stop));
  }
  // Vectors in the index, by model.
  std::int64_t count(const std::string& model) {
    auto reader = workspace_->reader().value();
    const auto found = reader->find_model(model).value();
    return found ? reader->count_vectors(found->id).value() : 0;
  }
  search::SearchAnswer search(const std::string& query) {
    search::SearchEngine engine(*workspace_, {.embedder = embedder_});
    auto answer = engine.search({.query = query});
    EXPECT_TRUE(answer.ok());
    return *std::move(answer);
  }
  std::string built_in() { return embed::StaticModel::built_in().value()->id(); }

  TemporaryTree tree_;
  std::unique_ptr<store::Workspace> workspace_;
  const std::shared_ptr<LetterEmbedder> embedder_ = std::make_shared<LetterEmbedder>();
};

TEST_F(RemoteVectorsTest, EmbedsPathNamesAndText) {
  tree_.write("src/box.py", "class Box:\n    def open(self):\n        pass\n");
  index();
  const auto report = update();
  ASSERT_TRUE(report.ok()) << report.error().message();
  EXPECT_EQ(report->texts_sent, 2U);
  EXPECT_EQ(report->vectors_written, 2U);
  const std::set<std::string> sent(embedder_->sent.begin(), embedder_->sent.end());
  EXPECT_EQ(sent, (std::set<std::string>{"src/box\nclass Box:\n    def open(self):\n        pass",
                                         "src/box\nBox open"}));
}

TEST_F(RemoteVectorsTest, WhatAPackHasIsNotPaidForTwice) {
  add_files(100);
  index();
  ASSERT_TRUE(update().ok());
  ASSERT_EQ(embedder_->sent.size(), 200U);
  const testing::TemporaryDirectory folder;
  ASSERT_TRUE(make_pack(*workspace_, folder.path() / "a.pack", {.program = "test"}).ok());
  const auto pack = Pack::open(folder.path() / "a.pack", "a.pack").value();
  EXPECT_EQ(pack->vectors(), 200U);

  TemporaryTree other;
  for (const auto& entry : std::filesystem::directory_iterator(tree_.root())) {
    if (entry.path().extension() == ".py") {
      std::filesystem::copy(entry.path(), other.root() / entry.path().filename());
    }
  }
  other.write("new.py", "def other():\n    return 1\n");
  const auto workspace = store::Workspace::open(other.root()).value();
  ASSERT_TRUE(index_repository(*workspace, {.skip_embeddings = true, .packs = {pack}}).ok());
  embedder_->sent.clear();
  const std::vector packs = {pack};
  const auto report = update_remote_vectors(*workspace, *embedder_, {}, {}, packs);
  ASSERT_TRUE(report.ok()) << report.error().message();
  EXPECT_EQ(embedder_->sent.size(), 2U);  // of the file that the pack does not have
  EXPECT_EQ(report->texts_taken, 200U);
  EXPECT_EQ(report->vectors_written, 202U);

  // Another model's are not taken.
  embedder_->id = "openai:example.com/others";
  embedder_->sent.clear();
  ASSERT_TRUE(update_remote_vectors(*workspace, *embedder_, {}, {}, packs).ok());
  EXPECT_EQ(embedder_->sent.size(), 202U);
}

TEST_F(RemoteVectorsTest, VectorsOfTheOldModelStayUntilAllNewOnesAreThere) {
  add_files(300);
  index(true);
  ASSERT_EQ(count(built_in()), 600);
  embedder_->answers_left = 3;
  const auto broken = update();
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.error().message(), "gone");
  EXPECT_EQ(count(built_in()), 600);
  EXPECT_EQ(count(embedder_->id), 0);
  EXPECT_EQ(embedder_->sent.size(), 288U);  // answers that arrived before the failure are kept

  const auto waiting = search("return");
  EXPECT_TRUE(waiting.degraded);
  EXPECT_NE(waiting.note.find("being made"), std::string::npos) << waiting.note;
  EXPECT_NE(waiting.note.find("gone"), std::string::npos) << waiting.note;
  EXPECT_EQ(embedder_->queries, 0);

  embedder_->answers_left.reset();
  const auto report = update();
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->texts_sent, 600U - 288U);
  EXPECT_EQ(count(built_in()), 0);
  EXPECT_EQ(count(embedder_->id), 600);
  const auto complete = search("return");
  EXPECT_FALSE(complete.degraded) << complete.note;
  EXPECT_EQ(embedder_->queries, 1);
  EXPECT_EQ(update()->texts_sent, 0U);
}

TEST_F(RemoteVectorsTest, AFileThatChangesMeanwhileIsTakenIn) {
  add_files(3);
  index();
  int calls = 0;
  embedder_->before_answer = [&] {
    if (++calls > 1) return;
    tree_.write("f1.py", "def other():\n    return 5\n");
    tree_.write("new.py", "def newer():\n    return 6\n");
    index();
  };
  const auto report = update();
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(count(embedder_->id), 8);
  EXPECT_FALSE(search("newer").degraded);
}

TEST_F(RemoteVectorsTest, FewFilesWithoutVectorsDoNotSwitchTheOthersOff) {
  add_files(100);
  index();
  ASSERT_TRUE(update().ok());
  for (int i = 0; i < 5; ++i) tree_.write(fmt::format("f{}.py", i), "def changed():\n    pass\n");
  ASSERT_TRUE(index_repository(*workspace_, {.skip_embeddings = true}).ok());
  auto answer = search("return");
  EXPECT_TRUE(answer.degraded);
  EXPECT_NE(answer.note.find("5 of 100 files"), std::string::npos) << answer.note;
  EXPECT_EQ(embedder_->queries, 1);
  tree_.write("f5.py", "def changed():\n    pass\n");
  ASSERT_TRUE(index_repository(*workspace_, {.skip_embeddings = true}).ok());
  answer = search("return");
  EXPECT_NE(answer.note.find("by words and names"), std::string::npos) << answer.note;
  EXPECT_EQ(embedder_->queries, 1);
}

TEST_F(RemoteVectorsTest, ASearchCatchesUpWithTheVectorsOfAChangedFile) {
  add_files(60);
  index();
  ASSERT_TRUE(update().ok());
  search::SearchEngine engine(*workspace_, {.embedder = embedder_});
  ASSERT_FALSE(engine.search({.query = "return"})->degraded);
  const auto stamp = workspace_->reader().value()->find_meta("vectors_generation").value();
  tree_.write("f7.py", "def quartz():\n    return 'zzzzzzzz'\n");
  ASSERT_TRUE(index_repository(*workspace_, {.skip_embeddings = true}).ok());
  EXPECT_TRUE(engine.search({.query = "quartz"})->degraded);
  ASSERT_TRUE(update().ok());
  const auto answer = engine.search({.query = "quartz", .explain = true});
  EXPECT_FALSE(answer->degraded) << answer->note;
  EXPECT_EQ(answer->hits[0].path, "f7.py");
  bool dense = false;
  for (const auto& part : answer->hits[0].why) dense = dense || part.name == "dense_chunks";
  EXPECT_TRUE(dense);
  // Not all vectors are read again for one file.
  EXPECT_EQ(workspace_->reader().value()->find_meta("vectors_generation").value(), stamp);
}

TEST_F(RemoteVectorsTest, AModelThatCannotBeAskedLeavesAnAnswerByWords) {
  add_files(3);
  index();
  ASSERT_TRUE(update().ok());
  embedder_->failure = Error{ErrorCode::kIo, "no route to it"};
  const auto answer = search("return");
  EXPECT_TRUE(answer.degraded);
  EXPECT_NE(answer.note.find("no route to it"), std::string::npos) << answer.note;
  EXPECT_FALSE(answer.hits.empty());
  embedder_->failure.reset();
  embedder_->components = 16;
  EXPECT_NE(search("return").note.find("16 components"), std::string::npos);
}

TEST_F(RemoteVectorsTest, AnotherDimensionIsAnotherModel) {
  add_files(4);
  index();
  ASSERT_TRUE(update().ok());
  embedder_->components = 16;
  EXPECT_EQ(update()->texts_sent, 0U);  // nobody has asked
  tree_.write("f1.py", "def other():\n    return 5\n");
  index();
  const auto report = update();
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(count(embedder_->id), 8);
  EXPECT_EQ(workspace_->reader().value()->find_model(embedder_->id).value()->dimension, 16U);
  EXPECT_FALSE(search("return").degraded);
}

TEST_F(RemoteVectorsTest, GeneratedFilesAndCopiesAreNotSent) {
  tree_.write("x/a.py", "def same():\n    return 1\n");
  tree_.write("y/x/a.py", "def same():\n    return 1\n");
  tree_.write("package-lock.json", "{}\n");
  index();
  const auto report = update();
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->texts_sent, 2U);
  EXPECT_EQ(report->vectors_written, 4U);
}

TEST_F(RemoteVectorsTest, ACancelledUpdateContinuesLater) {
  add_files(2);
  index();
  std::stop_source stop;
  embedder_->before_answer = [&] { stop.request_stop(); };
  const auto cancelled = update(stop.get_token());
  ASSERT_FALSE(cancelled.ok());
  EXPECT_EQ(cancelled.error().code(), ErrorCode::kCancelled);
  const auto noted = store::VectorCache::read_progress(workspace_->vector_cache_path());
  EXPECT_TRUE(!noted || noted->error.empty());
  embedder_->before_answer = {};
  EXPECT_EQ(update()->vectors_written, 4U);
}

TEST_F(RemoteVectorsTest, TheBuiltInModelTakesItsPlaceBack) {
  add_files(5);
  index(true);
  ASSERT_TRUE(update().ok());
  ASSERT_EQ(count(embedder_->id), 10);
  const auto report = index_repository(*workspace_, {.replace_vectors = true});
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report->vectors_rebuilt);
  EXPECT_EQ(count(built_in()), 10);
  EXPECT_EQ(count(embedder_->id), 0);
  EXPECT_FALSE(search::SearchEngine(*workspace_).search({.query = "return"})->degraded);
  EXPECT_EQ(index_repository(*workspace_)->embeddings_generated, 0U);
  EXPECT_EQ(update()->texts_sent, 0U);
  EXPECT_EQ(count(embedder_->id), 10);
}

TEST_F(RemoteVectorsTest, NoOtherModelTakesTheirPlaceUnasked) {
  add_files(25);
  index(true);
  ASSERT_TRUE(update().ok());
  ASSERT_EQ(count(embedder_->id), 50);
  EXPECT_EQ(index_repository(*workspace_)->embeddings_generated, 0U);
  EXPECT_EQ(count(embedder_->id), 50);
  tree_.write("f1.py", "def other():\n    return 5\n");
  const auto report = index_repository(*workspace_);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->embeddings_generated, 0U);
  ASSERT_EQ(report->warnings.size(), 1U);
  EXPECT_NE(report->warnings[0].find("has vectors of " + embedder_->id), std::string::npos);
  EXPECT_EQ(count(embedder_->id), 48);
  EXPECT_EQ(count(built_in()), 0);

  const auto answer = search::SearchEngine(*workspace_).search({.query = "return"});
  ASSERT_TRUE(answer.ok());
  EXPECT_TRUE(answer->degraded);
  EXPECT_NE(answer->note.find(embedder_->id), std::string::npos) << answer->note;
  EXPECT_NE(answer->note.find("CODEXMEM_EMBEDDING_PROVIDER=builtin"), std::string::npos);
  EXPECT_EQ(update()->texts_sent, 2U);
  EXPECT_FALSE(search("return").degraded);
}

TEST_F(RemoteVectorsTest, ReportsPendingVectorsAndProgress) {
  add_files(30);
  index();
  ASSERT_TRUE(update().ok());
  int notified = 0;
  search::SearchEngine engine(*workspace_,
                              {.embedder = embedder_, .on_pending = [&notified] { ++notified; }});
  ASSERT_TRUE(engine.search({.query = "return"}).ok());
  EXPECT_EQ(notified, 0);
  for (int i = 0; i < 6; ++i) tree_.write(fmt::format("f{}.py", i), "def changed():\n    pass\n");
  ASSERT_TRUE(index_repository(*workspace_).ok());  // by a process without settings
  const auto answer = engine.search({.query = "return"});
  EXPECT_EQ(notified, 1);
  EXPECT_NE(answer->note.find("80% of the files"), std::string::npos) << answer->note;
  ASSERT_TRUE(engine.search({.query = "changed"}).ok());
  EXPECT_EQ(notified, 1);  // once for a state of the index
}

TEST_F(RemoteVectorsTest, AnEmptyIndexNeedsNothing) {
  index();
  EXPECT_EQ(update()->vectors_written, 0U);
}

}  // namespace
}  // namespace codexmem::index
