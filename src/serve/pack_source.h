// serve/pack_source.h - opens packs from files and from the web.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "index/packs/pack_file.h"

namespace codexmem::serve {

/// True if `source` is a web address, false if it is a file.
bool is_pack_address(const std::string& source);

inline constexpr std::chrono::minutes kLongestPackDownload{30};

/// Opens the pack `source`: a file, or an address that begins with https://, or with http:// on
/// this machine. A download is kept in `folder` while it is checked, without a name afterwards;
/// only redirects to https:// are followed. Errors: as index::Pack::open(); kInvalidArgument for
/// another address; kIo, kNotFound when the download failed, or took longer than `patience`;
/// kCancelled.
Result<std::shared_ptr<const index::Pack>> open_pack(
    const std::string& source, const std::filesystem::path& folder, const std::stop_token& stop,
    std::chrono::milliseconds patience = kLongestPackDownload);

}  // namespace codexmem::serve
