#include "text/json_comments.h"

#include <algorithm>
#include <cstddef>

namespace codexmem {
namespace {

bool is_json_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

std::string strip_json_comments(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::string out;
  out.reserve(text.size());
  std::size_t pending_comma = std::string::npos;  // offset in `out` of a comma without a following
                                                  // value
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      pending_comma = std::string::npos;
      const std::size_t begin = i;
      for (++i; i < text.size() && text[i] != '"'; ++i) {
        if (text[i] == '\\') ++i;
      }
      out += text.substr(begin, i - begin + 1);
    } else if (c == '/' && i + 1 < text.size() && text[i + 1] == '/') {
      while (i < text.size() && text[i] != '\n') ++i;
      out += '\n';
    } else if (c == '/' && i + 1 < text.size() && text[i + 1] == '*') {
      const std::size_t end = text.find("*/", i + 2);
      const std::string_view comment =
          text.substr(i, end == std::string_view::npos ? end : end - i);
      out += ' ';
      out.append(static_cast<std::size_t>(std::ranges::count(comment, '\n')), '\n');
      i = end == std::string_view::npos ? text.size() : end + 1;
    } else {
      if (c == ',') {
        pending_comma = out.size();
      } else if ((c == '}' || c == ']') && pending_comma != std::string::npos) {
        out[pending_comma] = ' ';
        pending_comma = std::string::npos;
      } else if (!is_json_space(c)) {
        pending_comma = std::string::npos;
      }
      out += c;
    }
  }
  return out;
}

}  // namespace codexmem
