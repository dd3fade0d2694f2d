// base/crc32.h - a checksum against accidents. Thread-safe.
#pragma once

#include <cstdint>
#include <string_view>

namespace codexmem {

/// The CRC-32 of `bytes` (polynomial 0xEDB88320, as zlib computes it). To continue a checksum, pass
/// the checksum of the preceding bytes as `before`.
std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0);

}  // namespace codexmem
