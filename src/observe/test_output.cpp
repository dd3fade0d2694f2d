// A table of lines: what a runner prints, and what that tells. A row is tried where a text that it
// needs stands in the line, so most lines cost a few substring searches. Numbers of one runner add
// up (a workspace runs it once a package); when ctest runs gtest binaries, ctest's count.
//
// Names that could be anything ("1) something") count only when their runner has told of failures.
//
// Tested by observe/test_output_test.cpp.
#include "observe/test_output.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <mutex>

#include "base/ascii.h"
#include "text/byte_pattern.h"
#include "base/text.h"

namespace codexmem::observe {
namespace {

constexpr std::size_t kMaxOutputLine = 1'000;
constexpr std::size_t kMaxTestName = 200;
constexpr std::size_t kMaxErrorBytes = 300;

enum class Tells {
  kFailed,      // a test failed: its name, its file, what was wrong
  kWeakFailed,  // likewise, if the runner fails at all
  kCounts,      // "2 failed, 10 passed", "Failures: 1"
  kOfTotal,     // failed, total
  kPassed,      // one test passed
  kGood,        // all is well, without numbers
  kBad,         // something failed, without numbers
  kError,       // an error of a build: file, what
  kFile,        // a file that a failure is about
  kDetail,      // what was wrong
  kNextDetail,  // the next line says what was wrong; group 1 is a file
};

// Which group of the pattern is what; 0: none.
struct Groups {
  std::size_t name = 0, file = 0, message = 0;
};

struct Rule {
  std::string_view runner;
  std::string_view need;  // in the line, as it stands
  Tells tells;
  std::string_view pattern;  // at the line's first character that is no blank
  Groups groups = {};
};

// Lines in the order in which they are tried; the first that matches counts.
constexpr Rule kRules[] = {
    {"pytest",
     ".py",
     Tells::kFailed,
     R"((?:FAILED|ERROR) (([^:\s]+\.py)(?:::.*?)?)(?: - (.*))?$)",
     {1, 2, 3}},
    {"pytest",
     " in ",
     Tells::kCounts,
     R"((?:=+ )?(\d+ (?:passed|failed|errors?|skipped|xfailed|xpassed|deselected|warnings?)\b.*) in [\d.]+ ?s)",
     {1}},
    {"pytest", "E  ", Tells::kDetail, R"(E   +(\S.*))", {0, 0, 1}},
    {"unittest", ": ", Tells::kFailed, R"((?:FAIL|ERROR): ([\w.]+ \([\w.]+\)))", {1}},
    {"unittest", "File ", Tells::kFile, R"x(File "([^"]+\.py)", line \d+, in test)x", {0, 1}},
    {"unittest", "Ran ", Tells::kCounts, R"(Ran (\d+ tests?) in )", {1}},
    {"unittest",
     "FAILED (",
     Tells::kCounts,
     R"(FAILED \(((?:failures|errors|skipped|expected failures)=.*)\))",
     {1}},
    {"vitest",
     "FAIL",
     Tells::kFailed,
     R"(FAIL +(?:\|?[\w-]+\|? +)?((\S+\.(?:[cm]?[jt]sx?|vue|svelte)) > .+))",
     {1, 2}},
    {"jest",
     "FAIL",
     Tells::kFile,
     R"(FAIL +(?:[\w-]+ +)?(\S+\.(?:[cm]?[jt]sx?|vue|svelte))\b)",
     {0, 1}},
    {"jest", "Tests:", Tells::kCounts, R"(Tests: +(\d+ (?:failed|passed|skipped|todo).*))", {1}},
    {"vitest", "Tests ", Tells::kCounts, R"(Tests +(\d+ (?:failed|passed|skipped|todo).*))", {1}},
    {"jest", "● ", Tells::kFailed, R"(● (.+ › .+))", {1}},
    {"jest", "● ", Tells::kBad, R"(● Test suite failed to run)"},
    {"node --test", "ℹ ", Tells::kCounts, R"(ℹ ((?:pass|fail|skipped|todo|cancelled) \d+)$)", {1}},
    {"tap", "# ", Tells::kCounts, R"(# ((?:pass|fail|skipped|todo|cancelled) +\d+)$)", {1}},
    {"node --test", "test at ", Tells::kFile, R"(test at (\S+?):\d+:\d+$)", {0, 1}},
    {"tap", "location: '", Tells::kFile, R"(location: '(\S+?):\d+:\d+'$)", {0, 1}},
    {"tap", "error: '", Tells::kDetail, R"(error: '(.+)'$)", {0, 0, 1}},
    {"tap", "not ok", Tells::kFailed, R"(not ok \d+ (?:- )?(.+))", {1}},
    {"eslint", "problem", Tells::kCounts, R"(✖ \d+ problems? \((\d+ errors?), )", {1}},
    {"jest", "✕ ", Tells::kFailed, R"(✕ (.+?)(?: \([\d.,]+ m?s\))?$)", {1}},
    {"vitest", "× ", Tells::kFailed, R"(× (.+?)(?: [\d.,]+ ?m?s)?$)", {1}},
    {"node --test", "✖ ", Tells::kWeakFailed, R"(✖ (.+?) \([\d.,]+m?s\)$)", {1}},
    {"mocha", " passing", Tells::kCounts, R"((\d+ passing)\b)", {1}},
    {"mocha", " failing", Tells::kCounts, R"((\d+ failing)\b)", {1}},
    {"mocha", " pending", Tells::kCounts, R"((\d+ pending)$)", {1}},
    {"playwright",
     "›",
     Tells::kFailed,
     R"(\d+\) (?:\[\w+\] › )?((\S+?):\d+:\d+ › .+?)[ ─]*$)",
     {1, 2}},
    {"phpunit", "::", Tells::kWeakFailed, R"(\d+\) ([\w\\]+::\w+.*))", {1}},
    {"mocha", ") ", Tells::kWeakFailed, R"(\d+\) (\S.*?):?$)", {1}},
    {"playwright",
     "ed",
     Tells::kCounts,
     R"((\d+ (?:passed|failed|flaky|skipped))(?: \([\d.]+\w+\))?$)",
     {1}},
    {"bun test", " pass", Tells::kCounts, R"((\d+ pass)$)", {1}},
    {"bun test", " fail", Tells::kCounts, R"((\d+ fail)$)", {1}},
    {"bun test", "(fail)", Tells::kFailed, R"(\(fail\) (.+?)(?: \[[\d.]+\w+\])?$)", {1}},
    {"go test", "--- FAIL", Tells::kFailed, R"(--- FAIL: (\S+) \()", {1}},
    {"go test", "--- PASS", Tells::kPassed, R"(--- PASS: \S+ \()"},
    {"go test", "ok ", Tells::kGood, R"(ok  ?\s+\S+\s+(?:\(cached\)|[\d.]+s))"},
    {"go test", "FAIL", Tells::kBad, R"(FAIL\s+\S+\s+(?:[\d.]+s|\[(?:build|setup) failed\]))"},
    {"go test", "_test.go:", Tells::kDetail, R"((\S+_test\.go):\d+: (.+))", {0, 1, 2}},
    {"cargo test", "... FAILED", Tells::kFailed, R"(test (\S.*) \.\.\. FAILED)", {1}},
    {"cargo test", "test result", Tells::kCounts, R"(test result: \w+\. (.*))", {1}},
    {"cargo test",
     "panicked at",
     Tells::kNextDetail,
     R"(thread '.*' (?:\(\d+\) )?panicked at (\S+?\.rs):\d+:\d+:$)",
     {0, 1}},
    {"cargo test",
     "panicked at",
     Tells::kDetail,
     R"(thread '.*' panicked at (.*), (\S+?\.rs):\d+:\d+$)",
     {0, 2, 1}},
    {"cargo test", "FAIL [", Tells::kFailed, R"(FAIL \[ *[\d.]+s\] (?:\(.*?\) )?(.+))", {1}},
    {"cargo test", "Summary [", Tells::kCounts, R"(Summary \[ *[\d.]+s\] (\d+.*))", {1}},
    {"gtest",
     "FAILED  ]",
     Tells::kFailed,
     R"(\[  FAILED  \] (\w\S*\.[^,\s]+)(?:, where .*?)?(?: \(\d+ ms\))?$)",
     {1}},
    {"gtest", "PASSED  ]", Tells::kCounts, R"(\[  PASSED  \] (\d+) tests?)", {1}},
    {"gtest", "SKIPPED ]", Tells::kCounts, R"(\[  (SKIPPED \] \d+) tests?)", {1}},
    {"gtest", ": Failure", Tells::kNextDetail, R"((\S+\.\w+):\d+: Failure$)", {0, 1}},
    {"ctest", "tests failed", Tells::kOfTotal,
     R"(\d+% tests passed, (\d+) tests? failed out of (\d+))"},
    {"ctest", "***", Tells::kWeakFailed, R"(\d+/\d+ Test +#\d+: (\S+) \.*\*\*\*)", {1}},
    {"ctest",
     " - ",
     Tells::kWeakFailed,
     R"(\d+ - (\S+) \((?:Failed|Timeout|SEGFAULT|ILLEGAL|BUS|Subprocess.*|Not Run)\))",
     {1}},
    {"Maven",
     "Tests run:",
     Tells::kCounts,
     R"((?:\[\w+\] )?(Tests run: \d+, Failures: \d+, Errors: \d+(?:, Skipped: \d+)?)$)",
     {1}},
    {"Maven",
     "<<<",
     Tells::kFailed,
     R"(\[ERROR\] +(\S+) +(?:-- )?Time elapsed: .* <<< (?:FAILURE|ERROR)!)",
     {1}},
    {"Maven",
     "[ERROR]",
     Tells::kDetail,
     R"(\[ERROR\] +\w[\w$]*\.\w+:\d+(?:->\S+)? (.+))",
     {0, 0, 1}},
    {"Maven", ".java:[", Tells::kError, R"(\[ERROR\] +(\S+\.java):\[\d+,\d+\] (.+))", {0, 1, 2}},
    {"Maven", "BUILD ", Tells::kBad, R"(\[INFO\] BUILD FAILURE)"},
    {"Maven", "BUILD ", Tells::kGood, R"(\[INFO\] BUILD SUCCESS)"},
    {"Gradle", " FAILED", Tells::kFailed, R"(([A-Z]\w+ > .+) FAILED$)", {1}},
    {"Gradle", "completed", Tells::kCounts, R"((\d+ tests?) completed(, .*))", {1}},
    {"Gradle", "completed", Tells::kCounts, R"(\d+ tests? completed, (\d+ failed.*))", {1}},
    {"Gradle", "BUILD ", Tells::kBad, R"(BUILD FAILED in )"},
    {"Gradle", "BUILD ", Tells::kGood, R"(BUILD SUCCESSFUL in )"},
    {"rspec", "example", Tells::kCounts, R"((\d+ examples?, \d+ failures?.*))", {1}},
    {"rspec", "rspec ", Tells::kFailed, R"(rspec (?:\./)?(\S+?\.rb)\S* # (.+))", {2, 1}},
    {"rspec", "Failure/Error", Tells::kDetail, R"(Failure/Error: (.+))", {0, 0, 1}},
    {"minitest", "assertions", Tells::kCounts, R"((\d+ (?:runs|tests), \d+ assertions, .*))", {1}},
    {"phpunit", "Assertions:", Tells::kCounts, R"((Tests: \d+, Assertions: .*))", {1}},
    {"phpunit", "OK (", Tells::kCounts, R"(OK \((\d+ tests?), \d+ assertions?\))", {1}},
    {"dotnet test",
     "Total:",
     Tells::kCounts,
     R"((?:Failed|Passed)! +- +(Failed: .*), Total: +\d+)",
     {1}},
    {"dotnet test", "Failed ", Tells::kWeakFailed, R"(Failed (\S+) \[)", {1}},

    {"tsc",
     "error TS",
     Tells::kError,
     R"((\S+?)(?:\(\d+,\d+\):|:\d+:\d+ -) error (TS\d+: .+))",
     {0, 1, 2}},
    {"compiler", ": error", Tells::kError, R"((\S+?)\(\d+(?:,\d+)?\): error (\w+: .+))", {0, 1, 2}},
    {"compiler",
     "error: ",
     Tells::kError,
     R"(((?:[A-Za-z]:)?[^:\s]+\.\w+):\d+(?::\d+)?: (?:fatal )?error: (.+))",
     {0, 1, 2}},
    {"rustc", "error[", Tells::kError, R"(error\[E\d+\]: (.+))", {0, 0, 1}},
    {"rustc", "-->", Tells::kFile, R"(--> (\S+?\.rs):\d+:\d+)", {0, 1}},
    {"rustc", "could not compile", Tells::kBad, R"(error: could not compile )"},
    {"go build", ".go:", Tells::kError, R"((?:vet: )?(\S+\.go):\d+:\d+: (.+))", {0, 1, 2}},
    {"linker", "undefined reference", Tells::kError, R"(.*(undefined reference to .+))", {0, 0, 1}},
    {"linker", "ld returned", Tells::kBad, R"(collect2: error: ld returned)"},
    {"make", "***", Tells::kBad, R"(make(?:\[\d+\])?: \*\*\* )"},
    {"ninja", "build stopped", Tells::kBad, R"(ninja: build stopped)"},
    {"ruff", "Found ", Tells::kCounts, R"(Found (\d+ errors?)\b)", {1}},

    {"",
     "rror",
     Tells::kDetail,
     R"(((?:Uncaught )?[A-Za-z_][\w.]*(?:Error|Exception)(?: \[\w+\])?: .+))",
     {0, 0, 1}},
    {"", "panic: ", Tells::kDetail, R"((panic: .+))", {0, 0, 1}},
};
constexpr std::size_t kRuleCount = std::size(kRules);

constexpr std::array<std::string_view, 9> kBuilders = {
    "eslint", "tsc", "compiler", "rustc", "go build", "linker", "make", "ninja", "ruff"};

// Compiled when a line first needs it, for ever.
const BytePattern& pattern_of(std::size_t rule) {
  struct Slot {
    std::once_flag once;
    std::unique_ptr<BytePattern> pattern;
  };
  static std::array<Slot, kRuleCount> slots;
  Slot& slot = slots[rule];
  std::call_once(slot.once,
                 [&] { slot.pattern = std::make_unique<BytePattern>(kRules[rule].pattern); });
  return *slot.pattern;
}

struct Tally {
  std::size_t passed = 0, failed = 0, skipped = 0, total = 0;
  std::size_t passed_lines = 0, failed_lines = 0;
  bool has_counts = false, is_good = false, is_bad = false;
  std::vector<std::string> names, weak_names;

  bool is_known() const { return has_counts || is_good || is_bad || !names.empty(); }
  bool is_red() const { return failed > 0 || is_bad || !names.empty(); }
};

enum class Word { kNone, kPassed, kFailed, kSkipped, kTotal };

Word word_class(std::string_view word) {
  const auto is_one_of = [&](std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  if (is_one_of({"passed", "pass", "passing", "xpassed", "flaky"})) return Word::kPassed;
  if (is_one_of({"failed", "fail", "failing", "failure", "failures", "error", "errors"})) {
    return Word::kFailed;
  }
  if (is_one_of({"skipped", "skip", "skips", "ignored", "pending", "todo", "xfailed"})) {
    return Word::kSkipped;
  }
  if (is_one_of({"tests", "test", "examples", "example", "runs", "run"})) return Word::kTotal;
  return Word::kNone;
}

void add(Word word, std::size_t number, Tally& tally) {
  switch (word) {
    case Word::kPassed:
      tally.passed += number;
      break;
    case Word::kFailed:
      tally.failed += number;
      break;
    case Word::kSkipped:
      tally.skipped += number;
      break;
    case Word::kTotal:
      tally.total += number;
      break;
    case Word::kNone:
      break;
  }
}

// "2 failed, 10 passed" where numbers come first; "Failures: 1, Errors: 0" where words do.
void add_counts(std::string_view text, Tally& tally) {
  tally.has_counts = true;
  const bool numbers_first = !text.empty() && is_digit(text[0]);
  std::optional<std::size_t> number;
  Word word = Word::kNone;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    std::size_t end = i + 1;
    if (is_digit(c)) {
      std::size_t value = 0;
      for (end = i; end < text.size() && is_digit(text[end]); ++end) {
        value = std::min<std::size_t>(value * 10 + static_cast<std::size_t>(text[end] - '0'),
                                      100'000'000);
      }
      if (numbers_first) {
        number = value;
      } else {
        add(word, value, tally);
        word = Word::kNone;
      }
    } else if (is_letter(c)) {
      while (end < text.size() && is_letter(text[end])) ++end;
      const Word found = word_class(to_lower_ascii(text.substr(i, end - i)));
      if (!numbers_first) {
        word = found;
      } else if (number) {
        add(found, *number, tally);
        number.reset();
      }
    }
    i = end;
  }
  // gtest names the number alone.
  if (numbers_first && number && text.find(' ') == std::string_view::npos) tally.passed += *number;
}

bool add_once(std::vector<std::string>& names, std::string_view name, std::size_t max_bytes) {
  name = utf8_prefix(trim(name), max_bytes);
  if (name.empty() || names.size() >= kMaxFailedNames) return false;
  // Runners list a failure where it happens and again at the end, with its suite before it.
  for (std::string& known : names) {
    if (known.ends_with(name)) return false;
    if (name.ends_with(known)) {
      known = name;
      return false;
    }
  }
  names.emplace_back(name);
  return true;
}

class Reader {
 public:
  void read_line(std::string_view line) {
    std::size_t begin = 0;
    while (begin < line.size() && (line[begin] == ' ' || line[begin] == '\t')) ++begin;
    line = utf8_prefix(line.substr(begin), kMaxOutputLine);
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
    if (line.empty()) return;
    if (detail_lines_ > 0) take_detail(line);
    if (line == "OK" || line.starts_with("OK (skipped")) {
      if (const auto found = tallies_.find("unittest"); found != tallies_.end()) {
        found->second.is_good = true;
      }
      return;
    }
    for (std::size_t n = 0; n < kRuleCount; ++n) {
      const Rule& rule = kRules[n];
      if (line.find(rule.need) == std::string_view::npos) continue;
      std::array<ByteRange, BytePattern::kMaxGroups> groups;
      if (!pattern_of(n).match(line, 0, line.size(), groups)) continue;
      const auto group = [&](std::size_t which) {
        return which == 0
                   ? std::string_view()
                   : line.substr(groups[which].begin, groups[which].end - groups[which].begin);
      };
      take(rule, line, group(rule.groups.name), group(rule.groups.file), group(rule.groups.message),
           group(1), group(2));
      return;
    }
  }

  std::optional<TestRun> finish() {
    if (tallies_.count("ctest") > 0 && tallies_["ctest"].has_counts) tallies_.erase("gtest");
    // `make` and `ninja` only repeat that something before them failed.
    TestRun run;
    bool tests = false, builds = false;
    for (auto& [runner, tally] : tallies_) {
      if (!is_builder(runner) && tally.is_known()) tests = true;
      if (is_builder(runner) && tally.is_known()) builds = true;
    }
    if (!tests && !builds) return std::nullopt;
    run.is_build = builds && (!tests || !is_any_red(/*builder=*/false));
    if (run.is_build && tests && !is_any_red(/*builder=*/true)) run.is_build = false;
    for (const std::string_view runner : order_) {
      Tally& tally = tallies_[runner];
      if (!tally.is_known() || is_builder(runner) != run.is_build) continue;
      if (run.runner.empty() || run.runner == "make" || run.runner == "ninja") run.runner = runner;
      settle(runner, tally);
      run.has_counts |= tally.has_counts;
      run.is_red |= tally.is_red();
      run.passed += tally.passed;
      run.failed += tally.failed;
      run.skipped += tally.skipped;
      for (const std::string& name : tally.names) add_once(run.failed_names, name, kMaxTestName);
      if (tally.is_red()) {
        for (const std::string& name : tally.weak_names) {
          add_once(run.failed_names, name, kMaxTestName);
        }
      }
    }
    if (run.is_red) {
      run.files = std::move(files_);
      run.first_error = !error_.empty() ? std::move(error_) : std::move(detail_);
    }
    return run;
  }

 private:
  static bool is_builder(std::string_view runner) {
    return std::find(kBuilders.begin(), kBuilders.end(), runner) != kBuilders.end();
  }
  bool is_any_red(bool builder) const {
    return std::any_of(tallies_.begin(), tallies_.end(), [&](const auto& row) {
      return is_builder(row.first) == builder && row.second.is_known() && row.second.is_red();
    });
  }

  static void settle(std::string_view runner, Tally& tally) {
    if (!tally.has_counts && (tally.passed_lines > 0 || tally.failed_lines > 0) &&
        runner == "go test") {
      tally.has_counts = true;
      tally.passed = tally.passed_lines;
      tally.failed = tally.failed_lines;
    }
    tally.failed = std::max(tally.failed, tally.names.size());
    if (tally.passed == 0 && tally.total > tally.failed + tally.skipped) {
      tally.passed = tally.total - tally.failed - tally.skipped;
    }
  }

  Tally& tally_of(std::string_view runner) {
    const auto [found, is_new] = tallies_.try_emplace(runner);
    if (is_new) order_.push_back(runner);
    return found->second;
  }

  // "Expected equality of these values:" goes on for two lines.
  void take_detail(std::string_view line) {
    --detail_lines_;
    if (detail_.empty() && line.ends_with(':')) detail_lines_ = 2;
    if (!detail_.empty()) detail_ += ' ';
    detail_ += utf8_prefix(trim(line), kMaxErrorBytes / 3);
  }

  static void note_error(std::string_view text, std::string& into) {
    if (into.empty()) into = utf8_prefix(trim(text), kMaxErrorBytes);
  }

  void take(const Rule& rule, std::string_view line, std::string_view name, std::string_view file,
            std::string_view message, std::string_view first, std::string_view second) {
    if (!file.empty()) add_once(files_, file, kMaxTestName);
    switch (rule.tells) {
      case Tells::kFailed: {
        Tally& tally = tally_of(rule.runner);
        if (add_once(tally.names, name, kMaxTestName)) ++tally.failed_lines;
        if (!message.empty()) note_error(message, detail_);
        break;
      }
      case Tells::kWeakFailed:
        add_once(tally_of(rule.runner).weak_names, name, kMaxTestName);
        break;
      case Tells::kCounts:
        add_counts(name, tally_of(rule.runner));
        break;
      case Tells::kOfTotal: {
        Tally& tally = tally_of(rule.runner);
        add_counts(std::string(first) + " failed", tally);
        add_counts(std::string(second) + " tests", tally);
        break;
      }
      case Tells::kPassed:
        tally_of(rule.runner).is_good = true;
        ++tally_of(rule.runner).passed_lines;
        break;
      case Tells::kGood:
        tally_of(rule.runner).is_good = true;
        break;
      case Tells::kBad:
        tally_of(rule.runner).is_bad = true;
        break;
      case Tells::kError: {
        Tally& tally = tally_of(rule.runner);
        tally.has_counts = true;
        ++tally.failed;
        note_error(line, error_);
        break;
      }
      case Tells::kFile:
        break;
      case Tells::kDetail:
        note_error(message, detail_);
        break;
      case Tells::kNextDetail:
        if (detail_.empty()) detail_lines_ = 1;
        break;
    }
  }

  std::map<std::string_view, Tally> tallies_;
  std::vector<std::string_view> order_;  // in which runners were first seen
  std::vector<std::string> files_;
  std::string error_, detail_;  // of builds, of tests
  int detail_lines_ = 0;        // that follow
};

}  // namespace

std::string plain_terminal_text(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\x1b') {
      // CSI: up to a final byte @ to ~. OSC: up to BEL or ESC. Else one byte.
      if (i + 1 < text.size() && text[i + 1] == '[') {
        for (i += 2; i < text.size() && (text[i] < '@' || text[i] > '~'); ++i) {
        }
      } else if (i + 1 < text.size() && text[i + 1] == ']') {
        for (i += 2; i < text.size() && text[i] != '\a' && text[i] != '\x1b'; ++i) {
        }
        if (i < text.size() && text[i] == '\x1b') ++i;
      } else {
        ++i;
      }
    } else if (c == '\r') {
      if (i + 1 < text.size() && text[i + 1] != '\n') plain += '\n';
    } else {
      plain += c;
    }
  }
  return plain;
}

std::optional<TestRun> read_test_output(std::string_view output) {
  std::string joined;
  if (output.size() > kMaxOutputBytes) {
    joined = output.substr(0, kMaxOutputBytes / 2);
    joined += '\n';
    joined += output.substr(output.size() - kMaxOutputBytes / 2);
    output = joined;
  }
  const std::string plain = plain_terminal_text(output);
  Reader reader;
  for (std::size_t begin = 0; begin < plain.size();) {
    std::size_t end = plain.find('\n', begin);
    if (end == std::string::npos) end = plain.size();
    reader.read_line(std::string_view(plain).substr(begin, end - begin));
    begin = end + 1;
  }
  return reader.finish();
}

}  // namespace codexmem::observe
