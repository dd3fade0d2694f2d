// graph/csharp/csharp_library.h - the declarations of the .NET library. Written by bench/tables.
#pragma once

#include "graph/core/library_units.h"

namespace codexmem::graph {

/// A unit is a name of a namespace with all types that have it: System.Collections.Generic.List.
LibraryArchive csharp_library();

}  // namespace codexmem::graph
