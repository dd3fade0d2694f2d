// Tested by memory/shared_text_test.cpp and fuzz/shared_text_fuzz.cpp.
#include "memory/entries/shared_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/text.h"
#include "memory/decisions/decision_text.h"
#include "memory/times.h"
#include "privacy/gate.h"
#include "text/json.h"
#include "text/json_lists.h"

namespace codexmem::memory {
namespace {

constexpr std::size_t kIdDigits = 16;
constexpr std::size_t kSlugBytes = 48;
constexpr std::size_t kShownIdDigits = 8;
constexpr std::string_view kRule = "---";

// The text between two rules at the beginning of a file: one value or list a key. Of YAML it
// knows what people write by hand in such a place; a key whose value it does not know is left out.
struct FrontMatter {
  std::map<std::string, std::string, std::less<>> values;
  std::map<std::string, std::vector<std::string>, std::less<>> lists;
  std::string_view body;

  std::string value(std::string_view key) const {
    const auto found = values.find(key);
    return found == values.end() ? std::string() : found->second;
  }
  std::vector<std::string> list(std::string_view key) const {
    const auto found = lists.find(key);
    if (found != lists.end()) return found->second;
    const std::string one = value(key);
    return one.empty() ? std::vector<std::string>() : std::vector{one};
  }
};

std::string read_scalar(std::string_view text) {
  text = trim(text);
  if (text.starts_with('"')) {
    const Json value = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    return value.is_string() ? value.get<std::string>() : std::string(text);
  }
  if (text.size() > 1 && text.starts_with('\'') && text.ends_with('\'')) {
    std::string out;
    for (std::size_t i = 1; i + 1 < text.size(); ++i) {
      out += text[i];
      if (text[i] == '\'' && text[i + 1] == '\'') ++i;
    }
    return out;
  }
  return std::string(trim(text.substr(0, text.find(" #"))));
}

// "[a, b]", as JSON or with plain items.
std::vector<std::string> read_flow_list(std::string_view text) {
  const Json value = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (value.is_array()) return read_json_list(text);
  std::vector<std::string> items;
  for (const std::string_view item : split(text.substr(1, text.size() - 2), ',')) {
    if (std::string one = read_scalar(item); !one.empty()) items.push_back(std::move(one));
  }
  return items;
}

// The next line of `rest`, without its end.
std::string_view take_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  std::string_view line = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool is_key(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
  });
}

// Nothing when there is no front matter; a body without one is all of `bytes`.
std::optional<FrontMatter> read_front_matter(std::string_view bytes) {
  std::string_view rest = bytes;
  if (trim(take_line(rest)) != kRule) return std::nullopt;
  FrontMatter front;
  std::string key;
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    if (trim(line) == kRule) {
      front.body = rest;
      return front;
    }
    const std::string_view text = trim(line);
    if (text.empty() || text.starts_with('#')) continue;
    if (text.starts_with("- ") && !key.empty()) {
      front.lists[key].push_back(read_scalar(text.substr(2)));
      continue;
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !is_key(line.substr(0, colon))) {
      key.clear();
      continue;
    }
    key = to_lower_ascii(line.substr(0, colon));
    const std::string_view value = trim(line.substr(colon + 1));
    if (value.starts_with('[') && value.ends_with(']')) {
      front.lists[key] = read_flow_list(value);
    } else if (!value.empty()) {
      front.values[key] = read_scalar(value);
    }
  }
  return std::nullopt;
}

// The first heading of `body`, and what follows it.
std::pair<std::string, std::string_view> split_title(std::string_view body) {
  while (!body.empty()) {
    std::string_view rest = body;
    const std::string_view line = take_line(rest);
    if (trim(line).empty()) {
      body = rest;
      continue;
    }
    if (line.starts_with("# ")) return {fold_whitespace(line.substr(2)), trim(rest)};
    break;
  }
  return {std::string(), trim(body)};
}

bool has_conflict_marks(std::string_view bytes) {
  return bytes.starts_with("<<<<<<< ") || bytes.find("\n<<<<<<< ") != std::string_view::npos;
}

Result<void> check_bytes(std::string_view bytes) {
  if (bytes.size() > kMaxSharedFileBytes) {
    return invalid_argument(fmt::format("it has more than {} kB", kMaxSharedFileBytes >> 10));
  }
  if (has_conflict_marks(bytes)) return invalid_argument("it holds the marks of a merge conflict");
  if (bytes.find('\0') != std::string_view::npos || !is_valid_utf8(bytes)) {
    return invalid_argument("it is not UTF-8 text");
  }
  return {};
}

