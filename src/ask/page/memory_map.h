// ask/page/memory_map.h - the files that memories and decisions cite, for a map with pins.
#pragma once

#include <string>

#include "ask/page/page_call.h"
#include "base/result.h"

namespace codexmem::ask {

/// {repo, files, cut}: of each cited file, by path, {path, memories, decisions} as
/// find_page_notes() writes them; it may be gone from the index. `cut` counts what was left out:
/// files beyond 300, and of each file's notes those beyond ten. Errors: the store's.
Result<std::string> make_memory_map(const PageCall& call);

}  // namespace codexmem::ask
