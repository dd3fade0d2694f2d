// serve/fleet_setup.h - the organisation's index, by the user's settings.
//
//     CODEXMEM_FLEET_URL            a Chroma server, or several with commas between, each complete
//     CODEXMEM_FLEET_TOKEN          sent to them as x-chroma-token
//     CODEXMEM_FLEET_REPOSITORIES   which repositories may be seen
//
// A repository's own file can set none of them. Design: docs/fleet.md.
#pragma once

#include <chrono>
#include <memory>

#include "base/result.h"
#include "config/settings.h"
#include "fleet/fleet.h"

namespace codexmem::serve {

/// Null if no server is configured; nothing is sent yet. `patience` is for one request. Errors:
/// kInvalidArgument for invalid addresses; as the model.
Result<std::shared_ptr<fleet::Fleet>> set_up_fleet(
    const Settings& settings, std::chrono::milliseconds patience = std::chrono::seconds(4));

}  // namespace codexmem::serve
