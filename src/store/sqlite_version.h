// store/sqlite_version.h - which SQLite is compiled in.
#pragma once

#include <string_view>

namespace codexmem::store {

/// "3.54.1".
std::string_view sqlite_version();

}  // namespace codexmem::store
