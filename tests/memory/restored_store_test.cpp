// An older copy of memory.db is put back, as the advice on damage has it, and goes on.
#include <gtest/gtest.h>

#include <filesystem>

#include "memory/recall/recall.h"
#include "memory/store_fixture.h"
#include "embed/vector_snapshot.h"
#include "store/document_vectors.h"

namespace codexmem::memory::testing {
namespace {

namespace fs = std::filesystem;

class RestoredStoreTest : public StoreFixture {
 protected:
  fs::path data() const { return directory_.path() / "data"; }
  fs::path copy() const { return directory_.path() / "copy.db"; }

  RestoredStoreTest() { use_vectors(); }

  void remember(const std::string& body) { add("", body); }

  std::string best(Recall& recall, const std::string& query) {
    RecallRequest request;
    request.query = query;
    const auto answer = recall.search(request);
    EXPECT_TRUE(answer.ok()) << answer.error().message();
    return answer.ok() && !answer->hits.empty() ? answer->hits.front().title : "";
  }

  // Puts the copy in the place of the database that `store_` has open.
  void restore() {
    for (const char* suffix : {"-wal", "-shm"}) {
      fs::remove(data() / (std::string("memory.db") + suffix));
    }
    fs::rename(copy(), data() / "memory.db");
  }
};

TEST_F(RestoredStoreTest, NothingOfTheLostRowsIsKeptInMemoryOrInTheFile) {
  remember("the harbour master keeps the tide tables");
  {
    auto writer = store_->writer();
    ASSERT_TRUE((*writer)->backup_to(copy()).ok());
  }
  for (int i = 0; i < 20; ++i) remember("bread and flour number " + std::to_string(i));
  Recall recall(*store_, *vectors_, clock());
  EXPECT_EQ(best(recall, "flour").substr(0, 5), "bread");
  {
    auto reader = store_->reader();
    const auto rows =
        store::document_vector_rows(**reader, vectors_->embedder()->model_id()).value();
    auto index = embed::current_vectors(*rows, store_->vectors_path(), nullptr);
    ASSERT_TRUE(index.ok() && *index != nullptr);
    ASSERT_TRUE((*index)->save(store_->vectors_path()).ok());
  }
  restore();
  for (int i = 0; i < 30; ++i) remember("a torpedo sinks the warship number " + std::to_string(i));
  EXPECT_EQ(best(recall, "torpedo warship").substr(0, 9), "a torpedo");
  // Vectors of lost rows would find the rows that have their numbers now.
  EXPECT_EQ(best(recall, "bread flour"), "");
  Recall fresh(*store_, *vectors_, clock());
  EXPECT_EQ(best(fresh, "bread flour"), "") << "with the old file";
}

}  // namespace
}  // namespace codexmem::memory::testing
