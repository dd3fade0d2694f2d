// base/compress.h - compression of bytes. Thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace codexmem {

/// kFast is for bytes that are written and read often (the library's fastest ordinary level, about
/// 300 MB/s); kSmall is for bytes that are written once and copied far (a tenth of that speed).
enum class Effort { kFast, kSmall };

/// `bytes` as one Zstandard frame (RFC 8878); equal input gives equal output.
std::string compress(std::string_view bytes, Effort effort = Effort::kFast);

/// The bytes that were passed to compress(). Errors: kCorrupt when `frame` is not such a frame, is
/// damaged, or claims to hold more than `max_bytes`.
Result<std::string> decompress(std::string_view frame, std::size_t max_bytes);

}  // namespace codexmem
