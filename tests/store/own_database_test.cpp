#include "store/code/own_database.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/file.h"
#include "store/code/database_copy.h"
#include "store/code/seal.h"
#include "store/user_key.h"
#include "support/temporary_directory.h"

namespace codexmem::store {
namespace {

namespace fs = std::filesystem;

class OwnDatabase : public ::testing::Test {
 protected:
  // Every test has a user of its own.
  void SetUp() override {
    ::setenv("XDG_STATE_HOME", state_.path().c_str(), 1);
    ::setenv("HOME", home_.path().c_str(), 1);
  }
  void TearDown() override {
    ::unsetenv("XDG_STATE_HOME");
    ::setenv("HOME", users_home_.c_str(), 1);
    ::unsetenv("CODEXMEM_DATA_DIR");
  }

  Result<Database> open() const { return open_own(path_, workspace_kind()); }
  fs::path key_file() const { return state_.path() / "codexmem/store.key"; }

  void note(std::string_view text) const {
    auto database = open();
    ASSERT_TRUE(database.ok()) << database.error().message();
    auto put = database->statement("INSERT OR REPLACE INTO meta (key, value) VALUES ('note', ?1)");
    put->bind(1, text);
    ASSERT_TRUE(put->run().ok());
  }

  std::string noted() const {
    auto database = open();
    if (!database.ok()) return database.error().message();
    auto read = database->statement("SELECT value FROM meta WHERE key = 'note'");
    return read->step().value() ? std::string(read->text(0)) : "";
  }