void add_line(std::string& out, std::string_view key, std::string_view text) {
  out += fmt::format("{}: {}\n", key, dump_json(Json(text)));
}

void add_list(std::string& out, std::string_view key, const std::vector<std::string>& list) {
  if (list.empty()) return;
  out += fmt::format("{}:\n", key);
  for (const std::string& item : list) out += fmt::format("  - {}\n", dump_json(Json(item)));
}

// Lines end in "\n", and nothing white is at the ends.
std::string normal_text(std::string_view text) {
  std::string out;
  for (const char c : trim(text)) {
    if (c != '\r') out += c;
  }
  return out;
}

std::string slug_of(std::string_view title) {
  std::string slug;
  for (const char c : title) {
    const char lower = to_lower(c);
    const bool is_word = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9');
    if (is_word) {
      slug += lower;
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
    if (slug.size() == kSlugBytes) break;
  }
  while (slug.ends_with('-')) slug.pop_back();
  return slug.empty() ? "memory" : slug;
}

bool is_memory_id(std::string_view id) {
  return id.size() == kIdDigits && id.find_first_not_of("0123456789abcdef") == id.npos;
}

Result<SharedText> read_decision(const FrontMatter& front, SharedText shared) {
  CODEXMEM_ASSIGN(shared.id, parse_decision_id(shared.id));
  shared.target = fold_whitespace(front.value("target"));
  if (shared.target.empty()) return invalid_argument("a decision must have a target");
  if (shared.title.empty()) return invalid_argument("a decision must have a heading");
  const std::string status = front.value("status");
  const auto known = parse_status(status.empty() ? "active" : status);
  if (!known || is_proposal(*known)) {
    return invalid_argument(
        fmt::format("the status must be active, deprecated or superseded, got \"{}\"",
                    utf8_prefix(status, kSlugBytes)));
  }
  shared.status = *known;
  shared.source =
      front.value("source") == "agent" ? DecisionSource::kAgent : DecisionSource::kHuman;
  shared.consequences = front.list("consequences");
  return shared;
}

// ---- Records of architecture decisions

struct StatusWord {
  std::string_view word;
  DecisionStatus status;
};
constexpr std::array kStatusWords = {
    StatusWord{"accepted", DecisionStatus::kActive},
    StatusWord{"approved", DecisionStatus::kActive},
    StatusWord{"adopted", DecisionStatus::kActive},
    StatusWord{"active", DecisionStatus::kActive},
    StatusWord{"decided", DecisionStatus::kActive},
    StatusWord{"done", DecisionStatus::kActive},
    StatusWord{"implemented", DecisionStatus::kActive},
    StatusWord{"proposed", DecisionStatus::kDraft},
    StatusWord{"draft", DecisionStatus::kDraft},
    StatusWord{"pending", DecisionStatus::kDraft},
    StatusWord{"rejected", DecisionStatus::kRejected},
    StatusWord{"declined", DecisionStatus::kRejected},
    StatusWord{"deprecated", DecisionStatus::kDeprecated},
    StatusWord{"obsolete", DecisionStatus::kDeprecated},
    StatusWord{"superseded", DecisionStatus::kSuperseded},
    StatusWord{"superceded", DecisionStatus::kSuperseded},
    StatusWord{"replaced", DecisionStatus::kSuperseded},
};

std::string adr_id(std::string_view path) {
  const std::string stem = std::filesystem::path(path).stem().string();
  return fmt::format("adr_{}_{}.md", utf8_prefix(stem, 2 * kSlugBytes),
                     sha256_hex(path).substr(0, kShownIdDigits));
}

// What a record says of itself next to its text.
struct AdrNotes {
  std::string status, date;
  std::vector<std::string> supersedes;  // file names
};

// The file names in the links of `line`.
void add_linked_files(std::string_view line, std::vector<std::string>& names) {
  for (std::size_t at = line.find("]("); at != line.npos; at = line.find("](", at + 2)) {
    const std::size_t end = line.find(')', at);
    if (end == line.npos) return;
    const std::string_view link = line.substr(at + 2, end - at - 2);
    names.push_back(std::filesystem::path(link.substr(0, link.find('#'))).filename().string());
  }
}

void note_status_line(std::string_view line, AdrNotes& notes) {
  const std::string lower = to_lower_ascii(line);
  if (lower.starts_with("superse") || lower.starts_with("superce")) {
    if (lower.starts_with("supersedes") || lower.starts_with("supercedes")) {
      add_linked_files(line, notes.supersedes);
      return;
    }
    notes.status = lower;  // what came later is what holds
    return;
  }
  if (notes.status.empty()) notes.status = lower;
}

// Reads "* Status: accepted" and "Date: 2016-02-12", and the text under "## Status".
std::string note_lines(std::string_view body, AdrNotes& notes) {
  std::string text;
  bool is_status = false;
  while (!body.empty()) {
    const std::string_view line = take_line(body);
    if (line.starts_with('#')) {
      const std::string_view heading = trim(line.substr(
          line.find_first_not_of('#') == line.npos ? line.size() : line.find_first_not_of('#')));
      is_status = to_lower_ascii(heading) == "status";
      if (is_status) continue;
    } else if (is_status) {
      if (!trim(line).empty()) note_status_line(trim(line), notes);
      continue;
    } else if (text.find("\n#") == text.npos && !text.starts_with('#')) {
      std::string_view note = trim(line);
      if (note.starts_with("* ") || note.starts_with("- ")) note = trim(note.substr(2));
      const std::string lower = to_lower_ascii(note);
      if (lower.starts_with("status:")) {
        note_status_line(trim(note.substr(7)), notes);
        continue;
      }
      if (lower.starts_with("date:")) {
        notes.date = trim(note.substr(5));
        continue;
      }
    }
    text += line;
    text += '\n';
  }
  return text;
}

std::optional<DecisionStatus> status_in(std::string_view text) {
  if (text.empty()) return DecisionStatus::kActive;
  const std::size_t begin = text.find_first_not_of(" *_[`\"'");
  if (begin == text.npos) return std::nullopt;
  for (const StatusWord& row : kStatusWords) {
    if (text.substr(begin).starts_with(row.word)) return row.status;
  }
  return std::nullopt;
}

// "7. Use SQLite", "ADR-0007: Use SQLite" are called "Use SQLite".
std::string title_of_adr(std::string title) {
  std::string_view rest = title;
  if (to_lower_ascii(rest.substr(0, 3)) == "adr") rest = rest.substr(3);
  const std::size_t digits = rest.find_first_not_of(" -#");
  if (digits == rest.npos) return title;
  const std::size_t end = rest.find_first_not_of("0123456789", digits);
  if (end == rest.npos || end == digits) return title;
  if (rest[end] != '.' && rest[end] != ':' && rest[end] != ' ') return title;
  const std::string_view name = trim(rest.substr(end + 1));
  return name.empty() ? title : std::string(name);
}

}  // namespace

