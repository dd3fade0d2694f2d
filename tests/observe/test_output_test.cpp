#include "observe/work/test_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "support/growth.h"

namespace codexmem::observe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct OutputCase {
  std::string_view name;
  std::string_view output;
  std::string_view runner;
  bool is_red;
  std::size_t passed, failed, skipped;
  std::vector<std::string> names;
  std::vector<std::string> files;
  std::string_view error;
  bool is_build = false;
};

const OutputCase kOutputCases[] = {
    {"counts that any runner may write", "1 passed\n", "", false, 1, 0, 0, {}, {}, ""},
    {"the same next to a runner's own lines",
     "FAILED tests/a.py::test_x - assert 1 == 2\n1 failed\n",
     "pytest",
     true,
     0,
     1,
     0,
     {"tests/a.py::test_x"},
     {"tests/a.py"},
     "assert 1 == 2"},
    {"playwright, green", "  5 passed (2.3s)\n", "playwright", false, 5, 0, 0, {}, {}, ""},
    {"playwright, some skipped",
     "  1 skipped\n  5 passed (2.3s)\n",
     "playwright",
     false,
     5,
     0,
     1,
     {},
     {},
     ""},
    {"pytest red",
     R"(============================= test session starts ==============================
platform linux -- Python 3.11.2, pytest-7.4.0, pluggy-1.2.0
collected 14 items

tests/test_auth.py .F..........                                          [ 85%]
tests/test_user.py F.                                                    [100%]

=================================== FAILURES ===================================
__________________________________ test_login __________________________________

    def test_login():
>       assert login("a") == 200
E       assert 401 == 200
E        +  where 401 = login('a')

tests/test_auth.py:12: AssertionError
=========================== short test summary info ============================
FAILED tests/test_auth.py::test_login - assert 401 == 200
FAILED tests/test_user.py::TestUser::test_name[a b] - KeyError: 'name'
=================== 2 failed, 11 passed, 1 skipped in 0.52s ====================
)",
     "pytest",
     true,
     11,
     2,
     1,
     {"tests/test_auth.py::test_login", "tests/test_user.py::TestUser::test_name[a b]"},
     {"tests/test_auth.py", "tests/test_user.py"},
     "assert 401 == 200"},
    {"pytest green, quiet",
     "..............   [100%]\n14 passed in 0.12s\n",
     "pytest",
     false,
     14,
     0,
     0,
     {},
     {},
     ""},
    {"pytest collection error",
     "ERROR tests/test_x.py - ModuleNotFoundError: No module named 'flask'\n"
     "=== 1 error in 0.10s ===\n",
     "pytest",
     true,
     0,
     1,
     0,
     {"tests/test_x.py"},
     {"tests/test_x.py"},
     "ModuleNotFoundError: No module named 'flask'"},
    {"unittest red",
     "F.\n======\nFAIL: test_add (tests.test_calc.CalcTest)\n------\nTraceback (most recent call "
     "last):\n  File \"t.py\", line 4, in test_add\nAssertionError: 3 != 4\n\nRan 2 tests in "
     "0.001s\n\nFAILED (failures=1)\n",
     "unittest",
     true,
     1,
     1,
     0,
     {"test_add (tests.test_calc.CalcTest)"},
     {"t.py"},
     "AssertionError: 3 != 4"},
    {"unittest green",
     "..\n----\nRan 2 tests in 0.001s\n\nOK\n",
     "unittest",
     false,
     2,
     0,
     0,
     {},
     {},
     ""},
    {"jest red",
     "\x1b[1mFAIL\x1b[22m src/auth.test.ts\n  Auth\n    \xE2\x9C\x93 logs out (2 ms)\n    "
     "\xE2\x9C\x95 logs in (5 ms)\n\n  \xE2\x97\x8F Auth \xE2\x80\xBA logs in\n\n    "
     "expect(received).toBe(expected)\n\n    TypeError: Cannot read properties of undefined\n\n"
     "Test Suites: 1 failed, 1 total\nTests:       1 failed, 5 passed, 6 total\n",
     "jest",
     true,
     5,
     1,
     0,
     {"Auth \xE2\x80\xBA logs in"},
     {"src/auth.test.ts"},
     "TypeError: Cannot read properties of undefined"},
    {"jest green",
     "PASS src/a.test.js\nTests:       6 passed, 6 total\n",
     "jest",
     false,
     6,
     0,
     0,
     {},
     {},
     ""},
    {"vitest red",
     " \xE2\x9D\xAF src/sum.test.ts (2 tests | 1 failed) 4ms\n   \xC3\x97 sum > adds 3ms\n\n FAIL  "
     "src/sum.test.ts > sum > adds\nAssertionError: expected 3 to be 4 // Object.is equality\n\n "
     "Test Files  1 failed (1)\n      Tests  1 failed | 1 passed (2)\n",
     "vitest",
     true,
     1,
     1,
     0,
     {"src/sum.test.ts > sum > adds"},
     {"src/sum.test.ts"},
     "AssertionError: expected 3 to be 4 // Object.is equality"},
    {"mocha red",
     "  Array\n    \xE2\x9C\x94 works\n    1) fails here\n\n  5 passing (10ms)\n  1 failing\n\n  "
     "1) "
     "Array\n       fails here:\n     AssertionError [ERR_ASSERTION]: 1 == 2\n",
     "mocha",
     true,
     5,
     1,
     0,
     {"fails here", "Array"},
     {},
     "AssertionError [ERR_ASSERTION]: 1 == 2"},
    {"node --test",
     "\xE2\x9C\x96 adds (0.61ms)\n  AssertionError [ERR_ASSERTION]: 3 !== 4\n\xE2\x84\xB9 tests "
     "3\n\xE2\x84\xB9 suites 0\n\xE2\x84\xB9 pass 2\n\xE2\x84\xB9 fail 1\n\xE2\x84\xB9 skipped 0\n",
     "node --test",
     true,
     2,
     1,
     0,
     {"adds"},
     {},
     "AssertionError [ERR_ASSERTION]: 3 !== 4"},
    {"go test red",
     "--- FAIL: TestParse (0.00s)\n    parse_test.go:12: got 1, want 2\n--- PASS: TestOther "
     "(0.00s)\nFAIL\nFAIL\texample.com/x/parse\t0.004s\nok  \texample.com/x/other\t(cached)\n",
     "go test",
     true,
     1,
     1,
     0,
     {"TestParse"},
     {"parse_test.go"},
     "got 1, want 2"},
    {"go test green", "ok  \texample.com/x\t0.012s\n", "go test", false, 0, 0, 0, {}, {}, ""},
    {"cargo test red",
     "running 3 tests\ntest tests::adds ... ok\ntest tests::fails ... FAILED\n\nfailures:\n\n---- "
     "tests::fails stdout ----\nthread 'tests::fails' panicked at src/lib.rs:12:9:\nassertion "
     "`left "
     "== right` failed\n  left: 3\n right: 4\n\ntest result: FAILED. 2 passed; 1 failed; 0 "
     "ignored; "
     "0 measured; 0 filtered out; finished in 0.00s\n\nerror: test failed, to rerun pass `--lib`\n",
     "cargo test",
     true,
     2,
     1,
     0,
     {"tests::fails"},
     {"src/lib.rs"},
     "assertion `left == right` failed"},
    {"cargo, several binaries",
     "test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured\ntest result: ok. 5 passed; 0 "
     "failed; 0 ignored; 0 measured\n",
     "cargo test",
     false,
     7,
     0,
     1,
     {},
     {},
     ""},
    {"gtest red",
     "[ RUN      ] Store.Opens\n../tests/store_test.cpp:12: Failure\nExpected equality of these "
     "values:\n  1\n  2\n[  FAILED  ] Store.Opens (0 ms)\n[==========] 5 tests from 1 test suite "
     "ran. (3 ms total)\n[  PASSED  ] 4 tests.\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] "
     "Store.Opens\n\n 1 FAILED TEST\n",
     "gtest",
     true,
     4,
     1,
     0,
     {"Store.Opens"},
     {"../tests/store_test.cpp"},
     "Expected equality of these values: 1 2"},
    {"ctest red",
     "1/3 Test #1: base_test ........   Passed    0.10 sec\n2/3 Test #2: net_test "
     ".........***Failed    0.30 sec\n67% tests passed, 1 tests failed out of 3\n\nThe following "
     "tests FAILED:\n\t  2 - net_test (Failed)\nErrors while running CTest\n",
     "ctest",
     true,
     2,
     1,
     0,
     {"net_test"},
     {},
     ""},
    {"Maven red",
     "[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 1, Time elapsed: 0.05 s <<< FAILURE! "
     "- "
     "in com.x.CalcTest\n[ERROR] com.x.CalcTest.adds  Time elapsed: 0.01 s  <<< FAILURE!\n[ERROR] "
     "Failures: \n[ERROR]   CalcTest.adds:12 expected: <3> but was: <4>\n[INFO] \n[ERROR] Tests "
     "run: "
     "3, Failures: 1, Errors: 0, Skipped: 1\n[INFO] BUILD FAILURE\n",
     "Maven",
     true,
     1,
     1,
     1,
     {"com.x.CalcTest.adds"},
     {},
     "expected: <3> but was: <4>"},
    {"Gradle red",
     "> Task :test FAILED\n\nCalcTest > adds() FAILED\n    org.opentest4j.AssertionFailedError: "
     "expected: <3> but was: <4>\n\n5 tests completed, 1 failed\n\nBUILD FAILED in 2s\n",
     "Gradle",
     true,
     4,
     1,
     0,
     {"CalcTest > adds()"},
     {},
     "org.opentest4j.AssertionFailedError: expected: <3> but was: <4>"},
    {"rspec red",
     "  1) Calc adds\n     Failure/Error: expect(1).to eq(2)\n\n5 examples, 1 failure\n\nFailed "
     "examples:\n\nrspec ./spec/calc_spec.rb:4 # Calc adds\n",
     "rspec",
     true,
     4,
     1,
     0,
     {"Calc adds"},
     {"spec/calc_spec.rb"},
     "expect(1).to eq(2)"},
    {"dotnet red",
     "  Failed Calc.Tests.Adds [5 ms]\n  Error Message:\n   Assert.Equal() Failure\nFailed!  - "
     "Failed:     1, Passed:     4, Skipped:     0, Total:     5, Duration: 12 ms - Calc.dll\n",
     "dotnet test",
     true,
     4,
     1,
     0,
     {"Calc.Tests.Adds"},
     {},
     ""},
    {"PHPUnit red",
     "1) CalcTest::testAdds\nFailed asserting that 3 matches expected 4.\n\nFAILURES!\nTests: 5, "
     "Assertions: 6, Failures: 1.\n",
     "phpunit",
     true,
     4,
     1,
     0,
     {"CalcTest::testAdds"},
     {},
     ""},
    {"gcc",
     "[1/2] Building CXX object a.o\nFAILED: a.o\nsrc/a.cpp:12:5: error: 'x' was not declared in "
     "this scope\nsrc/a.cpp:14:5: error: expected ';'\nninja: build stopped: subcommand failed.\n",
     "compiler",
     true,
     0,
     2,
     0,
     {},
     {"src/a.cpp"},
     "src/a.cpp:12:5: error: 'x' was not declared in this scope",
     true},
    {"tsc",
     "src/a.ts(12,5): error TS2322: Type 'string' is not assignable to type 'number'.\n",
     "tsc",
     true,
     0,
     1,
     0,
     {},
     {"src/a.ts"},
     "src/a.ts(12,5): error TS2322: Type 'string' is not assignable to type 'number'.",
     true},
    {"rustc",
     "error[E0308]: mismatched types\n --> src/main.rs:4:5\nerror: could not compile `x` (bin "
     "\"x\") due to 1 previous error\n",
     "rustc",
     true,
     0,
     1,
     0,
     {},
     {"src/main.rs"},
     "error[E0308]: mismatched types",
     true},
    {"go build",
     "# example.com/x\n./main.go:12:2: undefined: foo\n",
     "go build",
     true,
     0,
     1,
     0,
     {},
     {"./main.go"},
     "./main.go:12:2: undefined: foo",
     true},
    {"eslint",
     "/r/src/a.js\n  1:5  error  'x' is not defined  no-undef\n\n\xE2\x9C\x96 3 problems (2 "
     "errors, 1 warning)\n",
     "eslint",
     true,
     0,
     2,
     0,
     {},
     {},
     "",
     true},
};

