// store/user/user_store.h - the user's store: memory, observations and decisions of all projects.
//
// `$CODEXMEM_DATA_DIR`, by default `~/.codexmem/`, for its user alone (mode 0700, files 0600),
// holds memory.db and, derived from it, memory.faiss. Many processes may have it open and write at
// once: SQLite's lock orders them, and whoever writes waits for it at the start of his transaction.
// Thread-safe: connections are lent from a pool; one thread of a process writes at a time.
//
// The folder may be moved away or put back while a program runs: each lease looks which file is
// there. Design: docs/how-it-works.md, "Memory".
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>

#include "base/result.h"
#include "store/database.h"

namespace codexmem::store {

/// True if there is a store in `directory`.
bool has_user_store(const std::filesystem::path& directory);

/// Makes `directory` for its user alone (mode 0700), or closes one to others that holds nothing but
/// a store or settings. Errors: kInvalidArgument when it is no folder, another user's, or open to
/// others with other things in it; kIo.
Result<void> prepare_user_directory(const std::filesystem::path& directory);

class UserStore;

/// A reading connection for the holder's thread; goes back to the pool at the end of its scope.
class UserReader {
 public:
  UserReader(UserReader&&) noexcept = default;
  UserReader& operator=(UserReader&&) = delete;
  ~UserReader();
  Database& operator*() { return *database_; }
  Database* operator->() { return database_.get(); }

 private:
  friend class UserStore;
  UserReader(UserStore& store, std::unique_ptr<Database> database, std::uint64_t epoch)
      : store_(&store), database_(std::move(database)), epoch_(epoch) {}
  UserStore* store_;
  std::unique_ptr<Database> database_;
  std::uint64_t epoch_;
};

/// The writing connection, the holder's alone until the end of its scope.
class UserWriter {
 public:
  Database& operator*() { return *database_; }
  Database* operator->() { return database_; }

 private:
  friend class UserStore;
  UserWriter(std::unique_lock<std::mutex> lock, Database* database)
      : lock_(std::move(lock)), database_(database) {}
  std::unique_lock<std::mutex> lock_;
  Database* database_;
};

/// A reading connection and a read transaction on it: all reads are of one moment.
class UserMoment {
 public:
  UserMoment(UserReader reader, Transaction transaction)
      : reader_(std::move(reader)), transaction_(std::move(transaction)) {}
  Database& operator*() { return *reader_; }
  Database* operator->() { return &*reader_; }

 private:
  UserReader reader_;
  Transaction transaction_;  // ends first
};

/// The writing connection and a transaction on it, which rolls back unless it is committed.
class UserTransaction {
 public:
  UserTransaction(UserWriter writer, Transaction transaction)
      : writer_(std::move(writer)), transaction_(std::move(transaction)) {}
  Database& operator*() { return *writer_; }
  Database* operator->() { return &*writer_; }
  Transaction& transaction() { return transaction_; }
  Result<void> commit() { return transaction_.commit(); }

 private:
  UserWriter writer_;
  Transaction transaction_;  // ends first
};

class UserStore {
 public:
  /// Opens the store in `directory`, making and migrating it as needed. Errors: kInvalidArgument
  /// when `directory` is empty, no folder, or another user's; kUnsupported when it is newer than
  /// this program; kCorrupt with the cure; kIo, kBusy. What fails in a migration begins with
  /// "migration".
  static Result<std::unique_ptr<UserStore>> open(const std::filesystem::path& directory);

  /// A reading connection to the store in `directory`, for those who merely look: it is neither
  /// made nor migrated. Null when it is missing, or has another schema than this program's.
  static Result<std::unique_ptr<Database>> open_to_look(const std::filesystem::path& directory);

  ~UserStore();

  const std::filesystem::path& directory() const;  // absolute
  std::filesystem::path vectors_path() const;      // directory()/memory.faiss

  /// Lends a reading connection. Errors: as open().
  Result<UserReader> reader();

  /// Waits for the writing connection. Its commits outlive a power cut. Not to be
  /// asked for twice by one thread. Errors: as open().
  Result<UserWriter> writer();

  /// reader() with a read transaction.
  Result<UserMoment> moment();

  /// writer() with a transaction.
  Result<UserTransaction> begin();

  /// A number that is raised when another file is in the database's place.
  std::uint64_t epoch() const;

 private:
  friend class UserReader;
  struct Impl;
  explicit UserStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::store
