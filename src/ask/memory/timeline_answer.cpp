// Tested by ask/memory_answers_test.cpp.
#include "ask/memory/timeline_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "text/json.h"
#include "base/text.h"
#include "ask/memory/record_cut.h"
#include "ask/memory/record_json.h"
#include "ask/memory/whole_records.h"
#include "memory/timeline.h"
#include "memory/times.h"

namespace codexmem::ask {
namespace {

constexpr std::size_t kDefaultDepth = 3;
constexpr std::size_t kMaxDepth = 20;
constexpr std::size_t kMinTokens = 200;
constexpr std::size_t kMaxTokens = 25'000;

// What its text takes to read, counted as a search does.
std::size_t text_chars(const memory::Entry& entry) {
  std::size_t chars = code_point_count(entry.title) + code_point_count(entry.subtitle) +
                      code_point_count(entry.body);
  for (const std::string& fact : entry.facts) chars += code_point_count(fact);
  return chars;
}

IndexRow row_of(const memory::TimelineItem& item) {
  IndexRow row;
  row.key = item.key;
  row.created_at_ms = item.created_at_ms;
  row.is_anchor = item.is_anchor;
  if (const auto* entry = std::get_if<memory::Entry>(&item.record)) {
    row.project = entry->project;
    row.title = entry->title;
    row.type = entry->type;
    const auto& files = entry->files_modified.empty() ? entry->files_read : entry->files_modified;
    if (!files.empty()) row.file = files.front();
    row.text_chars = text_chars(*entry);
    row.succession = entry->succession;
  } else if (const auto* summary = std::get_if<memory::Summary>(&item.record)) {
    row.project = summary->project;
    row.title = summary_title(*summary);
    row.type = "session";
  } else if (const auto* prompt = std::get_if<memory::Prompt>(&item.record)) {
    row.project = prompt->project;
    row.title = prompt->is_private ? "(private)" : prompt->text;
    row.type = "prompt";
  }
  return row;
}

// How near a record is to the anchor, in the place of a score.
void score_rows(std::vector<IndexRow>& rows) {
  const auto anchor =
      std::find_if(rows.begin(), rows.end(), [](const IndexRow& row) { return row.is_anchor; });
  if (anchor == rows.end()) return;
  for (auto row = rows.begin(); row != rows.end(); ++row) {
    row->score = 1.0 / static_cast<double>(1 + std::abs(row - anchor));
  }
}

// What a query finds first: an observation if there is any.
Result<std::optional<memory::DocumentKey>> find_anchor(const Call& call,
                                                       const TimelineParams& params) {
  memory::RecallRequest request;
  request.query = params.query;
  request.current_project = call.memory.project();
  if (!params.project.empty()) request.projects = {params.project};
  request.limit = 1;
  for (const std::vector<memory::DocumentKind>& kinds :
       {std::vector{memory::DocumentKind::kEntry},
        std::vector{memory::DocumentKind::kSummary, memory::DocumentKind::kPrompt}}) {
    request.kinds = kinds;
    CODEXMEM_ASSIGN(const memory::RecallAnswer found,
                    call.memory.recall().search(request, call.stop));
    call.memory.note_search(request, found, found.hits.size());
    if (!found.hits.empty()) return std::optional(found.hits[0].key);
  }
  return std::optional<memory::DocumentKey>();
}

std::string kind_name(memory::DocumentKey key) {
  switch (memory::kind_of(key)) {
    case memory::DocumentKind::kSummary:
      return "Session";
    case memory::DocumentKind::kPrompt:
      return "Prompt";
    default:
      return "Observation";
  }
}

// The rows from `begin` to `end` that are told: those around the anchor, when not all fit.
struct Window {
  std::size_t begin = 0, end = 0;
};

std::size_t anchor_index(const std::vector<IndexRow>& rows) {
  const auto anchor =
      std::find_if(rows.begin(), rows.end(), [](const IndexRow& row) { return row.is_anchor; });
  return static_cast<std::size_t>((anchor == rows.end()
                                       ? rows.begin() + static_cast<std::ptrdiff_t>(rows.size() / 2)
                                       : anchor) -
                                  rows.begin());
}

// `window` with the outermost row on its longer side less.
Window narrowed(Window window, std::size_t anchor) {
  if (anchor - window.begin > window.end - 1 - anchor) {
    ++window.begin;
  } else {
    --window.end;
  }
  return window;
}

std::string no_hit(const TimelineAnswer& answer) {
  return fmt::format("No observations found matching \"{}\"",
                     shown_query(fold_whitespace(answer.params.query)));
}

std::string markdown(const TimelineAnswer& answer, Window window) {
  const TimelineParams& params = answer.params;
  if (answer.anchor.empty()) return no_hit(answer) + ". Try other words.";
  std::string text;
  if (params.anchor) {
    text = fmt::format("# Timeline around anchor: {}\n", answer.anchor);
  } else {
    text =
        fmt::format("# Timeline for query: \"{}\"\n", shown_query(fold_whitespace(params.query)));
    for (const IndexRow& row : answer.rows) {
      if (row.is_anchor) {
        text += fmt::format("**Anchor:** {} #{} - {}\n", kind_name(row.key), answer.anchor,
                            short_title(row.title));
      }
    }
  }
  text += fmt::format("**Window:** {} records before → {} records after | **Items:** {}\n\n",
                      params.before, params.after, window.end - window.begin);
  text += timeline_tables(std::span(answer.rows).subspan(window.begin, window.end - window.begin),
                          params.current_project);
  if (const std::size_t cut = answer.rows.size() - (window.end - window.begin); cut > 0) {
    text += fmt::format("{} records farther away are left out: max_tokens makes room.\n", cut);
  }
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

Json head_of(const TimelineAnswer& answer) {
  Json json;
  json["anchor_id"] = answer.anchor.empty() ? Json(nullptr) : Json(answer.anchor);
  if (!answer.params.anchor) json["query"] = shown_query(answer.params.query);
  json["depth_before"] = answer.params.before;
  json["depth_after"] = answer.params.after;
  return json;
}

std::string compact_json(const TimelineAnswer& answer, Window window) {
  Json json = head_of(answer);
  if (const std::size_t cut = answer.rows.size() - (window.end - window.begin); cut > 0) {
    json["omitted"] = cut;
  }
  if (answer.anchor.empty()) json["message"] = no_hit(answer);
  std::vector<std::string> items;
  for (std::size_t i = window.begin; i < window.end; ++i) {
    items.push_back(index_item_json(answer.rows[i]));
  }
  std::string text = dump_json(json);
  text.pop_back();
  return text + ",\"items\":[" + join(items, ",") + "]}";
}

// `compact` with the whole records of the window.
Result<Answer> whole_answer(const Call& call, const TimelineAnswer& answer) {
  std::vector<memory::DocumentKey> keys;
  for (const IndexRow& row : answer.rows) keys.push_back(row.key);
  CODEXMEM_ASSIGN(auto records, read_records(call, keys, /*as_details=*/false));
  // A large record takes half of the answer at most, so that others are told too.
  for (auto& [key, record] : records) {
    record = cut_record(std::move(record), 0, answer.params.max_bytes / 2);
  }
  Window window{0, answer.rows.size()};
  const std::size_t anchor = anchor_index(answer.rows);
  while (true) {
    std::map<memory::DocumentKind, std::vector<std::string>> lists;
    for (std::size_t i = window.begin; i < window.end; ++i) {
      const auto record = records.find(keys[i]);
      if (record != records.end()) lists[memory::kind_of(keys[i])].push_back(record->second);
    }
    std::string text = compact_json(answer, window);
    text.pop_back();
    text += fmt::format(",\"observations\":[{}],\"sessions\":[{}],\"prompts\":[{}]}}",
                        join(lists[memory::DocumentKind::kEntry], ","),
                        join(lists[memory::DocumentKind::kSummary], ","),
                        join(lists[memory::DocumentKind::kPrompt], ","));
    if (text.size() <= answer.params.max_bytes || window.end - window.begin < 1 ||
        records.empty()) {
      return object_answer(std::move(text));
    }
    if (window.end - window.begin > 1) {
      window = narrowed(window, anchor);
    } else {
      records.clear();  // the row alone
    }
  }
}

}  // namespace

Result<TimelineParams> read_timeline(const memory::Memory& memory, std::string_view arguments) {
  CODEXMEM_ASSIGN(const ToolArguments given, ToolArguments::parse(arguments));
  TimelineParams params;
  CODEXMEM_ASSIGN(params.anchor, given.anchor("anchor"));
  if (!params.anchor) {
    CODEXMEM_ASSIGN(params.anchor, given.anchor("anchor_id"));
  }
  CODEXMEM_ASSIGN(const std::string query, given.text("query"));
  params.query = trim(query);
  if (!params.anchor && params.query.empty()) {
    return Error{ErrorCode::kInvalidArgument, "Either anchor or query required for timeline"};
  }
  CODEXMEM_ASSIGN(const std::string project, given.text("project"));
  params.current_project = memory.project();
  params.project = trim(project);
  if (memory.is_isolated()) params.project = memory.project();
  CODEXMEM_ASSIGN(params.before, given.clamped("depth_before", kDefaultDepth, 0, kMaxDepth));
  CODEXMEM_ASSIGN(params.after, given.clamped("depth_after", kDefaultDepth, 0, kMaxDepth));
  CODEXMEM_ASSIGN(const std::string format, given.choice("format", "json,markdown"));
  // Whoever knows an argument of the entry tools alone reads JSON.
  if (format.empty() &&
      (given.has("anchor_id") || given.has("source_ref") || given.has("metadata"))) {
    params.form = TimelineParams::Form::kItems;
  }
  if (format == "json") params.form = TimelineParams::Form::kRecords;
  const bool is_long = params.form == TimelineParams::Form::kRecords;
  CODEXMEM_ASSIGN(const std::size_t tokens,
                  given.whole("max_tokens", (is_long ? kLongBytes : kShortBytes) / kBytesPerToken,
                              kMinTokens, kMaxTokens));
  params.max_bytes = tokens * kBytesPerToken;
  return params;
}

Result<TimelineAnswer> run_timeline(const Call& call, TimelineParams params) {
  TimelineAnswer answer;
  memory::TimelineRequest request;
  if (params.anchor) {
    request.anchor = *params.anchor;
  } else {
    CODEXMEM_ASSIGN(const auto found, find_anchor(call, params));
    answer.params = std::move(params);
    if (!found) return answer;
    request.anchor = *found;
    params = std::move(answer.params);
  }
  request.before = params.before;
  request.after = params.after;
  request.project = params.project;
  request.is_isolated = call.memory.is_isolated();
  request.has_decisions = false;
  CODEXMEM_ASSIGN(const memory::Timeline found, memory::timeline(call.memory.store(), request));
  for (const memory::TimelineItem& item : found.items) answer.rows.push_back(row_of(item));
  score_rows(answer.rows);
  std::vector<memory::DocumentKey> keys;
  for (const IndexRow& row : answer.rows) keys.push_back(row.key);
  const CitedStates cited = look_up_code(call, keys);
  for (IndexRow& row : answer.rows) {
    const auto states = cited.find(row.key);
    if (states == cited.end()) continue;
    if (const auto state = memory::code_state_of(states->second))
      row.code_state = memory::code_state_name(*state);
  }
  const auto* const key = std::get_if<memory::DocumentKey>(&request.anchor);
  answer.anchor =
      key != nullptr ? id_text(*key) : memory::iso_time(std::get<std::int64_t>(request.anchor));
  answer.params = std::move(params);
  return answer;
}

Result<Answer> to_answer(const Call& call, const TimelineAnswer& answer) {
  if (answer.params.form == TimelineParams::Form::kRecords) return whole_answer(call, answer);
  Window window{0, answer.rows.size()};
  const std::size_t anchor = anchor_index(answer.rows);
  while (true) {
    Answer made{false, {}, compact_json(answer, window)};
    made.text = answer.params.form == TimelineParams::Form::kItems ? made.structured
                                                                   : markdown(answer, window);
    const std::size_t bytes = std::max(made.text.size(), made.structured.size());
    if (bytes <= answer.params.max_bytes || window.end - window.begin <= 1) return made;
    window = narrowed(window, anchor);
  }
}

Answer answer_timeline(const Call& call, std::string_view arguments) {
  auto params = read_timeline(call.memory, arguments);
  if (!params.ok()) return memory_failure(params.error());
  const auto found = run_timeline(call, *std::move(params));
  if (!found.ok()) return memory_failure(found.error());
  auto answer = to_answer(call, *found);
  return answer.ok() ? *std::move(answer) : memory_failure(answer.error());
}

}  // namespace codexmem::ask