SharedText shared_text_of(const Entry& entry) {
  SharedText shared;
  shared.type = entry.type;
  shared.title = fold_whitespace(entry.title);
  shared.text = normal_text(entry.body);
  shared.created_at_ms = entry.created_at_ms;
  shared.concepts = entry.concepts;
  const std::string content =
      fmt::format("{}\n{}\n{}\n{}", shared.type, shared.created_at_ms, shared.title, shared.text);
  shared.id = sha256_hex(content).substr(0, kIdDigits);
  return shared;
}

SharedText shared_text_of(const Decision& decision) {
  SharedText shared;
  shared.is_decision = true;
  shared.id = decision.id;
  shared.title = fold_whitespace(decision.title);
  shared.text = normal_text(without_marker(decision.rationale));
  shared.created_at_ms = decision.created_at_ms;
  shared.target = decision.target;
  // That another one took its place is said by that one's file.
  shared.status =
      decision.status == DecisionStatus::kSuperseded ? DecisionStatus::kActive : decision.status;
  shared.source = decision.source;
  shared.consequences = decision.consequences;
  return shared;
}

std::string shared_markdown(const SharedText& shared) {
  std::string out = fmt::format("{}\ncodexmem: {}\nkind: {}\n", kRule, kSharedFormat,
                                shared.is_decision ? "decision" : "memory");
  add_line(out, "id", shared.id);
  if (shared.is_decision) {
    add_line(out, "target", shared.target);
    out += fmt::format("status: {}\n", status_name(shared.status));
    out += fmt::format("source: {}\n", shared.source == DecisionSource::kHuman ? "human" : "agent");
  } else {
    add_line(out, "type", shared.type);
  }
  add_line(out, "created", iso_time(shared.created_at_ms));
  add_list(out, "concepts", shared.concepts);
  add_list(out, "files", shared.files);
  add_list(out, "symbols", shared.symbols);
  add_list(out, "supersedes", shared.supersedes);
  add_list(out, "consequences", shared.consequences);
  return out + fmt::format("{}\n\n# {}\n\n{}\n", kRule, shared.title, shared.text);
}

