// store/full_text.h - codexmem's tokenizers and helpers for FTS5. Internal to store.
//
// Registers on a connection:
// - tokenizer `codexmem_prose`: the terms of a text in any language (text/prose.h); a compound has
//   the position of the last word of its run. A query's phrase is terms between spaces, verbatim.
// - tokenizer `codexmem_names`: the text between spaces, verbatim: lists of identifiers, and the
//   tokens of code/chunk_terms.h.
// - auxiliary function `postings(table[, most])`: a BLOB of Posting: for each phrase of the query,
//   in order, the rows that hold it, ascending, the first `most` of them. It returns all rows at
//   once, whichever it is called on: a step of a statement for each row costs more than the
//   posting.
// - auxiliary function `posting_rows(table[, most])`: the same for a table without positions, where
//   each count is 1.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/database.h"

struct sqlite3;

namespace codexmem::store {

struct Posting {
  std::int64_t row = 0;
  std::uint32_t phrase = 0;
  std::uint16_t count = 0;        // how often the phrase is in the row, at most 65535
  std::uint16_t first_count = 0;  // of these, in the first column
};

/// Returns SQLite's code.
int register_full_text(sqlite3* connection);

/// `text` as a phrase of a MATCH expression.
std::string fts_phrase(std::string_view text);

/// Takes SQLite's varint off the front of `record`: seven bits a byte, high bit on all but the
/// last; the ninth byte gives eight.
std::int64_t take_varint(std::string_view* record);

/// Takes a step of merging the segments of the full-text table `table`: about `pages` pages; a
/// negative number takes all segments into one merge, which further steps go on with. False when
/// there was nothing to merge. Source: sqlite.org/fts5.html, section 6.9.
Result<bool> merge_segments_of(Database& database, std::string_view table, int pages);

}  // namespace codexmem::store
