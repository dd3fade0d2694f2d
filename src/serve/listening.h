// serve/listening.h - what every program needs that listens on a port of this machine.
#pragma once

#include <optional>
#include <string_view>

namespace codexmem::serve {

/// The port that `text` is the number of, 0 to 65535; nothing when it is something else.
std::optional<int> parse_port(std::string_view text);

/// Lets this process have 4,096 files open, as far as the system allows: a connection is a
/// descriptor, and so is each of SQLite's.
void allow_files();

}  // namespace codexmem::serve
