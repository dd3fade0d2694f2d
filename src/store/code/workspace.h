// store/code/workspace.h - the store of one repository: where it is, its writer, its readers.
//
// `<root>/.codexmem/`, or where that cannot be written a folder of the user's cache
// (store/code/store_directory.h), holds index.db, vectors.faiss, ranking.bin, lock, and a
// .gitignore that ignores it all. Thread-safe: readers are lent from a pool, each with its own
// connection; the writer belongs to the index run that holds the lock. Many processes may have the
// same workspace open.
//
// The folder may be deleted (`git clean -fdx`), or the database replaced, while a server runs: each
// lease looks which file is there and opens it again. One that is damaged, or not what this user's
// codexmem made (store/code/own_database.h), is set aside and rebuilt by the next run over
// everything.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "store/code/store_reader.h"
#include "store/code/code_writer.h"
#include "store/database.h"

namespace codexmem::store {

class Workspace;

/// A reading connection for the holder's thread; goes back to the pool at the end of its scope.
class ReaderLease {
 public:
  ReaderLease(ReaderLease&&) noexcept;
  ReaderLease& operator=(ReaderLease&&) = delete;
  ~ReaderLease();
  StoreReader& operator*() { return reader_; }
  StoreReader* operator->() { return &reader_; }

 private:
  friend class Workspace;
  ReaderLease(Workspace& workspace, std::unique_ptr<Database> database, std::uint64_t epoch);
  Workspace* workspace_;
  std::unique_ptr<Database> database_;
  std::uint64_t epoch_;
  StoreReader reader_;
};

class Workspace {
 public:
  /// Opens the store of the repository at `root`, making and migrating it as needed. Errors:
  /// kNotFound when `root` is no directory; kInvalidArgument when `root`/.codexmem would be the
  /// user's own store (CODEXMEM_DATA_DIR); kUnsupported for a newer store; kIo. A damaged store is
  /// opened, to be rebuilt: see damage(). So is one that can
  /// be read but, for a full disk, not be written; writer() fails then.
  static Result<std::unique_ptr<Workspace>> open(const std::filesystem::path& root);

  /// Like open(), but errors with kNotFound when there is no index yet, and with kCorrupt when it
  /// is damaged.
  static Result<std::unique_ptr<Workspace>> open_existing(const std::filesystem::path& root);

  ~Workspace();

  const std::filesystem::path& root() const;        // absolute, symlinks resolved
  const std::filesystem::path& directory() const;   // of the store: locate_store(root())
  const std::string& why_in_cache() const;          // for people; empty: directory() is in root()
  std::filesystem::path vectors_path() const;       // directory()/vectors.faiss
  std::filesystem::path ranking_path() const;       // directory()/ranking.bin
  std::filesystem::path vector_cache_path() const;  // directory()/embeddings.db
  std::filesystem::path lock_path() const;          // directory()/lock

  /// Lends a reading connection to the database that is there now; one that was deleted is made
  /// again, empty. Errors: kUnsupported when another program has migrated it; kIo, kCorrupt.
  Result<ReaderLease> reader();

  /// The writing connection, opened on first use. One thread at a time may use it; the index run
  /// that holds lock_path() is the only one who does, and it is valid until that asks again.
  Result<Database*> writer();

  /// A number that is raised when another file takes the database's place, or it is gone.
  std::uint64_t epoch() const;

  /// The damage that a statement met since the database was opened, or that it is another's.
  std::optional<Error> damage() const;

  /// The damage of the database (Database::find_damage), if there is any; else damage() is
  /// forgotten. For the holder of lock_path(). Errors: kIo, kBusy.
  Result<std::optional<std::string>> confirm_damage();

  /// Makes a plain database of a thin one that gains nothing (widen_database). For the holder of
  /// lock_path(), before writer(). Errors: kIo, kBusy.
  Result<void> widen();

  /// Renames the database as set_database_aside() does, in place of an earlier one, and deletes
  /// what was derived from it; returns its new path. The next writer() makes a new one. For the
  /// holder of lock_path(). Errors: kIo.
  Result<std::filesystem::path> set_aside();

 private:
  friend class ReaderLease;
  struct Impl;
  explicit Workspace(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::store
