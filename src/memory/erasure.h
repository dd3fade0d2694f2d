// memory/erasure.h - the bytes of what was removed (store/user/erasure.h), as memory names them.
#pragma once

#include "store/user/erasure.h"

namespace codexmem::memory {

using store::finish_erasure;
using store::is_erased;
using store::kErasurePatience;
using store::note_erasure;

}  // namespace codexmem::memory
