#include "app/init/config_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <system_error>
#include <utility>

#include "app/render/columns.h"
#include "app/init/git_hook.h"
#include "app/init/skill_file.h"
#include "serve/repository.h"
#include "app/settings/user_settings.h"
#include "app/worker_client.h"
#include "base/file.h"
#include "text/json.h"
#include "text/json_object.h"
#include "config/settings.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "config/user_directory.h"

namespace codexmem::app {
namespace fs = std::filesystem;

namespace {

constexpr const char* kNothing = "nothing to do";
constexpr const char* kLeft = "left as it is";
const std::vector<std::string> kToolProfiles = {"code", "memory", "decisions", "all"};
constexpr const char* kHookMark = "# >>> codexmem >>>";

fs::path user_home() {
  const char* home = std::getenv("HOME");
  return home == nullptr ? fs::path() : fs::path(home);
}

bool lies_below(const fs::path& path, const fs::path& folder) {
  const fs::path inside = path.lexically_relative(folder);
  return !folder.empty() && !inside.empty() && *inside.begin() != "..";
}

// The folder of the running program.
fs::path program_folder() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path();
}

}  // namespace

std::string named_data_directory() {
  const char* const named = std::getenv("CODEXMEM_DATA_DIR");
  return named != nullptr && fs::path(named).is_absolute() ? std::string(named) : std::string();
}

ConfigRun::ConfigRun(const ConfigOptions& options, Console& console)
    : options_(options), console_(&console), record_(user_directory()) {}

Result<ConfigRun> ConfigRun::begin(const ConfigOptions& options, Console& console) {
  ConfigRun run(options, console);
  CODEXMEM_ASSIGN(run.places_.root, serve::find_root(serve::start_directory(options.path)));
  run.places_.home = user_home();
  if (options.user && options.project) {
    return Error{ErrorCode::kInvalidArgument, "--user and --project exclude each other"};
  }
  if (!options.tools.empty() &&
      std::ranges::find(kToolProfiles, options.tools) == std::end(kToolProfiles)) {
    return Error{
        ErrorCode::kInvalidArgument,
        fmt::format("--tools must be code, memory, decisions or all; got \"{}\"", options.tools)};
  }
  const bool all = std::ranges::find(options.clients, "all") != options.clients.end();
  for (const std::string& name : options.clients) {
    if (name != "all" && find_client(name) == nullptr) {
      std::vector<std::string> names = {"all"};
      for (const Client& client : app::clients()) names.emplace_back(client.name);
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("there is no client '{}'; there are {}", name, join(names, ", "))};
    }
  }
  for (const Client& client : app::clients()) {
    const bool named = std::ranges::find(options.clients, client.name) != options.clients.end();
    if (all || named || (options.clients.empty() && is_installed(client, run.places_))) {
      run.chosen_.push_back(&client);
    }
  }
  if (run.chosen_.empty()) run.chosen_.push_back(find_client("vscode"));
  return run;
}

std::string ConfigRun::display_name(const fs::path& path) const {
  if (lies_below(path, places_.root)) return path.lexically_relative(places_.root).generic_string();
  if (lies_below(path, places_.home)) {
    return "~/" + path.lexically_relative(places_.home).generic_string();
  }
  return path.string();
}

// A repository may come with links; files outside it are not written through them.
Result<FileChange> ConfigRun::begin_file(const fs::path& path) const {
  std::error_code ignored;
  if (lies_below(path, places_.root) && !lies_below(fs::weakly_canonical(path, ignored),
                                                    fs::weakly_canonical(places_.root, ignored))) {
    return Error{ErrorCode::kUnsupported, "it is a link that leads out of the repository"};
  }
  return begin_change(path);
}

// A program found in PATH is written by name, which works on other people's machines too.
ProgramNames ConfigRun::programs_for(const ConfigFile& file, bool names_directory) {
  ProgramNames programs;
  if (names_directory) programs.data_directory = named_data_directory();
  programs.tools = options_.tools;
  const bool hooks = !file.entries.events.empty();
  const auto locate = [&](std::string& program) {
    if (can_start(program)) return;
    const fs::path nearby = program_folder() / program;
    if (!can_start(nearby.string())) return;
    program = nearby.string();
    std::string warning = fmt::format("there is no {} in PATH, so the files name {}",
                                      nearby.filename().string(), program);
    if (program.find("/_npx/") != std::string::npos) {
      warning +=
          "; it is in npx's cache, which npm may clear: `npm install -g` it and run init again";
    }
    if (lies_below(file.path, places_.root)) {
      warning +=
          "; other people's machines have it elsewhere: link it into a folder of PATH and "
          "run init again before you commit them";
    }
    if (std::ranges::find(warnings_, warning) == warnings_.end()) warnings_.push_back(warning);
  };
  locate(programs.codexmem);
  if (hooks) locate(programs.hook);
  return programs;
}

void ConfigRun::leave(std::string_view title, const fs::path& path, std::string why) {
  Row row;
  row.title = title;
  row.name = display_name(path);
  row.state = kLeft;
  row.why = std::move(why);
  rows_.push_back(std::move(row));
}

