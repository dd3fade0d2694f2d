#include "parse/components/component_text.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "parse/components/component_script.h"

namespace codexmem::parse {
namespace {

constexpr std::array<std::string_view, 174> kElements = {"a",
                                                         "abbr",
                                                         "address",
                                                         "animate",
                                                         "animateMotion",
                                                         "animateTransform",
                                                         "area",
                                                         "article",
                                                         "aside",
                                                         "audio",
                                                         "b",
                                                         "base",
                                                         "bdi",
                                                         "bdo",
                                                         "blockquote",
                                                         "body",
                                                         "br",
                                                         "button",
                                                         "canvas",
                                                         "caption",
                                                         "circle",
                                                         "cite",
                                                         "clipPath",
                                                         "code",
                                                         "col",
                                                         "colgroup",
                                                         "component",
                                                         "data",
                                                         "datalist",
                                                         "dd",
                                                         "defs",
                                                         "del",
                                                         "desc",
                                                         "details",
                                                         "dfn",
                                                         "dialog",
                                                         "div",
                                                         "dl",
                                                         "dt",
                                                         "ellipse",
                                                         "em",
                                                         "embed",
                                                         "feBlend",
                                                         "feColorMatrix",
                                                         "feComponentTransfer",
                                                         "feComposite",
                                                         "feConvolveMatrix",
                                                         "feDiffuseLighting",
                                                         "feDisplacementMap",
                                                         "feDistantLight",
                                                         "feDropShadow",
                                                         "feFlood",
                                                         "feFuncA",
                                                         "feFuncB",
                                                         "feFuncG",
                                                         "feFuncR",
                                                         "feGaussianBlur",
                                                         "feImage",
                                                         "feMerge",
                                                         "feMergeNode",
                                                         "feMorphology",
                                                         "feOffset",
                                                         "fePointLight",
                                                         "feSpecularLighting",
                                                         "feSpotLight",
                                                         "feTile",
                                                         "feTurbulence",
                                                         "fieldset",
                                                         "figcaption",
                                                         "figure",
                                                         "filter",
                                                         "footer",
                                                         "foreignObject",
                                                         "form",
                                                         "g",
                                                         "h1",
                                                         "h2",
                                                         "h3",
                                                         "h4",
                                                         "h5",
                                                         "h6",
                                                         "head",
                                                         "header",
                                                         "hgroup",
                                                         "hr",
                                                         "html",
                                                         "i",
                                                         "iframe",
                                                         "image",
                                                         "img",
                                                         "input",
                                                         "ins",
                                                         "kbd",
                                                         "label",
                                                         "legend",
                                                         "li",
                                                         "line",
                                                         "linearGradient",
                                                         "link",
                                                         "main",
                                                         "map",
                                                         "mark",
                                                         "marker",
                                                         "mask",
                                                         "math",
                                                         "menu",
                                                         "meta",
                                                         "metadata",
                                                         "meter",
                                                         "mpath",
                                                         "nav",
                                                         "noscript",
                                                         "object",
                                                         "ol",
                                                         "optgroup",
                                                         "option",
                                                         "output",
                                                         "p",
                                                         "param",
                                                         "path",
                                                         "pattern",
                                                         "picture",
                                                         "polygon",
                                                         "polyline",
                                                         "pre",
                                                         "progress",
                                                         "q",
                                                         "radialGradient",
                                                         "rect",
                                                         "rp",
                                                         "rt",
                                                         "ruby",
                                                         "s",
                                                         "samp",
                                                         "script",
                                                         "search",
                                                         "section",
                                                         "select",
                                                         "set",
                                                         "slot",
                                                         "small",
                                                         "source",
                                                         "span",
                                                         "stop",
                                                         "strong",
                                                         "style",
                                                         "sub",
                                                         "summary",
                                                         "sup",
                                                         "svg",
                                                         "switch",
                                                         "symbol",
                                                         "table",
                                                         "tbody",
                                                         "td",
                                                         "template",
                                                         "text",
                                                         "textPath",
                                                         "textarea",
                                                         "tfoot",
                                                         "th",
                                                         "thead",
                                                         "time",
                                                         "title",
                                                         "tr",
                                                         "track",
                                                         "tspan",
                                                         "u",
                                                         "ul",
                                                         "use",
                                                         "var",
                                                         "video",
                                                         "view",
                                                         "wbr"};

constexpr std::array<std::string_view, 14> kVoidElements = {
    "area",  "base", "br",   "col",   "embed",  "hr",    "img",
    "input", "link", "meta", "param", "source", "track", "wbr"};

// The place after the comment at `at`, or `at` if no comment begins there.
std::size_t behind_comment(std::string_view code, std::size_t at) {
  const std::string_view sign = code.substr(at, 2);
  if (sign != "//" && sign != "/*") return at;
  const std::string_view close = sign == "//" ? "\n" : "*/";
  const std::size_t end = code.find(close, at + 2);
  return end == std::string_view::npos ? code.size() : end + close.size();
}

// The place of the quote that ends the string at `at`, or the end of the code.
std::size_t string_end(std::string_view code, std::size_t at) {
  const char quote = code[at];
  for (++at; at < code.size() && code[at] != quote; ++at) {
    if (code[at] == '\\') ++at;
  }
  return std::min(at, code.size());
}

bool opens_bracket(char c) { return c == '(' || c == '[' || c == '{'; }

}  // namespace

std::size_t skip_spaces(std::string_view text, std::size_t at) {
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

bool is_void_element(std::string_view name) {
  return std::ranges::find(kVoidElements, name) != kVoidElements.end();
}

bool is_element(std::string_view name) { return std::ranges::binary_search(kElements, name); }

bool is_component_char(char c) { return is_alnum(c) || c == '_' || c == '$'; }

std::optional<std::size_t> closing_bracket(std::string_view code, std::size_t at) {
  std::string open;  // the expected closing characters; ` for a template
  for (; at < code.size(); ++at) {
    const char c = code[at];
    if (!open.empty() && open.back() == '`') {
      if (c == '\\') {
        ++at;
      } else if (c == '`') {
        open.pop_back();
      } else if (c == '$' && code.substr(at, 2) == "${") {
        open += '}';
        ++at;
      }
    } else if (c == '\'' || c == '"') {
      at = string_end(code, at);
    } else if (c == '`') {
      open += '`';
    } else if (c == '/' && behind_comment(code, at) != at) {
      at = behind_comment(code, at) - 1;
    } else if (c == '(' || c == '[' || c == '{') {
      open += c == '(' ? ')' : c == '[' ? ']' : '}';
    } else if (c == ')' || c == ']' || c == '}') {
      if (open.empty()) return at;
      if (open.back() != c) return std::nullopt;
      open.pop_back();
    }
  }
  return std::nullopt;
}

std::size_t first_comma_of(std::string_view code, TextRange range) {
  for (std::size_t at = range.begin; at < range.end; ++at) {
    if (code[at] == ',') return at;
    if (!opens_bracket(code[at])) continue;
    const auto close = closing_bracket(code, at + 1);
    if (!close) break;
    at = *close;
  }
  return range.end;
}

std::size_t last_group_of(std::string_view code, TextRange range) {
  for (std::size_t at = range.begin; at < range.end; ++at) {
    if (!opens_bracket(code[at])) continue;
    const auto close = closing_bracket(code, at + 1);
    if (!close) break;
    if (*close + 1 == range.end && code[at] == '(') return at;
    at = *close;
  }
  return range.end;
}

std::size_t last_word_of(std::string_view code, TextRange range, std::string_view word) {
  std::size_t found = std::string_view::npos;
  for (std::size_t at = range.begin; at < range.end; ++at) {
    const std::size_t behind = at + 1 + word.size();
    if (opens_bracket(code[at])) {
      const auto close = closing_bracket(code, at + 1);
      if (!close) break;
      at = *close;
    } else if (is_space(code[at]) && behind < range.end &&
               code.substr(at + 1, word.size()) == word && is_space(code[behind])) {
      found = at + 1;
    }
  }
  return found;
}

bool is_balanced(std::string_view code) {
  std::vector<char> open;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const char c = code[i];
    if (c == '\'' || c == '"' || c == '`') {
      i = string_end(code, i);
      if (i >= code.size()) return false;
    } else if (c == '(' || c == '[' || c == '{') {
      open.push_back(c == '(' ? ')' : c == '[' ? ']' : '}');
    } else if (c == ')' || c == ']' || c == '}') {
      if (open.empty() || open.back() != c) return false;
      open.pop_back();
    }
  }
  return open.empty();
}

bool is_plain_name(std::string_view name) {
  return !name.empty() && !is_digit(name.front()) && std::ranges::all_of(name, is_identifier_char);
}

std::string without_hyphens(std::string_view name) {
  std::string words;
  bool is_behind = false;
  for (const char c : name) {
    if (c == '-') {
      is_behind = true;
      continue;
    }
    words += is_behind && is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
    is_behind = false;
  }
  return is_plain_name(words) ? words : std::string();
}

ComponentText::ComponentText(std::string_view text) : text_(text), out_(text) { clear(); }

void ComponentText::clear() {
  blank(0, out_.size());
  drop_pieces(0);
}

void ComponentText::blank(std::size_t begin, std::size_t end) {
  for (std::size_t at = begin; at < end; ++at) {
    if (out_[at] != '\n' && out_[at] != '\r') out_[at] = ' ';
  }
}

void ComponentText::copy(std::size_t begin, std::size_t end) {
  out_.replace(begin, end - begin, text_.substr(begin, end - begin));
}

void ComponentText::put_if_free(std::size_t at, char c) {
  if (at < out_.size() && out_[at] == ' ' &&
      (is_blank(text_[at]) || text_[at] == '>' || text_[at] == '<' || text_[at] == '/')) {
    out_[at] = c;
  }
}

void ComponentText::put_in(std::size_t at, std::string_view words) {
  put_in_.push_back({.at = at, .words = std::string(words)});
  put_in_size_ += words.size();
}

void ComponentText::drop_pieces(std::size_t from) {
  put_in_.resize(std::min(from, put_in_.size()));
}

bool ComponentText::put_call(const TagName& tag, std::size_t at, std::string_view arguments) {
  // (An attribute has at least two characters; its call also has the characters of the tag's name.)
  if (put_in_size_ > 4 * text_.size() + 4096) return false;
  put_in(at, ";" + tag.name + std::string(arguments));
  PutIn& piece = put_in_.back();
  piece.copy_begin = 1;
  piece.copy_size = tag.name.size();
  piece.copy_source = tag.begin;
  piece.copy_of = tag.put_in;
  return true;
}

bool ComponentText::skip_comment(std::size_t& at) const {
  if (text_.substr(at, 4) != "<!--") return false;
  const std::size_t end = text_.find("-->", at + 4);
  at = end == std::string_view::npos ? text_.size() : end + 3;
  return true;
}

// The export is placed before or after all code. Each of its names gets a place of its own, because
// the place of a name identifies it. Its range is usually the first tag.
void ComponentText::add_default(std::string_view given, std::string_view events,
                                std::string_view gives, std::string_view before) {
  constexpr std::string_view kFree = " \t\r\n";
  constexpr std::size_t kRoom = 8;
  const std::size_t first = std::min(out_.find_first_not_of(kFree), out_.size());
  const std::size_t behind = out_.find_last_not_of(kFree) + 1;  // (0 without any)
  const std::size_t begin = first >= kRoom ? 0 : behind;
  const std::size_t room = std::min(kRoom - 1, begin == 0 ? first : out_.size() - begin);
  std::size_t at = begin;
  const auto put = [&](std::string_view words) {
    put_in(at, words);
    std::size_t next = at + 1;  // of the next character
    while (next < text_.size() && (static_cast<unsigned char>(text_[next]) & 0xC0U) == 0x80U) {
      ++next;
    }
    if (next <= begin + room) at = next;
  };
  put("export default null! as ($p: ");
  put(given);
  if (!events.empty()) {
    put(", $e: ");
    put(events);
  }
  put(gives.empty() ? ") => void" : ") => typeof ");
  put(gives);
  const std::size_t close = std::min(text_.find_first_of(">\n", at), text_.size());
  if (begin == 0 && close < first) at = close;
  put_in(at, ";" + std::string(before));
}

ComponentScript ComponentText::finish() {
  std::vector<std::size_t> order(put_in_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return put_in_[i].at; });
  ComponentScript script;
  script.text.reserve(out_.size() + put_in_size_);
  const auto place = [&] { return static_cast<std::uint32_t>(script.text.size()); };
  std::vector<std::uint32_t> places(put_in_.size());  // of the inserted pieces
  std::size_t at = 0;
  script.pieces.push_back({0, 0, false});
  for (const std::size_t index : order) {
    const PutIn& piece = put_in_[index];
    script.text.append(out_, at, piece.at - at);
    at = piece.at;
    places[index] = place();
    script.pieces.push_back({place(), static_cast<std::uint32_t>(at), true});
    script.text += piece.words;
    script.pieces.push_back({place(), static_cast<std::uint32_t>(at), false});
  }
  script.text.append(out_, at, out_.size() - at);
  // Moves places of the text by the size of the pieces inserted before them.
  std::vector<std::uint32_t> sums;
  std::vector<std::size_t> begins;
  std::uint32_t sum = 0;
  for (const std::size_t index : order) {
    sum += static_cast<std::uint32_t>(put_in_[index].words.size());
    begins.push_back(put_in_[index].at);
    sums.push_back(sum);
  }
  const auto moved = [&](std::size_t source) {
    const auto after = std::ranges::upper_bound(begins, source) - begins.begin();
    return static_cast<std::uint32_t>(source) +
           (after == 0 ? 0 : sums[static_cast<std::size_t>(after) - 1]);
  };
  for (const std::size_t index : order) {
    const PutIn& piece = put_in_[index];
    if (piece.copy_size == 0) continue;
    const std::uint32_t original =
        piece.copy_of == kNone ? moved(piece.copy_source) : places[piece.copy_of];
    script.copies.push_back({places[index] + static_cast<std::uint32_t>(piece.copy_begin),
                             static_cast<std::uint32_t>(piece.copy_size), original});
  }
  return script;
}

ComponentScript script_of_component(std::string_view text, Component kind, bool with_markup) {
  return kind == Component::kVue ? script_of_vue(text, with_markup)
                                 : script_of_svelte(text, with_markup);
}

}  // namespace codexmem::parse
