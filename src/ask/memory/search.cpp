// An answer that is too long for its bytes loses rows from its end, in both carriers alike, and
// says how many and where to go on.
//
// Tested by ask/memory_answers_test.cpp.
#include "ask/memory/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "text/json_object.h"
#include "base/text.h"
#include "ask/memory/record.h"

namespace codexmem::ask {
namespace {

constexpr std::size_t kMaxRows = 100;
constexpr std::size_t kMaxRowOffset = 1'000'000;

constexpr std::pair<std::string_view, memory::DocumentKind> kCategories[] = {
    {"observations", memory::DocumentKind::kEntry},
    {"sessions", memory::DocumentKind::kSummary},
    {"prompts", memory::DocumentKind::kPrompt},
};

bool contains(const std::vector<std::string>& list, std::string_view wanted) {
  return std::find(list.begin(), list.end(), wanted) != list.end();
}

// `type` names categories and types of observations, any of which match; obs_type types alone,
// which must match besides.
void apply_types(const std::vector<std::string>& type, const std::vector<std::string>& obs_type,
                 SearchParams& params) {
  std::vector<memory::DocumentKind> kinds;
  std::vector<std::string> types;
  bool all_observations = false;
  for (const std::string& value : type) {
    const auto* const category =
        std::find_if(std::begin(kCategories), std::end(kCategories),
                     [&](const auto& each) { return each.first == value; });
    if (category == std::end(kCategories)) {
      types.push_back(value);
    } else if (category->second == memory::DocumentKind::kEntry) {
      all_observations = true;
    } else {
      kinds.push_back(category->second);
    }
  }
  if (!obs_type.empty()) {
    if (type.empty() || all_observations) {
      types = obs_type;
    } else {
      std::erase_if(types, [&](const std::string& each) { return !contains(obs_type, each); });
      params.matches_nothing = types.empty();
    }
    params.request.kinds = {memory::DocumentKind::kEntry};
    params.request.types = std::move(types);
    return;
  }
  if (all_observations) {
    kinds.push_back(memory::DocumentKind::kEntry);
    types.clear();
  }
  if (types.empty()) {
    params.request.kinds = std::move(kinds);
    return;
  }
  if (!kinds.empty()) {
    params.also = params.request;
    params.also->kinds = std::move(kinds);
  }
  params.request.kinds = {memory::DocumentKind::kEntry};
  params.request.types = std::move(types);
}

// Both answers as one.
memory::RecallAnswer merge(memory::RecallAnswer one, memory::RecallAnswer other,
                           const memory::RecallRequest& request) {
  one.hits.insert(one.hits.end(), std::make_move_iterator(other.hits.begin()),
                  std::make_move_iterator(other.hits.end()));
  const bool by_score = !request.query.empty() && request.order == memory::RecallOrder::kRelevance;
  const bool oldest = request.order == memory::RecallOrder::kOldest;
  std::stable_sort(one.hits.begin(), one.hits.end(),
                   [&](const memory::RecallHit& a, const memory::RecallHit& b) {
                     if (by_score && a.score != b.score) return a.score > b.score;
                     return oldest ? a.created_at_ms < b.created_at_ms
                                   : a.created_at_ms > b.created_at_ms;
                   });
  const std::size_t begin = std::min(request.offset, one.hits.size());
  one.hits.erase(one.hits.begin(), one.hits.begin() + static_cast<std::ptrdiff_t>(begin));
  if (one.hits.size() > request.limit) one.hits.resize(request.limit);
  one.total += other.total;
  one.total_is_estimate = one.total_is_estimate || other.total_is_estimate;
  for (std::size_t i = 0; i < one.counts.size(); ++i) one.counts[i] += other.counts[i];
  one.folded += other.folded;
  if (one.degraded.empty()) one.degraded = std::move(other.degraded);
  one.is_weak = one.is_weak && other.is_weak;
  one.is_hybrid = one.is_hybrid || other.is_hybrid;
  one.lexical_hits += other.lexical_hits;
  one.vector_hits += other.vector_hits;
  one.faiss_hits += other.faiss_hits;
  one.chroma_hits += other.chroma_hits;
  one.total_ms += other.total_ms;
  one.lexical_ms += other.lexical_ms;
  one.vector_ms += other.vector_ms;
  one.fuse_ms += other.fuse_ms;
  return one;
}

std::size_t count_of(const memory::RecallAnswer& found, memory::DocumentKind kind) {
  return found.counts[static_cast<std::size_t>(kind)];
}

std::string markdown(const SearchAnswer& answer) {
  const memory::RecallAnswer& found = answer.found;
  const memory::RecallRequest& request = answer.params.request;
  std::string text = fmt::format(
      "Found {}{} result(s) matching \"{}\" ({} obs, {} sessions, {} prompts)\n\n", found.total,
      found.total_is_estimate ? "+" : "",
      request.query.empty() ? "(filters only)" : shown_query(fold_whitespace(request.query)),
      count_of(found, memory::DocumentKind::kEntry),
      count_of(found, memory::DocumentKind::kSummary),
      count_of(found, memory::DocumentKind::kPrompt));
  if (found.total == 0) {
    text += "No results found: other words, or fewer filters, may find more.\n";
  } else if (answer.rows.empty()) {
    text += fmt::format("No results found at offset {}.\n", request.offset);
  }
  text += search_table(answer.rows, request.current_project);
  if (answer.next_offset) {
    text += fmt::format("{} more: offset={} goes on.\n", found.total - *answer.next_offset,
                        *answer.next_offset);
  }
  if (const std::string note = answer.note(); !note.empty()) text += note + "\n";
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

// The members next to the rows.
JsonText beside_rows(const SearchAnswer& answer) {
  const memory::RecallAnswer& found = answer.found;
  const std::string note = answer.note();
  const bool is_degraded = !note.empty() && !found.degraded.empty();
  return json_object("total", found.total, "limit", answer.params.request.limit, "offset",
                     answer.params.request.offset, "totalResults", found.total, "query",
                     shown_query(answer.params.request.query), "counts",
                     json_object("observations", count_of(found, memory::DocumentKind::kEntry),
                                 "sessions", count_of(found, memory::DocumentKind::kSummary),
                                 "prompts", count_of(found, memory::DocumentKind::kPrompt)),
                     "total_is_estimate", some(found.total_is_estimate), "omitted",
                     some(answer.omitted), "nextOffset", answer.next_offset, "degraded",
                     some(is_degraded), "degradedReason", json_if(is_degraded, found.degraded),
                     "note", some(note));
}

// Keeps the first `shown` rows.
void keep_rows(SearchAnswer& answer, std::size_t shown) {
  answer.omitted += answer.rows.size() - shown;
  answer.rows.resize(shown);
  const std::size_t end = answer.params.request.offset + shown;
  answer.next_offset.reset();
  if (end < answer.found.total && shown > 0) answer.next_offset = end;
}

// Keeps as many rows as fit with their records. A large record takes half of the answer at most, so
// that there is room for others.
Result<void> put_records(const MemoryCall& call, SearchAnswer& answer) {
  std::vector<memory::DocumentKey> keys;
  for (const IndexRow& row : answer.rows) keys.push_back(row.key);
  CODEXMEM_ASSIGN(const auto records, read_records(call, keys));
  const std::size_t most = answer.params.max_bytes;
  // The names of the lists, `omitted` and `nextOffset` are added to the other members.
  std::size_t bytes = beside_rows(answer).text.size() + 100;
  std::size_t shown = 0;
  for (; shown < keys.size(); ++shown) {
    bytes += index_item_json(answer.rows[shown]).size() + 2;
    std::string text;
    if (const auto found = records.find(keys[shown]); found != records.end()) {
      const std::size_t room = shown == 0 ? most - std::min(most, bytes) : most;
      text = cut_record(record_json(found->second), 0, std::min(room, most / 2));
    }
    bytes += text.size();
    if (bytes > most && shown > 0) break;
    if (!text.empty() && bytes <= most) answer.records.emplace(keys[shown], std::move(text));
  }
  keep_rows(answer, shown);
  return {};
}

// What the best entry says, so that most questions need no second call.
Result<std::string> first_text(const MemoryCall& call, const SearchAnswer& answer) {
  const memory::RecallRequest& request = answer.params.request;
  if (answer.rows.empty() || request.query.empty() || request.offset > 0) return std::string();
  CODEXMEM_ASSIGN(const auto record, read_record(call, answer.rows.front().key));
  return record ? shorten(as_entry(*record).body, kQuotedTextBytes) : std::string();
}

std::optional<memory::RecallOrder> parse_order(std::string_view name) {
  if (name == "date_desc") return memory::RecallOrder::kNewest;
  if (name == "date_asc") return memory::RecallOrder::kOldest;
  return memory::RecallOrder::kRelevance;
}

// What matches without type, concepts and files, when nothing passes these.
Result<std::string> look_beyond(const MemoryCall& call, const SearchParams& asked) {
  memory::RecallRequest request = asked.request;
  std::vector<std::string> filters;
  using Filter = std::pair<std::string_view, const std::vector<std::string>*>;
  for (const auto& [name, values] :
       {Filter("type", asked.type.empty() ? &asked.obs_type : &asked.type),
        Filter("concepts", &request.concepts), Filter("files", &request.files)}) {
    if (values->empty()) continue;
    filters.push_back(fmt::format("{} \"{}\"", name, shorten(join(*values, ", "), 100)));
  }
  if (filters.empty() || asked.matches_nothing) return std::string();
  request.kinds.clear();
  request.types.clear();
  request.concepts.clear();
  request.files.clear();
  request.offset = 0;
  CODEXMEM_ASSIGN(const auto found, call.memory.recall().search(request, call.stop));
  std::set<std::string> types;
  for (const memory::RecallHit& hit : found.hits) {
    if (!hit.type.empty()) types.insert(hit.type);
  }
  if (found.total == 0) return std::string();
  return fmt::format("no record has {}; without that {} found{}", join(filters, " and "),
                     found.total == 1 ? "1 is" : fmt::format("{} are", found.total),
                     types.empty() ? "" : ", of type " + join({types.begin(), types.end()}, ", "));
}

std::optional<bool> is_json_format(std::string_view format) { return format == "json"; }

}  // namespace

Result<void> SearchParams::complete(const memory::Memory& memory, const ToolArguments& given) {
  // Arguments that only the entry tools have mean JSON.
  has_json_text = !given.has("format") && (given.has("source_ref") || given.has("metadata"));
  if (is_json && !given.has("max_tokens")) max_bytes = kLongAnswerBytes;
  const bool has_filter = !request.projects.empty() || !type.empty() || !obs_type.empty() ||
                          !request.concepts.empty() || !request.files.empty() || request.from_ms ||
                          request.to_ms;
  if (request.query.empty() && !has_filter) {
    return Error{ErrorCode::kInvalidArgument, "Either query or filters required for search"};
  }
  request.current_project = memory.project();
  if (memory.is_isolated()) {
    matches_nothing = !request.projects.empty() && request.projects[0] != memory.project();
    request.projects = {memory.project()};
  }
  apply_types(type, obs_type, *this);
  return {};
}

Result<SearchAnswer> run(const MemoryCall& call, SearchParams params) {
  SearchAnswer answer;
  answer.params = std::move(params);
  const SearchParams& asked = answer.params;
  if (!asked.matches_nothing && !asked.also) {
    CODEXMEM_ASSIGN(answer.found, call.memory.recall().search(asked.request, call.stop));
  } else if (!asked.matches_nothing) {
    memory::RecallRequest one = asked.request, other = *asked.also;
    one.limit = other.limit = asked.request.offset + asked.request.limit;
    one.offset = other.offset = 0;
    CODEXMEM_ASSIGN(auto found, call.memory.recall().search(one, call.stop));
    CODEXMEM_ASSIGN(auto more, call.memory.recall().search(other, call.stop));
    answer.found = merge(std::move(found), std::move(more), asked.request);
  }
  if (answer.found.total == 0) {
    CODEXMEM_ASSIGN(answer.beyond, look_beyond(call, asked));
  }
  call.memory.note_search(asked.request, answer.found, answer.found.hits.size());
  for (const memory::RecallHit& hit : answer.found.hits) {
    IndexRow row;
    row.key = hit.key;
    row.project = hit.project;
    row.title = hit.title;
    row.type = hit.type;
    row.file = hit.file;
    row.created_at_ms = hit.created_at_ms;
    row.score = hit.score;
    row.text_chars = hit.text_chars;
    row.succession = hit.succession;
    answer.rows.push_back(std::move(row));
  }
  put_states(call, answer.rows);
  keep_rows(answer, answer.rows.size());
  if (asked.is_json) {
    CODEXMEM_TRY(put_records(call, answer));
    return answer;
  }
  CODEXMEM_ASSIGN(answer.first, first_text(call, answer));
  while (answer.rows.size() > 1) {
    const Written written = answer.to_json();
    const std::size_t bytes = std::max(written.text.size(), written.structured.size());
    const std::size_t shown = answer.rows.size();
    if (bytes <= asked.max_bytes) break;
    keep_rows(answer, std::clamp<std::size_t>(shown * asked.max_bytes / bytes, 1, shown - 1));
  }
  return answer;
}

std::string SearchAnswer::note() const {
  if (!beyond.empty()) return beyond;
  if (found.degraded.empty()) {
    return found.is_weak && !found.hits.empty() ? "nothing matched well" : std::string();
  }
  // With two backends one may have helped.
  return (found.is_hybrid ? "semantic search is partial: " : "semantic search unavailable: ") +
         found.degraded;
}

Written SearchAnswer::to_json() const {
  const std::string items = "\"items\":[" + index_items_json(rows) + "],";
  const std::string siblings = beside_rows(*this).text.substr(1);
  if (params.is_json) {
    return object_json("{" + record_lists_json(rows, records) + "," + items + siblings);
  }
  std::string object = "{" + items + siblings;
  if (params.has_json_text) return object_json(std::move(object));
  return {markdown(*this), std::move(object)};
}

constexpr Param kSearchParams[] = {
    {.name = "query",
     .also = kQueryNames,
     .description = "Or a filter",
     .option = "WORDS",
     .help = "What to look for; none: the newest",
     .takes = Takes::kWords,
     .into = into_by<read_trimmed, &SearchParams::request, &memory::RecallRequest::query>},
    {.name = "limit",
     .also = kLimitNames,
     .type = ParamType::kWhole,
     .clamp = Clamp{1, kMaxRows},
     .description = "Up to 100",
     .default_json = "20",
     .option = "-l,--limit",
     .help = "Maximum results (20, up to 100)",
     .into = into<&SearchParams::request, &memory::RecallRequest::limit>},
    {.name = "offset",
     .type = ParamType::kWhole,
     .clamp = Clamp{0, kMaxRowOffset},
     .description = "To skip",
     .option = "--offset",
     .help = "Results to skip",
     .into = into<&SearchParams::request, &memory::RecallRequest::offset>},
    {.name = "project",
     .description = "Only its",
     .option = "-p,--project",
     .help = "Only of this project",
     .into = into_by<read_one, &SearchParams::request, &memory::RecallRequest::projects>},
    {.name = "type",
     .is_lower_case = true,
     .also = "types,entry_type,category",
     .type = ParamType::kTextOrTexts,
     .description = "bugfix, sessions, ...",
     .option = "-t,--type",
     .help = "observations, sessions, prompts, or types such as bugfix",
     .into = into<&SearchParams::type>},
    {.name = "obs_type",
     .is_lower_case = true,
     .type = ParamType::kTextOrTexts,
     .description = "Likewise",
     .into = into<&SearchParams::obs_type>},
    {.name = "concepts",
     .also = "concept,tags,tag",
     .type = ParamType::kTextOrTexts,
     .description = "gotcha",
     .option = "--concept",
     .help = "Only with one of these",
     .into = into<&SearchParams::request, &memory::RecallRequest::concepts>},
    {.name = "files",
     .also = "file,file_path,path,paths",
     .type = ParamType::kTextOrTexts,
     .description = "Parts of paths",
     .option = "--file",
     .help = "Only about files whose path has one of these",
     .takes = Takes::kFile,
     .into = into<&SearchParams::request, &memory::RecallRequest::files>},
    {.name = "dateStart",
     .also = "since,from,start,start_date,after",
     .type = ParamType::kTextOrNumber,
     .description = "ISO or epoch",
     .option = "--from",
     .help = "Since: a date or a time (local), today, yesterday, monday, 12h, 7d, 2w, or an epoch",
     .takes = Takes::kTime,
     .into = into<&SearchParams::request, &memory::RecallRequest::from_ms>},
    {.name = "dateEnd",
     .also = "until,to,end,end_date,before",
     .type = ParamType::kTextOrNumber,
     .description = "Likewise",
     .option = "--to",
     .help = "Until, in the same way; a day is included",
     .takes = Takes::kEndTime,
     .into = into<&SearchParams::request, &memory::RecallRequest::to_ms>},
    {.name = "orderBy",
     .also = "sort,sort_by,order",
     .description = "Order",
     .choices = "relevance,date_desc,date_asc",
     .option = "--order",
     .help = "relevance, date_desc or date_asc",
     .into = into_named<parse_order, &SearchParams::request, &memory::RecallRequest::order>},
    {.name = "format",
     .description = "Whole records",
     .choices = "json",
     .more_choices = "markdown",
     .into = into_named<is_json_format, &SearchParams::is_json>},
    max_tokens_param(into_by<read_bytes, &SearchParams::max_bytes>, "2048"),
};

constinit const Question kSearch = {
    .name = "search",
    .title = "Search memory",
    .description = "What earlier sessions saw, fixed, said or saved, in all projects.",
    .groups = "memory",
    .params = kSearchParams,
    .output_schema = R"json({"type":"object","properties":{
"items":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"title":{"type":"string"},"entry_type":{"type":"string"},"project":{"type":"string"},"created_at":{"type":"string"},"score":{"type":"number","minimum":0,"maximum":1},"code_state":{"type":"string"}},"required":["id","title","entry_type","project","created_at","score"]}},
"total":{"type":"integer"},"limit":{"type":"integer"},"offset":{"type":"integer"},"totalResults":{"type":"integer"},"query":{"type":"string"},"counts":{"type":"object"},"total_is_estimate":{"type":"boolean"},
"omitted":{"type":"integer"},"nextOffset":{"type":"integer"},"degraded":{"type":"boolean"},"note":{"type":"string"},
"observations":{"type":"array","items":{"type":"object"}},"sessions":{"type":"array","items":{"type":"object"}},"prompts":{"type":"array","items":{"type":"object"}},
"code":{"type":"string"},"message":{"type":"string"},"details":{"anyOf":[{"type":"object"},{"type":"null"}]}},
"anyOf":[{"required":["items","total","limit","offset","totalResults","query"]},{"required":["code","message"]}]})json",
    .checks_arguments = true,
    .fail = memory_failure,
    .run = run_memory_question<SearchParams>};

}  // namespace codexmem::ask
