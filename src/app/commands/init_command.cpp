// codexmem init and uninit: let MCP clients and git use codexmem, and undo that. Write nothing that
// --dry-run has not shown, and ask nothing.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "app/command.h"
#include "app/init/config_run.h"
#include "app/init/skill_file.h"
#include "serve/repository.h"
#include "serve/served_repositories.h"
#include "base/file.h"
#include "config/settings.h"
#include "config/worker_file.h"
#include "base/text.h"
#include "config/user_directory.h"
#include "observe/models/provider_choice.h"
#include "store/code/store_directory.h"

namespace codexmem::app {
namespace {

void declare_common(Arguments& arguments, ConfigOptions& options) {
  arguments.text("PATH", options.path, "A folder of the repository (default: the current one)")
      .are_folders();
  std::vector<std::string> names;
  for (const Client& client : clients()) names.emplace_back(client.name);
  names.emplace_back("all");
  arguments
      .texts("-c,--client", options.clients,
             join(names, ", ") + " (default: those that are there, else vscode)")
      .are(names);
  arguments.flag("-n,--dry-run", options.dry_run,
                 "Show what would be written, as a diff; write nothing");
  arguments.flag("--json", options.json, "Print JSON");
}

class InitCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    declare_common(arguments, options_);
    arguments.flag("--hooks,!--no-hooks", hooks_,
                   "Write the hooks that fill the memory (default), or remove them");
    arguments.flag("--edit-guard", adds_guard_,
                   "Write the hook that says before an edit what it breaks (Claude Code, Cursor)");
    arguments.flag("--no-edit-guard", removes_guard_, "Remove that hook");
    arguments.flag("--skill,!--no-skill", skill_,
                   "Write the skill that says when to ask which tool (default), or remove it");
    arguments.flag("--git-hook,!--no-git-hook", git_hook_,
                   "Write the pre-commit hook (default), or remove its lines");
    arguments.flag("--project", options_.project,
                   "Everything into the repository's files, which others share");
    arguments.flag("--user", options_.user,
                   "Everything into your own files, for all repositories; no git hook");
    arguments
        .text("--tools", options_.tools,
              "The tools that the servers offer: code, memory, decisions or all (default: all, or "
              "what the files say)")
        .are({"code", "memory", "decisions", "all"});
    arguments.flag("--decisions", decisions_, "Make the secret that writing decisions needs");
  }

  ExitCode run(Console& console) override {
    auto run = ConfigRun::begin(options_, console);
    if (!run.ok()) return fail(console, run.error());
    if (adds_guard_ && (removes_guard_ || !hooks_)) {
      console.error(fmt::format("--edit-guard and {} exclude each other",
                                removes_guard_ ? "--no-edit-guard" : "--no-hooks"));
      return ExitCode::kError;
    }
    std::error_code ignored;
    const std::string why = serve::why_no_repository(run->places().root);
    if (!options_.user && !why.empty() &&
        !std::filesystem::exists(run->places().root / ".git", ignored)) {
      console.error(why + ": go into one, or take --user for all of them");
      return ExitCode::kError;
    }
    for (const Client* client : run->chosen()) configure(*run, *client);
    if (!options_.user) run->change_git_hook(git_hook_);
    if (decisions_) run->make_secret();
    offer(*run);
    return run->finish();
  }

 private:
  // What works only once somebody has chosen it.
  void offer(ConfigRun& run) const {
    if (!options_.user && !store::has_index(run.places().root)) {
      run.offer(
          "an index: `codexmem index` makes it now; otherwise the first question, or the first "
          "commit that is checked, waits for it");
    }
    const Settings settings = serve::load_settings(run.places().root).of_user();
    if (!decisions_ && settings.value("AGENT_MEMORY_SECRET").empty()) {
      run.offer(
          "decisions, which agents can only read: `codexmem init --decisions` makes the secret "
          "that writing needs, in settings.json of your data directory");
    }
    if (observe::choose_model(settings.reader()).has_unused_key) {
      run.offer(std::string(observe::kUnusedKeyHint));
    }
  }

