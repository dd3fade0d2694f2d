// index/packs/pack_make.h - makes a pack from a finished index.
//
// The same tree, read by the same program, gives the same bytes. Design: docs/packs.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "parse/facts/facts.h"
#include "store/code/workspace.h"

namespace codexmem::index {

struct PackOptions {
  std::string program;  // PackHeader::program
  // Includes files that git does not have or that differ from git: their facts go to everyone who
  // receives the pack. A tree without git is always included whole.
  bool all = false;
};

struct PackReport {
  std::uint64_t files = 0;       // in the pack, without duplicates
  std::uint64_t left_out = 0;    // not as in git
  std::uint64_t unfinished = 0;  // whose parse was truncated; another machine may finish it
  std::uint64_t vectors = 0;     // of a remote model
  std::uint64_t bytes = 0;       // of the pack
  std::string tree;              // PackHeader::tree
};

/// Writes a pack of the index to `path`. Vectors of a remote model are included if all files have
/// them; the built-in model computes its vectors as fast as they could be read. Errors: kNotFound
/// without a complete index; as the store and as writing; kCancelled.
Result<PackReport> make_pack(store::Workspace& workspace, const std::filesystem::path& path,
                             const PackOptions& options, const std::stop_token& stop = {});

/// The facts that the parse of a file made, from the store; nothing when they are damaged.
Result<std::optional<parse::FileFacts>> read_whole_facts(store::StoreReader& reader,
                                                         store::FileId id);

/// A cache key for a pack of this program and of git's tree in the last commit: the part before the
/// last "-" is the same for all packs that this program can use. Errors: kNotFound without a git
/// repository or a commit.
Result<std::string> pack_key(const std::filesystem::path& root);

}  // namespace codexmem::index
