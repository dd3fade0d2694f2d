// text/glob.h - git's wildcard patterns, matched in time linear in the text.
//
// Immutable after construction, so safe to share between threads. docs/how-it-works.md, "Index"
// describes the rules.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace codexmem {

/// How a glob handles slashes and letters.
struct GlobOptions {
  bool pathname = true;    // `*`, `?` and [...] do not match `/`; only `**` between slashes does
  bool fold_case = false;  // ASCII letters match in either case
};

/// A wildcard pattern: `*`, `**`, `?`, [a-z], [!a-z], [[:alpha:]] and backslash escapes, with git's
/// semantics. A malformed pattern ("[a", a final backslash) matches nothing.
class Glob {
 public:
  Glob(std::string_view pattern, GlobOptions options);

  /// True if the pattern matches all of `text`. Time: at most O(text x pattern), for any content.
  bool matches(std::string_view text) const;

 private:
  enum class Kind : std::uint8_t {
    kByte,       // exactly one byte
    kAny,        // any byte, except a slash in pathname mode
    kClass,      // one byte of classes_[index]
    kStar,       // any number of bytes, except slashes in pathname mode
    kStarStar,   // any number of bytes
    kDirsBegin,  // `**/`: nothing, or the bytes of kDirsLoop
    kDirsLoop,   // any number of bytes, the last of them a slash
    kNever,      // matches nothing
  };
  struct Token {
    Kind kind = Kind::kNever;
    char byte = 0;
    std::uint32_t index = 0;
  };

  void parse(std::string_view pattern);
  // Parses the class that opens at `pattern[at]`; returns the place after it, 0 if it is malformed.
  std::size_t parse_class(std::string_view pattern, std::size_t at);
  bool run(std::string_view text, std::uint8_t* now, std::uint8_t* next) const;

  GlobOptions options_;
  std::vector<Token> tokens_;
  std::vector<std::bitset<256>> classes_;
  std::string required_;  // the longest run of bytes in every match; case as in the pattern
};

}  // namespace codexmem
