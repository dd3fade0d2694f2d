// Tested by observe/rule_based_provider_test.cpp.
#include "observe/intake/shell_command.h"

#include <algorithm>
#include <initializer_list>

#include "base/path.h"
#include "base/ascii.h"
#include "base/text.h"

namespace codexmem::observe {
namespace {

constexpr std::size_t kMaxCommands = 200;  // of one line
constexpr std::size_t kMaxWords = 400;     // of one command
constexpr std::size_t kMaxShellFiles = 30;
constexpr std::size_t kMaxShownBytes = 160;
constexpr std::size_t kMaxParts = 20;

struct Command {
  std::vector<std::string> words;
  std::string text;                     // as written
  std::vector<std::string> written_to;  // > file, >> file
  std::string here;                     // of its here-document
  bool has_here = false;
  bool is_piped = false;  // it reads what another command writes
};

// Cuts a line into commands. Quotes and escapes as in sh; substitutions stay in their word.
class Cutter {
 public:
  explicit Cutter(std::string_view text) : text_(text) {}

  std::vector<Command> cut() {
    while (at_ < text_.size() && commands_.size() < kMaxCommands) step();
    end_command(false);
    return std::move(commands_);
  }

 private:
  char peek(std::size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : 0; }

  void step() {
    const char c = text_[at_];
    if (c == '\\' && at_ + 1 < text_.size()) {
      if (text_[at_ + 1] != '\n') {
        in_word_ = true;
        word_ += text_[at_ + 1];
      }
      at_ += 2;
    } else if (c == '\'' || c == '"') {
      quoted(c);
    } else if (c == '#' && !in_word_) {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    } else if (c == '\n' || c == ';') {
      end_command(false);
      ++at_;
      begin_ = at_;
      if (c == '\n') take_here_documents();
    } else if (c == '&' && peek(1) == '&') {
      end_command(false);
      begin_ = at_ += 2;
    } else if (c == '|') {
      const bool is_or = peek(1) == '|';
      end_command(!is_or);
      begin_ = at_ += is_or ? 2 : 1;
    } else if (c == '&' && peek(1) != '>') {
      end_command(false);
      begin_ = ++at_;
    } else if (c == '<' && peek(1) == '<' && peek(2) != '<') {
      here_document();
    } else if (c == '>') {
      redirect();
    } else if (c == '<') {
      end_word();
      ++at_;
    } else if (is_space(c)) {
      end_word();
      ++at_;
    } else {
      in_word_ = true;
      word_ += c;
      ++at_;
    }
  }

  void quoted(char quote) {
    in_word_ = true;
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
      if (quote == '"' && text_[at_] == '\\' && at_ + 1 < text_.size() &&
          is_one_of(text_.substr(at_ + 1, 1), {"\"", "\\", "$", "`"})) {
        ++at_;
      }
      word_ += text_[at_];
    }
    ++at_;
  }

  void redirect() {
    // 2>file has the errors, not the output.
    const bool is_output = word_.empty() || word_ == "1";
    if (word_ == "1" || word_ == "2") {
      word_.clear();
      in_word_ = false;
    }
    end_word();
    while (at_ < text_.size() && (text_[at_] == '>' || text_[at_] == '|')) ++at_;
    if (at_ < text_.size() && text_[at_] == '&') {  // >&2
      for (++at_; at_ < text_.size() && is_digit(text_[at_]); ++at_) {
      }
      return;
    }
    target_is_output_ = is_output;
    next_is_target_ = true;
  }

  void here_document() {
    end_word();
    at_ += 2;
    if (at_ < text_.size() && text_[at_] == '-') ++at_;
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    char quote = 0;
    if (at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"')) quote = text_[at_++];
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (is_word_char(text_[at_]) || text_[at_] == '-' || text_[at_] == '!')) {
      ++at_;
    }
    const std::string end(text_.substr(begin, at_ - begin));
    if (quote != 0 && at_ < text_.size()) ++at_;
    if (!end.empty()) waiting_.push_back({commands_.size(), end});
  }

