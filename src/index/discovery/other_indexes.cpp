// Tested by index/worktrees_test.cpp.
#include "index/discovery/other_indexes.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "config/git_root.h"
#include "index/packs/pack_make.h"
#include "index/packs/store_check.h"
#include "index/run/index_version.h"
#include "store/code/own_database.h"
#include "store/code/seal.h"
#include "store/code/store_directory.h"
#include "store/code/store_reader.h"

namespace codexmem::index {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxOtherIndexes = 8;
constexpr std::chrono::milliseconds kOpenTimeout{100};

bool is_usable(store::Database& database) {
  store::StoreReader reader(database);
  const auto version = reader.find_meta("index_version");
  const auto are_compared = are_packs_compared(reader);
  return version.ok() && *version == index_version() && are_compared.ok() && *are_compared;
}

// A parse without an end may end here.
bool is_parsed(const store::FileRow& row, const parse::FileFacts& facts) {
  const bool is_text_alone = (row.flags & store::kFileUnparsed) != 0 && facts.unparsed.empty();
  return !facts.truncated && (row.flags & store::kFileTruncated) == 0 && !is_text_alone;
}

Result<std::optional<parse::FileFacts>> find_in(store::Database& database,
                                                const store::FileRow& file, std::string_view text) {
  store::StoreReader reader(database);
  CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(database));
  CODEXMEM_ASSIGN(auto row, reader.find_parked(file.path, file.hash));
  if (!row) {
    CODEXMEM_ASSIGN(const auto ids, reader.list_files_with_hash(file.hash));
    if (!ids.empty()) {
      CODEXMEM_ASSIGN(row, reader.find_file(ids.front()));
    }
  }
  if (!row || row->language != file.language) return std::optional<parse::FileFacts>();
  CODEXMEM_ASSIGN(const auto content, reader.find_content(row->id));
  if (content != text) return std::optional<parse::FileFacts>();
  CODEXMEM_ASSIGN(auto facts, read_whole_facts(reader, row->id));
  if (!facts || !is_parsed(*row, *facts)) return std::optional<parse::FileFacts>();
  return facts;
}

}  // namespace

OtherIndexes::OtherIndexes(const fs::path& root) {
  std::vector<std::pair<fs::file_time_type, fs::path>> found;
  for (const fs::path& other : other_worktrees(root)) {
    const fs::path path = store::locate_store(other).path / store::kIndexName;
    std::error_code failed;
    const auto time = fs::last_write_time(path, failed);
    if (!failed && store::is_own_file(path)) found.emplace_back(time, path);
  }
  std::ranges::sort(found, std::greater<>());
  for (const auto& [time, path] : found) {
    if (databases_.size() >= kMaxOtherIndexes) break;
    auto opened = store::open_own(path, store::workspace_kind(),
                                  {.read_only = true, .busy_timeout = kOpenTimeout});
    if (opened.ok() && is_usable(*opened)) databases_.push_back(*std::move(opened));
  }
}

std::optional<parse::FileFacts> OtherIndexes::find(const store::FileRow& file,
                                                   std::string_view text) {
  for (store::Database& database : databases_) {
    auto found = find_in(database, file, text);
    if (found.ok() && *found) return *std::move(found);
  }
  return std::nullopt;
}

}  // namespace codexmem::index
