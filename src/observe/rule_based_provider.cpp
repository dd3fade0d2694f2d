// A rule a kind of action. Every text is cut as it is put together, so that no event makes a long
// observation.
//
// Reflection (memory/reflection.h) reads outcome: red runs of tests and builds are errors of the
// files that they name, green ones successes of the files that were red before. Whatever else
// failed
// - a search that found nothing, a command that was mistyped - says nothing of a file.
//
// Tested by observe/rule_based_provider_test.cpp.
#include "observe/rule_based_provider.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <utility>

#include "config/path_kind.h"
#include "base/text.h"
#include "parse/languages.h"
#include "observe/edit_symbols.h"
#include "observe/red_runs.h"
#include "observe/rule_based_summary.h"
#include "observe/shell_command.h"
#include "observe/test_output.h"

namespace codexmem::observe {
namespace {

constexpr std::size_t kNamesInTitle = 3;
constexpr std::size_t kNamesInFact = 12;
constexpr std::size_t kMaxLineInTitle = 90;  // of a file
constexpr std::size_t kMaxOutlineBytes = 128 << 10;
constexpr std::size_t kMaxQuotedBytes = 600;  // of a tool's answer

// "a, b, c and 2 more".
std::string listed(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  const std::size_t shown = std::min(names.size(), most);
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) text += ", ";
    text += names[i];
  }
  if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void add_fact(Observation& observation, std::string_view fact) {
  std::string text = shortened_line(fact, kMaxRuleFactBytes);
  if (text.empty() || observation.facts.size() >= kMaxRuleFacts) return;
  observation.facts.push_back(std::move(text));
}

void add_file(std::vector<std::string>& files, const std::string& path) {
  if (path.empty() || files.size() >= kMaxRuleFiles) return;
  if (std::find(files.begin(), files.end(), path) == files.end()) files.push_back(path);
}

// What a tool said, for a narrative: its first line keeps its indentation, as the others do.
std::string in_quotes(std::string_view text) {
  while (text.starts_with('\n') || text.starts_with("\r\n")) text.remove_prefix(1);
  const std::string_view kept = utf8_prefix(text, kMaxQuotedBytes);
  const std::size_t end = kept.find_last_not_of(" \t\r\n");
  if (end == std::string_view::npos) return {};
  return std::string(kept.substr(0, end + 1)) + (trim(text).size() > kept.size() ? "..." : "");
}

// ---- edits

bool is_code_path(std::string_view path) {
  const parse::Language* language = parse::detect_language(path, {});
  return language != nullptr && !language->is_prose && !language->is_configuration;
}

// An edit of a file with what it did.
struct ReadEdit {
  const FileEdit* edit = nullptr;
  EditSymbols symbols;