  void take_here_documents() {
    for (const auto& [command, end] : waiting_) {
      std::string body;
      while (at_ < text_.size()) {
        std::size_t line_end = text_.find('\n', at_);
        if (line_end == std::string_view::npos) line_end = text_.size();
        const std::string_view line = text_.substr(at_, line_end - at_);
        at_ = std::min(line_end + 1, text_.size());
        if (trim(line) == end) break;
        (body += line) += '\n';
      }
      if (command < commands_.size()) {
        commands_[command].here = std::move(body);
        commands_[command].has_here = true;
      }
    }
    waiting_.clear();
    begin_ = at_;
  }

  void end_word() {
    if (!in_word_) return;
    in_word_ = false;
    if (next_is_target_) {
      next_is_target_ = false;
      if (target_is_output_ && !word_.starts_with("/dev/")) command_.written_to.push_back(word_);
    } else if (command_.words.size() < kMaxWords) {
      command_.words.push_back(word_);
    }
    word_.clear();
  }

  void end_command(bool is_pipe) {
    end_word();
    next_is_target_ = false;
    command_.is_piped = piped_;
    piped_ = is_pipe;
    const std::size_t end = std::min(at_, text_.size());
    if (begin_ < end) command_.text = std::string(trim(text_.substr(begin_, end - begin_)));
    if (!command_.words.empty() || !command_.written_to.empty()) {
      commands_.push_back(std::move(command_));
    }
    command_ = {};
  }

  std::string_view text_;
  std::size_t at_ = 0, begin_ = 0;
  std::vector<Command> commands_;
  Command command_;
  std::string word_;
  bool in_word_ = false, piped_ = false, next_is_target_ = false, target_is_output_ = false;
  struct Waiting {
    std::size_t command;
    std::string end;
  };
  std::vector<Waiting> waiting_;
};

// What comes before the command proper: assignments, wrappers, runners of packages.
std::size_t first_of_command(const std::vector<std::string>& words) {
  std::size_t i = 0;
  const auto is_option = [&](std::size_t n) {
    return n < words.size() && words[n].starts_with('-');
  };
  for (int rounds = 0; rounds < 16 && i < words.size(); ++rounds) {
    const std::string& word = words[i];
    const std::size_t equals = word.find('=');
    if (equals != std::string::npos && equals > 0 &&
        std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals),
                    is_word_char)) {
      ++i;
    } else if (is_one_of(word,
                         {"sudo", "time", "env", "exec", "command", "nohup", "stdbuf", "xvfb-run",
                          "npx", "bunx", "then", "do", "else", "!", "(", "{", "if", "while"})) {
      for (++i; is_option(i); ++i) {
      }
    } else if (is_one_of(word, {"timeout", "nice", "ionice"})) {
      for (++i; is_option(i) || (i < words.size() && !words[i].empty() && is_digit(words[i][0]));
           ++i) {
      }
    } else if (i + 1 < words.size() &&
               ((is_one_of(word, {"uv", "poetry", "pipenv", "pdm", "hatch", "rye"}) &&
                 words[i + 1] == "run") ||
                (is_one_of(word, {"pnpm", "yarn", "npm", "bundle"}) &&
                 is_one_of(words[i + 1], {"exec", "dlx"})))) {
      for (i += 2; is_option(i); ++i) {
      }
    } else if (i + 2 < words.size() && is_one_of(word, {"python", "python3", "py"}) &&
               words[i + 1] == "-m") {
      i += 2;
    } else {
      break;
    }
  }
  return i;
}

bool looks_like_path(std::string_view word) {
  if (word.empty() || word.starts_with('-') || word.find_first_of("*?$`(){}\n") != word.npos) {
    return false;
  }
  return word.size() < 400;
}

void add_path(std::vector<std::string>& files, std::string_view path) {
  if (files.size() < kMaxShellFiles && looks_like_path(path) &&
      std::find(files.begin(), files.end(), path) == files.end()) {
    files.emplace_back(path);
  }
}

struct Reading {
  CommandPurpose purpose = CommandPurpose::kOther;
  std::string object;
};

// Words that are no options, from `begin`.
std::vector<std::string_view> plain_words(const std::vector<std::string>& words, std::size_t begin,
                                          std::initializer_list<std::string_view> with_value = {}) {
  std::vector<std::string_view> plain;
  for (std::size_t i = begin; i < words.size(); ++i) {
    if (is_one_of(words[i], with_value)) {
      ++i;
    } else if (!words[i].starts_with('-')) {
      plain.push_back(words[i]);
    }
  }
  return plain;
}

