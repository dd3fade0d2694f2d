// libdeflate uses carry-less multiplication if the processor has it: 150 MB take 17 ms, with zlib
// 50. This is not part of base/hash.cpp because the hook, which starts often, must not load
// libdeflate.
//
// Tested by base/crc32_test.cpp.
#include "base/crc32.h"

#include <libdeflate.h>

namespace codexmem {

std::uint32_t crc32(std::string_view bytes, std::uint32_t before) {
  // libdeflate returns the initial value for a null pointer, which an empty view may have.
  return bytes.empty() ? before : ::libdeflate_crc32(before, bytes.data(), bytes.size());
}

}  // namespace codexmem
