// index/pack_make.h - a pack of what a finished index knows.
//
// The same tree, read by the same program, gives the same bytes. Design: docs/design/pack.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "store/code/workspace.h"

namespace codexmem::index {

struct PackOptions {
  std::string program;  // PackHeader::program
  // Also files that git does not have, or has otherwise: what they say goes to everyone who gets
  // the pack. A tree without git is taken whole.
  bool all = false;
};

struct PackReport {
  std::uint64_t files = 0;       // in the pack; of equal ones one
  std::uint64_t left_out = 0;    // not as git has them
  std::uint64_t unfinished = 0;  // whose parse was cut short, which another machine may not do
  std::uint64_t vectors = 0;     // of a remote model
  std::uint64_t bytes = 0;       // of the pack
  std::string tree;              // PackHeader::tree
};

/// Writes a pack of the index to `path`. Vectors of a remote model are in it, if all files have
/// theirs; the built-in model makes its own as fast as they could be read. Errors: kNotFound
/// without a complete index; those of the store, and of writing; kCancelled.
Result<PackReport> make_pack(store::Workspace& workspace, const std::filesystem::path& path,
                             const PackOptions& options, const std::stop_token& stop = {});

/// What a pack of this program and of git's tree of the last commit may be kept under: what stands
/// before the last "-" is the same for all packs that this program can use. Errors: kNotFound
/// without a repository of git, or a commit.
Result<std::string> pack_key(const std::filesystem::path& root);

}  // namespace codexmem::index
