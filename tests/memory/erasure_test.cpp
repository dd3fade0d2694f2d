#include "store/user/erasure.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <optional>

#include "memory/entries/forget.h"
#include "memory/memory.h"
#include "memory/memory_store.h"

namespace codexmem::memory {
namespace {

constexpr char kWord[] = "zanzibarian";

class ErasureTest : public MemoryStoreTest {
 protected:
  void SetUp() override {
    // Enough for the full-text index to have segments of it.
    for (int i = 0; i < 40; ++i) {
      save({.project = "p", .text = std::string(kWord) + " text " + std::to_string(i)});
    }
    save({.project = "q", .text = "a text that stays"});
  }

  bool holds_word() const {
    for (const auto& file : std::filesystem::directory_iterator(store_->directory())) {
      std::ifstream in(file.path(), std::ios::binary);
      const std::string bytes(std::istreambuf_iterator<char>(in), {});
      if (bytes.find(kWord) != std::string::npos) return true;
    }
    return false;
  }

  void forget() {
    const auto plan = plan_forget_project(*store_, "p", clock_);
    ASSERT_TRUE(plan.ok()) << plan.error().message();
    const auto removed = execute_forget(*store_, *plan);
    ASSERT_TRUE(removed.ok()) << removed.error().message();
    EXPECT_EQ(*removed, 40U);
  }

  MemoryOptions options() {
    return {.directory = store_->directory(), .embedder = nullptr, .clock = clock_};
  }
};

TEST_F(ErasureTest, WhoeverReadsKeepsTheBytesUntilTheNextOneOpensTheMemory) {
  auto outside = store::Database::open(store_->directory() / "memory.db", {.read_only = true});
  ASSERT_TRUE(outside.ok());
  {
    const auto reading = store::Transaction::begin_read(*outside);
    ASSERT_TRUE(outside->find_integer("SELECT count(*) FROM entries").ok());
    forget();
    EXPECT_FALSE(is_erased(*store_).value());
    EXPECT_TRUE(holds_word());
    ASSERT_TRUE(Memory::open(options()).ok());
    EXPECT_FALSE(is_erased(*store_).value());
    EXPECT_EQ(count("SELECT count(*) FROM entries"), 1);
  }
  EXPECT_TRUE(holds_word());
  ASSERT_TRUE(Memory::open(options()).ok());
  EXPECT_TRUE(is_erased(*store_).value());
  EXPECT_FALSE(holds_word());
  expect_whole();
}

TEST_F(ErasureTest, AMemoryThatIsKeptOpenErasesThem) {
  auto outside = store::Database::open(store_->directory() / "memory.db", {.read_only = true});
  ASSERT_TRUE(outside.ok());
  std::optional<store::Transaction> reading(store::Transaction::begin_read(*outside).value());
  ASSERT_TRUE(outside->find_integer("SELECT count(*) FROM entries").ok());
  forget();
  MemoryOptions kept = options();
  kept.maintains = true;
  auto memory = Memory::open(std::move(kept));
  ASSERT_TRUE(memory.ok());
  EXPECT_TRUE(holds_word());
  reading.reset();
  (*memory)->note_change();  // as each save does
  for (int i = 0; i < 600 && !is_erased(*store_).value(); ++i) ::usleep(50'000);
  EXPECT_TRUE(is_erased(*store_).value());
  EXPECT_FALSE(holds_word());
}

// The rows go and the note is made in one transaction, after which anything may happen.
TEST_F(ErasureTest, WhatAKillLeftIsErasedByTheNextOne) {
  const std::filesystem::path directory = store_->directory();
  store_.reset();  // a store is not taken through a fork
  const pid_t child = ::fork();
  if (child == 0) {
    auto store = store::UserStore::open(directory);
    auto writer = (*store)->writer();
    auto transaction = store::Transaction::begin(**writer);
    const bool is_done = (*writer)->execute("DELETE FROM entries WHERE body LIKE 'zan%'").ok() &&
                         note_erasure(**writer).ok() && transaction->commit().ok();
    ::_exit(is_done ? 9 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(WEXITSTATUS(status), 9);
  store_ = open(directory);
  EXPECT_FALSE(is_erased(*store_).value());
  EXPECT_TRUE(holds_word());
  ASSERT_TRUE(Memory::open(options()).ok());
  EXPECT_TRUE(is_erased(*store_).value());
  EXPECT_FALSE(holds_word());
  EXPECT_EQ(count("SELECT count(*) FROM entries"), 1);
}

TEST_F(ErasureTest, TheBackupOfAnOlderSchemaGoes) {
  // The last two are of a migration that was killed.
  const std::filesystem::path directory = store_->directory();
  for (const char* name :
       {"memory.db.v1.bak", "memory.db.v2.bak.tmp", "memory.db.v2.bak.tmp-journal"}) {
    std::ofstream(directory / name) << kWord;
  }
  forget();
  EXPECT_FALSE(holds_word());
}

}  // namespace
}  // namespace codexmem::memory
