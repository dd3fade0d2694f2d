#include "store/sqlite_version.h"

#include <sqlite3.h>

namespace codexmem::store {

std::string_view sqlite_version() { return sqlite3_libversion(); }

void set_up_sqlite() {
  [[maybe_unused]] static const int code =
      sqlite3_initialize();  // sqlite3_open_v2 reports the error
}

}  // namespace codexmem::store
