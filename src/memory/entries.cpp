#include "memory/entries.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "text/json.h"
#include "text/json_text.h"
#include "base/log.h"
#include "base/text.h"
#include "privacy/gate.h"
#include "text/json_lists.h"
#include "memory/sessions.h"

namespace codexmem::memory {
namespace {

constexpr char kFindSameSql[] = R"sql(
SELECT id, created_at_ms FROM entries WHERE project_id = ?1 AND content_hash = ?2)sql";
constexpr char kInsertEntrySql[] = R"sql(
INSERT INTO entries (project_id, session_id, entry_type, title, has_own_title, subtitle, body,
  facts, concepts, files_read, files_modified, prompt_number, discovery_tokens, source, source_ref,
  content_hash, created_at_ms)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17))sql";
constexpr char kInsertMetadataSql[] = R"sql(
INSERT INTO entry_metadata (entry_id, key, value) VALUES (?1, ?2, ?3))sql";

constexpr char kFindEntrySql[] = R"sql(
SELECT e.id, p.name, s.content_session_id, e.entry_type, e.title, e.subtitle, e.body, e.facts,
  e.concepts, e.files_read, e.files_modified, e.prompt_number, e.discovery_tokens, e.source,
  e.source_ref, e.created_at_ms
FROM entries AS e JOIN projects AS p ON p.id = e.project_id
LEFT JOIN sessions AS s ON s.id = e.session_id
WHERE e.id = ?1)sql";
constexpr char kListMetadataSql[] = R"sql(
SELECT key, value FROM entry_metadata WHERE entry_id = ?1 ORDER BY key)sql";

constexpr char kListLinksSql[] = R"sql(
SELECT from_id, to_id FROM entry_links WHERE to_id = ?1 AND kind = 'supersedes'
UNION ALL
SELECT from_id, to_id FROM entry_links WHERE from_id = ?1 AND kind = 'supersedes'
ORDER BY from_id, to_id)sql";

// Where the ids of a list come from: those that were given, one project's, or all.
constexpr char kFromIds[] = R"sql(
SELECT e.id FROM (SELECT DISTINCT value AS id FROM json_each(?1)) AS wanted
CROSS JOIN entries AS e ON e.id = wanted.id WHERE ?2 IS NULL)sql";
constexpr char kFromProject[] = R"sql(
SELECT e.id FROM entries AS e INDEXED BY entries_project WHERE ?1 IS NULL AND e.project_id = ?2)sql";
constexpr char kFromSaved[] = R"sql(
SELECT e.id FROM entries AS e INDEXED BY entries_saved
WHERE ?1 IS NULL AND e.project_id = ?2 AND e.source = 'manual')sql";
constexpr char kFromAll[] = R"sql(
SELECT e.id FROM entries AS e INDEXED BY entries_time WHERE ?1 IS NULL AND ?2 IS NULL)sql";
// A list that is null lets everything through.
constexpr char kFilters[] = R"sql(
AND (?3 IS NULL OR e.project_id IN (
  SELECT id FROM projects WHERE name IN (SELECT value FROM json_each(?3))))
AND (?4 IS NULL OR e.entry_type IN (SELECT value FROM json_each(?4)))
AND (?5 IS NULL OR EXISTS (
  SELECT 1 FROM json_each(e.concepts) AS c WHERE c.value IN (SELECT value FROM json_each(?5))))
AND (?6 IS NULL OR EXISTS (
  SELECT 1 FROM (SELECT value FROM json_each(e.files_read) UNION ALL
                 SELECT value FROM json_each(e.files_modified)) AS f, json_each(?6) AS w
  WHERE instr(lower(f.value), lower(w.value)) > 0))
AND (?9 = 0 OR e.source = 'manual')
AND (?10 = 0 OR NOT EXISTS (
  SELECT 1 FROM entry_links WHERE to_id = e.id AND kind = 'supersedes')))sql";
constexpr char kNewestFirst[] = R"sql(
ORDER BY e.created_at_ms DESC, e.id DESC LIMIT ?7 OFFSET ?8)sql";
constexpr char kOldestFirst[] = R"sql(
ORDER BY e.created_at_ms, e.id LIMIT ?7 OFFSET ?8)sql";

constexpr std::int64_t kLastMs = 253'402'300'799'999;  // the end of the year 9999
constexpr int kMaxMetadataDepth = 32;
constexpr std::size_t kMaxTypeBytes = 64;
constexpr std::size_t kShownBytes = 80;

