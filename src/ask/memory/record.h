// ask/memory/record.h - whole records: read by their keys, and as JSON in the shape of the
// observation tools and in the shape of the memory tools. Stateless; thread-safe.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "ask/memory/call.h"
#include "ask/memory/shared_mark.h"
#include "base/result.h"
#include "memory/entries/citations.h"
#include "memory/entries/records.h"

namespace codexmem::ask {

/// A record with the code that it cites.
struct Record {
  std::variant<memory::Entry, memory::Summary, memory::Prompt> what = {};
  std::vector<memory::CitationState> cited = {};  // of an entry
  std::optional<SharedMark> shared = {};          // of an entry that a team shares
  std::string branch = {};                        // that it belongs to, if that is not merged
};

/// The documents `keys` (of entries, summaries and prompts). Unknown ones, private prompts and,
/// when memory is isolated, records of other projects are missing.
Result<std::map<memory::DocumentKey, Record>> read_records(
    const MemoryCall& call, std::span<const memory::DocumentKey> keys);

/// The same of one document; nothing where it is missing.
Result<std::optional<Record>> read_record(const MemoryCall& call, const memory::DocumentKey& key);

/// Bytes of the first hit's text that an answer quotes.
inline constexpr std::size_t kQuotedTextBytes = 700;

/// The shown ones of `entries`, with the code that they cite.
std::vector<Record> with_code(const MemoryCall& call, std::vector<memory::Entry> entries);

memory::DocumentKey key_of(const Record& record);

/// A summary or a prompt in the shape of an entry; an entry as it is. It keeps the id of its kind.
memory::Entry as_entry(const Record& record);

/// Where cited code is now, if that is elsewhere.
struct MovedCode {
  std::string path, symbol;  // symbol: empty of a file
};
std::optional<MovedCode> moved_to(const memory::CitationState& cited);

/// The row of the observation tools: numeric id, lists as the texts of JSON arrays and once more,
/// as lists, in facts_list, concepts_list, files_read_list and files_modified_list. With cited code
/// it has code_state and code. superseded_by, supersedes and shared are there when they say
/// something.
std::string record_json(const Record& record);

/// A record as get_entries gives it: id, title, body, entry_type, project, session_id, source_ref,
/// metadata, created_at, and facts, concepts, files, superseded_by and supersedes if it has any.
std::string entry_json(const Record& record);

/// A record of record_json() or entry_json() (its text), its texts from the code point `offset` on,
/// in at most `max_bytes`; as it is when it fits and `offset` is 0.
///
/// Else it has `body_length`, the code points of its longest text, and `body_offset` unless that is
/// 0; where its texts go on `truncated` and `next_body_offset`. Lists, metadata and the like that
/// leave the texts no room are emptied and named in `left_out`. The rest of a record takes at
/// least some 400 bytes.
std::string cut_record(std::string record, std::size_t offset, std::size_t max_bytes);

/// What a summary is called: its request, else what was done.
std::string summary_title(const memory::Summary& summary);

}  // namespace codexmem::ask
