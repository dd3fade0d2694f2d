// Tested by ask/memory_answers_test.cpp.
#include "ask/memory/index_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "text/json_object.h"
#include "base/text.h"
#include "ask/arguments.h"
#include "memory/times.h"

namespace codexmem::ask {
namespace {

constexpr std::size_t kMaxTitlePoints = 120;
constexpr std::string_view kDitto = "″";
constexpr char kNoFile[] = "General";

constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kIcons = {{
    {"bugfix", "🔴"},
    {"feature", "🟣"},
    {"refactor", "🔄"},
    {"change", "✅"},
    {"discovery", "🔵"},
    {"decision", "⚖️"},
    {"session", "🎯"},
    {"prompt", "💬"},
    {"ingestion", "📄"},
    {"security_alert", "🚨"},
    {"security_note", "🔐"},
}};

// For a cell of a table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : short_title(text)) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string tokens_text(std::size_t chars) {
  return chars == 0 ? "-" : fmt::format("~{}", (chars + 3) / 4);
}

std::string title_cell(const IndexRow& row) {
  std::string title = cell(row.title);
  if (row.code_state == "changed" || row.code_state == "gone") {
    title += fmt::format(" (code {} since)", row.code_state);
  }
  if (const auto& newer = row.succession.superseded_by) {
    title += fmt::format(" (superseded by #{})", id_text(memory::document_key(*newer)));
  }
  if (row.shared) {
    title +=
        row.shared->by.empty() ? " (shared)" : fmt::format(" (shared by {})", cell(row.shared->by));
  }
  if (!row.branch.empty()) title += fmt::format(" (on branch {}, not merged)", cell(row.branch));
  if (row.is_anchor) title += " ← **ANCHOR**";
  return title;
}

// The mark after a row of another project than `project`.
std::string elsewhere(const IndexRow& row, std::string_view project) {
  return row.project == project || row.project.empty() ? "" : " in " + short_title(row.project);
}

// The heading of a row's table.
std::string heading_of(const IndexRow& row, std::string_view project) {
  return fmt::format("**{}**{}", row.file.empty() ? kNoFile : fold_whitespace(row.file),
                     elsewhere(row, project));
}

// A table, `reading` being the head of its last column; the time is given where it changes.
class Table {
 public:
  Table(std::string_view heading, std::string_view reading)
      : text_(fmt::format("{}\n| ID | Time | T | Title | {} |\n|----|------|---|-------|------|\n",
                          heading, reading)) {}

  void add(const IndexRow& row) {
    std::string time = memory::clock_text(row.created_at_ms);
    const bool same = time == last_time_;
    text_ += fmt::format("| #{} | {} | {} | {} | {} |\n", id_text(row.key),
                         same ? kDitto : std::string_view(time), type_icon(row.type),
                         title_cell(row), tokens_text(row.text_chars));
    last_time_ = std::move(time);
  }

  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::string last_time_;
};

// Parts with names, in the order of their first member.
template <typename Part>
Part& part_called(std::vector<std::pair<std::string, Part>>& parts, std::string_view name) {
  const auto found = std::find_if(parts.begin(), parts.end(),
                                  [&](const auto& part) { return part.first == name; });
  if (found != parts.end()) return found->second;
  return parts.emplace_back(std::string(name), Part()).second;
}

}  // namespace

std::string_view type_icon(std::string_view type) {
  for (const auto& [name, icon] : kIcons) {
    if (name == type) return icon;
  }
  return "•";
}

std::string short_title(std::string_view title) {
  std::string line = fold_whitespace(title);
  if (code_point_count(line) <= kMaxTitlePoints) return line.empty() ? "Untitled" : line;
  std::size_t points = 0, at = 0;
  for (; at < line.size(); ++at) {
    const bool begins = (static_cast<unsigned char>(line[at]) & 0xC0) != 0x80;
    if (begins && points++ == kMaxTitlePoints - 1) break;
  }
  return line.substr(0, at) + "…";
}

std::string shown_query(std::string_view query) {
  constexpr std::size_t kMaxBytes = 200;
  const std::string_view begin = utf8_prefix(query, kMaxBytes);
  return std::string(begin) + (begin.size() < query.size() ? "…" : "");
}

