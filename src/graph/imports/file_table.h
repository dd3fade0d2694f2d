// graph/imports/file_table.h - the files of one generation of a store, by id and by path.
// Immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

class FileTable {
 public:
  static Result<std::shared_ptr<const FileTable>> load(store::CodeReader& reader);

  const store::FileRow* find(store::FileId id) const;
  const store::FileRow* find(std::string_view path) const;
  /// True when there is a file somewhere below `path`.
  bool has_folder(std::string_view path) const;
  const std::vector<store::FileRow>& rows() const { return rows_; }
  /// Files of the repository that are not indexed.
  std::size_t skipped() const { return skipped_; }

 private:
  std::vector<store::FileRow> rows_;  // by path
  std::unordered_map<store::FileId, std::uint32_t> by_id_;
  std::size_t skipped_ = 0;
};

}  // namespace codexmem::graph
