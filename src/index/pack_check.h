// index/pack_check.h - whether packs say what this program finds, by a sample.
//
// What a pack says lies within the text, and no more can be seen without a parse. So a run parses
// some files itself before it takes anything, chosen at random where nobody could know: a pack that
// is of another program, or was forged at large, does not pass. Design: docs/design/pack.md.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "index/file_reader.h"
#include "index/pack_set.h"
#include "index/root_directory.h"

namespace codexmem::index {

/// How many files of a run over `jobs` files are compared unless it is said otherwise.
std::size_t usual_pack_sample(std::size_t jobs);

struct PackCheck {
  std::uint64_t compared = 0;  // files that are as a pack says
  /// The pack that says something else of a file, and that file; null: none was found.
  const Pack* liar = nullptr;
  std::string path;
};

/// Compares up to `sample` of the files that `packs` know, of those of `jobs`; looks at four times
/// as many at most. Errors: kCancelled.
Result<PackCheck> check_packs(const RootDirectory& root, std::span<const FileJob> jobs,
                              const PackSet& packs, std::size_t sample,
                              std::uint64_t max_file_bytes, unsigned threads,
                              const std::stop_token& stop);

}  // namespace codexmem::index
