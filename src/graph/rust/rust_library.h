// graph/rust/rust_library.h - the declarations of Rust's library. Written by bench/tables.
#pragma once

#include "graph/core/library_units.h"

namespace codexmem::graph {

/// The one unit is "std": types and traits that programs use most, whatever their module.
LibraryArchive rust_library();

}  // namespace codexmem::graph
