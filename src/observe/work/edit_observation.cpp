// Tested by observe/rule_based_provider_test.cpp.
#include "observe/work/edit_observation.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "config/path_kind.h"
#include "base/text.h"
#include "parse/rules/languages.h"
#include "observe/work/rule_text.h"

namespace codexmem::observe {
namespace {

constexpr std::size_t kMaxLineInTitle = 90;  // of a file

bool is_code_path(std::string_view path) {
  const parse::Language* language = parse::detect_language(path, {});
  return language != nullptr && !language->is_prose && !language->is_configuration;
}

bool is_function(const std::string& name) { return name.ends_with("()"); }

// An edit of a file with what it did.
struct ReadEdit {
  const FileEdit* edit = nullptr;
  EditSymbols symbols;

  bool is_moved_only() const {
    return !edit->moved_to.empty() && symbols.lines_added + symbols.lines_removed == 0;
  }
  // As far as anybody knows.
  bool is_all_new() const { return edit->is_new || !edit->is_before_known; }
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
  const auto report = [&](const char* verb, const std::vector<std::string>& names) {
    if (!names.empty()) parts.push_back(verb + listed(names, most));
  };
  if (read.is_all_new()) {
    report("", symbols.added);
  } else {
    report("renamed ", symbols.renamed);
    report("added ", symbols.added);
    report("changed ", symbols.changed);
    report("removed ", symbols.removed);
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
      std::ranges::any_of(symbols.changed, is_function) ||
      std::ranges::any_of(symbols.added, is_function);
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
    const bool adds_much = std::ranges::any_of(symbols.added, [](const std::string& name) {
      return is_function(name) || std::isupper(static_cast<unsigned char>(name[0]));
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
void report_symbols(const ReadEdit& read, Observation& observation) {
  const EditSymbols& symbols = read.symbols;
  const auto report = [&](std::string_view what, const std::vector<std::string>& names) {
    const std::string all = listed(names, kNamesInFact);
    if (observation.title.find(all) != std::string::npos) return;
    add_fact(observation, fmt::format("{} {}", what, all));
  };
  report(read.is_all_new() ? "declares" : "added", symbols.added);
  report("changed", symbols.changed);
  report("removed", symbols.removed);
  report("renamed", symbols.renamed);
  if (symbols.tests.size() > 2) report("added tests", symbols.tests);  // more than a title has
}

// The first of its lines, indented as they were.
std::vector<std::string> diff_of(const ReadEdit& read) {
  std::vector<std::string> lines;
  for (const std::string& line : read.symbols.old_lines) lines.push_back("- " + line);
  for (const std::string& line : read.symbols.new_lines) lines.push_back("+ " + line);
  return lines;
}

}  // namespace

Observation observe_edits(const std::vector<FileEdit>& edits, EditReader& reader) {
  std::vector<ReadEdit> reads;
  for (const FileEdit& edit : edits) {
    EditSymbols symbols =
        reader.read(edit.read_as.empty() ? edit.path : edit.read_as, edit.changes);
    if (!generated_name(edit.path).empty()) {
      EditSymbols lines;
      lines.lines_added = symbols.lines_added;
      lines.lines_removed = symbols.lines_removed;
      symbols = std::move(lines);
    }
    reads.push_back({&edit, std::move(symbols)});
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
    report_symbols(reads[0], observation);
    observation.narrative = join(diff_of(reads[0]), "\n");
    return observation;
  }
  // Code first: it says what the rest is about.
  const auto rank = [](const ReadEdit& read) {
    if (!generated_name(read.path()).empty()) return 3;
    return !is_code_path(read.path()) ? 2 : is_test_path(read.path()) ? 1 : 0;
  };
  std::ranges::stable_sort(reads, {}, rank);
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

}  // namespace codexmem::observe
