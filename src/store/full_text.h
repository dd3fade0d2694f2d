// store/full_text.h - codexmem's tokenizers and helpers for FTS5. Internal to store.
//
// Registers on a connection:
// - tokenizer `codexmem_terms`: the stems and compounds of a text (base/words.h, SEARCH.md section
// 2);
//   a query's phrase is taken as one term, verbatim.
// - tokenizer `codexmem_names`: the text between spaces, verbatim: lists of identifiers.
// - auxiliary function `term_counts(table)`: a BLOB of little-endian u32: the number of terms of
//   the row's text, then how often each phrase of the query occurs in it. With a second argument
//   the first number is 0.
#pragma once

#include "base/result.h"

struct sqlite3;

namespace codexmem::store {

Result<void> register_full_text(sqlite3* connection);

}  // namespace codexmem::store