bool has_word(const std::vector<std::string>& words, std::initializer_list<std::string_view> any) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return is_one_of(word, any); });
}

// -m, also among others: -am, -aqm.
bool takes_message(std::string_view word) {
  return word == "--message" ||
         (word.size() > 1 && word.size() < 6 && word[0] == '-' && word[1] != '-' &&
          word.ends_with('m') && !word.starts_with("-m")) ||
         word == "-m";
}

Reading read_git(const std::vector<std::string>& words, std::size_t i, ShellCommand& result) {
  for (++i; i < words.size() && words[i].starts_with('-'); ++i) {
    if (is_one_of(words[i], {"-C", "-c"})) ++i;
  }
  const std::string_view verb = i < words.size() ? std::string_view(words[i]) : "";
  if (verb == "commit") {
    Reading reading{CommandPurpose::kCommit, {}};
    for (std::size_t n = i + 1; n < words.size(); ++n) {
      std::string_view message;
      if (takes_message(words[n]) && n + 1 < words.size()) {
        message = words[++n];
      } else if (words[n].starts_with("--message=")) {
        message = std::string_view(words[n]).substr(10);
      } else if (words[n].size() > 2 && words[n].starts_with("-m")) {
        message = std::string_view(words[n]).substr(2);
      }
      if (message.empty()) continue;
      if (!reading.object.empty()) reading.object += "\n\n";
      reading.object += message;
    }
    return reading;
  }
  if (is_one_of(verb, {"status", "branch", "remote", "rev-parse", "ls-files", "config", "describe",
                       "stash", "fetch", "tag"})) {
    return {verb == "stash" ? CommandPurpose::kGit : CommandPurpose::kList, {}};
  }
  if (is_one_of(verb, {"log", "diff", "show", "blame", "cat-file", "ls-tree", "shortlog"})) {
    const auto begin = std::find(words.begin(), words.end(), "--");
    if (begin != words.end()) {
      for (auto it = begin + 1; it != words.end(); ++it) add_path(result.files_read, *it);
    }
    return {CommandPurpose::kRead, {}};
  }
  if (verb == "grep") {
    const auto plain = plain_words(words, i + 1);
    return {CommandPurpose::kSearch, plain.empty() ? "" : std::string(plain[0])};
  }
  if (verb == "add") return {CommandPurpose::kList, {}};
  return {verb.empty() ? CommandPurpose::kList : CommandPurpose::kGit, std::string(verb)};
}

// The script that a package manager is to run: "test" of `npm run test:unit`, `yarn test`.
Reading read_package_manager(const std::vector<std::string>& words, std::size_t i) {
  const std::string_view manager = words[i];
  auto plain = plain_words(words, i + 1, {"-w", "--workspace", "--prefix", "-C", "--filter", "-F"});
  if (plain.empty()) {
    return {manager == "yarn" ? CommandPurpose::kInstall : CommandPurpose::kOther, {}};
  }
  if (is_one_of(plain[0],
                {"install", "i", "ci", "add", "remove", "uninstall", "update", "upgrade"})) {
    std::string what;
    for (std::size_t n = 1; n < plain.size() && n < 8; ++n) {
      if (!what.empty()) what += ", ";
      what += plain[n];
    }
    return {CommandPurpose::kInstall, what};
  }
  std::string_view script = plain[0];
  if ((script == "run" || script == "run-script") && plain.size() > 1) script = plain[1];
  if (script == "t" || script.find("test") != script.npos || script.starts_with("e2e") ||
      script == "vitest" || script == "jest" || script == "mocha" || script == "coverage") {
    return {CommandPurpose::kTest, {}};
  }
  if (script.find("lint") != script.npos || script.find("format") != script.npos ||
      script == "eslint" || script == "prettier") {
    return {CommandPurpose::kLint, {}};
  }
  if (script.find("build") != script.npos || script.find("type") != script.npos ||
      script == "tsc" || script == "compile" || script == "check") {
    return {CommandPurpose::kBuild, {}};
  }
  return {CommandPurpose::kOther, {}};
}

