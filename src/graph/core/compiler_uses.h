// graph/core/compiler_uses.h - what a compiler's indexer said that the names of a file mean.
//
// Made of an imported SCIP index (exchange/scip_import.h), kept in a row next to the file's facts,
// and gone with them when the file changes. What it says is certain; a name that it does not
// mention is resolved as in any other file. Targets are named, not numbered, so that an edit of the
// file that defines them does not lead elsewhere.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace codexmem::graph {

struct CompilerUses {
  /// Symbol number `number`, from 0, of those called `qualified_name` in a file.
  struct Target {
    std::int64_t file_step = 0;  // the file's id less the id of the file that this is about
    std::string qualified_name;
    std::uint32_t number = 0;
  };
  struct Use {
    std::uint32_t offset = 0;  // of the name
    std::uint32_t target = 0;  // into `targets`; kNoIndex: not a symbol of the repository

    auto operator<=>(const Use&) const = default;
  };

  std::string tool;  // "scip-typescript 0.4.0"; empty: no compiler described the file
  std::vector<Target> targets;
  std::vector<Use> uses;               // by offset, of one name there may be several
  std::vector<std::uint32_t> defined;  // offsets of the names of symbols that it knows; ascending

  /// The uses at byte `offset`.
  std::span<const Use> at(std::uint32_t offset) const;
  /// True if it knows the symbol with its name at `offset`.
  bool knows(std::uint32_t offset) const;
};

/// The packed form: equal uses give equal bytes.
std::string encode_compiler_uses(const CompilerUses& uses);

/// Errors: kCorrupt on damaged bytes.
Result<CompilerUses> decode_compiler_uses(std::string_view bytes);

}  // namespace codexmem::graph