Result<void> check_sizes(const NewEntry& entry) {
  CODEXMEM_TRY(check_size("text", entry.text, kMaxTextBytes));
  CODEXMEM_TRY(check_size("title", entry.title, kMaxTitleBytes));
  CODEXMEM_TRY(check_size("subtitle", entry.subtitle, kMaxTitleBytes));
  CODEXMEM_TRY(check_size("project", entry.project, kMaxNameBytes));
  CODEXMEM_TRY(check_size("session", entry.session, kMaxNameBytes));
  CODEXMEM_TRY(check_size("type", entry.type, kMaxNameBytes));
  CODEXMEM_TRY(check_size("source_ref", entry.source_ref, kMaxSourceRefBytes));
  CODEXMEM_TRY(check_size("metadata", entry.metadata, kMaxMetadataBytes));
  CODEXMEM_TRY(check_list("facts", entry.facts));
  CODEXMEM_TRY(check_list("concepts", entry.concepts));
  CODEXMEM_TRY(check_list("files_read", entry.files_read));
  CODEXMEM_TRY(check_list("files_modified", entry.files_modified));
  CODEXMEM_TRY(check_list("files", entry.cited_files));
  return check_list("symbols", entry.cited_symbols);
}

void clean(NewEntry& entry) {
  for (std::string* text : {&entry.project, &entry.session, &entry.type, &entry.title, &entry.text,
                            &entry.subtitle, &entry.source_ref}) {
    *text = privacy::cleaned(*text);
  }
  for (auto* list : {&entry.facts, &entry.concepts, &entry.files_read, &entry.files_modified,
                     &entry.cited_files, &entry.cited_symbols}) {
    *list = privacy::cleaned(*list);
  }
  entry.metadata = privacy::cleaned_json(entry.metadata);
  // Names are told apart by what is seen of them.
  entry.project = fold_whitespace(entry.project);
  entry.title = fold_whitespace(entry.title);
}

Result<void> inspect(const NewEntry& entry) {
  privacy::Inspection inspection;
  inspection.add("text", entry.text);
  inspection.add("title", entry.title);
  inspection.add("subtitle", entry.subtitle);
  inspection.add("project", entry.project);
  inspection.add("session", entry.session);
  inspection.add("type", entry.type);
  inspection.add("source_ref", entry.source_ref);
  inspection.add("metadata", entry.metadata);
  inspection.add("facts", entry.facts);
  inspection.add("concepts", entry.concepts);
  inspection.add("files_read", entry.files_read);
  inspection.add("files_modified", entry.files_modified);
  inspection.add("files", entry.cited_files);
  inspection.add("symbols", entry.cited_symbols);
  return inspection.check();
}

bool is_type(std::string_view type) {
  const auto is_word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !type.empty() && type.size() <= kMaxTypeBytes && is_word(type.front()) &&
         std::all_of(type.begin(), type.end(),
                     [&](char c) { return is_word(c) || c == '_' || c == '-'; });
}

// The metadata as an object; a text that is none is an error.
Result<Json> parse_metadata(std::string_view text) {
  if (trim(text).empty()) return Json::object();
  if (is_too_deep(text, kMaxMetadataDepth)) {
    return invalid_argument(
        fmt::format("metadata must be nested at most {} levels deep", kMaxMetadataDepth));
  }
  Json value = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!value.is_object()) {
    return invalid_argument(
        fmt::format("metadata must be an object, got {}",
                    value.is_discarded() ? "text that is no JSON" : value.type_name()));
  }
  return value;
}

// Two hexadecimal digits a byte.
std::string packed(std::string_view hex) {
  const auto value = [](char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; };
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(value(hex[i]) * 16 + value(hex[i + 1]));
  }
  return bytes;
}

// What makes two entries of a project the same; each part is preceded by its length. What was
// observed is the same only where it is of the same event: what happened twice is told twice.
std::string content_hash(const NewEntry& entry) {
  std::string parts = fmt::format("{}:{}{}:{}{}:{}", entry.type.size(), entry.type,
                                  entry.title.size(), entry.title, entry.text.size(), entry.text);
  if (entry.source == "observer") {
    parts +=
        fmt::format("{}:{}{}:{}{}", entry.session.size(), entry.session, entry.source_ref.size(),
                    entry.source_ref, entry.prompt_number.value_or(0));
  }
  return packed(sha256_hex(parts));
}

