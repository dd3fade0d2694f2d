// graph/stored/question_files.h - the files that one question is about.
//
// A question about a name needs the rows of some hundred files, and a store may have a hundred
// thousand: they are read one by one, until so many were needed that the whole table costs less, or
// a question wants all. A table that another question has read is used. One thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "graph/stored/facts_cache.h"
#include "graph/imports/file_table.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

class QuestionFiles {
 public:
  /// Both outlive this, and `reader` sees one moment meanwhile.
  QuestionFiles(FactsCache::Impl& cache, store::CodeReader& reader);

  /// As FileTable has them. Rows live as long as this.
  const store::FileRow* find(store::FileId id);
  const store::FileRow* find(std::string_view path);
  bool has_folder(std::string_view path);
  const std::vector<store::FileRow>& rows();
  std::size_t skipped();

  /// The store's first error; results after it are incomplete.
  const Result<void>& status() const { return status_; }

 private:
  // Null until the table is worth its cost, or `is_wanted` whole.
  const FileTable* table(bool is_wanted);
  // Keeps the row that was read and returns it; null without one.
  const store::FileRow* keep(Result<std::optional<store::FileRow>> read);

  FactsCache::Impl& cache_;
  store::CodeReader& reader_;
  std::shared_ptr<const FileTable> table_;
  std::unordered_map<store::FileId, store::FileRow> by_id_;
  std::unordered_map<std::string, const store::FileRow*> by_path_;  // null: no such file
  std::size_t reads_ = 0;
  Result<void> status_;
};

}  // namespace codexmem::graph
