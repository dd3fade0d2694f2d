// codexmem config ...: the settings, their values and where each is set.
#include <fmt/core.h>

#include <algorithm>
#include <system_error>

#include "app/render/columns.h"
#include "app/command.h"
#include "app/init/file_change.h"
#include "app/init/json_edit.h"
#include "app/param_options.h"
#include "serve/repository.h"
#include "app/help/settings_schema.h"
#include "serve/tool_choice.h"
#include "app/settings/user_settings.h"
#include "app/settings/worker_settings.h"
#include "text/json.h"
#include "text/json_object.h"
#include "text/name_list.h"
#include "config/settings.h"
#include "config/worker_file.h"
#include "base/text.h"
#include "mcp/tool_table.h"
#include "mcp/tools.h"

namespace codexmem::app {
namespace fs = std::filesystem;

namespace {

// The row that `name` means. Errors: kInvalidArgument, with the nearest.
Result<const SettingRow*> find_row(const std::string& name) {
  if (const SettingRow* row = find_setting(name); row != nullptr) return row;
  std::vector<std::string> names;
  for (const SettingRow& row : setting_rows()) {
    names.emplace_back(row.name);
    if (!row.key.empty()) names.emplace_back(row.key);
  }
  const auto near = nearest(name, names);
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("there is no setting \"{}\"; {}", name,
                           near ? fmt::format("did you mean \"{}\"?", *near)
                                : std::string("`codexmem config list` lists them"))};
}

// For completions.
std::vector<std::string> names_of_settings() {
  std::vector<std::string> names;
  for (const SettingRow& row : setting_rows()) {
    names.emplace_back(row.key.empty() ? row.name : row.key);
  }
  return names;
}

// The name shown to people: the key, or the variable if there is no key.
std::string_view label_of(const SettingRow& row) { return row.key.empty() ? row.name : row.key; }

// The settings here, with the tools that there are.
struct Held {
  Settings settings = Settings::load(serve::setting_files(serve::start_directory({})));
  serve::ToolChoice tools = serve::choose_tools(settings);

  static bool is_tools(const SettingRow& row) { return row.name == "CODEXMEM_TOOLS"; }
  SettingOrigin origin(const SettingRow& row) const {
    return is_tools(row) ? tools.origin : settings.origin(row.name);
  }
  // For people; of one that is not set its default.
  std::string shown(const SettingRow& row) const {
    if (origin(row) == SettingOrigin::kDefault) return std::string(row.usual);
    return shown_setting(row, is_tools(row) ? tools.selection : settings.value(row.name));
  }
  std::vector<SettingProblem> problems() const {
    std::vector<SettingProblem> all = settings.problems();
    all.insert(all.end(), tools.problems.begin(), tools.problems.end());
    return all;
  }
};

// The file that a value comes from; empty: none.
std::string place_of(const Settings& settings, SettingOrigin origin) {
  if (origin == SettingOrigin::kProject) return settings.files().project.string();
  if (origin == SettingOrigin::kUser) return settings.files().user.string();
  return {};
}

class ListCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.flag("--origin", origin_, "Show where each value comes from");
    arguments.flag("--json", json_, "Print the settings as JSON");
  }

  ExitCode run(Console& console) override {
    const Held held;
    if (json_) {
      print_json(held, console);
      return ExitCode::kFound;
    }
    std::size_t label_width = 0;
    for (const SettingRow& row : setting_rows()) {
      label_width = std::max(label_width, label_of(row).size());
    }
    for (const SettingRow& row : setting_rows()) print_row(held, row, label_width, console);
    if (origin_) {
      console.print_line("");
      print_file("project", held.settings.files().project, console);
      print_file("user", held.settings.files().user, console);
    }
    for (const SettingProblem& problem : held.problems()) {
      console.note("codexmem: warning: " + problem.text());
    }
    return ExitCode::kFound;
  }

 private:
  void print_row(const Held& held, const SettingRow& row, std::size_t label_width,
                 Console& console) const {
    constexpr std::size_t kOriginWidth = 13;
    const SettingOrigin origin = held.origin(row);
    const bool is_set = origin != SettingOrigin::kDefault;
    std::string value = held.shown(row);
    if (value.empty()) value = "-";
    std::string line = fmt::format("{:<{}}", label_of(row), label_width + 2);
    std::size_t used = label_width + 2;
    if (origin_) {
      line += fmt::format("{:<{}}", setting_origin_name(origin), kOriginWidth);
      used += kOriginWidth;
    }
    value = cut(value, console.width() > used ? console.width() - used : 1);
    console.print_line(line + (is_set ? value : console.painted(Paint::kDim, value)));
  }

  static void print_file(std::string_view name, const fs::path& path, Console& console) {
    std::error_code failed;
    console.print_line(fmt::format("{:<9}{}{}", name, path.string(),
                                   fs::exists(path, failed) ? "" : " (does not exist)"));
  }

  static void print_json(const Held& held, Console& console) {
    const auto row_json = [&](const SettingRow& row) {
      return json_object("name", row.name, "key", json_or_null(row.key), "value",
                         json_or_null(held.shown(row)), "origin",
                         setting_origin_name(held.origin(row)), "file",
                         some(place_of(held.settings, held.origin(row))), "summary", row.summary);
    };
    const auto problem_json = [](const SettingProblem& problem) {
      return json_object("place", problem.place, "name", problem.name, "what", problem.what);
    };
    const SettingFiles& files = held.settings.files();
    console.print_json(
        json_object("settings", json_list(setting_rows(), row_json), "problems",
                    json_list(held.problems(), problem_json), "files",
                    json_object("project", files.project.string(), "user", files.user.string()))
            .text);
  }

  bool origin_ = false;
  bool json_ = false;
};

class GetCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("KEY", key_, "A setting, by its key or the name of its variable", true)
        .are(names_of_settings());
    arguments.flag("--origin", origin_, "Also show where the value comes from");
  }

  ExitCode run(Console& console) override {
    const auto row = find_row(key_);
    if (!row.ok()) return fail(console, row.error());
    const Held held;
    for (const SettingProblem& problem : held.problems()) {
      console.note("codexmem: warning: " + problem.text());
    }
    const SettingOrigin origin = held.origin(**row);
    const std::string value = held.shown(**row);
    if (value.empty()) {
      console.note(fmt::format("{} is not set: {}", label_of(**row), (*row)->summary));
      return ExitCode::kNothingFound;
    }
    console.print_line(value);
    if (origin_) {
      const std::string place = place_of(held.settings, origin);
      console.print_line(
          fmt::format("{}{}", setting_origin_name(origin), place.empty() ? "" : ": " + place));
    }
    return ExitCode::kFound;
  }

 private:
  std::string key_;
  bool origin_ = false;
};

Error no_data_directory() {
  return {ErrorCode::kInvalidArgument,
          "there is no data directory: CODEXMEM_DATA_DIR must be an absolute path, or HOME be set"};
}

// Which of the two files is meant.
class FileOptions {
 public:
  void declare(Arguments& arguments) {
    arguments.flag("--project", project_, "The repository's: codexmem.json in its root");
    arguments.flag("--user", user_, "The user's: settings.json in the data directory (default)");
  }

  bool is_project() const { return project_; }
  bool is_user() const { return user_; }

  /// Errors: kInvalidArgument.
  Result<fs::path> path() const {
    if (project_ && user_) {
      return Error{ErrorCode::kInvalidArgument, "--project and --user: choose one"};
    }
    SettingFiles files = serve::setting_files(serve::start_directory({}));
    fs::path path = project_ ? files.project : files.user;
    if (!path.empty()) return path;
    return no_data_directory();
  }

 private:
  bool project_ = false;
  bool user_ = false;
};

// A value from read_setting_text(), as written in a file.
std::string json_of(const SettingRow& row, const std::string& value) {
  if (row.kind == SettingKind::kNumber) return value;
  if (row.kind == SettingKind::kList) return dump_json(Json(read_comma_list(value)));
  return dump_json(Json(value));
}

std::string without_whitespace(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; });
  return text;
}

// Which setting of which file is changed.
struct Change {
  const SettingRow* row = nullptr;
  fs::path path;
  bool is_project = false;
  FileChange file = {};
};

