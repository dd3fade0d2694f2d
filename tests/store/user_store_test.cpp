#include "store/user/user_store.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>

#include "store/schema.h"
#include "support/temporary_directory.h"

namespace codexmem::store {
namespace {

class UserStoreTest : public ::testing::Test {
 protected:
  std::unique_ptr<UserStore> open() {
    auto store = UserStore::open(directory_.path() / "data");
    EXPECT_TRUE(store.ok()) << store.error().message();
    return *std::move(store);
  }

  static void add_entry(Database& database, const char* body) {
    ASSERT_TRUE(database
                    .execute("INSERT OR IGNORE INTO projects (id, name, created_at_ms) "
                             "VALUES (1, 'demo', 0)")
                    .ok());
    auto insert = database.statement(
        "INSERT INTO entries (project_id, entry_type, title, has_own_title, body, facts, source, "
        "content_hash, created_at_ms) VALUES (1, 'discovery', 'A title', 1, ?1, "
        "'[\"the kettle\",\"is blue\"]', 'manual', randomblob(16), 1760000000123)");
    ASSERT_TRUE(insert.ok()) << insert.error().message();
    insert->bind(1, body);
    ASSERT_TRUE(insert->run().ok());
  }

  static std::int64_t count(Database& database, const char* sql) {
    const auto number = database.find_integer(sql);
    EXPECT_TRUE(number.ok()) << number.error().message();
    return number.ok() ? number->value_or(-1) : -1;
  }

  static void expect_whole(Database& database) {
    const auto damage = database.find_damage();
    ASSERT_TRUE(damage.ok()) << damage.error().message();
    EXPECT_TRUE(damage->empty()) << damage->front();
  }

