// READMEs begin with titles, logos, badges and lists of links in many kinds of markup, often HTML
// inside Markdown. So markup is removed first and link texts are marked; then the first paragraph
// with enough words outside of links is taken. News of the last release often comes before the
// description of a project, so a sentence like "Gin is" counts more if it comes soon.
//
// Tested by ask/stated_purpose_test.cpp; tried on ten repositories (bench/overview.md).
#include "ask/code/stated_purpose.h"

#include <algorithm>
#include <vector>

#include "base/ascii.h"
#include "base/path.h"
#include "base/text.h"
#include "text/declaration_text.h"

namespace codexmem::ask {
namespace {

constexpr std::size_t kMaxReadmeBytes = 20'000, kMaxHeadBytes = 6'000;
constexpr std::size_t kMaxPageBytes = 100'000;
constexpr std::size_t kFewWords = 4;  // no sentence
constexpr std::size_t kWordsOfSlogan = 10;
constexpr std::size_t kMaxParagraphs = 6;  // in which a definition is looked for
constexpr int kAdvice = 0, kProse = 1, kDefinition = 2;
constexpr char kLinkBegin = '\x01', kLinkEnd = '\x02';
constexpr std::string_view kBlank = " \t\r\n";

bool is_any_of(std::string_view text, std::string_view chars) {
  return !text.empty() && text.find_first_not_of(chars) == std::string_view::npos;
}

// The end of the bracket that opens at `at`, or npos.
std::size_t matching(std::string_view text, std::size_t at, char open, char close) {
  std::size_t depth = 0;
  for (std::size_t i = at; i < text.size() && i < at + 2000; ++i) {
    if (text[i] == '\n' && i + 1 < text.size() && text[i + 1] == '\n') break;
    if (text[i] == open) ++depth;
    if (text[i] == close && --depth == 0) return i;
  }
  return std::string_view::npos;
}

// Reads a Markdown link or image at `at`, an opening bracket: appends its text, and returns the
// position behind it; returns `at` if it is no link or image.
std::size_t read_link(std::string_view text, std::size_t at, std::string& out) {
  const bool is_image = text[at] == '!';
  const std::size_t open = at + (is_image ? 1 : 0);
  const std::size_t close = matching(text, open, '[', ']');
  if (close == std::string_view::npos) return at;
  std::size_t end = close + 1;
  if (end < text.size() && (text[end] == '(' || text[end] == '[')) {
    const std::size_t last = matching(text, end, text[end], text[end] == '(' ? ')' : ']');
    if (last == std::string_view::npos) return at;
    end = last + 1;
  } else if (end < text.size() && text[end] == ':') {  // where a name leads
    const std::size_t line = text.find('\n', end);
    return line == std::string_view::npos ? text.size() : line;
  }
  if (is_image) return end;
  std::string label;
  const std::string_view inner = text.substr(open + 1, close - open - 1);
  for (std::size_t i = 0; i < inner.size();) {
    if (inner[i] == '!' && i + 1 < inner.size() && inner[i + 1] == '[') {
      const std::size_t next = read_link(inner, i, label);
      if (next != i) {
        i = next;
        continue;
      }
    }
    label += inner[i++];
  }
  out += kLinkBegin + label + kLinkEnd;
  return end;
}

// An HTML tag or comment from `at`, where `<` is: as read_link().
std::size_t read_tag(std::string_view text, std::size_t at, std::string& out) {
  if (text.substr(at).starts_with("<!--")) {
    const std::size_t end = text.find("-->", at);
    return end == std::string_view::npos ? text.size() : end + 3;
  }
  const std::size_t end = text.find('>', at);
  if (end == std::string_view::npos || end == at + 1) return at;
  const std::string tag =
      to_lower_ascii(text.substr(at + 1, std::min<std::size_t>(end - at - 1, 12)));
  const std::size_t name_end = std::min(tag.find_first_of(" />\n", 1), tag.size());
  const std::string name = tag.substr(0, name_end);
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  if (!is_letter(name.front()) && name.front() != '/') return at;
  if (name.size() == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6') {
    const std::size_t close = text.find("</", end);  // a heading
    out += "\n\n";
    if (close == std::string_view::npos) return end + 1;
    const std::size_t closed = text.find('>', close);
    return closed == std::string_view::npos ? text.size() : closed + 1;
  }
  // What a picture shows, or what runs.
  if (is_one_of(name, {"figure", "figcaption", "script", "style"})) {
    const std::size_t close = text.find("</" + name, end);
    const std::size_t closed = close == std::string_view::npos ? close : text.find('>', close);
    out += "\n\n";
    return closed == std::string_view::npos ? text.size() : closed + 1;
  }
  if (name == "a") out += kLinkBegin;
  if (name == "/a") out += kLinkEnd;
  if (name == "p" || name == "/p" || name == "div" || name == "/div" || name == "/h1")
    out += "\n\n";
  if (name == "br" || name == "li") out += ' ';
  return end + 1;
}

std::string without_markup(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    std::size_t next = i;
    if (text.substr(i).starts_with("&nbsp;")) {
      out += ' ';
      next = i + 6;
    } else if (c == '<') {
      next = read_tag(text, i, out);
    } else if (c == '[' || (c == '!' && i + 1 < text.size() && text[i + 1] == '[')) {
      next = read_link(text, i, out);
    }
    if (next == i) {
      out += c;
      next = i + 1;
    }
    i = next;
  }
  return out;
}

// `text` with each link closed where its paragraph ends and opened again behind: a sponsor's block
// is one link of many paragraphs. A link without an end is none.
std::string with_links_cut(std::string_view text) {
  std::string out;
  bool in_link = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == kLinkBegin) {
      const std::size_t next = text.find_first_of(std::string{kLinkBegin, kLinkEnd}, at + 1);
      in_link = next != std::string_view::npos && text[next] == kLinkEnd;
      if (!in_link) continue;
    }
    if (c == kLinkEnd) in_link = false;
    const bool is_break = in_link && c == '\n';
    if (is_break) out += kLinkEnd;
    out += c;
    if (is_break) out += kLinkBegin;
  }
  return out;
}

