#include "graph/rust/rust_library.h"

extern "C" const char codexmem_rust_library_units[], codexmem_rust_library_units_end[];

namespace codexmem::graph {

LibraryArchive rust_library() {
  return {{codexmem_rust_library_units, codexmem_rust_library_units_end}, "rust"};
}

}  // namespace codexmem::graph