  bool is_moved_only() const {
    return !edit->moved_to.empty() && symbols.lines_added + symbols.lines_removed == 0;
  }
  const std::string& path() const { return edit->moved_to.empty() ? edit->path : edit->moved_to; }
};

std::string verb_of(const ReadEdit& read) {
  if (read.edit->is_deleted) return "Deleted";
  if (!read.edit->moved_to.empty()) return "Moved";
  if (read.edit->is_new) return "Created";
  if (!read.edit->is_before_known) return "Wrote";
  if (read.symbols.only_white_space) return "Reformatted";
  return "Edited";
}

std::string subject_of(const ReadEdit& read) {
  if (read.edit->moved_to.empty()) return read.edit->path;
  return fmt::format("{} to {}", read.edit->path, read.edit->moved_to);
}

// "added login(), changed Session.refresh()"; empty when nothing can be said but of lines.
std::string change_of(const ReadEdit& read, std::size_t most) {
  const EditSymbols& symbols = read.symbols;
  if (read.edit->is_deleted) return {};
  std::vector<std::string> parts;
  if (read.edit->is_new || !read.edit->is_before_known) {
    if (!symbols.added.empty()) parts.push_back(listed(symbols.added, most));
  } else {
    if (!symbols.renamed.empty()) parts.push_back("renamed " + listed(symbols.renamed, most));
    if (!symbols.added.empty()) parts.push_back("added " + listed(symbols.added, most));
    if (!symbols.changed.empty()) parts.push_back("changed " + listed(symbols.changed, most));
    if (!symbols.removed.empty()) parts.push_back("removed " + listed(symbols.removed, most));
  }
  if (!symbols.tests.empty()) {
    std::vector<std::string> tests;
    for (const std::string& name : symbols.tests) tests.push_back('"' + name + '"');
    parts.push_back(
        fmt::format("added {} {}", tests.size() == 1 ? "test" : "tests", listed(tests, 2)));
  }
  if (parts.empty() && !symbols.place.empty()) parts.push_back("in " + symbols.place);
  return join(parts, ", ");
}

std::string lines_of(const EditSymbols& symbols) {
  if (symbols.lines_added == 0 && symbols.lines_removed == 0) return {};
  if (symbols.lines_removed == 0) return counted(symbols.lines_added, "line") + " added";
  if (symbols.lines_added == 0) return counted(symbols.lines_removed, "line") + " removed";
  return fmt::format("{} added, {} removed", counted(symbols.lines_added, "line"),
                     symbols.lines_removed);
}

std::string title_of(const ReadEdit& read) {
  const EditSymbols& symbols = read.symbols;
  std::string title = fmt::format("{} {}", verb_of(read), subject_of(read));
  // One line for another says it best itself, where it is no function that changed.
  const bool is_one_line = symbols.new_lines.size() == 1 && symbols.lines_added == 1 &&
                           symbols.lines_removed <= 1 && symbols.tests.empty() &&
                           !read.edit->is_new && symbols.new_lines[0].size() <= kMaxLineInTitle;
  const bool is_of_function =
      (symbols.added.empty() && symbols.changed.empty() && !symbols.place.empty()) ||
      std::any_of(symbols.changed.begin(), symbols.changed.end(),
                  [](const std::string& name) { return name.ends_with("()"); }) ||
      std::any_of(symbols.added.begin(), symbols.added.end(),
                  [](const std::string& name) { return name.ends_with("()"); });
  if (is_one_line && !is_of_function && symbols.renamed.empty()) {
    return title + ": " + std::string(trim(symbols.new_lines[0]));
  }
  if (std::string change = change_of(read, kNamesInTitle); !change.empty()) {
    return title + (change.starts_with("in ") ? " " : ": ") + change;
  }
  if (read.edit->is_deleted || read.is_moved_only() || symbols.only_white_space) return title;
  const parse::Language* language = parse::detect_language(read.path(), {});
  if (language != nullptr && language->is_prose && !symbols.new_lines.empty()) {
    return title + ": " + shorten(trim(symbols.new_lines[0]), kMaxLineInTitle);
  }
  if (std::string lines = lines_of(symbols); !lines.empty()) title += ": " + lines;
  return title;
}

std::string type_of(const std::vector<ReadEdit>& reads) {
  bool any_new = false, all_tidy = true;
  for (const ReadEdit& read : reads) {
    const EditSymbols& symbols = read.symbols;
    const bool is_code = is_code_path(read.path()) && !is_test_path(read.path());
    const bool adds_much =
        std::any_of(symbols.added.begin(), symbols.added.end(), [](const std::string& name) {
          return name.ends_with("()") || std::isupper(static_cast<unsigned char>(name[0]));
        });
    const bool adds =
        is_code && (read.edit->is_new || (read.edit->is_before_known && adds_much &&
                                          symbols.removed.empty() && symbols.renamed.empty()));
    any_new = any_new || adds;
    all_tidy = all_tidy && (symbols.only_white_space || read.is_moved_only() ||
                            (!symbols.renamed.empty() && symbols.added.empty()) ||
                            (!symbols.removed.empty() && symbols.added.empty() &&
                             symbols.changed.empty() && is_code && !read.edit->is_deleted));
  }
  return any_new ? "feature" : all_tidy ? "refactor" : "change";
}

// The names of which the title has no room.
void tell_symbols(const ReadEdit& read, Observation& observation) {
  const EditSymbols& symbols = read.symbols;
  const auto tell = [&](std::string_view what, const std::vector<std::string>& names) {
    const std::string all = listed(names, kNamesInFact);
    if (observation.title.find(all) != std::string::npos) return;
    add_fact(observation, fmt::format("{} {}", what, all));
  };
  tell(read.edit->is_new || !read.edit->is_before_known ? "declares" : "added", symbols.added);
  tell("changed", symbols.changed);
  tell("removed", symbols.removed);
  tell("renamed", symbols.renamed);
  if (symbols.tests.size() > 2) tell("added tests", symbols.tests);  // more than a title has
}

// The first of its lines, indented as they were.
std::vector<std::string> diff_of(const ReadEdit& read) {
  std::vector<std::string> lines;
  for (const std::string& line : read.symbols.old_lines) lines.push_back("- " + line);
  for (const std::string& line : read.symbols.new_lines) lines.push_back("+ " + line);
  return lines;
}

// What `edits` did; also of here-documents of a shell.
Observation observe_edits(const std::vector<FileEdit>& edits, EditReader& reader) {
  std::vector<ReadEdit> reads;
  for (const FileEdit& edit : edits) {
    ReadEdit& read = reads.emplace_back();
    read.edit = &edit;
    read.symbols = reader.read(edit.read_as.empty() ? edit.path : edit.read_as, edit.changes);
    if (!generated_name(edit.path).empty()) {
      EditSymbols lines;
      lines.lines_added = read.symbols.lines_added;
      lines.lines_removed = read.symbols.lines_removed;
      read.symbols = std::move(lines);
    }
  }
  Observation observation;
  observation.type = type_of(reads);
  observation.concepts = {"what-changed"};
  for (const ReadEdit& read : reads) {
    add_file(observation.files_modified, read.path());
    if (!read.edit->moved_to.empty()) add_file(observation.files_modified, read.edit->path);
  }
  if (reads.size() == 1) {
    observation.title = title_of(reads[0]);
    observation.subtitle = lines_of(reads[0].symbols);
    tell_symbols(reads[0], observation);
    observation.narrative = join(diff_of(reads[0]), "\n");
    return observation;
  }
  // Code first: it says what the rest is about.
  const auto rank = [](const ReadEdit& read) {
    if (!generated_name(read.path()).empty()) return 3;
    return !is_code_path(read.path()) ? 2 : is_test_path(read.path()) ? 1 : 0;
  };
  std::stable_sort(reads.begin(), reads.end(),
                   [&](const ReadEdit& a, const ReadEdit& b) { return rank(a) < rank(b); });
  std::vector<std::string> paths, lines;
  for (const ReadEdit& read : reads) {
    std::string change = paths.empty() ? change_of(read, 2) : "";
    paths.push_back(read.path() + (change.empty() ? "" : " (" + change + ')'));
    lines.push_back(title_of(read));
    for (std::string& line : diff_of(read)) lines.push_back(std::move(line));
  }
  observation.title =
      fmt::format("Edited {} files: {}", reads.size(), listed(paths, kNamesInTitle));
  observation.narrative = join(lines, "\n");
  return observation;
}

// ---- commands

std::string last_line(std::string_view text) {
  const std::vector<std::string_view> lines = split(trim(text), '\n');
  for (auto it = lines.rbegin(); it != lines.rend(); ++it) {
    if (!trim(*it).empty()) return shortened_line(*it, 200);
  }
  return {};
}

// The line that says what went wrong: the last that begins like an error, else the last.
std::string error_line(std::string_view text) {
  const std::string plain = plain_terminal_text(
      text.size() > (64U << 10) ? text.substr(text.size() - (64U << 10)) : text);
  const std::vector<std::string_view> lines = split(plain, '\n');
  for (auto it = lines.rbegin(); it != lines.rend(); ++it) {
    const std::string_view line = trim(utf8_prefix(*it, 400));
    const std::string_view word = line.substr(0, line.find(':'));
    if (word.size() == line.size() || word.find(' ') != std::string_view::npos) continue;
    const std::string lower = to_lower_ascii(word);
    if (lower.ends_with("error") || lower.ends_with("exception") || lower == "fatal") {
      return shortened_line(line, 200);
    }
  }
  return last_line(plain);
}

// The lines that lead to the first error, such as a traceback's last: what its message does not
// say.
std::string before_error(std::string_view output, std::string_view error) {
  constexpr std::size_t kLines = 6;
  const std::string plain = plain_terminal_text(utf8_prefix(output, 64U << 10));
  const std::vector<std::string_view> lines = split(plain, '\n');
  const std::string_view head = error.substr(0, error.find(" Expected"));
  std::size_t at = 0;
  while (at < lines.size() && (head.empty() || lines[at].find(head) == std::string_view::npos))
    ++at;
  if (at == lines.size()) return {};
  std::size_t first = at;
  while (first > 0 && at - first < kLines && !trim(lines[first - 1]).empty() &&
         !lines[first - 1].starts_with("---") && !lines[first - 1].starts_with("===")) {
    --first;
  }
  std::string text;
  for (std::size_t i = first; i < at; ++i) text += std::string(utf8_prefix(lines[i], 200)) + '\n';
  while (text.ends_with('\n')) text.pop_back();
  return shorten(text, kMaxQuotedBytes);
}

// A file as a runner names it, from a folder that is not known.
std::string run_file(const ToolAction& action, std::string_view path) {
  while (path.starts_with("../")) path.remove_prefix(3);
  return told_path(path, action.cwd, action.root);
}

// "test_auth.py::test_login" of "tests/test_auth.py::test_login", "CartTest.test_total" of
// "test_total (test_cart.CartTest.test_total)".
std::string short_test(std::string_view name) {
  const std::size_t open = name.find(" (");
  if (open != std::string_view::npos && name.ends_with(')') && name.find(' ') == open &&
      name.rfind(' ') == open) {
    const std::string_view test = name.substr(0, open);
    std::string_view place = name.substr(open + 2, name.size() - open - 3);
    if (place.ends_with(test) && place.size() > test.size()) {
      place.remove_suffix(test.size() + 1);  // as newer Pythons say it
    }
    const std::string_view klass = place.substr(place.rfind('.') + 1);
    return shorten(fmt::format("{}.{}", klass, test), 80);
  }
  const std::size_t slash = name.substr(0, name.find("::")).rfind('/');
  if (slash != std::string_view::npos && name.find("::") != std::string_view::npos) {
    name.remove_prefix(slash + 1);
  }
  return shorten(name, 80);
}

std::vector<std::string> short_tests(const std::vector<std::string>& names) {
  std::vector<std::string> shorter;
  for (const std::string& name : names) shorter.push_back(short_test(name));
  return shorter;
}

std::string count_text(const TestRun& run) {
  if (!run.has_counts) return {};
  std::vector<std::string> parts;
  if (run.failed > 0) parts.push_back(fmt::format("{} failed", run.failed));
  if (run.passed > 0 || run.failed == 0) parts.push_back(fmt::format("{} passed", run.passed));
  if (run.skipped > 0) parts.push_back(fmt::format("{} skipped", run.skipped));
  return join(parts, ", ");
}

// "tests/test_cart.py" of "test_total (tests.test_cart.CartTest.test_total)", as unittest names it.
// Without a folder in it the name does not show where the file is: then empty.
std::string module_path(std::string_view name) {
  const std::size_t open = name.find(" (");
  if (open == std::string_view::npos || !name.ends_with(')')) return {};
  std::string_view place = name.substr(open + 2, name.size() - open - 3);
  constexpr std::string_view kNotLoaded = "unittest.loader._FailedTest.";
  const bool is_module = place.starts_with(kNotLoaded);
  if (is_module) place.remove_prefix(kNotLoaded.size());
  std::vector<std::string> folders;
  for (const std::string_view part : split(place, '.')) {
    if (part.empty()) return {};
    if (!is_module && std::isupper(static_cast<unsigned char>(part[0]))) break;
    folders.emplace_back(part);
  }
  return folders.size() < 2 ? "" : join(folders, "/") + ".py";
}

// Unless the output has named it already.
void add_module(const std::string& path, std::vector<std::string>& files) {
  const bool is_there = std::any_of(files.begin(), files.end(), [&](const std::string& file) {
    return file.ends_with(path.substr(path.rfind('/') + 1));
  });
  if (!is_there) add_file(files, path);
}

// "[main 1a2b3c4] subject": what git says when a commit is made; empty when it does not.
std::string_view commit_line(std::string_view output) {
  for (const std::string_view line : split(output.substr(0, 64U << 10), '\n')) {
    const std::size_t end = line.find("] ");
    if (!line.starts_with('[') || end == std::string_view::npos) continue;
    const std::string_view hash = line.substr(0, end).substr(line.substr(0, end).rfind(' ') + 1);
    if (hash.size() >= 7 && hash.find_first_not_of("0123456789abcdef") == std::string_view::npos) {
      return line;
    }
  }
  return {};
}

bool tells_failed_push(std::string_view output) {
  for (const std::string_view words :
       {"failed to push", "[rejected]", "[remote rejected]", "Could not read from remote",
        "does not appear to be a git repository", "has no upstream branch",
        "No configured push destination", "could not read Username", "unable to access"}) {
    if (output.find(words) != std::string_view::npos) return true;
  }
  return false;
}

ShellCommand of_part(const CommandPart& part) {
  ShellCommand command;
  command.purpose = part.purpose;
  command.main = part.text;
  command.object = part.object;
  return command;
}

bool is_check(CommandPurpose purpose) {
  return purpose == CommandPurpose::kTest || purpose == CommandPurpose::kBuild ||
         purpose == CommandPurpose::kLint;
}

class Observer {
 public:
  Observer(const ObserveRequest& request, EditReader& reader, RedRuns& red_runs)
      : request_(request), reader_(reader), red_runs_(red_runs) {}

