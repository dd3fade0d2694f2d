// store/code/database_copy.h - copies of a database that others may use. Internal to store;
// thread-safe.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>

#include "base/result.h"

struct sqlite3;

namespace codexmem::store {

struct CloseSqlite {
  void operator()(sqlite3* database) const;
};
using OpenDatabase = std::unique_ptr<sqlite3, CloseSqlite>;

/// Writes what the database at `source` has now to the new database `target`, page by page.
/// Errors: kBusy; kIo.
Result<void> copy_pages(const std::filesystem::path& source, const std::filesystem::path& target);

/// Gives the new file `target` the blocks of the database at `source`: it is a copy that takes no
/// room until one of them changes. False when that is not possible; `target` may then be there.
bool share_blocks(const std::filesystem::path& source, const std::filesystem::path& target);

/// A connection that keeps all others from writing.
class StillDatabase {
 public:
  /// Opens the database at `path`, and waits up to `patience` for what is written. Errors: kIo;
  /// kCorrupt.
  static Result<StillDatabase> open(const std::filesystem::path& path,
                                    std::chrono::milliseconds patience);

  /// True if nobody writes until this object's end, and the file is the whole database, with an
  /// empty log. Then and only then the file does not change.
  bool is_still() const { return is_still_; }

  sqlite3* get() const { return raw_.get(); }

 private:
  OpenDatabase raw_;
  bool is_still_ = false;
};

}  // namespace codexmem::store