  void configure(ConfigRun& run, const Client& client) {
    const ConfigScope server = options_.user      ? ConfigScope::kUser
                               : options_.project ? ConfigScope::kProject
                                                  : client.server_scope;
    const ConfigScope hooks = options_.project ? ConfigScope::kProject : ConfigScope::kUser;
    const auto remind = [&](std::string_view text) {
      if (!text.empty()) run.remind(fmt::format("{}: {}", client.title, text));
    };
    // Server and hooks of a client learn alike where the memory is, or it would be split. A file
    // that others share names no folder of this machine; both have the client's environment then.
    const bool names_directory = server == ConfigScope::kUser;
    const std::string directory = named_data_directory();
    if (run.put_in(client, client.server(run.places(), server), names_directory)) {
      remind(server == ConfigScope::kProject ? client.after_server : client.after_user_server);
      if (!directory.empty() && !names_directory) {
        remind(client.hands_on_environment
                   ? fmt::format("start it with CODEXMEM_DATA_DIR={} in its environment, or it "
                                 "uses another memory; with --user the files set it",
                                 directory)
                   : fmt::format("it does not pass CODEXMEM_DATA_DIR={} on to the server, which "
                                 "then uses another memory; without --project the files set it",
                                 directory));
      }
    }
    // It is about the code's tools.
    if (options_.tools.empty() || options_.tools == "all" || options_.tools == "code" || !skill_) {
      run.change_skill(skill_path(client, run.places(), server), skill_);
    }
    ConfigFile file = client.hooks(run.places(), hooks);
    if (adds_guard_ && file.entries.guard.host.empty()) {
      remind("the edit guard does not work here: it has no event for it");
    }
    if (file.path.empty()) return;
    file.entries.guard_change = adds_guard_      ? GuardChange::kAdd
                                : removes_guard_ ? GuardChange::kRemove
                                                 : GuardChange::kKeep;
    if (!hooks_) return run.take_out(client, file);
    // In both of a client's files, the hooks would report everything twice.
    const ConfigFile other = client.hooks(
        run.places(), hooks == ConfigScope::kUser ? ConfigScope::kProject : ConfigScope::kUser);
    const auto text = read_file(other.path);
    if (text.ok() && mentions_hooks(*text)) {
      const auto own = read_file(file.path);
      if (!own.ok() || !mentions_hooks(*own)) {
        return run.leave(client.title, file.path,
                         fmt::format("the hooks are in {} already", other.path.string()));
      }
    }
    if (run.put_in(client, file, names_directory)) remind(client.after_hooks);
  }

  ConfigOptions options_;
  bool hooks_ = true, skill_ = true, git_hook_ = true, decisions_ = false;
  bool adds_guard_ = false, removes_guard_ = false;
};

class UninitCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    declare_common(arguments, options_);
    arguments.flag("--project", options_.project,
                   "Only the repository's files: your own serve other repositories too");
    arguments.flag("--user", options_.user, "Only your own files");
  }

  ExitCode run(Console& console) override {
    if (options_.clients.empty()) options_.clients = {"all"};
    const bool all = std::ranges::find(options_.clients, "all") != options_.clients.end();
    auto run = ConfigRun::begin(options_, console);
    if (!run.ok()) return fail(console, run.error());
    for (const Client* client : run->chosen()) {
      for (const ConfigScope scope : {ConfigScope::kProject, ConfigScope::kUser}) {
        if (scope == ConfigScope::kProject ? options_.user : options_.project) continue;
        run->take_out(*client, client->server(run->places(), scope));
        run->take_out(*client, client->hooks(run->places(), scope));
        if (all || client->name == "claude-code") {
          run->change_skill(skill_path(*client, run->places(), scope), false);
        }
      }
    }
    if (!options_.user && all) run->change_git_hook(false);
    if (!options_.user && !all) run->keep_git_hook();
    end_worker(*run);
    return run->finish();
  }

 private:
  // True while a client's hooks are in its files, or will be after what --dry-run shows.
  bool has_hooks(const ConfigRun& run) const {
    const ConfigPlaces& places = run.places();
    for (const Client& client : clients()) {
      const bool is_chosen = std::ranges::find(run.chosen(), &client) != run.chosen().end();
      for (const ConfigScope scope : {ConfigScope::kProject, ConfigScope::kUser}) {
        const bool stays = scope == ConfigScope::kProject ? options_.user : options_.project;
        if (options_.dry_run && is_chosen && !stays) continue;
        const auto text = read_file(client.hooks(places, scope).path);
        if (text.ok() && mentions_hooks(*text)) return true;
      }
    }
    return false;
  }

  // Nothing of ours runs once no hook is left here. Hooks in files of other repositories start the
  // worker again when they need one.
  void end_worker(ConfigRun& run) const {
    const std::filesystem::path directory = user_directory();
    if (!directory.is_absolute()) return;
    const auto worker = find_worker(directory);
    if (!worker) return;
    if (has_hooks(run)) {
      run.remind(
          fmt::format("the worker (process {}) still runs for the hooks that are left; "
                      "`codexmem worker stop` stops it",
                      worker->pid));
      return;
    }
    run.stop_worker(directory, *worker);
  }

  ConfigOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_init_command() { return std::make_unique<InitCommand>(); }
std::unique_ptr<Command> make_uninit_command() { return std::make_unique<UninitCommand>(); }

}  // namespace codexmem::app
