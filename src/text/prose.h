// text/prose.h - the search terms of a text in any language.
//
// ASCII is read as in text/words.h: identifiers in pieces and as a compound, English stems. Other
// letters are folded: case and diacritics are removed (É, é and e with U+0301 are e; ё is е; ى is
// ي), full-width letters and the digits of other scripts become ASCII, vowel points are dropped.
// Text that is then ASCII is read as above, so a stem is found with any accents; other words are
// kept whole. Scripts written without spaces (Chinese, Japanese, Korean, Thai, Lao, Burmese, Khmer)
// give overlapping pairs of characters. The part after an English apostrophe (the s of Ann's, the t
// of don't) is not a term.
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
/// run, as in TermReader; other terms never contain a space or begin with `=`. The text must
/// outlive the reader.
class ProseReader {
 public:
  explicit ProseReader(std::string_view text) : text_(text) {}
  ProseReader(const ProseReader&) = delete;
  ProseReader& operator=(const ProseReader&) = delete;

  /// Puts the next term into `*term`; false after the last. Its text is valid until the next call;
  /// begin and end are byte offsets in the original text.
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

  std::optional<TermReader> ascii_;  // reads ASCII: a part of the text, or a folded run
  bool ascii_is_folded_ = false;     // its terms then have the place of the run
  std::size_t begin_ = 0, end_ = 0;  // the part of the text being read
  std::string folded_;               // a run, folded
  std::size_t piece_ = 0;            // offset in folded_ of the next piece; its size at the end
  std::size_t pair_ = 0;             // offset in the text of the next pair's first character
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
