// app/settings/user_settings.h - settings.json of the user, written by commands.
#pragma once

#include "app/init/file_change.h"
#include "base/result.h"

namespace codexmem::app {

/// Writes `change` to the user's settings.json, which only the user can read (0600), in a folder
/// with mode 0700. If it `holds_secret`, an existing file that others can read is closed to them.
/// Errors: see make_change() and store::prepare_user_directory().
Result<void> write_user_settings(FileChange change, bool holds_secret);

/// Stores a secret for writing decisions as agentMemorySecret in the user's settings: the secret of
/// the environment, else a random one. False if the settings have one. Errors: kInvalidArgument
/// without a data directory, or when AGENT_MEMORY_SECRET_SHA256 expects another secret; errors of
/// write_user_settings().
Result<bool> make_decision_secret(bool dry_run);

}  // namespace codexmem::app
