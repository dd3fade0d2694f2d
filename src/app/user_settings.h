// app/user_settings.h - settings.json of the user, written by commands.
#pragma once

#include "app/init/file_change.h"
#include "base/result.h"

namespace codexmem::app {

/// Does `change`, of the user's settings.json: for its user alone (0600), in a folder that is
/// (0700). One that others may read is closed to them when it `holds_secret`. Errors: those of
/// make_change() and store::prepare_user_directory().
Result<void> write_user_settings(FileChange change, bool holds_secret);

/// Puts a secret for writing decisions into the user's settings, as agentMemorySecret: the one of
/// the environment if that has one, else a random one. False when there is one already. Errors:
/// kInvalidArgument without a data directory, and when AGENT_MEMORY_SECRET_SHA256 asks for another
/// secret; those of write_user_settings().
Result<bool> make_decision_secret(bool dry_run);

}  // namespace codexmem::app
