// app/serve_team.h - codexmem serve --team: several repositories over HTTP, for callers with
// tokens.
#pragma once

#include <string>

#include "app/command.h"

namespace codexmem::app {

/// Serves by the team file `file` until a signal; SIGHUP reads it again.
ExitCode serve_team(const std::string& file, Console& console);

/// Prints a new token for the caller `name`, and the entry for the team file that admits it.
ExitCode print_team_token(const std::string& name, Console& console);

}  // namespace codexmem::app
