#include "graph/go/go_library.h"

extern "C" const char codexmem_go_library_units[], codexmem_go_library_units_end[];

namespace codexmem::graph {

LibraryArchive go_library() {
  return {{codexmem_go_library_units, codexmem_go_library_units_end}, "go"};
}

}  // namespace codexmem::graph
