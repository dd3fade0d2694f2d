// exchange/output.h - where an export goes, piece by piece.
#pragma once

#include <functional>
#include <string_view>

#include "base/result.h"

namespace codexmem::exchange {

/// Takes the next bytes. Errors: kIo.
using Output = std::function<Result<void>(std::string_view bytes)>;

}  // namespace codexmem::exchange
