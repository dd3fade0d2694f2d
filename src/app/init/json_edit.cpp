// A scanner makes a tree of the places at which values, commas and keys stand. A change is one or a
// few pieces of the text cut out or put in, in the style of the lines around it.
//
// Tested by app/json_edit_test.cpp.
#include "app/init/json_edit.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "text/json.h"
#include "text/json_comments.h"
#include "text/json_text.h"
#include "base/text.h"

namespace codexmem::app {
namespace {

constexpr int kMaxDepth = 64;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kJsonEnd = "-";  // of a path: behind the last element

Error misread() { return Error{ErrorCode::kUnsupported, "its layout was not understood"}; }

Result<Json> parse_jsonc(std::string_view text) {
  const std::string plain = strip_json_comments(text);
  if (trim(plain).empty()) return Json::object();
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
  } catch (const Json::exception&) {
    return Error{ErrorCode::kUnsupported, "a number in it is too large"};
  }
}

// The place of a value, `end` just past it.
struct Node {
  enum class Kind { kObject, kArray, kOther };
  struct Child;
  Kind kind = Kind::kOther;
  std::size_t begin = 0, end = 0;
  std::vector<Child> children;
};
struct Node::Child {
  std::string name;       // of an object's member
  std::size_t begin = 0;  // of its name, or of an array's element
  Node value;
  std::optional<std::size_t> comma;  // behind it

