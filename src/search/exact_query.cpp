// Tested by search/exact_query_test.cpp.
#include "search/exact_query.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "base/ascii.h"
#include "text/line_pattern.h"
#include "base/text.h"

namespace codexmem::search {
namespace {

// True if a part that was read up to `at` ends there.
bool ends_at(std::string_view query, std::size_t at, bool allow_punctuation) {
  if (at >= query.size() || is_space(query[at])) return true;
  return allow_punctuation &&
         std::string_view(".,;:?!").find(query[at]) != std::string_view::npos &&
         ends_at(query, at + 1, false);
}

struct Read {
  ExactPart part;
  std::size_t end = 0;  // just after it
};

// The phrase whose opening quote is at `at`.
std::optional<Read> read_phrase(std::string_view query, std::size_t at) {
  Read read;
  for (std::size_t i = at + 1; i < query.size() && query[i] != '\n'; ++i) {
    if (query[i] == '\\' && i + 1 < query.size() && query[i + 1] == '"') {
      read.part.text += query[++i];
    } else if (query[i] == '"' && ends_at(query, i + 1, true)) {
      if (read.part.text.empty()) return std::nullopt;
      read.part.ignore_case = !has_upper_case(read.part.text);
      read.end = i + 1;
      return read;
    } else {
      read.part.text += query[i];
    }
  }
  return std::nullopt;
}

// The expression whose opening slash is at `at`.
std::optional<Read> read_regex(std::string_view query, std::size_t at) {
  Read read;
  read.part.is_regex = true;
  std::string& text = read.part.text;
  bool in_class = false;
  for (std::size_t i = at + 1; i < query.size() && query[i] != '\n'; ++i) {
    const char c = query[i];
    if (c == '\\' && i + 1 < query.size()) {
      if (query[i + 1] != '/') text += c;
      text += query[++i];
    } else if (c == '/' && !in_class) {
      read.end = i + 1;
      if (read.end < query.size() && query[read.end] == 'i') {
        read.part.ignore_case = true;
        ++read.end;
      }
      const bool is_one = ends_at(query, read.end, false) && !text.empty() && text.front() != '*' &&
                          !is_space(text.front()) && !is_space(text.back());
      return is_one ? std::optional(std::move(read)) : std::nullopt;
    } else {
      if (c == '[') in_class = true;
      if (c == ']') in_class = false;
      text += c;
    }
  }
  // A query in slashes with an unclosed class: RE2 reports the fault.
  if (!in_class || at != 0 || !text.ends_with('/') || text.size() < 2) return std::nullopt;
  text.pop_back();
  read.end = query.size();
  return read;
}

// The literal words in an expression, without classes, braces and escapes.
std::string words_of(std::string_view regex) {
  std::string words;
  char closing = 0;
  for (std::size_t i = 0; i < regex.size(); ++i) {
    const char c = regex[i];
    if (c == '\\') {
      ++i;
      words += ' ';
    } else if (closing != 0) {
      if (c == closing) closing = 0;
    } else if (c == '[' || c == '{') {
      closing = c == '[' ? ']' : '}';
      words += ' ';
    } else if (c == '(' && regex.substr(i).starts_with("(?")) {
      const std::size_t end = regex.find_first_of(":)>", i);
      i = end == std::string_view::npos ? regex.size() : end;
      words += ' ';
    } else {
      const bool is_word = is_word_char(c) || static_cast<unsigned char>(c) >= 0x80;
      words += is_word ? c : ' ';
    }
  }
  return fold_whitespace(words);
}

}  // namespace

ExactQuery read_exact_query(std::string_view query) {
  ExactQuery out;
  std::string others;
  for (std::size_t at = 0; at < query.size();) {
    const char c = query[at];
    std::optional<Read> read;
    if (at == 0 || is_space(query[at - 1])) {
      if (c == '"') read = read_phrase(query, at);
      if (c == '/') read = read_regex(query, at);
    }
    if (!read) {
      others += c;
      out.words += c;
      ++at;
      continue;
    }
    out.words += read->part.is_regex ? words_of(read->part.text) : read->part.text;
    at = read->end;
    out.parts.push_back(std::move(read->part));
  }
  out.has_other_words = std::ranges::any_of(others, [](char one) {
    return !is_space(one) && std::ispunct(static_cast<unsigned char>(one)) == 0;
  });
  return out;
}

}  // namespace codexmem::search
