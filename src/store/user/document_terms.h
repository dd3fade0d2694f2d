// store/user/document_terms.h - which documents of the user's store hold which terms.
//
// Reads `document_terms` (store/user/user_schema.cpp), with the terms of text/prose.h.
// Stateless; works on one connection, whose thread it runs on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/database.h"

namespace codexmem::store {

/// A document that holds a phrase.
struct TermMatch {
  std::int64_t document = 0;
  std::uint16_t count = 0;        // how often, in all columns
  std::uint16_t title_count = 0;  // of these, in the title
};

/// The documents of one phrase, ascending.
struct TermMatches {
  std::vector<TermMatch> documents;
  bool is_cut = false;  // there may be more, of greater numbers
};

/// For each of `phrases` the documents that hold it, at most `most` a phrase. A phrase is one term
/// of text/prose.h or several with a space between them, which then follow each other in one
/// column; whatever else it is made of is taken for terms too, and finds nothing. 0.1 us a document
/// (docs/how-it-works.md, "Memory").
Result<std::vector<TermMatches>> match_terms(Database& database,
                                             std::span<const std::string> phrases,
                                             std::size_t most);

/// The number of documents, and how many terms in all of them.
struct TermTotals {
  std::uint64_t documents = 0;
  std::uint64_t terms = 0;
};
Result<TermTotals> term_totals(Database& database);

/// Calls `visit` with each document, ascending, and its number of terms.
Result<void> visit_document_lengths(
    Database& database,
    const std::function<void(std::int64_t document, std::uint32_t terms)>& visit);

/// The number of terms of `document`, 0 for an unknown one.
Result<std::uint32_t> document_length(Database& database, std::int64_t document);

}  // namespace codexmem::store
