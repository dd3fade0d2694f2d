// store/code/chunk_terms.h - what the full-text index of the chunks holds of a text.
//
// The index has no positions: it says which tokens a chunk has, and a term that is in the chunk
// `n` times has the tokens of n's bits: itself for 1, and `term \x01 letter` for each higher power
// of two. A token more says that n is 16 or more, so that a query asks for the higher bits only
// then.
//
// A chunk's row there is (file << 9) + its index in the file: rows near each other take few bytes.
// The few chunks from 512 on have rows of their own, above all others.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "store/code/code_rows.h"

namespace codexmem::store {

/// A term counts at most this often in a chunk.
constexpr std::uint32_t kMaxTermCount = 65535;
/// Bits of a count that are asked for at once; one that has a higher bit has the token of
/// term_token(term, kManyBits), too.
constexpr int kFewBits = 4;
constexpr int kManyBits = 16;

/// The indexed terms of a chunk.
struct ChunkTerms {
  std::string tokens;       // a space between
  std::uint32_t count = 0;  // of all terms, each as often as it is there
};

/// Makes ChunkTerms of texts; one thread.
class ChunkTermsMaker {
 public:
  ChunkTerms make(std::string_view text);

 private:
  struct Entry {
    std::uint32_t begin = 0, size = 0, hash = 0, count = 0;
  };
  std::uint32_t* place_of(std::string_view term, std::uint32_t hash);

  std::string terms_;                 // one after another
  std::vector<Entry> entries_;        // by first occurrence
  std::vector<std::uint32_t> slots_;  // index into entries_ plus one; 0: free
};

/// The token of bit `bit` of the count of `term`, or kManyBits' token.
std::string term_token(std::string_view term, int bit);

/// The part of a count that `token` means, and the term; 0 for kManyBits.
struct TokenPart {
  std::string_view term;
  std::uint32_t part = 1;
};
TokenPart read_term_token(std::string_view token);

std::int64_t term_row(ChunkId chunk);
ChunkId chunk_of_term_row(std::int64_t row);

}  // namespace codexmem::store
