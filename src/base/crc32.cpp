// Apart from base/hash.cpp: the hook, which starts often, does not load zlib.
//
// Tested by base/crc32_test.cpp.
#include "base/crc32.h"

#include <zlib.h>

namespace codexmem {

std::uint32_t crc32(std::string_view bytes, std::uint32_t before) {
  return static_cast<std::uint32_t>(
      ::crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace codexmem