// `paragraph` without marks of emphasis, code and links, on one line.
std::string plain(std::string_view paragraph) {
  std::string out;
  for (std::size_t i = 0; i < paragraph.size(); ++i) {
    const char c = paragraph[i];
    if (c == kLinkBegin || c == kLinkEnd || c == '`') continue;
    const char before = i == 0 ? ' ' : paragraph[i - 1];
    const char after = i + 1 == paragraph.size() ? ' ' : paragraph[i + 1];
    const auto is_edge = [](char one) { return !is_letter(one) && !is_digit(one); };
    if (c == '*' || (c == '_' && (is_edge(before) || is_edge(after)))) {
      if (c == '*' || before != '_' || after != '_') continue;
    }
    out += c;
  }
  // reStructuredText: text <address>_.
  for (std::size_t at = out.find(" <http"); at != std::string::npos; at = out.find(" <http", at)) {
    const std::size_t end = out.find('>', at);
    if (end == std::string::npos) break;
    out.erase(at, end + 1 - at);
    while (at < out.size() && out[at] == '_') out.erase(at, 1);
  }
  return fold_whitespace(out);
}

std::size_t count_words(std::string_view text) {
  std::size_t words = 0;
  bool in_link = false, in_word = false;
  for (const char c : text) {
    if (c == kLinkBegin || c == kLinkEnd) in_link = c == kLinkBegin;
    const bool is_part = !in_link && (is_letter(c) || static_cast<unsigned char>(c) >= 0x80);
    if (is_part && !in_word) ++words;
    in_word = is_part || (in_word && !in_link && (c == '\'' || c == '-'));
  }
  return words;
}

bool is_about_tools(const std::string& lower) {
  for (const std::string_view word :
       {"copyright",  "license",  "licence",      "spdx",        "all rights reserved",
        "eslint",     "prettier", "tslint",       "@ts-",        "go:build",
        "+build",     "mypy:",    "pylint",       "ruff",        "noqa",
        "coding:",    "flake8",   "isort",        "do not edit", "@flow",
        "istanbul",   "vim:",     "clang-format", "pragma",      "sourcemappingurl",
        "@generated", "type:",    "<reference"}) {
    if (lower.find(word) != std::string::npos) return true;
  }
  return false;
}