  testing::TemporaryDirectory directory_;
};

TEST_F(UserStoreTest, IsForItsUserAlone) {
  const auto store = open();
  struct stat info {};
  ASSERT_EQ(::stat(store->directory().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700U);
  for (const auto& file : std::filesystem::directory_iterator(store->directory())) {
    ASSERT_EQ(::stat(file.path().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600U) << file.path();
  }
}

TEST_F(UserStoreTest, ContractTablesAndViewsHaveTheContractsColumns) {
  const auto store = open();
  auto reader = store->reader();
  ASSERT_TRUE(reader.ok());
  for (const char* sql : {
           "SELECT id, project_id, session_id, entry_type, title, body, source_ref FROM entries",
           "SELECT * FROM projects",
           "SELECT * FROM sessions",
           "SELECT * FROM entry_metadata",
           "SELECT * FROM entry_links",
           "SELECT * FROM ingestion_events",
           "SELECT owner_kind, owner_id, model, embedding FROM embeddings",
           "SELECT id, memory_session_id, project, text, type, title, subtitle, facts, narrative, "
           "concepts, files_read, files_modified, prompt_number, discovery_tokens, created_at, "
           "created_at_epoch FROM observations",
       }) {
    EXPECT_TRUE((*reader)->statement(sql).ok()) << sql;
  }
}

TEST_F(UserStoreTest, TheFullTextFollowsTheRows) {
  const auto store = open();
  {
    auto writer = store->writer();
    ASSERT_TRUE(writer.ok());
    add_entry(**writer, "getUserById caches what it reads");
    const char* found =
        "SELECT count(*) FROM document_terms WHERE document_terms MATCH '\"get user\" AND cach "
        "AND \"kettl is blue\"'";
    EXPECT_EQ(count(**writer, found), 1);
    expect_whole(**writer);
    ASSERT_TRUE((*writer)->execute("DELETE FROM entries").ok());
    EXPECT_EQ(count(**writer, found), 0);
    expect_whole(**writer);
  }
}

TEST_F(UserStoreTest, ARemovedVectorIsNotedUnderANumberOfItsOwn) {
  const auto store = open();
  auto writer = store->writer();
  ASSERT_TRUE(writer.ok());
  add_entry(**writer, "one");
  ASSERT_TRUE(
      (*writer)
          ->execute("INSERT INTO embedding_models VALUES (1, 'm', 2, zeroblob(1024));"
                    "INSERT INTO vectors (document, model_id, codes) VALUES (4, 1, x'0001');"
                    "DELETE FROM entries")
          .ok());
  EXPECT_EQ(count(**writer, "SELECT count(*) FROM vectors"), 0);
  EXPECT_EQ(count(**writer, "SELECT at_id * 10 + document FROM removed_vectors"), 24);
}

TEST_F(UserStoreTest, TextsAndEndedDecisionsAreImmutable) {
  const auto store = open();
  auto writer = store->writer();
  ASSERT_TRUE(writer.ok());
  add_entry(**writer, "one");
  EXPECT_FALSE((*writer)->execute("UPDATE entries SET body = 'two'").ok());
  ASSERT_TRUE((*writer)
                  ->execute("INSERT INTO decisions (id, kind, project_id, title, target, "
                            "target_key, status, rationale, source, created_at_ms) VALUES "
                            "('d', 'decision', 1, 't', 'T', 't', 'active', 'why', 'agent', 1);"
                            "UPDATE decisions SET status = 'superseded'")
                  .ok());
  EXPECT_FALSE((*writer)->execute("UPDATE decisions SET status = 'active'").ok());
  EXPECT_FALSE((*writer)->execute("UPDATE decisions SET rationale = 'other'").ok());
}

TEST_F(UserStoreTest, AStoreThatWasMovedAwayIsRebuilt) {
  const auto store = open();
  {
    auto writer = store->writer();
    ASSERT_TRUE(writer.ok());
    add_entry(**writer, "one");
  }
  const std::uint64_t before = store->epoch();
  std::filesystem::rename(store->directory(), directory_.path() / "away");
  auto reader = store->reader();
  ASSERT_TRUE(reader.ok()) << reader.error().message();
  EXPECT_EQ(count(**reader, "SELECT count(*) FROM entries"), 0);
  EXPECT_GT(store->epoch(), before);
}

TEST_F(UserStoreTest, ADamagedStoreIsLeftAsItIs) {
  const auto path = directory_.path() / "data" / "memory.db";
  {
    const auto store = open();
    auto writer = store->writer();
    add_entry(**writer, "one");
  }
  std::ofstream(path.string() + ".v1.bak") << "a backup";
  for (const std::uintmax_t at : {0, 3}) {
    SCOPED_TRACE(at);
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(at));
    file << std::string(4096, 'x');
    file.close();
    const auto bytes = [&] {
      std::ifstream in(path, std::ios::binary);
      return std::string(std::istreambuf_iterator<char>(in), {});
    };
    const std::string before = bytes();
    const auto refused = UserStore::open(directory_.path() / "data");
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code(), ErrorCode::kCorrupt);
    const std::string& message = refused.error().message();
    EXPECT_NE(message.find(path.string() + " is damaged"), std::string::npos) << message;
    EXPECT_NE(message.find("memory.db.v1.bak"), std::string::npos) << message;
    EXPECT_NE(message.find("codexmem memory export"), std::string::npos) << message;
    EXPECT_EQ(message.find("codexmem index"), std::string::npos) << message;
    EXPECT_EQ(bytes(), before);
  }
}

// Runs `what` in a process of its own; true if it returned true.
template <typename F>
bool in_another_process(F what) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(what() ? 0 : 1);
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_F(UserStoreTest, TwoStoresOfAProcessKeepTheirLocksAgainstOthers) {
  const auto store = open();
  const auto save = [](UserStore& to) {
    auto writer = to.writer();
    ASSERT_TRUE(writer.ok());
    add_entry(**writer, "one");
  };
  save(*store);
  { const auto second = open(); }  // comes and goes, as a look at the citations does
  // An outside reader that believes to be the last one would fold the log away and unlink it.
  const auto path = store->directory() / "memory.db";
  ASSERT_TRUE(in_another_process([&] {
    auto outside = Database::open(path);
    return outside.ok() && outside->find_integer("SELECT count(*) FROM entries").ok();
  }));
  for (int i = 0; i < 5; ++i) save(*store);
  EXPECT_TRUE(in_another_process([&] {
    OpenOptions options;
    options.read_only = true;
    auto outside = Database::open(path, options);
    return outside.ok() && outside->find_integer("SELECT count(*) FROM entries").value() == 6;
  }));
}

TEST_F(UserStoreTest, AFolderOfOtherThingsIsNotClosedToOthers) {
  directory_.write("shared/notes.txt", "x");
  const auto shared = directory_.path() / "shared";
  ASSERT_EQ(::chmod(shared.c_str(), 0755), 0);
  const auto refused = UserStore::open(shared);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kInvalidArgument);
  struct stat info {};
  ASSERT_EQ(::stat(shared.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0755U);
}

TEST_F(UserStoreTest, AFolderWithWhatAHookLeftIsClosedToOthers) {
  const std::filesystem::path shared = directory_.path() / "shared";
  std::filesystem::create_directories(shared / "spool");
  directory_.write("shared/projects.jsonl", "{}\n");
  directory_.write("shared/settings.json", "{}");
  ASSERT_EQ(::chmod(shared.c_str(), 0755), 0);
  EXPECT_TRUE(prepare_user_directory(shared).ok());
  struct stat info {};
  ASSERT_EQ(::stat(shared.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700U);
}

TEST_F(UserStoreTest, ALookMakesNothing) {
  const auto none = UserStore::open_to_look(directory_.path() / "none");
  ASSERT_TRUE(none.ok());
  EXPECT_EQ(*none, nullptr);
  EXPECT_FALSE(std::filesystem::exists(directory_.path() / "none"));
  const auto store = open();
  EXPECT_NE(*UserStore::open_to_look(store->directory()), nullptr);
}

TEST_F(UserStoreTest, ANewerStoreIsRefused) {
  {
    const auto store = open();
    auto writer = store->writer();
    ASSERT_TRUE((*writer)->execute("PRAGMA user_version=9999").ok());
  }
  const auto refused = UserStore::open(directory_.path() / "data");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kUnsupported);
}

// testdata/stores/user has a store as each earlier version wrote it: two entries, two decisions.
TEST_F(UserStoreTest, EveryEarlierStoreIsBroughtUpToThisVersion) {
  std::size_t stores = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(CODEXMEM_SOURCE_DIR "/testdata/stores/user")) {
    SCOPED_TRACE(entry.path().filename());
    ++stores;
    const std::filesystem::path folder = directory_.path() / entry.path().stem();
    std::filesystem::create_directory(folder);
    std::filesystem::copy_file(entry.path(), folder / "memory.db");
    const auto store = UserStore::open(folder);
    ASSERT_TRUE(store.ok()) << store.error().message();
    auto writer = (*store)->writer();
    ASSERT_TRUE(writer.ok());
    Database& database = **writer;
    EXPECT_EQ(database.find_damage().value(), std::vector<std::string>());
    EXPECT_EQ(count(database, "PRAGMA user_version"), user_schema().version);
    EXPECT_EQ(count(database, "SELECT count(*) FROM entries"), 2);
    EXPECT_EQ(count(database, "SELECT count(*) FROM decisions"), 2);
    EXPECT_EQ(count(database, "SELECT count(*) FROM embeddings"), 4);
    EXPECT_EQ(
        count(database, "SELECT count(*) FROM document_terms WHERE document_terms MATCH 'backoff'"),
        1);
    add_entry(database, "written by this version");
    EXPECT_EQ(count(database, "SELECT count(*) FROM entries"), 3);
    const std::string backup = "memory.db." + entry.path().stem().string() + ".bak";
    EXPECT_TRUE(std::filesystem::exists(folder / backup));
  }
  EXPECT_GE(stores, 1U);
}

}  // namespace
}  // namespace codexmem::store
