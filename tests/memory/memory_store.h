// memory/memory_store.h - a user's store of its own for a test, with a clock set by hand and
// without a model.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "memory/clock.h"
#include "memory/documents/document_vectors.h"
#include "memory/entries/entries.h"
#include "memory/entries/sessions.h"
#include "store/user/user_store.h"
#include "support/temporary_directory.h"

namespace codexmem::memory {

class MemoryStoreTest : public ::testing::Test {
 protected:
  static std::unique_ptr<store::UserStore> open(const std::filesystem::path& directory) {
    auto opened = store::UserStore::open(directory);
    EXPECT_TRUE(opened.ok()) << opened.error().message();
    return *std::move(opened);
  }

  SavedEntry save(NewEntry entry) {
    auto saved = entries_.save(std::move(entry));
    EXPECT_TRUE(saved.ok()) << saved.error().message();
    return saved.ok() ? *saved : SavedEntry{};
  }

  SavedEntry save_text(std::string text, std::string project = "demo") {
    NewEntry entry;
    entry.text = std::move(text);
    entry.project = std::move(project);
    return save(std::move(entry));
  }

  Entry get(EntryId id) {
    const EntryId ids[] = {id};
    auto got = entries_.get(ids);
    EXPECT_TRUE(got.ok()) << got.error().message();
    EXPECT_EQ(got->size(), 1U);
    return got->empty() ? Entry{} : got->front();
  }

  std::int64_t count(std::string_view sql) {
    auto reader = store_->reader();
    EXPECT_TRUE(reader.ok());
    const auto number = (*reader)->find_integer(sql);
    EXPECT_TRUE(number.ok()) << number.error().message();
    return number.ok() ? number->value_or(-1) : -1;
  }

  void expect_whole() {
    auto writer = store_->writer();
    ASSERT_TRUE(writer.ok());
    const auto damage = (*writer)->find_damage();
    ASSERT_TRUE(damage.ok()) << damage.error().message();
    EXPECT_TRUE(damage->empty()) << damage->front();
  }

  /// The plan of `sql`, a line a step.
  std::string plan(const std::string& sql) {
    auto reader = store_->reader();
    EXPECT_TRUE(reader.ok());
    auto explain = (*reader)->statement("EXPLAIN QUERY PLAN " + sql);
    EXPECT_TRUE(explain.ok()) << explain.error().message();
    std::string lines;
    while (explain.ok() && *explain->step()) lines += std::string(explain->text(3)) + "\n";
    return lines;
  }

  codexmem::testing::TemporaryDirectory directory_;
  std::unique_ptr<store::UserStore> store_ = open(directory_.path() / "data");
  std::int64_t now_ms_ = 1'790'000'000'000;
  Clock clock_ = [this] { return now_ms_; };
  DocumentVectors vectors_{nullptr, true};
  Entries entries_{*store_, vectors_, clock_};
  Sessions sessions_{*store_, vectors_, clock_};
};

}  // namespace codexmem::memory
