// Tested by app/reference_test.cpp, which compares the pages with docs/reference.
#include "app/help/reference.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "app/help/help_text.h"
#include "app/help/known_languages.h"
#include "app/help/manual.h"
#include "ask/question.h"
#include "base/text.h"
#include "config/settings.h"
#include "mcp/tools.h"

namespace codexmem::app {
namespace {

// `text` as Markdown prose that may also be a cell of a table. Between backticks only "|" matters.
std::string prose(std::string_view text) {
  std::string out;
  bool is_code = false;
  for (const char c : text) {
    if (c == '`') is_code = !is_code;
    if (c == '|' || (!is_code && (c == '<' || c == '*'))) out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string code(std::string_view text) {
  return text.empty() ? std::string() : fmt::format("`{}`", text);
}

std::string code_list(std::string_view list, char separator) {
  std::vector<std::string> shown;
  for (const std::string_view each : split(list, separator)) shown.push_back(code(trim(each)));
  return join(shown, ", ");
}

std::string page_head(std::string_view name, std::string_view title) {
  return fmt::format(
      "<!-- Printed by `codexmem debug reference {}`. scripts/reference writes it; do not edit. "
      "-->\n\n# {}\n\n",
      name, title);
}

// The name by which a page's own links know `heading`.
std::string anchor_of(std::string_view heading) {
  std::string anchor(heading);
  for (char& c : anchor) {
    if (c == ' ') c = '-';
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return anchor;
}

// ---- commands ----

constexpr std::string_view kSharedHeading = "Options of many commands";

// An example to paste: its explanation, after two spaces, becomes a comment.
std::string example(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(' ');
  const std::size_t end = line.find("  ", begin);
  if (begin == std::string_view::npos || end == std::string_view::npos) return std::string(line);
  const std::size_t comment = line.find_first_not_of(' ', end);
  return fmt::format("{}# {}", line.substr(0, comment), line.substr(comment));
}

// The text of a row: paragraphs as prose, and lines that begin with spaces as one block of code.
std::string row_text(std::string_view text) {
  std::string out;
  bool is_code = false;
  bool is_open = false;  // a paragraph that goes on
  for (const std::string_view line : split(text, '\n')) {
    const bool is_example = line.starts_with("  ");
    if (is_code && !is_example) out += "```\n";
    if (!is_code && is_example) out += "\n```sh\n";
    is_code = is_example;
    if (is_example) {
      out += example(line.substr(2)) + "\n";
      is_open = false;
    } else if (line.empty()) {
      is_open = false;
    } else if (line != "Examples:") {
      out += fmt::format("{}{}\n", is_open ? "" : "\n", prose(line));
      is_open = true;
    }
  }
  return is_code ? out + "```\n" : out;
}

// An item of a list: the names of `argument` and its help.
std::string argument_item(const ArgumentFacts& argument) {
  std::string names = join(argument.names, ", ");
  if (!argument.is_word && !argument.value_name.empty()) names += " " + argument.value_name;
  return fmt::format("- `{}`: {}\n", names, prose(argument.help));
}

// Options that many commands describe in the same words, which the page prints once.
class SharedOptions {
 public:
  explicit SharedOptions(std::span<const CommandRow> rows) {
    count(rows);
    for (const Item& item : items_) {
      if (item.commands < kMinCommands) continue;
      const Item*& shared = shared_[item.name];
      if (shared == nullptr || shared->commands < item.commands) shared = &item;
    }
  }

  bool has(const ArgumentFacts& argument) const {
    const auto shared = shared_.find(argument.names.back());
    return shared != shared_.end() && shared->second->text == argument_item(argument);
  }

  // All of them, in the order in which commands have them.
  std::string list() const {
    std::string out;
    for (const Item& item : items_) {
      const auto shared = shared_.find(item.name);
      if (shared != shared_.end() && shared->second == &item) out += item.text;
    }
    return out;
  }

 private:
  static constexpr std::size_t kMinCommands = 6;
  struct Item {
    std::string name, text;
    std::size_t commands = 0;
  };

  void count(std::span<const CommandRow> rows) {
    for (const CommandRow& row : rows) {
      if (row.subcommands != nullptr) {
        count(row.subcommands());
        continue;
      }
      for (const ArgumentFacts& argument : declared_arguments(row)) {
        if (argument.is_word) continue;
        const std::string text = argument_item(argument);
        auto item = std::ranges::find(items_, text, &Item::text);
        if (item == items_.end()) item = items_.insert(item, {argument.names.back(), text});
        ++item->commands;
      }
    }
  }

  std::vector<Item> items_;
  std::map<std::string, const Item*> shared_;  // by name
};

std::string command_section(const CommandRow& row, const std::string& name,
                            const SharedOptions& shared) {
  std::string items, words;
  std::vector<std::string> also;
  for (const ArgumentFacts& argument : declared_arguments(row)) {
    if (shared.has(argument)) {
      also.push_back(code(argument.names.back()));
      continue;
    }
    items += argument_item(argument);
    if (!argument.is_word) continue;
    const std::string word = argument.names.front() + (argument.is_list ? "..." : "");
    words += argument.is_required ? " " + word : fmt::format(" [{}]", word);
  }
  if (!words.empty()) words = fmt::format("\n    {} [OPTIONS]{}\n", name, words);
  if (!items.empty()) items.insert(0, "\n");
  if (!also.empty()) {
    items += fmt::format("\n[Also](#{}): {}\n", anchor_of(kSharedHeading), join(also, ", "));
  }
  return fmt::format("\n## {}\n\n{}.\n{}{}{}", name, prose(row.summary), words, items,
                     row_text(row.examples));
}

struct CommandPage {
  std::string index;
  std::string sections;
};

void add_commands(CommandPage& page, std::span<const CommandRow> rows, const std::string& group,
                  const SharedOptions& shared) {
  for (const CommandRow& row : rows) {
    const std::string name = fmt::format("{} {}", group, row.name);
    page.index += fmt::format("[{}](#{})\n", name.substr(name.find(' ') + 1), anchor_of(name));
    if (row.subcommands == nullptr) {
      page.sections += command_section(row, name, shared);
      continue;
    }
    page.sections +=
        fmt::format("\n## {}\n\n{}.\n{}", name, prose(row.summary), row_text(row.examples));
    add_commands(page, row.subcommands(), name, shared);
  }
}

std::string commands_page() {
  const SharedOptions shared(commands());
  CommandPage page;
  add_commands(page, commands(), "codexmem", shared);
  return page_head("commands", "Commands") +
         "`codexmem COMMAND --help` prints the same in a terminal, and `man codexmem` all of it.\n"
         "Commands work on the repository around the current folder; `codexmem -C DIR COMMAND` "
         "starts in DIR.\n"
         "\n"
         "Exit codes: 0 done, or something was found; 1 nothing was found; 2 wrong usage, or a "
         "failure; 130 stopped by\nCtrl-C; 143 stopped by SIGTERM.\n"
         "\n" +
         page.index + fmt::format("\n## {}\n\n", kSharedHeading) + shared.list() + page.sections;
}

// ---- tools ----

std::string_view type_name(ask::ParamType type) {
  switch (type) {
    case ask::ParamType::kText:
      return "text";
    case ask::ParamType::kFlag:
      return "true or false";
    case ask::ParamType::kNumber:
      return "number";
    case ask::ParamType::kWhole:
    case ask::ParamType::kInteger:
      return "whole number";
    case ask::ParamType::kTexts:
    case ask::ParamType::kTextOrList:
      return "list of texts";
    case ask::ParamType::kTextOrTexts:
      return "text, or list of texts";
    case ask::ParamType::kTextOrNumber:
      return "text or number";
    case ask::ParamType::kNumbers:
      return "list of numbers";
    case ask::ParamType::kObject:
      return "object";
  }
  return "";
}

std::string number_text(double number) {
  return number == std::floor(number) ? fmt::format("{:.0f}", number) : fmt::format("{}", number);
}

// The unit of a parameter's bounds.
std::string_view unit_of(ask::ParamType type) {
  switch (type) {
    case ask::ParamType::kText:
    case ask::ParamType::kTextOrTexts:
      return " characters";
    case ask::ParamType::kTexts:
    case ask::ParamType::kTextOrList:
    case ask::ParamType::kNumbers:
      return " items";
    default:
      return "";
  }
}

std::string bounds_text(const ask::Param& param) {
  const std::string_view unit = unit_of(param.type);
  if (param.above_least && param.least) {
    const std::string most = param.most ? ", at most " + number_text(*param.most) : "";
    return fmt::format(", more than {}{}{}", number_text(*param.least), most, unit);
  }
  if (param.least && param.most) {
    return fmt::format(", {} to {}{}", number_text(*param.least), number_text(*param.most), unit);
  }
  if (param.most) return fmt::format(", at most {}{}", number_text(*param.most), unit);
  if (param.least == 1 && !unit.empty()) return ", not empty";
  if (param.least) return fmt::format(", at least {}{}", number_text(*param.least), unit);
  return "";
}

std::string param_item(const ask::Param& param) {
  std::string about(type_name(param.type));
  if (!param.choices.empty()) about += ": " + code_list(param.choices, ',');
  about += bounds_text(param);
  if (param.required) about += ", required";
  if (!param.required && !param.default_json.empty())
    about += ", default " + code(param.default_json);
  const std::string_view text = param.description.empty() ? param.help : param.description;
  return fmt::format("- `{}` ({}){}{}\n", param.name, about, text.empty() ? "" : ": ", prose(text));
}

std::string tools_page() {
  std::string index, sections;
  for (const mcp::Tool& tool : mcp::tools()) {
    index += fmt::format("| [`{}`](#{}) | {} | {} |\n", tool.name, anchor_of(tool.name),
                         prose(tool.title), code_list(tool.groups, ','));
    std::string items;
    for (const ask::Param& param : tool.params) {
      if (param.listed) items += param_item(param);
    }
    if (!items.empty()) items.insert(0, "\n");
    sections += fmt::format("\n## {}\n\n{}\n\n{}.\n{}", tool.name, prose(tool.description),
                            tool.read_only     ? "Changes nothing"
                            : tool.destructive ? "Writes, and may remove what was there"
                                               : "Writes",
                            items);
  }
  return page_head("tools", "Tools") +
         "What an MCP server of codexmem offers, in the words that a model reads. `tools` in\n"
         "[the settings](settings.md#tools) offers fewer: groups, or the tools' names. `offset` "
         "skips results, to go on\n"
         "after an answer that was cut; `max_tokens` is the largest answer, in tokens.\n"
         "\n"
         "| tool | | groups |\n|---|---|---|\n" +
         index + sections;
}

// ---- settings ----

std::string project_text(const SettingRow& row) {
  switch (row.project) {
    case ProjectRule::kNever:
      return "";
    case ProjectRule::kAny:
      return "yes";
    case ProjectRule::kChoices:
      return "only " + code_list(row.project_choices, '|');
    case ProjectRule::kAdds:
      return "adds to the list";
    case ProjectRule::kLowers:
      return "lowers the number";
  }
  return "";
}

std::string setting_values(const SettingRow& row) {
  switch (row.kind) {
    case SettingKind::kText:
      return "text";
    case SettingKind::kSecret:
      return "text, secret";
    case SettingKind::kNumber:
      return row.most >= 1'000'000'000 ? fmt::format("number from {}", row.least)
                                       : fmt::format("number, {} to {}", row.least, row.most);
    case SettingKind::kList:
      return "list";
    case SettingKind::kChoice:
      return code_list(row.choices, '|');
    case SettingKind::kUrl:
      return "address, http or https";
    case SettingKind::kPath:
      return "folder";
  }
  return "";
}

std::string settings_page() {
  std::string page =
      page_head("settings", "Settings") +
      "No setting is required. A setting comes from the first of these that has it:\n"
      "\n"
      "1. the environment, by the name of the variable;\n"
      "2. `codexmem.json` in the root of the repository, if the setting's entry below says so;\n"
      "3. `settings.json` in `~/.codexmem` (or `CODEXMEM_DATA_DIR`);\n"
      "4. the default.\n"
      "\n"
      "`codexmem config list --origin` shows what is set and where, `codexmem config set KEY "
      "VALUE` "
      "sets it. Both files\nare JSON and may have comments and trailing commas. Lists are arrays "
      "of strings, or one string with commas.\nWhy it works this way: "
      "[how it works](../how-it-works.md#settings).\n"
      "\n"
      "`https_proxy`, `http_proxy`, `no_proxy`, `NO_COLOR`, `TERM` and `XDG_CACHE_HOME` work as in "
      "other programs.\n";
  for (const SettingRow& row : setting_rows()) {
    const std::string_view title = row.key.empty() ? row.name : row.key;
    page += fmt::format("\n## {}\n\n{}.\n\n", title, prose(row.summary));
    page += fmt::format("- variable: `{}`{}\n", row.name,
                        row.key.empty() ? "; files cannot set it" : "");
    page += fmt::format("- values: {}\n", setting_values(row));
    if (!row.usual.empty()) page += fmt::format("- default: {}\n", code(row.usual));
    const std::string project = project_text(row);
    if (!project.empty()) page += fmt::format("- in `codexmem.json`: {}\n", project);
  }
  return page;
}

// ---- languages ----

std::string languages_page() {
  std::string page =
      page_head("languages", "Languages") +
      "`codexmem languages` prints the same in a terminal, with `--json` for programs.\n\n";
  for (const std::string_view line : split(meaning_of_columns(), '\n')) {
    page += prose(line) + "\n\n";
  }
  page +=
      "How it was measured: [accuracy](../bench/accuracy.md) and "
      "[definitions](../bench/definitions.md).\n\n"
      "| language | known by | definitions | references | imports | calls | measured against | "
      "grammar | files |\n|---|---|---|---|---|---|---|---|---|\n";
  std::string as_text;
  for (const KnownLanguage& known : languages_by_knowledge()) {
    const parse::Language& language = *known.language;
    const std::string files = code_list(recognised_by(language), ' ');
    if (known.known_by == "text") {
      as_text += fmt::format("- {}: {}\n", language.name, files);
      continue;
    }
    const parse::Measured& measured = language.measured;
    page +=
        fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} {} | {} |\n", language.name,
                    known.known_by, measured.definitions, measured.references, measured.imports,
                    measured.calls, measured.against, code(known.package), known.version, files);
  }
  return page + "\n## As text\n\n" + as_text;
}

}  // namespace

std::string reference_page(std::string_view name) {
  if (name == "commands") return commands_page();
  if (name == "tools") return tools_page();
  if (name == "settings") return settings_page();
  if (name == "languages") return languages_page();
  return {};
}

}  // namespace codexmem::app
