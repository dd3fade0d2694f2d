// ask/memory/whole_records.h - documents by their keys, whole. Stateless; thread-safe.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "ask/memory/call.h"
#include "memory/records.h"

namespace codexmem::ask {

/// The documents `keys` (of entries, summaries and prompts) as JSON in the shape of the observation
/// tools, or, with `as_details`, of get_entries. Unknown ones, private prompts and, where memory is
/// isolated, those of other projects are missing.
Result<std::map<memory::DocumentKey, std::string>> read_records(
    const Call& call, std::span<const memory::DocumentKey> keys, bool as_details);

}  // namespace codexmem::ask
