// graph/php/php_library.h - what PHP and its extensions declare. Made by bench/tables.
#pragma once

#include "graph/core/library_units.h"

namespace codexmem::graph {

/// A unit is a class of the global name space; "functions" has the functions that give objects.
LibraryArchive php_library();

}  // namespace codexmem::graph
