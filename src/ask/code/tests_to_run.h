// ask/code/tests_to_run.h - which tests a change should be tried with, and how they are run.
//
// Design: docs/design/impact.md, "Tests".
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/impact.h"
#include "index/change_history.h"
#include "store/code/code_reader.h"

namespace codexmem::ask {

/// True for a file that a test runner runs, by its path: not for helpers, fixtures and mocks.
bool is_runnable_test(std::string_view path);

struct TestToRun {
  std::string path;
  double likelihood = 0;  // that it runs what has changed: 0 to 1, an estimate
  std::string why;        // for people: the strongest sign
};

/// What is known of a change.
struct TestEvidence {
  const std::vector<std::string>& changed;  // files, but those of which only comments have changed
  const graph::Impact& impact;              // of what has changed in them
  const std::map<std::string, std::size_t>& importing;       // graph::find_importing_files()
  const std::map<std::string, index::FileHistory>& history;  // of some of `changed`
  const std::vector<std::string>& alike;   // files with the words of the change, best first
  const std::vector<std::string>& broken;  // files in which something is broken
};

/// Indexed tests that may run what has changed, the likeliest first, then by path. Errors: those of
/// the store.
Result<std::vector<TestToRun>> rank_tests(store::CodeReader& reader, const TestEvidence& evidence);

/// The commands that run `tests`, from the root: one for each runner and package. Tests whose
/// runner is not known are left out. Errors: those of the store.
Result<std::vector<std::string>> test_commands(store::CodeReader& reader,
                                               const std::vector<std::string>& tests);

}  // namespace codexmem::ask
