// serve/pack_source.h - opens packs from files and from the web.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "index/packs/pack_file.h"

namespace codexmem::serve {

/// True if `source` is a web address, false if it is a file.
bool is_pack_address(const std::string& source);

inline constexpr std::chrono::minutes kLongestPackDownload{30};

/// Opens the pack `source`: a file, or an address that begins with https://, or with http:// on
/// this machine. A download, or a copy whose signature is verified, is kept in `folder` while it is
/// checked, without a name afterwards; only redirects to https:// are followed. Its signature is
/// looked for at the same place, and counts as serve/pack_signature.h says. Errors: as
/// index::Pack::open() and find_pack_signer(); kInvalidArgument for another address; kIo, kNotFound
/// when the download failed, or took longer than `patience`; kCancelled.
Result<std::shared_ptr<const index::Pack>> open_pack(
    const std::string& source, const std::filesystem::path& folder, const std::stop_token& stop,
    std::chrono::milliseconds patience = kLongestPackDownload);

using Packs = std::vector<std::shared_ptr<const index::Pack>>;

/// The pack for the first index of a served repository: the one set by the server's user
/// (CODEXMEM_PACK), never one named by the repository. It is opened once, when the first index
/// needs it; the result is kept while the server runs. Thread-safe.
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