// Errors: kInvalidArgument.
Result<Change> read_change(const std::string& key, const FileOptions& file) {
  Change change;
  CODEXMEM_ASSIGN(change.row, find_row(key));
  if (change.row->key.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{} is set only in the environment", change.row->name)};
  }
  CODEXMEM_ASSIGN(change.path, file.path());
  change.is_project = file.is_project();
  std::error_code failed;
  if (change.is_project && fs::is_symlink(fs::symlink_status(change.path, failed))) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{} is a symbolic link, which is not followed", change.path.string())};
  }
  auto begun = begin_change(change.path);
  if (!begun.ok()) return std::move(begun).error().with_context(change.path.string());
  change.file = *std::move(begun);
  return change;
}

// Errors: see make_change().
Result<void> write(Change& change, std::string after) {
  change.file.after = std::move(after);
  // A key is for its owner alone, also in a file that others could read.
  const bool is_secret = change.row->kind == SettingKind::kSecret;
  if (!change.is_project) return write_user_settings(change.file, is_secret);
  auto made = make_change(change.file);
  if (!made.ok()) return std::move(made).error().with_context(change.path.string());
  return {};
}

// Another setting, or the old value, is in effect.
void show_effective_value(const Change& change, Console& console) {
  const Settings settings = Settings::load(serve::setting_files(serve::start_directory({})));
  const SettingOrigin origin = settings.origin(change.row->name);
  const SettingOrigin meant = change.is_project ? SettingOrigin::kProject : SettingOrigin::kUser;
  if (origin > meant) {
    console.note(fmt::format("codexmem: here {} is overridden by {}", label_of(*change.row),
                             origin == SettingOrigin::kEnvironment
                                 ? fmt::format("the environment ({})", change.row->name)
                                 : settings.files().project.string()));
  }
  const fs::path directory = settings.files().user.parent_path();
  if (change.is_project || directory.empty()) return;
  const auto worker = find_worker(directory);
  if (worker && !list_changed_settings(directory, *worker).empty()) {
    console.note(
        "codexmem: the worker keeps what it was started with: `codexmem worker stop`, then "
        "`start`");
  }
}

class SetCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("KEY", key_, "A setting, by its key or the name of its variable", true)
        .are(names_of_settings());
    arguments.text("VALUE", value_, "Its value; a list has commas; - reads it from standard input",
                   true);
    file_.declare(arguments);
  }

  ExitCode run(Console& console) override {
    auto change = read_change(key_, file_);
    if (!change.ok()) return fail(console, change.error());
    if (const auto done = set(*change); !done.ok()) return fail(console, done.error());
    console.print_line(
        fmt::format("{} is set in {}", label_of(*change->row), change->path.string()));
    show_effective_value(*change, console);
    return ExitCode::kFound;
  }

 private:
  Result<void> set(Change& change) const {
    const SettingRow& row = *change.row;
    CODEXMEM_ASSIGN(const std::string given, text_or_input(value_));
    auto value = read_setting_text(row, given);
    if (!value.ok()) return std::move(value).error().with_context(row.key);
    if (value->empty()) {
      return Error{
          ErrorCode::kInvalidArgument,
          fmt::format("the value is empty; to remove the setting: `codexmem config unset {}`",
                      row.key)};
    }
    if (Held::is_tools(row)) {
      if (const auto tools = mcp::ToolTable::make(mcp::tools(), *value); !tools.ok()) {
        return tools.error();
      }
    }
    if (change.is_project) {
      if (const std::string why = why_not_of_project(row, *value); !why.empty()) {
        return Error{ErrorCode::kInvalidArgument, fmt::format("{} {}", row.key, why)};
      }
    }
    auto after = set_json(change.file.existed ? change.file.before : "{\n}\n",
                          {std::string(row.key)}, json_of(row, *value));
    if (!after.ok()) return std::move(after).error().with_context(change.path.string());
    return write(change, *std::move(after));
  }

  std::string key_, value_;
  FileOptions file_;
};

class UnsetCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("KEY", key_, "A setting, by its key or the name of its variable", true)
        .are(names_of_settings());
    file_.declare(arguments);
  }

  ExitCode run(Console& console) override {
    auto change = read_change(key_, file_);
    if (!change.ok()) return fail(console, change.error());
    const auto was_set = unset(*change);
    if (!was_set.ok()) return fail(console, was_set.error());
    console.print_line(fmt::format(
        "{} {} in {}{}", label_of(*change->row), *was_set ? "is no longer set" : "is not set",
        change->path.string(),
        change->file.remove ? "; nothing was left in the file, so it was removed" : ""));
    if (!*was_set) return ExitCode::kNothingFound;
    show_effective_value(*change, console);
    return ExitCode::kFound;
  }

 private:
  // True when it was set.
  static Result<bool> unset(Change& change) {
    if (!change.file.existed) return false;
    auto after = remove_json(change.file.before, {std::string(change.row->key)});
    if (!after.ok()) return std::move(after).error().with_context(change.path.string());
    if (*after == change.file.before) return false;
    const std::string left = without_whitespace(*after);
    if (left.empty() || left == "{}") {
      // A file without settings and comments means the same as no file. A link is kept: the program
      // that manages it expects its target.
      std::error_code failed;
      change.file.remove = !fs::is_symlink(fs::symlink_status(change.path, failed));
      *after = change.file.remove ? "" : "{\n}\n";
    }
    CODEXMEM_TRY(write(change, *std::move(after)));
    return true;
  }

  std::string key_;
  FileOptions file_;
};

class PathCommand : public Command {
 public:
  void declare(Arguments& arguments) override { file_.declare(arguments); }

  ExitCode run(Console& console) override {
    const SettingFiles files = serve::setting_files(serve::start_directory({}));
    if (!file_.is_user()) console.print_line(files.project.string());
    if (file_.is_project()) return ExitCode::kFound;
    if (files.user.empty()) return fail(console, no_data_directory());
    console.print_line(files.user.string());
    return ExitCode::kFound;
  }

 private:
  FileOptions file_;
};

class SchemaCommand : public Command {
 public:
  void declare(Arguments& arguments) override { file_.declare(arguments); }

  ExitCode run(Console& console) override {
    console.print(settings_schema(file_.is_project()));
    return ExitCode::kFound;
  }

 private:
  FileOptions file_;
};

constexpr CommandRow kConfigCommands[] = {
    {"list", "List every setting with its value",
     "Examples:\n"
     "  codexmem config list --origin   and where each comes from\n"
     "  codexmem config list --json",
     []() -> std::unique_ptr<Command> { return std::make_unique<ListCommand>(); }},
    {"get", "Print the value of one setting",
     "The exit code is 1 if it is not set and has no default. A secret is shown as \"set\".\n"
     "\n"
     "Examples:\n"
     "  codexmem config get workerPort\n"
     "  codexmem config get CODEXMEM_TOOLS --origin",
     []() -> std::unique_ptr<Command> { return std::make_unique<GetCommand>(); }},
    {"set", "Set a value in the user's settings.json, or in the repository's codexmem.json",
     "Comments and order of the file stay. What a repository may not set is refused.\n"
     "\n"
     "Examples:\n"
     "  codexmem config set workerPort 40000\n"
     "  codexmem config set excludedProjects 'client-*,taxes'\n"
     "  codexmem config set tools code --project\n"
     "  codexmem config set openaiApiKey - < key.txt   keeps it out of the shell's history",
     []() -> std::unique_ptr<Command> { return std::make_unique<SetCommand>(); }},
    {"unset", "Remove a value from the file",
     "A file in which no other setting and no comment is left is removed, unless it is a link.\n"
     "The exit code is 1 if the value was not set.\n"
     "\n"
     "Examples:\n"
     "  codexmem config unset workerPort\n"
     "  codexmem config unset tools --project",
     []() -> std::unique_ptr<Command> { return std::make_unique<UnsetCommand>(); }},
    {"path", "Print where the settings files are, or would be",
     "Examples:\n"
     "  codexmem config path\n"
     "  $EDITOR \"$(codexmem config path --user)\"",
     []() -> std::unique_ptr<Command> { return std::make_unique<PathCommand>(); }},
    {"schema", "Print the JSON Schema of the settings files, for editors",
     "Examples:\n"
     "  codexmem config schema             of settings.json\n"
     "  codexmem config schema --project   of codexmem.json",
     []() -> std::unique_ptr<Command> { return std::make_unique<SchemaCommand>(); }},
};

}  // namespace

std::span<const CommandRow> config_commands() { return kConfigCommands; }

}  // namespace codexmem::app
