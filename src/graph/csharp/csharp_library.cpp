#include "graph/csharp/csharp_library.h"

extern "C" const char codexmem_csharp_library_units[], codexmem_csharp_library_units_end[];

namespace codexmem::graph {

LibraryArchive csharp_library() {
  return {{codexmem_csharp_library_units, codexmem_csharp_library_units_end}, "csharp"};
}

}  // namespace codexmem::graph
