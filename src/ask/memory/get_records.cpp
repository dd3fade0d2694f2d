// Tested by ask/memory_answers_test.cpp.
#include "ask/memory/get_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"
#include "text/json_object.h"

namespace codexmem::ask {
namespace {

constexpr std::size_t kMaxEntryIds = 200;
constexpr std::size_t kShownIdBytes = 40;      // of unknown ids
constexpr std::size_t kShownIds = 10;          // of a message
constexpr std::size_t kRecordFrameBytes = 64;  // of an answer, around its records

// The ids without an entry. An entry that a filter or another page leaves out counts as found.
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

// The members next to the items: ids are texts or numbers.
JsonText siblings_of(const RecordsAnswer& answer, bool ids_are_numbers) {
  const JsonText missing = json_list(answer.missing, [&](const std::string& id) {
    return ids_are_numbers ? std::to_string(std::stoll(id)) : json_value(id).text;
  });
  return json_object("missing_omitted", some(answer.missing_omitted), "missing", some(missing),
                     "omitted", some(answer.rest.omitted), "nextOffset", answer.rest.next());
}

// Puts into `answer` the first of `items` that fit together, with the commas between them, each
// from the code point body_offset on. `all` follow `page.offset`.
void put_items(std::vector<std::string> items, std::size_t all, const RecordPage& page,
               RecordsAnswer& answer, const JsonText& siblings) {
  const std::size_t max_bytes = page.max_bytes - kRecordFrameBytes - siblings.text.size();
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
          json_object("missing", first(count_fitting(missing, max_bytes / 4))).text};
}

Result<void> read_integers(const ToolArguments& given, const Param& param, void* params) {
  CODEXMEM_ASSIGN(const auto ids, given.integers(param.name));
  if (ids.size() > memory::kMaxListedIds) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("ids must be an array of at most {} numbers, got {}",
                             memory::kMaxListedIds, ids.size())};
  }
  auto& filter = static_cast<GetObservationsParams*>(params)->list.filter;
  filter.ids.emplace();
  for (const std::int64_t id : ids) filter.ids->push_back(memory::EntryId{id});
  return {};
}

Result<void> read_ids(const ToolArguments& given, const Param& param, void* params) {
  auto& ids = static_cast<GetEntriesParams*>(params)->ids;
  CODEXMEM_ASSIGN(ids, given.ids(param.name));
  if (!ids.empty() && ids.size() <= kMaxEntryIds) return {};
  return Error{
      ErrorCode::kInvalidArgument,
      fmt::format("ids must be an array of 1 to {} ids, got {}", kMaxEntryIds, ids.size())};
}

std::optional<bool> is_oldest_first(std::string_view order) { return order == "date_asc"; }

}  // namespace

Result<void> GetObservationsParams::complete(const memory::Memory& memory,
                                             const ToolArguments& given) {
  store::EntryFilter& filter = list.filter;
  if (!given.has("limit")) filter.limit = memory::kMaxListedIds;
  filter.offset = page.offset;
  if (memory.is_isolated() && filter.projects.empty()) filter.projects = {memory.project()};
  list.is_hidden = memory.is_isolated() && filter.projects[0] != memory.project();
  return {};
}

Result<std::vector<Record>> list_observations(const MemoryCall& call, const ObservationList& list) {
  if (list.filter.ids->empty() || list.is_hidden) return std::vector<Record>();
  CODEXMEM_ASSIGN(auto entries, call.memory.entries().list(list.filter));
  return with_code(call, std::move(entries));
}