// Programs that are for one thing, whatever their arguments say.
constexpr struct {
  CommandPurpose purpose;
  std::string_view names;
} kPrograms[] = {
    {CommandPurpose::kList,
     "cd export set source . echo printf true false pwd which type date whoami uname sleep "
     "exit ls tree file stat du df ps fi done test [ wait kill sort uniq cut tr xargs column "
     "basename dirname realpath readlink mkdir chmod env id hostname cal"},
    {CommandPurpose::kRead,
     "cat head tail nl less more bat wc xxd hexdump od strings jq yq diff cmp md5sum "
     "sha256sum"},
    {CommandPurpose::kTest,
     "pytest py.test unittest jest vitest mocha ava ctest rspec phpunit tox nox karma "
     "cypress nose2 minitest"},
    {CommandPurpose::kBuild,
     "tsc gcc g++ cc c++ clang clang++ javac rustc webpack vite rollup esbuild kotlinc "
     "vue-tsc"},
    {CommandPurpose::kLint,
     "eslint ruff mypy pyright flake8 pylint prettier black clang-format clang-tidy "
     "shellcheck golangci-lint rubocop biome isort gofmt stylelint"},
    {CommandPurpose::kFiles, "mv cp rm touch ln rmdir patch truncate tee"},
};

Reading read_one(const Command& command, ShellCommand& result) {
  const std::vector<std::string>& words = command.words;
  const std::size_t i = first_of_command(words);
  if (i >= words.size()) return {CommandPurpose::kList, {}};
  const std::string_view name = file_name(words[i]);
  const std::string_view second = i + 1 < words.size() ? std::string_view(words[i + 1]) : "";
  if (has_word(words, {"--version", "--help"})) return {CommandPurpose::kList, {}};

  for (const auto& [purpose, names] : kPrograms) {
    if (std::ranges::count(split(names, ' '), name) == 0) continue;
    if (purpose == CommandPurpose::kRead && !command.is_piped) {
      auto plain = plain_words(words, i + 1, {"-n", "-c", "--lines", "--bytes"});
      if (is_one_of(name, {"jq", "yq"}) && !plain.empty()) plain.erase(plain.begin());
      for (const std::string_view path : plain) add_path(result.files_read, path);
    } else if (purpose == CommandPurpose::kFiles) {
      for (const std::string_view path : plain_words(words, i + 1)) {
        add_path(result.files_modified, path);
      }
    }
    return {purpose, {}};
  }
  if (name.ends_with("_test") || name.ends_with("_tests")) return {CommandPurpose::kTest, {}};
  if (name == "sed" || name == "awk" || name == "perl") {
    const bool in_place = std::any_of(words.begin(), words.end(), [](const std::string& word) {
      return word == "-i" || word.starts_with("-i.") || word == "-pi" || word == "-i''";
    });
    auto plain = plain_words(words, i + 1, {"-e", "-F", "-f"});
    const bool has_script = !has_word(words, {"-e", "-f"});
    if (has_script && !plain.empty()) plain.erase(plain.begin());
    for (const std::string_view path : plain) {
      add_path(in_place ? result.files_modified : result.files_read, path);
    }
    if (name == "perl" && !in_place) return {CommandPurpose::kOther, {}};
    return {in_place ? CommandPurpose::kFiles : CommandPurpose::kRead, {}};
  }
  if (is_one_of(name, {"grep", "rg", "egrep", "fgrep", "ag", "ack", "zgrep"})) {
    if (command.is_piped) return {CommandPurpose::kList, {}};
    const auto plain = plain_words(
        words, i + 1,
        {"-A", "-B", "-C", "-m", "-g", "--glob", "-t", "--type", "--include", "--exclude"});
    std::string pattern = plain.empty() ? "" : std::string(plain[0]);
    for (std::size_t n = i + 1; n + 1 < words.size(); ++n) {
      if (words[n] == "-e" || words[n] == "--regexp") pattern = words[n + 1];
    }
    return {CommandPurpose::kSearch, pattern};
  }
  if (is_one_of(name, {"find", "fd", "fdfind", "locate"})) {
    for (std::size_t n = i + 1; n + 1 < words.size(); ++n) {
      if (is_one_of(words[n], {"-name", "-iname", "-path", "-regex"})) {
        return {CommandPurpose::kSearch, words[n + 1]};
      }
    }
    return {CommandPurpose::kSearch, name == "find" ? "" : std::string(second)};
  }
  if (name == "git") return read_git(words, i, result);
  if (is_one_of(name, {"npm", "pnpm", "yarn", "bun"})) {
    if (name == "bun" && second == "test") return {CommandPurpose::kTest, {}};
    return read_package_manager(words, i);
  }
  if (is_one_of(name, {"pip", "pip3", "uv", "poetry", "gem", "apt", "apt-get", "brew", "composer",
                       "pipx", "conda", "dnf", "apk"}) &&
      has_word(words, {"install", "add", "sync", "remove", "uninstall", "require", "update"})) {
    const auto plain = plain_words(words, i + 1, {"-r", "-e"});
    std::string what;
    for (const std::string_view word : plain) {
      if (is_one_of(word, {"install", "add", "sync", "remove", "uninstall", "require", "update",
                           "pip"})) {
        continue;
      }
      if (!what.empty()) what += ", ";
      what += word;
    }
    return {CommandPurpose::kInstall, what};
  }
  if (name == "playwright") {
    return {second == "test" ? CommandPurpose::kTest : CommandPurpose::kOther, {}};
  }
  if (is_one_of(name, {"cargo", "go",    "dotnet", "swift",   "bazel", "bazelisk", "deno", "rake",
                       "rails", "mix",   "gradle", "gradlew", "mvn",   "mvnw",     "make", "gmake",
                       "ninja", "meson", "just",   "cmake",   "task",  "node"})) {
    if (has_word(words, {"test", "nextest", "--test", "check-tests", "verify", "integrationTest",
                         "spec"}) ||
        (is_one_of(name, {"make", "gmake"}) && has_word(words, {"check", "tests"}))) {
      return {CommandPurpose::kTest, {}};
    }
    if (name == "cargo" || name == "go") {
      if (is_one_of(second, {"add", "get", "remove", "install", "mod"})) {
        const auto plain = plain_words(words, i + 2);
        return {CommandPurpose::kInstall, plain.empty() ? "" : std::string(plain[0])};
      }
      if (is_one_of(second, {"clippy", "fmt", "vet"})) return {CommandPurpose::kLint, {}};
      if (!is_one_of(second, {"build", "check", "doc", "b", "c"}))
        return {CommandPurpose::kOther, {}};
    }
    if (is_one_of(name, {"node", "deno", "rake", "rails", "mix", "just", "task"})) {
      return {CommandPurpose::kOther, {}};
    }
    return {CommandPurpose::kBuild, {}};
  }
  return {CommandPurpose::kOther, {}};
}

