// serve/log_file.h - the log file of a worker in the background.
#pragma once

namespace codexmem::serve {

/// Its name in the data directory.
inline constexpr const char* kLogName = "worker.log";

}  // namespace codexmem::serve
