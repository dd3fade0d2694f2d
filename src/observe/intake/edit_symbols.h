// observe/intake/edit_symbols.h - what an edit did to a file: which symbols came, changed and went.
//
// Both texts are read by Tree-sitter (parse/walk/extract.h) and their symbols compared. Whole texts
// give the truth; fragments, which most editing tools give, are read as well as they can be:
// indentation that all lines have is taken off, and what looks like members is read inside a class.
// Files of a language without grammar are read for lines that declare something, documents for
// their headings, configuration for its keys. Design: docs/how-it-works.md, "Observations".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "parse/walk/extract.h"

namespace codexmem::observe {

/// A text before and after: of a file, or of a place in it.
struct TextChange {
  std::string before, after;
  std::string heading;    // what a patch says the place is in: "class Session"; empty: nothing
  bool is_whole = false;  // the texts are all of the file
};

inline constexpr std::size_t kMaxEditBytes = std::size_t{1} << 18;  // of a text; larger: lines only
inline constexpr std::size_t kMaxShownLines = 8;
inline constexpr std::size_t kMaxSymbolsOfEdit = 50;  // in each list

/// How symbols are named: "refresh()", "Session.refresh()", "Session"; headings and keys as they
/// stand. In the order of the file.
struct EditSymbols {
  std::vector<std::string> added, changed, removed;
  std::vector<std::string> renamed;  // "old() to new()"
  std::vector<std::string> tests;    // added tests that are no symbols: it("..."), TEST(A, B)
  std::string place;  // where it was, when no symbol is named: of the heading; empty: not known
  std::size_t lines_added = 0, lines_removed = 0;
  std::vector<std::string> new_lines, old_lines;  // the first that say something, as indented
  bool only_white_space = false;                  // nothing else changed
};

/// Reads edits. Holds parsers: make one for each thread.
class EditReader {
 public:
  /// What `changes` to the file at `path` did. Time is linear in the texts and bounded by the
  /// parser's budget.
  EditSymbols read(std::string_view path, const std::vector<TextChange>& changes);

  /// What a file declares, the outermost alone.
  std::vector<std::string> outline(std::string_view path, const std::string& text) {
    return read(path, {{"", text, "", true}}).added;
  }

 private:
  parse::Extractor extractor_;
};

}  // namespace codexmem::observe
