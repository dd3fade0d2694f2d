// memory/documents/document_sections.h - a document's text, cut at its headings.
//
// Markdown as far as headings are concerned: ATX and setext headings, fenced code, HTML comments,
// front matter. Other texts are one section. Pure and thread-safe; linear in the text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace codexmem::memory {

/// Longer sections are cut, between paragraphs where that is possible.
inline constexpr std::size_t kMaxSectionBytes = 16'000;

struct DocumentSection {
  std::string title;    // the headings above it and its own, "A > B"; of a part, with " (2/3)"
  std::string heading;  // its own; empty before the first one
  std::string anchor;   // of its heading as links name it; empty before the first one
  std::string key;   // distinguishes it from the other sections of the document, whatever its text
  std::string text;  // without the heading, trimmed, never empty
  bool is_cut = false;  // it is a part of a section that is too long
};

/// The sections of Markdown, in order. Headings without a text of their own have none. `name` is
/// the title of what comes before the first heading.
std::vector<DocumentSection> split_markdown(std::string_view text, std::string_view name);

/// The sections of a text without headings.
std::vector<DocumentSection> split_text(std::string_view text, std::string_view name);

}  // namespace codexmem::memory
