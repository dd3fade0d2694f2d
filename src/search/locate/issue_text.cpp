// Line by line: a line is a fence, a heading, a frame, code or a sentence. Frames are found by
// their one common trait, a path with an extension next to a number; the function's name stands
// before it (Java, JavaScript, C#, gdb) or after it (Python, Ruby, PHP).
//
// Tested by search/issue_text_test.cpp.
#include "search/locate/issue_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "base/text.h"
#include "search/locate/verbatim.h"

namespace codexmem::search {
namespace {

constexpr std::size_t kMaxSummaryBytes = 700;
constexpr std::size_t kMaxNames = 200;
constexpr std::size_t kMaxVerbatim = 120;
constexpr std::size_t kMaxQuotedBytes = 60;
constexpr std::size_t kMaxExtension = 6;
constexpr std::size_t kCodeIndent = 4;

// Headings of templates: a line of nothing else is left out.
constexpr std::string_view kTemplateWords[] = {
    "actual",     "additional",  "behavior",     "behaviour",    "bug",        "checklist",
    "code",       "context",     "contribution", "current",      "describe",   "description",
    "details",    "environment", "error",        "example",      "expected",   "feature",
    "full",       "how",         "info",         "information",  "issue",      "log",
    "logs",       "minimal",     "observed",     "or",           "output",     "possible",
    "problem",    "request",     "reproduce",    "reproduction", "result",     "results",
    "screenshot", "screenshots", "sample",       "solution",     "stacktrace", "steps",
    "summary",    "system",      "the",          "to",           "trace",      "traceback",
    "version",    "versions",    "what",         "happened",     "your",       "a",
    "and",        "of"};

// What begins or joins tracebacks; it says nothing of the fault.
constexpr std::string_view kTraceHeadings[] = {
    "Traceback (most recent call last)",
    "During handling of the above exception",
    "The above exception was the direct cause",
    "Stack trace:",
    "Stacktrace:",
    "stack backtrace:",
    "Backtrace:",
    "Call stack:",
};

bool is_path_char(char c) {
  return is_word_char(c) || c == '/' || c == '\\' || c == '.' || c == '-' || c == '+' || c == '@' ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::string_view last_name(std::string_view dotted) {
  std::size_t begin = dotted.size();
  while (begin > 0 && is_identifier_char(dotted[begin - 1])) --begin;
  return dotted.substr(begin);
}

bool is_name(std::string_view name) {
  return !name.empty() && !is_digit(name.front()) && std::ranges::all_of(name, is_identifier_char);
}

// The extension of a path, without its dot; empty for other texts.
std::string_view extension_of(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == path.size()) return {};
  const std::string_view extension = path.substr(dot + 1);
  const bool is_one = extension.size() <= kMaxExtension && is_letter(extension.front()) &&
                      std::ranges::all_of(extension, is_alnum) && is_word_char(path[dot - 1]);
  return is_one ? extension : std::string_view();
}

std::uint32_t number_at(std::string_view text, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = at; i < text.size() && is_digit(text[i]) && i < at + 7; ++i) {
    value = value * 10 + static_cast<std::uint32_t>(text[i] - '0');
  }
  return value;
}

// A path in a line, its line number, and where both are.
struct Place {
  std::size_t begin = 0, end = 0;
  std::string_view path;
  std::uint32_t line = 0;
};

// The number that follows the path which ends at `end`, and where it ends: `:12`, `(12)`,
// `", line 12`, `:line 12`, `#L12`.
std::optional<std::pair<std::uint32_t, std::size_t>> number_after(std::string_view line,
                                                                  std::size_t end) {
  constexpr std::string_view kJoints[] = {"\", line ", "', line ", ", line ", ":line ",
                                          " line ",    "#L",       ":",       "("};
  for (const std::string_view joint : kJoints) {
    if (!line.substr(end).starts_with(joint)) continue;
    std::size_t at = end + joint.size();
    if (at >= line.size() || !is_digit(line[at])) continue;
    const std::uint32_t number = number_at(line, at);
    while (at < line.size() && is_digit(line[at])) ++at;
    if (joint == "(" && (at >= line.size() || (line[at] != ')' && line[at] != ','))) continue;
    return std::pair(number, at);
  }
  return std::nullopt;
}

// The next path of `line` from `from` that has a line number.
std::optional<Place> find_place(std::string_view line, std::size_t from) {
  for (std::size_t begin = from; begin < line.size();) {
    if (!is_path_char(line[begin])) {
      ++begin;
      continue;
    }
    std::size_t end = begin;
    while (end < line.size() && is_path_char(line[end])) ++end;
    // C:\folder\file.cs
    const bool has_drive = end == begin + 1 && is_letter(line[begin]) && end + 1 < line.size() &&
                           line[end] == ':' && (line[end + 1] == '\\' || line[end + 1] == '/');
    if (has_drive) {
      for (++end; end < line.size() && is_path_char(line[end]);) ++end;
    }
    const std::string_view path = line.substr(begin, end - begin);
    if (!extension_of(path).empty()) {
      if (const auto number = number_after(line, end)) {
        return Place{begin, number->second, path, number->first};
      }
    }
    begin = end;
  }
  return std::nullopt;
}

// The name of the function of a frame: `, in name` behind its place, `at A.name(` before it.
std::string_view function_near(std::string_view line, const Place& place) {
  std::string_view after = line.substr(place.end);
  for (const std::string_view joint : {", in ", ":in ", ": in ", " in "}) {
    if (!after.starts_with(joint)) continue;
    after = after.substr(joint.size());
    while (!after.empty() && (is_quote(after.front()) || after.front() == '<')) {
      after.remove_prefix(1);
    }
    std::size_t end = 0;
    while (end < after.size() && (is_identifier_char(after[end]) || after[end] == '.' ||
                                  after[end] == '#' || after[end] == ':')) {
      ++end;
    }
    while (end > 0 && !is_identifier_char(after[end - 1])) --end;
    return last_name(after.substr(0, end));
  }
  if (after.starts_with("): ")) {  // PHP: #0 /a/b.php(12): Class->name()
    const std::size_t end = after.find('(', 3);
    if (end != std::string_view::npos) return last_name(after.substr(0, end));
  }
  const std::string_view before = line.substr(0, place.begin);
  const bool says_at =
      before.find("at ") != std::string_view::npos || before.find('#') != std::string_view::npos;
  const std::size_t open = before.find('(');
  if (!says_at || open == std::string_view::npos) return {};
  std::string_view name = before.substr(0, open);
  while (!name.empty() && !is_identifier_char(name.back())) name.remove_suffix(1);
  return last_name(name);
}

// True for a word that its spelling shows to be a name of code.
bool looks_like_name(std::string_view name) {
  if (name.size() < 3 || is_digit(name.front())) return false;
  bool has_lower = false, has_hump = false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '_' && i > 0 && i + 1 < name.size()) return true;
    has_hump = has_hump || (has_lower && is_upper(name[i]));
    has_lower = has_lower || is_lower(name[i]);
  }
  return has_hump || (name.front() == '_' && has_lower);
}

