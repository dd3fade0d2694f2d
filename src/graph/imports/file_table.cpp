#include "graph/imports/file_table.h"

#include <algorithm>

namespace codexmem::graph {

Result<std::shared_ptr<const FileTable>> FileTable::load(store::CodeReader& reader) {
  auto table = std::make_shared<FileTable>();
  CODEXMEM_ASSIGN(table->rows_, reader.list_files());
  std::sort(table->rows_.begin(), table->rows_.end(),
            [](const store::FileRow& a, const store::FileRow& b) { return a.path < b.path; });
  table->by_id_.reserve(table->rows_.size());
  for (std::uint32_t i = 0; i < table->rows_.size(); ++i) {
    table->by_id_.emplace(table->rows_[i].id, i);
  }
  CODEXMEM_ASSIGN(table->skipped_, reader.count_skipped());
  return std::shared_ptr<const FileTable>(std::move(table));
}

const store::FileRow* FileTable::find(store::FileId id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &rows_[found->second];
}

const store::FileRow* FileTable::find(std::string_view path) const {
  const auto found = std::partition_point(
      rows_.begin(), rows_.end(), [&](const store::FileRow& row) { return row.path < path; });
  return found == rows_.end() || found->path != path ? nullptr : &*found;
}

bool FileTable::has_folder(std::string_view path) const {
  if (path.empty()) return !rows_.empty();
  const std::string prefix = std::string(path) + "/";
  const auto found = std::partition_point(
      rows_.begin(), rows_.end(), [&](const store::FileRow& row) { return row.path < prefix; });
  return found != rows_.end() && found->path.starts_with(prefix);
}

}  // namespace codexmem::graph
