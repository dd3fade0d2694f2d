// Tested by ask/memory_answers_test.cpp.
#include "ask/memory/entry_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "text/json.h"
#include "base/text.h"
#include "ask/memory/arguments.h"
#include "ask/memory/record_cut.h"
#include "ask/memory/record_json.h"
#include "ask/memory/whole_records.h"
#include "memory/times.h"
#include "privacy/private_text.h"

namespace codexmem::ask {
namespace {

constexpr std::size_t kMaxEntryIds = 200;
constexpr std::size_t kShownIdBytes = 40;  // of ids that are none
constexpr std::size_t kMinTokens = 200;
constexpr std::size_t kMaxTokens = 25'000;
constexpr std::size_t kFrameBytes = 64;  // of an answer, around its records
constexpr char kNoText[] = "text is required and must be non-empty";

Result<std::size_t> read_max_bytes(const ToolArguments& given) {
  CODEXMEM_ASSIGN(const std::size_t tokens,
                  given.whole("max_tokens", kLongBytes / kBytesPerToken, kMinTokens, kMaxTokens));
  return tokens * kBytesPerToken;
}

// What the code of an entry was found to be.
struct CitedCode {
  std::vector<memory::Citation> citations;
  bool is_looked_up = false;  // else there is no index, and nothing is known to be missing
};

CitedCode cite(const Call& call, const memory::Mentions& mentions) {
  if (call.code.cite) {
    if (auto cited = call.code.cite(mentions); cited.ok()) return {*std::move(cited), true};
  }
  // Where there is no index, what is given is cited by its name.
  return {memory::cite_by_name(call.memory.root(), mentions), false};
}

memory::DocumentWriter writer_of(const Call& call, std::vector<memory::Citation> citations) {
  if (citations.empty()) return {};
  return [citations = std::move(citations), now = call.memory.clock()()](
             store::Database& database, memory::DocumentKey document) {
    return memory::put_citations(database, document, citations, now);
  };
}

memory::Mentions mentions_of(const memory::NewEntry& entry) {
  return {entry.title + "\n" + entry.text, entry.cited_files, entry.cited_symbols};
}

// What is told of a save besides the row.
struct SaveNotes {
  CitedCode code;
  std::size_t given = 0;                    // files and symbols
  std::vector<std::string> private_fields;  // that lost what was marked private
};

std::vector<std::string> private_fields(const memory::NewEntry& entry) {
  std::vector<std::string> fields;
  for (const auto& [name, text] :
       {std::pair("title", &entry.title), std::pair("text", &entry.text)}) {
    const std::string whole = repair_utf8(*text);
    if (privacy::strip_private(whole) != whole) fields.emplace_back(name);
  }
  if (privacy::strip_private_json(entry.metadata) != entry.metadata)
    fields.emplace_back("metadata");
  return fields;
}

void put_notes(const SaveNotes& notes, Json& json) {
  std::size_t told = 0;
  for (const memory::Citation& citation : notes.code.citations) {
    const bool is_missing =
        notes.code.is_looked_up && citation.is_given && citation.body_hash.empty();
    const std::string name = citation.symbol.empty() ? citation.path
                             : citation.path.empty() ? citation.symbol
                                                     : citation.path + "::" + citation.symbol;
    json[is_missing ? "not_found" : "cites"].push_back(std::string(utf8_prefix(name, 200)));
    told += citation.is_given ? 1 : 0;
  }
  if (told < notes.given) json["cites_omitted"] = notes.given - told;
  if (!notes.private_fields.empty()) json["private_removed"] = notes.private_fields;
}

std::string saved_json(const memory::SavedEntry& saved, const SaveNotes& notes) {
  const auto id = static_cast<std::int64_t>(saved.id);
  Json json = {{"status", "saved"},
               {"id", std::to_string(id)},
               {"created_at", memory::iso_time(saved.created_at_ms)},
               {"success", true},
               {"title", saved.title},
               {"project", saved.project},
               {"type", saved.type},
               {"message", fmt::format("Memory saved as observation #{}", id)},
               {"observation_id", id}};
  if (saved.is_duplicate) json["duplicate"] = true;
  put_notes(notes, json);
  return dump_json(json);
}

Result<memory::SavedEntry> save(const Call& call, memory::NewEntry entry,
                                const memory::EntryHook& hook) {
  auto saved = call.memory.entries().save(std::move(entry), hook);
  if (saved.ok() && !saved->is_duplicate) call.memory.note_change();
  return saved;
}

// What get_observations is asked for.
struct ObservationList {
  memory::EntryFilter filter;
  bool is_hidden = false;  // of a project that is not told here
};

Result<ObservationList> read_observation_list(const memory::Memory& memory,
                                              const ToolArguments& given) {
  ObservationList list;
  memory::EntryFilter& filter = list.filter;
  CODEXMEM_ASSIGN(const auto ids, given.integers("ids"));
  if (ids.size() > memory::kMaxListedIds) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("ids must be an array of at most {} numbers, got {}",
                             memory::kMaxListedIds, ids.size())};
  }
  filter.ids.emplace();
  for (const std::int64_t id : ids) filter.ids->push_back(memory::EntryId{id});
  CODEXMEM_ASSIGN(const std::string order, given.choice("orderBy", "date_desc,date_asc"));
  filter.oldest_first = order == "date_asc";
  CODEXMEM_ASSIGN(filter.limit,
                  given.clamped("limit", memory::kMaxListedIds, 1, memory::kMaxListedIds));
  CODEXMEM_ASSIGN(filter.offset, given.clamped("offset", 0, 0, memory::kMaxListedIds));
  CODEXMEM_ASSIGN(const std::string project, given.text("project"));
  if (!trim(project).empty()) filter.projects = {std::string(trim(project))};
  if (memory.is_isolated() && filter.projects.empty()) filter.projects = {memory.project()};
  CODEXMEM_ASSIGN(filter.types, given.texts("type"));
  CODEXMEM_ASSIGN(filter.concepts, given.texts("concepts"));
  CODEXMEM_ASSIGN(filter.files, given.texts("files"));
  list.is_hidden = memory.is_isolated() && filter.projects[0] != memory.project();
  return list;
}

