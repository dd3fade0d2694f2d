// fleet/question.h - a question to the fleet, and which files may answer it. Immutable once made.
// Design: docs/design/fleet.md.
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

/// What a search's filters say, without a snapshot of one repository.
class Filter {
 public:
  /// Errors: kInvalidArgument for an unknown language, and for a glob that names nothing.
  static Result<Filter> make(const search::SearchRequest& request);

  bool is_empty() const { return is_empty_; }
  bool keeps(const FileRow& file) const;
  /// With kinds: whether one of the piece's definitions is of them.
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
  std::vector<float> vector;                    // empty: no word of it is known to the model
  Filter filter;
  // Of the repositories that may be seen:
  double files = 1, pieces = 1, average_file = 1, average_piece = 1;
  // By term of the query: files that have it, as pushes counted them; 0: few or none.
  std::vector<double> counted, counted_in_all;  // of these repositories; of all that there are

  /// Errors: kInvalidArgument as search::SearchEngine::search() has them; those of the model.
  static Result<Question> make(const search::SearchRequest& request, const View& view,
                               const embed::Embedder& embedder);

  /// How many files have the term `term` of the query, of which `seen` were found to.
  double frequency(std::size_t term, double seen) const { return std::max(counted[term], seen); }
};

}  // namespace codexmem::fleet
