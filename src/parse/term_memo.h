// parse/term_memo.h - by what the terms of nodes are remembered, and how much of a node is read.
//
// Internal to parse.
#pragma once

#include <cstdint>
#include <utility>

#include "parse/syntax.h"

namespace codexmem::parse {

inline constexpr std::uint32_t kMaxChildren = 64;  // of a node that are looked at

// The memo's value for a node that was looked at and says nothing.
inline constexpr std::uint32_t kNothing = 0xFFFFFFFEU;

enum class Side : std::uint8_t { kValue = 0, kType = 1 };

inline std::pair<std::uint32_t, std::uint32_t> key_of(const Node& node, Side side) {
  const auto id = reinterpret_cast<std::uintptr_t>(node.id) | static_cast<std::uintptr_t>(side);
  return {static_cast<std::uint32_t>(static_cast<std::uint64_t>(id) >> 32),
          static_cast<std::uint32_t>(id)};
}

}  // namespace codexmem::parse