  // One observation, or several of a line with several commands that matter. `before` is what was
  // observed of the session before.
  std::vector<Observation> observe(const ToolAction& action, std::int64_t at_ms,
                                   const std::vector<EarlierObservation>& before) {
    at_ms_ = at_ms;
    before_ = &before;
    switch (action.kind) {
      case ActionKind::kRead:
        return {of_read(action)};
      case ActionKind::kSearch:
      case ActionKind::kFind:
        return {of_search(action)};
      case ActionKind::kEdit:
        return {of_edit(action)};
      case ActionKind::kCommand:
        return of_commands(action);
      case ActionKind::kFetch:
        return {of_fetch(action)};
      case ActionKind::kWebSearch:
        return {of_web_search(action)};
      case ActionKind::kAgent:
        return {of_agent(action)};
      case ActionKind::kOther:
        break;
    }
    return {of_other(action)};
  }

 private:
  static Observation discovery(std::string title) {
    Observation observation;
    observation.type = "discovery";
    observation.title = std::move(title);
    observation.concepts = {"how-it-works"};
    return observation;
  }

  Observation of_read(const ToolAction& action) {
    Observation observation = discovery("Read " + listed(action.files, kNamesInTitle));
    for (const std::string& file : action.files) add_file(observation.files_read, file);
    if (action.has_failed) {
      observation.title = "Could not read " + listed(action.files, kNamesInTitle);
      observation.narrative = shortened_line(action.output, 300);
      observation.is_routine = true;
      return observation;
    }
    observation.is_routine = true;
    const std::size_t first = action.first_line.value_or(1);
    if (action.line_count && *action.line_count > 0 &&
        (first > 1 || (action.total_lines && *action.line_count < *action.total_lines) ||
         !action.total_lines)) {
      observation.subtitle = fmt::format("lines {} to {}", first, first + *action.line_count - 1);
      if (action.total_lines) observation.subtitle += fmt::format(" of {}", *action.total_lines);
    } else if (action.total_lines) {
      observation.subtitle = counted(*action.total_lines, "line");
    }
    if (!action.content.empty() && action.content.size() <= kMaxOutlineBytes &&
        action.files.size() == 1) {
      const auto outline = reader_.outline(action.files[0], action.content);
      if (!outline.empty()) {
        observation.narrative = fmt::format("Declares {}.", listed(outline, kNamesInFact));
      }
    }
    return observation;
  }

