// store/sqlite_version.h - the SQLite that is compiled in: its version, its first call.
#pragma once

#include <string_view>

namespace codexmem::store {

/// "3.54.1".
std::string_view sqlite_version();

/// Call it before the first database of a thread is opened: SQLite sets itself up when it is first
/// used, which only this makes visible to all threads. Thread-safe.
void set_up_sqlite();

}  // namespace codexmem::store
