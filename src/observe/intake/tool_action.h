// observe/intake/tool_action.h - what a tool event was, whatever the host calls its tools and
// arguments.
//
// Knows the tools of Claude Code, Codex, Cursor, Gemini CLI, OpenCode and the editor tools that
// models are trained on; an unknown tool is known by the shape of its input, if at all. Paths are
// relative to the repository where they are below it. Pure except for where a repository begins.
// Design: docs/how-it-works.md, "Observations".
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "observe/intake/patch_text.h"
#include "observe/models/provider.h"

namespace codexmem::observe {

enum class ActionKind {
  kRead,       // files, or a part of one
  kSearch,     // in files
  kFind,       // files by name, or what a folder holds
  kEdit,       // files were written, changed, deleted
  kCommand,    // of a shell
  kFetch,      // an address
  kWebSearch,  //
  kAgent,      // another agent was given a task
  kOther,
};

struct ToolAction {
  ActionKind kind = ActionKind::kOther;
  std::string tool;                // "Edit"; of an MCP server "github: create_issue"
  std::vector<std::string> files;  // read, or found
  std::vector<FileEdit> edits;
  std::string command;      // of a shell
  std::string description;  // what the model said that it is for
  std::string query;  // what was searched for, the prompt of an agent, the argument that matters
  std::string where;  // the folder or file that was searched; empty: everywhere
  std::string url;
  std::string content;  // of the file that was read, when it came whole
  std::string output;   // of the tool, as text
  std::optional<std::size_t> first_line, line_count, total_lines;  // of what was read
  std::optional<std::size_t> found;                                // files or matches
  std::optional<int> exit_code;
  bool has_failed = false;       // the tool says so
  bool was_interrupted = false;  // by a person or a time limit, before its end
  std::string cwd, root;         // for shown_path()
};

/// The folder that is the root of the repository around a folder; empty: none.
using FindRoot = std::function<std::string(const std::string& directory)>;

/// The nearest folder at or above `directory` with a `.git`, on this machine.
std::string repository_root(const std::string& directory);

/// Reads `event`; whatever is not as expected is left out.
ToolAction read_action(const ToolEvent& event, const FindRoot& find_root = repository_root);

/// `path` (of a tool, relative to `cwd`) as it is shown: relative to `root` where it is below it,
/// without "./"; else as it is.
std::string shown_path(std::string_view path, std::string_view cwd, std::string_view root);

}  // namespace codexmem::observe
