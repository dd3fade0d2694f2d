// Tested by graph/question_files_test.cpp.
#include "graph/stored/question_files.h"

#include <utility>

#include "graph/stored/facts_cache_impl.h"

namespace codexmem::graph {
namespace {

// A row by itself is read through the text before it: 20 us, where the table costs 1 us a row.
constexpr std::size_t kMaxSingleReads = 2000;

}  // namespace

QuestionFiles::QuestionFiles(FactsCache::Impl& cache, store::CodeReader& reader)
    : cache_(cache), reader_(reader) {
  auto known = cache.known_files(reader);
  if (known.ok()) {
    table_ = *std::move(known);
  } else {
    status_ = std::move(known).error();
  }
}

const FileTable* QuestionFiles::table(bool is_wanted) {
  if (table_ == nullptr && (is_wanted || reads_ >= kMaxSingleReads)) {
    auto loaded = cache_.files(reader_);
    if (loaded.ok()) {
      table_ = *std::move(loaded);
    } else if (status_.ok()) {
      status_ = std::move(loaded).error();
    }
  }
  return table_.get();
}

const store::FileRow* QuestionFiles::keep(Result<std::optional<store::FileRow>> read) {
  ++reads_;
  if (!read.ok()) {
    if (status_.ok()) status_ = std::move(read).error();
    return nullptr;
  }
  if (!*read) return nullptr;
  const store::FileId id = (*read)->id;
  return &by_id_.try_emplace(id, *std::move(*read)).first->second;
}

const store::FileRow* QuestionFiles::find(store::FileId id) {
  // (Rows returned before the table was read stay valid, and are returned again.)
  if (const auto known = by_id_.find(id); known != by_id_.end()) return &known->second;
  if (const FileTable* all = table(false)) return all->find(id);
  return keep(reader_.find_file(id));
}

const store::FileRow* QuestionFiles::find(std::string_view path) {
  if (const FileTable* all = table(false)) return all->find(path);
  const auto [at, is_new] = by_path_.try_emplace(std::string(path), nullptr);
  if (is_new) at->second = keep(reader_.find_file(path));
  return at->second;
}

bool QuestionFiles::has_folder(std::string_view path) {
  if (const FileTable* all = table(false)) return all->has_folder(path);
  ++reads_;
  const std::string prefix = path.empty() ? std::string() : std::string(path) + "/";
  auto next = reader_.list_files_after(prefix, 1);
  if (next.ok()) return !next->empty() && next->front().path.starts_with(prefix);
  if (status_.ok()) status_ = std::move(next).error();
  return false;
}

const std::vector<store::FileRow>& QuestionFiles::rows() {
  static const std::vector<store::FileRow> kNone;
  const FileTable* all = table(true);
  return all == nullptr ? kNone : all->rows();
}

std::size_t QuestionFiles::skipped() {
  if (table_ != nullptr) return table_->skipped();
  auto counted = reader_.count_skipped();
  if (counted.ok()) return *counted;
  if (status_.ok()) status_ = std::move(counted).error();
  return 0;
}

}  // namespace codexmem::graph