  const std::string users_home_ = std::getenv("HOME") != nullptr ? std::getenv("HOME") : "";
  testing::TemporaryDirectory state_, home_, folder_;
  const fs::path path_ = folder_.path() / "index.db";
};

constexpr char kRefused[] = "is not what your codexmem made here";

TEST_F(OwnDatabase, IsMadeOnceAndOpenedByItsUser) {
  note("mine");
  EXPECT_EQ(noted(), "mine");
  for (const char* name : {"index.db", "index.db-wal", "index.db-shm"}) {
    EXPECT_TRUE(is_own_file(folder_.path() / name)) << name;
  }
  EXPECT_FALSE(fs::exists(folder_.path() / "index.db.new"));
  EXPECT_FALSE(fs::exists(folder_.path() / "index.db-journal"));
}

// Seals `names` of `folder` as about to be exchanged, as a run does that is killed then.
void begin_exchange(const fs::path& folder, const std::vector<std::string>& names) {
  auto key = UserKey::get();
  key->lock();
  auto seal = Seal::read(folder, *key);
  for (const std::string& name : names) {
    ASSERT_TRUE(seal->put(name + kNextSuffix, name + kNextSuffix, seal->id(name)).ok());
  }
  ASSERT_TRUE(seal->write(*key).ok());
}

// A kill leaves any number of the files renamed.
TEST_F(OwnDatabase, AKillInAnExchangeLeavesTheOldOrTheNewOne) {
  const std::vector<std::string> names = {"index.db", "index.db-shm", "index.db-wal"};
  for (std::size_t renamed = 0; renamed <= names.size(); ++renamed) {
    note("old");
    const fs::path next = path_.string() + kNextSuffix;
    ASSERT_TRUE(copy_pages(path_, next).ok());
    {
      auto other = Database::open(next);
      ASSERT_TRUE(other->execute("UPDATE meta SET value = 'new' WHERE key = 'note'").ok());
      other->shrink_log(0);
    }
    for (const char* suffix : {"-wal", "-shm"}) {
      fs::remove(next.string() + suffix);
      std::ofstream(path_.string() + suffix + kNextSuffix).flush();
    }
    begin_exchange(folder_.path(), names);
    for (std::size_t i = 0; i < renamed; ++i) {
      fs::rename(folder_.path() / (names[i] + kNextSuffix), folder_.path() / names[i]);
    }
    EXPECT_TRUE(is_own_file(path_)) << renamed;
    EXPECT_EQ(noted(), renamed == 0 ? "old" : "new") << renamed;
    fs::remove(path_.string() + "-wal");  // as a shell does: the log is looked at again
    EXPECT_EQ(noted(), renamed == 0 ? "old" : "new") << renamed;
    for (const std::string& name : names) {
      EXPECT_FALSE(fs::exists(folder_.path() / (name + kNextSuffix))) << renamed << name;
    }
  }
}

// One that somebody put in the place of an exchanged file is not ours.
TEST_F(OwnDatabase, AnExchangeTakesOnlyWhatWasSealed) {
  note("old");
  const fs::path next = path_.string() + kNextSuffix;
  fs::copy_file(path_, next);
  begin_exchange(folder_.path(), {"index.db"});
  fs::copy_file(path_, folder_.path() / "theirs");
  fs::rename(folder_.path() / "theirs", next);
  fs::remove(path_.string() + "-wal");
  EXPECT_EQ(noted(), "old");
  begin_exchange(folder_.path(), {"index.db"});
  fs::copy_file(path_, folder_.path() / "theirs");
  fs::rename(folder_.path() / "theirs", path_);
  EXPECT_NE(noted().find(kRefused), std::string::npos) << noted();
}

TEST_F(OwnDatabase, AFileThatWasPutThereIsRefused) {
  const testing::TemporaryDirectory other;
  ASSERT_TRUE(open_own(other.path() / "index.db", workspace_kind()).ok());
  const auto copy_over = [](const fs::path& from, const fs::path& to) {
    const std::string bytes = read_file(from).value();
    fs::remove(to);
    std::ofstream(to, std::ios::binary) << bytes;
  };
  const std::pair<const char*, std::function<void()>> cases[] = {
      {"a copy of itself", [&] { copy_over(path_, path_); }},
      {"another of the same user", [&] { copy_over(other.path() / "index.db", path_); }},
      {"that, written into the same file",
       [&] {
         std::ofstream(path_, std::ios::binary) << read_file(other.path() / "index.db").value();
       }},
      {"a log",
       [&] {
         std::ofstream(path_.string() + "-wal2") << "log";
         fs::rename(path_.string() + "-wal2", path_.string() + "-wal");
       }},
      {"an index of the log", [&] { copy_over(path_.string() + "-shm", path_.string() + "-shm"); }},
      {"a journal", [&] { std::ofstream(path_.string() + "-journal") << "journal"; }},
      {"no seal", [&] { fs::remove(folder_.path() / "seal"); }},
      {"the seal of another", [&] { copy_over(other.path() / "seal", folder_.path() / "seal"); }},
      {"a FIFO",
       [&] {
         fs::remove(path_);
         ::mkfifo(path_.c_str(), 0600);
       }},
      {"a folder",
       [&] {
         fs::remove(path_);
         fs::create_directory(path_);
       }},
      {"a FIFO as log",
       [&] {
         fs::remove(path_.string() + "-wal");
         ::mkfifo((path_.string() + "-wal").c_str(), 0600);
       }},
      {"a table more",
       [&] {
         auto database = Database::open(path_);
         ASSERT_TRUE(database->execute("CREATE TABLE more (x)").ok());
       }},
      {"a trigger",
       [&] {
         auto database = Database::open(path_);
         ASSERT_TRUE(database
                         ->execute("CREATE TRIGGER t AFTER UPDATE ON meta BEGIN "
                                   "DELETE FROM file_rows; END")
                         .ok());
       }},
  };
  for (const auto& [name, change] : cases) {
    SCOPED_TRACE(name);
    note("mine");
    change();
    const auto opened = open();
    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(opened.error().code(), ErrorCode::kCorrupt) << opened.error().message();
    const auto aside = set_database_aside(path_);
    ASSERT_TRUE(aside.ok()) << aside.error().message();
    EXPECT_EQ(noted(), "");
  }
  std::size_t aside = 0;
  for (const auto& entry : fs::directory_iterator(folder_.path())) {
    const std::string name = entry.path().filename().string();
    aside += (name.starts_with("index.db.foreign-") || name.starts_with("index.db.damaged-")) &&
             !name.ends_with("-wal") && !name.ends_with("-shm") && !name.ends_with("-journal");
  }
  EXPECT_EQ(aside, 1U) << "one is kept";
}

TEST_F(OwnDatabase, ALogThatAShellDeletedIsMadeAgain) {
  note("mine");
  for (const char* suffix : {"-wal", "-shm"}) fs::remove(path_.string() + suffix);
  EXPECT_EQ(noted(), "mine");
  EXPECT_TRUE(is_own_file(path_.string() + "-wal"));
  // A kill between the making and the sealing of the log.
  fs::remove(path_.string() + "-wal");
  std::ofstream(path_.string() + "-wal").close();
  EXPECT_EQ(noted(), "mine");
}

TEST_F(OwnDatabase, AnIndexOfAnEmptyLogThatAShellLeftIsMadeAgain) {
  note("mine");
  ASSERT_TRUE(Database::open(path_)->find_integer("PRAGMA wal_checkpoint(TRUNCATE)").ok());
  const fs::path index = path_.string() + "-shm";
  const std::string bytes = read_file(index).value();
  fs::remove(path_.string() + "-wal");
  fs::remove(index);
  std::ofstream(index, std::ios::binary) << bytes;
  // As long as that shell runs it has a lock on it.
  int ready[2], end[2];
  ASSERT_EQ(::pipe(ready), 0);
  ASSERT_EQ(::pipe(end), 0);
  const pid_t shell = ::fork();
  if (shell == 0) {
    char byte = 0;
    struct flock lock {};
    lock.l_type = F_RDLCK;
    const int fd = ::open(index.c_str(), O_RDWR);
    const bool is_locked = ::fcntl(fd, F_SETLK, &lock) == 0;
    ::close(end[1]);
    const bool is_reported = is_locked && ::write(ready[1], &byte, 1) == 1;
    ::_exit(is_reported && ::read(end[0], &byte, 1) == 0 ? 0 : 1);
  }
  char byte = 0;
  ::close(ready[1]);
  EXPECT_EQ(::read(ready[0], &byte, 1), 1);
  const auto busy = open();
  ASSERT_FALSE(busy.ok());
  EXPECT_EQ(busy.error().code(), ErrorCode::kBusy) << busy.error().message();
  EXPECT_EQ(read_file(index).value(), bytes);
  ::close(end[1]);
  EXPECT_EQ(::waitpid(shell, nullptr, 0), shell);
  EXPECT_EQ(noted(), "mine");
  EXPECT_TRUE(is_own_file(index));
}

TEST_F(OwnDatabase, AnotherKeyOpensNothing) {
  note("mine");
  const testing::TemporaryDirectory other;
  ::setenv("XDG_STATE_HOME", other.path().c_str(), 1);
  EXPECT_FALSE(is_own_file(path_));
  EXPECT_NE(noted().find(kRefused), std::string::npos) << noted();
  ::setenv("XDG_STATE_HOME", state_.path().c_str(), 1);
  EXPECT_EQ(noted(), "mine");
}

TEST_F(OwnDatabase, AMovedFolderStaysItsUsers) {
  note("mine");
  const fs::path moved = folder_.path() / "moved";
  fs::create_directory(moved);
  for (const char* name : {"index.db", "index.db-wal", "index.db-shm", "seal"}) {
    fs::rename(folder_.path() / name, moved / name);
  }
  EXPECT_TRUE(open_own(moved / "index.db", workspace_kind()).ok());
}

TEST_F(OwnDatabase, ManyWhoMakeItAtOnceHaveOne) {
  std::vector<std::string> ids(8);
  std::vector<std::thread> threads;
  for (std::string& id : ids) {
    threads.emplace_back([&id, this] {
      auto database = open();
      if (!database.ok()) {
        id = database.error().message();
        return;
      }
      auto read = database->statement("SELECT value FROM meta WHERE key = 'store'");
      if (read.ok() && read->step().value()) id = read->text(0);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), 1U) << ids[0] << ids[1];
}

TEST_F(OwnDatabase, AReaderMakesNone) {
  OpenOptions options;
  options.read_only = true;
  bool is_damaged = false;
  options.on_damage = [&](const Error&) { is_damaged = true; };
  const auto missing = open_own(path_, workspace_kind(), options);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code(), ErrorCode::kIo) << missing.error().message();
  EXPECT_FALSE(is_damaged);
  EXPECT_FALSE(fs::exists(path_));
  note("mine");
  EXPECT_TRUE(open_own(path_, workspace_kind(), options).ok());
}

TEST_F(OwnDatabase, OneThatMustExistIsNotMade) {
  OpenOptions options;
  options.must_exist = true;
  const auto opened = Database::open(path_, options);
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code(), ErrorCode::kIo);
  EXPECT_FALSE(fs::exists(path_));
}

// A link that leads to itself cannot be opened, as when there are too many files open.
TEST_F(OwnDatabase, ASealThatCannotBeReadDisownsNothing) {
  note("mine");
  const fs::path seal = folder_.path() / "seal";
  fs::rename(seal, folder_.path() / "kept");
  fs::create_symlink(seal, seal);
  const auto opened = open();
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code(), ErrorCode::kIo) << opened.error().message();
  EXPECT_FALSE(seal_file(path_).ok());
  EXPECT_FALSE(set_database_aside(path_).ok());
  fs::rename(folder_.path() / "kept", seal);
  EXPECT_EQ(noted(), "mine");
}

