// Who uses codexmem: editors and agents by their settings, their hooks, git.
#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <system_error>

#include "app/doctor/doctor.h"
#include "app/process.h"
#include "base/file.h"
#include "base/json.h"
#include "base/json_comments.h"
#include "base/text.h"

namespace codexmem::app::doctor {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{4} << 20;

// Where a client looks for servers: a file of the repository or of the home, and the member that
// holds them.
struct ClientFile {
  std::string_view client, path, servers;
  bool is_at_home = false;
};
constexpr ClientFile kClientFiles[] = {
    {"VS Code", ".vscode/mcp.json", "servers"},
    {"Claude Code", ".mcp.json", "mcpServers"},
    {"Claude Code", ".claude.json", "mcpServers", true},
    {"Cursor", ".cursor/mcp.json", "mcpServers"},
    {"Cursor", ".cursor/mcp.json", "mcpServers", true},
    {"Gemini CLI", ".gemini/settings.json", "mcpServers"},
    {"Gemini CLI", ".gemini/settings.json", "mcpServers", true},
};

// Whose hooks are looked at, and at which events they must tell something.
struct HookFile {
  std::string_view client, path;
  std::array<std::string_view, 6> events;
};
constexpr HookFile kHookFiles[] = {
    {"Claude Code",
     ".claude/settings.json",
     {"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop",
      "SessionEnd"}},
    {"Codex",
     ".codex/hooks.json",
     {"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "", ""}},
    {"Cursor",
     ".cursor/hooks.json",
     {"beforeSubmitPrompt", "afterShellExecution", "afterMCPExecution", "afterFileEdit", "stop",
      ""}},
};

fs::path place_of(const Patient& patient, std::string_view path, bool is_at_home) {
  const fs::path& folder = is_at_home ? patient.home : patient.root;
  return folder.empty() ? fs::path() : folder / path;
}

// The object in a file; nothing when there is no such file. Null when it is damaged.
std::optional<Json> read_object(const fs::path& path) {
  if (path.empty()) return std::nullopt;
  const auto text = read_file(path, kMaxFileBytes);
  if (!text.ok()) return std::nullopt;
  Json object = Json::parse(strip_json_comments(*text), nullptr, false);
  return object.is_object() ? std::optional(std::move(object)) : std::optional<Json>(nullptr);
}

// True for a command that can be run: a path, or a name in PATH.
bool is_runnable(const Patient& patient, const std::string& command) {
  if (command.find('/') == std::string::npos) return !find_in_path(patient, command).empty();
  return ::access(command.c_str(), X_OK) == 0;
}

// "command = ..." of [mcp_servers.codexmem] in Codex's TOML; nothing when there is no such table.
std::optional<std::string> codex_command(const fs::path& path) {
  if (path.empty()) return std::nullopt;
  const auto text = read_file(path, kMaxFileBytes);
  if (!text.ok()) return std::nullopt;
  bool is_inside = false, is_there = false;
  for (const std::string_view each : split(*text, '\n')) {
    const std::string_view line = trim(each);
    if (line.starts_with('[')) {
      is_inside = line.starts_with("[mcp_servers.codexmem]");
      is_there = is_there || is_inside;
    }
    if (!is_inside || !line.starts_with("command")) continue;
    const auto open = line.find_first_of("\"'");
    if (open == std::string_view::npos) continue;
    const auto close = line.find(line[open], open + 1);
    if (close == std::string_view::npos) continue;
    return std::string(line.substr(open + 1, close - open - 1));
  }
  return is_there ? std::optional<std::string>("") : std::nullopt;
}

// The commands of an event's hooks, at whatever depth the client keeps them.
void add_commands(const Json& value, std::vector<std::string>* commands) {
  if (value.is_object()) {
    for (const auto& [key, member] : value.items()) {
      if (key == "command" && member.is_string()) {
        commands->push_back(member.get<std::string>());
      } else {
        add_commands(member, commands);
      }
    }
  } else if (value.is_array()) {
    for (const Json& each : value) add_commands(each, commands);
  }
}

}  // namespace

Finding check_clients(const Patient& patient) {
  std::vector<std::string> clients, gone, damaged;
  const auto add = [&](std::string_view client, const fs::path& path, const std::string& command) {
    clients.emplace_back(client);
    if (!command.empty() && !is_runnable(patient, command)) {
      gone.push_back(
          fmt::format("{} of {} starts {}, which is not there", path.string(), client, command));
    }
  };
  for (const ClientFile& file : kClientFiles) {
    const fs::path path = place_of(patient, file.path, file.is_at_home);
    const auto object = read_object(path);
    if (!object) continue;
    if (!object->is_object()) {
      damaged.push_back(fmt::format("{} of {} is no JSON", path.string(), file.client));
      continue;
    }
    const auto servers = object->find(std::string(file.servers));
    if (servers == object->end() || !servers->is_object()) continue;
    const auto entry = servers->find("codexmem");
    if (entry == servers->end() || !entry->is_object()) continue;
    const auto command = entry->find("command");
    add(file.client, path,
        command != entry->end() && command->is_string() ? command->get<std::string>() : "");
  }
  for (const bool is_at_home : {false, true}) {
    const fs::path path = place_of(patient, ".codex/config.toml", is_at_home);
    if (const auto command = codex_command(path)) add("Codex", path, *command);
  }
  if (!gone.empty()) return {CheckState::kTrouble, join(gone, "; "), "codexmem init"};
  if (!damaged.empty()) return {CheckState::kWarning, join(damaged, "; "), "mend it by hand"};
  if (clients.empty()) {
    return {CheckState::kWarning, "no editor or agent is set up to use codexmem here",
            "codexmem init"};
  }
  return {CheckState::kOk, join(clients, ", ")};
}

Finding check_client_hooks(const Patient& patient) {
  std::vector<std::string> whole, missing;
  for (const HookFile& file : kHookFiles) {
    for (const bool is_at_home : {false, true}) {
      const fs::path path = place_of(patient, file.path, is_at_home);
      const auto object = read_object(path);
      if (!object || !object->is_object()) continue;
      const auto hooks = object->find("hooks");
      if (hooks == object->end() || !hooks->is_object()) continue;
      std::vector<std::string> without;
      std::size_t with = 0;
      for (const std::string_view event : file.events) {
        if (event.empty()) continue;
        std::vector<std::string> commands;
        if (const auto rows = hooks->find(std::string(event)); rows != hooks->end()) {
          add_commands(*rows, &commands);
        }
        bool is_ours = false;
        for (const std::string& command : commands) {
          if (command.find("codexmem") != std::string::npos) is_ours = true;
        }
        if (is_ours) {
          ++with;
        } else {
          without.emplace_back(event);
        }
      }
      if (with == 0) continue;
      if (without.empty()) {
        whole.emplace_back(file.client);
      } else {
        missing.push_back(fmt::format("{} of {} has no hook at {}", path.string(), file.client,
                                      join(without, ", ")));
      }
    }
  }
  if (!missing.empty()) {
    return {CheckState::kWarning, join(missing, "; "), "codexmem init --hooks"};
  }
  if (whole.empty()) return {CheckState::kOk, "none: nothing is captured of sessions"};
  return {CheckState::kOk, join(whole, ", ")};
}

Finding check_git_hook(const Patient& patient) {
  std::error_code failed;
  if (patient.root.empty() || !fs::exists(patient.root / ".git", failed)) {
    return {CheckState::kOk, "there is no git repository here"};
  }
  const auto ask = [&](const char* path) -> fs::path {
    const auto answer = run_process({"git", "-C", patient.root.string(), "rev-parse",
                                     "--path-format=absolute", "--git-path", path});
    return answer.ok() && answer->exit_code == 0 ? fs::path(trim(answer->out)) : fs::path();
  };
  const fs::path hook = ask("hooks/pre-commit");
  const auto holds_ours = [](const fs::path& path) {
    const auto text = read_file(path, kMaxFileBytes);
    return text.ok() && text->find("codexmem") != std::string::npos;
  };
  if (hook.empty()) return {CheckState::kOk, "there is no git to ask"};
  if (holds_ours(hook)) {
    if (::access(hook.c_str(), X_OK) == 0) return {CheckState::kOk, hook.string()};
    return {CheckState::kWarning,
            fmt::format("{} is not executable: git passes it by", hook.string()),
            fmt::format("chmod +x {}", shell_word(hook.string()))};
  }
  // core.hooksPath leads git elsewhere than where the lines were written.
  const fs::path usual = fs::weakly_canonical(ask("."), failed) / "hooks/pre-commit";
  if (usual != hook && holds_ours(usual)) {
    return {CheckState::kWarning,
            fmt::format("core.hooksPath leads git to {}, past the hook in {}",
                        hook.parent_path().string(), usual.string()),
            "codexmem init --git-hook"};
  }
  return {CheckState::kOk, "none: the index is brought up to date when it is asked"};
}

}  // namespace codexmem::app::doctor
