// graph/stored/facts_cache.h - decoded facts of files, shared by all questions.
//
// Facts are unpacked when a question first needs them and kept until memory is short. An entry
// belongs to one version of a file (id and generation), so an answer made inside a read transaction
// sees the facts of that moment whatever is written meanwhile. Thread-safe.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/imports/file_table.h"
#include "graph/imports/import_table.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

class FactsCache {
 public:
  /// Keeps about `max_bytes` of decoded facts.
  explicit FactsCache(std::size_t max_bytes = std::size_t{192} << 20);
  ~FactsCache();
  FactsCache(const FactsCache&) = delete;
  FactsCache& operator=(const FactsCache&) = delete;

  /// The paths of files whose facts could not be read through `reader` since this was last called
  /// for it: an index run for them with IndexOptions::force makes them again. Questions that are
  /// answered at the same time have readers of their own, and each learns of what it met itself.
  std::vector<std::string> take_damaged(const store::CodeReader& reader);

  /// The files of the snapshot that `reader` sees; read again when the store has changed. Errors:
  /// the store's errors.
  Result<std::shared_ptr<const FileTable>> files(store::CodeReader& reader);
  /// Their imports; `files` are of the same snapshot.
  Result<std::shared_ptr<const ImportTable>> imports(store::CodeReader& reader,
                                                     const std::shared_ptr<const FileTable>& files);

  struct Impl;
  Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::graph
