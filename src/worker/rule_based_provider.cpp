// A rule a kind of action. Every text is cut as it is put together, so that no event makes a long
// observation.
//
// Reflection (memory/reflection.h) reads outcome: red runs of tests and builds are errors of the
// files that they name, green ones successes of the files that were red before. Whatever else
// failed
// - a search that found nothing, a command that was mistyped - says nothing of a file.
//
// Tested by worker/rule_based_provider_test.cpp.
#include "worker/rule_based_provider.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>

#include "base/text.h"
#include "parse/languages.h"
#include "worker/edit_symbols.h"
#include "worker/red_runs.h"
#include "worker/rule_based_summary.h"
#include "worker/shell_command.h"
#include "worker/test_output.h"

namespace codexmem::worker {
namespace {

constexpr std::size_t kNamesInTitle = 3;
constexpr std::size_t kNamesInFact = 12;
constexpr std::size_t kMaxLineInTitle = 90;  // of a file
constexpr std::size_t kMaxOutlineBytes = 128 << 10;
constexpr std::size_t kMaxQuotedBytes = 600;  // of a tool's answer

std::string cut(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return std::string(text);
  return std::string(trim(utf8_prefix(text, max_bytes - 3))) + "...";
}

// On one line.
std::string line_of(std::string_view text, std::size_t max_bytes) {
  return cut(fold_whitespace(utf8_prefix(text, 8 * max_bytes)), max_bytes);
}

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
  std::string text = line_of(fact, kMaxRuleFactBytes);
  if (text.empty() || observation.facts.size() >= kMaxRuleFacts) return;
  observation.facts.push_back(std::move(text));
}

void add_file(std::vector<std::string>& files, const std::string& path) {
  if (path.empty() || files.size() >= kMaxRuleFiles) return;
  if (std::find(files.begin(), files.end(), path) == files.end()) files.push_back(path);
}

// What a tool said, for a narrative.
std::string quoted(std::string_view text) {
  return cut(trim(utf8_prefix(trim(text), kMaxQuotedBytes * 2)), kMaxQuotedBytes);
}

// ---- edits

bool is_test_path(std::string_view path) {
  const std::string lower = to_lower_ascii(path);
  for (const std::string_view part : {"test/", "tests/", "__tests__/", "spec/", "_test.", ".test.",
                                      ".spec.", "_spec.", "test_"}) {
    if (lower.find(part) != std::string::npos) return true;
  }
  return false;
}

// What programs write: its lines say nothing.
bool is_made_by_programs(std::string_view path) {
  const std::string name = to_lower_ascii(path.substr(path.rfind('/') + 1));
  for (const std::string_view end : {".lock", "-lock.json", "-lock.yaml", ".sum", ".snap",
                                     ".min.js", ".min.css", ".map", "lockfile"}) {
    if (name.ends_with(end)) return true;
  }
  return false;
}

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
    return title + ": " + symbols.new_lines[0];
  }
  if (std::string change = change_of(read, kNamesInTitle); !change.empty()) {
    return title + (change.starts_with("in ") ? " " : ": ") + change;
  }
  if (read.edit->is_deleted || read.is_moved_only() || symbols.only_white_space) return title;
  const parse::Language* language = parse::detect_language(read.path(), {});
  if (language != nullptr && language->is_prose && !symbols.new_lines.empty()) {
    return title + ": " + cut(symbols.new_lines[0], kMaxLineInTitle);
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

void tell_edit(const ReadEdit& read, bool is_only_one, Observation& observation) {
  const EditSymbols& symbols = read.symbols;
  if (!is_only_one) {
    add_fact(observation, title_of(read));
    return;
  }
  const auto tell = [&](std::string_view what, const std::vector<std::string>& names) {
    if (!names.empty())
      add_fact(observation, fmt::format("{} {}", what, listed(names, kNamesInFact)));
  };
  tell(read.edit->is_new || !read.edit->is_before_known ? "declares" : "added", symbols.added);
  tell("changed", symbols.changed);
  tell("removed", symbols.removed);
  tell("renamed", symbols.renamed);
  tell("added tests", symbols.tests);
  if (symbols.new_lines.size() == 1 && symbols.old_lines.size() == 1 && symbols.lines_added == 1 &&
      symbols.lines_removed == 1) {
    add_fact(observation, fmt::format("`{}` became `{}`", cut(symbols.old_lines[0], 120),
                                      cut(symbols.new_lines[0], 120)));
  }
  add_fact(observation, lines_of(symbols));
}

std::string narrative_of(const ReadEdit& read) {
  std::string text = title_of(read);
  if (const std::string lines = lines_of(read.symbols);
      !lines.empty() && text.find(lines) == std::string::npos) {
    text += fmt::format(" ({})", lines);
  }
  text += '.';
  for (const std::string& line : read.symbols.old_lines) text += "\n- " + line;
  for (const std::string& line : read.symbols.new_lines) text += "\n+ " + line;
  return text;
}

// What `edits` did; also of here-documents of a shell.
Observation observe_edits(const std::vector<FileEdit>& edits, EditReader& reader) {
  std::vector<ReadEdit> reads;
  for (const FileEdit& edit : edits) {
    ReadEdit& read = reads.emplace_back();
    read.edit = &edit;
    read.symbols = reader.read(edit.read_as.empty() ? edit.path : edit.read_as, edit.changes);
    if (is_made_by_programs(edit.path)) {
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
    tell_edit(read, reads.size() == 1, observation);
    add_file(observation.files_modified, read.path());
    if (!read.edit->moved_to.empty()) add_file(observation.files_modified, read.edit->path);
  }
  if (reads.size() == 1) {
    observation.title = title_of(reads[0]);
    observation.subtitle = lines_of(reads[0].symbols);
    observation.narrative = narrative_of(reads[0]);
    return observation;
  }
  // Code first: it says what the rest is about.
  const auto rank = [](const ReadEdit& read) {
    if (is_made_by_programs(read.path())) return 3;
    return !is_code_path(read.path()) ? 2 : is_test_path(read.path()) ? 1 : 0;
  };
  std::stable_sort(reads.begin(), reads.end(),
                   [&](const ReadEdit& a, const ReadEdit& b) { return rank(a) < rank(b); });
  std::vector<std::string> paths, sentences;
  for (const ReadEdit& read : reads) {
    std::string change = paths.empty() ? change_of(read, 2) : "";
    paths.push_back(read.path() + (change.empty() ? "" : " (" + change + ')'));
    if (sentences.size() < 12) sentences.push_back(title_of(read) + '.');
  }
  observation.title =
      fmt::format("Edited {} files: {}", reads.size(), listed(paths, kNamesInTitle));
  observation.narrative = join(sentences, "\n");
  return observation;
}

// ---- commands

std::string last_line(std::string_view text) {
  const std::vector<std::string_view> lines = split(trim(text), '\n');
  for (auto it = lines.rbegin(); it != lines.rend(); ++it) {
    if (!trim(*it).empty()) return line_of(*it, 200);
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
      return line_of(line, 200);
    }
  }
  return last_line(plain);
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
    return cut(fmt::format("{}.{}", klass, test), 80);
  }
  const std::size_t slash = name.substr(0, name.find("::")).rfind('/');
  if (slash != std::string_view::npos && name.find("::") != std::string_view::npos) {
    name.remove_prefix(slash + 1);
  }
  return cut(name, 80);
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

class Observer {
 public:
  Observer(const ObserveRequest& request, EditReader& reader, RedRuns& red_runs)
      : request_(request), reader_(reader), red_runs_(red_runs) {}

  Observation observe(const ToolAction& action) {
    switch (action.kind) {
      case ActionKind::kRead:
        return of_read(action);
      case ActionKind::kSearch:
      case ActionKind::kFind:
        return of_search(action);
      case ActionKind::kEdit:
        return of_edit(action);
      case ActionKind::kCommand:
        return of_command(action);
      case ActionKind::kFetch:
        return of_fetch(action);
      case ActionKind::kWebSearch:
        return of_web_search(action);
      case ActionKind::kAgent:
        return of_agent(action);
      case ActionKind::kOther:
        break;
    }
    return of_other(action);
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
      observation.narrative = fmt::format("{}: {}", observation.title, line_of(action.output, 300));
      return observation;
    }
    const std::size_t first = action.first_line.value_or(1);
    if (action.line_count && *action.line_count > 0 &&
        (first > 1 || (action.total_lines && *action.line_count < *action.total_lines) ||
         !action.total_lines)) {
      observation.subtitle = fmt::format("lines {} to {}", first, first + *action.line_count - 1);
      if (action.total_lines) observation.subtitle += fmt::format(" of {}", *action.total_lines);
    } else if (action.total_lines) {
      observation.subtitle = counted(*action.total_lines, "line");
    }
    observation.narrative = observation.title;
    if (!observation.subtitle.empty()) observation.narrative += ", " + observation.subtitle;
    observation.narrative += '.';
    if (!action.content.empty() && action.content.size() <= kMaxOutlineBytes &&
        action.files.size() == 1) {
      const auto outline = reader_.outline(action.files[0], action.content);
      if (!outline.empty()) {
        add_fact(observation, "declares " + listed(outline, kNamesInFact));
        observation.narrative += " It declares " + listed(outline, kNamesInFact) + '.';
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
                          line_of(action.query, 80));
      if (!action.where.empty()) title += " in " + cut(action.where, 80);
    }
    if (action.found) {
      title += *action.found == 0 ? ": nothing found"
                                  : ": " + counted(*action.found, by_name ? "file" : "hit");
    }
    Observation observation = discovery(std::move(title));
    // Where something was looked for is not what was read: a few, as a fact.
    if (!action.files.empty() && action.found != 0U) {
      add_fact(observation, "found in " + listed(action.files, kNamesInFact));
    }
    observation.narrative = observation.title + '.';
    if (!observation.facts.empty()) observation.narrative += ' ' + observation.facts[0] + '.';
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
      observation.narrative = fmt::format("{}: {}", observation.title, line_of(action.output, 300));
      observation.concepts = {"gotcha"};
      return observation;
    }
    return observe_edits(action.edits, reader_);
  }

  Observation of_command(const ToolAction& action) {
    const ShellCommand command = read_command(action.command);
    const bool is_checked = command.purpose == CommandPurpose::kTest ||
                            command.purpose == CommandPurpose::kBuild ||
                            command.purpose == CommandPurpose::kLint;
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
    for (const std::string& path : command.files_read) {
      add_file(observation.files_read, told_path(path, action.cwd, action.root));
    }
    if (!action.has_failed) {
      for (const std::string& path : command.files_modified) {
        add_file(observation.files_modified, told_path(path, action.cwd, action.root));
      }
    }
    if (observation.subtitle.empty()) observation.subtitle = line_of(action.description, 200);
    return observation;
  }

  static std::string shown(const ShellCommand& command) {
    return '`' + cut(command.main, 100) + '`';
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
    if (run.is_red) {
      tell_red(action, command, run, what, runner, observation);
    } else {
      observation.type = "discovery";
      observation.outcome = is_lint ? "none" : "success";
      observation.title = fmt::format("{} {}: {}", what, run.is_build ? "succeeded" : "passed",
                                      cut(run.is_build ? shown(command) : runner, 100));
      if (!counts.empty()) observation.title += ", " + counts;
      tell_mended(command, run, observation);
    }
    add_fact(observation, "ran " + shown(command));
    if (!counts.empty()) add_fact(observation, counts);
    observation.narrative = observation.title + '.';
    for (const std::string& fact : observation.facts) observation.narrative += '\n' + fact;
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
      title += ": " + (error.empty() ? shown(command) : line_of(error, 140));
    } else {
      title = "Tests failed";
      if (run.has_counts && run.failed > 0) {
        title =
            fmt::format("{} of {} failed", run.failed, counted(run.passed + run.failed, "test"));
      }
      title += fmt::format(" in {}", cut(runner, 80));
      if (!names.empty()) {
        title += ": " + listed(names, kNamesInTitle);
      } else if (!run.first_error.empty()) {
        title += ": " + line_of(run.first_error, 120);
      }
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
               run.is_build};
    const auto mended = red_runs_.add(request_.project, std::move(red));
    if (!mended.empty()) {
      add_fact(observation, "no longer failing: " + listed(short_tests(mended), kNamesInFact));
    }
  }

  // A green run after a red one says what was mended.
  void tell_mended(const ShellCommand& command, const TestRun& run, Observation& observation) {
    const auto reds = red_runs_.mend(request_.project,
                                     {command.main, run.runner, {}, {}, run.passed, run.is_build});
    if (reds.empty()) return;
    std::vector<std::string> names;
    for (const RedRun& red : reds) {
      for (const std::string& name : red.names) {
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      }
      for (const std::string& file : red.files) add_file(observation.files_read, file);
    }
    observation.type = "bugfix";
    if (names.empty()) {
      observation.title += " (it had failed before)";
    } else {
      observation.title =
          fmt::format("Fixed: {} {} again ({})", listed(short_tests(names), kNamesInTitle),
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
    observation.narrative =
        fmt::format("{} did not work.\n{}", shown(command), quoted(action.output));
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
        observation.title =
            command.object.empty()
                ? fmt::format("Installed dependencies: {}", shown(command))
                : fmt::format("Dependencies: {} ({})", cut(command.object, 100), shown(command));
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
                          : fmt::format("Searched for \"{}\"", line_of(command.object, 80)));
        if (trim(action.output).empty()) observation.title += ": nothing found";
        break;
      case CommandPurpose::kRead:
        observation = discovery(files.empty() ? fmt::format("Looked at {}", shown(command))
                                              : "Read " + listed(files, kNamesInTitle));
        break;
      case CommandPurpose::kList:
        observation = discovery(fmt::format("Looked at {}", shown(command)));
        break;
      default:
        observation =
            discovery(action.description.empty()
                          ? fmt::format("Ran {}", shown(command))
                          : fmt::format("{}: {}", line_of(action.description, 90), shown(command)));
        break;
    }
    observation.narrative = fmt::format("Ran {}.", shown(command));
    if (const std::string output = quoted(plain_terminal_text(utf8_prefix(action.output, 4'000)));
        !output.empty()) {
      observation.narrative += "\n" + output;
    }
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
    std::string_view output = trim(action.output);
    // "[main 1a2b3c4] subject": what git says of it.
    if (message.empty() && output.starts_with('[')) {
      const std::size_t end = output.find("] ");
      if (end != std::string_view::npos) {
        message = output.substr(end + 2, output.find('\n', end) - end - 2);
      }
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
                                        : fmt::format("Committed: {}", cut(subject, 150));
    observation.narrative = message.empty() ? observation.title + '.' : message;
    if (message.find('\n') != std::string::npos) observation.concepts.push_back("why-it-exists");
    for (const std::string_view line : split(output.substr(0, 4'000), '\n')) {
      if (line.starts_with('[')) {
        add_fact(observation, line.substr(0, line.find(']') + 1));
      } else if (line.find(" changed") != std::string_view::npos &&
                 line.find(" file") != std::string_view::npos) {
        add_fact(observation, line);
      }
    }
    return observation;
  }

  Observation of_fetch(const ToolAction& action) {
    Observation observation = discovery(fmt::format(
        "{} {}", action.has_failed ? "Could not fetch" : "Fetched", line_of(action.url, 150)));
    observation.subtitle = line_of(action.query, 200);
    observation.narrative = quoted(action.output);
    return observation;
  }

  Observation of_web_search(const ToolAction& action) {
    Observation observation =
        discovery(fmt::format("Searched the web for \"{}\"", line_of(action.query, 140)));
    observation.narrative = quoted(action.output);
    return observation;
  }

  Observation of_agent(const ToolAction& action) {
    const std::string task =
        line_of(action.description.empty() ? action.query : action.description, 140);
    Observation observation = discovery(
        task.empty() ? "Asked another agent" : fmt::format("Asked another agent: {}", task));
    observation.subtitle = line_of(action.query, 200);
    observation.narrative = cut(trim(action.output), 1'500);
    return observation;
  }

  Observation of_other(const ToolAction& action) {
    std::string about = line_of(!action.query.empty()         ? action.query
                                : !action.url.empty()         ? action.url
                                : !action.description.empty() ? action.description
                                                              : std::string_view(),
                                120);
    if (about.empty() && !action.files.empty()) about = action.files[0];
    Observation observation = discovery(fmt::format("Used {}", action.tool));
    if (!about.empty()) observation.title += ": " + about;
    for (const std::string& file : action.files) add_file(observation.files_read, file);
    if (action.has_failed) observation.concepts = {"gotcha"};
    observation.narrative = quoted(action.output);
    return observation;
  }

  const ObserveRequest& request_;
  EditReader& reader_;
  RedRuns& red_runs_;
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

void bound(Observation& observation) {
  observation.title = line_of(observation.title, kMaxRuleTitleBytes);
  observation.subtitle = line_of(observation.subtitle, kMaxRuleTitleBytes);
  observation.narrative = cut(observation.narrative, kMaxRuleNarrativeBytes);
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
    std::map<std::string, std::size_t> seen;  // which observation tells of it
    for (const ToolEvent& event : request.events) {
      if (stop.stop_requested()) {
        reply.observations.clear();
        reply.failure = ProviderFailure{FailureClass::kUnknown, "stopped", true};
        return reply;
      }
      const ToolAction action = read_action(event, find_root_);
      if (only_looks(action)) {
        const auto [found, is_new] =
            seen.try_emplace(event.tool_name + '\n' + event.input, reply.observations.size());
        if (!is_new) {
          reply.observations[found->second].message_ids.push_back(event.message_id);
          continue;
        }
      }
      Observation observation = observer.observe(action);
      observation.message_ids = {event.message_id};
      bound(observation);
      reply.observations.push_back(std::move(observation));
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

}  // namespace codexmem::worker
