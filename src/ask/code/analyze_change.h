// ask/code/analyze_change.h - analyze_change: what a change touches, and which tests to run.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "ask/budget.h"
#include "ask/code/companions.h"
#include "ask/code/tests_to_run.h"
#include "ask/question.h"
#include "base/result.h"
#include "graph/uses/impact.h"
#include "index/changes/change_check.h"
#include "index/changes/changed_symbols.h"
#include "memory/entries/citations.h"

namespace codexmem::ask {

struct AnalyzeChangeParams {
  std::vector<std::string> symbols;  // a change of these; empty: what git sees
  std::string since;                 // a revision; empty: the last commit
  std::string until = {};            // a revision; empty: the work tree, or staged
  bool is_staged = false;            // compares with the index of git, not the work tree
  std::size_t depth = 2;
  std::size_t max_bytes = 0;
};

struct AnalyzeChangeAnswer : Answer {
  bool is_of_git = true;  // false: of symbols that the question names
  index::ChangedCode changed;
  std::vector<TestToRun> tests;
  std::vector<std::string> run;                // commands that run `tests`
  std::vector<std::string> less_likely_tests;  // the likeliest first
  std::vector<graph::AffectedCode> affected;
  graph::UseAccount account;  // of the symbols that change, summed
  index::ChangeReport check;
  std::vector<UsualCompanion> companions;
  std::vector<memory::CodeNote> notes;
  std::vector<std::string> meetings;  // with the changes of other worktrees, for people
  std::vector<std::string> not_seen;  // for people
  Omitted omitted;                    // by part

  Written to_json() const override;
};

/// Errors: kNotFound outside of git, or for a symbol that does not exist; kInvalidArgument for a
/// revision that there is none of, and for symbols with one; as answer_fresh() and
/// index::check_changes().
Result<AnalyzeChangeAnswer> run(const Context& context, const AnalyzeChangeParams& params);

extern const Question kAnalyzeChange;

}  // namespace codexmem::ask
