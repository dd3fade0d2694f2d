// ask/memory/entry_answers.h - the tools that save entries and give them whole: save_memory,
// get_observations, get_entries. Stateless; thread-safe. Design: docs/memory.md, docs/mcp.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ask/memory/answer.h"
#include "ask/memory/call.h"
#include "memory/entries.h"

namespace codexmem::ask {

/// Errors: kInvalidArgument, "text is required and must be non-empty".
Result<memory::NewEntry> read_save(const memory::Memory& memory, std::string_view arguments);

/// Saves an entry with the code that it cites. Errors: those of Entries::save().
Result<memory::SavedEntry> run_save(const Call& call, memory::NewEntry entry);

/// Has the code that an entry cites looked up before the store is locked, and written with it.
memory::EntryHook citing(const Call& call);

/// Writes the code that `mentions` cites; empty when there is none. The repository's trouble is no
/// reason to lose a memory.
memory::DocumentWriter cited_writer(const Call& call, const memory::Mentions& mentions);

/// The observations that get_observations is asked for, whole (ask/memory/record_json.h),
/// before they are made to fit into an answer. Errors: kInvalidArgument; those of the store.
Result<std::vector<std::string>> list_observations(const Call& call, std::string_view arguments);

/// Each tool, failures included.
Answer answer_save_memory(const Call& call, std::string_view arguments);
Answer answer_get_observations(const Call& call, std::string_view arguments);
Answer answer_get_entries(const Call& call, std::string_view arguments);

}  // namespace codexmem::ask
