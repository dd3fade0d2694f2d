// app/init/config_run.h - one run of init or uninit: the changes, done or only shown, and the
// report of them. Belongs to one thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/render/console.h"
#include "app/exit_code.h"
#include "app/init/clients.h"
#include "app/init/file_change.h"
#include "app/init/undo_record.h"
#include "config/worker_file.h"

namespace codexmem::app {

/// The data directory that the environment names, CODEXMEM_DATA_DIR; empty if it is the default, or
/// cannot be written down.
std::string named_data_directory();

/// The options of init and uninit.
struct ConfigOptions {
  std::string path;
  std::vector<std::string> clients;  // empty: those that are there
  std::string tools;  // that servers offer: code, memory or all; empty: as the files say
  bool user = false, project = false;
  bool dry_run = false, json = false;
};

class ConfigRun {
 public:
  /// Errors: kInvalidArgument for an unknown client; also when the path is not a
  /// directory.
  static Result<ConfigRun> begin(const ConfigOptions& options, Console& console);

  const ConfigPlaces& places() const { return places_; }

  /// The requested clients, else the clients that were detected, else VS Code.
  const std::vector<const Client*>& chosen() const { return chosen_; }

  /// Puts the entries of `file` in, or takes them out. `names_directory`: with the data directory
  /// of the environment, if that has one. True if that has changed the file, or would.
  bool put_in(const Client& client, const ConfigFile& file, bool names_directory);
  void take_out(const Client& client, const ConfigFile& file);

  /// Puts codexmem's lines into the repository's pre-commit hook, or takes them out.
  void change_git_hook(bool wanted);

  /// Writes the skill at `path` (app/init/skill_file.h), or takes it away.
  void change_skill(const std::filesystem::path& path, bool wanted);

  /// Stops the worker of the data directory `directory`.
  void stop_worker(const std::filesystem::path& directory, const WorkerAddress& worker);

  /// Says that the hook stays, if our lines are in it.
  void keep_git_hook();

  /// A file that is left as it is, and why.
  void leave(std::string_view title, const std::filesystem::path& path, std::string why);

  /// Something that the user has to do.
  void remind(std::string text) { reminders_.push_back(std::move(text)); }

  /// Adds a suggestion for the user, with its cost.
  void offer(std::string text) { offers_.push_back(std::move(text)); }

  /// Stores a secret for writing decisions in the user's settings (app/settings/user_settings.h).
  void make_secret();

  /// Prints what was done and saves the undo record. Returns the exit code of the run.
  ExitCode finish();

 private:
  struct Row {
    std::string title, name, state;
    std::string why;      // of a file that is left or refused
    std::string by_hand;  // what the user may put in
    std::string diff;
    bool failed = false;
  };

  ConfigRun(const ConfigOptions& options, Console& console);
  std::string display_name(const std::filesystem::path& path) const;
  Result<FileChange> begin_file(const std::filesystem::path& path) const;
  ProgramNames programs_for(const ConfigFile& file, bool names_directory);
  void apply(Row row, FileChange change, const std::filesystem::path& path, bool had_ours);
  void apply_undo(Row row, FileChange change, const std::filesystem::path& path);
  bool perform(Row& row, const FileChange& change, std::filesystem::path& made);
  void print_list(std::string_view heading, const std::vector<std::string>& texts);
  void print_rows();
  void print_json();

  ConfigOptions options_;
  Console* console_;
  ConfigPlaces places_;
  UndoRecord record_;
  std::vector<const Client*> chosen_;
  std::vector<Row> rows_;
  std::vector<std::string> reminders_, offers_, warnings_;
};

}  // namespace codexmem::app
