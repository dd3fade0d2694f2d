#include "store/sqlite_version.h"

#include <sqlite3.h>

namespace codexmem::store {

std::string_view sqlite_version() { return sqlite3_libversion(); }

void set_up_sqlite() {
  [[maybe_unused]] static const int code = sqlite3_initialize();  // opening tells errors again
}

}  // namespace codexmem::store