  Observation of_search(const ToolAction& action) {
    const bool by_name = action.kind == ActionKind::kFind;
    std::string title;
    if (by_name && action.query.empty()) {
      title = fmt::format("Listed {}", action.where.empty() ? "the folder" : action.where);
    } else {
      title = fmt::format("{} \"{}\"", by_name ? "Looked for files" : "Searched for",
                          shortened_line(action.query, 80));
      if (!action.where.empty()) title += " in " + shorten(action.where, 80);
    }
    if (action.found) {
      title += *action.found == 0 ? ": nothing found"
                                  : ": " + counted(*action.found, by_name ? "file" : "hit");
    }
    Observation observation = discovery(std::move(title));
    observation.is_routine = true;
    // Where something was looked for is not what was read: it is told in words.
    if (!action.files.empty() && action.found != 0U) {
      observation.narrative = fmt::format("Found in {}.", listed(action.files, kNamesInFact));
    }
    return observation;
  }

  Observation of_edit(const ToolAction& action) {
    if (action.edits.empty()) return of_other(action);
    if (action.has_failed) {
      std::vector<std::string> paths;
      for (const FileEdit& edit : action.edits) paths.push_back(edit.path);
      Observation observation =
          discovery(fmt::format("Could not edit {}", listed(paths, kNamesInTitle)));
      for (const std::string& path : paths) add_file(observation.files_read, path);
      observation.narrative = shortened_line(action.output, 300);
      observation.concepts = {"gotcha"};
      return observation;
    }
    return observe_edits(action.edits, reader_);
  }

