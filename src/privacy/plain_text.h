// privacy/plain_text.h - a text with its disguises undone, and the way back to where it was read.
// Pure and thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace codexmem::privacy {

/// Bytes [begin, end).
struct TextSpan {
  std::size_t begin = 0, end = 0;
};

/// The encodings that are undone.
enum class Undo {
  /// Compatibility forms of ASCII (full width, mathematical, circled, ligatures, typographic quotes
  /// and spaces) become ASCII; characters that are not seen (zero width, soft hyphen, variation
  /// selectors, tags) are dropped. The part of Unicode's NFKC that can hide a word of ASCII.
  kForms,
  /// That, and escapes: \n \" \/ \x41 A \u{41} behind any number of backslashes, %41, and the
  /// entities of HTML.
  kFormsAndEscapes,
};

class PlainText {
 public:
  PlainText(std::string_view original, Undo undo);

  std::string_view text() const { return is_same_ ? original_ : std::string_view(plain_); }

  /// True when there was nothing to undo.
  bool is_same() const { return is_same_; }

  /// The bytes of the original from which `span` of text() was made.
  TextSpan original(TextSpan span) const;

 private:
  struct Segment {
    std::size_t plain, original;  // where it begins in both
    bool is_copy;  // byte for byte; else one character or escape stands for all of it
  };

  void add(std::size_t at, std::string_view made);
  void copy(std::size_t begin, std::size_t end);
  const Segment& segment_at(std::size_t plain) const;
  std::size_t original_end(const Segment& segment) const;

  std::string_view original_;  // borrowed
  bool is_same_ = true;
  std::string plain_;
  std::vector<Segment> segments_;  // empty when it is the same
};

}  // namespace codexmem::privacy
