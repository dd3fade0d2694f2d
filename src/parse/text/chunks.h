// parse/text/chunks.h - cuts a text into the pieces that are searched and embedded.
//
// Internal to parse. Pure functions; thread-safe.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "parse/facts/facts.h"
#include "parse/rules/rules.h"
#include "parse/walk/syntax.h"

namespace codexmem::parse {

/// Maximum bytes of a chunk, unless one node is larger. Source: SEARCH.md, section 3.
inline constexpr std::uint32_t kChunkBytes = 1600;

/// Cuts the tree below `root` into chunks along its nodes: ascending, without overlap, and without
/// white space between nodes. `rules` identifies comments and decorators. A function or type among
/// `symbols`, which must be sorted by their begin, gets its own chunk unless it is very short. A
/// very large node without parts is divided like chunk_lines() does; `text` is the text that was
/// parsed.
std::vector<Chunk> chunk_tree(const Rules& rules, const Node& root, std::string_view text,
                              std::span<const Symbol> symbols);

/// Chunks of whole lines, at most kChunkBytes each; a longer line is cut between code points. Every
/// byte of `text` is in exactly one chunk.
std::vector<Chunk> chunk_lines(std::string_view text);

}  // namespace codexmem::parse
