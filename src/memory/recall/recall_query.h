// memory/recall/recall_query.h - what a query says: its words, quoted phrases, files and dates.
//
// Pure. Any bytes are a query; nothing of them reaches SQL or FTS5 but terms of text/prose.h.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace codexmem::memory {

/// A word or a name of the query. Any of its phrases (store/user/document_terms.h) matches it.
struct QueryTerm {
  std::vector<std::string> phrases;
  std::string word;  // its stem
};

/// A stretch of time that the query speaks of, both ends inclusive.
struct DateSpan {
  std::int64_t from_ms = 0;
  std::int64_t to_ms = 0;
};

struct RecallQuery {
  std::string text;              // the query, cut, for a model
  std::vector<QueryTerm> terms;  // in order, each once; stop words only when there is nothing else
  std::vector<std::string> quoted;  // phrases of two terms or more that stood in quotes
  std::vector<std::string> words;   // every word of the query as a stem: people are known by theirs
  std::vector<std::string> files;   // names and paths of files, in lower case, `/` as separator
  std::vector<DateSpan> dates;
};

/// The words of `query`, without stop words and without those whose stems `is_kept` refuses, as
/// they are written, with spaces between them.
std::string content_of(const RecallQuery& query,
                       const std::function<bool(std::string_view stem)>& is_kept);

/// Reads `query` at the time `now_ms` (UTC). Beyond 8 KB and 48 terms nothing is read.
RecallQuery read_recall_query(std::string_view query, std::int64_t now_ms);

}  // namespace codexmem::memory
