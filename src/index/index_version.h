// index/index_version.h - what a program makes of the same bytes, as one short text.
#pragma once

#include <string>

namespace codexmem::index {

/// Another text says that the same bytes may give other rows: what was made under it is made again.
std::string index_version();

}  // namespace codexmem::index