TEST_F(OwnDatabase, ThePriceOfASealDoesNotGrow) {
  for (int i = 0; i < 20; ++i) {
    note("mine");
    ASSERT_TRUE(set_database_aside(path_).ok());
  }
  EXPECT_LT(fs::file_size(folder_.path() / "seal"), 1000U);
}

TEST_F(OwnDatabase, ADamagedOneLeavesNoForeignOneInTheFolder) {
  note("mine");
  const fs::path earlier = path_.string() + ".foreign-20200101T000000Z";
  std::ofstream(earlier) << "another's";
  const auto aside = set_database_aside(path_);
  ASSERT_TRUE(aside.ok()) << aside.error().message();
  EXPECT_TRUE(aside->filename().string().starts_with("index.db.damaged-")) << *aside;
  EXPECT_FALSE(fs::exists(earlier));
}

TEST_F(OwnDatabase, ALogThatIsAsideAloneIsNoForeignDatabase) {
  const std::string aside = path_.string() + ".foreign-29990101T000000Z";
  std::ofstream(aside + "-wal") << "of a run that was killed";
  EXPECT_FALSE(has_recent_foreign_aside(path_));
  std::ofstream(aside) << "another's";
  EXPECT_TRUE(has_recent_foreign_aside(path_));
}

using Key = OwnDatabase;

