#include "graph/java/java_library.h"

extern "C" const char codexmem_java_library_units[], codexmem_java_library_units_end[];

namespace codexmem::graph {

LibraryArchive java_library() {
  return {{codexmem_java_library_units, codexmem_java_library_units_end}, "java"};
}

}  // namespace codexmem::graph
