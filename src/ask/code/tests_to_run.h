// ask/code/tests_to_run.h - which tests a change should be tried with, and how they are run.
//
// Design: docs/how-it-works.md, "Impact".
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ask/code/change_words.h"
#include "base/result.h"
#include "graph/uses/impact.h"
#include "index/changes/change_history.h"
#include "store/code/code_reader.h"

namespace codexmem::ask {

/// True for a file that a test runner runs, by its path: not for helpers, fixtures and mocks.
bool is_runnable_test(std::string_view path);

/// The words of a file's name without those that mark a test, each once, sorted: the tested
/// subject.
std::vector<std::string> subject_of(std::string_view path);

struct TestToRun {
  std::string path;
  double likelihood = 0;  // that it is of the change: 0 to 1, an estimate
  std::string why;        // for people: the strongest sign
};

/// The known facts of a change.
struct TestEvidence {
  const std::vector<std::string>& changed;  // files, except those with changed comments only
  const graph::Impact& impact;              // of the changes in them
  const std::map<std::string, std::size_t>& importing;       // graph::find_importing_files()
  const std::map<std::string, index::FileHistory>& history;  // of some of `changed`
  const std::vector<std::string>& names;                     // of changed definitions
  const WordScores& words;                                   // score_words()
  const std::vector<std::string>& alike;   // files with the words of the change, best first
  const std::vector<std::string>& broken;  // files in which something is broken
};

/// Indexed tests with a sign that they are of the change, the likeliest first, then by path.
/// Errors: as the store.
Result<std::vector<TestToRun>> rank_tests(store::CodeReader& reader, const TestEvidence& evidence);

/// The commands that run `tests`, from the root: one for each runner and package. Tests whose
/// runner is not known are left out. Errors: the store's.
Result<std::vector<std::string>> test_commands(store::CodeReader& reader,
                                               const std::vector<std::string>& tests);

}  // namespace codexmem::ask
