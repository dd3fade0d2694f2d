// app/settings/worker_settings.h - records the settings that a worker was started with.
//
//     <data directory>/worker-settings.json   its process, and each setting's value and origin
//
// Values are kept only as salted hashes, because keys are among them. For its user alone (mode
// 0600).
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

/// The keys of the settings whose values in the user's file differ from those that the running
/// `worker` was started with. Settings from its environment are left out: no file changes them.
std::vector<std::string> list_changed_settings(const std::filesystem::path& directory,
                                               const WorkerAddress& worker);

}  // namespace codexmem::app
