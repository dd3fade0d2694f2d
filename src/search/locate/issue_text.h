// search/locate/issue_text.h - reads an issue, a traceback, a log or a failing test's output as
// evidence for functions. Pure; thread-safe.
//
// A text has a title (its first line), sentences, code (fenced, indented, or a prompt's), places of
// files, and texts that code may have letter by letter. Headings of templates, tables of versions,
// comments of HTML and links say nothing about the code, and are left out.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace codexmem::search {

/// A longer text is cut: its first bytes.
inline constexpr std::size_t kMaxIssueBytes = 80'000;
inline constexpr std::size_t kMaxIssueFrames = 100;

/// What a piece of the text is, from the strongest evidence to the weakest.
enum class IssuePart : std::uint8_t { kTitle, kError, kSentence, kCode };

struct IssueSegment {
  IssuePart part = IssuePart::kSentence;
  std::string_view text;  // of the text that was read
};

/// A file with a line or a function, as tracebacks, compilers and logs name them.
struct IssueFrame {
  std::string path;        // as written, '/' between
  std::uint32_t line = 0;  // 1-based; 0: none
  std::string function;    // the last name of what was running; may be empty
  bool is_trace = false;   // one of at least two on neighbouring lines, or with a function
  std::size_t depth = 0;   // calls between it and the error, in its trace; 0: where it happened
};

/// A name of code, as the text writes it.
struct IssueName {
  std::string name;                       // the last of `holder.name`
  std::string holder;                     // the name before it; may be empty
  IssuePart part = IssuePart::kSentence;  // the strongest part that has it
  std::size_t count = 1;
};

struct IssueText {
  std::vector<IssueSegment> segments;  // in order; the title first
  std::vector<IssueFrame> frames;      // in order, each once; at most kMaxIssueFrames
  std::vector<IssueName> names;        // in order of their first mention
  std::vector<std::string> verbatim;   // quoted texts, options, joined names; each once
  std::string summary;                 // the title and the first sentences: what a model reads

  /// True for a traceback, or a place, with little or no text but its error.
  bool is_trace() const {
    return !frames.empty() && std::ranges::none_of(segments, [](const IssueSegment& one) {
      return one.part == IssuePart::kTitle || one.part == IssuePart::kSentence;
    });
  }

  /// The title; empty without one.
  std::string_view title() const {
    const bool has_title = !segments.empty() && segments.front().part == IssuePart::kTitle;
    return has_title ? segments.front().text : std::string_view();
  }
};

/// Reads `text`, which must outlive the result.
IssueText read_issue_text(std::string_view text);

}  // namespace codexmem::search
