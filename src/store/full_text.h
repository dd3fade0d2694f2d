// store/full_text.h - codexmem's tokenizers and helpers for FTS5. Internal to store.
//
// Registers on a connection:
// - tokenizer `codexmem_terms`: the stems and compounds of a text (base/words.h, docs/search.md); a
//   query's phrase is taken as one term, verbatim.
// - tokenizer `codexmem_prose`: the terms of a text in any language (base/prose.h), where a
// compound
//   shares the place of the last word of its run; a query's phrase is terms between spaces,
//   verbatim.
// - tokenizer `codexmem_names`: the text between spaces, verbatim: lists of identifiers.
// - auxiliary function `postings(table)`: a BLOB of Posting: for each phrase of the query, in
// order,
//   the rows that hold it, ascending. It tells of all rows at once, whichever it is called on: a
//   step of a statement for each row costs more than the posting.
#pragma once

#include <cstdint>

#include "base/result.h"

struct sqlite3;

namespace codexmem::store {

struct Posting {
  std::int64_t row = 0;
  std::uint32_t phrase = 0;
  std::uint32_t count = 0;  // how often the phrase stands in the row
};

Result<void> register_full_text(sqlite3* connection);

}  // namespace codexmem::store