// Those of the ids that no entry has. One that a filter, or another page, keeps out is there.
Result<void> list_missing(const Call& call, const ObservationList& list,
                          const std::vector<memory::Entry>& told,
                          std::vector<std::int64_t>* missing) {
  std::set<memory::EntryId> known;
  for (const memory::Entry& entry : told) known.insert(entry.id);
  std::vector<memory::EntryId> others;
  for (const memory::EntryId id : *list.filter.ids) {
    if (!known.contains(id)) others.push_back(id);
  }
  CODEXMEM_ASSIGN(const auto there, call.memory.entries().get(others));
  for (const memory::Entry& entry : there) {
    if (call.memory.shows(entry.project)) known.insert(entry.id);
  }
  for (const memory::EntryId id : others) {
    if (known.insert(id).second) missing->push_back(static_cast<std::int64_t>(id));
  }
  return {};
}

// `missing`, if given, gets the ids that no entry has.
Result<std::vector<std::string>> observation_rows(const Call& call, const ObservationList& list,
                                                  std::vector<std::int64_t>* missing = nullptr) {
  std::vector<std::string> rows;
  if (list.filter.ids->empty() || list.is_hidden) return rows;
  CODEXMEM_ASSIGN(const auto entries, call.memory.entries().list(list.filter));
  if (missing != nullptr) CODEXMEM_TRY(list_missing(call, list, entries, missing));
  std::vector<memory::DocumentKey> documents;
  for (const memory::Entry& entry : entries) documents.push_back(memory::document_key(entry.id));
  const CitedStates cited = look_up_code(call, documents);
  for (const memory::Entry& entry : entries) {
    const auto states = cited.find(memory::document_key(entry.id));
    rows.push_back(observation_json(
        entry, states == cited.end() ? std::span<const memory::CitationState>()
                                     : std::span<const memory::CitationState>(states->second)));
  }
  return rows;
}

