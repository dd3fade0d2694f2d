// store/workspace.h - the store of one repository: where it is, its writer, its readers.
//
// `<root>/.codexmem/`, or where that cannot be written a folder of the user's cache
// (store/store_directory.h), holds index.db, vectors.faiss, lock, and a .gitignore that ignores it
// all.
// Thread-safe: readers are lent from a pool, each with its own connection; the writer belongs to
// whoever holds its lease. Many processes may have the same workspace open.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/result.h"
#include "store/code_reader.h"
#include "store/code_writer.h"
#include "store/database.h"

namespace codexmem::store {

class Workspace;

/// A reading connection for the holder's thread; goes back to the pool at the end of its scope.
class ReaderLease {
 public:
  ReaderLease(ReaderLease&&) noexcept;
  ReaderLease& operator=(ReaderLease&&) = delete;
  ~ReaderLease();
  CodeReader& operator*() { return reader_; }
  CodeReader* operator->() { return &reader_; }

 private:
  friend class Workspace;
  ReaderLease(Workspace& workspace, std::unique_ptr<Database> database);
  Workspace* workspace_;
  std::unique_ptr<Database> database_;
  CodeReader reader_;
};

class Workspace {
 public:
  /// Opens the store of the repository at `root`, making and migrating it as needed. Errors:
  /// kNotFound when `root` is no directory; kInvalidArgument when `root`/.codexmem would be the
  /// user's own store (CODEXMEM_DATA_DIR); kUnsupported for a newer store; kIo, kCorrupt.
  static Result<std::unique_ptr<Workspace>> open(const std::filesystem::path& root);

  /// Like open(), but errors with kNotFound when there is no index yet.
  static Result<std::unique_ptr<Workspace>> open_existing(const std::filesystem::path& root);

  ~Workspace();

  const std::filesystem::path& root() const;       // absolute, symlinks resolved
  const std::filesystem::path& directory() const;  // of the store: locate_store(root())
  const std::string& why_in_cache() const;         // for people; empty: directory() is in root()
  std::filesystem::path vectors_path() const;      // directory()/vectors.faiss
  std::filesystem::path lock_path() const;         // directory()/lock

  /// Lends a reading connection.
  Result<ReaderLease> reader();

  /// The writing connection, opened on first use. One thread at a time may use it; the index run
  /// that holds lock_path() is the only one who does.
  Result<Database*> writer();

 private:
  friend class ReaderLease;
  struct Impl;
  explicit Workspace(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::store
