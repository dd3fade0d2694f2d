// A scanner goes from statement to statement, over strings and brackets, and notes the headers and
// their lines. toml++ parses the text before and after the change.
//
// Tested by app/toml_edit_test.cpp.
#include "app/init/toml_edit.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <sstream>

#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "text/json.h"
#include "base/text.h"

namespace codexmem::app {
namespace {

Error refused(std::string message) { return Error{ErrorCode::kUnsupported, std::move(message)}; }

template <typename Value>
std::string streamed(const Value& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

Json to_json(const toml::node& node) {
  if (const toml::table* table = node.as_table()) {
    Json out = Json::object();
    for (const auto& [key, value] : *table) out[std::string(key.str())] = to_json(value);
    return out;
  }
  if (const toml::array* array = node.as_array()) {
    Json out = Json::array();
    for (const toml::node& value : *array) out.push_back(to_json(value));
    return out;
  }
  if (const auto* value = node.as_string()) return value->get();
  if (const auto* value = node.as_integer()) return value->get();
  if (const auto* value = node.as_boolean()) return value->get();
  // NaN would not be equal to itself.
  if (const auto* value = node.as_floating_point()) return fmt::format("{}", value->get());
  if (const auto* value = node.as_date()) return streamed(value->get());
  if (const auto* value = node.as_time()) return streamed(value->get());
  if (const auto* value = node.as_date_time()) return streamed(value->get());
  return nullptr;
}

// No person writes a key with more parts. The library limits nested brackets to 256, but not the
// parts of a key, and recurses for each part.
constexpr int kMaxKeyParts = 16;

bool has_long_key(std::string_view text);

Result<Json> parse_toml(std::string_view text) {
  if (has_long_key(text)) {
    return refused(fmt::format("a key has more than {} parts", kMaxKeyParts));
  }
  try {
    return to_json(toml::parse(text));
  } catch (const toml::parse_error& error) {
    return refused(
        fmt::format("line {} is not TOML: {}", error.source().begin.line, error.description()));
  }
}

// A header, or the text above the first header.
struct Section {
  TomlPath path;
  bool of_array = false;     // [[...]]
  std::size_t begin = 0;     // of the header's line
  std::size_t end = 0;       // behind the line break of its last statement
  bool has_remarks = false;  // comments between the two
};

class TomlScanner {
 public:
  explicit TomlScanner(std::string_view text) : text_(text) {}

  // Whether a key, in a header or in an inline table too, has more than kMaxKeyParts parts. Text
  // that is not TOML is checked as far as it can be read.
  bool has_long_key() {
    int parts = 1;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        if (!string()) return false;
        continue;
      }
      if (c == '#') {
        skip_line();
        continue;
      }
      if (c == '.' && ++parts > kMaxKeyParts) return true;
      if (std::string_view("\n=,[]{}").find(c) != std::string_view::npos) parts = 1;
      ++at_;
    }
    return false;
  }

  // Nothing when the text is not made as expected.
  std::optional<std::vector<Section>> scan() {
    sections_.emplace_back();
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    bool remark = false;  // a comment is between the last statement and here
    while (true) {
      skip(" \t\r\n");
      if (at_ >= text_.size()) return sections_;
      if (text_[at_] == '#') {
        skip_line();
        remark = true;
        continue;
      }
      const std::size_t begin = at_;
      bool own_remark = false;
      if (text_[at_] == '[') {
        Section section;
        section.begin = begin;
        if (!header(section)) return std::nullopt;
        sections_.push_back(std::move(section));
      } else {
        TomlPath ignored;
        if (!key(ignored) || !take('=') || !value(own_remark)) return std::nullopt;
        sections_.back().has_remarks |= remark;
      }
      remark = false;
      skip(" \t");
      if (at_ < text_.size() && text_[at_] == '#') {
        own_remark = true;
        skip_line();
      }
      skip("\r");
      if (at_ < text_.size() && text_[at_++] != '\n') return std::nullopt;
      sections_.back().end = at_;
      sections_.back().has_remarks |= own_remark;
    }
  }

 private:
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void skip(std::string_view characters) {
    at_ = std::min(text_.find_first_not_of(characters, at_), text_.size());
  }
  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  bool header(Section& section) {
    ++at_;
    section.of_array = take('[');
    return key(section.path) && take(']') && (!section.of_array || take(']'));
  }