// What a developer says to others: "make sure that ...".
bool is_remark(std::string_view said) {
  const std::string lower = to_lower_ascii(said.substr(0, 20));
  for (const std::string_view start :
       {"make ", "bring ", "todo:", "fixme", "hack:", "look ", "while ", "well,"}) {
    if (lower.starts_with(start)) return true;
  }
  return false;
}

// Javadoc's and JSDoc's tags within a text: of {@link a.b.C} "C", of {@code x} "x".
std::string without_doc_tags(std::string text) {
  for (std::size_t at = text.find("{@"); at != std::string::npos; at = text.find("{@", at)) {
    const std::size_t end = text.find('}', at), blank = text.find_first_of(" \n", at);
    if (end == std::string::npos) break;
    std::string inner = blank < end ? text.substr(blank + 1, end - blank - 1) : "";
    if (const std::size_t dot = inner.find_last_of('.');
        dot != std::string::npos && inner.find(' ') == std::string::npos) {
      inner.erase(0, dot + 1);
    }
    text.replace(at, end + 1 - at, inner);
  }
  return text;
}

// The first paragraph of a comment's text that says something.
std::string first_paragraph(std::string_view text) {
  std::string paragraph;
  for (std::string_view line : split(text, '\n')) {
    line = trim(line);
    if (line.starts_with('@') || line.starts_with("\\") || line.starts_with("!!!") ||
        is_any_of(line, "=-~^*#\"'.")) {
      if (!paragraph.empty() && line.starts_with('@')) break;
      if (is_any_of(line, "=-~^*#")) paragraph.clear();  // it was a title
      continue;
    }
    if (line.empty()) {
      if (count_words(paragraph) > 1) break;
      paragraph.clear();
      continue;
    }
    paragraph += (paragraph.empty() ? "" : "\n") + std::string(line);
  }
  return paragraph;
}

// "1. ": an item of a list.
bool is_numbered(std::string_view line) {
  const std::size_t end = line.find_first_not_of("0123456789");
  return end > 0 && end != std::string_view::npos && line.substr(end).starts_with(". ");
}

// How well a paragraph says what `name` is.
int rank_of(std::string_view said, std::string_view name) {
  const std::string lower = to_lower_ascii(said.substr(0, 120));
  for (const std::string_view verb :
       {" is ", " are ", " provides ", " helps ", " lets ", " makes ", " allows "}) {
    const std::size_t at = lower.find(verb);
    const std::size_t named = name.empty() ? at : lower.find(to_lower_ascii(name));
    if (at >= 60 || named >= at) continue;
    // (Not "Gin's router is".)
    const std::string_view behind = std::string_view(lower).substr(named + name.size());
    if (!behind.starts_with("'s ") && !behind.starts_with("’s ")) return kDefinition;
  }
  for (const std::string_view start :
       {"we ",    "we're ", "we’re ",  "please ",     "see ",     "read ",       "check ",
        "visit ", "note",   "warning", "looking for", "for more", "this readme", "follow ",
        "if you", "you ",   "to ",     "want ",       "new ",     "announc",     "welcome ",
        "while ", "well,",  "make ",   "bring ",      "here ",    "once ",       "import "}) {
    if (lower.starts_with(start)) return kAdvice;
  }
  return said.ends_with(':') || lower.find(", see ") != std::string::npos ? kAdvice : kProse;
}

// Whether a sentence ends at `at`: not in brackets, nor behind "e.g.".
bool ends_sentence(std::string_view text, std::size_t at) {
  if (text[at] != '.' && text[at] != '!' && text[at] != '?') return false;
  if (at + 1 < text.size() && text[at + 1] != ' ') return false;
  if (at + 2 < text.size() && is_lower(text[at + 2])) return false;
  const std::string_view before = text.substr(0, at);
  return !before.ends_with("e.g") && !before.ends_with("i.e") &&
         std::ranges::count(before, '(') == std::ranges::count(before, ')');
}

}  // namespace

