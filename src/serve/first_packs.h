// serve/first_packs.h - what the first index of a served repository takes from: the pack that the
// server's user has set (CODEXMEM_PACK), never one that the repository names.
//
// It is opened once, when the first index needs it; what comes of that holds for as long as the
// server runs. Thread-safe. Design: docs/design/pack.md.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "index/pack_file.h"

namespace codexmem::serve {

using Packs = std::vector<std::shared_ptr<const index::Pack>>;

class FirstPacks {
 public:
  /// `source` is a file or an address, empty: there is no pack. A download stands in `folder`
  /// while it is checked.
  FirstPacks(std::string source, std::filesystem::path folder)
      : source_(std::move(source)), folder_(std::move(folder)) {}

  /// The pack, opened by the first call; empty if it cannot be had, which is logged. Waits at most
  /// two minutes for a download.
  Packs open(const std::stop_token& stop);

  /// The pack if it is open.
  Packs find() const;

  /// Lets go of the pack, which is not opened again.
  void close();

 private:
  const std::string source_;
  const std::filesystem::path folder_;
  mutable std::mutex mutex_;  // guards all below; not held during a download
  bool was_opened_ = false;
  Packs packs_;
};

}  // namespace codexmem::serve
