// index/stored_names.h - which identifiers the index has of a file, so that they can be taken out.
//
// The identifier index keeps no text: FTS5 takes a file out of it when it is told exactly what it
// was given. Thread-safe; one for each run.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "base/result.h"
#include "store/code/store_reader.h"

namespace codexmem::index {

class StoredNames {
 public:
  /// The identifiers of the indexed file `id` as FileRecord::identifiers held them, in any order.
  ///
  /// They stand in the file's facts. When these cannot be read (damaged, or of another version),
  /// the index itself tells; it is scanned once for all such files, 0.1 s for 500,000 pairs.
  /// Errors: those of the store.
  Result<std::string> find(store::StoreReader& reader, store::FileId id);

 private:
  Result<void> scan(store::StoreReader& reader);

  std::mutex mutex_;  // guards what follows
  bool scanned_ = false;
  std::unordered_map<std::int64_t, std::string> by_file_;
};

}  // namespace codexmem::index
