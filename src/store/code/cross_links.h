// store/code/cross_links.h - imports of one repository that mean files of another.
//
// Made once for each state of the stores of a workspace (store/code/united_reader.h) and read by
// many threads. Immutable. Design: docs/workspace.md.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "store/code/code_rows.h"

namespace codexmem::store {

class CrossLinks {
 public:
  /// `rows` have the ids of the united reader, and each a target. In their own repositories these
  /// imports have none: for readers, the rows replace the rows of the same source and
  /// import_index that are without one.
  explicit CrossLinks(std::vector<DependencyRow> rows);

  /// All, by source, then import_index, then as they were given.
  std::span<const DependencyRow> all() const { return rows_; }
  /// The links of `source`, in that order.
  std::span<const DependencyRow> from(FileId source) const;
  /// The links to `target`, in that order.
  std::vector<DependencyRow> to(FileId target) const;

 private:
  std::vector<DependencyRow> rows_;
  std::vector<std::size_t> by_target_;  // places in rows_
};

}  // namespace codexmem::store
