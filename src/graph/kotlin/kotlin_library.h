// graph/kotlin/kotlin_library.h - what Kotlin's library declares. Made by bench/tables.
#pragma once

#include "graph/core/library_units.h"

namespace codexmem::graph {

/// A unit is a name of a package, with all types, functions and properties that have it:
/// kotlin/collections/map.
LibraryArchive kotlin_library();

}  // namespace codexmem::graph
