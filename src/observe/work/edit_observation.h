// observe/work/edit_observation.h - what edits of files did, as an observation.
#pragma once

#include <vector>

#include "observe/intake/edit_symbols.h"
#include "observe/intake/patch_text.h"
#include "observe/models/provider.h"

namespace codexmem::observe {

/// What `edits`, of which there is at least one, did; also of here-documents of a shell.
Observation observe_edits(const std::vector<FileEdit>& edits, EditReader& reader);

}  // namespace codexmem::observe
