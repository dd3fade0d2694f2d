// ask/memory/shared_mark.h - what answers say of memories and decisions that a team shares: by
// whom, in which file, at which commit. Stateless; thread-safe. Design: docs/team.md.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ask/memory/call.h"
#include "memory/entries/records.h"

namespace codexmem::ask {

struct SharedMark {
  std::string file;    // from the root of the repository
  std::string by;      // who committed it; empty: nobody yet, or it is not known who
  std::string commit;  // its first 12 digits; empty: it is not committed
  /// Ids of decisions on the same target that other branches, or this user, also made.
  std::vector<std::string> rivals;
};

using SharedMarks = std::map<memory::DocumentKey, SharedMark>;

/// The marks of the shared ones of `documents`. Trouble with it is no reason to keep an
/// answer back: then none.
SharedMarks find_shared_marks(const MemoryCall& call,
                              std::span<const memory::DocumentKey> documents);

/// The mark of `document` among `marks`.
std::optional<SharedMark> mark_of(const SharedMarks& marks, memory::DocumentKey document);

/// {"file","by","commit","rivals"}, without empty members.
std::string shared_json(const SharedMark& mark);

}  // namespace codexmem::ask
