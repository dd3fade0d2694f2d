// graph/file_table.h - the files of one generation of a store, by id and by path. Immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "store/code_reader.h"

namespace codexmem::graph {

class FileTable {
 public:
  static Result<std::shared_ptr<const FileTable>> load(store::CodeReader& reader);

  const store::FileRow* find(store::FileId id) const;
  const store::FileRow* find(std::string_view path) const;
  /// True when a file lies somewhere below `path`.
  bool has_folder(std::string_view path) const;
  const std::vector<store::FileRow>& rows() const { return rows_; }

 private:
  std::vector<store::FileRow> rows_;  // by path
  std::unordered_map<store::FileId, std::uint32_t> by_id_;
};

}  // namespace codexmem::graph
