// Tested by search/snapshot_file_test.cpp.
#include "search/snapshot_file.h"

#include <fmt/core.h>
#include <malloc.h>

#include <algorithm>
#include <span>
#include <sstream>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/log.h"
#include "base/random.h"
#include "search/segment_builder.h"
#include "store/code/code_writer.h"
#include "store/code/seal.h"

namespace codexmem::search {
namespace {

constexpr char kNoteKey[] = "ranking_file";  // in meta: mark, generation, files. stored

}  // namespace

Result<RankingFileNote> find_ranking_file(store::StoreReader& reader) {
  CODEXMEM_ASSIGN(const auto text, reader.find_meta(kNoteKey));
  RankingFileNote note;
  std::istringstream(text.value_or("")) >> note.mark >> note.generation >> note.files;
  return note;
}

Result<std::shared_ptr<const Segment>> open_ranking_file(store::StoreReader& reader,
                                                         const std::filesystem::path& path) {
  const std::shared_ptr<const Segment> none;
  CODEXMEM_ASSIGN(const RankingFileNote note, find_ranking_file(reader));
  if (note.mark == 0 || !store::is_own_file(path)) return none;
  auto file = MappedFile::open(path);
  if (!file.ok()) return none;
  auto segment = Segment::open(*std::move(file));
  if (!segment.ok()) {
    log_warn("{}: {}; the next index run rebuilds it", path.string(), segment.error().message());
    std::error_code ignored;
    std::filesystem::remove(path, ignored);  // so that the run sees that it is missing
    return none;
  }
  CODEXMEM_ASSIGN(const std::int64_t generation, reader.generation());
  const SegmentHead& head = (*segment)->head();
  if (head.mark != note.mark || head.generation > generation) return none;
  return *std::move(segment);
}

Result<bool> is_ranking_file_due(store::StoreReader& reader, const std::filesystem::path& path,
                                 bool has_written) {
  CODEXMEM_ASSIGN(const RankingFileNote note, find_ranking_file(reader));
  if (note.mark == 0 || !store::is_own_file(path)) return true;
  if (!has_written) return false;
  std::size_t files = 0, written = 0;
  CODEXMEM_TRY(reader.visit_files([&](const store::FileStamp& file) {
    ++files;
    written += file.generation > note.generation ? 1U : 0U;
  }));
  const std::size_t kept = files - written;
  const std::size_t gone = note.files > kept ? note.files - kept : 0;
  return std::max(written, gone) > most_files_behind(note.files);
}

Result<void> write_ranking_file(store::Workspace& workspace, store::Database& database) {
  std::uint64_t mark = 0;
  fill_random(std::as_writable_bytes(std::span(&mark, 1)));
  mark |= 1;  // 0 means none
  const std::filesystem::path path = workspace.ranking_path();
  // Return the run's freed memory to the system first, so that both are never allocated at once.
  database.release_memory();
  ::malloc_trim(0);
  SegmentHead head;
  {
    CODEXMEM_ASSIGN(store::ReaderLease reader, workspace.reader());
    CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(reader->database()));
    CODEXMEM_ASSIGN(FileReplacement file, FileReplacement::begin(path));
    CODEXMEM_ASSIGN(head, build_segment(*reader, mark,
                                        [&](std::string_view bytes) { return file.write(bytes); }));
    CODEXMEM_TRY(file.commit());
  }
  CODEXMEM_TRY(store::seal_file(path));
  CODEXMEM_ASSIGN(store::Transaction open, store::Transaction::begin(database));
  CODEXMEM_TRY(store::CodeWriter(database).put_meta(
      kNoteKey, fmt::format("{} {} {}", mark, head.generation, head.files)));
  return open.commit();
}

Result<void> update_ranking_file(store::Workspace& workspace, store::Database& database,
                                 bool has_written) {
  store::StoreReader reader(database);
  CODEXMEM_ASSIGN(const bool due,
                  is_ranking_file_due(reader, workspace.ranking_path(), has_written));
  return due ? write_ranking_file(workspace, database) : Result<void>();
}

}  // namespace codexmem::search
