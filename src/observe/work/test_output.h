// observe/work/test_output.h - what the output of a test run or a build says: green or red, and of
// what.
//
// Knows pytest, unittest, jest, vitest, mocha, node --test, TAP, bun, playwright, go test, cargo
// (and nextest), gtest, ctest, Maven, Gradle, rspec, minitest, PHPUnit, dotnet, and the errors of
// compilers, type checkers and linters. Pure and thread-safe; linear in the text, of which the
// begin and the end are read when it is long. Design: docs/how-it-works.md, "Observations".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace codexmem::observe {

inline constexpr std::size_t kMaxOutputBytes = std::size_t{1} << 20;  // of one output, are read
inline constexpr std::size_t kMaxFailedNames = 20;

struct TestRun {
  std::string runner;     // "pytest", "go test", "compiler", ...
  bool is_build = false;  // a compiler, type checker or linter: `failed` counts errors
  bool is_red = false;
  bool has_counts = false;  // else it is only known that it was green or red
  std::size_t passed = 0, failed = 0, skipped = 0;
  std::vector<std::string> failed_names;  // each once, at most kMaxFailedNames
  std::vector<std::string> files;         // that failures name, as written; each once, likewise
  std::string first_error;                // one line; empty: none was seen
};

/// The results in `output`, escape sequences of terminals left out; nothing when it is the output
/// of no test run and no build.
std::optional<TestRun> read_test_output(std::string_view output);

/// `text` without the escape sequences that colour it; a carriage return ends a line.
std::string plain_terminal_text(std::string_view text);

}  // namespace codexmem::observe
