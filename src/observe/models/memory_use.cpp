// Tested by tests/worker/routes_test.py.
#include "observe/models/memory_use.h"

#include <malloc.h>

namespace codexmem::observe {
namespace {

constexpr std::size_t kMuch = std::size_t{1} << 20;

}  // namespace

// Left to itself the library raises this limit to the largest block that was freed.
void keep_large_blocks_apart() { ::mallopt(M_MMAP_THRESHOLD, static_cast<int>(kMuch)); }

MemoryUse::~MemoryUse() {
  if (bytes_ >= kMuch) ::malloc_trim(0);
}

}  // namespace codexmem::observe
