// An answer that is too long for its bytes loses rows from its end, in both carriers alike, and
// says how many and where to go on.
//
// Tested by ask/memory_answers_test.cpp.
#include "ask/memory/search_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "text/json.h"
#include "base/text.h"
#include "ask/memory/arguments.h"
#include "ask/memory/record_cut.h"
#include "ask/memory/whole_records.h"

namespace codexmem::ask {
namespace {

constexpr std::size_t kDefaultLimit = 20;
constexpr std::size_t kMaxLimit = 100;
constexpr std::size_t kMaxOffset = 1'000'000;
constexpr std::size_t kMinTokens = 200;
constexpr std::size_t kMaxTokens = 25'000;

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

// The rest of an answer of which `shown` rows are told.
struct Rest {
  std::size_t omitted = 0;          // of this page
  std::optional<std::size_t> next;  // where to go on
};

Rest rest_of(const SearchAnswer& answer, std::size_t shown) {
  const std::size_t end = answer.params.request.offset + shown;
  Rest rest;
  rest.omitted = answer.rows.size() - shown;
  if (end < answer.found.total && shown > 0) rest.next = end;
  return rest;
}

// With two backends one may have helped.
std::string why_degraded(const memory::RecallAnswer& found) {
  return (found.is_hybrid ? "semantic search is partial: " : "semantic search unavailable: ") +
         found.degraded;
}

std::string markdown(const SearchAnswer& answer, std::size_t shown) {
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
  text += search_table(std::span(answer.rows).first(shown), request.current_project);
  if (const Rest rest = rest_of(answer, shown); rest.next) {
    text += fmt::format("{} more: offset={} goes on.\n", found.total - request.offset - shown,
                        *rest.next);
  }
  if (!found.degraded.empty()) text += why_degraded(found) + "\n";
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

Json summary_of(const SearchAnswer& answer, std::size_t shown) {
  const memory::RecallAnswer& found = answer.found;
  Json json;
  json["total"] = found.total;
  json["limit"] = answer.params.request.limit;
  json["offset"] = answer.params.request.offset;
  json["totalResults"] = found.total;
  json["query"] = shown_query(answer.params.request.query);
  json["counts"] = {{"observations", count_of(found, memory::DocumentKind::kEntry)},
                    {"sessions", count_of(found, memory::DocumentKind::kSummary)},
                    {"prompts", count_of(found, memory::DocumentKind::kPrompt)}};
  if (found.total_is_estimate) json["total_is_estimate"] = true;
  const Rest rest = rest_of(answer, shown);
  if (rest.omitted > 0) json["omitted"] = rest.omitted;
  if (rest.next) json["nextOffset"] = *rest.next;
  if (!found.degraded.empty()) {
    json["degraded"] = true;
    json["degradedReason"] = found.degraded;
    json["note"] = why_degraded(found);
  }
  return json;
}

// `lists` (each the members of an array) and the members of `rest` as one object.
std::string object_of(const std::vector<std::pair<std::string_view, std::string>>& lists,
                      const Json& rest) {
  std::string text = "{";
  for (const auto& [name, members] : lists) text += fmt::format("\"{}\":[{}],", name, members);
  return text + dump_json(rest).substr(1);
}

std::string compact_json(const SearchAnswer& answer, const std::vector<std::string>& items,
                         std::size_t shown) {
  const std::vector<std::string> kept(items.begin(),
                                      items.begin() + static_cast<std::ptrdiff_t>(shown));
  return object_of({{"items", join(kept, ",")}}, summary_of(answer, shown));
}

// A large record takes half of the answer at most, so that others are told too.
Result<Answer> whole_answer(const Call& call, const SearchAnswer& answer,
                            const std::vector<std::string>& items) {
  std::vector<memory::DocumentKey> keys;
  for (const IndexRow& row : answer.rows) keys.push_back(row.key);
  CODEXMEM_ASSIGN(const auto records, read_records(call, keys, /*as_details=*/false));
  std::map<memory::DocumentKind, std::vector<std::string>> lists;
  std::vector<std::string> kept;
  const std::size_t most = answer.params.max_bytes;
  // The names of the lists, `omitted` and `nextOffset` come to what there is of a summary.
  std::size_t bytes = dump_json(summary_of(answer, items.size())).size() + 100;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto found = records.find(keys[i]);
    std::string record = found == records.end() ? std::string() : found->second;
    bytes += items[i].size() + 2;
    if (!record.empty()) {
      const std::size_t room = kept.empty() ? most - std::min(most, bytes) : most;
      record = cut_record(std::move(record), 0, std::min(room, most / 2));
    }
    bytes += record.size();
    if (bytes > most && !kept.empty()) break;
    kept.push_back(items[i]);
    if (!record.empty() && bytes <= most)
      lists[memory::kind_of(keys[i])].push_back(std::move(record));
  }
  std::vector<std::pair<std::string_view, std::string>> named;
  for (const auto& [name, kind] : kCategories) named.emplace_back(name, join(lists[kind], ","));
  named.emplace_back("items", join(kept, ","));
  return object_answer(object_of(named, summary_of(answer, kept.size())));
}

}  // namespace

Result<SearchParams> read_search(const memory::Memory& memory, std::string_view arguments) {
  CODEXMEM_ASSIGN(const ToolArguments given, ToolArguments::parse(arguments));
  SearchParams params;
  memory::RecallRequest& request = params.request;
  CODEXMEM_ASSIGN(const std::string query, given.text("query"));
  request.query = trim(query);
  CODEXMEM_ASSIGN(const std::string project, given.text("project"));
  if (!trim(project).empty()) request.projects = {std::string(trim(project))};
  CODEXMEM_ASSIGN(const auto type, given.texts("type"));
  CODEXMEM_ASSIGN(const auto obs_type, given.texts("obs_type"));
  CODEXMEM_ASSIGN(request.concepts, given.texts("concepts"));
  CODEXMEM_ASSIGN(request.files, given.texts("files"));
  CODEXMEM_ASSIGN(request.from_ms, given.time("dateStart"));
  CODEXMEM_ASSIGN(request.to_ms, given.time("dateEnd", /*is_end=*/true));
  CODEXMEM_ASSIGN(const std::string order, given.choice("orderBy", "relevance,date_desc,date_asc"));
  if (order == "date_desc") request.order = memory::RecallOrder::kNewest;
  if (order == "date_asc") request.order = memory::RecallOrder::kOldest;
  CODEXMEM_ASSIGN(request.limit, given.clamped("limit", kDefaultLimit, 1, kMaxLimit));
  CODEXMEM_ASSIGN(request.offset, given.clamped("offset", 0, 0, kMaxOffset));
  CODEXMEM_ASSIGN(const std::string format, given.choice("format", "json,markdown"));
  params.is_json = format == "json";
  // Whoever knows an argument of the entry tools alone reads JSON.
  params.has_json_text = format.empty() && (given.has("source_ref") || given.has("metadata"));
  const std::size_t usual = (params.is_json ? kLongBytes : kShortBytes) / kBytesPerToken;
  CODEXMEM_ASSIGN(const std::size_t tokens,
                  given.whole("max_tokens", usual, kMinTokens, kMaxTokens));
  params.max_bytes = tokens * kBytesPerToken;

  const bool has_filter = !request.projects.empty() || !type.empty() || !obs_type.empty() ||
                          !request.concepts.empty() || !request.files.empty() || request.from_ms ||
                          request.to_ms;
  if (request.query.empty() && !has_filter) {
    return Error{ErrorCode::kInvalidArgument, "Either query or filters required for search"};
  }
  request.current_project = memory.project();
  if (memory.is_isolated()) {
    params.matches_nothing = !request.projects.empty() && request.projects[0] != memory.project();
    request.projects = {memory.project()};
  }
  apply_types(type, obs_type, params);
  return params;
}

Result<SearchAnswer> run_search(const Call& call, SearchParams params) {
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
  call.memory.note_search(asked.request, answer.found, answer.found.hits.size());
  std::vector<memory::DocumentKey> keys;
  for (const memory::RecallHit& hit : answer.found.hits) keys.push_back(hit.key);
  const CitedStates cited = look_up_code(call, keys);
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
    if (const auto states = cited.find(hit.key); states != cited.end()) {
      if (const auto state = memory::code_state_of(states->second))
        row.code_state = memory::code_state_name(*state);
    }
    answer.rows.push_back(std::move(row));
  }
  return answer;
}

Result<Answer> to_answer(const Call& call, const SearchAnswer& answer) {
  std::vector<std::string> items;
  for (const IndexRow& row : answer.rows) items.push_back(index_item_json(row));
  if (answer.params.is_json) return whole_answer(call, answer, items);
  std::size_t shown = items.size();
  while (true) {
    Answer made{false, {}, compact_json(answer, items, shown)};
    made.text = answer.params.has_json_text ? made.structured : markdown(answer, shown);
    const std::size_t bytes = std::max(made.text.size(), made.structured.size());
    if (bytes <= answer.params.max_bytes || shown <= 1) return made;
    shown = std::clamp<std::size_t>(shown * answer.params.max_bytes / bytes, 1, shown - 1);
  }
}

Answer answer_search(const Call& call, std::string_view arguments) {
  auto params = read_search(call.memory, arguments);
  if (!params.ok()) return memory_failure(params.error());
  const auto found = run_search(call, *std::move(params));
  if (!found.ok()) return memory_failure(found.error());
  auto answer = to_answer(call, *found);
  return answer.ok() ? *std::move(answer) : memory_failure(answer.error());
}

}  // namespace codexmem::ask
