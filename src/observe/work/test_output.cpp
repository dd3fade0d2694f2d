// A table of lines (test_output_rules.txt): what a runner prints, and its meaning. A row is
// tried where the line has a text that it needs, so most lines cost a few substring searches.
// Numbers of one runner add up (a workspace runs it once a package); when ctest runs gtest
// binaries, ctest's count.
//
// Names that could be anything ("1) something") count only when their runner has reported failures.
//
// Tested by observe/test_output_test.cpp.
#include "observe/work/test_output.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <mutex>

#include "base/ascii.h"
#include "base/result.h"
#include "text/byte_pattern.h"
#include "base/text.h"

// src/observe/test_output_rules.txt, see codexmem_embed_file() in src/observe/CMakeLists.txt.
extern "C" {
extern const char codexmem_test_output_rules[];
extern const char codexmem_test_output_rules_end[];
}

namespace codexmem::observe {
namespace {

constexpr std::size_t kMaxOutputLine = 1'000;
constexpr std::size_t kMaxTestName = 200;
constexpr std::size_t kMaxErrorBytes = 300;

enum class Meaning {
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
  kWeakCounts,  // counts as many runners write them: of this one if other lines are its own
};

// By their numbers.
constexpr std::string_view kMeanings[] = {"failed", "weak-failed", "counts",      "of-total",
                                          "passed", "good",        "bad",         "error",
                                          "file",   "detail",      "next-detail", "weak-counts"};

// Which group of the pattern is what; 0: none.
struct Groups {
  std::size_t name = 0, file = 0, message = 0;
};

struct Rule {
  std::string_view runner;  // empty: only details
  std::string need;         // in the line, as it is
  Meaning meaning = Meaning::kFailed;
  std::string_view pattern;  // at the line's first character that is no blank
  Groups groups = {};

  // Compiled when a line first needs it, for ever.
  const BytePattern& compiled() const {
    std::call_once(once, [this] { kept.emplace(pattern); });
    return *kept;
  }
  mutable std::once_flag once = {};
  mutable std::optional<BytePattern> kept = {};
};

std::deque<Rule> read_rules() {
  const std::string_view data(
      codexmem_test_output_rules,
      static_cast<std::size_t>(codexmem_test_output_rules_end - codexmem_test_output_rules));
  std::deque<Rule> rules;
  for (std::string_view line : split(data, '\n')) {
    if (line.empty() || line[0] == '#') continue;
    std::array<std::string_view, 4> fields;
    for (std::string_view& field : fields) {
      field = line.substr(0, line.find(" | "));
      CODEXMEM_CHECK(field.size() < line.size());
      line.remove_prefix(field.size() + 3);
    }
    const auto [runner, meaning, groups, need] = fields;
    const auto* const row = std::ranges::find(kMeanings, meaning);
    CODEXMEM_CHECK(row != std::end(kMeanings));
    Rule& rule = rules.emplace_back();
    if (runner != "*") rule.runner = runner;
    rule.meaning = static_cast<Meaning>(row - kMeanings);
    rule.groups = {groups.find('n') + 1, groups.find('f') + 1, groups.find('m') + 1};  // npos: 0
    rule.need = need;
    std::ranges::replace(rule.need, '_', ' ');
    rule.pattern = line;
  }
  return rules;
}

// In the order in which they are tried; the first that matches counts.
const std::deque<Rule>& rules() {
  static const std::deque<Rule>& all = *new std::deque<Rule>(read_rules());
  return all;
}

constexpr std::array<std::string_view, 9> kBuilders = {
    "eslint", "tsc", "compiler", "rustc", "go build", "linker", "make", "ninja", "ruff"};

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
  if (is_one_of(word, {"passed", "pass", "passing", "xpassed", "flaky"})) return Word::kPassed;
  if (is_one_of(word, {"failed", "fail", "failing", "failure", "failures", "error", "errors"})) {
    return Word::kFailed;
  }
  if (is_one_of(word, {"skipped", "skip", "skips", "ignored", "pending", "todo", "xfailed"})) {
    return Word::kSkipped;
  }
  if (is_one_of(word, {"tests", "test", "examples", "example", "runs", "run"})) return Word::kTotal;
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
    for (const Rule& rule : rules()) {
      if (line.find(rule.need) == std::string_view::npos) continue;
      std::array<ByteRange, BytePattern::kMaxGroups> groups;
      if (!rule.compiled().match(line, 0, line.size(), groups)) continue;
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
    take_weak_counts();
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

  // Where no line is any runner's own, they are counts of an unknown one.
  void take_weak_counts() {
    for (const auto& [runner, weak] : weak_counts_) {
      const auto own = tallies_.find(runner);
      const bool is_own = own != tallies_.end() && own->second.is_known();
      const bool is_only = std::ranges::none_of(tallies_, [](const auto& row) {
        return !is_builder(row.first) && row.second.is_known();
      });
      if (!is_own && !is_only) continue;
      Tally& tally = tally_of(is_own ? runner : std::string_view());
      tally.has_counts = true;
      tally.passed += weak.passed;
      tally.failed += weak.failed;
      tally.skipped += weak.skipped;
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
    switch (rule.meaning) {
      case Meaning::kFailed: {
        Tally& tally = tally_of(rule.runner);
        if (add_once(tally.names, name, kMaxTestName)) ++tally.failed_lines;
        if (!message.empty()) note_error(message, detail_);
        break;
      }
      case Meaning::kWeakFailed:
        add_once(tally_of(rule.runner).weak_names, name, kMaxTestName);
        break;
      case Meaning::kCounts:
        add_counts(name, tally_of(rule.runner));
        break;
      case Meaning::kWeakCounts:
        add_counts(name, weak_counts_[rule.runner]);
        break;
      case Meaning::kOfTotal: {
        Tally& tally = tally_of(rule.runner);
        add_counts(std::string(first) + " failed", tally);
        add_counts(std::string(second) + " tests", tally);
        break;
      }
      case Meaning::kPassed:
        tally_of(rule.runner).is_good = true;
        ++tally_of(rule.runner).passed_lines;
        break;
      case Meaning::kGood:
        tally_of(rule.runner).is_good = true;
        break;
      case Meaning::kBad:
        tally_of(rule.runner).is_bad = true;
        break;
      case Meaning::kError: {
        Tally& tally = tally_of(rule.runner);
        tally.has_counts = true;
        ++tally.failed;
        note_error(line, error_);
        break;
      }
      case Meaning::kFile:
        break;
      case Meaning::kDetail:
        note_error(message, detail_);
        break;
      case Meaning::kNextDetail:
        if (detail_.empty()) detail_lines_ = 1;
        break;
    }
  }

  std::map<std::string_view, Tally> tallies_, weak_counts_;
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
