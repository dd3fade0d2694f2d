// index/run/index_version.h - a short text that identifies how this program turns bytes into rows.
#pragma once

#include <string>

namespace codexmem::index {

/// If it differs, the same bytes may give other rows, and stored rows must be made again.
std::string index_version();

}  // namespace codexmem::index
