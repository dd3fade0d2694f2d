// serve/first_packs.h - the pack for the first index of a served repository: the one set by the
// server's user (CODEXMEM_PACK), never one named by the repository.
//
// It is opened once, when the first index needs it; the result is kept while the server runs.
// Thread-safe. Design: docs/packs.md.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "index/packs/pack_file.h"

namespace codexmem::serve {

using Packs = std::vector<std::shared_ptr<const index::Pack>>;

class FirstPacks {
 public:
  /// `source` is a file or an address; empty means no pack. A download is kept in `folder` while it
  /// is checked.
  FirstPacks(std::string source, std::filesystem::path folder)
      : source_(std::move(source)), folder_(std::move(folder)) {}

  /// The pack, opened by the first call; empty if that fails, which is logged. Waits at most two
  /// minutes for a download.
  Packs open(const std::stop_token& stop);

  /// The pack, if it is open.
  Packs find() const;

  /// Releases the pack, which is not opened again.
  void close();

 private:
  const std::string source_;
  const std::filesystem::path folder_;
  mutable std::mutex mutex_;  // guards all members below; not held during a download
  bool was_opened_ = false;
  Packs packs_;
};

}  // namespace codexmem::serve
