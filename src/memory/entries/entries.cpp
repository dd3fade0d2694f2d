#include "memory/entries/entries.h"

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
#include "memory/entries/sessions.h"
#include "store/user/shared_files.h"

namespace codexmem::memory {
namespace {

constexpr std::int64_t kLastMs = 253'402'300'799'999;  // the end of the year 9999
constexpr int kMaxMetadataDepth = 32;
constexpr std::size_t kMaxTypeBytes = 64;
constexpr std::size_t kShownBytes = 80;

struct TextField {
  const char* name;
  std::string NewEntry::*text;
  std::size_t limit;
};
constexpr TextField kTextFields[] = {{"text", &NewEntry::text, kMaxTextBytes},
                                     {"title", &NewEntry::title, kMaxTitleBytes},
                                     {"subtitle", &NewEntry::subtitle, kMaxTitleBytes},
                                     {"project", &NewEntry::project, kMaxNameBytes},
                                     {"session", &NewEntry::session, kMaxNameBytes},
                                     {"type", &NewEntry::type, kMaxNameBytes},
                                     {"source_ref", &NewEntry::source_ref, kMaxSourceRefBytes},
                                     {"metadata", &NewEntry::metadata, kMaxMetadataBytes}};
constexpr std::pair<const char*, std::vector<std::string> NewEntry::*> kListFields[] = {
    {"facts", &NewEntry::facts},           {"concepts", &NewEntry::concepts},
    {"files_read", &NewEntry::files_read}, {"files_modified", &NewEntry::files_modified},
    {"files", &NewEntry::cited_files},     {"symbols", &NewEntry::cited_symbols}};

Result<void> check_sizes(const NewEntry& entry) {
  for (const auto& [name, text, limit] : kTextFields) {
    CODEXMEM_TRY(check_size(name, entry.*text, limit));
  }
  for (const auto& [name, list] : kListFields) CODEXMEM_TRY(check_list(name, entry.*list));
  return {};
}

void clean(NewEntry& entry) {
  const std::string metadata = privacy::cleaned_json(entry.metadata);
  for (const TextField& field : kTextFields) {
    entry.*field.text = privacy::cleaned(entry.*field.text);
  }
  for (const auto& [name, list] : kListFields) entry.*list = privacy::cleaned(entry.*list);
  entry.metadata = metadata;
  // Names are compared by their visible characters.
  entry.project = fold_whitespace(entry.project);
  entry.title = fold_whitespace(entry.title);
}

Result<void> inspect(const NewEntry& entry) {
  privacy::Inspection inspection;
  for (const TextField& field : kTextFields) inspection.add(field.name, entry.*field.text);
  for (const auto& [name, list] : kListFields) inspection.add(name, entry.*list);
  return inspection.check();
}

bool is_type(std::string_view type) {
  const auto is_word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !type.empty() && type.size() <= kMaxTypeBytes && is_word(type.front()) &&
         std::all_of(type.begin(), type.end(),
                     [&](char c) { return is_word(c) || c == '_' || c == '-'; });
}

// The metadata as an object; another text is an error.
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
                    value.is_discarded() ? "text that is not JSON" : value.type_name()));
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
// observed is the same only if it is of the same event: what happened twice is stored twice.
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
  CODEXMEM_ASSIGN(auto entry, store::find_stored_entry(database, id));
  if (!entry) return entry;
  for (std::string* text : {&entry->title, &entry->subtitle, &entry->body, &entry->source_ref}) {
    *text = privacy::redacted(*text);
  }
  for (auto* list : {&entry->facts, &entry->concepts, &entry->files_read, &entry->files_modified}) {
    for (std::string& item : *list) item = privacy::redacted(item);
  }
  entry->metadata = privacy::redacted_json(entry->metadata);
  return entry;
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
  // What was imported or shared has its own place, and a document's sections are its file's.
  const bool is_made_here = entry.source == "manual" || entry.source == "observer";
  if (branches_ != nullptr && is_made_here) prepared.place = branches_->entry_place();
  prepared.entry = std::move(entry);
  return prepared;
}

