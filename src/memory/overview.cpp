#include "memory/overview.h"

namespace codexmem::memory {

Result<std::vector<std::string>> list_projects(store::UserStore& store) {
  CODEXMEM_ASSIGN(store::UserReader reader, store.reader());
  return store::list_project_names(*reader);
}

Result<StoreCounts> count_records(store::UserStore& store) {
  CODEXMEM_ASSIGN(store::UserReader reader, store.reader());
  return store::count_records(*reader);
}

}  // namespace codexmem::memory
