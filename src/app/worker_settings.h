// app/worker_settings.h - which settings a worker was started with, for those who look later.
//
//     <data directory>/worker-settings.json   its process, and each setting's value and origin
//
// Of values only a salted hash is kept: keys are among them. For its user alone (mode 0600).
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "config/settings.h"
#include "config/worker_file.h"

namespace codexmem::app {

/// Errors: kIo.
Result<void> write_worker_settings(const std::filesystem::path& directory, int pid,
                                   const Settings& settings);

/// The settings, by their keys, that are other ones in the user's file now than the running
/// `worker` was started with. What it has from its environment, no file would change.
std::vector<std::string> list_changed_settings(const std::filesystem::path& directory,
                                               const WorkerAddress& worker);

}  // namespace codexmem::app
