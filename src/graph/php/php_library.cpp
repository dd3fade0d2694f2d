#include "graph/php/php_library.h"

extern "C" const char codexmem_php_library_units[], codexmem_php_library_units_end[];

namespace codexmem::graph {

LibraryArchive php_library() {
  return {{codexmem_php_library_units, codexmem_php_library_units_end}, "php"};
}

}  // namespace codexmem::graph
