// base/compress.h - bytes made small, and back. Thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace codexmem {

/// What bytes are made small for: to be written and read often (the library's fastest ordinary
/// level, about 300 MB/s), or to be made once and carried far (a tenth of that).
enum class Effort { kFast, kSmall };

/// `bytes` as one Zstandard frame (RFC 8878); equal input gives equal output.
std::string compress(std::string_view bytes, Effort effort = Effort::kFast);

/// What compress() was given. Errors: kCorrupt when `frame` is no frame of this kind, is damaged,
/// or says that it holds more than `max_bytes`.
Result<std::string> decompress(std::string_view frame, std::size_t max_bytes);

}  // namespace codexmem