// The end of the name, joined by dots or not, that begins at `at`.
std::size_t end_of_names(std::string_view text, std::size_t at) {
  while (at < text.size() &&
         (is_identifier_char(text[at]) ||
          (text[at] == '.' && at + 1 < text.size() && is_identifier_char(text[at + 1])))) {
    ++at;
  }
  return at;
}

// What code may have letter by letter: `quoted texts`, --options, joined.names, camelCase.
std::vector<std::string> list_verbatim(std::string_view text) {
  std::vector<std::string> found;
  std::set<std::string_view> seen;
  const auto add = [&](std::string_view one) {
    if (one.size() < kLeastVerbatim || found.size() >= kMaxVerbatim) return;
    if (seen.insert(one).second) found.emplace_back(one);
  };
  for (std::size_t at = 0; at < text.size();) {
    const bool is_inside = at > 0 && is_word_char(text[at - 1]);
    if (is_quote(text[at]) && !is_inside) {
      const std::size_t end = text.find_first_of(std::string{text[at], '\n'}, at + 1);
      if (end != std::string_view::npos && text[end] == text[at] &&
          end - at - 1 <= kMaxQuotedBytes) {
        add(trim(text.substr(at + 1, end - at - 1)));
        at = end;
      }
      ++at;
    } else if (text.substr(at).starts_with("--") && at + 2 < text.size() &&
               is_lower(text[at + 2])) {
      std::size_t end = at + 2;
      while (end < text.size() && (is_word_char(text[end]) || text[end] == '-')) ++end;
      add(text.substr(at, end - at));
      at = end;
    } else if (is_identifier_char(text[at])) {
      const std::size_t end = end_of_names(text, at);
      const std::string_view name = text.substr(at, end - at);
      const bool is_joined = name.find('.') != std::string_view::npos;
      if (!is_digit(name.front()) && (is_joined || looks_like_name(name))) add(name);
      at = end;
    } else {
      ++at;
    }
  }
  return found;
}

