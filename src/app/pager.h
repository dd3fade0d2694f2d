// app/pager.h - long answers through the user's pager, as git does it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace codexmem::app {

/// The command line of the pager: $CODEXMEM_PAGER, else $PAGER, else `less -FRX` where less is in
/// PATH. Empty: none is wanted, which is also what "cat" and an empty variable mean.
std::string pager_command();

/// Shows `text` in the pager `command`, run by sh, and waits until it has ended. A pager that is
/// closed early has shown what was wanted; Ctrl-C is the pager's. False when it could not be
/// started: then nothing was shown.
bool show_in_pager(const std::string& command, std::string_view text);

}  // namespace codexmem::app
