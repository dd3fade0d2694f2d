#include "app/render_memory.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "app/columns.h"
#include "text/json.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "memory/times.h"

namespace codexmem::app {
namespace {

Json parse(std::string_view text) {
  Json value = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  return value.is_object() ? value : Json::object();
}

// A name, a number: on one line, which a line break in a project's name cannot end.
std::string text_of(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return {};
  return terminal_line(found->is_string() ? found->get<std::string>() : dump_json(*found));
}

// A text that may have several lines.
std::string lines_of(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::size_t number_of(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number_unsigned() ? found->get<std::size_t>() : 0;
}

std::string counted(std::size_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", with_thousands(static_cast<long long>(number)),
                     number == 1 ? one : many);
}

std::int64_t time_of(const Json& item) {
  return memory::read_time(text_of(item, "created_at")).value_or(0);
}

// "3 days", "5 hours", "12 minutes".
std::string age_text(std::int64_t ms) {
  const std::int64_t minutes = std::max<std::int64_t>(ms, 0) / 60'000;
  const auto number = [](std::int64_t count) { return static_cast<std::size_t>(count); };
  if (minutes < 60) return counted(number(minutes), "minute", "minutes");
  if (minutes < 48 * 60) return counted(number(minutes / 60), "hour", "hours");
  return counted(number(minutes / (24 * 60)), "day", "days");
}

// "  #12   9:16 AM  discovery   Auth of the API"
std::string row_line(const Json& item, const Console& console) {
  constexpr std::size_t kBefore = 31, kLeastTitle = 20;  // columns
  const std::size_t width = std::max(console.width(), kBefore + kLeastTitle) - kBefore;
  const std::string title = lines_of(item, "title");
  const bool is_anchor = item.value("is_anchor", false);
  const std::string cell = cut(title, width);
  std::string line =
      fmt::format("{}{}  {}  {}  {}\n", is_anchor ? console.painted(Paint::kGood, ">") : " ",
                  console.painted(Paint::kPath, fmt::format("{:>6}", "#" + text_of(item, "id"))),
                  fmt::format("{:>8}", memory::clock_text(time_of(item))),
                  console.painted(Paint::kDim, padded(text_of(item, "entry_type"), 10)),
                  is_anchor ? console.painted(Paint::kBold, cell) : cell);
  const auto remark = [&](const std::string& text) {
    line += std::string(kBefore, ' ') + console.painted(Paint::kBad, text) + "\n";
  };
  if (const std::string newer = text_of(item, "superseded_by"); !newer.empty()) {
    remark("superseded by #" + newer);
  }
  const std::string state = text_of(item, "code_state");
  if (state == "changed") remark("its code has changed since");
  if (state == "gone") remark("its code is gone");
  return line;
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

std::string names_line(const Json& item, const char* name, const char* label,
                       const Console& console) {
  const auto list = item.find(name);
  if (list == item.end() || !list->is_array() || list->empty()) return "";
  std::vector<std::string> names;
  for (const Json& each : *list) {
    if (each.is_string()) names.push_back(each.get<std::string>());
  }
  return wrapped(std::string(label) + ": " + terminal_line(join(names, ", ")), 2, console.width());
}

// "src/a.ts Queue.push"
std::string code_name(const Json& place) {
  const std::string symbol = text_of(place, "symbol");
  return text_of(place, "path") + (symbol.empty() ? "" : " " + symbol);
}

// The code that an entry cites, the worst first, with where it is now.
std::string code_lines(const Json& item, const Console& console) {
  constexpr std::size_t kMostLines = 8;
  constexpr std::string_view kStates[] = {"gone", "changed", "unknown", "unchanged"};
  const Json code = item.value("code", Json::array());
  std::string text;
  std::size_t shown = 0;
  for (const std::string_view wanted : kStates) {
    for (const Json& each : code) {
      if (text_of(each, "state") != wanted || shown == kMostLines) continue;
      ++shown;
      const Paint paint = wanted == "unchanged" ? Paint::kGood
                          : wanted == "unknown" ? Paint::kDim
                                                : Paint::kBad;
      text += fmt::format("  code: {} {}{}\n", code_name(each), console.painted(paint, wanted),
                          each.contains("now") ? ", now " + code_name(each["now"]) : "");
    }
  }
  if (code.size() > shown) text += fmt::format("  code: {} more\n", code.size() - shown);
  return text;
}

// What else is known of an entry: "pinned" is a word of its own.
std::string metadata_lines(const Json& item, const Console& console) {
  Json metadata = item.value("metadata", Json::object());
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

}  // namespace

Rendered render_saved(std::string_view answer, const Console& console) {
  const Json saved = parse(answer);
  const std::string_view done = saved.value("duplicate", false) ? "saved before as" : "saved as";
  const std::string id = "#" + text_of(saved, "id");
  const std::string place = " in " + text_of(saved, "project");
  const std::size_t used = done.size() + 1 + id.size() + 2 + column_count(place);
  return {fmt::format("{} {}  {}{}\n", done, console.painted(Paint::kPath, id),
                      console.cut_to_line(fold_whitespace(lines_of(saved, "title")), used), place),
          true};
}

Rendered render_memories(std::string_view answer, const Console& console) {
  const Json found = parse(answer);
  const Json items = found.value("items", Json::array());
  if (items.empty()) return {degraded_line(found), false};
  std::string text = rows_by_day(items, console);
  const std::size_t total = number_of(found, "total");
  const std::size_t offset = number_of(found, "offset");
  if (found.contains("nextOffset") || offset > 0) {
    text += fmt::format("\n{}-{} of {}{}\n", offset + 1, offset + items.size(),
                        with_thousands(static_cast<long long>(total)),
                        found.contains("nextOffset")
                            ? fmt::format(", --offset {} goes on", number_of(found, "nextOffset"))
                            : "");
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
    const std::string id = "#" + text_of(item, "id");
    const std::string head = console.in_lines(id + "  " + fold_whitespace(lines_of(item, "title")));
    text += console.painted(Paint::kPath, id) +
            console.painted(Paint::kBold, std::string_view(head).substr(id.size())) + "\n";
    text +=
        console.painted(Paint::kDim, fmt::format("  {} · {} · {} {}", text_of(item, "entry_type"),
                                                 text_of(item, "project"), memory::day_text(ms),
                                                 memory::clock_text(ms))) +
        "\n\n";
    text += wrapped(lines_of(item, "body"), 2, console.width());
    std::string more;
    if (const auto facts = item.find("facts"); facts != item.end()) {
      for (const Json& fact : *facts) {
        if (fact.is_string()) more += wrapped("- " + fact.get<std::string>(), 2, console.width());
      }
    }
    more += names_line(item, "concepts", "concepts", console);
    more += names_line(item, "files_modified", "files modified", console);
    more += names_line(item, "files_read", "files", console);
    if (const std::string source = text_of(item, "source_ref"); !source.empty()) {
      more += wrapped("source: " + source, 2, console.width());
    }
    if (const std::string newer = text_of(item, "superseded_by"); !newer.empty()) {
      more += "  " + console.painted(Paint::kBad, "superseded by #" + newer) + "\n";
    }
    more += names_line(item, "supersedes", "supersedes", console);
    more += code_lines(item, console);
    more += metadata_lines(item, console);
    if (!more.empty()) text += "\n" + more;
  }
  if (const Json missing = found.value("missing", Json::array()); !missing.empty()) {
    text += "\n" + names_line(found, "missing", "there is no", console).substr(2);
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
    std::vector<std::string> rules;
    for (const Json& rule : blocked.value("rules", Json::array())) {
      if (rule.is_string()) rules.push_back(terminal_line(rule.get<std::string>()));
    }
    text += fmt::format("  {} {}, section {}: it has a secret ({})\n",
                        console.painted(Paint::kBad, "blocked"), text_of(blocked, "source"),
                        number_of(blocked, "section"), join(rules, ", "));
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
  return {text, total > 0};
}

std::string render_removals(std::span<const Removal> rows, std::size_t total, std::int64_t now_ms,
                            const Console& console) {
  constexpr std::size_t kBefore = 23, kLeastTitle = 20;  // columns
  const std::size_t width = std::max(console.width(), kBefore + kLeastTitle) - kBefore;
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
    text += wrapped(lines_of(hit, "preview"), 2, console.width());
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

Rendered render_decision_list(std::string_view answer, const Console& console) {
  constexpr std::size_t kLeastTitle = 30;  // columns
  const Json found = parse(answer);
  std::string text;
  for (const Json& decision : found.value("results", Json::array())) {
    std::string id = text_of(decision, "id");
    if (id.ends_with(".md")) id.resize(id.size() - 3);
    const std::string status = text_of(decision, "status");
    const std::size_t before = id.size() + 14;
    text += fmt::format(
        "{}  {}  {}\n", console.painted(Paint::kPath, id),
        console.painted(status == "active" ? Paint::kGood : Paint::kDim, padded(status, 10)),
        cut(text_of(decision, "target") + ": " + lines_of(decision, "title"),
            std::max(console.width(), before + kLeastTitle) - before));
  }
  const bool found_any = !text.empty();
  return {text, found_any};
}

}  // namespace codexmem::app
