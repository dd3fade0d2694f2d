// index/run/write_session.h - the writes of one run, grouped into short transactions.
//
// Nothing is opened until there is something to write, so a run without changes leaves the store
// untouched. The first transaction sets the run mark; finish() clears it or restores the previous
// one: an existing mark means that a run was interrupted. One thread, which holds the run lock.
// After finish() returns, the data survives a power cut; before that, only a run with a single
// transaction waits for the disk.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/code/store_reader.h"
#include "store/code/code_writer.h"
#include "store/database.h"

namespace codexmem::index {

class WriteSession {
 public:
  /// `mark` is the value of meta "run" during the run.
  WriteSession(store::Database& database, std::string mark)
      : database_(database), reader_(database), writer_(database), mark_(std::move(mark)) {}
  WriteSession(const WriteSession&) = delete;
  WriteSession& operator=(const WriteSession&) = delete;
  ~WriteSession();

  /// The writer, inside a transaction whose generation has been raised.
  Result<store::CodeWriter*> writer();

  /// Reads the data written so far, committed or not.
  store::StoreReader& reader() { return reader_; }

  /// Notes that the rows of a file of `bytes` bytes are complete; commits when enough has
  /// accumulated. `has_words`: the full-text index was written.
  Result<void> end_file(std::size_t bytes, bool has_words = true);

  /// Makes the written data visible to others.
  Result<void> commit();

  /// Sets the run mark to `mark`, which an earlier run left and this one does not resolve, or
  /// clears it; notes the report as "last_run", calls `last` and commits.
  Result<void> finish(std::string_view report, const std::optional<std::string>& mark,
                      const std::function<Result<void>(store::CodeWriter&)>& last);

  /// Makes the next run read a file again, whatever its stamp.
  Result<void> expire_file(store::FileId id);
  bool has_expired() const { return has_expired_; }

  /// True once anything was written.
  bool has_written() const { return has_written_; }

  /// The generation of the open transaction, or of the last one.
  std::int64_t generation() const { return generation_; }

 private:
  // After a run that wrote much: merges the full-text index into one segment.
  Result<void> merge();
  // Commits, and makes commits wait for the disk again.
  Result<void> end_bulk();

  store::Database& database_;
  store::StoreReader reader_;
  store::CodeWriter writer_;
  std::string mark_;
  std::optional<store::Transaction> transaction_;
  bool is_bulk_ = false;               // this is not the first transaction
  std::size_t files_ = 0, bytes_ = 0;  // in the open transaction
  std::size_t all_files_ = 0;          // whose words were written
  std::int64_t generation_ = 0;
  bool has_written_ = false;
  bool has_expired_ = false;  // a file
};

}  // namespace codexmem::index