namespace {

// What was said on one branch is said on another, too, or for everybody.
Result<void> stage_again(store::Database& database, DocumentKey key,
                         const std::optional<BranchPlace>& place, std::int64_t now_ms) {
  if (!place) return store::unstage_document(database, key);
  CODEXMEM_ASSIGN(const auto stages, store::list_stages_of(database, key));
  return stages.empty() ? Result<void>() : store::stage_document(database, key, *place, now_ms);
}

}  // namespace

Result<SavedEntry> Entries::insert(store::Database& database, const PreparedEntry& prepared) const {
  NewEntry entry = prepared.entry;
  const std::int64_t now_ms = clock_();
  if (!entry.created_at_ms) entry.created_at_ms = now_ms;
  CODEXMEM_ASSIGN(const ProjectId project, ensure_project(database, entry.project, now_ms));
  CODEXMEM_ASSIGN(const auto same,
                  store::find_same_entry(database, project, prepared.content_hash));
  SavedEntry saved{{}, entry.project, entry.type, entry.title, *entry.created_at_ms, false};
  if (same) {
    saved.id = same->id;
    saved.created_at_ms = same->created_at_ms;
    saved.is_duplicate = true;
    // What the team shared and he has said himself, too, stays when the team's file goes.
    if (entry.source != kSharedSource) {
      CODEXMEM_TRY(store::keep_shared_document(database, document_key(same->id)));
    }
    if (!prepared.is_imported) {
      CODEXMEM_TRY(stage_again(database, document_key(same->id), prepared.place, now_ms));
    }
    return saved;
  }
  std::optional<SessionId> session;
  if (!entry.session.empty()) {
    CODEXMEM_ASSIGN(session, ensure_session(database, entry.session, project, saved.created_at_ms));
  }
  CODEXMEM_ASSIGN(saved.id, store::insert_entry(database, entry, project, session,
                                                prepared.has_own_title, prepared.content_hash));
  CODEXMEM_TRY(vectors_->put(database, document_key(saved.id), prepared.codes));
  if (prepared.place) {
    CODEXMEM_TRY(store::stage_document(database, document_key(saved.id), *prepared.place, now_ms));
  }
  if (prepared.also_write) CODEXMEM_TRY(prepared.also_write(database, document_key(saved.id)));
  return saved;
}

Result<SavedEntry> Entries::save(NewEntry entry, const EntryHook& hook) const {
  CODEXMEM_ASSIGN(const PreparedEntry prepared, prepare(std::move(entry), hook));
  CODEXMEM_ASSIGN(store::UserTransaction writer, store_->begin());
  CODEXMEM_ASSIGN(SavedEntry saved, insert(*writer, prepared));
  CODEXMEM_TRY(writer.commit());
  return saved;
}

namespace {

// In the order of `ids`; unknown ones are left out.
Result<std::vector<Entry>> find_entries(store::Database& database, std::span<const EntryId> ids) {
  std::vector<Entry> entries;
  for (const EntryId id : ids) {
    CODEXMEM_ASSIGN(std::optional<Entry> entry, find_entry(database, id));
    if (entry) entries.push_back(*std::move(entry));
  }
  return entries;
}

}  // namespace

Result<std::vector<Entry>> Entries::get(std::span<const EntryId> ids) const {
  CODEXMEM_ASSIGN(store::UserMoment reader, store_->moment());
  return find_entries(*reader, ids);
}

Result<std::vector<Entry>> Entries::list(const EntryFilter& filter) const {
  if (filter.ids && filter.ids->size() > kMaxListedIds) {
    return invalid_argument(
        fmt::format("ids must have at most {} items, got {}", kMaxListedIds, filter.ids->size()));
  }
  EntryFilter seen = filter;
  if (branches_ != nullptr && !filter.ids) seen.hidden = branches_->scope()->hidden();
  CODEXMEM_ASSIGN(store::UserMoment reader, store_->moment());
  CODEXMEM_ASSIGN(const auto ids, store::list_entry_ids(*reader, seen));
  return find_entries(*reader, ids);
}

}  // namespace codexmem::memory
