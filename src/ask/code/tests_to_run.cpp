// Signs that a test is of the change add up as the logarithm of odds. The weights were fitted to
// 420 commits of 21 repositories that changed code and tests, and tried on others
// (bench/impact.md).
//
// Tested by git/impact_test.py; measured by bench/impact.
#include "ask/code/tests_to_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "base/path.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "config/path_kind.h"
#include "text/json_value.h"
#include "text/words.h"

namespace codexmem::ask {
namespace {

constexpr double kTestUsual = -6.6;  // for every test
// A use, as a chance that the test runs the used code; of many users each is one of many.
constexpr double kSureUse = 0.9, kLikelyUse = 0.5, kNamedUse = 0.2;
constexpr double kFurtherUse = 0.5;           // for each step
constexpr double kManyUsers = 0.25;           // for each doubling of the users of one thing
constexpr double kUses = 0.62, kMaxUses = 5;  // of -log(1 - chance)
constexpr std::array<double, 4> kImport = {0, 0.57, 0.37, 0.25};  // by steps
constexpr double kSameName = 0.68, kLikeName = 1.03, kSymbolNames = 0.64, kFolderBelow = 0.31;
constexpr double kTogether = 0.43, kTestNoShare = 1e-3;  // of shared commits
constexpr double kTestLately = 0.97;
constexpr double kTestRareWord = 1.61, kTestWords = 1.03;
constexpr double kTestAlike = 2.31, kAlikeEach = 0.85;  // the first, and each further one less
constexpr double kUseSaysMore = 2;                      // than that the words are there
constexpr double kBroken = 3;                           // (fitted 1.5, from few)
constexpr double kCertain = std::numeric_limits<double>::infinity();

std::string_view extension_of(std::string_view path) {
  const std::string_view name = file_name(path);
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(dot);
}

bool is_listed(std::string_view text, std::string_view list) {
  for (const std::string_view one : split(list, ',')) {
    if (one == text) return true;
  }
  return false;
}

constexpr std::string_view kScript = ".js,.jsx,.mjs,.cjs,.ts,.tsx,.mts,.cts,.vue,.svelte";
constexpr std::string_view kNative = ".c,.cc,.cpp,.cxx,.h,.hh,.hpp";

// Languages that test each other's files.
std::string_view kind_of(std::string_view path) {
  const std::string_view extension = extension_of(path);
  if (is_listed(extension, kScript)) return kScript;
  return is_listed(extension, kNative) ? kNative : extension;
}

std::string stem_of(std::string_view path) {
  const std::string_view name = file_name(path);
  return std::string(name.substr(0, name.find('.', 1)));
}

// True for a file in __tests__ whose name does not say that it is a test: where other names do, it
// helps them.
bool is_unmarked(std::string_view path) {
  const std::string name = to_lower_ascii(file_name(path));
  return is_listed(extension_of(path), kScript) && name.find("test") == std::string::npos &&
         name.find("spec") == std::string::npos;
}

// Signs that a test is of the change.
class Signs {
 public:
  // `why` is empty for a sign that is no reason by itself; `more` makes it a better one than
  // others.
  void add(const std::string& test, double points, const std::string& why, double more = 0) {
    Sign& sign = signs_[test];
    sign.sum += points;
    if ((points + more > sign.strongest || sign.why.empty()) && !why.empty()) {
      sign.strongest = points + more;
      sign.why = why;
    }
  }
  std::vector<TestToRun> take(bool names_are_marked) const {
    std::vector<TestToRun> tests;
    for (const auto& [path, sign] : signs_) {
      if (sign.why.empty() || (names_are_marked && is_unmarked(path))) continue;
      tests.push_back({path, 1 / (1 + std::exp(-sign.sum)), sign.why});
    }
    std::ranges::sort(tests, [](const TestToRun& a, const TestToRun& b) {
      return std::tie(b.likelihood, a.path) < std::tie(a.likelihood, b.path);
    });
    return tests;
  }