Result<ObservationsAnswer> run(const MemoryCall& call, GetObservationsParams params) {
  ObservationsAnswer answer;
  if (params.list.filter.ids->empty() || params.list.is_hidden) return answer;
  // All are read, so that those beyond the limit can be counted.
  const std::size_t limit = std::exchange(params.list.filter.limit, memory::kMaxListedIds);
  CODEXMEM_ASSIGN(const auto records, list_observations(call, params.list));
  CODEXMEM_ASSIGN(auto missing, list_missing(call, params.list, records));
  put_missing(std::move(missing), params.page.max_bytes, answer);
  std::vector<std::string> items;
  for (std::size_t i = 0; i < std::min(records.size(), limit); ++i) {
    items.push_back(record_json(records[i]));
  }
  put_items(std::move(items), records.size(), params.page, answer, siblings_of(answer, true));
  return answer;
}

Written ObservationsAnswer::to_json() const {
  return list_json(items, siblings_of(*this, true).text);
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
  return object_json(json_joined(json_object("items", json_list(items, std::identity())),
                                 siblings_of(*this, false)));
}

constexpr Param kGetObservationsParams[] = {
    {.name = "ids",
     .also = kIdNames,
     .type = ParamType::kNumbers,
     .description = "Up to 500",
     .required = true,
     .into = read_integers},
    {.name = "orderBy",
     .description = "Order",
     .choices = "date_desc,date_asc",
     .default_json = "\"date_desc\"",
     .into = into_named<is_oldest_first, &GetObservationsParams::list, &ObservationList::filter,
                        &store::EntryFilter::oldest_first>},
    {.name = "limit",
     .type = ParamType::kWhole,
     .clamp = Clamp{1, memory::kMaxListedIds},
     .description = "Most",
     .into =
         into<&GetObservationsParams::list, &ObservationList::filter, &store::EntryFilter::limit>},
    {.name = "project",
     .description = "Only its",
     .into = into_by<read_one, &GetObservationsParams::list, &ObservationList::filter,
                     &store::EntryFilter::projects>},
    {.name = "type",
     .type = ParamType::kTextOrTexts,
     .description = "bugfix",
     .into =
         into<&GetObservationsParams::list, &ObservationList::filter, &store::EntryFilter::types>},
    {.name = "concepts",
     .type = ParamType::kTextOrTexts,
     .description = "gotcha",
     .into = into<&GetObservationsParams::list, &ObservationList::filter,
                  &store::EntryFilter::concepts>},
    {.name = "files",
     .type = ParamType::kTextOrTexts,
     .description = "Parts",
     .into =
         into<&GetObservationsParams::list, &ObservationList::filter, &store::EntryFilter::files>},
    {.name = "offset",
     .type = ParamType::kWhole,
     .clamp = Clamp{0, memory::kMaxListedIds},
     .listed = false,
     .into = into<&GetObservationsParams::page, &RecordPage::offset>},
    unlisted({.name = "body_offset",
              .type = ParamType::kWhole,
              .clamp = Clamp{0, memory::kMaxTextBytes},
              .into = into<&GetObservationsParams::page, &RecordPage::body_offset>}),
    max_tokens_param(into_by<read_bytes, &GetObservationsParams::page, &RecordPage::max_bytes>,
                     "25000"),
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
     .also = kIdNames,
     .type = ParamType::kTexts,
     .description = "1 to 200: 12, S3, P4",
     .required = true,
     .option = "ID",
     .help = "12, S3, P4",
     .takes = Takes::kIds,
     .into = read_ids},
    {.name = "offset",
     .type = ParamType::kWhole,
     .clamp = Clamp{0, kMaxEntryIds},
     .listed = false,
     .option = "--offset",
     .help = "Records to skip",
     .into = into<&GetEntriesParams::page, &RecordPage::offset>},
    {.name = "body_offset",
     .type = ParamType::kWhole,
     .clamp = Clamp{0, memory::kMaxTextBytes},
     .listed = false,
     .into = into<&GetEntriesParams::page, &RecordPage::body_offset>},
    max_tokens_param(into_by<read_bytes, &GetEntriesParams::page, &RecordPage::max_bytes>, "25000"),
};

constinit const Question kGetEntries = {.name = "get_entries",
                                        .title = "Get entries",
                                        .description = "Full text of any rows of search.",
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
