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

}  // namespace

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
