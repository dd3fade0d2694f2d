// ask/memory/save_memory.h - save_memory: keeps a text, with the code that it cites. Stateless;
// thread-safe. Design: docs/how-it-works.md, "Memory".
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ask/memory/call.h"
#include "ask/question.h"
#include "base/result.h"
#include "memory/entries/entries.h"

namespace codexmem::ask {

struct SaveMemoryParams {
  memory::NewEntry entry;

  /// Errors: kInvalidArgument.
  Result<void> complete(const memory::Memory& memory, const ToolArguments& given);
};

struct SaveMemoryAnswer : Answer {
  memory::SavedEntry saved;
  CitedCode code;
  std::size_t cites_omitted = 0;            // files and symbols that were given
  std::vector<std::string> private_fields;  // that lost what was marked private

  /// Files and symbols that were given and are not in the index; empty without one.
  std::vector<std::string> not_found() const;

  Written to_json() const override;
};

/// Errors: as Entries::save().
Result<SaveMemoryAnswer> run(const MemoryCall& call, SaveMemoryParams params);

/// Looks up the code that an entry cites before the store is locked, so that it is written with it.
memory::EntryHook citing(const MemoryCall& call);

extern const Question kSaveMemory;

}  // namespace codexmem::ask
