// Tested by tests/memory/recall_test.cpp.
#include "store/user/document_terms.h"

#include <cstring>
#include <string_view>

#include "store/full_text.h"
#include "store/query.h"

namespace codexmem::store {

Result<std::vector<TermMatches>> match_terms(Database& database,
                                             std::span<const std::string> phrases,
                                             std::size_t most) {
  std::vector<TermMatches> matches(phrases.size());
  if (phrases.empty()) return matches;
  std::string expression;
  for (const std::string& phrase : phrases) {
    if (!expression.empty()) expression += " OR ";
    // An expression ends at a NUL, and no term holds one.
    const bool is_term = phrase.find('\0') == std::string::npos && !phrase.empty();
    expression += fts_phrase(is_term ? std::string_view(phrase) : std::string_view("\x01"));
  }
  CODEXMEM_ASSIGN(Statement query, database.statement(R"sql(
SELECT postings(document_terms, ?2) FROM document_terms WHERE document_terms MATCH ?1 LIMIT 1)sql"));
  query.bind(1, expression);
  query.bind(2, static_cast<std::int64_t>(most));
  CODEXMEM_ASSIGN(const bool any, query.step());
  if (!any) return matches;
  std::string_view bytes = query.blob(0);
  for (; bytes.size() >= sizeof(Posting); bytes.remove_prefix(sizeof(Posting))) {
    Posting one;
    std::memcpy(&one, bytes.data(), sizeof one);
    if (one.phrase >= matches.size()) {
      return Error{ErrorCode::kCorrupt, "the full-text index answered for another number of terms"};
    }
    matches[one.phrase].documents.push_back({one.row, one.count, one.first_count});
  }
  for (TermMatches& match : matches) match.is_cut = match.documents.size() >= most;
  return matches;
}

Result<TermTotals> term_totals(Database& database) {
  // FTS5's averages record: the number of rows, then the number of terms of each column
  // (sqlite.org/fts5.html, section 9.3).
  CODEXMEM_ASSIGN(Statement query,
                  database.statement("SELECT block FROM document_terms_data WHERE id = 1"));
  CODEXMEM_ASSIGN(const bool found, query.step());
  TermTotals totals;
  if (!found) return totals;
  std::string_view record = query.blob(0);
  totals.documents = static_cast<std::uint64_t>(take_varint(&record));
  while (!record.empty()) totals.terms += static_cast<std::uint64_t>(take_varint(&record));
  return totals;
}

namespace {

// FTS5's own table of row sizes: a varint for each column.
std::uint32_t read_length(std::string_view sizes) {
  std::int64_t terms = 0;
  while (!sizes.empty()) terms += take_varint(&sizes);
  return static_cast<std::uint32_t>(terms);
}

}  // namespace

Result<void> visit_document_lengths(Database& database,
                                    const std::function<void(std::int64_t, std::uint32_t)>& visit) {
  return query::visit(
      database, "SELECT id, sz FROM document_terms_docsize ORDER BY id",
      [&](const Statement& row) { visit(row.integer(0), read_length(row.blob(1))); });
}

Result<std::uint32_t> document_length(Database& database, std::int64_t document) {
  CODEXMEM_ASSIGN(const auto length,
                  query::find(
                      database, "SELECT sz FROM document_terms_docsize WHERE id = ?1",
                      [](const Statement& row) { return read_length(row.blob(0)); }, document));
  return length.value_or(0);
}

}  // namespace codexmem::store
