// Tested by ask/memory_answers_test.cpp.
#include "ask/memory/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "text/json_object.h"
#include "base/text.h"
#include "ask/memory/record.h"
#include "memory/recall/timeline.h"
#include "memory/times.h"

namespace codexmem::ask {
namespace {

constexpr std::size_t kMaxDepth = 20;

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
Result<std::optional<memory::DocumentKey>> find_anchor(const MemoryCall& call,
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

// The rows from `begin` to `end` that are kept: those around the anchor, when not all fit.
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

std::string timeline_markdown(const TimelineAnswer& answer) {
  const TimelineParams& params = answer.params;
  if (answer.anchor.empty()) return no_hit(answer) + ". Try other words.";
  std::string text;
  if (params.anchor) {
    text = fmt::format("# Timeline around anchor: {}\n", answer.anchor);
  } else {
    text =
        fmt::format("# Timeline for query: \"{}\"\n", shown_query(fold_whitespace(params.query)));
    for (const IndexRow& row : answer.rows) {
      if (!row.is_anchor) continue;
      text += fmt::format("**Anchor:** {} #{} - {}\n", kind_name(row.key), answer.anchor,
                          short_title(row.title));
    }
  }
  text += fmt::format("**Window:** {} records before → {} records after | **Items:** {}\n\n",
                      params.before, params.after, answer.rows.size());
  text += timeline_tables(answer.rows, params.current_project);
  if (answer.omitted > 0) {
    text += fmt::format("{} records farther away are left out: max_tokens makes room.\n",
                        answer.omitted);
  }
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

// Keeps as many rows around the anchor as fit, with their records if those are wanted.
Result<void> fit(const MemoryCall& call, TimelineAnswer& answer) {
  const std::size_t max_bytes = answer.params.max_bytes;
  if (answer.params.form == TimelineParams::Form::kRecords) {
    std::vector<memory::DocumentKey> keys;
    for (const IndexRow& row : answer.rows) keys.push_back(row.key);
    CODEXMEM_ASSIGN(const auto records, read_records(call, keys));
    // A large record takes half of the answer at most, so that there is room for others.
    for (const auto& [key, record] : records) {
      answer.records.emplace(key, cut_record(record_json(record), 0, max_bytes / 2));
    }
  }
  const std::size_t anchor = anchor_index(answer.rows);
  const std::vector<IndexRow> rows = answer.rows;
  Window window{0, rows.size()};
  while (true) {
    const Written written = answer.to_json();
    if (std::max(written.text.size(), written.structured.size()) <= max_bytes) return {};
    if (answer.rows.size() > 1) {
      window = narrowed(window, anchor);
      answer.rows.assign(rows.begin() + static_cast<std::ptrdiff_t>(window.begin),
                         rows.begin() + static_cast<std::ptrdiff_t>(window.end));
      answer.omitted = rows.size() - answer.rows.size();
    } else if (!answer.rows.empty() && !answer.records.empty()) {
      answer.records.clear();  // only the row
    } else {
      return {};
    }
  }
}

std::optional<TimelineParams::Form> parse_form(std::string_view name) {
  return name == "json" ? TimelineParams::Form::kRecords : TimelineParams::Form::kMarkdown;
}

}  // namespace

Result<void> TimelineParams::complete(const memory::Memory& memory, const ToolArguments& given) {
  if (!anchor && query.empty()) {
    return Error{ErrorCode::kInvalidArgument, "Either anchor or query required for timeline"};
  }
  current_project = memory.project();
  if (memory.is_isolated()) project = memory.project();
  // Arguments that only the entry tools have mean JSON.
  if (!given.has("format") &&
      (given.has("anchor_id") || given.has("source_ref") || given.has("metadata"))) {
    form = Form::kItems;
  }
  if (form == Form::kRecords && !given.has("max_tokens")) max_bytes = kLongAnswerBytes;
  return {};
}

Result<TimelineAnswer> run(const MemoryCall& call, TimelineParams params) {
  TimelineAnswer answer;
  answer.params = std::move(params);
  memory::TimelineRequest request;
  if (answer.params.anchor) {
    request.anchor = *answer.params.anchor;
  } else {
    CODEXMEM_ASSIGN(const auto found, find_anchor(call, answer.params));
    if (!found) return answer;
    request.anchor = *found;
  }
  request.before = answer.params.before;
  request.after = answer.params.after;
  request.project = answer.params.project;
  request.is_isolated = call.memory.is_isolated();
  request.has_decisions = false;
  request.hidden = call.memory.branches().scope()->hidden();
  CODEXMEM_ASSIGN(const memory::Timeline found, memory::timeline(call.memory.store(), request));
  for (const memory::TimelineItem& item : found.items) answer.rows.push_back(row_of(item));
  score_rows(answer.rows);
  put_states(call, answer.rows);
  const auto* const key = std::get_if<memory::DocumentKey>(&request.anchor);
  answer.anchor =
      key != nullptr ? id_text(*key) : memory::iso_time(std::get<std::int64_t>(request.anchor));
  CODEXMEM_TRY(fit(call, answer));
  return answer;
}

Written TimelineAnswer::to_json() const {
  std::string object =
      json_object("anchor_id", json_or_null(anchor), "query",
                  json_if(!params.anchor, shown_query(params.query)), "depth_before", params.before,
                  "depth_after", params.after, "omitted", some(omitted), "message",
                  anchor.empty() ? std::optional(no_hit(*this)) : std::nullopt);
  object.back() = ',';
  object += "\"items\":[" + index_items_json(rows) + "]";
  if (params.form == TimelineParams::Form::kRecords) {
    object += "," + record_lists_json(rows, records);
  }
  object += "}";
  if (params.form != TimelineParams::Form::kMarkdown) return object_json(std::move(object));
  return {timeline_markdown(*this), std::move(object)};
}

constexpr Param kTimelineParams[] = {
    {.name = "anchor",
     .also = "id,observation_id,entry_id",
     .type = ParamType::kTextOrNumber,
     .description = "12, S3, P4 or a time",
     .option = "ANCHOR",
     .help = "12, S3, P4, or a time as in search --from; or use --query",
     .takes = Takes::kAnchor,
     .into = into<&TimelineParams::anchor>},
    {.name = "query",
     .also = kQueryNames,
     .description = "Finds the anchor",
     .option = "-q,--query",
     .help = "Start from the first result of this search",
     .into = into_by<read_trimmed, &TimelineParams::query>},
    {.name = "depth_before",
     .also = "before",
     .type = ParamType::kWhole,
     .clamp = Clamp{0, kMaxDepth},
     .description = "Rows",
     .default_json = "3",
     .option = "-b,--before",
     .help = "Records before it (3, up to 20)",
     .into = into<&TimelineParams::before>},
    {.name = "depth_after",
     .also = "after",
     .type = ParamType::kWhole,
     .clamp = Clamp{0, kMaxDepth},
     .description = "Rows",
     .default_json = "3",
     .option = "-a,--after",
     .help = "Records after it (3, up to 20)",
     .into = into<&TimelineParams::after>},
    {.name = "project",
     .description = "Only its",
     .option = "-p,--project",
     .help = "Only of this project",
     .into = into_by<read_trimmed, &TimelineParams::project>},
    {.name = "anchor_id", .description = "Likewise", .into = into<&TimelineParams::anchor>},
    {.name = "format",
     .listed = false,
     .choices = "json",
     .more_choices = "markdown",
     .into = into_named<parse_form, &TimelineParams::form>},
    max_tokens_param(into_by<read_bytes, &TimelineParams::max_bytes>, "2048"),
};

constinit const Question kTimeline = {
    .name = "timeline",
    .title = "Timeline",
    .description = "What happened around one row of search, in order.",
    .groups = "memory",
    .params = kTimelineParams,
    .output_schema = R"json({"type":"object","properties":{
"anchor_id":{"anyOf":[{"type":"string"},{"type":"null"}]},"query":{"type":"string"},"depth_before":{"type":"integer"},"depth_after":{"type":"integer"},"omitted":{"type":"integer"},
"items":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"title":{"type":"string"},"entry_type":{"type":"string"},"project":{"type":"string"},"created_at":{"type":"string"},"score":{"type":"number"},"is_anchor":{"type":"boolean"},"code_state":{"type":"string"}},"required":["id","title","entry_type","project","created_at","score"]}},
"observations":{"type":"array","items":{"type":"object"}},"sessions":{"type":"array","items":{"type":"object"}},"prompts":{"type":"array","items":{"type":"object"}},
"code":{"type":"string"},"message":{"type":"string"},"details":{"anyOf":[{"type":"object"},{"type":"null"}]}},
"anyOf":[{"required":["anchor_id","items"]},{"required":["code","message"]}]})json",
    .checks_arguments = true,
    .fail = memory_failure,
    .run = run_memory_question<TimelineParams>};

}  // namespace codexmem::ask
