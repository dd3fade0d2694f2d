// A small scanner walks the text to the end of the object in question, over comments and strings,
// and the entry is inserted there. The result is parsed again and must differ from the old document
// by the entry alone; so whatever the scanner misreads is refused, never written.
#include "app/editor_settings.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/json.h"
#include "base/json_text.h"
#include "base/text.h"
#include "graph/json_comments.h"

namespace codexmem::app {
namespace {

// One tab for each level.
constexpr std::string_view kEntry =
    "\"codexmem\": {\n"
    "\t\"type\": \"stdio\",\n"
    "\t\"command\": \"codexmem\",\n"
    "\t\"args\": [\"serve\"],\n"
    "\t\"cwd\": \"${workspaceFolder}\"\n"
    "}";

constexpr int kMaxDepth = 64;

// What the editor reads: JSON with comments and trailing commas. Errors: kUnsupported with the
// line.
Result<Json> parse_settings(std::string_view text) {
  const std::string plain = graph::strip_json_comments(text);
  if (is_too_deep(plain, kMaxDepth)) {
    return Error{ErrorCode::kUnsupported, "it is nested too deeply"};
  }
  try {
    Json parsed = Json::parse(plain);
    if (parsed.is_object()) return parsed;
    return Error{ErrorCode::kUnsupported, "it is not a JSON object"};
  } catch (const Json::parse_error& error) {
    const std::string_view before = std::string_view(plain).substr(0, error.byte);
    return Error{ErrorCode::kUnsupported,
                 fmt::format("line {} is not the JSON that an editor reads",
                             1 + std::count(before.begin(), before.end(), '\n'))};
  }
}

// Where an object of the text can take another member.
struct ObjectPlace {
  std::size_t open = 0;    // of `{`
  std::size_t insert = 0;  // just past its last member, or past `{`
  bool has_members = false;
};

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  // The object at the top, and the one that is its member `name`. False if the text is not made so.
  bool find(std::string_view name, ObjectPlace& top, std::optional<ObjectPlace>& member) {
    skip_space();
    if (!take('{')) return false;
    top.open = at_ - 1;
    return walk_object(top, name, &member);
  }

