// text/words.h - the words and search terms of a text: one tokenizer for code, prose and queries.
//
// A run is a maximal sequence of letters and digits of any script and `_`; it is cut into pieces at
// `_`, at changes of case and after digits. A piece in lower case is a word: getHTTPResponse2 ->
// get http response2. Case and diacritics beyond ASCII are folded (text/letters.h): Größe and
// GRÖSSE are grosse, ПолучитьОтчёт is получить отчет. A term is the stem of a word, or the compound
// of a run of two or more pieces: =gethttpresponse2. In scripts written without spaces (Chinese,
// Japanese, Korean, Thai, ...), overlapping pairs of characters are words; an emoji is a word by
// itself; both are their own stems. Everything else separates words, including invalid UTF-8.
//
// No allocation per word; about 330 MB/s for words and 175 MB/s for terms (docs/how-it-works.md,
// "Vectors"). Functions are safe to use from many threads; a reader belongs to one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace codexmem {

/// A word or a compound is cut after this many bytes: longer ones are data, not names.
constexpr std::size_t kMaxWordBytes = 128;

/// One word of a text.
struct Word {
  std::string_view
      text;  // lower case, never empty, at most kMaxWordBytes; valid until the next call
  std::uint32_t begin = 0;  // bytes [begin, end) in the original text
  std::uint32_t end = 0;
  bool starts_run = false;  // the first piece of its run
  bool ends_run = false;    // the last piece of its run
};

/// One search term of a text.
struct Term {
  std::string_view text;  // a stem, or `=` and a compound; valid until the next call
  std::uint32_t begin =
      0;  // bytes [begin, end) of its word, or from the first to the last piece of its run
  std::uint32_t end = 0;
  /// True for a compound. It follows the stems of its run and does not count as a word of the
  /// sequence: in a full-text index it shares the position of the preceding term.
  bool is_compound = false;
};

/// Reads the words of a text of less than 4 GiB in order. The text must outlive the reader.
class WordReader {
 public:
  explicit WordReader(std::string_view text) : text_(text) {}

  /// Puts the next word into `*word`; returns false, leaving it unchanged, after the last.
  bool next(Word* word);

 private:
  bool next_pair(Word* word);

  std::string_view text_;
  std::size_t position_ = 0;
  bool in_run_ = false;   // position_ is after a piece of an unfinished run
  std::size_t pair_ = 0;  // the second character of the last returned pair, while in_pairs_
  bool in_pairs_ = false;
  std::array<char, kMaxWordBytes> buffer_;
};

/// Reads the terms of a text of less than 4 GiB in order: the stem of each word, and after the last
/// word of a run of two or more its compound. The text must outlive the reader.
class TermReader {
 public:
  explicit TermReader(std::string_view text) : words_(text) {}

  /// Puts the next term into `*term`; returns false, leaving it unchanged, after the last.
  bool next(Term* term);

 private:
  WordReader words_;
  std::uint32_t run_begin_ = 0;
  std::uint32_t run_end_ = 0;
  std::size_t compound_size_ = 0;  // bytes of compound_ in use, the `=` included
  bool compound_is_full_ = false;  // a word of the run was cut
  bool compound_is_due_ = false;
  std::array<char, kMaxWordBytes> stem_;
  std::array<char, kMaxWordBytes> compound_;
};

/// Calls f(const Word&) for each word of `text`, in order.
template <typename F>
void for_each_word(std::string_view text, F&& f) {
  WordReader reader(text);
  Word word;
  while (reader.next(&word)) f(static_cast<const Word&>(word));
}

/// Calls f(const Term&) for each term of `text`, in order.
template <typename F>
void for_each_term(std::string_view text, F&& f) {
  TermReader reader(text);
  Term term;
  while (reader.next(&term)) f(static_cast<const Term&>(term));
}

/// The stem of a lower-case word: Porter's algorithm (Program 14, 1980) if it has three or more
/// letters and only a-z, as in Porter's own programs; otherwise the word.
std::string stem(std::string_view word);

/// The compound term of two neighbouring words of a query: `=` + first + second, not stemmed,
/// truncated like every compound.
std::string compound_of(std::string_view first, std::string_view second);

/// True for words that a query drops unless only such words are left (lower case, not stemmed).
bool is_stop_word(std::string_view word);

}  // namespace codexmem
