// Tested by graph/c_pastes_test.cpp.
#include "parse/preprocess/pastes.h"

#include <algorithm>

#include "base/ascii.h"

namespace codexmem::parse {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\\";

std::size_t behind_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote && text[at] != '\n'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

// Whether the line break at `at` is inside a directive.
bool continues(std::string_view text, std::size_t at) {
  if (at > 0 && text[at - 1] == '\r') --at;
  return at > 0 && text[at - 1] == '\\';
}

// Takes the next word of `rest`, or the one sign before it.
std::string_view take(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
  std::size_t end = rest.empty() ? 0 : 1;
  while (end > 0 && end < rest.size() && is_word_char(rest[0]) && is_word_char(rest[end])) ++end;
  const std::string_view taken = rest.substr(0, end);
  rest.remove_prefix(end);
  return taken;
}

}  // namespace

std::optional<WrittenMacro> macro_around(std::string_view text, std::size_t at) {
  std::size_t begin = at, end = at;
  while (begin > 0 && (text[begin - 1] != '\n' || continues(text, begin - 1))) --begin;
  while (end < text.size() && (text[end] != '\n' || continues(text, end))) ++end;
  std::string_view rest = text.substr(begin, end - begin);
  if (take(rest) != "#" || take(rest) != "define") return std::nullopt;
  WrittenMacro macro{.name = take(rest), .parameters = {}, .body = {}};
  if (rest.starts_with('(')) {
    for (std::string_view word = take(rest); !word.empty() && word != ")"; word = take(rest)) {
      if (is_word_char(word.front())) macro.parameters.push_back(word);
    }
  }
  macro.body = rest;
  return macro;
}

std::vector<Paste> pastes_in(std::string_view body) {
  std::vector<Paste> found;
  if (body.find("##") == std::string_view::npos) return found;
  Paste open;
  const auto close = [&] {
    if (open.words.size() > 1) found.push_back(std::move(open));
    open = {};
  };
  for (std::size_t at = 0; at < body.size();) {
    if (body[at] == '"' || body[at] == '\'') {
      close();
      at = behind_string(body, at);
      continue;
    }
    if (!is_word_char(body[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < body.size() && is_word_char(body[end])) ++end;
    open.words.push_back(body.substr(at, end - at));
    at = std::min(body.find_first_not_of(kBlanks, end), body.size());
    if (!body.substr(at).starts_with("##")) {
      close();
      continue;
    }
    if (open.words.size() == 1) open.sign = at;
    at = std::min(body.find_first_not_of(kBlanks, at + 2), body.size());
    if (at == body.size() || !is_word_char(body[at])) close();
  }
  close();
  return found;
}

}  // namespace codexmem::parse
