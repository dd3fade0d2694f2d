#include "store/sqlite_version.h"

#include <sqlite3.h>

#include "store/thin_file.h"

namespace codexmem::store {

std::string_view sqlite_version() { return sqlite3_libversion(); }

void set_up_sqlite() {
  // sqlite3_open_v2 reports the error.
  [[maybe_unused]] static const int code =
      sqlite3_initialize() == SQLITE_OK ? register_thin_files() : SQLITE_ERROR;
}

}  // namespace codexmem::store
