// ask/memory/record_json.h - whole records as JSON: in the shape of the observation tools, and
// in that of the memory tools. Stateless; thread-safe.
#pragma once

#include <span>
#include <string>

#include "memory/citations.h"
#include "memory/records.h"

namespace codexmem::ask {

/// An observation's row: numeric id, lists as the texts of JSON arrays and once more, as lists, in
/// facts_list, concepts_list, files_read_list and files_modified_list. `cited` is the code that it
/// cites; with any, the row has code_state and code. superseded_by and supersedes are there where
/// there are such entries.
std::string observation_json(const memory::Entry& entry,
                             std::span<const memory::CitationState> cited = {});

/// A session's summary, and a prompt, in the same manner.
std::string session_json(const memory::Summary& summary);
std::string prompt_json(const memory::Prompt& prompt);

/// A record as get_entries gives it: id, title, body, entry_type, project, session_id, source_ref,
/// metadata, created_at, and facts, concepts, files, superseded_by and supersedes where it has any.
std::string entry_detail_json(const memory::Entry& entry,
                              std::span<const memory::CitationState> cited = {});
std::string entry_detail_json(const memory::Summary& summary);
std::string entry_detail_json(const memory::Prompt& prompt);

/// What a summary is called: its request, else what was done.
std::string summary_title(const memory::Summary& summary);

/// The parts of a summary as one text, each with its name.
std::string summary_body(const memory::Summary& summary);

}  // namespace codexmem::ask
