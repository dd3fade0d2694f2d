// ask/memory/get_records.h - whole records by their ids: get_observations and get_entries.
// Stateless; thread-safe. Design: docs/how-it-works.md, "Memory", docs/how-it-works.md, "MCP".
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ask/budget.h"
#include "ask/memory/call.h"
#include "ask/memory/record.h"
#include "ask/question.h"
#include "base/result.h"
#include "memory/entries/entries.h"

namespace codexmem::ask {

/// Which observations are wanted.
struct ObservationList {
  memory::EntryFilter filter;
  bool is_hidden = false;  // of a project that is not shown here
};

/// All of `list`, whole. Errors: the store's.
Result<std::vector<Record>> list_observations(const MemoryCall& call, const ObservationList& list);

/// How much of whole records an answer holds.
struct RecordPage {
  std::size_t offset = 0;       // records to skip
  std::size_t body_offset = 0;  // code points of their texts to skip
  std::size_t max_bytes = 0;
};

/// Records as JSON, in the order of the question. The first one is cut when it does not fit.
struct RecordsAnswer : Answer {
  std::vector<std::string> items;
  std::vector<std::string> missing;  // ids that no record has, as far as they fit
  std::size_t missing_omitted = 0;
  Rest rest;
};

struct GetObservationsParams {
  ObservationList list;
  RecordPage page;

  /// Errors: kInvalidArgument.
  Result<void> complete(const memory::Memory& memory, const ToolArguments& given);
};

struct ObservationsAnswer : RecordsAnswer {
  Written to_json() const override;
};

struct GetEntriesParams {
  std::vector<std::string> ids;  // as they were given
  RecordPage page;
};

struct EntriesAnswer : RecordsAnswer {
  std::vector<Record> records;  // the records of `items`, uncut
  Written to_json() const override;
};

/// Errors: the store's; kNotFound when no id has an entry.
Result<ObservationsAnswer> run(const MemoryCall& call, GetObservationsParams params);
Result<EntriesAnswer> run(const MemoryCall& call, GetEntriesParams params);

extern const Question kGetObservations;
extern const Question kGetEntries;

}  // namespace codexmem::ask
