// observe/models/memory_use.h - what large requests took goes back to the system. Thread-safe.
//
// The C library keeps freed memory for later; a worker that runs for weeks and gets a body of
// 18 MB now and then would stay as large as the largest of them made it.
#pragma once

#include <cstddef>

namespace codexmem::observe {

/// From now on large blocks have pages of their own, which go back when they are freed.
void keep_large_blocks_apart();

/// Stands where something of `bytes` is worked on, before all that it takes is made: if that is
/// much, what was freed goes back when this ends.
class MemoryUse {
 public:
  explicit MemoryUse(std::size_t bytes = 0) : bytes_(bytes) {}
  ~MemoryUse();
  MemoryUse(const MemoryUse&) = delete;
  MemoryUse& operator=(const MemoryUse&) = delete;

  void add(std::size_t bytes) { bytes_ += bytes; }

 private:
  std::size_t bytes_;
};

}  // namespace codexmem::observe