  // A key with its dots, up to the character behind it.
  bool key(TomlPath& path) {
    do {
      skip(" \t");
      const std::size_t begin = at_;
      if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'')) {
        if (!string()) return false;
        const auto quoted = parse_toml("key = " + std::string(text_.substr(begin, at_ - begin)));
        if (!quoted.ok()) return false;
        path.push_back((*quoted)["key"].get<std::string>());
      } else {
        while (at_ < text_.size() &&
               std::string_view(" \t\r\n.=]#\"'").find(text_[at_]) == std::string_view::npos) {
          ++at_;
        }
        if (at_ == begin) return false;
        path.emplace_back(text_.substr(begin, at_ - begin));
      }
      skip(" \t");
    } while (take('.'));
    return true;
  }

  bool string() {
    const char quote = text_[at_];
    const std::string triple(3, quote);
    const bool many = text_.substr(at_).starts_with(triple);
    at_ += many ? 3 : 1;
    while (at_ < text_.size()) {
      if (text_[at_] == '\\' && quote == '"') {
        at_ += 2;
      } else if (many ? text_.substr(at_).starts_with(triple) : text_[at_] == quote) {
        at_ += many ? 3 : 1;
        // Up to two more may stand before the end.
        for (int more = 0; many && more < 2 && take(quote); ++more) {
        }
        return true;
      } else if (!many && text_[at_] == '\n') {
        return false;
      } else {
        ++at_;
      }
    }
    return false;
  }

  bool value(bool& remark) {
    skip(" \t");
    int depth = 0;
    const std::size_t begin = at_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        if (!string()) return false;
        continue;
      }
      if (c == '#') {
        if (depth == 0) break;
        remark = true;
        skip_line();
        continue;
      }
      if (c == '\n' && depth == 0) break;
      if (c == '[' || c == '{') ++depth;
      if (c == ']' || c == '}') --depth;
      if (depth < 0) return false;
      ++at_;
    }
    return at_ > begin && depth == 0;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Section> sections_;
};

bool has_long_key(std::string_view text) { return TomlScanner(text).has_long_key(); }

// The one section with the header `[path]`, when there is no other table in it.
const Section* plain_section(const std::vector<Section>& sections, const TomlPath& path) {
  const Section* found = nullptr;
  for (const Section& section : sections) {
    if (section.path.size() < path.size() ||
        !std::equal(path.begin(), path.end(), section.path.begin())) {
      continue;
    }
    if (found != nullptr || section.path.size() != path.size() || section.of_array ||
        section.has_remarks) {
      return nullptr;
    }
    found = &section;
  }
  return found;
}

const Json* find(const Json& document, const TomlPath& path) {
  const Json* at = &document;
  for (const std::string& name : path) {
    if (!at->is_object() || !at->contains(name)) return nullptr;
    at = &(*at)[name];
  }
  return at;
}

void put(Json& document, const TomlPath& path, Json value) {
  Json* at = &document;
  for (const std::string& name : path) at = &(*at)[name];
  *at = std::move(value);
}

std::string toml_key(const std::string& name) {
  const bool bare = !name.empty() && name.find_first_not_of(
                                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                         "0123456789_-") == std::string::npos;
  return bare ? name : dump_json(Json(name));
}

// "name = value" for each member. Strings, numbers, flags and lists of them are written in TOML as
// they are in JSON; an object is an inline table.
std::vector<std::string> toml_members(std::string_view value) {
  std::vector<std::string> out;
  const Json members = Json::parse(value);
  for (const auto& item : members.items()) {
    std::string written = dump_json(item.value());
    if (item.value().is_array()) {
      std::vector<std::string> elements;
      for (const Json& element : item.value()) elements.push_back(dump_json(element));
      written = "[" + join(elements, ", ") + "]";
    } else if (item.value().is_object()) {
      written = "{ " + join(toml_members(written), ", ") + " }";
    }
    out.push_back(toml_key(item.key()) + " = " + written);
  }
  return out;
}

std::string with_line_breaks(std::string text, std::string_view like) {
  const std::size_t line = like.find('\n');
  if (line == std::string_view::npos || line == 0 || like[line - 1] != '\r') return text;
  std::string out;
  for (const char c : text) {
    if (c == '\n') out += '\r';
    out += c;
  }
  return out;
}