Result<Answer> get_observations(const Call& call, std::string_view arguments) {
  CODEXMEM_ASSIGN(const ToolArguments given, ToolArguments::parse(arguments));
  CODEXMEM_ASSIGN(ObservationList list, read_observation_list(call.memory, given));
  // All are read, so that those beyond the limit can be counted.
  const std::size_t limit = std::exchange(list.filter.limit, memory::kMaxListedIds);
  CODEXMEM_ASSIGN(const std::size_t body_offset,
                  given.clamped("body_offset", 0, 0, memory::kMaxTextBytes));
  CODEXMEM_ASSIGN(const std::size_t max_bytes, read_max_bytes(given));
  std::vector<std::int64_t> missing;
  CODEXMEM_ASSIGN(std::vector<std::string> items, observation_rows(call, list, &missing));
  const std::size_t all = items.size();
  Json siblings = Json::object();
  if (!missing.empty()) {
    std::vector<std::string> texts;
    for (const std::int64_t id : missing) texts.push_back(std::to_string(id));
    const std::size_t shown = count_fitting(texts, max_bytes / 4);
    if (shown < missing.size()) siblings["missing_omitted"] = missing.size() - shown;
    missing.resize(shown);
    siblings["missing"] = missing;
  }
  items.resize(std::min(items.size(), limit));
  items = fitting_records(std::move(items), body_offset,
                          max_bytes - kFrameBytes - dump_json(siblings).size());
  if (items.size() < all) {
    siblings["omitted"] = all - items.size();
    siblings["nextOffset"] = list.filter.offset + items.size();
  }
  return list_answer(items, dump_json(siblings));
}

Result<Answer> get_entries(const Call& call, std::string_view arguments) {
  CODEXMEM_ASSIGN(const ToolArguments given, ToolArguments::parse(arguments));
  CODEXMEM_ASSIGN(const std::vector<std::string> ids, given.ids("ids"));
  if (ids.empty() || ids.size() > kMaxEntryIds) {
    return Error{
        ErrorCode::kInvalidArgument,
        fmt::format("ids must be an array of 1 to {} ids, got {}", kMaxEntryIds, ids.size())};
  }
  CODEXMEM_ASSIGN(const std::size_t offset, given.clamped("offset", 0, 0, kMaxEntryIds));
  CODEXMEM_ASSIGN(const std::size_t body_offset,
                  given.clamped("body_offset", 0, 0, memory::kMaxTextBytes));
  CODEXMEM_ASSIGN(const std::size_t max_bytes, read_max_bytes(given));
  std::vector<memory::DocumentKey> keys;
  for (const std::string& id : ids) {
    if (const auto key = read_id(id)) keys.push_back(*key);
  }
  CODEXMEM_ASSIGN(const auto records, read_records(call, keys, /*as_details=*/true));
  std::vector<std::string> items, missing;
  for (const std::string& id : ids) {
    const auto key = read_id(id);
    const auto record = key ? records.find(*key) : records.end();
    if (record == records.end()) {
      missing.push_back(id);
    } else {
      items.push_back(record->second);
    }
  }
  for (std::string& id : missing) id = std::string(utf8_prefix(id, kShownIdBytes));
  if (items.empty()) {
    const std::size_t shown = count_fitting(missing, max_bytes / 4);
    std::vector<std::string> told(missing.begin(),
                                  missing.begin() + static_cast<std::ptrdiff_t>(shown));
    const Json details = {{"missing", told}};
    std::vector<std::string> named(
        missing.begin(), missing.begin() + std::min<std::ptrdiff_t>(
                                               10, static_cast<std::ptrdiff_t>(missing.size())));
    return Error{
        ErrorCode::kNotFound,
        fmt::format("no entry has {} {}{}", named.size() == 1 ? "the id" : "one of the ids",
                    join(named, ", "), missing.size() > named.size() ? ", ..." : ""),
        dump_json(details)};
  }
  items.erase(items.begin(),
              items.begin() + static_cast<std::ptrdiff_t>(std::min(offset, items.size())));
  Json siblings = Json::object();
  if (!missing.empty()) {
    const std::size_t shown = count_fitting(missing, max_bytes / 4);
    if (shown < missing.size()) siblings["missing_omitted"] = missing.size() - shown;
    missing.resize(shown);
    siblings["missing"] = missing;
  }
  const std::size_t all = items.size();
  items = fitting_records(std::move(items), body_offset,
                          max_bytes - kFrameBytes - dump_json(siblings).size());
  if (items.size() < all) {
    siblings["omitted"] = all - items.size();
    siblings["nextOffset"] = offset + items.size();
  }
  std::string object = "{\"items\":[" + join(items, ",") + "]";
  object += siblings.empty() ? "}" : "," + dump_json(siblings).substr(1);
  return object_answer(std::move(object));
}

