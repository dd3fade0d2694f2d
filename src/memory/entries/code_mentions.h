// memory/entries/code_mentions.h - places in a text that look like paths and names of code. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace codexmem::memory {

/// Something that may be a path or a name; whether there is such code, the index knows.
struct CodeMention {
  std::string path = {};    // empty: a name alone
  std::string symbol = {};  // of path::name, or the name; empty: the file, or the symbol at `line`
  std::uint32_t line = 0;   // of path:line and path#L12; 0: none

  bool operator==(const CodeMention&) const = default;
};

/// The mentions of `text` in order, each once, at most `limit`. Linear in the first 64 KiB of the
/// text, beyond which nothing is looked for.
std::vector<CodeMention> find_mentions(std::string_view text, std::size_t limit);

}  // namespace codexmem::memory