Result<void> insert_metadata(store::Database& database, EntryId id, const std::string& metadata) {
  const Json object = Json::parse(metadata, nullptr, /*allow_exceptions=*/false);
  CODEXMEM_ASSIGN(store::Statement insert, database.statement(kInsertMetadataSql));
  for (const auto& [key, value] : object.items()) {
    const std::string text = dump_json(value);
    insert.bind(1, id);
    insert.bind(2, key);
    insert.bind(3, text);
    CODEXMEM_TRY(insert.run());
  }
  return {};
}

Result<std::string> read_metadata(store::Database& database, EntryId id) {
  CODEXMEM_ASSIGN(store::Statement list, database.statement(kListMetadataSql));
  list.bind(1, id);
  Json object = Json::object();
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, list.step());
    if (!more) break;
    Json value = Json::parse(list.text(1), nullptr, /*allow_exceptions=*/false);
    // Another program wrote it.
    if (value.is_discarded()) value = std::string(list.text(1));
    object[std::string(list.text(0))] = std::move(value);
  }
  return dump_json(object);
}

std::vector<std::string> redacted_list(std::string_view json) {
  std::vector<std::string> list = read_json_list(json);
  for (std::string& item : list) item = privacy::redacted(item);
  return list;
}

void bind_optional(store::Statement& statement, int index, std::string_view text) {
  if (text.empty()) {
    statement.bind_null(index);
  } else {
    statement.bind(index, text);
  }
}

}  // namespace

Result<void> check_type(std::string_view type) {
  if (is_type(type)) return {};
  return invalid_argument(fmt::format("type must match [a-z0-9][a-z0-9_-]{{0,63}}, got '{}'",
                                      utf8_prefix(type, kShownBytes)));
}

std::string default_title(std::string_view text) {
  const std::string folded = fold_whitespace(text);
  std::size_t end = 0;
  for (std::size_t points = 0; end < folded.size() && points < kDefaultTitlePoints; ++points) {
    ++end;
    while (end < folded.size() && (static_cast<unsigned char>(folded[end]) & 0xC0) == 0x80) ++end;
  }
  if (end == folded.size()) return folded;
  return std::string(trim(std::string_view(folded).substr(0, end))) + "...";
}

Result<void> check_size(std::string_view name, std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return {};
  return invalid_argument(
      fmt::format("{} must have at most {} bytes, got {}", name, limit, text.size()));
}

Result<void> check_list(std::string_view name, const std::vector<std::string>& list) {
  if (list.size() > kMaxListItems) {
    return invalid_argument(
        fmt::format("{} must have at most {} items, got {}", name, kMaxListItems, list.size()));
  }
  std::size_t bytes = 0;
  for (const std::string& item : list) bytes += item.size();
  if (bytes <= kMaxListBytes) return {};
  return invalid_argument(
      fmt::format("{} must have at most {} bytes, got {}", name, kMaxListBytes, bytes));
}

Result<std::optional<Entry>> find_entry(store::Database& database, EntryId id) {
  CODEXMEM_ASSIGN(store::Statement find, database.statement(kFindEntrySql));
  find.bind(1, id);
  CODEXMEM_ASSIGN(const bool found, find.step());
  if (!found) return std::optional<Entry>();
  Entry entry;
  entry.id = find.id<EntryId>(0);
  entry.project = find.text(1);
  entry.session = find.text(2);
  entry.type = find.text(3);
  entry.title = privacy::redacted(find.text(4));
  entry.subtitle = privacy::redacted(find.text(5));
  entry.body = privacy::redacted(find.text(6));
  entry.facts = redacted_list(find.text(7));
  entry.concepts = redacted_list(find.text(8));
  entry.files_read = redacted_list(find.text(9));
  entry.files_modified = redacted_list(find.text(10));
  if (!find.is_null(11)) entry.prompt_number = find.integer(11);
  entry.discovery_tokens = find.integer(12);
  entry.source = find.text(13);
  entry.source_ref = privacy::redacted(find.text(14));
  entry.created_at_ms = find.integer(15);
  CODEXMEM_ASSIGN(const std::string metadata, read_metadata(database, id));
  entry.metadata = privacy::redacted_json(metadata);
  CODEXMEM_ASSIGN(entry.succession, find_succession(database, id));
  return std::optional<Entry>(std::move(entry));
}

