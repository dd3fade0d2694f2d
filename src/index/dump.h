// index/dump.h - a whole index as text that two indexes of the same files have in common.
//
// For tests and for `codexmem debug dump`: an index that many runs brought up to date must read as
// one that was made at once. Design: docs/design/cli.md (the lines), docs/design/durability.md.
#pragma once

#include <functional>
#include <string_view>

#include "base/result.h"
#include "store/code/store_reader.h"

namespace codexmem::index {

/// Calls `print` with each line of the index, without the line break.
///
/// The lines hold no ids, no times and no vectors' numbers, and come in one order: notes of meta,
/// files by path with all that belongs to each, skipped files, numbers of rows. Everything that is
/// stored has its line, also what should not be there (words of a file that is gone) or is missing
/// (a vector). Works in one read transaction; none may be open. Memory grows with the number of
/// chunks, by some 50 bytes each. Errors: those of the store.
Result<void> dump_index(store::StoreReader& reader,
                        const std::function<void(std::string_view)>& print);

}  // namespace codexmem::index
