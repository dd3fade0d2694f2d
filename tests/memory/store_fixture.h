// memory/store_fixture.h - a user's store with rows put in by SQL, and a clock set by hand.
//
// For tests that read: the other effects of saving (policy, duplicates) do not happen here.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "embed/static_model.h"
#include "memory/clock.h"
#include "memory/documents/document_vectors.h"
#include "memory/entries/records.h"
#include "store/user/user_store.h"
#include "support/temporary_directory.h"

namespace codexmem::memory::testing {

inline constexpr std::int64_t kMinuteMs = 60'000, kHourMs = 60 * kMinuteMs, kDayMs = 24 * kHourMs;
/// 2026-03-18 12:00 UTC, a Wednesday.
inline constexpr std::int64_t kNoon = 1'773'835'200'000;

/// A row of `entries`; lists are the text of JSON arrays. created_at_ms 0: the fixture's clock.
struct EntryRow {
  std::string project = "demo";
  std::string session = {};
  std::string type = "discovery";
  std::string title = {};  // empty: the beginning of the body is used
  std::string body = {};
  std::string facts = "[]", concepts = "[]", files_read = "[]", files_modified = "[]";
  std::string source = "manual";
  std::int64_t created_at_ms = 0;
};

class StoreFixture : public ::testing::Test {
 protected:
  StoreFixture() : store_(open()) {}

  std::unique_ptr<store::UserStore> open() const {
    auto store = store::UserStore::open(directory_.path() / "data");
    EXPECT_TRUE(store.ok()) << store.error().message();
    return *std::move(store);
  }

  Clock clock() const {
    return [this] { return now_ms_; };
  }

  void execute(std::string_view sql) {
    auto writer = store_->writer();
    ASSERT_TRUE(writer.ok()) << writer.error().message();
    const auto done = (*writer)->execute(std::string(sql));
    ASSERT_TRUE(done.ok()) << done.error().message();
  }

  std::int64_t find_number(std::string_view sql) {
    auto reader = store_->reader();
    EXPECT_TRUE(reader.ok()) << reader.error().message();
    const auto number = (*reader)->find_integer(sql);
    EXPECT_TRUE(number.ok()) << number.error().message();
    return number.ok() ? number->value_or(-1) : -1;
  }

  /// With its vector, when `vectors_` makes any.
  EntryId add(const EntryRow& row) {
    const std::int64_t session = row.session.empty() ? 0 : session_id(row.session, row.project);
    const std::int64_t project = project_id(row.project);
    const auto codes = vectors_->encode(row.title, row.body);
    EXPECT_TRUE(codes.ok()) << codes.error().message();
    auto writer = store_->writer();
    EXPECT_TRUE(writer.ok()) << writer.error().message();
    auto insert = (*writer)->statement(R"sql(
INSERT INTO entries (project_id, session_id, entry_type, title, has_own_title, body, facts,
  concepts, files_read, files_modified, source, content_hash, created_at_ms)
VALUES (?1, nullif(?2, 0), ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, randomblob(32), ?12))sql");
    EXPECT_TRUE(insert.ok()) << insert.error().message();
    insert->bind(1, project);
    insert->bind(2, session);
    insert->bind(3, row.type);
    const std::string title = row.title.empty() ? row.body.substr(0, 60) : row.title;
    insert->bind(4, title);
    insert->bind(5, !row.title.empty());
    insert->bind(6, row.body);
    insert->bind(7, row.facts);
    insert->bind(8, row.concepts);
    insert->bind(9, row.files_read);
    insert->bind(10, row.files_modified);
    insert->bind(11, row.source);
    insert->bind(12, row.created_at_ms != 0 ? row.created_at_ms : now_ms_);
    const auto inserted = insert->run();
    EXPECT_TRUE(inserted.ok()) << inserted.error().message();
    const auto id = static_cast<EntryId>((*writer)->last_insert_id());
    if (codes.ok()) {
      EXPECT_TRUE(vectors_->put(**writer, document_key(id), *codes).ok());
    }
    return id;
  }

  /// An entry with a title and a body.
  EntryId add(std::string title, std::string body) {
    EntryRow row;
    row.title = std::move(title);
    row.body = std::move(body);
    return add(row);
  }

  std::int64_t project_id(const std::string& name) {
    execute("INSERT OR IGNORE INTO projects (name, created_at_ms) VALUES ('" + name + "', 0)");
    return find_number("SELECT id FROM projects WHERE name = '" + name + "'");
  }

  std::int64_t session_id(const std::string& name, const std::string& project) {
    const std::string number = std::to_string(project_id(project));
    execute(
        "INSERT OR IGNORE INTO sessions (content_session_id, project_id, started_at_ms)"
        " VALUES ('" +
        name + "', " + number + ", 0)");
    return find_number("SELECT id FROM sessions WHERE content_session_id = '" + name + "'");
  }

  /// From now on entries have vectors of the built-in model.
  void use_vectors() {
    auto model = embed::StaticModel::built_in();
    ASSERT_TRUE(model.ok()) << model.error().message();
    vectors_ = std::make_unique<DocumentVectors>(embed::make_static_embedder(*model), true);
  }

  codexmem::testing::TemporaryDirectory directory_;
  std::int64_t now_ms_ = kNoon;
  std::unique_ptr<store::UserStore> store_;
  std::unique_ptr<DocumentVectors> vectors_ = std::make_unique<DocumentVectors>(nullptr, false);
};

}  // namespace codexmem::memory::testing
