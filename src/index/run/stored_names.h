// index/run/stored_names.h - the identifiers that the index has for a file, needed to remove them.
//
// The identifier index keeps no text: FTS5 can remove a file only when it gets exactly the text
// that was added. Thread-safe; one for each run.
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
  /// They are in the file's facts. When these cannot be read (damaged, or of another version), they
  /// come from the index itself; it is scanned once for all such files, 0.1 s for 500,000 pairs.
  /// Errors: as the store.
  Result<std::string> find(store::StoreReader& reader, store::FileId id);

 private:
  Result<void> scan(store::StoreReader& reader);

  std::mutex mutex_;  // guards the members below
  bool scanned_ = false;
  std::unordered_map<std::int64_t, std::string> by_file_;
};

}  // namespace codexmem::index
