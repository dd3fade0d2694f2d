// The ranking's file as damage may leave it. The checksum, which would hide everything behind it,
// is made to fit; what is accepted is read to its end. And an issue of these bytes.
#include <cstdint>
#include <cstring>
#include <string>

#include "base/crc32.h"
#include "search/locate/issue_text.h"
#include "search/segment.h"
#include "search/segment_read.h"

using namespace codexmem;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  static_cast<void>(search::read_issue_text(bytes));
  static_cast<void>(search::Segment::open(bytes));
  if (bytes.size() < 8) return 0;
  const std::uint32_t checksum = crc32(std::string_view(bytes).substr(0, bytes.size() - 8));
  std::memcpy(bytes.data() + bytes.size() - 8, &checksum, sizeof checksum);
  if (const auto segment = search::Segment::open(std::move(bytes)); segment.ok()) {
    static_cast<void>(search::read_all(**segment));
  }
  return 0;
}
