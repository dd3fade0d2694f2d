// text/prose.h - the search terms of a text in any language.
//
// ASCII is read as text/words.h reads it: identifiers in pieces and as a compound, English stems.
// Beyond that, letters are folded: case and diacritics go (É, é and e with U+0301 are e; ё is е; ى
// is ي), full-width letters and the digits of other scripts become ASCII, vowel points are left
// out. What is then ASCII is read as above, so that a stem is found however it was accented; other
// words are taken whole. Scripts that are written without spaces (Chinese, Japanese, Korean, Thai,
// Lao, Burmese, Khmer) give overlapping pairs of characters. What follows an English apostrophe
// (the s of Ann's, the t of don't) is no term.
//
// About 150 MB/s for English. A reader belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "text/words.h"

namespace codexmem {

/// Reads the terms of a text of less than 4 GiB in order. A compound follows the last stem of its
/// run, as from TermReader; no other term has a space or begins with `=`. The text must outlive the
/// reader.
class ProseReader {
 public:
  explicit ProseReader(std::string_view text) : text_(text) {}
  ProseReader(const ProseReader&) = delete;
  ProseReader& operator=(const ProseReader&) = delete;

  /// Puts the next term into `*term`; false after the last. Its text is valid until the next one;
  /// begin and end are bytes of the text that was read.
  bool next(Term* term);

 private:
  bool next_of_ascii(Term* term);
  bool next_pair(Term* term);
  bool next_piece(Term* term);
  bool find_work();
  void read_run();
  bool follows_apostrophe(std::size_t begin) const;

  std::string_view text_;
  std::size_t position_ = 0;

  std::optional<TermReader> ascii_;  // reads ASCII: a part of the text, or what folding gave
  bool ascii_is_folded_ = false;     // then its terms stand where the run does
  std::size_t begin_ = 0, end_ = 0;  // the part of the text that is being read
  std::string folded_;               // a run, folded
  std::size_t piece_ = 0;            // of folded_, the next one; its size when there is none
  std::size_t pair_ = 0;             // of the text, the first character of the next pair
  bool in_pairs_ = false;
};

/// Calls f(const Term&) for each term of `text`, in order.
template <typename F>
void for_each_prose_term(std::string_view text, F&& f) {
  ProseReader reader(text);
  Term term;
  while (reader.next(&term)) f(static_cast<const Term&>(term));
}

}  // namespace codexmem
