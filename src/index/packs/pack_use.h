// index/packs/pack_use.h - counts how the packs of a run were used.
#pragma once

#include <cstdint>

namespace codexmem::index {

/// In meta: {"from": whose packs, "files": taken from them, "compared": of those} of the last run
/// that took any; "next": the file with which check_some_facts() goes on (store_check.h).
inline constexpr char kPacksKey[] = "packs";

/// Counts files that were read and whose language has a grammar.
struct PackUse {
  std::uint64_t taken = 0;          // from a pack
  std::uint64_t made = 0;           // no pack contains the file with this content
  std::uint64_t other_version = 0;  // a pack has it, made by another version
  std::uint64_t refused = 0;        // a pack has it, but its facts are impossible
  std::uint64_t compared = 0;       // parsed first, and equal to a pack's facts
};

}  // namespace codexmem::index
