#include "parse/component_text.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "parse/component_script.h"

namespace codexmem::parse {
namespace {

constexpr std::array<std::string_view, 14> kVoidElements = {
    "area",  "base", "br",   "col",   "embed",  "hr",    "img",
    "input", "link", "meta", "param", "source", "track", "wbr"};

// Behind the comment at `at`, or `at` where none begins.
std::size_t behind_comment(std::string_view code, std::size_t at) {
  const std::string_view sign = code.substr(at, 2);
  if (sign != "//" && sign != "/*") return at;
  const std::string_view close = sign == "//" ? "\n" : "*/";
  const std::size_t end = code.find(close, at + 2);
  return end == std::string_view::npos ? code.size() : end + close.size();
}

// At the quote that ends the string from `at` on, or the end.
std::size_t string_end(std::string_view code, std::size_t at) {
  const char quote = code[at];
  for (++at; at < code.size() && code[at] != quote; ++at) {
    if (code[at] == '\\') ++at;
  }
  return std::min(at, code.size());
}

}  // namespace

std::size_t skip_spaces(std::string_view text, std::size_t at) {
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

bool is_void_element(std::string_view name) {
  return std::ranges::find(kVoidElements, name) != kVoidElements.end();
}

bool is_component_char(char c) { return is_alnum(c) || c == '_' || c == '$'; }

std::optional<std::size_t> closing_bracket(std::string_view code, std::size_t at) {
  std::string open;  // what is to close them; ` for a template
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

ComponentText::ComponentText(std::string_view text) : text_(text), out_(text) { clear(); }

void ComponentText::clear() {
  for (char& c : out_) {
    if (c != '\n' && c != '\r') c = ' ';
  }
  gaps_.clear();
  gap_begin_ = 0;
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

bool ComponentText::put_if_all_free(std::size_t at, std::string_view words) {
  if (std::string_view(out_).substr(at, words.size()).find_first_not_of(' ') !=
      std::string_view::npos) {
    return false;
  }
  out_.replace(at, words.size(), words);
  return true;
}

bool ComponentText::skip_comment(std::size_t& at) const {
  if (text_.substr(at, 4) != "<!--") return false;
  const std::size_t end = text_.find("-->", at + 4);
  at = end == std::string_view::npos ? text_.size() : end + 3;
  return true;
}

void ComponentText::add_default() {
  end_gap(text_.size());
  if (!put_in_gap({"export default", "0;"})) put_in_gap({"export=0;"});
}

// Puts words, in order, where there is room for all.
bool ComponentText::put_in_gap(std::initializer_list<std::string_view> words) {
  for (const auto& [begin, end] : gaps_) {
    std::vector<std::size_t> places;
    std::size_t at = begin;
    for (const std::string_view word : words) {
      at = find_free(at, end, word.size());
      if (at == std::string::npos) break;
      places.push_back(at);
      at += word.size() + 1;
    }
    if (places.size() < words.size()) continue;
    auto place = places.begin();
    for (const std::string_view word : words) out_.replace(*place++, word.size(), word);
    return true;
  }
  return false;
}

// `size` spaces in [at, end).
std::size_t ComponentText::find_free(std::size_t at, std::size_t end, std::size_t size) const {
  std::size_t run = 0;
  for (; at < end; ++at) {
    run = out_[at] == ' ' ? run + 1 : 0;
    if (run == size) return at + 1 - size;
  }
  return std::string::npos;
}

std::string script_of_component(std::string_view text, Component kind, bool with_markup) {
  return kind == Component::kVue ? script_of_vue(text, with_markup)
                                 : script_of_svelte(text, with_markup);
}

}  // namespace codexmem::parse