 private:
  struct Sign {
    double sum = kTestUsual, strongest = 0;
    std::string why;
  };
  std::map<std::string, Sign> signs_;
};

void add_uses(const graph::Impact& impact, Signs& signs) {
  std::map<std::string, std::set<std::string>> tests_of;  // by what they use
  for (const graph::AffectedCode& code : impact.code) {
    if (is_runnable_test(code.path)) tests_of[code.via].insert(code.path);
  }
  struct Uses {
    double doubt = 0, strongest = 0;
    std::string why;
  };
  std::map<std::string, Uses> uses;                       // by test
  std::set<std::pair<std::string, std::string>> counted;  // a test's many uses of one thing are one
  for (const graph::AffectedCode& code : impact.code) {
    if (!is_runnable_test(code.path) || !counted.emplace(code.path, code.via).second) continue;
    double chance = code.confidence == graph::Confidence::kResolved ? kSureUse
                    : code.confidence == graph::Confidence::kLikely ? kLikelyUse
                                                                    : kNamedUse;
    chance *= std::pow(kFurtherUse, static_cast<double>(code.depth - 1));
    chance /= 1 + kManyUsers * std::log2(static_cast<double>(tests_of[code.via].size()));
    Uses& of_test = uses[code.path];
    of_test.doubt -= std::log1p(-chance);
    if (chance <= of_test.strongest) continue;
    of_test.strongest = chance;
    of_test.why = code.depth == 1 ? fmt::format("uses {}", code.via)
                                  : fmt::format("uses {}, {} steps away", code.via, code.depth);
  }
  for (const auto& [path, of_test] : uses) {
    signs.add(path, kUses * std::min(kMaxUses, of_test.doubt), of_test.why, kUseSaysMore);
  }
}

void add_history(const std::map<std::string, index::FileHistory>& history, Signs& signs) {
  std::map<std::string, std::pair<double, std::string>> together;  // by test; and why
  for (const auto& [path, of_file] : history) {
    for (const index::ChangedFile& other : of_file.together) {
      if (!is_runnable_test(other.path) || other.commits < 2) continue;  // once may be the import
      const double points =
          kTogether * std::log1p(other.weight / (of_file.weight + 0.3) / kTestNoShare);
      auto& best = together[other.path];
      if (points <= best.first) continue;
      best = {points, fmt::format("changed with {} in {} of {} commits", path, other.commits,
                                  of_file.commits)};
    }
  }
  for (const auto& [path, best] : together) signs.add(path, best.first, best.second);
  if (history.empty()) return;
  for (const auto& [path, sum] : history.begin()->second.lately) {
    if (is_runnable_test(path)) signs.add(path, kTestLately * std::log1p(sum), "");
  }
}

// The nearest folder above `path`, or the root, that holds `name` among the indexed files.
Result<std::optional<std::string>> folder_with(store::CodeReader& reader, std::string_view path,
                                               std::string_view name) {
  for (std::string folder(folder_of(path));; folder = std::string(folder_of(folder))) {
    const std::string file = folder.empty() ? std::string(name) : folder + "/" + std::string(name);
    CODEXMEM_ASSIGN(const auto row, reader.find_file(file));
    if (row) return std::optional(folder);
    if (folder.empty()) return std::optional<std::string>();
  }
}

Result<std::string> text_of(store::CodeReader& reader, const std::string& path) {
  CODEXMEM_ASSIGN(const auto row, reader.find_file(path));
  if (!row) return std::string();
  CODEXMEM_ASSIGN(auto text, reader.find_content(row->id));
  return std::move(text).value_or("");
}

std::string in_folder(const std::string& folder, std::string_view name) {
  return folder.empty() ? std::string(name) : folder + "/" + std::string(name);
}

// Whether `text` has `word` between characters that no name of a program has.
bool has_word(std::string_view text, std::string_view word) {
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.' || c == '/' || c == '*';
  };
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end]))) {
      return true;
    }
  }
  return false;
}

