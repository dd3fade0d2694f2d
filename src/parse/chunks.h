// parse/chunks.h - cuts a text into the pieces that are searched and embedded.
//
// Internal to parse. Pure functions; thread-safe.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "parse/facts.h"
#include "parse/rules.h"
#include "parse/syntax.h"

namespace codexmem::parse {

/// Bytes that a chunk spans at most, unless one node is larger. Source: SEARCH.md, section 3.
inline constexpr std::uint32_t kChunkBytes = 1600;

/// Chunks of the tree below `root`, along its nodes: ascending, without overlap, white space
/// between nodes left out. `rules` says what is a comment or decorator; a function or type among
/// `symbols`, which ascend by their begin, has a chunk to itself unless it is very short. A node of
/// `text`, which was parsed, that is very large and has no parts is divided as chunk_lines() does.
std::vector<Chunk> chunk_tree(const Rules& rules, const Node& root, std::string_view text,
                              std::span<const Symbol> symbols);

/// Chunks of whole lines, at most kChunkBytes each; a longer line is cut between code points. Every
/// byte of `text` is in one chunk.
std::vector<Chunk> chunk_lines(std::string_view text);

}  // namespace codexmem::parse