  std::vector<Observation> of_commands(const ToolAction& action) {
    const ShellCommand command = read_command(action.command);
    std::vector<Observation> told;
    if (command.purpose == CommandPurpose::kCommit && command.parts.size() > 1) {
      told = of_commit_among(action, command);
    } else {
      told.push_back(of_command(action, command));
    }
    Observation& first = told.front();
    for (const std::string& path : command.files_read) {
      add_file(first.files_read, told_path(path, action.cwd, action.root));
    }
    if (!action.has_failed) {
      for (const std::string& path : command.files_modified) {
        add_file(first.files_modified, told_path(path, action.cwd, action.root));
      }
    }
    if (first.subtitle.empty()) first.subtitle = shortened_line(action.description, 200);
    return told;
  }

  // A line such as `npm test && git commit -m x && git push`: the run, the commit, and what failed.
  std::vector<Observation> of_commit_among(const ToolAction& action, const ShellCommand& command) {
    std::size_t commit = 0;
    while (command.parts[commit].purpose != CommandPurpose::kCommit) {
      if (++commit == command.parts.size()) return {of_command(action, command)};
    }
    const CommandPart* check = nullptr;
    const CommandPart* later = nullptr;
    for (std::size_t i = 0; i < command.parts.size(); ++i) {
      const CommandPart& part = command.parts[i];
      if (is_check(part.purpose)) check = &part;
      if (i > commit && later == nullptr && !is_read_only(part.purpose)) later = &part;
    }
    const bool has_failed = action.has_failed || action.exit_code.value_or(0) != 0;
    const bool is_committed =
        !has_failed || !commit_line(action.output).empty() ||
        (later != nullptr && later->object == "push" && tells_failed_push(action.output));
    std::vector<Observation> told;
    bool is_red = false;
    if (check != nullptr) {
      if (auto run = read_test_output(action.output)) {
        is_red = run->is_red;
        ToolAction its = action;
        its.exit_code.reset();  // of the whole line
        told.push_back(of_run(its, of_part(*check), *std::move(run)));
      }
    }
    if (is_committed) told.push_back(of_commit(action, of_part(command.parts[commit])));
    if (has_failed && is_committed && later != nullptr) {
      told.push_back(of_failed(action, of_part(*later)));
    } else if (has_failed && !is_committed && !is_red) {
      told.push_back(of_failed(action, of_part(command.parts[commit])));
    }
    if (told.empty()) told.push_back(of_failed(action, command));
    return told;
  }

  Observation of_command(const ToolAction& action, const ShellCommand& command) {
    const bool is_checked = is_check(command.purpose);
    std::optional<TestRun> run;
    if (is_checked || command.purpose == CommandPurpose::kOther ||
        command.purpose == CommandPurpose::kFiles) {
      run = read_test_output(action.output);
      // Only what runs something is believed that it did.
      if (run && !is_checked && !run->has_counts && run->failed_names.empty()) run.reset();
    }
    Observation observation;
    const bool has_run = !action.exit_code || *action.exit_code < 126 || run.has_value();
    if (run || (is_checked && has_run && (action.exit_code || action.has_failed))) {
      observation = of_run(action, command, run.value_or(TestRun{}));
    } else if (!command.written.empty() && !action.has_failed) {
      std::vector<FileEdit> edits;
      for (const WrittenFile& file : command.written) {
        FileEdit& edit = edits.emplace_back();
        edit.path = told_path(file.path, action.cwd, action.root);
        edit.is_before_known = false;
        edit.changes.push_back({"", file.text, "", true});
      }
      observation = observe_edits(edits, reader_);
    } else if (action.has_failed && !is_read_only(command.purpose)) {
      observation = of_failed(action, command);
    } else {
      observation = of_done(action, command);
    }
    return observation;
  }

  static std::string shown(const ShellCommand& command) {
    return '`' + shorten(command.main, 100) + '`';
  }

