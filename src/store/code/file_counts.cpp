// The note: {"generation": n, "languages": {"python": [files, unparsed], ...}, "totals": [...]}, of
// which the totals are as StoreCounts has them.
//
// Tested by index/tree_look_test.cpp.
#include "store/code/file_counts.h"

#include <utility>

#include "text/json.h"
#include "store/query.h"

namespace codexmem::store {
namespace {

constexpr char kCountsKey[] = "file_counts";
// A run that changes more files counts all: the rows of each are looked for, twice.
constexpr std::size_t kMaxLookedAt = 200;

// Symbols, chunks and vectors of a file are numbered alike.
constexpr char kCountOneSql[] = R"sql(
SELECT (SELECT count(*) FROM symbol_rows WHERE id BETWEEN ?1 AND ?2),
  (SELECT count(*) FROM chunk_rows WHERE id BETWEEN ?1 AND ?2),
  (SELECT count(*) FROM chunk_vectors WHERE id BETWEEN ?1 AND ?2),
  (SELECT count(*) FROM dependencies WHERE source_file_id = ?3))sql";

bool is_unparsed(const FileRow& row) { return (row.flags & (kFileTruncated | kFileUnparsed)) != 0; }

}  // namespace

Result<std::vector<LanguageCount>> recount_languages(StoreReader& reader) {
  static_assert((kFileTruncated | kFileUnparsed) == 12);
  return query::list(reader.database(),
                     "SELECT language, count(*), sum(flags & 12 <> 0)"
                     " FROM file_rows INDEXED BY files_scan WHERE path >= '' GROUP BY language",
                     query::as<LanguageCount>);
}

Result<FileCounts> recount_files(StoreReader& reader) {
  FileCounts counts;
  CODEXMEM_ASSIGN(counts.languages, recount_languages(reader));
  CODEXMEM_ASSIGN(const auto totals, query::find(reader.database(), R"sql(
SELECT (SELECT count(*) FROM file_rows),
  (SELECT count(*) FROM symbol_rows WHERE id >> 20 NOT IN (SELECT id FROM parked_rows)),
  (SELECT count(*) FROM chunk_rows WHERE id >> 20 NOT IN (SELECT id FROM parked_rows)),
  (SELECT count(*) FROM chunk_vectors WHERE id >> 20 NOT IN (SELECT id FROM parked_rows)),
  (SELECT count(*) FROM dependencies),
  (SELECT count(*) FROM skipped_files),
  (SELECT coalesce(sum(size), 0) FROM file_rows INDEXED BY files_scan WHERE path >= ''),
  (SELECT coalesce(sum(line_count), 0) FROM file_rows INDEXED BY files_scan WHERE path >= ''))sql",
                                                 query::as<StoreCounts>));
  counts.totals = totals.value_or(StoreCounts{});
  return counts;
}

Result<std::optional<FileCounts>> find_noted_counts(StoreReader& reader) {
  CODEXMEM_ASSIGN(const auto text, reader.find_meta(kCountsKey));
  CODEXMEM_ASSIGN(const std::int64_t generation, reader.generation());
  const Json note = text ? Json::parse(*text, nullptr, /*allow_exceptions=*/false) : Json();
  if (!note.is_object() || !note.contains("generation") || !note.contains("totals") ||
      !note.contains("languages") || note["generation"] != generation ||
      !note["totals"].is_array() || note["totals"].size() != kTotals.size() ||
      !note["languages"].is_object()) {
    return std::optional<FileCounts>();
  }
  FileCounts counts;
  for (std::size_t i = 0; i < kTotals.size(); ++i) {
    if (!note["totals"][i].is_number_unsigned()) return std::optional<FileCounts>();
    counts.totals.*kTotals[i] = note["totals"][i].get<std::int64_t>();
  }
  for (const auto& [language, numbers] : note["languages"].items()) {
    if (!numbers.is_array() || numbers.size() != 2 || !numbers[0].is_number_unsigned() ||
        !numbers[1].is_number_unsigned()) {
      return std::optional<FileCounts>();
    }
    counts.languages.push_back(
        {language, numbers[0].get<std::size_t>(), numbers[1].get<std::size_t>()});
  }
  return std::optional(std::move(counts));
}

