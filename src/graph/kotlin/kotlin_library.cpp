#include "graph/kotlin/kotlin_library.h"

extern "C" const char codexmem_kotlin_library_units[], codexmem_kotlin_library_units_end[];

namespace codexmem::graph {

LibraryArchive kotlin_library() {
  return {{codexmem_kotlin_library_units, codexmem_kotlin_library_units_end}, "kotlin"};
}

}  // namespace codexmem::graph
