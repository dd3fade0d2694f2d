// search/locate/locate_query.h - the words and names of an issue as a query for files. Pure;
// thread-safe.
#pragma once

#include <string>
#include <vector>

#include "search/locate/issue_text.h"
#include "search/query.h"
#include "search/snapshot.h"

namespace codexmem::search {

/// The query that ranks files for `issue`: its words by how often and where it has them and how
/// rare they are in the index, at most kMaxQueryTerms, and the names that the index defines.
struct LocateQuery {
  Query query;
  std::vector<bool> is_title;      // by term: the title has it
  std::vector<std::string> words;  // by term: a word of the text with it
};
LocateQuery make_locate_query(const Snapshot& snapshot, const IssueText& issue);

}  // namespace codexmem::search