 private:
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void skip_space() {
    while (at_ < text_.size()) {
      if (text_.substr(at_).starts_with("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.substr(at_).starts_with("/*")) {
        const std::size_t end = text_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? text_.size() : end + 2;
      } else if (text_.substr(at_).starts_with("\xEF\xBB\xBF")) {
        at_ += 3;
      } else if (std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) {
        ++at_;
      } else {
        return;
      }
    }
  }

  bool skip_string(std::string_view& inside) {
    if (!take('"')) return false;
    const std::size_t begin = at_;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\') {
        ++at_;
      } else if (text_[at_] == '"') {
        inside = text_.substr(begin, at_++ - begin);
        return true;
      }
    }
    return false;
  }

  // Past `{`: walks to its end; the member `name`, where it is an object, goes to `found`.
  bool walk_object(ObjectPlace& place, std::string_view name, std::optional<ObjectPlace>* found) {
    place.insert = at_;
    while (true) {
      skip_space();
      if (take('}')) return true;
      std::string_view key;
      if (!skip_string(key)) return false;
      skip_space();
      if (!take(':')) return false;
      skip_space();
      if (found != nullptr && key == name && at_ < text_.size() && text_[at_] == '{') {
        ObjectPlace inner;
        inner.open = at_++;
        if (!walk_object(inner, {}, nullptr)) return false;
        *found = inner;
      } else if (!skip_value()) {
        return false;
      }
      place.has_members = true;
      place.insert = at_;
      skip_space();
      take(',');
    }
  }

  bool skip_value() {
    if (at_ >= text_.size()) return false;
    std::string_view ignored;
    if (text_[at_] == '"') return skip_string(ignored);
    if (take('{')) {
      ObjectPlace inner;
      return walk_object(inner, {}, nullptr);
    }
    if (take('[')) {
      while (true) {
        skip_space();
        if (take(']')) return true;
        if (!skip_value()) return false;
        skip_space();
        take(',');
      }
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           std::string_view(",}] \t\r\n/").find(text_[at_]) == std::string_view::npos) {
      ++at_;
    }
    return at_ > begin;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// The white space that one level is indented by: that of the first indented line.
std::string indent_unit(std::string_view text) {
  for (std::string_view line : split(text, '\n')) {
    const std::size_t width = line.find_first_not_of(" \t");
    if (width != std::string_view::npos && width > 0 && line[width] != '*') {
      return std::string(line.substr(0, width));
    }
  }
  return "  ";
}

// `text` with each line break followed by `levels` of `unit`, and each tab replaced by `unit`.
std::string indented(std::string_view text, const std::string& unit, std::size_t levels) {
  std::string out;
  for (const char c : text) {
    if (c == '\t') {
      out += unit;
    } else {
      out += c;
      for (std::size_t i = 0; c == '\n' && i < levels; ++i) out += unit;
    }
  }
  return out;
}

// The entry inside of a "servers" of its own.
std::string servers_member(const std::string& unit) {
  return "\"servers\": {\n" + unit + indented(kEntry, unit, 1) + "\n}";
}

// The bytes at the start of `rest` that say something about what stands before them: white space
// and comments up to the end of the line.
std::size_t line_remark(std::string_view rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  const std::string_view line = trim(rest.substr(0, end));
  const bool remark =
      line.starts_with("//") || (line.starts_with("/*") && line.find("*/") == line.size() - 2);
  return remark ? end - (end > 0 && rest[end - 1] == '\r' ? 1 : 0) : 0;
}

}  // namespace

std::string editor_entry() { return indented(kEntry, "  ", 0); }

Result<std::string> with_editor_entry(std::string_view before) {
  if (trim(before).empty()) {
    return "{\n  " + indented(servers_member("  "), "  ", 1) + "\n}\n";
  }
  CODEXMEM_ASSIGN(const Json old, parse_settings(before));
  const auto refuse = [](std::string_view why) {
    return Error{ErrorCode::kUnsupported, std::string(why)};
  };
  if (old.contains("servers") && !old["servers"].is_object()) {
    return refuse("its \"servers\" is no object");
  }
  if (old.contains("servers") && old["servers"].contains("codexmem")) return std::string(before);

  ObjectPlace top;
  std::optional<ObjectPlace> servers;
  if (!Scanner(before).find("servers", top, servers))
    return refuse("its layout was not understood");
  const std::string unit = indent_unit(before);
  const ObjectPlace& place = servers ? *servers : top;
  const std::size_t level = servers ? 2 : 1;
  const std::string member = servers ? std::string(kEntry) : servers_member(unit);
  std::string after(before.substr(0, place.insert));
  std::string_view rest = before.substr(place.insert);
  if (place.has_members) after += ',';
  const bool has_trailing_comma = rest.starts_with(',');  // stays the last member's
  if (has_trailing_comma) rest.remove_prefix(1);
  const std::size_t remark = line_remark(rest);
  after += rest.substr(0, remark);
  rest.remove_prefix(remark);
  after += indented("\n" + member, unit, level);
  if (has_trailing_comma) after += ',';
  // Of an empty or one-line object the closing brace goes to a line of its own.
  const std::size_t brace = rest.find_first_not_of(" \t\r\n");
  if (brace != std::string_view::npos && rest[brace] == '}' &&
      rest.substr(0, brace).find('\n') == std::string_view::npos) {
    rest.remove_prefix(brace);
    after += indented("\n", unit, level - 1);
  }
  after += rest;

  Json wanted = old;
  wanted["servers"]["codexmem"] = Json::parse("{" + std::string(kEntry) + "}")["codexmem"];
  const auto parsed = parse_settings(after);
  if (!parsed.ok() || *parsed != wanted) return refuse("its layout was not understood");
  return after;
}

}  // namespace codexmem::app
