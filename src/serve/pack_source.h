// serve/pack_source.h - packs from files and from the web.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "index/pack_file.h"

namespace codexmem::serve {

/// True if `source` is an address of the web, false if it is a file.
bool is_pack_address(const std::string& source);

inline constexpr std::chrono::minutes kLongestPackDownload{30};

/// Opens the pack that `source` names: a file, or an address that begins with https://, or with
/// http:// on this machine. What comes from the web is kept in `folder` while it is checked, and
/// has no name there afterwards; redirects are followed to https:// alone. Errors: those of
/// index::Pack::open(); kInvalidArgument for another address; kIo, kNotFound when it did not come;
/// kCancelled. A download that takes longer than `patience` did not come.
Result<std::shared_ptr<const index::Pack>> open_pack(
    const std::string& source, const std::filesystem::path& folder, const std::stop_token& stop,
    std::chrono::milliseconds patience = kLongestPackDownload);

}  // namespace codexmem::serve
