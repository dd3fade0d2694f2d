// ask/code/locate.h - locate: from an issue, a traceback, a log or a failing test's output to the
// functions that it is about.
#pragma once

#include <cstddef>

#include "ask/budget.h"
#include "ask/question.h"
#include "base/result.h"
#include "search/search.h"

namespace codexmem::ask {

/// The longest text, in code points.
inline constexpr int kMaxLocateText = 20'000;

struct LocateParams {
  search::LocateRequest request;
  std::size_t max_bytes = 0;  // of the answer's JSON
};

/// Functions best first. Those that do not fit are cut from the end.
struct LocateAnswer : Answer {
  search::LocateAnswer found;

  Written to_json() const override;
};

/// Errors: the search's and answer_fresh().
Result<LocateAnswer> run(const Context& context, const LocateParams& params);

extern const Question kLocate;

}  // namespace codexmem::ask
