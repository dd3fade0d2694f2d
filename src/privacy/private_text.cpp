// A pass over the tags, and another while there was something to take out. For each name the open
// elements are counted, and text is kept while none is open. Nothing is looked for twice: a tag
// that does not end makes the rest private, so each search for an end either moves on or finishes.
//
// Tested by privacy/private_text_test.cpp.
#include "privacy/private_text.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "privacy/json_strings.h"

namespace codexmem::privacy {
namespace {

constexpr std::array<std::string_view, 7> kNames = {
    "private",         "claude-mem-context", "codexmem-context",
    "system-reminder", "system_instruction", "system-instruction",
    "persisted-output"};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_name_char(char c) {
  return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
         c == '.' || c == ':';
}

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

struct Tag {
  std::size_t name = 0;  // in kNames
  bool closes = false;
  bool is_empty = false;  // <private/>
  std::size_t end = 0;    // just past its '>'; of the text when there is none
  bool is_whole = true;   // false: its '>' is missing
};

// True when one of our tags opens at text[at], which is '<'.
bool read_tag(std::string_view text, std::size_t at, Tag* tag) {
  std::size_t i = at + 1;
  tag->closes = i < text.size() && text[i] == '/';
  if (tag->closes) ++i;
  std::size_t name_end = i;
  constexpr std::size_t kLongest = 20;
  while (name_end < text.size() && name_end - i < kLongest && is_name_char(text[name_end])) {
    ++name_end;
  }
  const std::string_view name = text.substr(i, name_end - i);
  tag->name = kNames.size();
  for (std::size_t n = 0; n < kNames.size(); ++n) {
    if (name.size() != kNames[n].size()) continue;
    std::size_t same = 0;
    while (same < name.size() && lower(name[same]) == kNames[n][same]) ++same;
    if (same == name.size()) tag->name = n;
  }
  if (tag->name == kNames.size()) return false;

  i = name_end;
  tag->is_empty = false;
  if (tag->closes) {
    // A closing tag that is cut short ends where the next one begins.
    while (i < text.size() && text[i] != '>' && text[i] != '<') ++i;
    tag->is_whole = i < text.size();
    tag->end = tag->is_whole && text[i] == '>' ? i + 1 : i;
    return true;
  }
  bool after_equals = false;
  for (; i < text.size() && text[i] != '>'; ++i) {
    const char c = text[i];
    if (after_equals && (c == '"' || c == '\'')) {
      i = text.find(c, i + 1);
      if (i == std::string_view::npos) {
        i = text.size();
        break;
      }
    }
    if (!is_space(c)) after_equals = c == '=';
  }
  tag->is_whole = i < text.size();
  tag->is_empty = tag->is_whole && text[i - 1] == '/';
  tag->end = tag->is_whole ? i + 1 : text.size();
  return true;
}

// Tags may stand within the halves of another one, which taking them out puts together. More than
// that is no accident.
constexpr int kMaxRounds = 8;

std::string strip_once(std::string_view text) {
  std::string out;
  std::array<std::size_t, kNames.size()> open{};
  std::size_t open_count = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t found = text.find('<', at);
    const std::size_t bracket = found == std::string_view::npos ? text.size() : found;
    if (open_count == 0) out += text.substr(at, bracket - at);
    if (bracket == text.size()) break;
    Tag tag;
    if (!read_tag(text, bracket, &tag)) {
      if (open_count == 0) out += '<';
      at = bracket + 1;
      continue;
    }
    at = tag.end;
    if (tag.is_empty) continue;
    if (!tag.closes) {
      ++open[tag.name];
      ++open_count;
    } else if (open[tag.name] > 0) {
      --open[tag.name];
      --open_count;
    }
  }
  return out;
}

// Where the first tag stands; the text's size when there is none.
std::size_t find_tag(std::string_view text) {
  Tag tag;
  std::size_t at = text.find('<');
  while (at != std::string_view::npos && !read_tag(text, at, &tag)) at = text.find('<', at + 1);
  return std::min(at, text.size());
}

}  // namespace

std::string strip_private(std::string_view text) {
  std::string out = strip_once(text);
  std::size_t before = text.size();
  for (int round = 1; out.size() != before; ++round) {
    if (round == kMaxRounds) {
      out.resize(find_tag(out));
      break;
    }
    before = out.size();
    out = strip_once(out);
  }
  return out;
}

std::string strip_private_json(std::string_view json) {
  if (auto stripped = map_json_strings(json, strip_private)) return *std::move(stripped);
  return strip_private(json);
}

}  // namespace codexmem::privacy