// Does or shows the change; false when it failed.
bool ConfigRun::perform(Row& row, const FileChange& change, fs::path& made) {
  if (change.changes_nothing()) {
    row.state = row.why.empty() ? kNothing : kLeft;
    return true;
  }
  row.diff = shown(change, terminal_line(row.name));
  row.state = change.remove ? "removed" : change.existed ? "changed" : "written";
  if (options_.dry_run) return true;
  auto done = make_change(change);
  if (!done.ok()) {
    row.state = "failed";
    row.why = done.error().message();
    row.failed = true;
    return false;
  }
  made = *std::move(done);
  return true;
}

void ConfigRun::apply(Row row, FileChange change, const fs::path& path, bool had_ours) {
  FileBefore origin{change.existed, change.before, {}};
  const auto known = record_.find(path, change.before);
  if (known) origin = *known;
  fs::path made;
  if (perform(row, change, made) && !change.changes_nothing() && !options_.dry_run) {
    if (!known) {
      origin.made_folder = made.empty() ? record_.made_folder_around(change.path) : made;
    }
    if ((known || !had_ours) && change.moved_to.empty()) {
      record_.note(path, origin, change.after);
    } else {
      record_.forget(path);
    }
  }
  rows_.push_back(std::move(row));
}

void ConfigRun::apply_undo(Row row, FileChange change, const fs::path& path) {
  if (const auto known = record_.find(path, change.before)) {
    change.after = known->text;
    change.remove = !known->existed;
    change.made_folder = known->made_folder;
    row.why.clear();
    row.by_hand.clear();
  }
  fs::path ignored;
  if (perform(row, change, ignored) && !options_.dry_run) record_.forget(path);
  rows_.push_back(std::move(row));
}

bool ConfigRun::put_in(const Client& client, const ConfigFile& file, bool names_directory) {
  if (file.path.empty()) return false;
  Row row;
  row.title = client.title;
  row.name = display_name(file.path);
  const ProgramNames programs = programs_for(file, names_directory);
  auto change = begin_file(file.path);
  auto text = change.ok() ? with_entries(change->before, file.entries, programs)
                          : Result<ConfigText>(change.error());
  if (!text.ok()) {
    row.state = kLeft;
    row.why = text.error().message();
    row.by_hand = entries_by_hand(file.entries, programs, change.ok() ? change->before : "");
    row.failed = true;
    rows_.push_back(std::move(row));
    return false;
  }
  row.why = join(text->left, "; ");
  change->after = text->text;
  if (!lies_below(file.path, places_.root)) change->mode = 0600;
  const bool changes = !change->changes_nothing();
  apply(std::move(row), *std::move(change), file.path, text->had_ours);
  return changes && !rows_.back().failed;
}

void ConfigRun::take_out(const Client& client, const ConfigFile& file) {
  if (file.path.empty()) return;
  Row row;
  row.title = client.title;
  row.name = display_name(file.path);
  auto change = begin_file(file.path);
  if (change.ok() && !change->existed) return;
  auto text = change.ok() ? without_entries(change->before, file.entries)
                          : Result<ConfigText>(change.error());
  if (!text.ok()) {
    // A file that cannot be read and does not mention codexmem is not ours.
    if (change.ok() && change->before.find("codexmem") == std::string::npos) return;
    row.state = kLeft;
    row.why = text.error().message() + "; remove codexmem from it by hand";
    row.failed = true;
    rows_.push_back(std::move(row));
    return;
  }
  if (!text->left.empty()) row.why = join(text->left, "; ") + ": remove it by hand";
  if (!text->had_ours && text->left.empty()) return;
  change->after = text->text;
  change->remove = change->after.empty();
  apply_undo(std::move(row), *std::move(change), file.path);
}

void ConfigRun::keep_git_hook() {
  const auto hook = change_hook(places_.root, false);
  if (!hook.ok() || hook->before.find(kHookMark) == std::string::npos) return;
  leave("git", hook->path,
        "it belongs to no client; `codexmem init --no-git-hook` removes our lines");
}

void ConfigRun::change_git_hook(bool wanted) {
  const fs::path config = places_.root / ".pre-commit-config.yaml";
  if (const auto text = read_file(config);
      wanted && text.ok() && text->find("codexmem-index") != std::string::npos) {
    return leave("git", config, "it runs codexmem-index already, so no hook is written");
  }
  auto change = change_hook(places_.root, wanted);
  Row row;
  row.title = "git";
  if (!change.ok()) {
    row.name = "pre-commit hook";
    row.state = kLeft;
    row.why = change.error().message();
    if (wanted) rows_.push_back(std::move(row));
    return;
  }
  row.name = display_name(change->path);
  const fs::path path = change->path;
  const bool had_ours = change->before.find(kHookMark) != std::string::npos;
  if (wanted && !can_start("codexmem")) {
    warnings_.emplace_back(
        "there is no codexmem in PATH, where the pre-commit hook looks for it: it does nothing "
        "until there is; link the program into a folder of PATH");
  }
  if (wanted) return apply(std::move(row), *std::move(change), path, had_ours);
  if (!had_ours) return;
  if (!change->moved_from.empty()) {
    fs::path ignored;
    perform(row, *change, ignored);
    rows_.push_back(std::move(row));
    return;
  }
  apply_undo(std::move(row), *std::move(change), path);
}

