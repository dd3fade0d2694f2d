#include "app/render/render_memory.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "app/render/columns.h"
#include "app/render/excerpt.h"
#include "text/counted.h"
#include "text/json.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "memory/times.h"

namespace codexmem::app {
namespace {

// "3 days", "5 hours", "12 minutes", "just now".
std::string age_text(std::int64_t ms) {
  const std::int64_t minutes = std::max<std::int64_t>(ms, 0) / 60'000;
  const auto number = [](std::int64_t count) { return static_cast<std::size_t>(count); };
  if (minutes == 0) return "just now";
  if (minutes < 60) return counted(number(minutes), "minute", "minutes");
  if (minutes < 48 * 60) return counted(number(minutes / 60), "hour", "hours");
  return counted(number(minutes / (24 * 60)), "day", "days");
}

// The type of an entry as people read it: a test run or a build that failed is stored as a bugfix,
// and fixed nothing.
std::string shown_type(const std::string& type, const std::string& metadata) {
  if (type != "bugfix") return terminal_line(type);
  const Json read = Json::parse(metadata, nullptr, /*allow_exceptions=*/false);
  return read.is_object() && read.value("outcome", Json()) == Json("error") ? "failed" : type;
}

// Rows, with the records that were found for them.
struct Rows {
  std::span<const ask::IndexRow> rows;
  const RowRecords& records;
  std::string_view query = {};  // empty: nothing but titles