TEST(ReadTestOutput, ReadsTheOutputOfRunners) {
  for (const OutputCase& one : kOutputCases) {
    SCOPED_TRACE(one.name);
    const auto run = read_test_output(one.output);
    ASSERT_TRUE(run.has_value());
    EXPECT_EQ(run->runner, one.runner);
    EXPECT_EQ(run->is_red, one.is_red);
    EXPECT_EQ(run->is_build, one.is_build);
    EXPECT_EQ(run->passed, one.passed);
    EXPECT_EQ(run->failed, one.failed);
    EXPECT_EQ(run->skipped, one.skipped);
    EXPECT_EQ(run->failed_names, one.names);
    EXPECT_EQ(run->files, one.files);
    EXPECT_EQ(run->first_error, one.error);
  }
}

TEST(ReadTestOutput, OtherOutputIsIgnored) {
  for (const std::string_view output :
       {"", "total 4\n-rw-r--r-- 1 a a 12 x\n", "1) first\n2) second\n", "OK\n",
        "Already up to date.\n", "added 12 packages in 2s\n", "--> here\n",
        "On branch main\nnothing to commit, working tree clean\n"}) {
    EXPECT_FALSE(read_test_output(output).has_value()) << output;
  }
}

TEST(ReadTestOutput, HostileOutputTakesLinearTime) {
  const auto start = testing::ProcessorClock::now();
  for (const std::string_view part : {"\x1b[", "\x1b]", "1) a", "FAILED a.py::", "\r", "● a › b › ",
                                      "[ERROR] ", "((((", "error: error: ", "1 failed, \n"}) {
    std::string text;
    while (text.size() < (std::size_t{4} << 20)) text += part;
    const auto run = read_test_output(text);
    if (run) {
      EXPECT_LE(run->failed_names.size(), kMaxFailedNames);
      EXPECT_LE(run->first_error.size(), 300U);
    }
  }
  EXPECT_LT(testing::ProcessorClock::now() - start, std::chrono::seconds(20 * CODEXMEM_SLOWNESS));
}

}  // namespace
}  // namespace codexmem::observe