void ConfigRun::change_skill(const fs::path& path, bool wanted) {
  Row row;
  row.title = "skill";
  row.name = display_name(path);
  // Clients share it.
  if (path.empty() || std::ranges::find(rows_, row.name, &Row::name) != rows_.end()) return;
  auto change = begin_file(path);
  if (!wanted && change.ok() && !change->existed) return;
  const auto done = change.ok() ? app::change_skill(*change, wanted) : Result<void>(change.error());
  if (!done.ok()) return leave(row.title, path, done.error().message());
  if (!wanted) return apply_undo(std::move(row), *std::move(change), path);
  const bool had_ours = change->existed;
  apply(std::move(row), *std::move(change), path, had_ours);
}

void ConfigRun::make_secret() {
  Row row;
  row.title = "decisions";
  row.name = display_name(user_settings_file());
  const auto made = make_decision_secret(options_.dry_run);
  if (!made.ok()) {
    row.state = "failed";
    row.why = made.error().message();
    row.failed = true;
  } else if (*made) {
    row.state = "changed";
    // The secret itself is shown nowhere.
    row.diff = fmt::format("{}: agentMemorySecret, a secret\n", row.name);
  } else {
    row.state = kNothing;
  }
  rows_.push_back(std::move(row));
}

void ConfigRun::stop_worker(const fs::path& directory, const WorkerAddress& worker) {
  Row row;
  row.title = "worker";
  row.name = fmt::format("process {}", worker.pid);
  row.state = "stopped";
  row.diff = fmt::format("worker: {} is stopped\n", row.name);
  const auto stopped = options_.dry_run ? Result<void>() : app::stop_worker(directory, worker);
  if (!stopped.ok()) {
    row.state = "failed";
    row.why = stopped.error().message();
    row.diff.clear();
    row.failed = true;
  }
  rows_.push_back(std::move(row));
}

void ConfigRun::print_rows() {
  if (options_.dry_run) {
    for (const Row& row : rows_) console_->print(row.diff);
  } else {
    std::size_t title_width = 0, name_width = 0;
    for (const Row& row : rows_) {
      title_width = std::max(title_width, column_count(row.title));
      name_width = std::max(name_width, column_count(row.name));
    }
    std::string title;
    for (const Row& row : rows_) {
      const Paint paint = row.failed ? Paint::kBad : row.diff.empty() ? Paint::kDim : Paint::kGood;
      console_->print_line(padded(row.title == title ? "" : row.title, title_width) + "  " +
                           console_->painted(Paint::kPath, padded(row.name, name_width)) + "  " +
                           console_->painted(paint, row.state));
      title = row.title;
    }
  }
  for (const Row& row : rows_) {
    if (options_.dry_run && row.diff.empty() && row.why.empty()) {
      console_->note(fmt::format("{}: {}", row.name, row.state));
    }
    if (row.why.empty()) continue;
    console_->note(
        fmt::format("{}: {}{}", row.name, row.state == kLeft ? "left as it is: " : "", row.why));
    if (!row.by_hand.empty()) {
      console_->note_lines(fmt::format("Add this to it by hand:\n\n{}\n", trim(row.by_hand)));
    }
  }
  for (const std::string& warning : warnings_) {
    console_->note("codexmem: warning: " + warning);
  }
  if (options_.dry_run) return;
  print_list("Left for you to do:", reminders_);
  print_list("Not switched on:", offers_);
}

void ConfigRun::print_list(std::string_view heading, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  console_->print_line("");
  console_->print_line(heading);
  for (const std::string& text : texts) {
    std::string lines = wrapped(text, 4, std::min<std::size_t>(console_->width(), 100));
    lines.replace(2, 1, "-");
    console_->print(lines.ends_with('\n') ? lines : lines + "\n");
  }
}

void ConfigRun::print_json() {
  const auto write = [](const Row& row) {
    return json_object("client", row.title, "file", row.name, "state", row.state, "why",
                       some(row.why), "byHand", some(row.by_hand), "diff", some(row.diff));
  };
  const JsonText out = json_object("repository", places_.root.string(), "dryRun", options_.dry_run,
                                   "files", json_list(rows_, write), "warnings", warnings_,
                                   "leftToDo", reminders_, "offers", offers_);
  console_->print_json(Json::parse(out.text).dump(2));
}

ExitCode ConfigRun::finish() {
  if (rows_.empty() && !options_.json) console_->note("nothing to do");
  if (const auto saved = record_.save(); !saved.ok()) {
    warnings_.push_back("what the files were before is not remembered: " + saved.error().message());
  }
  if (options_.json) {
    print_json();
  } else {
    print_rows();
  }
  const bool failed = std::ranges::any_of(rows_, &Row::failed);
  return failed ? ExitCode::kError : ExitCode::kFound;
}

}  // namespace codexmem::app
