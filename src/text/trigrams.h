// text/trigrams.h - which runs of three bytes a text may hold, in a few bits.
//
// A filter says "no" for certain and "perhaps" otherwise. Letters are folded, so one filter serves
// searches that mind case and searches that do not. Thread-safe unless said otherwise.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace codexmem {

/// The distinct trigrams of `text`, ascending, each of three 7-bit units.
///
/// A unit is an ASCII character but white space and controls, letters in lower case; the Kelvin
/// sign counts as k and the long s as s, which is how they match when case is ignored; of
/// characters of scripts without case (Chinese, Japanese, Korean) each byte is one. What else there
/// is breaks a run: no trigram spans it.
std::vector<std::uint32_t> trigrams_of(std::string_view text);

/// Makes filters. Holds 256 KB to tell trigrams apart; one thread.
class TrigramFilterMaker {
 public:
  TrigramFilterMaker();

  /// The filter of `text`: two bits for each distinct trigram, in whole bytes. stored: a filter is
  /// read with the numbers that it was made with.
  std::string make(std::string_view text);

 private:
  std::vector<std::uint64_t> seen_;
  std::vector<std::uint32_t> distinct_;
};

/// False when a text whose filter is `filter` does not hold `trigram`.
bool may_hold(std::string_view filter, std::uint32_t trigram);

}  // namespace codexmem
