// graph/core/use_account.h - sorts every place with the name of a symbol into one drawer.
//
// A search for uses (core/usage_search.h) decides what the identifiers mean. The rest of what `grep
// -w NAME` finds is in comments, strings, other texts and parts that were not understood: found by
// reading the texts of the files that may contain the word. The drawers add up to all places, so an
// answer also shows what it did not count as a use. One thread, one question. Design:
// docs/how-it-works.md, "The account".
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/core/resolver.h"
#include "graph/core/usage_search.h"
#include "graph/uses/use_drawers.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

/// Classifies quoted words by which code may look names up: getattr(x, "a"), Pick<T, "a">.
class QuotedNames {
 public:
  virtual ~QuotedNames() = default;

  /// The drawer of the word `name` at `offset` of `text`, the text of `file`: kLikely, kPossible or
  /// kText. `is_used_here`: the file defines or uses the symbol.
  virtual Drawer drawer_of(const FileModel& file, std::string_view text, std::uint32_t offset,
                           std::string_view name, bool is_used_here) = 0;
};

/// Puts the `usages` that `search` found, and every other place of its targets' names, into
/// drawers. Errors: kCancelled; the store's errors.
Result<AccountedUses> account_for(Resolver& resolver, store::CodeReader& reader,
                                  const UsageSearch& search, const std::vector<Usage>& usages,
                                  QuotedNames& quoted_names);

}  // namespace codexmem::graph