// What a package.json runs tests with.
struct ScriptRunner {
  std::string folder;   // that it runs in
  std::string command;  // takes paths of files behind it; empty: none is known
};

constexpr std::string_view kScriptRunners[] = {"vitest",  "jest", "mocha", "ava",
                                               "jasmine", "tap",  "borp"};

// The runner that the nearest package.json with a known one needs: its scripts of tests, then what
// it depends on.
Result<ScriptRunner> script_runner(store::CodeReader& reader, std::string_view path) {
  for (std::string from(path);;) {
    CODEXMEM_ASSIGN(const auto folder, folder_with(reader, from, "package.json"));
    if (!folder) return ScriptRunner();
    CODEXMEM_ASSIGN(const std::string text, text_of(reader, in_folder(*folder, "package.json")));
    const auto package = JsonValue::parse(text);
    if (package.ok()) {
      std::string scripts;
      for (const std::string_view name : {"test", "unit", "test:unit", "test:run"}) {
        scripts +=
            std::string(package->member("scripts").member(name).string().value_or("")) + "\n";
      }
      for (const bool by_script : {true, false}) {
        for (const std::string_view runner : kScriptRunners) {
          const bool is_needed = package->member("devDependencies").member(runner).string() ||
                                 package->member("dependencies").member(runner).string();
          if (by_script ? !has_word(scripts, runner) : !is_needed) continue;
          return ScriptRunner{*folder,
                              fmt::format("npx {}", runner == "vitest" ? "vitest run" : runner)};
        }
      }
      if (scripts.find("node --test") != std::string::npos) {
        return ScriptRunner{*folder, "node --test"};
      }
    }
    if (folder->empty()) return ScriptRunner();  // a package of a workspace has its runner above
    from = *folder;
  }
}