  Observation of_run(const ToolAction& action, const ShellCommand& command, TestRun run) {
    // What its own output does not say, the exit code does.
    if (action.exit_code && *action.exit_code != 0 && !run.is_red) {
      run.is_red = true;
      run.first_error = error_line(action.output);
      if (!run.has_counts) run.is_build = command.purpose == CommandPurpose::kBuild;
    }
    if (run.runner.empty()) run.is_build = command.purpose != CommandPurpose::kTest;
    const bool is_lint = command.purpose == CommandPurpose::kLint;
    const std::string_view what = is_lint ? "Check" : run.is_build ? "Build" : "Tests";
    Observation observation;
    observation.concepts = {"problem-solution"};
    const std::string runner = run.runner.empty() ? command.main : run.runner;
    const std::string counts = run.is_build ? "" : count_text(run);
    for (const std::string& file : run.files)
      add_file(observation.files_read, run_file(action, file));
    for (const std::string& name : run.failed_names) {
      add_module(module_path(name), observation.files_read);
    }
    if (run.is_red) {
      tell_red(action, command, run, what, runner, observation);
    } else {
      observation.type = "discovery";
      observation.outcome = is_lint ? "none" : "success";
      observation.title = fmt::format("{} {}: {}", what, run.is_build ? "succeeded" : "passed",
                                      shorten(run.is_build ? shown(command) : runner, 100));
      if (!counts.empty()) observation.title += ", " + counts;
      tell_mended(command, run, observation);
    }
    if (observation.title.find(shown(command)) == std::string::npos) {
      observation.narrative = fmt::format("Ran {}.", shown(command));
    }
    if (run.is_red) {
      if (!observation.narrative.empty()) observation.narrative += '\n';
      observation.narrative += before_error(action.output, run.first_error);
    }
    return observation;
  }

  void tell_red(const ToolAction& action, const ShellCommand& command, const TestRun& run,
                std::string_view what, const std::string& runner, Observation& observation) {
    const bool is_lint = command.purpose == CommandPurpose::kLint;
    observation.type = is_lint ? "discovery" : "bugfix";
    observation.outcome = is_lint ? "none" : "error";
    const std::vector<std::string> names = short_tests(run.failed_names);
    std::string title;
    if (run.is_build) {
      title = fmt::format("{} failed", what);
      if (run.failed > 1) title += fmt::format(" with {}", counted(run.failed, "error"));
      const std::string error =
          run.first_error.empty() && run.failed == 0 ? error_line(action.output) : run.first_error;
      title += ": " + (error.empty() ? shown(command) : shortened_line(error, 140));
    } else {
      // What failed first: lists show 80 columns.
      title =
          run.has_counts && run.failed > 0
              ? fmt::format("{} of {} failed", run.failed, counted(run.passed + run.failed, "test"))
              : "Tests failed";
      if (!names.empty()) {
        title += ": " + listed(names, kNamesInTitle);
      } else if (!run.first_error.empty()) {
        title += ": " + shortened_line(run.first_error, 120);
      }
      title += fmt::format(" ({})", shorten(runner, 60));
    }
    observation.title = std::move(title);
    for (std::size_t i = 0; i < run.failed_names.size() && i < 8; ++i) {
      add_fact(observation, "failed: " + run.failed_names[i]);
    }
    if (!run.first_error.empty()) add_fact(observation, "first error: " + run.first_error);
    RedRun red{command.main,
               run.runner,
               run.failed_names,
               observation.files_read,
               run.has_counts && !run.is_build ? run.passed + run.failed : 0,
               run.is_build,
               at_ms_};
    const auto mended = red_runs_.add(request_.project, std::move(red));
    if (!mended.empty()) {
      add_fact(observation, "no longer failing: " + listed(mended, kNamesInFact));
    }
  }

  // A green run after a red one says what was mended.
  void tell_mended(const ShellCommand& command, const TestRun& run, Observation& observation) {
    const auto reds = red_runs_.mend(
        request_.project, {command.main, run.runner, {}, {}, run.passed, run.is_build, at_ms_});
    if (reds.empty()) return;
    std::vector<std::string> names;
    bool is_edited = false;
    for (const RedRun& red : reds) {
      is_edited = is_edited || red.is_edited_since;
      for (const std::string& name : red.names) {
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      }
      for (const std::string& file : red.files) add_file(observation.files_read, file);
    }
    // What turned green without an edit was not mended: it is flaky, or was mended elsewhere.
    if (is_edited) observation.type = "bugfix";
    if (names.empty()) {
      if (is_edited) observation.title += " (it had failed before)";
    } else {
      observation.title = fmt::format("{}{} {} again ({})", is_edited ? "Fixed: " : "",
                                      listed(short_tests(names), kNamesInTitle),
                                      names.size() == 1 ? "passes" : "pass", observation.title);
      add_fact(observation, "red before, green now: " + listed(names, kNamesInFact));
    }
  }

  Observation of_failed(const ToolAction& action, const ShellCommand& command) {
    const std::string error = error_line(action.output);
    Observation observation = discovery(fmt::format("{} did not work", shown(command)));
    if (!error.empty()) observation.title += ": " + error;
    observation.concepts = {"gotcha"};
    if (action.exit_code)
      add_fact(observation, fmt::format("it exited with {}", *action.exit_code));
    if (trim(action.output) != error) observation.narrative = in_quotes(action.output);
    return observation;
  }

