#include "parse/repair.h"

#include <cctype>

namespace codexmem::parse {
namespace {

bool ends_type(char c) {
  return c == '>' || c == ')' || c == ']' || c == '}' || c == '_' || c == '$' || c == '\'' ||
         c == '"' || std::isalnum(static_cast<unsigned char>(c)) != 0;
}

}  // namespace

std::optional<std::string> end_members(std::string_view text) {
  std::optional<std::string> repaired;
  std::size_t after_code = 0;  // just behind the last byte that is neither space nor comment
  bool has_newline = true;     // since then
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      has_newline = has_newline || c == '\n';
      continue;
    }
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("//") || rest.starts_with("/*")) {
      const bool is_line = rest[1] == '/';
      const std::size_t end = is_line ? text.find('\n', i) : text.find("*/", i + 2);
      if (end == std::string_view::npos) break;
      has_newline = has_newline || is_line;
      i = is_line ? end : end + 1;
      continue;
    }
    if (c == '<' && has_newline && after_code > 0 && ends_type(text[after_code - 1]) &&
        after_code < i && std::isspace(static_cast<unsigned char>(text[after_code])) != 0) {
      if (!repaired) repaired = std::string(text);
      (*repaired)[after_code] = ';';
    }
    if (c == '"' || c == '\'' || c == '`') {
      for (++i; i < text.size() && text[i] != c; ++i) {
        if (text[i] == '\\') ++i;
        if (c != '`' && i < text.size() && text[i] == '\n') break;  // no string after all
      }
    }
    after_code = i + 1;
    has_newline = false;
  }
  return repaired;
}

}  // namespace codexmem::parse
