// serve/log_file.h - where a worker in the background keeps its log.
#pragma once

namespace codexmem::serve {

/// Its name in the data directory.
inline constexpr const char* kLogName = "worker.log";

}  // namespace codexmem::serve