std::string readme_purpose(std::string_view text, std::string_view name,
                           std::size_t most_headings) {
  text = utf8_prefix(text, kMaxReadmeBytes);
  if (text.starts_with("---\n")) {  // front matter of the page
    const std::size_t end = text.find("\n---", 3);
    if (end != std::string_view::npos) text.remove_prefix(std::min(end + 4, text.size()));
  }
  const std::string marked = with_links_cut(without_markup(text));
  std::string paragraph;
  bool in_code = false, in_directive = false, in_item = false;
  std::string best;
  int best_rank = 0;
  std::size_t seen = 0, headings = 0;
  const auto end_paragraph = [&] {
    if (count_words(paragraph) >= kFewWords) {
      ++seen;
      std::string said = plain(paragraph);
      const int rank = rank_of(said, name);
      // A slogan says less than what follows it.
      const bool is_behind_slogan = rank == kProse && best_rank == kProse && seen == 2 &&
                                    count_words(best) < kWordsOfSlogan && !best.ends_with('.');
      if (is_behind_slogan) {
        best += ". " + said;
      } else if (rank > best_rank) {
        best_rank = rank;
        best = std::move(said);
      }
    }
    paragraph.clear();
  };
  for (const std::string_view whole : split(marked, '\n')) {
    const std::string_view line = trim(whole);
    if (line.starts_with("```") || line.starts_with("~~~")) {
      in_code = !in_code;
      end_paragraph();
      continue;
    }
    if (in_code) continue;
    const bool is_indented = whole.starts_with("   ") || whole.starts_with('\t');
    // The rest of an item of a list.
    in_item = in_item && (line.empty() || whole.starts_with("  ") || whole.starts_with('\t'));
    if (in_item && !line.empty()) continue;
    if (in_directive && (line.empty() || is_indented)) continue;
    in_directive = line.starts_with("..");
    const bool is_address = line.starts_with("http") && line.find(' ') == std::string_view::npos;
    const bool is_rule = is_any_of(line, "=-~^*#\"'+");  // below a title, or by itself
    if ((line.starts_with('#') || is_rule) && ++headings > most_headings) break;
    if (line.empty() || in_directive || is_address) {
      end_paragraph();
    } else if (is_rule) {
      paragraph.clear();
    } else if (line.starts_with('#') || line.starts_with("!!!") || is_numbered(line) ||
               line.starts_with('>') || line.starts_with('|') || line.starts_with("- ") ||
               line.starts_with("* ") || line.starts_with("+ ") || line.starts_with(':') ||
               (paragraph.empty() && is_indented && whole[0] == '\t')) {
      in_item = line.starts_with("- ") || line.starts_with("* ") || line.starts_with("+ ");
      if (most_headings < kWholePage && (in_item || is_numbered(line))) break;  // steps, then
      end_paragraph();
    } else {
      paragraph += (paragraph.empty() ? "" : "\n") + std::string(line);
    }
    if (seen == kMaxParagraphs || best_rank == kDefinition) break;
  }
  end_paragraph();
  return best;
}

