// graph/java/java_library.h - what Java's library declares. Made by bench/tables.
#pragma once

#include "graph/core/library_units.h"

namespace codexmem::graph {

/// A unit is a top-level class: java/util/Map.
LibraryArchive java_library();

}  // namespace codexmem::graph