// The first line of it; a here-document is not shown.
std::string shown_text(std::string_view text) {
  std::string shown = fold_whitespace(text.substr(0, text.find('\n')));
  for (const std::string_view end : {" 2>&1", " 2>/dev/null", " >/dev/null"}) {
    if (shown.ends_with(end)) shown.resize(shown.size() - end.size());
  }
  if (shown.size() > kMaxShownBytes) {
    shown = std::string(utf8_prefix(shown, kMaxShownBytes)) + "...";
  }
  return shown;
}

}  // namespace

ShellCommand read_command(std::string_view line) {
  line = utf8_prefix(line, kMaxCommandBytes);
  ShellCommand result;
  result.purpose = CommandPurpose::kList;
  const std::vector<Command> commands = Cutter(line).cut();
  for (const Command& command : commands) {
    Reading reading = read_one(command, result);
    for (const std::string& path : command.written_to) {
      add_path(result.files_modified, path);
      if (command.has_here && looks_like_path(path)) result.written.push_back({path, command.here});
    }
    if (!command.written_to.empty() && reading.purpose < CommandPurpose::kFiles) {
      reading.purpose = CommandPurpose::kFiles;
    }
    if (result.parts.size() < kMaxParts) {
      result.parts.push_back({reading.purpose, shown_text(command.text), reading.object});
    }
    if (result.text.empty() || reading.purpose > result.purpose) {
      result.purpose = reading.purpose;
      result.text = command.text;
      result.object = std::move(reading.object);
    }
  }
  result.text = shown_text(result.text);
  return result;
}

}  // namespace codexmem::observe