std::string module_purpose(std::string_view path, std::string_view text) {
  text = utf8_prefix(text, kMaxHeadBytes);
  while (!text.empty()) {
    text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
    if (text.starts_with("#!") && !text.starts_with("#![")) {
      text.remove_prefix(std::min(text.find('\n'), text.size()));
      continue;
    }
    std::size_t end = 0;
    const std::size_t quotes = text.find_first_not_of("rRuU");
    const std::string_view quoted = quotes < 2 ? text.substr(quotes) : std::string_view();
    if (text.starts_with("/*")) {
      end = text.find("*/");
      if (end != std::string_view::npos) end += 2;
    } else if (quoted.starts_with("\"\"\"") || quoted.starts_with("'''")) {
      end = text.find(quoted.substr(0, 3), quotes + 3);
      if (end != std::string_view::npos) end += 3;
    } else if (text.starts_with("//") || text.starts_with("# ") || text.starts_with("#\n")) {
      const std::string_view mark = text.substr(0, text.starts_with("//") ? 2 : 1);
      while (text.substr(end).starts_with(mark)) {
        const std::size_t line = text.find('\n', end);
        end = line == std::string_view::npos ? text.size() : line + 1;
      }
    } else {
      return {};
    }
    if (end == std::string_view::npos) return {};
    const std::string_view block = text.substr(0, end);
    text.remove_prefix(end);
    if (block.starts_with("/*!")) continue;  // kept when code is minified: licences
    std::string said = without_doc_tags(first_paragraph(docstring_text(trim(block))));
    const std::string named = std::string(file_name(path)) + " - ";
    if (const std::size_t at = said.find(named); at < 80) said.erase(0, at + named.size());
    said = plain(without_markup(said));
    if (count_words(said) > 2 && said.find("----") == std::string::npos && !is_remark(said) &&
        !is_about_tools(to_lower_ascii(said)))
      return said;
  }
  return {};
}

std::vector<std::pair<std::string, std::string>> described_folders(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> found;
  const auto skip = [](std::string_view& line, std::string_view chars) {
    line.remove_prefix(std::min(line.find_first_not_of(chars), line.size()));
  };
  bool in_code = false;  // where only paths are read: a tree, not the keys of a configuration
  for (std::string_view line : split(utf8_prefix(text, kMaxPageBytes), '\n')) {
    if (trim(line).starts_with("```")) in_code = !in_code;
    const bool is_tree = line.find("\xe2\x94") != std::string_view::npos;
    const std::size_t before = line.size();
    skip(line, " \t-*+|\xe2\x94\x82\x9c\x80\x94");  // marks of lists and tables, lines of trees
    if (line.size() == before) continue;
    skip(line, "`*[./");
    std::size_t end = 0;
    while (end < line.size() && (is_word_char(line[end]) || line[end] == '-' || line[end] == '/' ||
                                 line[end] == '.' || line[end] == '@')) {
      ++end;
    }
    std::string_view name = line.substr(0, end);
    line.remove_prefix(end);
    if (in_code && !is_tree && name.find('/') == std::string_view::npos) continue;
    while (name.ends_with('/')) name.remove_suffix(1);
    skip(line, "`*]");
    if (line.starts_with('(')) line.remove_prefix(std::min(line.find(')'), line.size() - 1) + 1);
    const bool is_apart = line.starts_with("  ");
    skip(line, " ");
    const bool is_marked = line.starts_with(':') || line.starts_with('|') ||
                           line.starts_with('#') || line.starts_with("- ") ||
                           line.starts_with("\xe2\x80\x93") || line.starts_with("\xe2\x80\x94");
    if (name.size() < 2 || (!is_apart && !is_marked)) continue;
    skip(line, " :|#-`*\xe2\x80\x93\x94");
    std::string said = plain(without_markup(line.substr(0, line.find('|'))));
    if (count_words(said) >= 2) found.emplace_back(name, std::move(said));
  }
  return found;
}

std::string first_sentences(std::string_view text, std::size_t max_bytes) {
  // A sentence that leads to a list goes with the list.
  while (text.ends_with(':')) {
    std::size_t end = text.size() - 1;
    while (end > 0 && !ends_sentence(text, end)) --end;
    if (end == 0) break;
    text = text.substr(0, end + 1);
  }
  if (text.size() <= max_bytes) return std::string(text);
  std::size_t end = 0;
  for (std::size_t at = 0; at < max_bytes; ++at) {
    if (ends_sentence(text, at)) end = at + 1;
  }
  return end > 0 ? std::string(text.substr(0, end)) : shortened_line(text, max_bytes);
}

std::string first_sentence(std::string_view text, std::size_t max_bytes) {
  constexpr std::size_t kShortest = 12;  // "Mr. X": a title
  for (std::size_t at = kShortest; at < std::min(text.size(), max_bytes); ++at) {
    if (ends_sentence(text, at)) return std::string(text.substr(0, at + 1));
  }
  return shortened_line(text, max_bytes);
}

}  // namespace codexmem::ask
