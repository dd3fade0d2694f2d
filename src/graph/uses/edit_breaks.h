// graph/uses/edit_breaks.h - the uses that an edit of one file leaves broken.
//
// Compares two states that differ in that file. A definition that the edit removes or renames is
// looked up in the state before: a use of it that means nothing in the state after is broken. The
// calls of a function that takes other arguments are looked up in the state after: a call that
// fitted and no longer fits is broken. So it costs as much as asking for the uses of the changed
// definitions. Stateless. Design: docs/how-it-works.md, "Check".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/stored/facts_cache.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

struct BrokenPlace {
  std::string path;
  std::uint32_t line = 1;  // 1-based, in the state after the edit

  auto operator<=>(const BrokenPlace&) const = default;
};

/// What the edit does to one definition.
struct EditBreak {
  std::string name;      // qualified in the file, before the edit
  std::string new_name;  // if it is gone: what it may be called now; empty: not known
  std::string unfit;     // why the first call does not fit; empty: the definition is gone
  // Both by path and line. Certain and likely uses; places whose receiver is unknown and that no
  // other definition of the name explains.
  std::vector<BrokenPlace> broken, possible;
  std::size_t naming_files = 0;  // of kNames: other files with the removed name
};

/// How far a look goes.
enum class EditDepth : std::uint8_t {
  kUses,   // every use is resolved
  kNames,  // removed definitions, and how many files have their names, if no other definition has:
           // milliseconds, however often they are used
};

struct EditBreaks {
  std::vector<EditBreak> breaks;     // in the order of the file; without those that break nothing
  std::vector<std::string> changed;  // qualified names of the functions and types whose text
                                     // differs; of nested ones the innermost
  bool is_complete = true;           // false: too many definitions are gone to look for all, or
                                     // only names were looked for
};

/// What differs at `path` between the states `before` and `after`, which have one `cache` and
/// generations of their own (store/code/overlay_reader.h). Empty for a file that one of them does
/// not have, and where the new text cannot be read. Errors: kCancelled; the store's errors.
Result<EditBreaks> find_edit_breaks(FactsCache& cache, store::CodeReader& before,
                                    store::CodeReader& after, std::string_view path,
                                    EditDepth depth = EditDepth::kUses);

}  // namespace codexmem::graph
