// Packed facts as a damaged store may hold them. The input is the payload: the checksum, which
// would hide everything behind it, is made to fit.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "parse/facts/facts_codec.h"

using namespace codexmem::parse;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view payload(reinterpret_cast<const char*>(data), size);
  codexmem::Result<FileFacts> raw = decode_facts(payload);
  if (raw.ok()) (void)encode_facts(*raw);

  codexmem::Result<FileFacts> decoded = decode_facts(seal_facts(payload));
  if (!decoded.ok()) return 0;
  // What is accepted is well-formed: it can be packed again, to the same facts.
  const std::string again = encode_facts(*decoded).value();
  codexmem::Result<FileFacts> twice = decode_facts(again);
  CODEXMEM_CHECK(twice.ok() && encode_facts(*twice).value() == again);
  return 0;
}
