// graph/go/go_library.h - what Go's library declares. Made by bench/tables.
#pragma once

#include "graph/core/library_units.h"

namespace codexmem::graph {

/// A unit is a package: net/http; also builtin and unsafe.
LibraryArchive go_library();

}  // namespace codexmem::graph