  Observation of_done(const ToolAction& action, const ShellCommand& command) {
    Observation observation;
    observation.concepts = {"what-changed"};
    observation.type = "change";
    std::vector<std::string> files;
    for (const std::string& path : command.files_read) {
      files.push_back(told_path(path, action.cwd, action.root));
    }
    switch (command.purpose) {
      case CommandPurpose::kCommit:
        return of_commit(action, command);
      case CommandPurpose::kInstall:
        observation.title = command.object.empty()
                                ? fmt::format("Installed dependencies: {}", shown(command))
                                : fmt::format("Dependencies: {} ({})", shorten(command.object, 100),
                                              shown(command));
        break;
      case CommandPurpose::kGit:
        observation.title = fmt::format("Ran {}", shown(command));
        break;
      case CommandPurpose::kFiles: {
        std::vector<std::string> modified;
        for (const std::string& path : command.files_modified) {
          modified.push_back(told_path(path, action.cwd, action.root));
        }
        observation.title = modified.empty()
                                ? fmt::format("Ran {}", shown(command))
                                : fmt::format("Changed {} with {}", listed(modified, kNamesInTitle),
                                              shown(command));
        break;
      }
      case CommandPurpose::kSearch:
        observation =
            discovery(command.object.empty()
                          ? fmt::format("Looked for files with {}", shown(command))
                          : fmt::format("Searched for \"{}\"", shortened_line(command.object, 80)));
        if (trim(action.output).empty()) observation.title += ": nothing found";
        observation.is_routine = true;
        break;
      case CommandPurpose::kRead:
        observation = discovery(files.empty() ? fmt::format("Looked at {}", shown(command))
                                              : "Read " + listed(files, kNamesInTitle));
        observation.is_routine = true;
        break;
      case CommandPurpose::kList:
        observation = discovery(fmt::format("Looked at {}", shown(command)));
        observation.is_routine = true;
        break;
      default:
        observation = discovery(
            action.description.empty()
                ? fmt::format("Ran {}", shown(command))
                : fmt::format("{}: {}", shortened_line(action.description, 90), shown(command)));
        observation.concepts.clear();
        observation.is_routine = true;
        break;
    }
    if (command.purpose == CommandPurpose::kRead ||
        observation.title.find('`') == std::string::npos) {
      observation.narrative = fmt::format("Ran {}.\n", shown(command));
    }
    observation.narrative += in_quotes(plain_terminal_text(utf8_prefix(action.output, 4'000)));
    return observation;
  }

  // The message as it was meant: not the here-document around it.
  static std::string commit_message(std::string_view text) {
    text = trim(text);
    if (text.starts_with("$(cat <<")) {
      const std::size_t begin = text.find('\n');
      if (begin == std::string_view::npos) return {};
      text = text.substr(begin + 1);
      if (text.ends_with(')')) text.remove_suffix(1);
      text = trim(text);
      if (const std::size_t end = text.rfind('\n'); end != std::string_view::npos) {
        text = text.substr(0, end);  // the word that ends it
      }
    }
    return std::string(trim(text));
  }

  Observation of_commit(const ToolAction& action, const ShellCommand& command) {
    std::string message = commit_message(command.object);
    const std::string_view output = trim(action.output);
    if (const std::string_view line = commit_line(output); message.empty() && !line.empty()) {
      message = line.substr(line.find("] ") + 2);
    }
    const std::string_view subject = std::string_view(message).substr(0, message.find('\n'));
    const std::string lower = to_lower_ascii(subject.substr(0, 40));
    Observation observation;
    observation.type = "change";
    for (const auto& [prefix, type] :
         std::initializer_list<std::pair<std::string_view, std::string_view>>{
             {"feat", "feature"},
             {"add ", "feature"},
             {"refactor", "refactor"},
             {"fix", "bugfix"}}) {
      if (lower.starts_with(prefix)) observation.type = type;
    }
    observation.concepts = {"what-changed"};
    observation.title = subject.empty() ? fmt::format("Committed with {}", shown(command))
                                        : fmt::format("Committed: {}", shorten(subject, 150));
    observation.narrative = trim(std::string_view(message).substr(subject.size()));
    if (!observation.narrative.empty()) observation.concepts.push_back("why-it-exists");
    for (const std::string_view line : split(output.substr(0, 4'000), '\n')) {
      if (line.starts_with('[')) {
        add_fact(observation, line.substr(0, line.find(']') + 1));
      } else if (line.find(" changed") != std::string_view::npos &&
                 line.find(" file") != std::string_view::npos) {
        add_fact(observation, line);
      } else if (trim(line).starts_with("create mode ") || trim(line).starts_with("delete mode ")) {
        add_file(observation.files_modified, std::string(trim(line).substr(19)));
      }
    }
    if (observation.narrative.empty()) {
      observation.narrative = join(observation.facts, "\n");
      observation.facts.clear();
    }
    // Git names no others: what was edited since the last commit is taken for what is in it.
    for (auto it = before_->rbegin(); it != before_->rend(); ++it) {
      if (it->title.starts_with("Committed")) break;
      for (const std::string& file : it->files_modified) {
        if (!file.starts_with('/')) add_file(observation.files_modified, file);
      }
    }
    return observation;
  }

  Observation of_fetch(const ToolAction& action) {
    Observation observation =
        discovery(fmt::format("{} {}", action.has_failed ? "Could not fetch" : "Fetched",
                              shortened_line(action.url, 150)));
    observation.subtitle = shortened_line(action.query, 200);
    observation.narrative = in_quotes(action.output);
    return observation;
  }

  Observation of_web_search(const ToolAction& action) {
    Observation observation =
        discovery(fmt::format("Searched the web for \"{}\"", shortened_line(action.query, 140)));
    observation.narrative = in_quotes(action.output);
    return observation;
  }

  Observation of_agent(const ToolAction& action) {
    const std::string task =
        shortened_line(action.description.empty() ? action.query : action.description, 140);
    Observation observation = discovery(
        task.empty() ? "Asked another agent" : fmt::format("Asked another agent: {}", task));
    observation.subtitle = shortened_line(action.query, 200);
    observation.narrative = shorten(trim(action.output), 1'500);
    // Without its answer it tells nothing.
    observation.is_routine = observation.narrative.empty();
    if (!observation.is_routine) observation.title += " -> " + shortened_line(action.output, 120);
    return observation;
  }

  Observation of_other(const ToolAction& action) {
    std::string about = shortened_line(!action.query.empty()         ? action.query
                                       : !action.url.empty()         ? action.url
                                       : !action.description.empty() ? action.description
                                                                     : std::string_view(),
                                       120);
    if (about.empty() && !action.files.empty()) about = action.files[0];
    Observation observation = discovery(fmt::format("Used {}", action.tool));
    if (!about.empty()) observation.title += ": " + about;
    for (const std::string& file : action.files) add_file(observation.files_read, file);
    if (action.has_failed) observation.concepts = {"gotcha"};
    observation.narrative = in_quotes(action.output);
    return observation;
  }

  const ObserveRequest& request_;
  EditReader& reader_;
  RedRuns& red_runs_;
  std::int64_t at_ms_ = 0;
  const std::vector<EarlierObservation>* before_ = nullptr;
};

// What only looks: a second time it tells nothing.
bool only_looks(const ToolAction& action) {
  switch (action.kind) {
    case ActionKind::kRead:
    case ActionKind::kSearch:
    case ActionKind::kFind:
    case ActionKind::kFetch:
    case ActionKind::kWebSearch:
      return true;
    case ActionKind::kCommand:
      return is_read_only(read_command(action.command).purpose);
    default:
      return false;
  }
}

// Whether what only looks was told of this prompt already, and where in `before`; an edit in
// between of what was looked at makes it new.
std::optional<std::size_t> told_before(const Observation& observation,
                                       const std::vector<EarlierObservation>& before) {
  for (std::size_t i = before.size(); i-- > 0 && before[i].is_of_prompt;) {
    const EarlierObservation& one = before[i];
    if (one.title == observation.title && one.facts == observation.facts) return i;
    const bool is_edit_of_it = std::any_of(
        one.files_modified.begin(), one.files_modified.end(), [&](const std::string& file) {
          return observation.files_read.empty() ||
                 std::find(observation.files_read.begin(), observation.files_read.end(), file) !=
                     observation.files_read.end();
        });
    if (is_edit_of_it) break;
  }
  return std::nullopt;
}

// What may mend a test.
bool is_change(const Observation& observation) {
  return !observation.title.starts_with("Committed") &&
         (!observation.files_modified.empty() || observation.type == "change");
}

void bound(Observation& observation) {
  observation.title = shortened_line(observation.title, kMaxRuleTitleBytes);
  observation.subtitle = shortened_line(observation.subtitle, kMaxRuleTitleBytes);
  observation.narrative = shorten(observation.narrative, kMaxRuleNarrativeBytes);
  // What a tool happened to print is no word of ours.
  if (observation.outcome.empty()) observation.outcome = "none";
}

class RuleBasedProvider : public Provider {
 public:
  explicit RuleBasedProvider(FindRoot find_root) : find_root_(std::move(find_root)) {}

  std::string_view name() const override { return kRuleBasedName; }
  std::string_view model() const override { return {}; }
  bool wants_batches() const override { return false; }

  ObserveReply observe(const ObserveRequest& request, std::stop_token stop) const override {
    ObserveReply reply;
    EditReader reader;
    Observer observer(request, reader, red_runs_);
    std::vector<EarlierObservation> before = request.earlier;
    for (const ToolEvent& event : request.events) {
      if (stop.stop_requested()) {
        reply.observations.clear();
        reply.failure = ProviderFailure{FailureClass::kUnknown, "stopped", true};
        return reply;
      }
      const ToolAction action = read_action(event, find_root_);
      const bool is_look = only_looks(action);
      for (Observation& observation : observer.observe(action, event.at_ms, before)) {
        bound(observation);
        if (const auto told = is_look ? told_before(observation, before) : std::nullopt) {
          if (*told >= request.earlier.size()) {
            reply.observations[*told - request.earlier.size()].message_ids.push_back(
                event.message_id);
          }
          continue;
        }
        if (is_change(observation)) red_runs_.note_edit(request.project);
        before.push_back({observation.title, observation.facts, observation.files_read,
                          observation.files_modified, /*is_of_prompt=*/true});
        observation.message_ids = {event.message_id};
        reply.observations.push_back(std::move(observation));
      }
    }
    return reply;
  }

  SummarizeReply summarize(const SummarizeRequest& request, std::stop_token) const override {
    SummarizeReply reply;
    reply.summary = summarize_by_rules(request);
    return reply;
  }

 private:
  FindRoot find_root_;
  mutable RedRuns red_runs_;
};

}  // namespace

std::unique_ptr<Provider> make_rule_based_provider(FindRoot find_root) {
  return std::make_unique<RuleBasedProvider>(std::move(find_root));
}

}  // namespace codexmem::observe
