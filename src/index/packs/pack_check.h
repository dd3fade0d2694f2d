// index/packs/pack_check.h - checks by a sample that packs agree with this program.
//
// Without a parse, one can only check that a pack's facts are within the text. So before a run uses
// any entry, it parses some files itself, chosen at random and unpredictably: a pack from another
// program, or one forged on a large scale, does not pass. Design: docs/packs.md.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "index/discovery/file_reader.h"
#include "index/packs/pack_set.h"
#include "index/discovery/root_directory.h"

namespace codexmem::index {

/// The default number of files compared in a run over `jobs` files.
std::size_t usual_pack_sample(std::size_t jobs);

struct PackCheck {
  std::uint64_t compared = 0;  // files that agree with a pack
  /// A pack that differs for a file, and that file; null if not found.
  const Pack* liar = nullptr;
  std::string path;
};

/// Compares up to `sample` files among `jobs` that `packs` know; tries at most four times as many.
/// Errors: kCancelled.
Result<PackCheck> check_packs(const RootDirectory& root, std::span<const FileJob> jobs,
                              const PackSet& packs, std::size_t sample,
                              std::uint64_t max_file_bytes, unsigned threads,
                              const std::stop_token& stop);

}  // namespace codexmem::index
