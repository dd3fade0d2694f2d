// Any file that a repository shares: it is refused, or what it says is written to a file that says
// the same, and says it in the same bytes for ever.
#include <cstdint>
#include <string>

#include "base/result.h"
#include "memory/entries/shared_text.h"

using namespace codexmem;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  if (const auto adr = memory::read_adr(bytes, "docs/adr/0001-x.md"); adr.ok()) {
    CODEXMEM_CHECK(!adr->title.empty() && !adr->text.empty() && adr->created_at_ms >= 0);
  }
  const auto shared = memory::read_shared_text(bytes);
  if (!shared.ok()) return 0;
  const std::string written = memory::shared_markdown(*shared);
  const auto again = memory::read_shared_text(written);
  // What is written may be larger than what was read: names are quoted.
  if (written.size() > memory::kMaxSharedFileBytes) return 0;
  CODEXMEM_CHECK(again.ok() || shared->title.empty());
  if (again.ok()) CODEXMEM_CHECK(memory::shared_markdown(*again) == written);
  return 0;
}
