#include "app/render_memory.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/json.h"
#include "base/text.h"
#include "memory/times.h"

namespace codexmem::app {
namespace {

Json parse(std::string_view text) {
  Json value = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  return value.is_object() ? value : Json::object();
}

std::string text_of(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return {};
  return printable(found->is_string() ? found->get<std::string>() : found->dump());
}

std::size_t number_of(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number_unsigned() ? found->get<std::size_t>() : 0;
}

std::string counted(std::size_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", with_thousands(static_cast<long long>(number)),
                     number == 1 ? one : many);
}

// `text` of at most `width` columns, in as many; a code point is taken for a column.
std::string padded(std::string text, std::size_t width) {
  text = fold_whitespace(text);
  std::size_t points = code_point_count(text);
  if (points > width) {
    std::size_t at = 0, kept = 0;
    for (; at < text.size(); ++at) {
      const bool begins = (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
      if (begins && kept++ == width - 1) break;
    }
    text = text.substr(0, at) + "…";
    points = width;
  }
  return text + std::string(width - points, ' ');
}

std::string trimmed_end(std::string text) {
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

std::int64_t time_of(const Json& item) {
  return memory::read_time(text_of(item, "created_at")).value_or(0);
}

// "  #12   9:16 AM  discovery   Auth of the API"
std::string row_line(const Json& item, const Console& console) {
  constexpr std::size_t kTitleWidth = 49;  // 80 columns in all
  std::string title = text_of(item, "title");
  const std::string state = text_of(item, "code_state");
  const bool has_changed = state == "changed" || state == "gone";
  const bool is_anchor = item.value("is_anchor", false);
  std::string cell = trimmed_end(padded(title, kTitleWidth));
  std::string notes;
  const auto add_note = [&](Paint paint, std::string_view note) {
    notes += "\n" + std::string(31, ' ') + console.painted(paint, note);
  };
  if (item.value("superseded", false)) add_note(Paint::kDim, "superseded by another text");
  if (has_changed) {
    add_note(Paint::kBad,
             state == "gone" ? "its code has gone since" : "its code has changed since");
  }
  return fmt::format("{}{}  {}  {}  {}{}\n", is_anchor ? console.painted(Paint::kGood, ">") : " ",
                     console.painted(Paint::kPath, fmt::format("{:>6}", "#" + text_of(item, "id"))),
                     fmt::format("{:>8}", memory::clock_text(time_of(item))),
                     console.painted(Paint::kDim, padded(text_of(item, "entry_type"), 10)),
                     is_anchor ? console.painted(Paint::kBold, cell) : cell, notes);
}

// The rows under a heading for each day and project that differs from the row before.
std::string rows_by_day(const Json& items, const Console& console) {
  std::string text, heading;
  for (const Json& item : items) {
    const std::string now = memory::day_text(time_of(item)) + "  " + text_of(item, "project");
    if (now != heading) {
      if (!text.empty()) text += "\n";
      text += console.painted(Paint::kBold, now) + "\n";
      heading = now;
    }
    text += row_line(item, console);
  }
  return text;
}

std::string degraded_line(const Json& answer) {
  const std::string note = text_of(answer, "note");
  return note.empty() ? "" : "\n" + note + "\n";
}

std::string names_line(const Json& item, const char* name, const char* label) {
  const auto list = item.find(name);
  if (list == item.end() || !list->is_array() || list->empty()) return "";
  std::vector<std::string> names;
  for (const Json& each : *list) {
    if (each.is_string()) names.push_back(printable(each.get<std::string>()));
  }
  return wrapped(std::string(label) + ": " + join(names, ", "), 2);
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  const std::string before(indent, ' ');
  std::string out;
  for (const std::string_view line : split(text, '\n')) {
    std::string row;
    for (const std::string_view word : split(line, ' ')) {
      const bool fits =
          row.empty() || indent + code_point_count(row) + 1 + code_point_count(word) <= width;
      if (!fits) {
        out += before + row + "\n";
        row.clear();
      } else if (!row.empty()) {
        row += ' ';
      }
      row += word;
    }
    out += trimmed_end(before + row) + "\n";
  }
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

Rendered render_saved(std::string_view answer, const Console& console) {
  const Json saved = parse(answer);
  return {fmt::format("{} {}  {} in {}\n",
                      saved.value("duplicate", false) ? "saved before as" : "saved as",
                      console.painted(Paint::kPath, "#" + text_of(saved, "id")),
                      text_of(saved, "title"), text_of(saved, "project")),
          true};
}

Rendered render_memories(std::string_view answer, const Console& console) {
  const Json found = parse(answer);
  const Json items = found.value("items", Json::array());
  if (items.empty()) return {degraded_line(found), false};
  std::string text = rows_by_day(items, console);
  const std::size_t total = number_of(found, "total");
  if (found.contains("nextOffset")) {
    text +=
        fmt::format("\n{} of {}, --offset {} goes on\n", items.size(),
                    with_thousands(static_cast<long long>(total)), number_of(found, "nextOffset"));
  }
  return {text + degraded_line(found), true};
}

Rendered render_timeline(std::string_view answer, const Console& console) {
  const Json found = parse(answer);
  const Json items = found.value("items", Json::array());
  if (items.empty()) return {"", false};
  return {rows_by_day(items, console), true};
}

Rendered render_entries(std::string_view answer, const Console& console) {
  const Json found = parse(answer);
  std::string text;
  for (const Json& item : found.value("items", Json::array())) {
    if (!text.empty()) text += "\n";
    const std::int64_t ms = time_of(item);
    text += fmt::format("{}  {}\n", console.painted(Paint::kPath, "#" + text_of(item, "id")),
                        console.painted(Paint::kBold, fold_whitespace(text_of(item, "title"))));
    text +=
        console.painted(Paint::kDim, fmt::format("  {} · {} · {} {}", text_of(item, "entry_type"),
                                                 text_of(item, "project"), memory::day_text(ms),
                                                 memory::clock_text(ms))) +
        "\n\n";
    // The body keeps its line breaks, which printable() would take out.
    std::string body;
    const std::string raw = item.value("body", "");
    for (const std::string_view line : split(raw, '\n')) {
      body += printable(std::string(line)) + "\n";
    }
    text += wrapped(body, 2);
    std::string more;
    if (const auto facts = item.find("facts"); facts != item.end()) {
      for (const Json& fact : *facts) {
        if (fact.is_string()) more += wrapped("- " + printable(fact.get<std::string>()), 2);
      }
    }
    more += names_line(item, "concepts", "concepts");
    more += names_line(item, "files_modified", "files modified");
    more += names_line(item, "files_read", "files");
    if (const std::string source = text_of(item, "source_ref"); !source.empty()) {
      more += wrapped("source: " + source, 2);
    }
    if (const auto code = item.find("code"); code != item.end() && code->is_array()) {
      for (const Json& each : *code) {
        const std::string state = text_of(each, "state");
        const std::string symbol = text_of(each, "symbol");
        more += fmt::format("  code: {}{} {}\n", text_of(each, "path"),
                            symbol.empty() ? "" : " " + symbol,
                            console.painted(state == "unchanged" ? Paint::kGood
                                            : state == "unknown" ? Paint::kDim
                                                                 : Paint::kBad,
                                            state));
      }
    }
    if (!more.empty()) text += "\n" + more;
  }
  if (const Json missing = found.value("missing", Json::array()); !missing.empty()) {
    text += "\n" + names_line(found, "missing", "there is no").substr(2);
  }
  if (found.contains("nextOffset")) {
    text += fmt::format("\n{} more, --offset {} goes on\n", number_of(found, "omitted"),
                        number_of(found, "nextOffset"));
  }
  return {text, true};
}

Rendered render_ingested(std::string_view answer, const Console& console) {
  const Json report = parse(answer);
  std::string text =
      fmt::format("{} into {}: {} new, {} known{}\n",
                  counted(number_of(report, "processed_sources"), "document", "documents"),
                  text_of(report, "project"), number_of(report, "imported_entries"),
                  number_of(report, "duplicate_entries"),
                  number_of(report, "superseded_entries") == 0
                      ? ""
                      : fmt::format(", {} superseded", number_of(report, "superseded_entries")));
  for (const Json& skipped : report.value("skipped", Json::array())) {
    text += fmt::format("  {} {}: {}\n", console.painted(Paint::kDim, "skipped"),
                        text_of(skipped, "source"), text_of(skipped, "reason"));
  }
  for (const Json& blocked : report.value("blocked", Json::array())) {
    text += fmt::format("  {} {}, section {}: {}\n", console.painted(Paint::kBad, "blocked"),
                        text_of(blocked, "source"), number_of(blocked, "section"),
                        text_of(blocked, "rules"));
  }
  return {text, number_of(report, "processed_sources") > 0};
}

Rendered render_retention(std::string_view answer, const Console&) {
  const Json plan = parse(answer);
  const std::size_t total = number_of(plan, "total_candidates");
  const Json reasons = plan.value("by_reason", Json::object());
  std::string text = fmt::format(
      "{} would go: {} older than {} days, {} beyond {} in a project\n",
      counted(total, "entry", "entries"), number_of(reasons, "age"),
      plan.value("max_age_days", 0.0), number_of(reasons, "project_count"),
      with_thousands(static_cast<long long>(number_of(plan, "max_entries_per_project"))));
  std::string ids;
  for (const Json& id : plan.value("candidate_ids", Json::array())) {
    if (!ids.empty()) ids += ' ';
    ids += "#" + id.get<std::string>();
  }
  if (!ids.empty()) text += wrapped(ids, 2);
  return {text, total > 0};
}

Rendered render_decided(std::string_view answer, const Console& console) {
  const Json decided = parse(answer);
  return {fmt::format("{}: {}\n", text_of(decided, "message"),
                      console.painted(Paint::kPath, text_of(decided, "decision_id"))),
          true};
}

Rendered render_decisions(std::string_view answer, const Console& console) {
  const Json found = parse(answer);
  std::string text;
  for (const Json& hit : found.value("results", Json::array())) {
    if (!text.empty()) text += "\n";
    const std::string status = text_of(hit, "status");
    text += fmt::format("{}  {}{}\n", console.painted(Paint::kPath, text_of(hit, "id")),
                        console.painted(status == "active" ? Paint::kGood : Paint::kDim, status),
                        hit.contains("score") && hit["score"].is_number()
                            ? fmt::format("  {:.2f}", hit["score"].get<double>())
                            : "");
    text += wrapped(text_of(hit, "preview"), 2);
    const std::string state = text_of(hit, "code_state");
    text +=
        console.painted(Paint::kDim, fmt::format("  on {} in {}, by {}, {}", text_of(hit, "target"),
                                                 text_of(hit, "project"), text_of(hit, "source"),
                                                 memory::day_text(time_of(hit)))) +
        (state == "changed" || state == "gone"
             ? console.painted(Paint::kBad, "  its code is " + state)
             : "") +
        "\n";
  }
  const bool found_any = !text.empty();
  if (const std::string message = text_of(found, "message"); !message.empty()) {
    text += "\n" + message + "\n";
  }
  return {text, found_any};
}

}  // namespace codexmem::app
