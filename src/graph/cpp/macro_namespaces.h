// graph/cpp/macro_namespaces.h - namespaces that macros open: LIB_BEGIN for `namespace lib {`.
//
// The grammar does not expand macros, so a declaration behind one has no such namespace in its
// path. A macro's body is read as text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/core/resolver.h"

namespace codexmem::graph {

struct MacroNamespace {
  std::string path;          // "lib.impl"
  std::uint32_t offset = 0;  // of the macro's name
};

/// The namespaces that macros in `file` open, in the order of the text, each with the named ones
/// around it. Inline namespaces are left out. Valid as long as the Resolver.
const std::vector<MacroNamespace>& macro_namespaces(Resolver& resolver, const FileModel& file);

}  // namespace codexmem::graph
