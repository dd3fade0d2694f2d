// index/packs/dump.h - prints a whole index as text that is equal for two indexes of the same
// files.
//
// For tests and `codexmem debug dump`: an index updated by many runs must read like one made at
// once. Design: docs/how-it-works.md, "Commands" (the lines), docs/security.md.
//
// A line begins with its subject; strings are JSON, hashes the first 16 digits of a SHA-256:
//
//   meta                the schema and notes on the rows as a whole; `meta run` when a run was
//                       broken off
//   file                path, hash, size, language, lines, flags, hash of its text
//   symbol              a definition, by its number in the file: every column
//   chunk               place, symbol, hash; the length and the terms that the full-text index has
//                       of it
//   vector              the vector of a chunk or of the `file` by its model, or `none`
//   import              a dependency, by its number in the file
//   facts, names        the hash of the file's facts; how many identifiers lead to it, and the sum
//                       of their hashes
//   skipped             a file or folder that is not indexed, and why
//   rows, terms, stale  rows of all tables; terms and identifiers of removed files
#pragma once

#include <functional>
#include <string_view>

#include "base/result.h"
#include "store/code/store_reader.h"

namespace codexmem::index {

/// Calls `print` with each line of the index, without the line break.
///
/// The lines contain no ids, times or vector components, and have a fixed order: notes of meta,
/// files by path with everything that belongs to each, skipped files, numbers of rows. Everything
/// stored has a line, including rows that should not exist (words of a deleted file) and missing
/// ones (a vector). Works in one read transaction; none may be open. Memory grows with the number
/// of chunks, by about 50 bytes each. Errors: as the store.
Result<void> dump_index(store::StoreReader& reader,
                        const std::function<void(std::string_view)>& print);

}  // namespace codexmem::index
