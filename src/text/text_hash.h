// text/text_hash.h - hash tables for untrusted texts.
//
// Names in a repository and members of a JSON object may be chosen by an attacker. std::hash has no
// secret, so one can construct a thousand names with the same hash, and a table of them takes
// quadratic time (a megabyte of such names: 13 s for each search). These tables use a random key
// for each process. So their order differs from run to run, and must never affect output or stored
// data. Thread-safe. Design: docs/security.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace codexmem {

/// SipHash-1-3 of `text` with this process's key; it differs between processes. Source: Aumasson
/// and Bernstein, "SipHash: a fast short-input PRF", 2012.
std::uint64_t hash_text(std::string_view text);

/// Not noexcept, so that the tables store each hash with its text.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return hash_text(text); }
};

template <class Value>
using TextMap = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

}  // namespace codexmem