// Sorts members: their order in a TOML table has no meaning.
Json sorted(const Json& value) {
  if (value.is_array()) {
    Json out = Json::array();
    for (const Json& element : value) out.push_back(sorted(element));
    return out;
  }
  if (!value.is_object()) return value;
  std::vector<std::string> names;
  for (const auto& item : value.items()) names.push_back(item.key());
  std::ranges::sort(names);
  Json out = Json::object();
  for (const std::string& name : names) out[name] = sorted(value[name]);
  return out;
}

bool means(std::string_view text, const Json& wanted) {
  const auto parsed = parse_toml(text);
  return parsed.ok() && sorted(*parsed) == sorted(wanted);
}

}  // namespace

std::string toml_table(const TomlPath& path, std::string_view value) {
  std::vector<std::string> names;
  for (const std::string& name : path) names.push_back(toml_key(name));
  std::string out = "[" + join(names, ".") + "]\n";
  for (const std::string& line : toml_members(value)) out += line + "\n";
  return out;
}

std::string toml_inline(const std::string& name, std::string_view value) {
  return toml_key(name) + " = { " + join(toml_members(value), ", ") + " }";
}

Result<TomlTable> find_toml_table(std::string_view text, const TomlPath& path) {
  CODEXMEM_ASSIGN(const Json document, parse_toml(text));
  TomlTable found;
  const Json* value = find(document, path);
  if (value == nullptr) return found;
  found.value = dump_json(*value);
  const auto sections = TomlScanner(text).scan();
  found.is_plain = sections && plain_section(*sections, path) != nullptr;
  return found;
}

Result<std::string> set_toml_table(std::string_view text, const TomlPath& path,
                                   std::string_view value) {
  CODEXMEM_ASSIGN(Json wanted, parse_toml(text));
  const std::string line_break = with_line_breaks("\n", text);
  std::string table = with_line_breaks(toml_table(path, value), text);
  const bool ends_open = !text.empty() && !text.ends_with('\n');
  std::string after(text);
  if (find(wanted, path) != nullptr) {
    const auto sections = TomlScanner(text).scan();
    const Section* section = sections ? plain_section(*sections, path) : nullptr;
    if (section == nullptr) return refused("its table is not written as codexmem writes it");
    if (ends_open && section->end == text.size()) table.resize(table.size() - line_break.size());
    after.replace(section->begin, section->end - section->begin, table);
  } else {
    for (std::size_t i = 1; i < path.size(); ++i) {
      const Json* outer = find(wanted, TomlPath(path.begin(), path.begin() + static_cast<int>(i)));
      if (outer != nullptr && !outer->is_object()) {
        return refused(fmt::format("its \"{}\" is not a table", path[i - 1]));
      }
    }
    if (ends_open) after += line_break;
    if (!trim(after).empty()) after += line_break;
    after += table;
    // So the end of the text still shows how it ended before.
    if (ends_open) after.resize(after.size() - line_break.size());
  }
  put(wanted, path, Json::parse(value));
  if (!means(after, wanted)) {
    return refused(fmt::format("its \"{}\" takes no table as it is written", path.front()));
  }
  return after;
}

Result<std::string> remove_toml_table(std::string_view text, const TomlPath& path) {
  CODEXMEM_ASSIGN(Json wanted, parse_toml(text));
  if (find(wanted, path) == nullptr) return std::string(text);
  const auto sections = TomlScanner(text).scan();
  const Section* section = sections ? plain_section(*sections, path) : nullptr;
  if (section == nullptr) return refused("its table is not written as codexmem writes it");
  // The empty line above is removed too, or one more would stay; and if the table ends the text
  // without a line break, the text above it did the same.
  std::size_t begin = section->begin;
  const auto drop_line_break = [&] {
    if (begin > 0 && text[begin - 1] == '\n') --begin;
    if (begin > 0 && text[begin - 1] == '\r') --begin;
  };
  const std::string_view above = text.substr(0, begin);
  if (above.ends_with("\n\r\n") || above.ends_with("\n\n")) drop_line_break();
  if (section->end == text.size() && !text.ends_with('\n')) drop_line_break();
  std::string after(text.substr(0, begin));
  after += text.substr(section->end);
  for (TomlPath left = path; !left.empty(); left.pop_back()) {
    Json* outer = &wanted;
    for (std::size_t i = 0; i + 1 < left.size(); ++i) outer = &(*outer)[left[i]];
    outer->erase(left.back());
    // What was there only because of this table is gone with it.
    if (!outer->empty() || means(after, wanted)) break;
  }
  if (!means(after, wanted)) return refused("its layout was not understood");
  return after;
}

}  // namespace codexmem::app
