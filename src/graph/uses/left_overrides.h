// graph/uses/left_overrides.h - what the removal of a member leaves without its counterpart in the
// types above and below.
//
// A member of a subtype that overrode it overrides nothing any more, which compilers refuse where
// the declaration says `override`; and a type owes what it implemented of a type above. Stateless.
#pragma once

#include <vector>

#include "base/result.h"
#include "graph/core/entity.h"
#include "graph/core/resolver.h"
#include "graph/core/source_texts.h"
#include "graph/core/usage_search.h"

namespace codexmem::graph {

struct LeftOverride {
  Entity member;            // a symbol of another file, in the state after the removal
  bool is_certain = false;  // a compiler refuses it
};

/// Those of the member `removed`, which is of `before`; `edited` is its file in `after`, and
/// `texts` are of `after`. Empty if it is not a member of a type. Errors: kCancelled; the store's
/// errors.
Result<std::vector<LeftOverride>> list_left_overrides(Resolver& before, Resolver& after,
                                                      SourceTexts& texts,
                                                      const UsageTarget& removed,
                                                      const FileModel& edited);

}  // namespace codexmem::graph
