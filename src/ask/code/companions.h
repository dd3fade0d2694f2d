// ask/code/companions.h - the files that are likely to change with a change.
//
// Design: docs/how-it-works.md, "Impact".
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ask/code/change_words.h"
#include "base/result.h"
#include "index/changes/change_history.h"
#include "store/code/code_reader.h"

namespace codexmem::ask {

/// A file that is likely to change with a changed one.
struct UsualCompanion {
  std::string path;
  double likelihood = 0;       // 0 to 1, an estimate
  std::string why;             // for people: the strongest sign
  std::string of;              // the changed file; "" with no commits
  std::size_t commits = 0;     // in which both changed
  std::size_t of_commits = 0;  // in which `of` changed
};

/// The known facts of a change.
struct CompanionEvidence {
  const std::vector<std::string>& changed;                   // files
  const WordScores& words;                                   // score_words()
  const std::map<std::string, index::FileHistory>& history;  // of some of `changed`
};

/// Which companions are wanted.
struct CompanionLimits {
  std::size_t most = 10;
  double least = 0.02;                                     // likelihood
  std::function<bool(const std::string& path)> is_wanted;  // asked of the likeliest first
};

/// Files, indexed or known to history, that may change with `changed`, the likeliest first, then by
/// path; the files in `changed` are left out, and files of the history may be gone. Errors: the
/// store's.
Result<std::vector<UsualCompanion>> rank_companions(store::CodeReader& reader,
                                                    const CompanionEvidence& evidence,
                                                    const CompanionLimits& limits);

}  // namespace codexmem::ask
