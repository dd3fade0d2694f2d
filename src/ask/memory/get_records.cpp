// Tested by ask/memory_answers_test.cpp.
#include "ask/memory/get_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"
#include "text/json.h"

namespace codexmem::ask {
namespace {

constexpr std::size_t kMaxEntryIds = 200;
constexpr std::size_t kShownIdBytes = 40;      // of ids that are none
constexpr std::size_t kShownIds = 10;          // of a message
constexpr std::size_t kRecordFrameBytes = 64;  // of an answer, around its records

Result<RecordPage> read_page(const ToolArguments& given, std::size_t max_offset) {
  RecordPage page;
  CODEXMEM_ASSIGN(page.offset, given.clamped("offset", 0, 0, max_offset));
  CODEXMEM_ASSIGN(page.body_offset, given.clamped("body_offset", 0, 0, memory::kMaxTextBytes));
  CODEXMEM_ASSIGN(page.max_bytes, read_max_bytes(given, kLongAnswerBytes));
  return page;
}

// Those of the ids that no entry has. One that a filter, or another page, keeps out is there.
Result<std::vector<std::string>> list_missing(const MemoryCall& call, const ObservationList& list,
                                              const std::vector<Record>& shown) {
  std::set<memory::EntryId> known;
  for (const Record& record : shown) known.insert(std::get<memory::Entry>(record.what).id);
  std::vector<memory::EntryId> others;
  for (const memory::EntryId id : *list.filter.ids) {
    if (!known.contains(id)) others.push_back(id);
  }
  CODEXMEM_ASSIGN(const auto there, call.memory.entries().get(others));
  for (const memory::Entry& entry : there) {
    if (call.memory.shows(entry.project)) known.insert(entry.id);
  }
  std::vector<std::string> missing;
  for (const memory::EntryId id : others) {
    if (known.insert(id).second) missing.push_back(std::to_string(static_cast<std::int64_t>(id)));
  }
  return missing;
}

void put_missing(std::vector<std::string> missing, std::size_t max_bytes, RecordsAnswer& answer) {
  const std::size_t shown = count_fitting(missing, max_bytes / 4);
  answer.missing_omitted = missing.size() - shown;
  missing.resize(shown);
  answer.missing = std::move(missing);
}

// What an answer has beside its items: ids are texts or numbers.
Json siblings_of(const RecordsAnswer& answer, bool ids_are_numbers) {
  Json siblings = Json::object();
  if (answer.missing_omitted > 0) siblings["missing_omitted"] = answer.missing_omitted;
  for (const std::string& id : answer.missing) {
    siblings["missing"].push_back(ids_are_numbers ? Json(std::stoll(id)) : Json(id));
  }
  answer.rest.put_into(siblings);
  return siblings;
}

// Puts into `answer` the first of `items` that fit together, with the commas between them, each
// from the code point body_offset on. `all` follow `page.offset`.
void put_items(std::vector<std::string> items, std::size_t all, const RecordPage& page,
               RecordsAnswer& answer, const Json& siblings) {
  const std::size_t max_bytes = page.max_bytes - kRecordFrameBytes - dump_json(siblings).size();
  std::size_t bytes = 0;
  for (std::string& item : items) {
    const bool is_first = answer.items.empty();
    if (is_first || page.body_offset > 0) {
      item = cut_record(std::move(item), page.body_offset, max_bytes);
    }
    bytes += item.size() + 1;
    if (!is_first && bytes > max_bytes + 1) break;
    answer.items.push_back(std::move(item));
  }
  const std::size_t shown = answer.items.size();
  if (shown < all) answer.rest = {all - shown, page.offset + shown};
}

Error no_entry(const std::vector<std::string>& missing, std::size_t max_bytes) {
  const auto first = [&](std::size_t count) {
    count = std::min(count, missing.size());
    return std::vector<std::string>(missing.begin(),
                                    missing.begin() + static_cast<std::ptrdiff_t>(count));
  };
  const auto named = first(kShownIds);
  return {ErrorCode::kNotFound,
          fmt::format("no entry has {} {}{}", named.size() == 1 ? "the id" : "one of the ids",
                      join(named, ", "), missing.size() > named.size() ? ", ..." : ""),
          dump_json(Json{{"missing", first(count_fitting(missing, max_bytes / 4))}})};
}

}  // namespace

Result<ObservationList> ObservationList::read(const memory::Memory& memory,
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

Result<std::vector<Record>> list_observations(const MemoryCall& call, const ObservationList& list) {
  if (list.filter.ids->empty() || list.is_hidden) return std::vector<Record>();
  CODEXMEM_ASSIGN(auto entries, call.memory.entries().list(list.filter));
  return with_code(call, std::move(entries));
}

Result<GetObservationsParams> GetObservationsParams::read(const memory::Memory& memory,
                                                          const ToolArguments& given) {
  GetObservationsParams params;
  CODEXMEM_ASSIGN(params.list, ObservationList::read(memory, given));
  CODEXMEM_ASSIGN(params.page, read_page(given, memory::kMaxListedIds));
  // All are read, so that those beyond the limit can be counted.
  params.limit = std::exchange(params.list.filter.limit, memory::kMaxListedIds);
  return params;
}

Result<ObservationsAnswer> run(const MemoryCall& call, GetObservationsParams params) {
  ObservationsAnswer answer;
  if (params.list.filter.ids->empty() || params.list.is_hidden) return answer;
  CODEXMEM_ASSIGN(const auto records, list_observations(call, params.list));
  CODEXMEM_ASSIGN(auto missing, list_missing(call, params.list, records));
  put_missing(std::move(missing), params.page.max_bytes, answer);
  std::vector<std::string> items;
  for (std::size_t i = 0; i < std::min(records.size(), params.limit); ++i) {
    items.push_back(record_json(records[i]));
  }
  put_items(std::move(items), records.size(), params.page, answer, siblings_of(answer, true));
  return answer;
}

Written ObservationsAnswer::to_json() const {
  return list_json(items, dump_json(siblings_of(*this, true)));
}

Result<GetEntriesParams> GetEntriesParams::read(const memory::Memory&, const ToolArguments& given) {
  GetEntriesParams params;
  CODEXMEM_ASSIGN(params.ids, given.ids("ids"));
  if (params.ids.empty() || params.ids.size() > kMaxEntryIds) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("ids must be an array of 1 to {} ids, got {}", kMaxEntryIds,
                             params.ids.size())};
  }
  CODEXMEM_ASSIGN(params.page, read_page(given, kMaxEntryIds));
  return params;
}

