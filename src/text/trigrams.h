// text/trigrams.h - compact filters for the three-byte sequences in a text.
//
// A filter answers "no" with certainty, and "perhaps" otherwise. Letters are folded, so one filter
// serves case-sensitive and case-insensitive searches. Thread-safe unless noted otherwise.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace codexmem {

/// The distinct trigrams of `text`, ascending, each of three 7-bit units.
///
/// A unit is an ASCII character except white space and controls, with letters in lower case; the
/// Kelvin sign counts as k and the long s as s, because they match these when case is ignored. For
/// characters of scripts without case (Chinese, Japanese, Korean), each byte is a unit. Any other
/// character breaks a run: no trigram spans it.
std::vector<std::uint32_t> trigrams_of(std::string_view text);

/// Makes filters. Holds 256 KB to find distinct trigrams; one thread.
class TrigramFilterMaker {
 public:
  TrigramFilterMaker();

  /// The filter of `text`: two bits for each distinct trigram, in whole bytes. stored: readers must
  /// use the same numbers.
  std::string make(std::string_view text);

 private:
  std::vector<std::uint64_t> seen_;
  std::vector<std::uint32_t> distinct_;
};

/// False if a text with the filter `filter` does not contain `trigram`.
bool may_hold(std::string_view filter, std::uint32_t trigram);

}  // namespace codexmem