  std::size_t end() const { return comma ? *comma + 1 : value.end; }
};

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  // The object at the top. Nothing if the text is not made so.
  std::optional<Node> scan() {
    Node top;
    skip_space();
    if (at_ >= text_.size() || text_[at_] != '{' || !value(top)) return std::nullopt;
    return top;
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
      } else if (text_.substr(at_).starts_with(kByteOrderMark)) {
        at_ += kByteOrderMark.size();
      } else if (std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) {
        ++at_;
      } else {
        return;
      }
    }
  }

  bool string() {
    if (!take('"')) return false;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\') {
        ++at_;
      } else if (text_[at_] == '"') {
        ++at_;
        return true;
      }
    }
    return false;
  }

  bool value(Node& node) {
    node.begin = at_;
    if (at_ >= text_.size()) return false;
    if (text_[at_] == '{' || text_[at_] == '[') {
      node.kind = text_[at_] == '{' ? Node::Kind::kObject : Node::Kind::kArray;
      if (!children(node)) return false;
    } else if (text_[at_] == '"') {
      if (!string()) return false;
    } else {
      while (at_ < text_.size() &&
             std::string_view(",}] \t\r\n/").find(text_[at_]) == std::string_view::npos) {
        ++at_;
      }
    }
    node.end = at_;
    return at_ > node.begin;
  }

  bool children(Node& node) {
    const char close = text_[at_++] == '{' ? '}' : ']';
    while (true) {
      skip_space();
      if (take(close)) return true;
      Node::Child child;
      child.begin = at_;
      if (node.kind == Node::Kind::kObject) {
        if (!string()) return false;
        const Json name = Json::parse(text_.substr(child.begin, at_ - child.begin), nullptr, false);
        if (!name.is_string()) return false;
        child.name = name.get<std::string>();
        skip_space();
        if (!take(':')) return false;
        skip_space();
      }
      if (!value(child.value)) return false;
      skip_space();
      if (at_ < text_.size() && text_[at_] == ',') child.comma = at_++;
      node.children.push_back(std::move(child));
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// The number of the child that `step` names; the number of children if there is no such child.
std::size_t find_child(const Node& node, const std::string& step) {
  const std::size_t none = node.children.size();
  if (node.kind == Node::Kind::kArray) {
    if (step.empty() || step.find_first_not_of("0123456789") != std::string::npos) return none;
    return step.size() > 9 ? none : std::min<std::size_t>(std::stoul(step), none);
  }
  for (std::size_t i = none; i-- > 0;) {
    if (node.children[i].name == step) return i;
  }
  return none;
}

// The lines of a text: what they are indented by and end with.
class Style {
 public:
  explicit Style(std::string_view text) : text_(text) {
    const std::size_t line = text.find('\n');
    if (line != std::string_view::npos && line > 0 && text[line - 1] == '\r') break_ = "\r\n";
    for (const std::string_view one : split(text, '\n')) {
      const std::size_t width = one.find_first_not_of(" \t\r");
      if (width != std::string_view::npos && width > 0 && one[width] != '*') {
        unit_ = one.substr(0, width);
        break;
      }
    }
  }

  const std::string& line_break() const { return break_; }
  const std::string& unit() const { return unit_; }

  // The white space at the start of the line that `at` is in; nothing if other text comes before
  // `at`.
  std::optional<std::string> indent_at(std::size_t at) const {
    std::size_t begin = at;
    while (begin > 0 && (text_[begin - 1] == ' ' || text_[begin - 1] == '\t')) --begin;
    if (begin > 0 && text_[begin - 1] != '\n') return std::nullopt;
    return std::string(text_.substr(begin, at - begin));
  }

  // `value` on lines whose first is indented by `indent`; `one_line` puts it on one.
  std::string render(const Json& value, const std::string& indent, bool one_line) const {
    const bool object = value.is_object();
    if (!value.is_structured() || value.empty()) return dump_json(value);
    const bool flat = one_line || (!object && std::ranges::none_of(value, [](const Json& element) {
                        return element.is_structured();
                      }));
    const std::string inner = indent + unit_;
    std::string out(object ? "{" : "[");
    bool first = true;
    for (const auto& item : value.items()) {
      if (!first) out += flat ? ", " : ",";
      first = false;
      if (!flat) out += break_ + inner;
      if (object) out += dump_json(item.key()) + ": ";
      out += render(item.value(), inner, flat);
    }
    if (!flat) out += break_ + indent;
    return out + (object ? "}" : "]");
  }

 private:
  std::string_view text_;
  std::string break_ = "\n", unit_ = "  ";
};

// The size of the remark at the start of `rest`, about the text before it: white space and comments
// up to the end of the line.
std::size_t remark_size(std::string_view rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  const std::string_view line = trim(rest.substr(0, end));
  const bool remark =
      line.starts_with("//") || (line.starts_with("/*") && line.find("*/") == line.size() - 2);
  return remark ? end - (end > 0 && rest[end - 1] == '\r' ? 1 : 0) : 0;
}

bool is_space_alone(std::string_view text) { return trim(text).empty(); }

bool has_line_break(std::string_view text) { return text.find('\n') != std::string_view::npos; }

std::string spliced(std::string_view text, std::size_t begin, std::size_t end,
                    std::string_view with) {
  std::string out(text.substr(0, begin));
  out += with;
  out += text.substr(end);
  return out;
}

// One level on the way to a place: the container, the indentation of its line, and whether it is on
// one line with its members.
struct Level {
  const Node* node = nullptr;
  std::string indent;
  bool one_line = false;
};

Level level_of(std::string_view text, const Style& style, const Node& node, std::size_t line_of,
               const Level* outer) {
  Level level;
  level.node = &node;
  const auto indent = style.indent_at(line_of);
  level.indent = indent ? *indent : outer != nullptr ? outer->indent : "";
  if (node.children.empty()) {
    level.one_line = outer != nullptr && outer->one_line;
  } else {
    level.one_line =
        !has_line_break(text.substr(node.begin, node.children.front().begin - node.begin));
  }
  return level;
}

// `text` with `value` as the last child of `level`.
std::string with_child(std::string_view text, const Style& style, const Level& level,
                       const std::string& name, const Json& value) {
  const Node& node = *level.node;
  const std::string key = node.kind == Node::Kind::kObject ? dump_json(Json(name)) + ": " : "";
  if (node.children.empty()) {
    const std::string_view inside = text.substr(node.begin + 1, node.end - node.begin - 2);
    if (level.one_line && is_space_alone(inside)) {
      return spliced(text, node.begin + 1, node.end - 1, key + style.render(value, "", true));
    }
    const std::string indent = level.indent + style.unit();
    const std::size_t keep = inside.find_last_not_of(" \t\r\n");
    const std::size_t from = node.begin + 1 + (keep == std::string_view::npos ? 0 : keep + 1);
    return spliced(text, from, node.end - 1,
                   style.line_break() + indent + key + style.render(value, indent, false) +
                       style.line_break() + level.indent);
  }
  const Node::Child& last = node.children.back();
  std::string indent = level.indent + style.unit();
  if (auto own = style.indent_at(last.begin)) indent = *own;
  std::string child = level.one_line ? " " : style.line_break() + indent;
  child += key + style.render(value, indent, level.one_line);
  // A comma behind the last child stays one behind the last child.
  if (last.comma) child += ',';
  const std::size_t remark = level.one_line ? 0 : remark_size(text.substr(last.end()));
  const std::size_t place = last.end() + remark;
  std::string after = spliced(text, place, place, child);
  return last.comma ? after : spliced(after, last.value.end, last.value.end, ",");
}

// `text` without the child `number` of `node`.
std::string without_child(std::string_view text, const Node& node, std::size_t number) {
  const Node::Child& child = node.children[number];
  std::size_t begin = child.begin, end = child.value.end;
  // The text between a value and its comma may be a comment, which stays.
  if (child.comma && is_space_alone(text.substr(end, *child.comma - end))) end = *child.comma + 1;
  std::size_t line = begin, line_end = end;
  while (line > 0 && (text[line - 1] == ' ' || text[line - 1] == '\t')) --line;
  while (line_end < text.size() && (text[line_end] == ' ' || text[line_end] == '\t')) ++line_end;
  const bool ends_line = line_end + 1 >= node.end || text[line_end] == '\n' ||
                         text.substr(line_end).starts_with("\r\n");
  const bool alone = node.children.size() == 1;
  if (line > 0 && text[line - 1] == '\n' && ends_line) {
    begin = line - 1;
    if (begin > 0 && text[begin - 1] == '\r') --begin;
    end = line_end;
  } else if (number > 0) {
    begin = line;
  } else if (!alone) {
    end = line_end;
  }
  std::string after = spliced(text, begin, end, "");
  if (child.comma && *child.comma >= end) after.erase(*child.comma - (end - begin), 1);
  if (!child.comma && number > 0) {
    const std::optional<std::size_t> before = node.children[number - 1].comma;
    if (before) after.erase(*before, 1);
  }
  return after;
}

// The nodes that `path` leads through, as far as there are any.
std::vector<Level> levels_to(std::string_view text, const Style& style, const Node& top,
                             const JsonPath& path) {
  std::vector<Level> levels = {level_of(text, style, top, top.begin, nullptr)};
  for (const std::string& step : path) {
    const Node& node = *levels.back().node;
    const std::size_t number = find_child(node, step);
    if (number == node.children.size()) break;
    const Node::Child& child = node.children[number];
    levels.push_back(level_of(text, style, child.value, child.begin, &levels.back()));
  }
  return levels;
}

// The value that is missing below `path[made]`: `value` in the containers that it takes.
Json made_value(const JsonPath& path, std::size_t made, const Json& value) {
  if (made + 1 == path.size()) return value;
  Json inner = made_value(path, made + 1, value);
  if (path[made + 1] == kJsonEnd) return Json::array({std::move(inner)});
  Json outer = Json::object();
  outer[path[made + 1]] = std::move(inner);
  return outer;
}

// Makes the wanted `document`; false when something on the way is neither object nor array.
bool apply_set(Json& document, const JsonPath& path, const Json& value) {
  Json* at = &document;
  bool made = false;  // *at was not there before
  for (const std::string& step : path) {
    if (at->is_null() && !made) return false;
    if (step == kJsonEnd) {
      if (at->is_null()) *at = Json::array();
      if (!at->is_array()) return false;
      at->push_back(nullptr);
      made = true;
      at = &at->back();
    } else if (at->is_array()) {
      if (step.empty() || step.size() > 9 ||
          step.find_first_not_of("0123456789") != std::string::npos ||
          std::stoul(step) >= at->size()) {
        return false;
      }
      at = &(*at)[std::stoul(step)];
    } else {
      if (at->is_null()) *at = Json::object();
      if (!at->is_object()) return false;
      made = !at->contains(step);
      at = &(*at)[step];
    }
  }
  *at = value;
  return true;
}

void apply_remove(Json& node, const std::string& step) {
  if (node.is_array()) {
    node.erase(std::stoul(step));
  } else {
    node.erase(step);
  }
}

}  // namespace

Result<std::string> plain_json(std::string_view text) {
  CODEXMEM_ASSIGN(const Json parsed, parse_jsonc(text));
  return dump_json(parsed);
}

Result<std::string> set_json(std::string_view text, const JsonPath& path, std::string_view value) {
  CODEXMEM_ASSIGN(const Json old, parse_jsonc(text));
  const Json given = Json::parse(value);
  Json wanted = old;
  if (!apply_set(wanted, path, given)) {
    return Error{ErrorCode::kUnsupported, fmt::format("its \"{}\" is not an object",
                                                      path.size() > 1 ? path.front() : "top")};
  }
  std::string before(text);
  if (is_space_alone(strip_json_comments(text))) {
    // Nothing but comments, if anything: they stay above.
    const std::string_view above = trim(text);
    before = above.empty() ? "{}\n" : std::string(above) + "\n{}\n";
    if (above == kByteOrderMark) before = std::string(kByteOrderMark) + "{}\n";
  }
  const auto top = Scanner(before).scan();
  if (!top) return misread();
  const Style style(before);
  const std::vector<Level> levels = levels_to(before, style, *top, path);
  std::string after;
  if (levels.size() > path.size()) {
    const Node& there = *levels.back().node;
    const Level& outer = levels[levels.size() - 2];
    after = spliced(before, there.begin, there.end,
                    style.render(given, levels.back().indent, outer.one_line));
  } else {
    const std::size_t made = levels.size() - 1;
    // A null on the way, or anything else that holds no members.
    if (levels.back().node->kind == Node::Kind::kOther) return misread();
    after = with_child(before, style, levels.back(), path[made], made_value(path, made, given));
  }
  const auto parsed = parse_jsonc(after);
  if (!parsed.ok() || *parsed != wanted) return misread();
  return after;
}

Result<std::string> remove_json(std::string_view text, const JsonPath& path) {
  CODEXMEM_ASSIGN(Json wanted, parse_jsonc(text));
  std::string after(text);
  JsonPath left = path;
  for (bool first = true; !left.empty(); first = false, left.pop_back()) {
    const auto top = Scanner(after).scan();
    if (!top) return first && is_space_alone(strip_json_comments(text)) ? Result(after) : misread();
    const Style style(after);
    const std::vector<Level> levels = levels_to(after, style, *top, left);
    if (levels.size() != left.size() + 1) break;
    const Node& there = *levels.back().node;
    // A container that has become empty goes too, unless it holds a comment or a line break.
    if (!first && (!there.children.empty() || there.end - there.begin != 2)) break;
    const Node& outer = *levels[levels.size() - 2].node;
    const std::size_t number = find_child(outer, left.back());
    std::string shorter = without_child(after, outer, number);
    if (outer.children.size() == 1) {
      const std::size_t end = outer.end - (after.size() - shorter.size());
      if (is_space_alone(
              std::string_view(shorter).substr(outer.begin + 1, end - outer.begin - 2))) {
        shorter = spliced(shorter, outer.begin + 1, end - 1, "");
      }
    }
    after = std::move(shorter);
    Json* at = &wanted;
    for (std::size_t i = 0; i + 1 < left.size(); ++i) {
      at = at->is_array() ? &(*at)[std::stoul(left[i])] : &(*at)[left[i]];
    }
    apply_remove(*at, left.back());
  }
  const auto parsed = parse_jsonc(after);
  if (!parsed.ok() || *parsed != wanted) return misread();
  return after;
}

Result<std::string> find_json(std::string_view text, const JsonPath& path) {
  CODEXMEM_TRY(plain_json(text));
  const auto top = Scanner(text).scan();
  if (!top) return is_space_alone(strip_json_comments(text)) ? Result(std::string()) : misread();
  const std::vector<Level> levels = levels_to(text, Style(text), *top, path);
  if (levels.size() != path.size() + 1) return std::string();
  const Node& there = *levels.back().node;
  return std::string(text.substr(there.begin, there.end - there.begin));
}

}  // namespace codexmem::app
