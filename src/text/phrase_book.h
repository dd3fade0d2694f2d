// text/phrase_book.h - texts as codes for the phrases of a book.
//
// A book holds up to 65,535 phrases of 1 to 16 bytes, learned from a sample of texts; the first 256
// are the single bytes, so any text can be written. A code is two bytes, and a text of code takes
// about 0.37 of its size. Whoever can look phrases up by number can read a text, SQL included, from
// any block of 1,024 bytes on: that is why it is no stronger compression. Design:
// docs/design/index.md, "Texts". A book is immutable and safe to use from many threads.
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
  static constexpr std::size_t kMostPhrases = 65535;
  static constexpr std::size_t kMostPhraseBytes = 16;
  /// No phrase of a coded text crosses a multiple of this. stored: never change.
  static constexpr std::size_t kBlockBytes = 1024;

  /// Learns at most `most` phrases from `sample`; the same for the same sample. About 0.3 s for the
  /// full number.
  static PhraseBook learn(std::string_view sample, std::size_t most);

  /// The book of `phrases`, each after a byte with its length; nothing when they are no book: cut,
  /// too many, one that is empty or too long, or one of the first 256 is not the byte of its
  /// number.
  static std::optional<PhraseBook> from(std::string_view phrases);

  PhraseBook(PhraseBook&&) noexcept;
  PhraseBook& operator=(PhraseBook&&) noexcept;
  ~PhraseBook();

  std::size_t size() const;
  std::string_view phrase(std::size_t code) const;
  /// Tells books apart: a SHA-256 of the phrases.
  const std::string& name() const;

  /// `text` in codes. The layout, numbers big-endian:
  ///
  ///     coded = mark{one for each block} code{...}
  ///     mark  = 3 bytes: the number of codes before the block
  ///     code  = 2 bytes: the number of a phrase
  ///
  /// Nothing when `text` is empty, or the book has fewer than 1,024 phrases or fewer than the text
  /// has blocks, or the text 16 MiB.
  std::optional<std::string> encode(std::string_view text) const;

  /// The text of `size` bytes that `coded` stands for; nothing when it does not (damage).
  std::optional<std::string> decode(std::string_view coded, std::size_t size) const;

 private:
  struct Impl;
  explicit PhraseBook(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem
