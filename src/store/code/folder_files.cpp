#include "store/code/folder_files.h"

#include <string>
#include <utility>

#include "store/query.h"

namespace codexmem::store {
namespace {

constexpr std::string_view kAfterAllPaths = "\xF4\x8F\xBF\xBF";

}  // namespace

Result<std::vector<FileRow>> list_files_below(StoreReader& reader, std::string_view folder) {
  constexpr std::size_t kPage = 1000;
  const std::string prefix = std::string(folder) + "/";
  std::vector<FileRow> files;
  std::string after = prefix;
  for (;;) {
    CODEXMEM_ASSIGN(std::vector<FileRow> page,
                    reader.list_files_after(after, files.empty() ? 1 : kPage));
    if (page.empty()) return files;
    after = page.back().path;
    const bool is_last = !after.starts_with(prefix);
    for (FileRow& file : page) {
      if (file.path.starts_with(prefix)) files.push_back(std::move(file));
    }
    if (is_last) return files;
  }
}

Result<std::vector<FileRow>> StoreReader::list_files_in(std::string_view folder) {
  std::string begin(folder);
  if (!begin.empty()) begin += '/';
  std::string end = begin;
  if (end.empty()) {
    end = kAfterAllPaths;
  } else {
    end.back() = '0';  // what comes after '/'
  }
  // substr() counts characters; a longer tail than the name's alone would hold the folder's '/'.
  std::int64_t characters = 1;
  for (const char c : begin) {
    if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) ++characters;
  }
  return query::list(
      database_, R"sql(
SELECT id, path, language FROM file_rows INDEXED BY files_scan
WHERE path > ?1 AND path < ?2 AND instr(substr(path, ?3), '/') = 0 ORDER BY path)sql",
      [](const Statement& row) {
        FileRow file;
        file.id = row.id<FileId>(0);
        file.path = row.text(1);
        file.language = row.text(2);
        return file;
      },
      std::string_view(begin), std::string_view(end), characters);
}

}  // namespace codexmem::store
