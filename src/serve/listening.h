// serve/listening.h - shared by programs that listen on a port of this machine.
#pragma once

#include <optional>
#include <string_view>

namespace codexmem::serve {

/// The port number in `text`, 0 to 65535; nothing for other text.
std::optional<int> parse_port(std::string_view text);

/// Raises this process's limit of open files to 4,096, if the system allows it: each connection
/// takes a descriptor, and so does each connection of SQLite.
void allow_files();

}  // namespace codexmem::serve
