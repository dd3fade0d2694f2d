// A text that was UTF-8 without a byte order mark has the bytes of its file, so its hash tells.
// Another text is decoded again from the file on disk, while that is the one that was indexed.
//
// Tested by index/store_check_test.cpp.
#include "index/store_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "base/hash.h"
#include "base/log.h"
#include "base/mapped_file.h"
#include "embed/vector_index.h"
#include "index/decode.h"
#include "index/root_directory.h"
#include "index/run_lock.h"
#include "parse/facts_codec.h"
#include "store/code/code_writer.h"
#include "search/segment.h"
#include "store/code/seal.h"

namespace codexmem::index {
namespace {

constexpr std::size_t kMaxProblems = 20;
constexpr char kDamagedKey[] = "damaged";  // in meta: what a check found
constexpr std::size_t kMaxFileBytes = std::size_t{1} << 30;

class Check {
 public:
  Check(store::CodeReader& reader, const RootDirectory& root) : reader_(reader), root_(root) {}

  Result<StoreCheck> run() {
    CODEXMEM_ASSIGN(const auto files, reader_.list_files());
    for (const store::FileRow& file : files) {
      CODEXMEM_TRY(check_file(file));
      if (found_.problems.size() >= kMaxProblems) break;
    }
    return std::move(found_);
  }

 private:
  void note(const store::FileRow& file, std::string_view what) {
    found_.problems.push_back(store::damage_error(reader_.database().path().string(),
                                                  fmt::format("{}: {}", file.path, what))
                                  .message());
  }

  Result<void> check_file(const store::FileRow& file) {
    CODEXMEM_ASSIGN(const auto text, reader_.find_content(file.id));
    CODEXMEM_ASSIGN(const auto facts, reader_.find_facts(file.id));
    if (!text || !facts) {
      note(file, "its text or its facts are missing");
      return {};
    }
    check_text(file, *text);
    if (const auto decoded = parse::decode_facts(*facts);
        !decoded.ok() && decoded.error().code() == ErrorCode::kCorrupt) {
      note(file, decoded.error().message());
    }
    CODEXMEM_ASSIGN(const auto symbols, reader_.list_symbols(file.id));
    CODEXMEM_ASSIGN(const auto chunks, reader_.list_chunks(file.id));
    const auto is_outside = [&](const auto& row) {
      return row.range.begin > row.range.end || row.range.end > text->size();
    };
    if (std::any_of(symbols.begin(), symbols.end(), is_outside) ||
        std::any_of(chunks.begin(), chunks.end(), is_outside)) {
      note(file, "a definition or a chunk is not within its text");
    }
    return {};
  }

  void check_text(const store::FileRow& file, const std::string& text) {
    if (file.hash.empty()) {  // to be read again
      ++found_.unknown;
      return;
    }
    ++found_.files;
    if (sha256_hex(text) == file.hash) return;
    FileStat stat;
    auto bytes = root_.read(file.path, kMaxFileBytes, &stat);
    if (bytes.ok() && sha256_hex(*bytes) == file.hash) {
      const auto decoded = decode_text(*std::move(bytes));
      if (!decoded || decoded->text != text) note(file, "its text is not the file's");
    } else if ((file.flags & store::kFileRepaired) == 0 &&
               file.size == static_cast<std::int64_t>(text.size())) {
      note(file, "its text does not have the hash that was noted");
    } else {
      --found_.files;
      ++found_.unknown;
    }
  }

  store::CodeReader& reader_;
  const RootDirectory& root_;
  StoreCheck found_;
};

}  // namespace

Result<StoreCheck> check_database(store::Workspace& workspace) {
  CODEXMEM_ASSIGN(auto damage, workspace.confirm_damage());
  if (damage) {
    StoreCheck found;
    found.problems.push_back(*std::move(damage));
    return found;
  }
  CODEXMEM_ASSIGN(const RootDirectory root, RootDirectory::open(workspace.root()));
  CODEXMEM_ASSIGN(store::ReaderLease reader, workspace.reader());
  CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(reader->database()));
  return Check(*reader, root).run();
}

Result<bool> is_noted_as_damaged(store::Workspace& workspace) {
  CODEXMEM_ASSIGN(store::ReaderLease reader, workspace.reader());
  CODEXMEM_ASSIGN(const auto note, reader->find_meta(kDamagedKey));
  return note.has_value();
}

Result<void> note_damage(store::Workspace& workspace, const StoreCheck& found) {
  CODEXMEM_ASSIGN(const bool is_noted, is_noted_as_damaged(workspace));
  if (is_noted != found.problems.empty()) return {};
  CODEXMEM_ASSIGN(store::Database * database, workspace.writer());
  store::CodeWriter writer(*database);
  return is_noted ? writer.remove_meta(kDamagedKey)
                  : writer.put_meta(kDamagedKey, found.problems.front());
}

Result<StoreCheck> check_store(store::Workspace& workspace) {
  CODEXMEM_ASSIGN(const FileLock lock, take_run_lock(workspace.lock_path(), true, {}, {}));
  CODEXMEM_ASSIGN(StoreCheck found, check_database(workspace));
  // Where no note can be written, a run meets the damage by itself.
  if (const auto noted = note_damage(workspace, found); !noted.ok()) {
    log_debug("{}", noted.error().message());
  }
  // One that is not the user's own is not read by anybody, and written over.
  const auto add = [&](const auto& loaded) {
    if (!loaded.ok() && loaded.error().code() == ErrorCode::kCorrupt) {
      found.problems.push_back(loaded.error().message());
    }
  };
  if (const auto path = workspace.vectors_path(); store::is_own_file(path)) {
    const auto vectors = embed::VectorIndex::load(path);
    add(vectors);
    if (vectors.ok()) {
      CODEXMEM_ASSIGN(const bool agree, (*vectors)->agrees_with_faiss());
      if (agree) {
        found.vectors = (*vectors)->kind();
      } else {
        found.problems.push_back(path.string() + ": FAISS finds other neighbours in it");
      }
    }
  }
  if (store::is_own_file(workspace.ranking_path())) {
    if (auto file = MappedFile::open(workspace.ranking_path()); file.ok()) {
      add(search::Segment::open(*std::move(file)));
    }
  }
  return found;
}

}  // namespace codexmem::index
