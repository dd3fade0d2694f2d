// A text that was UTF-8 without a byte order mark has the bytes of its file, so its hash can be
// compared. Another text is decoded again from the file on disk, if that is still the indexed
// version.
//
// Tested by index/store_check_test.cpp.
#include "index/packs/store_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

#include "base/hash.h"
#include "base/log.h"
#include "base/mapped_file.h"
#include "base/text.h"
#include "embed/vector_index.h"
#include "index/discovery/decode.h"
#include "index/discovery/root_directory.h"
#include "index/packs/pack_make.h"
#include "index/packs/pack_use.h"
#include "index/run/run_lock.h"
#include "parse/facts/facts_codec.h"
#include "parse/facts/whole_facts.h"
#include "parse/rules/languages.h"
#include "parse/walk/extract.h"
#include "store/code/chunk_terms.h"
#include "store/code/code_writer.h"
#include "search/segment.h"
#include "store/code/seal.h"
#include "store/code/text_books.h"
#include "text/json.h"
#include "text/parse_json.h"

namespace codexmem::index {
namespace {

constexpr std::size_t kMaxProblems = 20;
constexpr std::chrono::seconds kCheckTime{20};  // of one parse
constexpr std::chrono::hours kNoEnd{1'000};
constexpr char kDamagedKey[] = "damaged";  // in meta: the result of a check
constexpr std::size_t kMaxFileBytes = std::size_t{1} << 30;

class Check {
 public:
  Check(store::StoreReader& reader, const RootDirectory& root) : reader_(reader), root_(root) {}

  Result<StoreCheck> run() {
    CODEXMEM_TRY(reader_.visit_chunk_terms(
        [&](std::string_view term, store::ChunkId chunk, std::uint32_t part) {
          indexed_[static_cast<std::int64_t>(chunk)] += token_sum(term, part);
        }));
    CODEXMEM_ASSIGN(const bool have_books, store::are_books_whole(reader_.database()));
    if (!have_books) {
      note("the phrases that its texts are coded with are missing or changed");
      return std::move(found_);
    }
    CODEXMEM_ASSIGN(const auto files, reader_.list_files());
    for (const store::FileRow& file : files) {
      CODEXMEM_TRY(check_file(file));
      if (found_.problems.size() >= kMaxProblems) return std::move(found_);
    }
    if (!indexed_.empty()) note("the full-text index has words of no file");
    return std::move(found_);
  }

 private:
  void note(std::string_view what) {
    found_.problems.push_back(
        store::damage_error(reader_.database().path().string(), what).message());
  }
  void note(const store::FileRow& file, std::string_view what) {
    note(fmt::format("{}: {}", file.path, what));
  }

  Result<void> check_file(const store::FileRow& file) {
    auto read = reader_.find_content(file.id);
    if (!read.ok() && read.error().code() == ErrorCode::kCorrupt) {
      found_.problems.push_back(read.error().message());
      return {};
    }
    CODEXMEM_ASSIGN(const auto text, std::move(read));
    CODEXMEM_ASSIGN(const auto facts, reader_.find_facts(file.id));
    if (!text) {
      note(file, "its text is missing");
      return {};
    }
    check_text(file, *text);
    if (!facts || !parse::decode_facts(*facts).ok()) found_.unread.push_back(file);
    CODEXMEM_ASSIGN(const auto symbols, reader_.list_symbols(file.id));
    CODEXMEM_ASSIGN(const auto chunks, reader_.list_chunks(file.id));
    const auto is_outside = [&](const auto& row) {
      return row.range.begin > row.range.end || row.range.end > text->size();
    };
    if (std::any_of(symbols.begin(), symbols.end(), is_outside) ||
        std::any_of(chunks.begin(), chunks.end(), is_outside)) {
      note(file, "a definition or a chunk is not within its text");
      return {};
    }
    for (const store::ChunkRow& chunk : chunks) check_words(file, chunk, *text);
    return {};
  }

  // Checks that the full-text index contains exactly the words of a chunk.
  void check_words(const store::FileRow& file, const store::ChunkRow& chunk,
                   std::string_view text) {
    const store::ChunkTerms terms = maker_.make(text.substr(chunk.range.begin, chunk.range.size()));
    std::uint64_t sum = 0;
    for (const std::string_view token : split(terms.tokens, ' ')) {
      if (token.empty()) continue;
      const store::TokenPart part = store::read_term_token(token);
      sum += token_sum(part.term, part.part);
    }
    const auto found = indexed_.find(static_cast<std::int64_t>(chunk.id));
    const std::uint64_t indexed = found == indexed_.end() ? 0 : found->second;
    if (found != indexed_.end()) indexed_.erase(found);
    if (sum != indexed) note(file, "the full-text index has other words than its text");
  }

  // Sums of these hashes distinguish sets of tokens, in any order.
  static std::uint64_t token_sum(std::string_view term, std::uint32_t part) {
    std::uint64_t hash = 0xCBF29CE484222325ULL ^ part;  // FNV-1a
    for (const char c : term) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    return (hash ^ hash >> 31) * 0x9E3779B97F4A7C15ULL;
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

  store::StoreReader& reader_;
  const RootDirectory& root_;
  store::ChunkTermsMaker maker_;
  std::unordered_map<std::int64_t, std::uint64_t> indexed_;  // sums of the tokens of chunks
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
  const bool is_damaged = !found.problems.empty();
  if (is_noted == is_damaged && found.unread.empty()) return {};
  CODEXMEM_ASSIGN(store::Database * database, workspace.writer());
  CODEXMEM_ASSIGN(store::Transaction transaction, store::Transaction::begin(*database));
  store::CodeWriter writer(*database);
  if (is_damaged) {
    CODEXMEM_TRY(writer.put_meta(kDamagedKey, found.problems.front()));
  } else {
    CODEXMEM_TRY(writer.remove_meta(kDamagedKey));
  }
  if (!found.unread.empty()) CODEXMEM_TRY(writer.begin_generation());
  for (const store::FileRow& file : found.unread) CODEXMEM_TRY(writer.expire_file(file.id));
  return transaction.commit();
}

Result<StoreCheck> check_store(store::Workspace& workspace) {
  CODEXMEM_ASSIGN(const FileLock lock, take_run_lock(workspace.lock_path(), true, {}, {}));
  CODEXMEM_ASSIGN(StoreCheck found, check_database(workspace));
  // If the note cannot be written, a run will detect the damage itself.
  if (const auto noted = note_damage(workspace, found); !noted.ok()) {
    log_debug("{}", noted.error().message());
  }
  // A file that is not the user's own is never read, and is overwritten.
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

namespace {

// Files whose facts a pack may have given, by id.
Result<std::vector<store::FileRow>> list_parsed(store::CodeReader& reader) {
  CODEXMEM_ASSIGN(auto files, reader.list_files());
  std::erase_if(files, [](const store::FileRow& file) {
    const parse::Language* const language = parse::find_language(file.language);
    return language == nullptr || !language->has_grammar ||
           (file.flags & store::kFileTruncated) != 0;
  });
  std::ranges::sort(files, {}, &store::FileRow::id);
  return files;
}

// Compares `files` for `time`, and at least one.
Result<FactsCheck> compare_facts(store::StoreReader& reader, std::span<const store::FileRow> files,
                                 std::chrono::milliseconds time, const std::stop_token& stop) {
  const auto end = std::chrono::steady_clock::now() + time;
  FactsCheck found;
  found.left = files.size();
  parse::Extractor extractor;
  for (const store::FileRow& file : files) {
    if (found.left < files.size() && std::chrono::steady_clock::now() > end) break;
    --found.left;
    CODEXMEM_ASSIGN(const auto text, reader.find_content(file.id));
    CODEXMEM_ASSIGN(const auto stored, read_whole_facts(reader, file.id));
    const auto parsed = extractor.extract(*parse::find_language(file.language), text.value_or(""),
                                          {.time_limit = kCheckTime}, stop);
    if (!parsed.ok() && parsed.error().code() == ErrorCode::kCancelled) return parsed.error();
    if (!parsed.ok() || parsed->truncated) continue;
    ++found.compared;
    if (!stored || parse::encode_whole_facts(*stored) != parse::encode_whole_facts(*parsed)) {
      found.differs.push_back(file);
    }
  }
  return found;
}

// Has the next run read `expired` again, and keeps `note` of the packs.
Result<void> note_facts(store::Workspace& workspace, std::span<const store::FileRow> expired,
                        const Json& note) {
  CODEXMEM_ASSIGN(store::Database * database, workspace.writer());
  CODEXMEM_ASSIGN(store::Transaction transaction, store::Transaction::begin(*database));
  store::CodeWriter writer(*database);
  if (!expired.empty()) CODEXMEM_TRY(writer.begin_generation());
  for (const store::FileRow& file : expired) CODEXMEM_TRY(writer.expire_file(file.id));
  if (note.is_object()) CODEXMEM_TRY(writer.put_meta(kPacksKey, dump_json(note)));
  return transaction.commit();
}

Result<Json> read_packs_note(store::StoreReader& reader) {
  CODEXMEM_ASSIGN(const auto note, reader.find_meta(kPacksKey));
  return parse_json(note.value_or(""));
}

std::int64_t number_of(const Json& note, std::string_view name) {
  const Json* const value = find_member(note, name);
  return value != nullptr && value->is_number_integer() ? value->get<std::int64_t>() : 0;
}

bool is_done(const Json& note) { return number_of(note, "compared") >= number_of(note, "files"); }

}  // namespace

Result<FactsCheck> check_facts(store::Workspace& workspace, const std::stop_token& stop) {
  CODEXMEM_ASSIGN(const FileLock lock, take_run_lock(workspace.lock_path(), true, {}, stop));
  FactsCheck found;
  Json note;
  {
    CODEXMEM_ASSIGN(store::ReaderLease reader, workspace.reader());
    CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(reader->database()));
    CODEXMEM_ASSIGN(note, read_packs_note(*reader));
    CODEXMEM_ASSIGN(const auto files, list_parsed(*reader));
    CODEXMEM_ASSIGN(found, compare_facts(*reader, files, kNoEnd, stop));
  }
  if (note.is_object()) {
    note["compared"] = number_of(note, "files");
    note.erase("next");
  }
  CODEXMEM_TRY(note_facts(workspace, found.differs, note));
  return found;
}

Result<bool> are_packs_compared(store::StoreReader& reader) {
  CODEXMEM_ASSIGN(const Json note, read_packs_note(reader));
  return is_done(note);
}

Result<FactsCheck> check_some_facts(store::Workspace& workspace, std::chrono::milliseconds time,
                                    const std::stop_token& stop) {
  FactsCheck found;
  Json note;
  {
    CODEXMEM_ASSIGN(store::ReaderLease reader, workspace.reader());
    CODEXMEM_ASSIGN(note, read_packs_note(*reader));
    if (is_done(note)) return found;
  }
  CODEXMEM_ASSIGN(const FileLock lock, take_run_lock(workspace.lock_path(), false, {}, stop));
  std::vector<store::FileRow> expired;
  {
    CODEXMEM_ASSIGN(store::ReaderLease reader, workspace.reader());
    CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(reader->database()));
    CODEXMEM_ASSIGN(note, read_packs_note(*reader));
    if (is_done(note)) return found;
    CODEXMEM_ASSIGN(auto files, list_parsed(*reader));
    const auto next = static_cast<store::FileId>(number_of(note, "next"));
    std::erase_if(files, [&](const store::FileRow& file) { return file.id < next; });
    CODEXMEM_ASSIGN(found, compare_facts(*reader, files, time, stop));
    const auto rest = files.end() - static_cast<std::ptrdiff_t>(found.left);
    if (!found.differs.empty()) {
      expired = found.differs;
      expired.insert(expired.end(), rest, files.end());
      found.left = 0;
    }
    const std::int64_t all = number_of(note, "files");
    const std::int64_t done =
        std::max<std::int64_t>(0, all - static_cast<std::int64_t>(found.left));
    note["compared"] =
        found.left == 0 ? all : std::min(all - 1, std::max(number_of(note, "compared"), done));
    note.erase("next");
    if (found.left > 0) note["next"] = static_cast<std::int64_t>(rest->id);
  }
  CODEXMEM_TRY(note_facts(workspace, expired, note));
  for (const store::FileRow& file : found.differs) {
    log_warn(
        "{}: {} says something else of it than this program finds there; it is read again, as "
        "all that were not compared yet",
        file.path, text_member(note, "from"));
  }
  return found;
}

}  // namespace codexmem::index