Result<FileCounts> count_files(StoreReader& reader) {
  CODEXMEM_ASSIGN(auto noted, find_noted_counts(reader));
  return noted ? Result<FileCounts>(*std::move(noted)) : recount_files(reader);
}

Result<void> FileCountChanges::count(StoreReader& reader, const FileRow& row, int by,
                                     Changes& changes) {
  CODEXMEM_ASSIGN(Statement query,
                  query::prepare(reader.database(), kCountOneSql, symbol_id(row.id, 0),
                                 symbol_id(row.id, kFileVectorIndex), row.id));
  CODEXMEM_TRY(query.step());
  StoreCounts& totals = changes.totals;
  totals.files += by;
  totals.symbols += by * query.integer(0);
  totals.chunks += by * query.integer(1);
  totals.vectors += by * query.integer(2);
  totals.dependencies += by * query.integer(3);
  totals.source_bytes += by * row.size;
  totals.lines += by * static_cast<std::int64_t>(row.line_count);
  Change& change = changes.languages[row.language];
  change.files += by;
  if (is_unparsed(row)) change.unparsed += by;
  return {};
}

Result<void> FileCountChanges::remove(StoreReader& reader, const FileRow& row) {
  // Of a file that was written by the same run nothing was counted before.
  if (!is_known_ || added_.contains(row.id)) {
    recount();
    return {};
  }
  if (++looked_ > kMaxLookedAt) {
    recount();
    return {};
  }
  return count(reader, row, -1, removed_);
}

Result<void> FileCountChanges::note(const std::optional<FileCounts>& before,
                                    std::optional<std::size_t> skipped, std::int64_t generation,
                                    StoreReader& reader, CodeWriter& writer) const {
  FileCounts now;
  bool is_sound = is_known_ && before.has_value() && added_.size() <= kMaxLookedAt;
  if (is_sound) {
    Changes changes = removed_;
    for (const FileId id : added_) {
      CODEXMEM_ASSIGN(const auto row, reader.find_file(id));
      if (row) CODEXMEM_TRY(count(reader, *row, 1, changes));
    }
    for (const LanguageCount& count : before->languages) {
      changes.languages[count.language].files += static_cast<std::int64_t>(count.files);
      changes.languages[count.language].unparsed += static_cast<std::int64_t>(count.files_unparsed);
    }
    for (const auto& [language, change] : changes.languages) {
      is_sound = is_sound && change.files >= 0 && change.unparsed >= 0;
      if (change.files == 0) continue;
      now.languages.push_back({language, static_cast<std::size_t>(change.files),
                               static_cast<std::size_t>(change.unparsed)});
    }
    now.totals = before->totals;
    if (skipped) now.totals.skipped = static_cast<std::int64_t>(*skipped);
    for (const auto member : kTotals) {
      now.totals.*member += changes.totals.*member;
      is_sound = is_sound && now.totals.*member >= 0;
    }
  }
  if (!is_sound) {
    CODEXMEM_ASSIGN(now, recount_files(reader));
  }
  Json languages = Json::object(), totals = Json::array();
  for (const LanguageCount& count : now.languages) {
    languages[count.language] = Json::array({count.files, count.files_unparsed});
  }
  for (const auto member : kTotals) {
    totals.push_back(static_cast<std::uint64_t>(now.totals.*member));
  }
  const Json note = {{"generation", generation},
                     {"languages", std::move(languages)},
                     {"totals", std::move(totals)}};
  return writer.put_meta(kCountsKey, dump_json(note));
}

}  // namespace codexmem::store
