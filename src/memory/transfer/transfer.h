// memory/transfer/transfer.h - the whole memory as lines of JSON, out and in again.
//
// The first line says what follows: {"codexmem_memory":1,...}. Each further line is one record with
// a "kind": session, prompt, summary, entry, link, ingestion, decision. Vectors are not part of it:
// they are rebuilt. Exported texts are redacted, imported texts pass the same gate as what
// is saved. Both work line by line; an import remembers the new ids of entries that others refer
// to. Design: docs/how-it-works.md, "Memory".
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "memory/clock.h"
#include "memory/entries/entries.h"
#include "store/user/user_store.h"

namespace codexmem::memory {

/// The number in the first line.
inline constexpr int kTransferFormat = 1;

/// Takes a line, without its end. What it fails with, the export fails with.
using LineSink = std::function<Result<void>(std::string_view line)>;

/// Gives the next line, without its end; nothing at the end.
using LineSource = std::function<Result<std::optional<std::string>>()>;

struct ExportReport {
  std::size_t sessions = 0, prompts = 0, summaries = 0, entries = 0, decisions = 0;
};

/// Writes all of the store as it is at one moment; `project` (empty: all) alone.
Result<ExportReport> export_memory(store::UserStore& store, const LineSink& sink,
                                   const Clock& clock, const std::string& project = {},
                                   const std::stop_token& stop = {});

/// A line that was not imported.
struct RefusedLine {
  std::size_t line = 0;  // from 1
  std::string reason;    // nothing of a secret's value
};

struct ImportReport {
  std::size_t sessions = 0, prompts = 0, summaries = 0, entries = 0, decisions = 0;  // new ones
  std::size_t duplicates = 0;         // records that were there already
  std::size_t refused = 0;            // lines
  std::vector<RefusedLine> examples;  // the first 100 of them
};

/// Adds missing records; present ones stay. Times are kept, ids are new ones. A line that
/// is no record, is dated in the future, or whose text is blocked, is refused and reported, and the
/// others are imported; doing it again changes nothing. Committed every 1,000 lines.
///
/// Decisions come in when `may_decide` (an admin imports), else their lines are refused.
///
/// Errors: kInvalidArgument, and nothing is imported, when the first line is not an export's;
/// kUnsupported when it is of a later format; the store's.
Result<ImportReport> import_memory(store::UserStore& store, const Entries& entries,
                                   const DocumentVectors& vectors, const LineSource& source,
                                   const Clock& clock, bool may_decide,
                                   const std::stop_token& stop = {});

}  // namespace codexmem::memory
