#include "observe/intake/group_commit.h"

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "observe/worker_store.h"

namespace codexmem::observe {
namespace {

class GroupCommitTest : public WorkerStoreTest {
 protected:
  static Result<void> add_project(store::Database& database, int number) {
    return database.execute("INSERT INTO projects (name, created_at_ms) VALUES ('p" +
                            std::to_string(number) + "', 1)");
  }
};

TEST_F(GroupCommitTest, ManyThreadsWriteAllOfTheirs) {
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([this, thread] {
      for (int i = 0; i < 25; ++i) {
        const auto done = commits_.run(
            [&](store::Database& database) { return add_project(database, thread * 100 + i); });
        EXPECT_TRUE(done.ok()) << done.error().message();
      }
    });
  }
  threads.clear();
  EXPECT_EQ(count("SELECT count(*) FROM projects"), 200);
}

TEST_F(GroupCommitTest, OneThatFailsIsUndoneAlone) {
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 6; ++thread) {
    threads.emplace_back([this, thread] {
      for (int i = 0; i < 20; ++i) {
        const auto done = commits_.run([&](store::Database& database) -> Result<void> {
          CODEXMEM_TRY(add_project(database, thread * 100 + i));
          if (thread == 1) return Error{ErrorCode::kBlocked, "no"};
          if (thread == 2) throw std::runtime_error("oh");
          return {};
        });
        EXPECT_EQ(done.ok(), thread != 1 && thread != 2);
      }
    });
  }
  threads.clear();
  EXPECT_EQ(count("SELECT count(*) FROM projects"), 80);
}

}  // namespace
}  // namespace codexmem::observe
