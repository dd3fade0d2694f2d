// base/compress.h - bytes made small, and back. Thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace codexmem {

/// `bytes` as one Zstandard frame (RFC 8878) at the library's fastest ordinary level; equal input
/// gives equal output. About 300 MB/s.
std::string compress(std::string_view bytes);

/// What compress() was given. Errors: kCorrupt when `frame` is no frame of this kind, is damaged,
/// or says that it holds more than `max_bytes`.
Result<std::string> decompress(std::string_view frame, std::size_t max_bytes);

}  // namespace codexmem