template <typename Function>
Answer answered(const Function& function, const Call& call, std::string_view arguments) {
  Result<Answer> answer = function(call, arguments);
  return answer.ok() ? *std::move(answer) : memory_failure(answer.error());
}

}  // namespace

memory::DocumentWriter cited_writer(const Call& call, const memory::Mentions& mentions) {
  return writer_of(call, cite(call, mentions).citations);
}

memory::EntryHook citing(const Call& call) {
  return [&call](const memory::NewEntry& entry) -> Result<memory::DocumentWriter> {
    return cited_writer(call, mentions_of(entry));
  };
}

Result<memory::NewEntry> read_save(const memory::Memory& memory, std::string_view arguments) {
  CODEXMEM_ASSIGN(const ToolArguments given, ToolArguments::parse(arguments));
  memory::NewEntry entry;
  const auto text = given.text("text");
  if (!text.ok() || trim(*text).empty()) return Error{ErrorCode::kInvalidArgument, kNoText};
  entry.text = *text;
  CODEXMEM_ASSIGN(entry.title, given.text("title"));
  CODEXMEM_ASSIGN(const std::string project, given.text("project"));
  CODEXMEM_ASSIGN(entry.project, project_to_write(memory, project));
  CODEXMEM_ASSIGN(entry.type, given.text("type"));
  CODEXMEM_ASSIGN(entry.source_ref, given.text("source_ref"));
  CODEXMEM_ASSIGN(entry.metadata, given.object("metadata"));
  CODEXMEM_ASSIGN(entry.concepts, given.texts("concepts"));
  CODEXMEM_ASSIGN(entry.cited_files, given.texts("files"));
  entry.files_read = entry.cited_files;
  CODEXMEM_ASSIGN(entry.cited_symbols, given.texts("symbols"));
  return entry;
}

Result<memory::SavedEntry> run_save(const Call& call, memory::NewEntry entry) {
  return save(call, std::move(entry), citing(call));
}

Result<std::vector<std::string>> list_observations(const Call& call, std::string_view arguments) {
  CODEXMEM_ASSIGN(const ToolArguments given, ToolArguments::parse(arguments));
  CODEXMEM_ASSIGN(const ObservationList list, read_observation_list(call.memory, given));
  return observation_rows(call, list);
}

Answer answer_save_memory(const Call& call, std::string_view arguments) {
  auto entry = read_save(call.memory, arguments);
  if (!entry.ok()) return memory_failure(entry.error());
  SaveNotes notes;
  notes.given = entry->cited_files.size() + entry->cited_symbols.size();
  notes.private_fields = private_fields(*entry);
  const memory::EntryHook hook =
      [&](const memory::NewEntry& prepared) -> Result<memory::DocumentWriter> {
    notes.code = cite(call, mentions_of(prepared));
    return writer_of(call, notes.code.citations);
  };
  const auto saved = save(call, *std::move(entry), hook);
  return saved.ok() ? object_answer(saved_json(*saved, notes)) : memory_failure(saved.error());
}

Answer answer_get_observations(const Call& call, std::string_view arguments) {
  return answered(get_observations, call, arguments);
}

Answer answer_get_entries(const Call& call, std::string_view arguments) {
  return answered(get_entries, call, arguments);
}

}  // namespace codexmem::ask