class IssueReader {
 public:
  explicit IssueReader(std::string_view text) : rest_(text) {}

  IssueText read() {
    std::string_view line;
    while (next_line(&line)) read_line(line);
    end_trace();
    return std::move(out_);
  }

 private:
  bool next_line(std::string_view* line) {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    *line = rest_.substr(0, end);
    if (line->ends_with('\r')) line->remove_suffix(1);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return true;
  }

  void read_line(std::string_view line) {
    if (in_comment_) {
      const std::size_t end = line.find("-->");
      if (end == std::string_view::npos) return;
      in_comment_ = false;
      line.remove_prefix(end + 3);
    }
    if (const std::size_t begin = line.find("<!--"); begin != std::string_view::npos) {
      const std::size_t end = line.find("-->", begin);
      in_comment_ = end == std::string_view::npos;
      line = begin > 0 || in_comment_ ? line.substr(0, begin) : line.substr(end + 3);
    }
    const std::string_view content = trim(line);
    if (content.starts_with("```") || content.starts_with("~~~")) {
      in_fence_ = !in_fence_;
      return;
    }
    if (content.empty()) {
      after_blank_ = true;
      return;
    }
    const bool is_indented = line.size() - trim_start(line).size() >= kCodeIndent;
    const bool had_frame = std::exchange(last_was_frame_, false);
    if (read_frames(content)) {
      last_was_frame_ = true;
      after_blank_ = false;
      return;
    }
    if (had_frame && is_indented) {  // the line of code of a Python frame
      add(IssuePart::kCode, content);
      last_was_frame_ = true;
      return;
    }
    if (std::ranges::any_of(kTraceHeadings, [&](std::string_view heading) {
          return content.starts_with(heading);
        })) {
      return;
    }
    const bool is_prompt = content.starts_with(">>>") || content.starts_with("In [") ||
                           content.starts_with("$ ") || content.starts_with("... ");
    // The error of a trace that the text begins with is no title.
    const bool ends_trace = !trace_.empty() && is_error(content);
    if (!has_title_ && !in_fence_ && !ends_trace) {
      has_title_ = true;
      end_trace();
      add(IssuePart::kTitle, strip_marks(content));
      return;
    }
    if (is_error(content)) {
      end_trace();
      add(IssuePart::kError, content);
    } else if (in_fence_ || is_prompt || (is_indented && (after_blank_ || was_code_))) {
      add(IssuePart::kCode, content);
      was_code_ = true;
      after_blank_ = false;
      return;
    } else if (!is_template(content)) {
      add(IssuePart::kSentence, content);
    }
    was_code_ = false;
    after_blank_ = false;
  }

  static std::string_view trim_start(std::string_view line) {
    while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
    return line;
  }

  // A heading's marks, and "Bug:" or "[tag]" before a title.
  static std::string_view strip_marks(std::string_view title) {
    while (!title.empty() && (title.front() == '#' || is_blank(title.front()))) {
      title.remove_prefix(1);
    }
    return title;
  }

