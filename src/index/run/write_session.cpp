#include "index/run/write_session.h"

#include <utility>

#include "base/log.h"
#include "store/code/term_merges.h"

namespace codexmem::index {
namespace {

// Under WAL, readers do not wait; the size of a transaction is limited by the log's growth and the
// work lost by a kill.
constexpr std::size_t kMaxSessionFiles = 512;
constexpr std::size_t kMaxSessionBytes = 8 << 20;
// If the log is longer at the end of a run, it is emptied, so that it does not stay while a server
// runs.
constexpr std::size_t kLongLog = 4 << 20;
// A run that wrote a smaller part of the files leaves merging the full-text index to later runs.
constexpr std::int64_t kMergedPart = 8;

}  // namespace

Result<store::CodeWriter*> WriteSession::writer() {
  if (transaction_) return &writer_;
  CODEXMEM_ASSIGN(store::Transaction begun, store::Transaction::begin(database_));
  CODEXMEM_ASSIGN(generation_, writer_.begin_generation());
  if (!has_written_) CODEXMEM_TRY(writer_.put_meta("run", mark_));
  transaction_.emplace(std::move(begun));
  has_written_ = true;
  return &writer_;
}

Result<void> WriteSession::end_file(std::size_t bytes, bool has_words) {
  ++files_;
  if (has_words) ++all_files_;
  bytes_ += bytes;
  if (files_ < kMaxSessionFiles && bytes_ < kMaxSessionBytes) return {};
  CODEXMEM_TRY(commit());
  if (!is_bulk_) {
    CODEXMEM_TRY(database_.set_bulk(true));
    CODEXMEM_TRY(store::defer_merges(database_));
  }
  is_bulk_ = true;
  return {};
}

Result<void> WriteSession::expire_file(store::FileId id) {
  has_expired_ = true;
  CODEXMEM_ASSIGN(store::CodeWriter * open, writer());
  return open->expire_file(id);
}

Result<void> WriteSession::end_bulk() {
  if (!is_bulk_) return {};
  CODEXMEM_TRY(commit());
  is_bulk_ = false;
  return database_.set_bulk(false);
}

WriteSession::~WriteSession() {
  transaction_.reset();
  if (auto ended = end_bulk(); !ended.ok()) log_warn("{}", ended.error().message());
}

Result<void> WriteSession::commit() {
  if (!transaction_) return {};
  files_ = bytes_ = 0;
  auto done = transaction_->commit();
  transaction_.reset();
  return done;
}

Result<void> WriteSession::merge() {
  if (!is_bulk_) return {};
  CODEXMEM_TRY(commit());
  CODEXMEM_ASSIGN(const store::StoreCounts counts, reader_.counts());
  if (static_cast<std::int64_t>(all_files_) * kMergedPart < counts.files) return {};
  return store::merge_segments(database_);
}

Result<void> WriteSession::finish(std::string_view report, const std::optional<std::string>& mark,
                                  const std::function<Result<void>(store::CodeWriter&)>& last) {
  CODEXMEM_TRY(merge());
  CODEXMEM_TRY(end_bulk());
  CODEXMEM_ASSIGN(store::CodeWriter * open, writer());
  CODEXMEM_TRY(store::restore_merges(database_));
  CODEXMEM_TRY(mark ? open->put_meta("run", *mark) : open->remove_meta("run"));
  CODEXMEM_TRY(open->put_meta("last_run", report));
  CODEXMEM_TRY(last(*open));
  CODEXMEM_TRY(commit());
  database_.shrink_log(kLongLog);
  return {};
}

}  // namespace codexmem::index
