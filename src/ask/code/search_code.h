// ask/code/search_code.h - search_code: code by what it does, or by half-remembered names.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ask/budget.h"
#include "ask/question.h"
#include "base/result.h"
#include "fleet/hit_place.h"
#include "search/search.h"

namespace codexmem::ask {

struct SearchCodeParams {
  search::SearchRequest request;
  std::size_t max_bytes = 0;  // of the answer's JSON

  /// Hits say where in their snippets the query's words are. Only on request (format json) or at
  /// the shell: it is a fifth of an answer's bytes, and models do not use it.
  bool with_matches = false;

  /// Asks the fleet, not the repository; where there is no repository it is asked anyway.
  bool in_fleet = false;
  std::vector<std::string> repositories = {};  // globs of repositories of the fleet; empty: all

  void complete(const Context& context, const ToolArguments& given);
};

/// Hits best first. Those that do not fit are cut from the end and counted with those that the
/// limit has left out.
struct SearchCodeAnswer : Answer {
  search::SearchAnswer found;
  std::vector<fleet::HitPlace> places = {};  // of the hits, from a fleet; empty: from here
  Rest rest;
  bool with_matches = false;  // as asked

  Written to_json() const override;
  bool is_in_vain() const override { return found.hits.empty() && places.empty(); }
};

/// Errors: kInvalidArgument for an empty one of file_extensions; the search's and
/// answer_fresh(). From a fleet it shows only what Services::scope admits; kNotFound when a fleet
/// is requested and does not exist.
Result<SearchCodeAnswer> run(const Context& context, const SearchCodeParams& params);

/// A score as answers say it: four digits.
double rounded_score(double score);

extern const Question kSearchCode;

}  // namespace codexmem::ask