// For a pattern of ctest.
std::string escaped(std::string_view text) {
  std::string pattern;
  for (const char c : text) {
    if (std::string_view(".^$*+?()[]{}|\\").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

// A path that no program takes for an option, nor a shell for a home.
std::string plain_path(const std::string& path) {
  return path.starts_with('-') || path.starts_with('~') ? "./" + path : path;
}
std::string file_word(const std::string& path) { return shell_word(plain_path(path)); }

// `path` below `folder`, which holds it.
std::string below(const std::string& folder, const std::string& path) {
  return folder.empty() ? path : path.substr(folder.size() + 1);
}

// What runs a test.
struct Runner {
  std::string command = {};      // as a shell takes it
  std::string value = {};        // this test's; as it is
  std::string option = {};       // before each value
  std::string_view joiner = {};  // between the values, which are one word then; none: each is one
  bool takes_folders = false;
};

// `command`, which takes files and folders, in the folder of a package.
Runner in_package(const std::string& folder, const std::string& command, const std::string& test) {
  if (folder.empty()) {
    return {.command = command, .value = plain_path(test), .takes_folders = true};
  }
  return {.command = fmt::format("(cd {} && {}", file_word(folder), command),
          .value = below(folder, test),
          .takes_folders = true};
}

Result<std::optional<Runner>> runner_of(store::CodeReader& reader, const std::string& test) {
  using Found = std::optional<Runner>;
  const std::string_view extension = extension_of(test);
  const std::string file = plain_path(test);
  if (extension == ".py") return Found({.command = "pytest", .value = file, .takes_folders = true});
  if (is_listed(extension, kScript)) {
    CODEXMEM_ASSIGN(const ScriptRunner runner, script_runner(reader, test));
    if (runner.command.empty()) return Found();
    const bool takes_folders =
        runner.command.ends_with("vitest run") || runner.command.ends_with("jest");
    Runner found = in_package(runner.folder, runner.command, test);
    found.takes_folders = takes_folders;
    return Found(std::move(found));
  }
  if (extension == ".go") {
    CODEXMEM_ASSIGN(const auto module, folder_with(reader, test, "go.mod"));
    const std::string folder(folder_of(test));
    if (!module || module->empty()) return Found({"go test", "./" + folder});
    return Found({fmt::format("go -C {} test", file_word(*module)),
                  folder == *module ? "." : "./" + below(*module, folder)});
  }
  if (extension == ".rs") {
    CODEXMEM_ASSIGN(const auto package, folder_with(reader, test, "Cargo.toml"));
    if (!package) return Found();
    const std::string manifest =
        package->empty()
            ? ""
            : fmt::format(" --manifest-path {}", file_word(in_folder(*package, "Cargo.toml")));
    if (std::string(folder_of(test)) != in_folder(*package, "tests")) {
      return Found({fmt::format("cargo test{} --lib", manifest), ""});
    }
    return Found({fmt::format("cargo test{}", manifest), stem_of(test), "--test "});
  }
  if (is_listed(extension, ".java,.kt")) {
    CODEXMEM_ASSIGN(const auto maven, folder_with(reader, test, "pom.xml"));
    if (!maven) return Found({"gradle test", stem_of(test), "--tests "});
    const std::string module = maven->empty() ? "" : fmt::format(" -pl {} -am", file_word(*maven));
    return Found({fmt::format("mvn test{}", module), stem_of(test), "-Dtest=", ","});
  }
  if (is_listed(extension, kNative)) return Found({"ctest", escaped(stem_of(test)), "-R ", "|"});
  if (extension == ".rb") {
    const bool is_spec = test.ends_with("_spec.rb");
    return Found(
        {.command = is_spec ? "rspec" : "ruby -Itest", .value = file, .takes_folders = is_spec});
  }
  if (extension == ".php") {
    CODEXMEM_ASSIGN(const auto package, folder_with(reader, test, "composer.json"));
    if (!package) return Found();
    CODEXMEM_ASSIGN(const std::string text, text_of(reader, in_folder(*package, "composer.json")));
    const bool is_pest = text.find("\"pestphp/pest\"") != std::string::npos;
    return Found(in_package(*package, is_pest ? "vendor/bin/pest" : "vendor/bin/phpunit", test));
  }
  if (extension == ".exs") {
    CODEXMEM_ASSIGN(const auto package, folder_with(reader, test, "mix.exs"));
    if (!package) return Found();
    return Found(in_package(*package, "mix test", test));
  }
  if (extension == ".cs") {
    return Found(
        {"dotnet test", stem_of(test), "--filter FullyQualifiedName~", "|FullyQualifiedName~"});
  }
  return Found();
}

constexpr std::size_t kMaxLine = 400;  // of a command with files, where folders will do

std::string command_line(const Runner& runner, const std::vector<std::string>& values) {
  std::string line = runner.command;
  if (!runner.joiner.empty()) {
    line += " " + runner.option + shell_word(join(values, runner.joiner));
  } else {
    for (const std::string& value : values) {
      if (!value.empty()) line += " " + runner.option + shell_word(value);
    }
  }
  if (line.starts_with('(')) line += ')';
  return line;
}

// The folders of `files`, without those below another.
std::vector<std::string> folders_of(const std::vector<std::string>& files) {
  std::set<std::string> folders;
  for (const std::string& file : files) {
    const std::string_view folder = folder_of(file);
    folders.insert(folder.empty() ? "." : std::string(folder) + "/");
  }
  if (folders.contains(".")) return {"."};
  std::vector<std::string> top;  // a folder sorts before its contents
  for (const std::string& folder : folders) {
    if (top.empty() || !folder.starts_with(top.back())) top.push_back(folder);
  }
  return top;
}

struct IndexedTest {
  store::FileId id{};
  std::string path;
  std::vector<std::string> subject;  // sorted
};

// What the names of changed files and definitions say of a test.
class ChangedNames {
 public:
  explicit ChangedNames(const TestEvidence& evidence) {
    for (const std::string& path : evidence.changed) {
      if (!is_runnable_test(path)) files_.push_back({path, subject_of(path)});
    }
    for (const std::string& name : evidence.names) {
      for_each_word(name, [&](const Word& word) { words_.insert(to_lower_ascii(word.text)); });
    }
  }

  // A file of code: of many files called index, a test is about the one in its own folder.
  void note_home(const std::string& path) {
    std::vector<std::string> subject = subject_of(path);
    const auto is_it = [&](const File& file) { return file.subject == subject; };
    if (std::ranges::none_of(files_, is_it)) return;
    homes_.emplace(std::string(kind_of(path)), std::string(folder_of(path)), std::move(subject));
  }

  // `rarity_of` says of a word how few tests have it in their names.
  template <typename Rarity>
  void compare(const IndexedTest& test, Rarity rarity_of, Signs& signs) const {
    const std::string kind(kind_of(test.path)), home(folder_of(test.path));
    double best = 0;
    bool is_same = false, is_below = false;
    const std::string *of = nullptr, *near = nullptr;
    for (const File& file : files_) {
      if (kind_of(file.path) != kind) continue;
      const std::string folder(folder_of(file.path));
      if (folder == home) near = &file.path;
      is_below = is_below || (!folder.empty() && home.starts_with(folder + "/"));
      double alike = likeness(test.subject, file.subject);
      if (alike == 1) {
        if (folder != home && homes_.contains({kind, home, test.subject})) continue;
        is_same = true;
      }
      if (alike <= best) continue;
      best = alike;
      of = &file.path;
    }
    if (of != nullptr) {
      signs.add(test.path, kLikeName * best + (is_same ? kSameName : 0),
                fmt::format("has {} {}", is_same ? "the name of" : "a name like", *of));
    }
    if (is_below) signs.add(test.path, kFolderBelow, "is below the changed code");
    if (near != nullptr) signs.add(test.path, 0, "is in the folder of " + *near);
    double all = 0, named = 0;
    for (const std::string& word : test.subject) {
      all += rarity_of(word);
      if (words_.contains(word)) named += rarity_of(word);
    }
    if (named > 0) {
      signs.add(test.path, kSymbolNames * named / all, "has the name of the changed code");
    }
  }

 private:
  struct File {
    std::string path;
    std::vector<std::string> subject;
  };
  std::vector<File> files_;
  std::set<std::string> words_;
  std::set<std::tuple<std::string, std::string, std::vector<std::string>>> homes_;
};

}  // namespace

std::vector<std::string> subject_of(std::string_view path) {
  std::vector<std::string> words;
  for_each_word(stem_of(path), [&](const Word& word) {
    std::string text = to_lower_ascii(word.text);
    if (!is_listed(text, "test,tests,spec,specs,it,unit")) words.push_back(std::move(text));
  });
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

bool is_runnable_test(std::string_view path) {
  const std::string_view extension = extension_of(path), name = file_name(path);
  const std::string lower = to_lower_ascii(name);
  if (extension == ".py") {
    return lower.starts_with("test_") || lower.ends_with("_test.py") || lower == "tests.py";
  }
  if (extension == ".go") return lower.ends_with("_test.go");
  if (is_listed(extension, ".java,.kt")) {
    return is_test_path(path) && (name.find("Test") != std::string_view::npos ||
                                  name.ends_with("IT.java") || name.ends_with("Spec.kt"));
  }
  if (is_listed(extension, kScript)) {
    if (lower.find(".test.") != std::string::npos || lower.find(".spec.") != std::string::npos ||
        lower.find("-test.") != std::string::npos || lower.find("_test.") != std::string::npos ||
        lower.find(".test-d.") != std::string::npos) {
      return true;
    }
    return path.find("__tests__/") != std::string_view::npos &&
           path.find("__mocks__") == std::string_view::npos && is_test_path(path);
  }
  if (extension == ".rs") return is_test_path(path);
  if (extension == ".rb") return lower.ends_with("_test.rb") || lower.ends_with("_spec.rb");
  if (extension == ".php") return name.ends_with("Test.php");
  if (extension == ".exs") return lower.ends_with("_test.exs");
  if (extension == ".cs") {
    return is_test_path(path) && (name.ends_with("Test.cs") || name.ends_with("Tests.cs"));
  }
  if (is_listed(extension, kNative)) {
    return is_test_path(path) && !extension.starts_with(".h") &&
           lower.find("test") != std::string::npos;
  }
  return false;
}

Result<std::vector<TestToRun>> rank_tests(store::CodeReader& reader, const TestEvidence& evidence) {
  Signs signs;
  add_uses(evidence.impact, signs);
  for (const auto& [path, steps] : evidence.importing) {
    if (!is_runnable_test(path) || steps >= kImport.size()) continue;
    signs.add(path, kImport.at(steps),
              steps == 1 ? "imports what has changed"
                         : fmt::format("imports what has changed, {} steps away", steps));
  }
  add_history(evidence.history, signs);
  for (const std::string& path : std::set(evidence.broken.begin(), evidence.broken.end())) {
    if (is_runnable_test(path)) signs.add(path, kBroken, "is broken by it");
  }
  double alike = kTestAlike;
  for (const std::string& path : evidence.alike) {
    if (!is_runnable_test(path)) continue;
    signs.add(path, alike, "has the words of the change");
    alike *= kAlikeEach;
  }
  ChangedNames changed(evidence);
  std::vector<IndexedTest> tests;  // history knows others, too
  bool names_are_marked = false;
  std::map<std::string, double> files_with;  // of tests, by words of their names
  CODEXMEM_TRY(reader.visit_files([&](const store::FileStamp& file) {
    if (!is_runnable_test(file.path)) return changed.note_home(std::string(file.path));
    IndexedTest test{file.id, std::string(file.path), subject_of(file.path)};
    for (const std::string& word : test.subject) ++files_with[word];
    names_are_marked =
        names_are_marked || (kind_of(test.path) == kScript && !is_unmarked(test.path));
    tests.push_back(std::move(test));
  }));
  std::set<std::string> known;
  for (const IndexedTest& test : tests) {
    known.insert(test.path);
    if (const auto words = evidence.words.find(test.id); words != evidence.words.end()) {
      signs.add(test.path, kTestRareWord * words->second.rarest + kTestWords * words->second.sum,
                fmt::format("has {}, which the change adds or removes", words->second.word));
    }
    changed.compare(
        test,
        [&](const std::string& word) {
          const double all = static_cast<double>(tests.size()) + 1;
          return std::log(all / files_with[word]) / std::log(all);
        },
        signs);
  }
  for (const std::string& path : evidence.changed) {
    if (is_runnable_test(path)) signs.add(path, kCertain, "is changed itself");
  }
  std::vector<TestToRun> ranked = signs.take(names_are_marked);
  std::erase_if(ranked, [&](const TestToRun& test) { return !known.contains(test.path); });
  return ranked;
}

Result<std::vector<std::string>> test_commands(store::CodeReader& reader,
                                               const std::vector<std::string>& tests) {
  std::vector<std::pair<Runner, std::vector<std::string>>> commands;  // and the values
  for (const std::string& test : tests) {
    CODEXMEM_ASSIGN(auto runner, runner_of(reader, test));
    if (!runner) continue;
    auto known = std::ranges::find_if(commands, [&](const auto& each) {
      return each.first.command == runner->command && each.first.option == runner->option;
    });
    if (known == commands.end()) {
      known = commands.insert(commands.end(), std::pair(*runner, std::vector<std::string>()));
    }
    auto& values = known->second;
    if (std::ranges::find(values, runner->value) == values.end()) values.push_back(runner->value);
  }
  std::vector<std::string> lines;
  for (const auto& [runner, values] : commands) {
    std::string line = command_line(runner, values);
    if (runner.takes_folders && line.size() > kMaxLine) {
      line = command_line(runner, folders_of(values));
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace codexmem::ask
