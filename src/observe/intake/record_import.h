// observe/intake/record_import.h - sessions, summaries, observations and prompts as other programs
// of this kind export them, into the memory. Stateless; safe to call from many threads.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "memory/memory.h"

namespace codexmem::observe {

struct ImportCounts {
  std::size_t imported = 0;
  std::size_t skipped = 0;  // there already, or refused
};

/// A record that was not taken though it was not there.
struct RefusedRecord {
  std::string list;       // "sessions", "summaries", "observations", "prompts"
  std::size_t index = 0;  // in its list, from 0
  std::string reason;     // nothing of a secret's value
};

struct RecordImport {
  ImportCounts sessions, summaries, observations, prompts;
  std::vector<RefusedRecord> refused;  // the first 100
};

/// Imports `body`: a JSON object with the lists sessions, summaries, observations, prompts, each of
/// which may be missing. Rows have the names of the item lists (docs/reference/routes.md); times
/// are created_at_epoch, else created_at, else now; lists are arrays or the texts of arrays. What a
/// row says of a session that is not known starts it. Doing it again changes nothing. Errors:
/// kInvalidArgument; kCancelled, when a part of it may have come in; the store's.
Result<RecordImport> import_records(memory::Memory& memory, std::string_view body,
                                    std::stop_token stop = {});

}  // namespace codexmem::observe
