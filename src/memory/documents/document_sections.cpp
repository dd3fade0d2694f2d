// Lines are read once, with the state that decides whether a '#' is a heading: a fence, a comment,
// the paragraph that a setext underline would make a heading of. Where CommonMark is subtler
// (lists, block quotes), a line that may be a heading of something nested is text.
//
// Tested by memory/document_sections_test.cpp.
#include "memory/documents/document_sections.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "base/text.h"

namespace codexmem::memory {
namespace {

constexpr std::size_t kLevels = 6;
constexpr std::size_t kMaxHeadingBytes = 300;

// Line ends as \n, without a byte order mark.
std::string with_plain_lines(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      plain += text[i];
    } else if (i + 1 == text.size() || text[i + 1] != '\n') {
      plain += '\n';
    }
  }
  return plain;
}

// How many lines at the beginning are front matter.
std::size_t front_matter_lines(const std::vector<std::string_view>& lines) {
  const std::string_view mark = trim(lines.front());
  if (mark != "---" && mark != "+++") return 0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::string_view line = trim(lines[i]);
    if (line == mark || (mark == "---" && line == "...")) return i + 1;
  }
  return 0;
}

// `line` without its indentation; nothing when that makes it code.
std::optional<std::string_view> unindented(std::string_view line) {
  std::size_t spaces = 0;
  while (spaces < line.size() && line[spaces] == ' ') ++spaces;
  if (spaces > 3 || (spaces < line.size() && line[spaces] == '\t')) return std::nullopt;
  return line.substr(spaces);
}

struct Fence {
  char mark = '\0';
  std::size_t length = 0;
};

std::optional<Fence> find_fence(std::string_view line) {
  const auto body = unindented(line);
  if (!body || body->empty() || (body->front() != '`' && body->front() != '~')) return std::nullopt;
  const char mark = body->front();
  const std::size_t length = std::min(body->find_first_not_of(mark), body->size());
  if (length < 3) return std::nullopt;
  if (mark == '`' && body->find('`', length) != std::string_view::npos) return std::nullopt;
  return Fence{mark, length};
}

bool ends_fence(std::string_view line, const Fence& fence) {
  const auto body = unindented(line);
  if (!body) return false;
  const std::string_view marks = trim(*body);
  return marks.size() >= fence.length &&
         marks.find_first_not_of(fence.mark) == std::string_view::npos;
}

struct Heading {
  std::size_t level = 1;
  std::string text;
};

std::string heading_text(std::string_view text) {
  std::string folded = fold_whitespace(text);
  // {#id} and other attributes are no part of the text.
  if (const auto brace = folded.rfind(" {"); brace != std::string::npos && folded.ends_with('}')) {
    folded.resize(brace);
  }
  if (folded.size() > kMaxHeadingBytes) {
    // Cut between words: half of a secret would be known for none.
    const auto space = folded.rfind(' ', kMaxHeadingBytes);
    folded.resize(space == std::string::npos ? 0 : space);
  }
  return std::string(trim(folded));
}

std::optional<Heading> find_atx_heading(std::string_view line) {
  const auto body = unindented(line);
  if (!body) return std::nullopt;
  const std::size_t level = std::min(body->find_first_not_of('#'), body->size());
  if (level == 0 || level > kLevels) return std::nullopt;
  std::string_view text = body->substr(level);
  if (!text.empty() && text.front() != ' ' && text.front() != '\t') return std::nullopt;
  text = trim(text);
  // A closing run of # follows a space.
  const auto last = text.find_last_not_of('#');
  if (last == std::string_view::npos) {
    text = {};
  } else if (last + 1 < text.size() && (text[last] == ' ' || text[last] == '\t')) {
    text = text.substr(0, last);
  }
  return Heading{level, heading_text(text)};
}

// The level that an underline gives to the paragraph above it.
std::optional<std::size_t> find_underline(std::string_view line) {
  const auto body = unindented(line);
  if (!body) return std::nullopt;
  const std::string_view marks = trim(*body);
  if (marks.empty()) return std::nullopt;
  if (marks.find_first_not_of('=') == std::string_view::npos) return 1;
  if (marks.find_first_not_of('-') == std::string_view::npos) return 2;
  return std::nullopt;
}

// Whether a line can be part of a paragraph that an underline makes a heading.
bool is_paragraph(std::string_view line) {
  const std::string_view text = trim(line);
  if (text.empty() || !unindented(line)) return false;
  if (text.front() == '>' || text.front() == '|' || text.front() == '<') return false;
  const bool is_bullet = (text.front() == '-' || text.front() == '*' || text.front() == '+') &&
                         (text.size() == 1 || text[1] == ' ');
  if (is_bullet) return false;
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  return digits == 0 || digits + 1 >= text.size() || (text[digits] != '.' && text[digits] != ')') ||
         text[digits + 1] != ' ';
}

