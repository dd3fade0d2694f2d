// graph/stored/facts_cache_impl.h - what FactsCache holds. Thread-safe.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "graph/stored/facts_cache.h"
#include "graph/core/file_model.h"
#include "graph/imports/file_table.h"
#include "graph/uses/found_usages.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

struct FactsCache::Impl {
  explicit Impl(std::size_t bytes) : max_bytes_(bytes) {}

  /// The files of the reader's moment.
  Result<std::shared_ptr<const FileTable>> files(store::CodeReader& reader);
  /// The same when it has been read, else nullptr.
  Result<std::shared_ptr<const FileTable>> known_files(store::CodeReader& reader);
  Result<std::shared_ptr<const ImportTable>> imports(store::CodeReader& reader,
                                                     const std::shared_ptr<const FileTable>& files);

  /// The files of each language at the reader's moment: what costs less than files().
  Result<std::shared_ptr<const std::vector<store::LanguageCount>>> language_counts(
      store::CodeReader& reader);

  /// The model of `row`; nullptr when its facts are gone or damaged, which is noted.
  Result<std::shared_ptr<const FileModel>> model(store::CodeReader& reader,
                                                 const store::FileRow& row);

  std::vector<std::string> take_damaged(const store::CodeReader& reader);

  /// What an earlier search with this key found in the same files; nullptr when none is kept.
  std::shared_ptr<const FoundUsages> find_usages(std::string_view key, std::int64_t generation);
  void keep_usages(std::string key, std::int64_t generation,
                   std::shared_ptr<const FoundUsages> found);

 private:
  struct Entry {
    store::FileId id{};
    std::int64_t generation = 0;
    std::shared_ptr<const FileModel> model;
  };

  struct Kept {
    std::string key;
    std::int64_t generation = 0;  // of the store: another moment has another one
    std::shared_ptr<const FoundUsages> found;
  };

  void note_damaged(const store::CodeReader& reader, const std::string& path);

  const std::size_t max_bytes_;
  std::mutex mutex_;          // guards all below
  std::list<Entry> entries_;  // most recently used first
  std::unordered_map<store::FileId, std::list<Entry>::iterator> by_id_;
  std::size_t used_bytes_ = 0;
  std::map<const store::CodeReader*, std::set<std::string>> damaged_;  // paths, by who met them
  std::list<Kept> kept_;                                               // newest first
  std::shared_ptr<const FileTable> table_;
  std::shared_ptr<const FileTable> imports_of_;  // whose imports_ are
  std::shared_ptr<const ImportTable> imports_;
  std::int64_t table_generation_ = -1;
  std::shared_ptr<const std::vector<store::LanguageCount>> counts_;
  std::int64_t counts_generation_ = -1;
};

}  // namespace codexmem::graph