Result<Succession> find_succession(store::Database& database, EntryId id) {
  CODEXMEM_ASSIGN(store::Statement list, database.statement(kListLinksSql));
  list.bind(1, id);
  Succession succession;
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, list.step());
    if (!more) return succession;
    const auto from = list.id<EntryId>(0), to = list.id<EntryId>(1);
    if (to == id) {
      succession.superseded_by = from;
    } else {
      succession.supersedes.push_back(to);
    }
  }
}

Result<PreparedEntry> Entries::prepare(NewEntry entry, const EntryHook& hook) const {
  CODEXMEM_TRY(check_sizes(entry));
  clean(entry);
  if (entry.text.empty()) return invalid_argument("text is required and must be non-empty");
  CODEXMEM_TRY(inspect(entry));
  if (entry.type.empty()) entry.type = "discovery";
  CODEXMEM_TRY(check_type(entry.type));
  if (entry.created_at_ms && (*entry.created_at_ms < 0 || *entry.created_at_ms > kLastMs)) {
    return invalid_argument(
        fmt::format("created_at must be from 0 to {} ms, got {}", kLastMs, *entry.created_at_ms));
  }
  CODEXMEM_ASSIGN(const Json metadata, parse_metadata(entry.metadata));
  entry.metadata = dump_json(metadata);
  if (entry.project.empty()) entry.project = "default";

  PreparedEntry prepared;
  prepared.has_own_title = !entry.title.empty();
  if (!prepared.has_own_title) entry.title = default_title(entry.text);
  prepared.content_hash = content_hash(entry);
  const std::string details =
      entry.facts.empty() && entry.subtitle.empty()
          ? std::string()
          : fmt::format("\n{}\n{}", entry.subtitle, fmt::join(entry.facts, "\n"));
  auto codes =
      vectors_->encode(prepared.has_own_title ? entry.title : std::string(), entry.text + details);
  if (codes.ok()) {
    prepared.codes = *std::move(codes);
  } else {
    // The text is what matters; its vector can be made later.
    log_warn("an entry is saved without its vector: {}", codes.error().message());
  }
  if (hook) {
    CODEXMEM_ASSIGN(prepared.also_write, hook(entry));
  }
  prepared.entry = std::move(entry);
  return prepared;
}

Result<SavedEntry> Entries::insert(store::Database& database, const PreparedEntry& prepared) const {
  const NewEntry& entry = prepared.entry;
  const std::int64_t now_ms = clock_();
  CODEXMEM_ASSIGN(const ProjectId project, ensure_project(database, entry.project, now_ms));

  SavedEntry saved;
  saved.project = entry.project;
  saved.type = entry.type;
  saved.title = entry.title;
  saved.created_at_ms = entry.created_at_ms.value_or(now_ms);
  CODEXMEM_ASSIGN(store::Statement same, database.statement(kFindSameSql));
  same.bind(1, project);
  same.bind_blob(2, prepared.content_hash);
  CODEXMEM_ASSIGN(saved.is_duplicate, same.step());
  if (saved.is_duplicate) {
    saved.id = same.id<EntryId>(0);
    saved.created_at_ms = same.integer(1);
    return saved;
  }

  const std::string facts = write_json_list(entry.facts);
  const std::string concepts = write_json_list(entry.concepts);
  const std::string files_read = write_json_list(entry.files_read);
  const std::string files_modified = write_json_list(entry.files_modified);
  CODEXMEM_ASSIGN(store::Statement insert, database.statement(kInsertEntrySql));
  insert.bind(1, project);
  if (entry.session.empty()) {
    insert.bind_null(2);
  } else {
    CODEXMEM_ASSIGN(const SessionId session,
                    ensure_session(database, entry.session, project, saved.created_at_ms));
    insert.bind(2, session);
  }
  insert.bind(3, entry.type);
  insert.bind(4, entry.title);
  insert.bind(5, prepared.has_own_title);
  bind_optional(insert, 6, entry.subtitle);
  insert.bind(7, entry.text);
  insert.bind(8, facts);
  insert.bind(9, concepts);
  insert.bind(10, files_read);
  insert.bind(11, files_modified);
  if (entry.prompt_number) {
    insert.bind(12, *entry.prompt_number);
  } else {
    insert.bind_null(12);
  }
  insert.bind(13, entry.discovery_tokens);
  insert.bind(14, entry.source);
  bind_optional(insert, 15, entry.source_ref);
  insert.bind_blob(16, prepared.content_hash);
  insert.bind(17, saved.created_at_ms);
  CODEXMEM_TRY(insert.run());
  saved.id = static_cast<EntryId>(database.last_insert_id());

  CODEXMEM_TRY(insert_metadata(database, saved.id, entry.metadata));
  CODEXMEM_TRY(vectors_->put(database, document_key(saved.id), prepared.codes));
  if (prepared.also_write) CODEXMEM_TRY(prepared.also_write(database, document_key(saved.id)));
  return saved;
}