Result<EntriesAnswer> run(const MemoryCall& call, GetEntriesParams params) {
  std::vector<memory::DocumentKey> keys;
  for (const std::string& id : params.ids) {
    if (const auto key = read_id(id)) keys.push_back(*key);
  }
  CODEXMEM_ASSIGN(const auto found, read_records(call, keys));
  EntriesAnswer answer;
  std::vector<std::string> missing;
  for (const std::string& id : params.ids) {
    const auto key = read_id(id);
    const auto record = key ? found.find(*key) : found.end();
    if (record != found.end()) {
      answer.records.push_back(record->second);
    } else {
      missing.emplace_back(utf8_prefix(id, kShownIdBytes));
    }
  }
  if (answer.records.empty()) return no_entry(missing, params.page.max_bytes);
  put_missing(std::move(missing), params.page.max_bytes, answer);
  const auto begin = answer.records.begin();
  answer.records.erase(begin, begin + static_cast<std::ptrdiff_t>(
                                          std::min(params.page.offset, answer.records.size())));
  std::vector<std::string> items;
  for (const Record& record : answer.records) items.push_back(entry_json(record));
  put_items(std::move(items), answer.records.size(), params.page, answer,
            siblings_of(answer, false));
  answer.records.resize(answer.items.size());
  return answer;
}