  const ask::Record* find(const ask::IndexRow& row) const {
    const auto found = records.find(row.key);
    return found == records.end() ? nullptr : &found->second;
  }
};

// The part of the record of `row` that matches the query; empty if its title contains all of it.
std::string excerpt_of(const Rows& all, const ask::IndexRow& row, const Console& console) {
  constexpr std::size_t kIndent = 9;
  const ask::Record* const record = all.find(row);
  if (record == nullptr || all.query.empty()) return {};
  const memory::Entry entry = ask::as_entry(*record);
  std::string text = entry.body;
  for (const std::string& fact : entry.facts) text += "\n" + fact;
  if (fold_whitespace(text) == fold_whitespace(row.title)) return {};
  return excerpt_lines(text, all.query, kIndent, console);
}

// "  #12   9:16 AM  discovery   Auth of the API"
std::string row_line(const Rows& all, const ask::IndexRow& row, const Console& console) {
  constexpr std::size_t kBefore = 31, kMinTitle = 20;  // columns
  const std::size_t width = std::max(console.width(), kBefore + kMinTitle) - kBefore;
  const std::string title = cut(ask::short_title(row.title), width);
  const ask::Record* const record = all.find(row);
  const std::string type =
      shown_type(row.type, record == nullptr ? "" : ask::as_entry(*record).metadata);
  std::string line =
      fmt::format("{}{}  {}  {}  {}\n", row.is_anchor ? console.painted(Paint::kGood, ">") : " ",
                  console.painted(Paint::kPath, fmt::format("{:>6}", "#" + ask::id_text(row.key))),
                  fmt::format("{:>8}", memory::clock_text(row.created_at_ms)),
                  console.painted(Paint::kDim, padded(type, 10)),
                  row.is_anchor ? console.painted(Paint::kBold, title) : title);
  const auto remark = [&](const std::string& text) {
    line += std::string(kBefore, ' ') + console.painted(Paint::kBad, text) + "\n";
  };
  if (const auto& newer = row.succession.superseded_by) {
    remark("superseded by #" + ask::id_text(memory::document_key(*newer)));
  }
  if (!row.branch.empty()) remark("on branch " + terminal_line(row.branch) + ", not merged");
  if (row.code_state == "changed") remark("its code has changed since");
  if (row.code_state == "gone") remark("its code is gone");
  return line + excerpt_of(all, row, console);
}

// The rows under a heading for each day and project that differs from the row before.
std::string rows_by_day(const Rows& all, const Console& console) {
  std::string text, heading;
  for (const ask::IndexRow& row : all.rows) {
    const std::string now = memory::day_text(row.created_at_ms) + "  " + terminal_line(row.project);
    if (now != heading) {
      if (!text.empty()) text += "\n";
      text += console.painted(Paint::kBold, now) + "\n";
      heading = now;
    }
    text += row_line(all, row, console);
  }
  return text;
}

std::string names_line(const std::vector<std::string>& names, const char* label,
                       const Console& console) {
  if (names.empty()) return "";
  return wrapped(std::string(label) + ": " + terminal_line(join(names, ", ")), 2, console.width());
}

// "src/a.ts Queue.push"
std::string code_name(const std::string& path, const std::string& symbol) {
  return terminal_line(path) + (symbol.empty() ? "" : " " + terminal_line(symbol));
}

// The code that an entry cites, the worst first, with where it is now.
std::string code_lines(std::span<const memory::CitationState> cited, const Console& console) {
  using State = memory::CodeState;
  constexpr std::size_t kMaxLines = 8;
  std::string text;
  std::size_t shown = 0;
  for (const State wanted : {State::kGone, State::kChanged, State::kUnknown, State::kUnchanged}) {
    for (const memory::CitationState& each : cited) {
      if (each.state != wanted || shown == kMaxLines) continue;
      ++shown;
      const Paint paint = wanted == State::kUnchanged ? Paint::kGood
                          : wanted == State::kUnknown ? Paint::kDim
                                                      : Paint::kBad;
      const memory::Citation& citation = each.citation;
      text += fmt::format("  code: {} {}", code_name(citation.path, citation.symbol),
                          console.painted(paint, memory::code_state_name(each.state)));
      if (const auto now = ask::moved_to(each)) {
        text += ", now " + code_name(now->path, now->symbol);
      }
      text += "\n";
    }
  }
  if (cited.size() > shown) text += fmt::format("  code: {} more\n", cited.size() - shown);
  return text;
}

// What else is known of an entry: "pinned" is a word of its own.
std::string metadata_lines(const memory::Entry& entry, const Console& console) {
  Json metadata = Json::parse(entry.metadata, nullptr, /*allow_exceptions=*/false);
  if (!metadata.is_object()) return "";
  std::string text;
  if (metadata.value("pinned", Json()) == Json(true)) {
    text += "  pinned: retention leaves it alone\n";
    metadata.erase("pinned");
  }
  if (!metadata.empty()) {
    text += wrapped("metadata: " + dump_json(metadata), 2, console.width());
  }
  return text;
}

std::string entry_text(const ask::Record& record, const Console& console) {
  const memory::Entry entry = ask::as_entry(record);
  const std::string id = "#" + ask::id_text(ask::key_of(record));
  const std::string head = console.in_lines(id + "  " + fold_whitespace(entry.title));
  std::string text = console.painted(Paint::kPath, id) +
                     console.painted(Paint::kBold, std::string_view(head).substr(id.size())) + "\n";
  text += console.painted(
              Paint::kDim,
              fmt::format("  {} · {} · {} {}", shown_type(entry.type, entry.metadata),
                          terminal_line(entry.project), memory::day_text(entry.created_at_ms),
                          memory::clock_text(entry.created_at_ms))) +
          "\n\n";
  text += wrapped(entry.body, 2, console.width());
  std::string more;
  for (const std::string& fact : entry.facts) more += wrapped("- " + fact, 2, console.width());
  more += names_line(entry.concepts, "concepts", console);
  more += names_line(entry.files_modified, "files modified", console);
  more += names_line(entry.files_read, "files", console);
  if (!entry.source_ref.empty()) {
    more += wrapped("source: " + terminal_line(entry.source_ref), 2, console.width());
  }
  if (!record.branch.empty()) {
    more += "  on branch " + terminal_line(record.branch) + ", not merged\n";
  }
  if (const auto& newer = entry.succession.superseded_by) {
    more += "  " +
            console.painted(Paint::kBad,
                            "superseded by #" + ask::id_text(memory::document_key(*newer))) +
            "\n";
  }
  std::vector<std::string> older;
  for (const memory::EntryId each : entry.succession.supersedes) {
    older.push_back(ask::id_text(memory::document_key(each)));
  }
  more += names_line(older, "supersedes", console);
  more += code_lines(record.cited, console);
  more += metadata_lines(entry, console);
  return more.empty() ? text : text + "\n" + more;
}

}  // namespace

Rendered render_saved(const ask::SaveMemoryAnswer& answer, const Console& console) {
  const memory::SavedEntry& saved = answer.saved;
  const std::string_view done = saved.is_duplicate ? "saved before as" : "saved as";
  const std::string id = fmt::format("#{}", static_cast<std::int64_t>(saved.id));
  const std::string place = " in " + terminal_line(saved.project);
  const std::size_t used = done.size() + 1 + id.size() + 2 + column_count(place);
  const std::vector<std::string> missing = answer.not_found();
  return {fmt::format("{} {}  {}{}\n", done, console.painted(Paint::kPath, id),
                      console.cut_to_line(fold_whitespace(saved.title), used), place) +
              (missing.empty()
                   ? ""
                   : console.in_lines("not in the index: " + terminal_line(join(missing, ", "))) +
                         "\n"),
          true};
}

Rendered render_memories(const ask::SearchAnswer& answer, const RowRecords& records,
                         const Console& console) {
  std::string note = answer.note();
  if (!note.empty()) note = "\n" + terminal_line(note) + "\n";
  if (answer.rows.empty()) return {note, false};
  std::string text = rows_by_day({answer.rows, records, answer.params.request.query}, console);
  const std::size_t offset = answer.params.request.offset;
  if (answer.next_offset || offset > 0) {
    text += fmt::format(
        "\n{}-{} of {}{}\n", offset + 1, offset + answer.rows.size(),
        with_thousands(static_cast<long long>(answer.found.total)),
        answer.next_offset ? fmt::format(", --offset {} goes on", *answer.next_offset) : "");
  }
  return {text + note, true};
}

Rendered render_timeline(const ask::TimelineAnswer& answer, const RowRecords& records,
                         const Console& console) {
  return {rows_by_day({answer.rows, records}, console), !answer.rows.empty()};
}

Rendered render_entries(const ask::EntriesAnswer& answer, const Console& console) {
  std::string text;
  for (const ask::Record& record : answer.records) {
    if (!text.empty()) text += "\n";
    text += entry_text(record, console);
  }
  if (!answer.missing.empty()) {
    text += "\n" + names_line(answer.missing, "there is no", console).substr(2);
  }
  if (answer.rest.omitted > 0) {
    text += fmt::format("\n{} more, --offset {} goes on\n", answer.rest.omitted,
                        answer.rest.next_offset);
  }
  return {text, true};
}

Rendered render_ingested(const ask::IngestDocsAnswer& answer, const Console& console) {
  const memory::IngestReport& report = answer.report;
  std::string text;
  if (report.processed_sources > 0 || report.skipped.empty()) {
    text = fmt::format(
        "{} into {}: {} new, {} known{}\n",
        counted(report.processed_sources, "document", "documents"), terminal_line(report.project),
        report.imported_entries, report.duplicate_entries,
        report.superseded_entries == 0 ? ""
                                       : fmt::format(", {} superseded", report.superseded_entries));
  }
  for (const memory::SkippedSource& skipped : report.skipped) {
    text += fmt::format("  {} {}: {}\n", console.painted(Paint::kDim, "skipped"),
                        terminal_line(skipped.source), terminal_line(skipped.reason));
  }
  for (const memory::BlockedSection& blocked : report.blocked) {
    text += fmt::format("  {} {}, section {}: it has a secret ({})\n",
                        console.painted(Paint::kBad, "blocked"), terminal_line(blocked.source),
                        blocked.section, terminal_line(join(blocked.rules, ", ")));
  }
  return {text, report.processed_sources > 0};
}

std::string render_retention(const ask::RetentionAnswer& answer) {
  return fmt::format(
      "{} would go: {} older than {} days, {} beyond {} in a project\n",
      counted(answer.plan.candidates.size(), "entry", "entries"), answer.plan.by_age,
      answer.request.max_age_days, answer.plan.by_project_count,
      with_thousands(static_cast<long long>(answer.request.max_entries_per_project)));
}

std::string render_removals(std::span<const Removal> rows, std::size_t total, std::int64_t now_ms,
                            const Console& console) {
  constexpr std::size_t kBefore = 23, kMinTitle = 20;  // columns
  const std::size_t width = std::max(console.width(), kBefore + kMinTitle) - kBefore;
  std::string text;
  for (const Removal& row : rows) {
    text +=
        fmt::format("{}  {:>12}  {}\n", console.painted(Paint::kPath, fmt::format("{:>7}", row.id)),
                    age_text(now_ms - row.created_at_ms), cut(fold_whitespace(row.title), width));
  }
  if (total > rows.size()) {
    text +=
        fmt::format("  and {} more\n", with_thousands(static_cast<long long>(total - rows.size())));
  }
  return text;
}

Rendered render_decided(const ask::DecidedAnswer& answer, const Console& console) {
  return {fmt::format("{}: {}\n", answer.message,
                      console.painted(Paint::kPath, terminal_line(answer.decision_id))),
          true};
}

Rendered render_decisions(const ask::SearchDecisionsAnswer& answer, const Console& console) {
  std::string text;
  for (const auto& [hit, code_state, shared, rules, json] : answer.results) {
    if (!text.empty()) text += "\n";
    text += fmt::format(
        "{}  {}  {:.2f}\n", console.painted(Paint::kPath, hit.id),
        console.painted(hit.status == "active" ? Paint::kGood : Paint::kDim, hit.status),
        hit.score);
    text += wrapped(hit.preview, 2, console.width());
    text += console.painted(
        Paint::kDim,
        fmt::format("  on {} in {}, by {}, {}", terminal_line(hit.target),
                    terminal_line(hit.project), hit.source, memory::day_text(hit.created_at_ms)));
    if (code_state == "changed" || code_state == "gone") {
      text += console.painted(Paint::kBad, "  its code is " + code_state);
    }
    if (!hit.branch.empty()) {
      text += console.painted(Paint::kDim,
                              fmt::format("  on branch {}, not merged", terminal_line(hit.branch)));
    }
    if (shared) {
      text += console.painted(Paint::kDim, shared->by.empty()
                                               ? "  shared"
                                               : "  shared by " + terminal_line(shared->by));
    }
    text += "\n";
    if (shared && !shared->rivals.empty()) {
      text +=
          console.painted(Paint::kBad, console.in_lines("  in conflict with " +
                                                        terminal_line(join(shared->rivals, ", ")) +
                                                        ": supersede both")) +
          "\n";
    }
    for (const ask::RuleVerdict& verdict : rules) {
      const std::string broken = ask::verdict_text(verdict);
      if (broken.empty()) continue;
      text += console.painted(Paint::kBad, console.in_lines("  " + terminal_line(broken))) + "\n";
    }
  }
  if (!answer.message.empty()) text += "\n" + terminal_line(answer.message) + "\n";
  return {text, !answer.results.empty()};
}

std::string render_decision_list(std::span<const memory::Decision> decisions,
                                 const Console& console) {
  constexpr std::size_t kMinTitle = 30;  // columns
  std::string text;
  for (const memory::Decision& decision : decisions) {
    std::string id = decision.id;
    if (id.ends_with(".md")) id.resize(id.size() - 3);
    const bool holds = decision.status == memory::DecisionStatus::kActive;
    const std::size_t before = id.size() + 14;
    text +=
        fmt::format("{}  {}  {}\n", console.painted(Paint::kPath, id),
                    console.painted(holds ? Paint::kGood : Paint::kDim,
                                    padded(std::string(memory::status_name(decision.status)), 10)),
                    cut(terminal_line(decision.target) + ": " + decision.title +
                            (decision.branch.empty() ? "" : " (on branch " + decision.branch + ")"),
                        std::max(console.width(), before + kMinTitle) - before));
  }
  return text;
}

}  // namespace codexmem::app