  // `SomeError: what was wrong`, `panic: ...`, `E   assert ...`
  static bool is_error(std::string_view line) {
    if (line.starts_with("E  ")) return true;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0 || colon > 80) return false;
    const std::string_view kind = last_name(line.substr(0, colon));
    return kind.ends_with("Error") || kind.ends_with("Exception") || kind.ends_with("Warning") ||
           is_one_of(kind, {"panic", "error", "fatal", "FATAL", "ERROR", "Caused"});
  }

  // A template's heading, a check box, or a list of versions.
  static bool is_template(std::string_view line) {
    if (line.starts_with("- [") || line.starts_with("* [")) return true;
    std::size_t words = 0, known = 0, digits = 0, letters = 0;
    std::string word;
    const auto end_word = [&] {
      if (word.empty()) return;
      ++words;
      if (is_one_of(word, kTemplateWords)) ++known;
      word.clear();
    };
    for (const char c : line) {
      if (is_letter(c)) {
        word += to_lower(c);
        ++letters;
      } else {
        digits += is_digit(c) ? 1 : 0;
        if (c != '\'') end_word();
      }
    }
    end_word();
    if (words == 0 || known == words) return true;
    const bool is_version = digits >= 2 && line.find('.') != std::string_view::npos && words <= 3;
    return is_version && digits * 2 >= letters;
  }

  bool read_frames(std::string_view line) {
    bool found = false;
    for (std::size_t from = 0; from < line.size();) {
      const auto place = find_place(line, from);
      if (!place) break;
      from = place->end;
      if (out_.frames.size() + trace_.size() >= kMaxIssueFrames) return true;
      IssueFrame frame;
      frame.path = place->path;
      std::ranges::replace(frame.path, '\\', '/');
      frame.line = place->line;
      const std::string_view function = function_near(line, *place);
      if (is_name(function)) frame.function = function;
      const bool is_python = line.starts_with("File \"");
      frame.is_trace = is_python || !frame.function.empty() || line.starts_with("at ");
      if (!frame.is_trace && !in_fence_ && line.size() > place->end + 40) {
        // A place within a sentence: the sentence counts as well.
        add_frame(std::move(frame), false);
        continue;
      }
      add_frame(std::move(frame), is_python);
      found = true;
    }
    return found;
  }

  // Python, and Ruby's test tools, name the deepest call last; others first.
  void add_frame(IssueFrame frame, bool is_last_deepest) {
    trace_is_python_ = trace_is_python_ || is_last_deepest;
    trace_.push_back(std::move(frame));
  }

  void end_trace() {
    for (std::size_t i = 0; i < trace_.size(); ++i) {
      IssueFrame& frame = trace_[i];
      frame.is_trace = frame.is_trace || trace_.size() > 1;
      frame.depth = trace_is_python_ ? trace_.size() - 1 - i : i;
      const auto same = std::ranges::find_if(out_.frames, [&](const IssueFrame& each) {
        return each.path == frame.path && each.line == frame.line &&
               each.function == frame.function;
      });
      if (same == out_.frames.end()) {
        out_.frames.push_back(std::move(frame));
      } else {
        same->depth = std::min(same->depth, frame.depth);
      }
    }
    trace_.clear();
    trace_is_python_ = false;
  }

  void add(IssuePart part, std::string_view text) {
    out_.segments.push_back({part, text});
    read_names(part, text);
    if (part != IssuePart::kCode && out_.summary.size() + text.size() < kMaxSummaryBytes) {
      if (!out_.summary.empty()) out_.summary += ". ";
      out_.summary += text;
    }
  }

  // Identifiers joined by `.`, `::`, `->` or `#`, and single ones that look like code, are called,
  // or stand in backquotes.
  void read_names(IssuePart part, std::string_view text) {
    bool in_quotes = false;
    for (std::size_t at = 0; at < text.size();) {
      if (text[at] == '`') in_quotes = !in_quotes;
      if (text.substr(at).starts_with("://")) {  // a link
        while (at < text.size() && !is_space(text[at])) ++at;
        continue;
      }
      if (!is_identifier_char(text[at]) || is_digit(text[at])) {
        ++at;
        continue;
      }
      std::string_view holder, name;
      bool is_joined = false;
      for (;;) {
        const std::size_t begin = at;
        while (at < text.size() && is_identifier_char(text[at])) ++at;
        holder = std::exchange(name, text.substr(begin, at - begin));
        const std::string_view rest = text.substr(at);
        const std::size_t joint = rest.starts_with("::") || rest.starts_with("->") ? 2
                                  : rest.starts_with(".") || rest.starts_with("#") ? 1
                                                                                   : 0;
        if (joint == 0 || at + joint >= text.size() || !is_identifier_char(text[at + joint]) ||
            is_digit(text[at + joint])) {
          break;
        }
        is_joined = true;
        at += joint;
      }
      const bool is_called = at < text.size() && text[at] == '(';
      if (is_joined || is_called || in_quotes || looks_like_name(name)) {
        add_name(part, name, holder);
        if (is_joined) add_name(part, holder, {});
      }
    }
  }

  void add_name(IssuePart part, std::string_view name, std::string_view holder) {
    if (name.size() < 2 || name.size() > 100) return;
    for (IssueName& known : out_.names) {
      if (known.name != name) continue;
      ++known.count;
      known.part = std::min(known.part, part);
      if (known.holder.empty()) known.holder = holder;
      return;
    }
    if (out_.names.size() < kMaxNames) {
      out_.names.push_back({std::string(name), std::string(holder), part, 1});
    }
  }

  std::string_view rest_;
  IssueText out_;
  std::vector<IssueFrame> trace_;  // frames on neighbouring lines
  bool trace_is_python_ = false;
  bool in_comment_ = false, in_fence_ = false;
  bool has_title_ = false, after_blank_ = false, was_code_ = false, last_was_frame_ = false;
};

}  // namespace

IssueText read_issue_text(std::string_view text) {
  text = utf8_prefix(text, kMaxIssueBytes);
  IssueText issue = IssueReader(text).read();
  issue.verbatim = list_verbatim(text);
  return issue;
}

}  // namespace codexmem::search