Written EntriesAnswer::to_json() const {
  const Json siblings = siblings_of(*this, false);
  std::string object = "{\"items\":[" + join(items, ",") + "]";
  object += siblings.empty() ? "}" : "," + dump_json(siblings).substr(1);
  return object_json(std::move(object));
}

constexpr Param kGetObservationsParams[] = {
    {.name = "ids", .type = ParamType::kNumbers, .description = "Up to 500", .required = true},
    {.name = "orderBy", .choices = "date_desc,date_asc", .default_json = "\"date_desc\""},
    {.name = "limit", .type = ParamType::kWhole},
    {.name = "project"},
    {.name = "type", .type = ParamType::kTextOrTexts},
    {.name = "concepts", .type = ParamType::kTextOrTexts},
    {.name = "files", .type = ParamType::kTextOrTexts},
    {.name = "offset", .type = ParamType::kWhole, .listed = false},
    unlisted({.name = "body_offset", .type = ParamType::kWhole}),
    unlisted(max_tokens_param("25000")),
};

constinit const Question kGetObservations = {
    .name = "get_observations",
    .title = "Get observations",
    .description = "Full text of observations by the ids that search gives.",
    .groups = "memory",
    .params = kGetObservationsParams,
    .output_schema = R"json({"type":"object","properties":{
"results":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"},"project":{"type":"string"},"type":{"type":"string"},"title":{"type":"string"},"narrative":{"type":"string"},"created_at":{"type":"string"},"created_at_epoch":{"type":"integer"},"code_state":{"type":"string"}},"required":["id","project","type","title","created_at","created_at_epoch"]}},
"omitted":{"type":"integer"},"nextOffset":{"type":"integer"},
"code":{"type":"string"},"message":{"type":"string"},"details":{"anyOf":[{"type":"object"},{"type":"null"}]}},
"anyOf":[{"required":["results"]},{"required":["code","message"]}]})json",
    .checks_arguments = true,
    .fail = memory_failure,
    .run = run_memory_question<GetObservationsParams>};

constexpr Param kGetEntriesParams[] = {
    {.name = "ids",
     .type = ParamType::kTexts,
     .description = "1 to 200: 12, S3, P4",
     .required = true,
     .option = "ID",
     .help = "12, S3, P4",
     .takes = Takes::kIds},
    {.name = "offset", .type = ParamType::kWhole, .option = "--offset", .help = "Records to skip"},
    {.name = "body_offset", .type = ParamType::kWhole},
    unlisted(max_tokens_param("25000")),
};

constinit const Question kGetEntries = {
    .name = "get_entries",
    .title = "Get entries",
    .description = "Full text of any rows of search, sessions and prompts too.",
    .groups = "memory",
    .params = kGetEntriesParams,
    .output_schema = R"json({"type":"object","properties":{
"items":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"title":{"type":"string"},"body":{"type":"string"},"entry_type":{"type":"string"},"project":{"type":"string"},"session_id":{"anyOf":[{"type":"string"},{"type":"null"}]},"source_ref":{"anyOf":[{"type":"string"},{"type":"null"}]},"metadata":{"type":"object"},"created_at":{"type":"string"},"code_state":{"type":"string"}},"required":["id","title","body","entry_type","project","session_id","source_ref","metadata","created_at"]}},
"missing":{"type":"array","items":{"type":"string"}},"missing_omitted":{"type":"integer"},"omitted":{"type":"integer"},"nextOffset":{"type":"integer"},
"code":{"type":"string"},"message":{"type":"string"},"details":{"anyOf":[{"type":"object"},{"type":"null"}]}},
"anyOf":[{"required":["items"]},{"required":["code","message"]}]})json",
    .checks_arguments = true,
    .fail = memory_failure,
    .run = run_memory_question<GetEntriesParams>};

}  // namespace codexmem::ask
