// fleet/question.h - a query to the fleet, and the filter for its files. Immutable once
// constructed.
// Design: docs/fleet.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "fleet/fleet.h"
#include "search/exact_query.h"
#include "search/exact_search.h"
#include "search/query.h"
#include "search/search.h"
#include "text/path_globs.h"

namespace codexmem::fleet {

/// The filters of a search, without a snapshot of one repository.
class Filter {
 public:
  /// Errors: kInvalidArgument for an unknown language, and for an empty glob.
  static Result<Filter> make(const search::SearchRequest& request);

  bool is_empty() const { return is_empty_; }
  bool keeps(const FileRow& file) const;
  /// With kinds: true if one of the piece's definitions has one of the kinds.
  bool keeps(const PieceRow& piece) const;

 private:
  bool is_empty_ = true;
  std::vector<std::string> extensions_, languages_, kinds_;
  PathGlobs paths_;
  search::TestFiles tests_ = search::TestFiles::kInclude;
};

struct Question {
  search::Query query;
  search::ExactQuery exact;
  std::optional<search::ExactMatcher> matcher;  // with exact parts
  std::vector<float> vector;                    // empty: the model knows none of its words
  Filter filter;
  // For the visible repositories:
  double files = 1, pieces = 1, average_file = 1, average_piece = 1;
  // For each term of the query: number of files that contain it, as counted by pushes; 0: few or
  // none.
  std::vector<double> counted, counted_in_all;  // in these repositories; in all repositories

  /// Errors: kInvalidArgument as in search::SearchEngine::search(); as the model.
  static Result<Question> make(const search::SearchRequest& request, const View& view,
                               const embed::Embedder& embedder);

  /// Number of files with the term `term` of the query; `seen` files were found to contain it.
  double frequency(std::size_t term, double seen) const { return std::max(counted[term], seen); }
};

}  // namespace codexmem::fleet
