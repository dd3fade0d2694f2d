// index/pack_use.h - what became of the packs of a run.
#pragma once

#include <cstdint>

namespace codexmem::index {

/// Counts files of languages with a grammar that were read.
struct PackUse {
  std::uint64_t taken = 0;          // from a pack
  std::uint64_t made = 0;           // no pack has the file as it is
  std::uint64_t other_version = 0;  // a pack has it, made by another version
  std::uint64_t refused = 0;        // a pack has it, and what it says cannot be
  std::uint64_t compared = 0;       // parsed first, and found to be as a pack says
};

}  // namespace codexmem::index
