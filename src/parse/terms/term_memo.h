// parse/terms/term_memo.h - caches the terms of nodes, and limits how much of a node is read.
//
// Internal to parse.
#pragma once

#include <cstdint>
#include <optional>

#include "parse/facts/facts.h"
#include "parse/walk/intern.h"
#include "parse/walk/syntax.h"

namespace codexmem::parse {

inline constexpr std::uint32_t kMaxChildren = 64;  // of a node that are read
// Deeper expressions have no term; ten thousand levels must not need as much stack.
inline constexpr int kMaxTermDepth = 48;

/// A node may have a term as a value and another as a type.
enum class Side : std::uint8_t { kValue = 0, kType = 1 };

class TermMemo {
 public:
  void clear() { terms_.clear(); }

  /// The cached term of a node; kNoIndex if it is unknown.
  std::optional<TermId> find(const Node& node, Side side) const {
    const std::uint32_t known = terms_.find(high(node), low(node, side));
    if (known == PairMap::kAbsent) return std::nullopt;
    return known == kNothing ? kNoIndex : known;
  }
  /// Stores the first term for a node and side.
  void insert(const Node& node, Side side, TermId term) {
    terms_.insert(high(node), low(node, side), term == kNoIndex ? kNothing : term);
  }

 private:
  static constexpr std::uint32_t kNothing = 0xFFFFFFFEU;

  static std::uint32_t high(const Node& node) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(node.id) >> 32U);
  }
  static std::uint32_t low(const Node& node, Side side) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(node.id)) |
           static_cast<std::uint32_t>(side);
  }

  PairMap terms_;
};

}  // namespace codexmem::parse
