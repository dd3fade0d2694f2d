#include "store/sqlite_version.h"

#include <sqlite3.h>

namespace codexmem::store {

std::string_view sqlite_version() { return sqlite3_libversion(); }

}  // namespace codexmem::store
