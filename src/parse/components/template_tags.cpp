// Tested by golden_test.cpp.
#include "parse/components/template_tags.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "base/ascii.h"
#include "base/text.h"

namespace codexmem::parse {
namespace {

struct TagMarks {
  std::string_view open;
  std::string_view close;
};

constexpr std::array<TagMarks, 4> kTemplateTags = {
    {{"<%", "%>"}, {"{{", "}}"}, {"{%", "%}"}, {"<?", "?>"}}};

// The character that replaces a tag: for a value, one that keeps the surrounding text from becoming
// a name (class="row-{{ kind }}"); for a condition, one that separates names.
char filling_of(std::string_view open, char next) {
  if (open == "{%") return ' ';
  if (open == "<%") return next == '=' || next == '-' ? '*' : ' ';
  if (open == "{{")
    return std::string_view("#/^!>").find(next) != std::string_view::npos ? ' ' : '*';
  return '*';
}

// The file that a tag names.
struct NamedFile {
  std::string_view path;  // between quotes; empty: the tag names none
  bool is_template = false;
};

// {% include "a.html" %}, {% static 'a.css' %}, {{ url_for('static', filename='a.css') }},
// <%= render "users/form" %>.
NamedFile named_file(std::string_view tag) {
  std::string_view rest = tag.substr(2, tag.size() - 4);
  rest.remove_prefix(std::min(rest.find_first_not_of("-+=~ \t\r\n"), rest.size()));
  const auto end = std::ranges::find_if_not(rest, [](char c) { return is_letter(c) || c == '_'; });
  const std::string_view word(rest.begin(), end);
  const bool is_template = tag.starts_with("{%")
                               ? is_one_of(word, {"extends", "include", "import", "from"})
                           : tag.starts_with("<%") ? is_one_of(word, {"include", "render"})
                                                   : is_one_of(word, {"partial", "include"});
  const bool is_url = is_one_of(word, {"static", "asset", "url_for"});
  if (!is_template && !is_url) return {};
  rest.remove_prefix(word.size());
  if (word == "url_for") {
    const std::size_t named = rest.find("filename=");
    if (named == std::string_view::npos) return {};
    rest.remove_prefix(named + 9);
  } else {  // partial: "x", :partial => "x"
    const std::size_t quote = rest.find_first_of("\"'");
    const std::size_t partial = rest.substr(0, quote).find("partial");
    if (partial != std::string_view::npos) rest.remove_prefix(partial + 7);
  }
  rest.remove_prefix(std::min(rest.find_first_not_of("(:=> "), rest.size()));
  if (!rest.starts_with('"') && !rest.starts_with('\'')) return {};
  const std::size_t close = rest.find(rest[0], 1);
  if (close == std::string_view::npos) return {};
  const std::string_view path = rest.substr(1, close - 1);
  if (path.empty() || path.find_first_of("\n<>\"'{}#*") != std::string_view::npos) return {};
  return {path, is_template};
}

// Whether what follows `before` is among the attributes of an element.
bool is_in_element(std::string_view before) {
  constexpr std::size_t kMaxElement = 4096;
  if (before.size() > kMaxElement) before.remove_prefix(before.size() - kMaxElement);
  const std::size_t angle = before.find_last_of("<>");
  return angle != std::string_view::npos && before[angle] == '<';
}

// Writes into the blanked tag of `made` the file that it names in the source, for grammars/html:
// an attribute's URL or, of a template, an element <i @in="path"/>.
void write_named_file(std::string_view text, std::size_t at, std::size_t end, std::string& made) {
  const NamedFile named = named_file(text.substr(at, end - at));
  if (named.path.empty()) return;
  const auto first = static_cast<std::size_t>(named.path.data() - text.data());
  const bool is_inside = is_in_element(std::string_view(made).substr(0, at));
  constexpr std::string_view kBegin = "<i", kName = " @in=\"", kEnd = "/>";
  const bool has_room = first >= at + kBegin.size() + kName.size() &&
                        text.substr(at, first - at).find('\n') == std::string_view::npos;
  if (is_inside == named.is_template || !has_room) return;
  std::replace_if(
      made.begin() + static_cast<std::ptrdiff_t>(at),
      made.begin() + static_cast<std::ptrdiff_t>(end),
      [](char c) { return c != '\n' && c != '\r'; }, ' ');
  made.replace(first, named.path.size(), named.path);
  if (!named.is_template) {
    made[first - 1] = named.path.starts_with('/') ? ' ' : '/';  // below any root
    return;
  }
  made.replace(at, kBegin.size(), kBegin);
  made.replace(first - kName.size(), kName.size(), kName);
  made[first + named.path.size()] = '"';
  made.replace(end - kEnd.size(), kEnd.size(), kEnd);
}

}  // namespace

std::optional<BlankedText> blank_template_tags(std::string_view text) {
  std::optional<BlankedText> made;
  // If one is not closed, no later one is.
  std::array<bool, kTemplateTags.size()> is_open = {};
  for (std::size_t at = text.find_first_of("<{"); at != std::string_view::npos;
       at = text.find_first_of("<{", at + 1)) {
    for (std::size_t i = 0; i < kTemplateTags.size(); ++i) {
      if (is_open[i] || !text.substr(at).starts_with(kTemplateTags[i].open)) continue;
      const std::size_t close =
          text.find(kTemplateTags[i].close, at + kTemplateTags[i].open.size());
      is_open[i] = close == std::string_view::npos;
      if (is_open[i]) continue;
      if (!made) made = BlankedText{std::string(text), {}};
      const std::size_t end = close + kTemplateTags[i].close.size();
      const char filling =
          filling_of(kTemplateTags[i].open, text[at + kTemplateTags[i].open.size()]);
      const auto begin = made->text.begin();
      std::replace_if(
          begin + static_cast<std::ptrdiff_t>(at), begin + static_cast<std::ptrdiff_t>(end),
          [](char c) { return c != '\n' && c != '\r'; }, filling);
      write_named_file(text, at, end, made->text);
      at = end - 1;
      break;
    }
  }
  return made;
}

}  // namespace codexmem::parse
