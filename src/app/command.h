// app/command.h - the interface of a command, and the table of commands.
//
// Adding one: src/app/<name>_command.cpp with a class and its make function, one row in kCommands[]
// of commands.cpp. The row is where --help and docs/reference take name, summary and examples
// from.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/arguments.h"
#include "app/render/console.h"
#include "app/exit_code.h"
#include "base/result.h"

namespace codexmem::app {

/// One run of a command: declare() binds its options, then run() does it.
class Command {
 public:
  virtual ~Command() = default;
  virtual void declare(Arguments& arguments) = 0;
  virtual ExitCode run(Console& console) = 0;
  /// False for a command that manages with the few files that its caller allows.
  virtual bool opens_many_files() const { return true; }
};

/// For the rows of the table below.
template <typename T>
std::unique_ptr<Command> make_command() {
  return std::make_unique<T>();
}

/// Where --help lists a command: kMore has those that few people call themselves.
enum CommandGroup : std::uint8_t { kMore, kAsk, kChange, kRemember, kSetUp };

struct CommandRow {
  std::string_view name;
  std::string_view summary;   // one line, no full stop
  std::string_view examples;  // ends --help: lines of "  codexmem NAME ..."
  std::unique_ptr<Command> (*make)();
  /// Of a row that is a group: "memory" of `codexmem memory save`. Then make is null.
  std::span<const CommandRow> (*subcommands)() = nullptr;
  /// The exit code for a wrong command line.
  ExitCode misuse = ExitCode::kError;
  CommandGroup group = kMore;
};

/// Every command, in the order of --help.
std::span<const CommandRow> commands();

std::span<const CommandRow> memory_commands();
std::span<const CommandRow> decision_commands();
std::span<const CommandRow> worker_commands();
std::span<const CommandRow> config_commands();
std::span<const CommandRow> fleet_commands();

/// The one of `rows` called `name`, or nullptr.
const CommandRow* find_row(std::span<const CommandRow> rows, std::string_view name);

/// Runs the command line `words` (without the program's name) and returns the exit code of the
/// process. Errors are printed on stderr.
int run_command_line(const std::vector<std::string>& words, Console& console);

/// Prints `error` and returns kError.
ExitCode fail(Console& console, const Error& error);

/// The same of what a question is about: kNothingFound when there is no such thing (kNotFound).
ExitCode fail_to_find(Console& console, const Error& error);

std::unique_ptr<Command> make_index_command();
std::unique_ptr<Command> make_pack_command();
std::unique_ptr<Command> make_export_command();
std::unique_ptr<Command> make_check_command();
std::unique_ptr<Command> make_rename_command();
std::unique_ptr<Command> make_change_command();
std::unique_ptr<Command> make_share_command();
std::unique_ptr<Command> make_status_command();
std::unique_ptr<Command> make_workspace_command();
std::unique_ptr<Command> make_worktrees_command();
std::unique_ptr<Command> make_open_command();
std::unique_ptr<Command> make_serve_command();
std::unique_ptr<Command> make_lsp_command();
std::unique_ptr<Command> make_init_command();
std::unique_ptr<Command> make_uninit_command();
std::unique_ptr<Command> make_hook_command();
std::unique_ptr<Command> make_doctor_command();
std::unique_ptr<Command> make_debug_command();
std::unique_ptr<Command> make_completion_command();
std::unique_ptr<Command> make_languages_command();
std::unique_ptr<Command> make_version_command();

}  // namespace codexmem::app