Result<SavedEntry> Entries::save(NewEntry entry, const EntryHook& hook) const {
  CODEXMEM_ASSIGN(const PreparedEntry prepared, prepare(std::move(entry), hook));
  CODEXMEM_ASSIGN(store::UserWriter writer, store_->writer());
  CODEXMEM_ASSIGN(store::Transaction transaction, store::Transaction::begin(*writer));
  CODEXMEM_ASSIGN(SavedEntry saved, insert(*writer, prepared));
  CODEXMEM_TRY(transaction.commit());
  return saved;
}

Result<std::vector<Entry>> Entries::get(std::span<const EntryId> ids) const {
  CODEXMEM_ASSIGN(store::UserReader reader, store_->reader());
  CODEXMEM_ASSIGN(const store::Transaction moment, store::Transaction::begin_read(*reader));
  std::vector<Entry> entries;
  for (const EntryId id : ids) {
    CODEXMEM_ASSIGN(std::optional<Entry> entry, find_entry(*reader, id));
    if (entry) entries.push_back(*std::move(entry));
  }
  return entries;
}

Result<std::vector<Entry>> Entries::list(const EntryFilter& filter) const {
  if (filter.ids && filter.ids->size() > kMaxListedIds) {
    return invalid_argument(
        fmt::format("ids must have at most {} items, got {}", kMaxListedIds, filter.ids->size()));
  }
  CODEXMEM_ASSIGN(store::UserReader reader, store_->reader());
  CODEXMEM_ASSIGN(const store::Transaction moment, store::Transaction::begin_read(*reader));

  std::optional<ProjectId> project;
  if (!filter.ids && filter.projects.size() == 1) {
    CODEXMEM_ASSIGN(project, store::find_project(*reader, filter.projects.front()));
    if (!project) return std::vector<Entry>();
  }
  const std::string sql = std::string(filter.ids                     ? kFromIds
                                      : project && filter.only_saved ? kFromSaved
                                      : project                      ? kFromProject
                                                                     : kFromAll) +
                          kFilters + (filter.oldest_first ? kOldestFirst : kNewestFirst);
  // Bound texts live until the last step.
  std::string ids;
  if (filter.ids) {
    std::vector<std::int64_t> numbers;
    for (const EntryId id : *filter.ids) numbers.push_back(static_cast<std::int64_t>(id));
    ids = dump_json(Json(numbers));
  }
  const std::string projects = write_json_list(filter.projects);
  const std::string types = write_json_list(filter.types);
  const std::string concepts = write_json_list(filter.concepts);
  const std::string files = write_json_list(filter.files);
  CODEXMEM_ASSIGN(store::Statement select, reader->statement(sql));
  if (filter.ids) select.bind(1, ids);
  if (project) {
    select.bind(2, *project);
  } else if (!filter.projects.empty()) {
    select.bind(3, projects);
  }
  if (!filter.types.empty()) select.bind(4, types);
  if (!filter.concepts.empty()) select.bind(5, concepts);
  if (!filter.files.empty()) select.bind(6, files);
  select.bind(7, static_cast<std::int64_t>(filter.limit));
  select.bind(8, static_cast<std::int64_t>(filter.offset));
  select.bind(9, filter.only_saved);
  select.bind(10, filter.only_current);

  std::vector<Entry> entries;
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, select.step());
    if (!more) return entries;
    CODEXMEM_ASSIGN(std::optional<Entry> entry, find_entry(*reader, select.id<EntryId>(0)));
    if (entry) entries.push_back(*std::move(entry));
  }
}

}  // namespace codexmem::memory
