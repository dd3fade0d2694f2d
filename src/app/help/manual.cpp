// Tested by app/completion_test.cpp.
#include "app/help/manual.h"

#include <fmt/core.h>

#include "app/help/help_text.h"
#include "config/settings.h"
#include "base/text.h"

namespace codexmem::app {

extern const char* const kCommitDate;  // as kCommit of version_command.cpp

namespace {

// `text` as roff takes it: a dash that may be typed, no line that reads as a request.
std::string escaped(std::string_view text) {
  std::string out;
  bool is_start = true;
  for (const char c : text) {
    if (is_start && (c == '.' || c == '\'')) out += "\\&";
    is_start = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\'') {
      out += "\\(aq";
    } else if (c == '`') {
      out += "\\(ga";
    } else if (c == '^') {
      out += "\\(ha";
    } else if (c == '~') {
      out += "\\(ti";
    } else {
      out += c;
    }
  }
  return out;
}

// Lines as they stand, two columns in from the text of their section, which begins in the eighth.
constexpr const char* kShown = ".PP\n.nf\n.in +2n\n";
constexpr std::size_t kShownWidth = kHelpWidth - 7;

// The prose of a row's text, and its examples as they are.
std::string ending(std::string_view text) {
  std::string out;
  bool is_list = false;  // lines that are shown as they stand
  const std::string lines = fitted(text, kShownWidth);
  for (const std::string_view line : split(lines, '\n')) {
    const bool is_shown = line.starts_with("  ");
    if (is_shown != is_list) out += is_shown ? kShown : ".in\n.fi\n";
    is_list = is_shown;
    if (line.empty()) {
      out += ".PP\n";
    } else if (line == "Examples:") {
      out += "Examples:\n";
    } else {
      out += escaped(is_shown ? line.substr(2) : line) + "\n";
    }
  }
  if (is_list) out += ".in\n.fi\n";
  return out;
}

std::string names_of(const ArgumentFacts& argument) {
  std::string out;
  for (const std::string& name : argument.names) {
    out += fmt::format("{}\\fB{}\\fR", out.empty() ? "" : ", ", escaped(name));
  }
  if (!argument.value_name.empty()) out += fmt::format(" \\fI{}\\fR", escaped(argument.value_name));
  return out;
}

std::string synopsis(std::string_view name, const std::vector<ArgumentFacts>& arguments) {
  std::string out = fmt::format("\\fB{}\\fR [\\fIOPTIONS\\fR]", escaped(name));
  for (const ArgumentFacts& argument : arguments) {
    if (!argument.is_word) continue;
    const std::string word =
        fmt::format("\\fI{}\\fR{}", escaped(argument.names.front()), argument.is_list ? "..." : "");
    out += argument.is_required ? " " + word : " [" + word + "]";
  }
  return out;
}

std::string options(const std::vector<ArgumentFacts>& arguments) {
  std::string out;
  for (const ArgumentFacts& argument : arguments) {
    out += fmt::format(".TP\n{}\n{}\n",
                       argument.is_word ? fmt::format("\\fI{}\\fR", escaped(argument.names.front()))
                                        : names_of(argument),
                       escaped(argument.help));
  }
  return out;
}

// A section for each command of `rows`; `group` is put before their names: "memory ".
std::string sections(std::span<const CommandRow> rows, const std::string& group) {
  std::string out;
  for (const CommandRow& row : rows) {
    const std::string name = fmt::format("codexmem {}{}", group, row.name);
    out += fmt::format(".SS \"{}\"\n{}.\n", escaped(name), escaped(row.summary));
    if (row.subcommands != nullptr) {
      out +=
          ending(row.examples) + sections(row.subcommands(), group + std::string(row.name) + " ");
      continue;
    }
    const auto arguments = declared_arguments(row);
    out += fmt::format(".PP\n{}\n{}.PP\n{}", synopsis(name, arguments), options(arguments),
                       ending(row.examples));
  }
  return out;
}

std::string head(std::string_view program, std::string_view summary) {
  std::string title(program);
  for (char& c : title) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return fmt::format(
      ".TH {} 1 \"{}\" \"codexmem {}\" \"User Commands\"\n.ad l\n.nh\n.SH NAME\n{} \\- {}\n", title,
      kCommitDate, CODEXMEM_VERSION, escaped(program), escaped(summary));
}

// A list with commas that may go on in the next line.
std::string with_breaks(std::string_view list) {
  std::string out;
  for (const std::string_view part : split(list, ',')) {
    out += (out.empty() ? "" : ", ") + std::string(part);
  }
  return out;
}

std::string environment() {
  std::string out =
      ".SH ENVIRONMENT\nWhat may be set in files has its key there in brackets; \\fBcodexmem "
      "config "
      "list\\fR shows what is set and where.\n";
  for (const SettingRow& row : setting_rows()) {
    const std::string key = row.key.empty() ? "" : fmt::format(" [{}]", escaped(row.key));
    const std::string usual = row.usual.empty() ? "" : fmt::format(" ({})", with_breaks(row.usual));
    out += fmt::format(".TP\n\\fB{}\\fR{}\n{}{}\n", escaped(row.name), key, escaped(row.summary),
                       escaped(usual));
  }
  return out;
}

constexpr std::string_view kEnding = R"(.SH EXIT STATUS
.TP
0
Done, or something was found.
.TP
1
Nothing was found, or there is no such thing.
.TP
2
Wrong usage, or a failure.
.SH FILES
.TP
.I .codexmem/
In the root of a repository: its index. Where that cannot be written,
.IR $XDG_CACHE_HOME/codexmem .
.TP
.I codexmem.json
In the root of a repository: its settings.
.TP
.I \(ti/.codexmem/
The memory of all projects, the worker's log and files, and the settings of the user
.RI ( settings.json ).
.TP
.IR .codexmemignore ", " .gitignore
What is not indexed.
)";

std::string program_page() {
  std::string page = head("codexmem", "code index and memory for coding agents, over MCP");
  page +=
      ".SH SYNOPSIS\n\\fBcodexmem\\fR [\\fB\\-C\\fR \\fIDIR\\fR] \\fICOMMAND\\fR "
      "[\\fIOPTIONS\\fR]\n"
      ".SH DESCRIPTION\n"
      "Reads a repository once, keeps what it learned on this machine and answers in "
      "milliseconds:\n"
      "where something is defined, who uses it, what depends on what, which code does\n"
      "such\\-and\\-such. To coding agents over MCP (\\fBcodexmem serve\\fR), to people from the\n"
      "shell.\n"
      ".PP\n"
      "Commands work on the repository around the current folder: the nearest folder at or\n"
      "above it that has \\fI.git\\fR or an index, else the folder itself. \\fB\\-C\\fR "
      "\\fIDIR\\fR starts\n"
      "elsewhere. \\fBcodexmem\\fR \\fICOMMAND\\fR \\fB\\-\\-help\\fR shows what stands below of "
      "one.\n"
      ".SH COMMANDS\n";
  page += sections(commands(), "");
  page += kEnding;
  page += environment();
  return page + ".SH SEE ALSO\n.BR codexmem\\-hook (1)\n";
}

std::string hook_page() {
  const CommandRow* const row = find_row(commands(), "hook");
  if (row == nullptr) return {};
  const auto arguments = declared_arguments(*row);
  return head("codexmem-hook", row->summary) +
         fmt::format(".SH SYNOPSIS\n{}\n.SH DESCRIPTION\n{}.SH OPTIONS\n{}",
                     synopsis("codexmem-hook", arguments), ending(row->examples),
                     options(arguments)) +
         ".SH SEE ALSO\n.BR codexmem (1)\n";
}

}  // namespace

std::vector<ArgumentFacts> declared_arguments(const CommandRow& row) {
  const std::unique_ptr<Command> command = row.make();
  Arguments arguments(row.name, row.summary, "");
  command->declare(arguments);
  return arguments.facts();
}

std::string manual_page(std::string_view program) {
  if (program == "codexmem") return program_page();
  if (program == "codexmem-hook") return hook_page();
  return {};
}

}  // namespace codexmem::app
