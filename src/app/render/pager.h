// app/render/pager.h - long answers through the user's pager, as git does it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace codexmem::app {

/// The command line of the pager: $CODEXMEM_PAGER, else $PAGER, else `less -FRX` if less is in
/// PATH. Empty: no pager, as for "cat" and an empty variable.
std::string pager_command();

/// Shows `text` in the pager `command`, run by sh, and waits until it has ended. Closing the pager
/// early is not an error; Ctrl-C goes to the pager. False when it could not be started and nothing
/// was shown.
bool show_in_pager(const std::string& command, std::string_view text);

}  // namespace codexmem::app