std::string index_item_json(const IndexRow& row) {
  const auto id_of = [](memory::EntryId id) { return id_text(memory::document_key(id)); };
  const auto& newer = row.succession.superseded_by;
  std::vector<std::string> older;
  for (const memory::EntryId id : row.succession.supersedes) older.push_back(id_of(id));
  return json_object(
      "id", id_text(row.key), "title", short_title(row.title), "entry_type", row.type, "project",
      row.project, "created_at", memory::iso_time(row.created_at_ms), "score",
      std::round(row.score * 1e4) / 1e4, "is_anchor", some(row.is_anchor), "superseded",
      some(newer.has_value()), "superseded_by", some(newer ? id_of(*newer) : std::string()),
      "supersedes", some(older), "shared",
      row.shared ? std::optional(JsonText{shared_json(*row.shared)}) : std::nullopt, "branch",
      some(row.branch), "code_state", some(row.code_state));
}

std::string index_items_json(std::span<const IndexRow> rows) {
  std::vector<std::string> items;
  for (const IndexRow& row : rows) items.push_back(index_item_json(row));
  return join(items, ",");
}

std::string record_lists_json(std::span<const IndexRow> rows, const RecordTexts& records) {
  std::map<memory::DocumentKind, std::vector<std::string>> lists;
  for (const IndexRow& row : rows) {
    const auto record = records.find(row.key);
    if (record != records.end()) lists[memory::kind_of(row.key)].push_back(record->second);
  }
  return fmt::format("\"observations\":[{}],\"sessions\":[{}],\"prompts\":[{}]",
                     join(lists[memory::DocumentKind::kEntry], ","),
                     join(lists[memory::DocumentKind::kSummary], ","),
                     join(lists[memory::DocumentKind::kPrompt], ","));
}

void put_states(const MemoryCall& call, std::vector<IndexRow>& rows) {
  std::vector<memory::DocumentKey> keys;
  for (const IndexRow& row : rows) keys.push_back(row.key);
  const CitedStates cited = look_up_code(call, keys);
  const SharedMarks marks = find_shared_marks(call, keys);
  const auto scope = call.memory.branches().scope();
  for (IndexRow& row : rows) {
    row.code_state = code_state_of(cited, row.key);
    row.shared = mark_of(marks, row.key);
    row.branch = scope->branch_of(row.key);
  }
}

std::string search_table(std::span<const IndexRow> rows, std::string_view project) {
  using Files = std::vector<std::pair<std::string, std::vector<const IndexRow*>>>;
  std::vector<std::pair<std::string, Files>> days;
  for (const IndexRow& row : rows) {
    part_called(part_called(days, memory::day_text(row.created_at_ms)), heading_of(row, project))
        .push_back(&row);
  }
  std::string text;
  for (const auto& [day, files] : days) {
    text += fmt::format("### {}\n\n", day);
    for (const auto& [heading, members] : files) {
      Table table(heading, "Read");
      for (const IndexRow* row : members) table.add(*row);
      text += table.text() + "\n";
    }
  }
  return text;
}

std::string timeline_tables(std::span<const IndexRow> rows, std::string_view project) {
  std::string text, day;
  for (std::size_t i = 0; i < rows.size();) {
    const IndexRow& row = rows[i];
    if (std::string now = memory::day_text(row.created_at_ms); now != day) {
      day = std::move(now);
      text += fmt::format("### {}\n\n", day);
    }
    if (memory::kind_of(row.key) != memory::DocumentKind::kEntry) {
      text += fmt::format("{} **#{}** {} ({}){}\n\n", type_icon(row.type), id_text(row.key),
                          title_cell(row), memory::clock_text(row.created_at_ms),
                          elsewhere(row, project));
      ++i;
      continue;
    }
    const std::string heading = heading_of(row, project);
    Table table(heading, "Tokens");
    for (;
         i < rows.size() && memory::kind_of(rows[i].key) == memory::DocumentKind::kEntry &&
         heading_of(rows[i], project) == heading && memory::day_text(rows[i].created_at_ms) == day;
         ++i) {
      table.add(rows[i]);
    }
    text += table.text() + "\n";
  }
  return text;
}

}  // namespace codexmem::ask
