// text/text_hash.h - hash tables of texts that somebody else has chosen.
//
// Names in a repository and members of a JSON object come from people who may want harm: std::hash
// has no secret, so anybody can make a thousand names of one hash, and a table of them takes the
// square of their number (a megabyte of such names: 13 s for each search). These tables are under a
// key that each process draws by lot. So their order differs from run to run: nothing that is shown
// or stored may follow from it. Thread-safe. Design: docs/design/hostile-input.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace codexmem {

/// SipHash-1-3 of `text` under this process's key; another number in the next process.
/// Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012.
std::uint64_t hash_text(std::string_view text);

/// Not noexcept, so that the tables keep each hash beside its text.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return hash_text(text); }
};

template <class Value>
using TextMap = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

}  // namespace codexmem