std::string shared_file_name(const SharedText& shared) {
  if (shared.is_decision) return shared.id;
  return fmt::format("{}-{}.md", slug_of(shared.title), shared.id.substr(0, kShownIdDigits));
}

Result<SharedText> read_shared_text(std::string_view bytes) {
  CODEXMEM_TRY(check_bytes(bytes));
  const auto front = read_front_matter(bytes);
  if (!front || front->value("codexmem").empty()) {
    return invalid_argument("it does not begin with the front matter of a shared memory");
  }
  if (front->value("codexmem") != std::to_string(kSharedFormat)) {
    return invalid_argument(
        fmt::format("it is of format {}, this program reads {}: update codexmem",
                    utf8_prefix(front->value("codexmem"), kSlugBytes), kSharedFormat));
  }
  SharedText shared;
  const std::string kind = front->value("kind");
  if (kind != "memory" && kind != "decision") {
    return invalid_argument(fmt::format("the kind must be memory or decision, got \"{}\"",
                                        utf8_prefix(kind, kSlugBytes)));
  }
  shared.is_decision = kind == "decision";
  shared.id = front->value("id");
  const auto created = read_time(front->value("created"));
  if (!created || *created < 0) return invalid_argument("created must be a time");
  shared.created_at_ms = *created;
  shared.supersedes = front->list("supersedes");
  shared.files = front->list("files");
  shared.symbols = front->list("symbols");
  shared.concepts = front->list("concepts");
  const auto [title, text] = split_title(front->body);
  shared.title = title;
  shared.text = normal_text(text);
  if (shared.text.empty()) return invalid_argument("it has no text below its heading");
  if (shared.is_decision) return read_decision(*front, std::move(shared));
  if (!is_memory_id(shared.id)) {
    return invalid_argument(
        fmt::format("the id of a memory must be {} hexadecimal digits", kIdDigits));
  }
  shared.type = front->value("type");
  return shared;
}

bool is_adr_name(std::string_view path) {
  const std::string name = std::filesystem::path(path).filename().string();
  const std::size_t digits = name.find_first_not_of("0123456789");
  return digits != name.npos && digits >= 1 && name[digits] == '-' &&
         to_lower_ascii(name).ends_with(".md");
}

Result<SharedText> read_adr(std::string_view bytes, std::string_view path) {
  CODEXMEM_TRY(check_bytes(bytes));
  const auto front = read_front_matter(bytes);
  AdrNotes notes;
  if (front) {
    notes.date = front->value("date");
    if (const std::string status = front->value("status"); !status.empty()) {
      note_status_line(status, notes);
    }
  }
  const auto [title, body] = split_title(front ? front->body : bytes);
  if (title.empty()) return invalid_argument("it does not begin with a heading");
  SharedText shared;
  shared.is_decision = true;
  shared.id = adr_id(path);
  shared.title = shared.target = title_of_adr(title);
  shared.text = normal_text(note_lines(body, notes));
  if (shared.text.empty()) return invalid_argument("it has no text below its heading");
  const auto status = status_in(notes.status);
  if (!status) {
    return invalid_argument(fmt::format("its status \"{}\" is not one that is known",
                                        utf8_prefix(notes.status, kSlugBytes)));
  }
  shared.status = *status;
  shared.created_at_ms = std::max<std::int64_t>(0, read_time(notes.date).value_or(0));
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  for (const std::string& name : notes.supersedes) {
    shared.supersedes.push_back(adr_id((folder / name).generic_string()));
  }
  return shared;
}

Result<void> inspect_shared(const SharedText& shared) {
  privacy::Inspection inspection;
  inspection.add("id", shared.id);
  inspection.add("type", shared.type);
  inspection.add("title", shared.title);
  inspection.add("text", shared.text);
  inspection.add("target", shared.target);
  inspection.add("concepts", shared.concepts);
  inspection.add("files", shared.files);
  inspection.add("symbols", shared.symbols);
  inspection.add("supersedes", shared.supersedes);
  inspection.add("consequences", shared.consequences);
  return inspection.check();
}

}  // namespace codexmem::memory