// As links on code hosts name a heading: lower case, spaces as dashes, other marks left out.
std::string anchor_of(std::string_view heading) {
  std::string anchor;
  for (const char c : to_lower_ascii(heading)) {
    const bool is_word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
                         (static_cast<unsigned char>(c) & 0x80) != 0;
    if (is_word) anchor += c;
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

// `text` in pieces of at most kMaxSectionBytes: whole paragraphs, else lines, else code points.
std::vector<std::string> cut(std::string_view text) {
  std::vector<std::string> parts;
  while (text.size() > kMaxSectionBytes) {
    const std::string_view head = utf8_prefix(text, kMaxSectionBytes);
    // A paragraph's end in the second half; within a fence lines are as good.
    std::size_t end = head.rfind("\n\n");
    if (end == std::string_view::npos || end < head.size() / 2) end = head.rfind('\n');
    if (end == std::string_view::npos || end < head.size() / 2) end = head.size();
    if (const auto part = trim(text.substr(0, end)); !part.empty()) parts.emplace_back(part);
    text.remove_prefix(end);
  }
  if (const auto part = trim(text); !part.empty()) parts.emplace_back(part);
  return parts;
}

class Splitter {
 public:
  explicit Splitter(std::string_view name) : name_(name) {}

  void begin(Heading heading) {
    finish();
    for (std::size_t level = heading.level; level <= kLevels; ++level) path_[level - 1].clear();
    path_[heading.level - 1] = heading.text;
    heading_ = std::move(heading.text);
    anchor_ = anchor_of(heading_);
    if (const std::size_t seen = anchors_[anchor_]++; seen > 0) {
      anchor_ += fmt::format("-{}", seen);
    }
  }

  void add(std::string_view line) {
    text_ += line;
    text_ += '\n';
  }

  // Takes the last `lines` lines back.
  void take_back(std::size_t lines) {
    for (; lines > 0; --lines) {
      const auto end = text_.rfind('\n', text_.size() - 2);
      text_.resize(end == std::string::npos || text_.size() < 2 ? 0 : end + 1);
    }
  }

  void finish() {
    std::vector<std::string> names;
    for (const std::string& part : path_) {
      if (!part.empty()) names.push_back(part);
    }
    const std::string title =
        names.empty() ? std::string(name_) : fmt::format("{}", fmt::join(names, " > "));
    const std::vector<std::string> parts = cut(text_);
    // Repeated headings are distinguished by their number.
    std::string key = names.empty() ? std::string() : title;
    if (!parts.empty()) {
      if (const std::size_t seen = keys_[key]++; seen > 0) key += fmt::format(" #{}", seen + 1);
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      DocumentSection section{title, heading_, anchor_, key, parts[i], parts.size() > 1};
      if (parts.size() > 1) {
        section.title += fmt::format(" ({}/{})", i + 1, parts.size());
        if (i > 0) section.key += fmt::format(" part {}", i + 1);
      }
      sections_.push_back(std::move(section));
    }
    text_.clear();
  }

  std::vector<DocumentSection> take() {
    finish();
    return std::move(sections_);
  }

 private:
  std::string_view name_;
  std::array<std::string, kLevels> path_;
  std::string heading_, anchor_, text_;
  std::map<std::string, std::size_t> anchors_, keys_;
  std::vector<DocumentSection> sections_;
};

}  // namespace

std::vector<DocumentSection> split_markdown(std::string_view text, std::string_view name) {
  const std::string plain = with_plain_lines(text);
  const std::vector<std::string_view> lines = split(plain, '\n');
  Splitter splitter(name);
  std::optional<Fence> fence;
  bool is_comment = false;
  std::vector<std::string_view> paragraph;  // the lines before this one that are one
  for (std::size_t i = front_matter_lines(lines); i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    if (fence) {
      if (ends_fence(line, *fence)) fence.reset();
      splitter.add(line);
      continue;
    }
    if (is_comment) {
      is_comment = line.find("-->") == std::string_view::npos;
      splitter.add(line);
      continue;
    }
    fence = find_fence(line);
    const std::string_view trimmed = trim(line);
    is_comment =
        !fence && trimmed.starts_with("<!--") && trimmed.find("-->", 4) == std::string_view::npos;
    if (fence || is_comment) {
      paragraph.clear();
      splitter.add(line);
      continue;
    }
    if (auto heading = find_atx_heading(line)) {
      paragraph.clear();
      splitter.begin(*std::move(heading));
      continue;
    }
    if (const auto level = find_underline(line); level && !paragraph.empty()) {
      splitter.take_back(paragraph.size());
      splitter.begin({*level, heading_text(fmt::format("{}", fmt::join(paragraph, " ")))});
      paragraph.clear();
      continue;
    }
    splitter.add(line);
    // A line after a list item or a quotation goes on with that.
    const bool goes_on = !paragraph.empty() || i == 0 || trim(lines[i - 1]).empty() ||
                         find_atx_heading(lines[i - 1]) || find_underline(lines[i - 1]);
    if (is_paragraph(line) && goes_on) {
      paragraph.push_back(line);
    } else {
      paragraph.clear();
    }
  }
  return splitter.take();
}

std::vector<DocumentSection> split_text(std::string_view text, std::string_view name) {
  Splitter splitter(name);
  splitter.add(with_plain_lines(text));
  return splitter.take();
}

}  // namespace codexmem::memory
