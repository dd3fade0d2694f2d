// text/phrase_book.h - encodes texts as numbers of phrases in a book.
//
// A book holds up to 65,535 phrases of 1 to 16 bytes, learned from a sample of texts; the first 256
// are the single bytes, so any text can be encoded. A code is two bytes, and source code takes
// about 0.37 of its size. Any reader that can look up phrases by number, SQL included, can read a
// text from any block of 1,024 bytes on; a stronger compression would not allow that. Design:
// docs/how-it-works.md, "Store". A book is immutable and safe to use from many threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace codexmem {

class PhraseBook {
 public:
  static constexpr std::size_t kMaxPhrases = 65535;
  static constexpr std::size_t kMaxPhraseBytes = 16;
  /// No phrase of a coded text crosses a multiple of this. stored: never change.
  static constexpr std::size_t kBlockBytes = 1024;

  /// Learns at most `most` phrases from `sample`; deterministic. About 0.3 s for the full number.
  static PhraseBook learn(std::string_view sample, std::size_t most);

  /// The book of `phrases`, each after a byte with its length. Nothing if they are invalid:
  /// truncated, too many, an empty or too long phrase, or one of the first 256 is not the byte with
  /// its number.
  static std::optional<PhraseBook> from(std::string_view phrases);

  PhraseBook(PhraseBook&&) noexcept;
  PhraseBook& operator=(PhraseBook&&) noexcept;
  ~PhraseBook();

  std::size_t size() const;
  std::string_view phrase(std::size_t code) const;
  /// All phrases, as from() takes them.
  std::string packed() const;
  /// Identifies the book: a SHA-256 of the phrases.
  const std::string& name() const;

  /// `text` in codes. The layout, numbers big-endian:
  ///
  ///     coded = mark{one for each block} code{...}
  ///     mark  = 3 bytes: the number of codes before the block
  ///     code  = 2 bytes: the number of a phrase
  ///
  /// Nothing if `text` is empty or has 16 MiB or more, or if the book has fewer than 1,024 phrases
  /// or fewer phrases than the text has blocks.
  std::optional<std::string> encode(std::string_view text) const;

  /// Decodes `coded` to a text of `size` bytes; nothing if it is damaged.
  std::optional<std::string> decode(std::string_view coded, std::size_t size) const;

 private:
  struct Impl;
  explicit PhraseBook(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem
