// app/init/client_config.h - what codexmem has in the configuration files of MCP clients: the
// server's entry, and the hooks of docs/how-it-works.md, "Worker".
//
// An entry written by others, people or a repository, is recognised by its shape: an entry with any
// other member, even a comment, is theirs and is left alone. Pure except for a check whether the
// program of an entry exists.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace codexmem::app {

/// What a configuration calls the programs: by name, or by path where that would not be found.
struct ProgramNames {
  std::string codexmem = "codexmem", hook = "codexmem-hook";
  /// The data directory, which a client does not pass on to every program that it starts. Empty: it
  /// is not written, and an existing value stays.
  std::string data_directory = {};
  /// The tools that a server offers, "code" or "memory"; "all" is the default and is not written.
  /// Empty: an existing value stays.
  std::string tools = {};
};

/// One event of a client, and what codexmem-hook calls it.
struct HookEvent {
  std::string_view host, ours;
  std::string_view tools = {};  // the tools that it is for, as the client's matcher; empty: all
};

/// What to do about the hook of the edit guard, which is written only when asked for.
enum class GuardChange { kKeep, kAdd, kRemove };

enum class ConfigForm {
  kJsonServer,  // an entry in an object of servers
  kTomlServer,  // a table [mcp_servers.codexmem]
  kHookGroups,  // "hooks": {EVENT: [{"hooks": [{"type": "command", "command": ...}]}]}
  kHookList,    // "version": 1, "hooks": {EVENT: [{"command": ...}]}
};

/// What belongs into one file.
struct ConfigEntries {
  ConfigForm form = ConfigForm::kJsonServer;
  std::string_view servers;              // of a server: the name of the object or table around it
  std::string_view type, argument, cwd;  // of a server: with its command and "serve"; may be empty
  std::string_view platform;             // of hooks
  std::span<const HookEvent> events;     // of hooks
  HookEvent guard = {};                  // the edit guard's; no host: the client has no such event
  GuardChange guard_change = GuardChange::kKeep;
};

/// A file's text after a change.
struct ConfigText {
  std::string text;
  bool had_ours = false;          // the text before had something that codexmem wrote
  std::vector<std::string> left;  // sentences: what was left because codexmem did not write it
};

/// `before` (empty: there is no file) with the entries added. Existing entries that work are not
/// touched; our entries that are old, or name a program that is gone, are brought up to date.
/// Errors: kUnsupported when the text cannot be changed safely.
Result<ConfigText> with_entries(std::string_view before, const ConfigEntries& entries,
                                const ProgramNames& programs);

/// `before` without our entries; empty when nothing is left, not even a comment. Errors:
/// kUnsupported when the text cannot be changed safely.
Result<ConfigText> without_entries(std::string_view before, const ConfigEntries& entries);

/// The command line that an entry of a server called codexmem, JSON with or without comments,
/// starts instead of codexmem; empty if it starts codexmem. A repository may come with such an
/// entry.
std::string foreign_server(std::string_view entry);

/// The data directory that an entry of a server called codexmem, as JSON, or a hook's command line
/// sets; empty if not set.
std::string data_directory_of_server(std::string_view entry);
std::string data_directory_of_hook(std::string_view command);

/// The value of CODEXMEM_TOOLS in an entry of a server, as JSON; empty if not set.
std::string tools_of_server(std::string_view entry);

/// True if codexmem's hooks, written by init or by hand, are in `text`.
bool mentions_hooks(std::string_view text);

/// The text to add by hand to a file that holds `text`: a whole file with only these entries, or
/// the one line that an inline table of servers takes.
std::string entries_by_hand(const ConfigEntries& entries, const ProgramNames& programs,
                            std::string_view text);

/// True if `program`, a name or a path, can be started. A name that only npm finds, in a folder
/// node_modules/.bin, does not count.
bool can_start(const std::string& program);

}  // namespace codexmem::app
