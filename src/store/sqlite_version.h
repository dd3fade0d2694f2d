// store/sqlite_version.h - which SQLite is loaded.
#pragma once

#include <string_view>

namespace codexmem::store {

/// The version of the library that runs, which may be newer than that of its header: "3.40.1".
std::string_view sqlite_version();

}  // namespace codexmem::store
