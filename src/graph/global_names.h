// graph/global_names.h - names that a file may use without binding them.
#pragma once

#include <string_view>

namespace codexmem::graph {

/// True for a name of the language or of its usual surroundings (print, fetch).
bool is_global_name(std::string_view language, std::string_view name);

}  // namespace codexmem::graph
