// ask/code/analyze_change.h - analyze_change: what a change touches, and which tests to run.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "ask/arguments.h"
#include "ask/code/tests_to_run.h"
#include "ask/question.h"
#include "base/result.h"
#include "graph/impact.h"
#include "index/change_check.h"
#include "index/changed_symbols.h"
#include "memory/citations.h"

namespace codexmem::ask {

struct AnalyzeChangeParams {
  std::vector<std::string> symbols;  // a change of these; empty: what git sees
  std::string since;                 // a revision; empty: the last commit
  bool is_staged = false;            // up to what is staged, not to the work tree
  std::size_t depth = 2;
  std::size_t max_bytes = 0;

  static AnalyzeChangeParams from_json(const Context& context, const JsonValue& arguments);
};

/// A file that usually changes with a changed one, and does not here.
struct UsualCompanion {
  std::string path;
  std::string of;              // the changed file
  std::size_t commits = 0;     // in which both changed
  std::size_t of_commits = 0;  // in which `of` changed
};

struct AnalyzeChangeAnswer : Answer {
  bool is_of_git = true;  // false: of symbols that the question names
  index::ChangedCode changed;
  std::vector<TestToRun> tests;
  std::vector<std::string> run;  // commands, of the tests that are told
  std::vector<graph::AffectedCode> affected;
  index::ChangeReport check;
  std::vector<UsualCompanion> companions;
  std::vector<memory::CodeNote> notes;
  std::vector<std::string> not_seen;                         // for people
  std::vector<std::pair<std::string, std::size_t>> omitted;  // by part

  Written to_json() const override;
};

/// Errors: kNotFound outside of git, or for a symbol that there is none of; kInvalidArgument for a
/// revision that there is none of, and for symbols with one; those of answer_fresh() and
/// index::check_changes().
Result<AnalyzeChangeAnswer> run(const Context& context, const AnalyzeChangeParams& params);

extern const Question kAnalyzeChange;

}  // namespace codexmem::ask