TEST_F(Key, IsMadeOnceForItsUserAlone) {
  EXPECT_FALSE(UserKey::find().ok());
  std::vector<std::string> keys(8);
  std::vector<std::thread> threads;
  for (std::string& key : keys) threads.emplace_back([&key] { key = UserKey::get()->bytes(); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::set<std::string>(keys.begin(), keys.end()).size(), 1U);
  EXPECT_EQ(UserKey::find()->bytes(), keys[0]);
  EXPECT_EQ(keys[0].size(), 32U);
  struct stat info {};
  ASSERT_EQ(::stat(key_file().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
  ASSERT_EQ(::stat(key_file().parent_path().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700U);
}

TEST_F(Key, AnUnfinishedOneIsRebuilt) {
  for (const std::string& left :
       {std::string(), std::string("short"), std::string(32, '\0'), std::string(33, 'x')}) {
    fs::create_directories(key_file().parent_path());
    std::ofstream(key_file(), std::ios::binary) << left;
    EXPECT_FALSE(UserKey::find().ok());
    const std::string made = UserKey::get()->bytes();
    EXPECT_NE(made, left);
    EXPECT_EQ(UserKey::get()->bytes(), made);
  }
}

TEST_F(Key, IsKeptElsewhereWhereItsFolderCannotBeMade) {
  const testing::TemporaryDirectory data;
  ::setenv("CODEXMEM_DATA_DIR", data.path().c_str(), 1);
  std::ofstream(state_.path() / "codexmem") << "in the way";
  std::ofstream(home_.path() / ".local") << "in the way";
  const auto key = UserKey::get();
  ASSERT_TRUE(key.ok()) << key.error().message();
  EXPECT_TRUE(fs::exists(data.path() / "store.key"));
  EXPECT_EQ(UserKey::find()->bytes(), key->bytes());
}

// In either order, one in a shell that sets XDG_STATE_HOME and one in an editor that does not.
TEST_F(Key, IsTheSameWithXdgStateHomeAndWithout) {
  for (const bool shell_first : {true, false}) {
    SCOPED_TRACE(shell_first);
    fs::remove_all(key_file());
    fs::remove_all(home_.path() / ".local");
    if (shell_first) {
      ASSERT_TRUE(UserKey::get().ok());
    }
    ::unsetenv("XDG_STATE_HOME");
    const std::string of_editor = UserKey::get()->bytes();
    ::setenv("XDG_STATE_HOME", state_.path().c_str(), 1);
    EXPECT_EQ(UserKey::get()->bytes(), of_editor);
  }
}

TEST_F(Key, ALinkOrAFifoInItsPlaceIsRefused) {
  fs::create_directories(key_file().parent_path());
  std::ofstream(state_.path() / "known", std::ios::binary) << std::string(32, 'k');
  fs::create_symlink(state_.path() / "known", key_file());
  EXPECT_FALSE(UserKey::find().ok());
  fs::remove(key_file());
  ASSERT_EQ(::mkfifo(key_file().c_str(), 0600), 0);
  EXPECT_FALSE(UserKey::find().ok());
}

}  // namespace
}  // namespace codexmem::store
