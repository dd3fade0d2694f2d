#include "app/init/clients.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>

namespace codexmem::app {
namespace fs = std::filesystem;

namespace {

// The events that call codexmem-hook: docs/how-it-works.md, "Hooks".
constexpr HookEvent kClaudeEvents[] = {
    {"SessionStart", "context"},    {"UserPromptSubmit", "session-init"},
    {"PostToolUse", "observation"}, {"PostToolUseFailure", "observation"},
    {"Stop", "summarize"},          {"SessionEnd", "session-complete"},
};
constexpr HookEvent kCodexEvents[] = {
    {"SessionStart", "context"},        {"UserPromptSubmit", "session-init"},
    {"PostToolUse", "observation"},     {"Stop", "summarize"},
    {"SessionEnd", "session-complete"},
};
constexpr HookEvent kCursorEvents[] = {
    {"sessionStart", "context"},
    {"beforeSubmitPrompt", "session-init"},
    {"afterShellExecution", "observation"},
    {"afterMCPExecution", "observation"},
    {"afterFileEdit", "file-edit"},
    {"stop", "summarize"},
    {"sessionEnd", "session-complete"},
};

// The edit guard's; these tools write files.
constexpr HookEvent kClaudeGuard = {"PreToolUse", "before-edit", "Edit|MultiEdit|Write"};
constexpr HookEvent kCursorGuard = {"preToolUse", "before-edit", "Write"};

constexpr std::string_view kWorkspaceFolder = "${workspaceFolder}";

// The folder that the variable `name` gives, else `otherwise`.
fs::path folder_of(const char* name, const fs::path& otherwise) {
  const char* given = std::getenv(name);
  return given != nullptr && *given != '\0' ? fs::path(given) : otherwise;
}

// Nothing when there is no home.
fs::path in_home(const ConfigPlaces& places, const char* inside) {
  return places.home.empty() ? fs::path() : places.home / inside;
}

ConfigEntries server_entries(std::string_view servers, std::string_view type = {},
                             std::string_view argument = {}, std::string_view cwd = {}) {
  ConfigEntries entries;
  entries.servers = servers;
  entries.type = type;
  entries.argument = argument;
  entries.cwd = cwd;
  return entries;
}

ConfigEntries hook_entries(ConfigForm form, std::string_view platform,
                           std::span<const HookEvent> events, const HookEvent& guard = {}) {
  ConfigEntries entries;
  entries.form = form;
  entries.platform = platform;
  entries.events = events;
  entries.guard = guard;
  return entries;
}

ConfigFile no_hooks(const ConfigPlaces&, ConfigScope) { return {}; }

// ---- VS Code ----

ConfigFile vscode_server(const ConfigPlaces& places, ConfigScope scope) {
  if (scope == ConfigScope::kProject) {
    return {places.root / ".vscode/mcp.json",
            server_entries("servers", "stdio", {}, kWorkspaceFolder)};
  }
  // Of several editions, the one that has been started on this machine.
  fs::path folder = in_home(places, ".config/Code/User");
  std::error_code ignored;
  for (const char* other :
       {".config/Code - Insiders/User", ".config/VSCodium/User", ".vscode-server/data/User"}) {
    const fs::path there = in_home(places, other);
    if (!fs::exists(folder, ignored) && fs::exists(there, ignored)) folder = there;
  }
  if (folder.empty()) return {};
  return {folder / "mcp.json", server_entries("servers", "stdio")};
}
constexpr std::string_view kVscodePrograms[] = {"code", "code-insiders", "codium"};
constexpr std::string_view kVscodeHome[] = {".vscode", ".vscode-server", ".config/Code",
                                            ".config/Code - Insiders", ".config/VSCodium"};
constexpr std::string_view kVscodeRoot[] = {".vscode"};

// ---- Claude Code ----

ConfigFile claude_server(const ConfigPlaces& places, ConfigScope scope) {
  const ConfigEntries entries = server_entries("mcpServers", "stdio");
  if (scope == ConfigScope::kProject) return {places.root / ".mcp.json", entries};
  const fs::path folder = folder_of("CLAUDE_CONFIG_DIR", places.home);
  return {folder.empty() ? fs::path() : folder / ".claude.json", entries};
}
ConfigFile claude_hooks(const ConfigPlaces& places, ConfigScope scope) {
  const ConfigEntries entries =
      hook_entries(ConfigForm::kHookGroups, "claude-code", kClaudeEvents, kClaudeGuard);
  if (scope == ConfigScope::kProject) return {places.root / ".claude/settings.json", entries};
  const fs::path folder = folder_of("CLAUDE_CONFIG_DIR", in_home(places, ".claude"));
  return {folder.empty() ? fs::path() : folder / "settings.json", entries};
}
constexpr std::string_view kClaudePrograms[] = {"claude"};
constexpr std::string_view kClaudeHome[] = {".claude", ".claude.json"};
constexpr std::string_view kClaudeRoot[] = {".claude", ".mcp.json"};

// ---- Codex ----

fs::path codex_folder(const ConfigPlaces& places, ConfigScope scope) {
  if (scope == ConfigScope::kProject) return places.root / ".codex";
  return folder_of("CODEX_HOME", in_home(places, ".codex"));
}
ConfigFile codex_server(const ConfigPlaces& places, ConfigScope scope) {
  ConfigEntries entries = server_entries("mcp_servers");
  entries.form = ConfigForm::kTomlServer;
  const fs::path folder = codex_folder(places, scope);
  return {folder.empty() ? fs::path() : folder / "config.toml", entries};
}
ConfigFile codex_hooks(const ConfigPlaces& places, ConfigScope scope) {
  const fs::path folder = codex_folder(places, scope);
  return {folder.empty() ? fs::path() : folder / "hooks.json",
          hook_entries(ConfigForm::kHookGroups, "codex", kCodexEvents)};
}
constexpr std::string_view kCodexPrograms[] = {"codex"};
constexpr std::string_view kCodexSigns[] = {".codex"};

// ---- Cursor ----

ConfigFile cursor_server(const ConfigPlaces& places, ConfigScope scope) {
  if (scope == ConfigScope::kProject) {
    return {places.root / ".cursor/mcp.json",
            server_entries("mcpServers", "stdio", kWorkspaceFolder)};
  }
  return {in_home(places, ".cursor/mcp.json"), server_entries("mcpServers", "stdio")};
}
ConfigFile cursor_hooks(const ConfigPlaces& places, ConfigScope scope) {
  return {scope == ConfigScope::kProject ? places.root / ".cursor/hooks.json"
                                         : in_home(places, ".cursor/hooks.json"),
          hook_entries(ConfigForm::kHookList, "cursor", kCursorEvents, kCursorGuard)};
}
constexpr std::string_view kCursorPrograms[] = {"cursor", "cursor-agent"};
constexpr std::string_view kCursorSigns[] = {".cursor"};

// ---- Gemini CLI ----

ConfigFile gemini_server(const ConfigPlaces& places, ConfigScope scope) {
  const ConfigEntries entries = server_entries("mcpServers");
  if (scope == ConfigScope::kProject) return {places.root / ".gemini/settings.json", entries};
  const fs::path home = folder_of("GEMINI_CLI_HOME", places.home);
  return {home.empty() ? fs::path() : home / ".gemini/settings.json", entries};
}
constexpr std::string_view kGeminiPrograms[] = {"gemini"};
constexpr std::string_view kGeminiSigns[] = {".gemini"};

constexpr std::string_view kNewSession = "start a new session; /mcp shows the server";
constexpr std::string_view kTrustServer =
    "trust the server codexmem when the editor asks (or start it with MCP: List Servers)";
constexpr std::string_view kSwitchOn = "switch the server codexmem on in Settings, MCP";
constexpr std::string_view kTrustFolder =
    "start gemini in the repository and trust the folder; /mcp shows the server";

constexpr Client kClients[] = {
    {"vscode",
     "VS Code",
     kVscodePrograms,
     kVscodeHome,
     kVscodeRoot,
     vscode_server,
     no_hooks,
     ConfigScope::kProject,
     kTrustServer,
     kTrustServer,
     {}},
    {"claude-code", "Claude Code", kClaudePrograms, kClaudeHome, kClaudeRoot, claude_server,
     claude_hooks, ConfigScope::kProject,
     "start claude in the repository once and approve the server codexmem of .mcp.json",
     kNewSession, "hooks take effect in the next session"},
    {"codex", "Codex", kCodexPrograms, kCodexSigns, kCodexSigns, codex_server, codex_hooks,
     ConfigScope::kUser,
     "start codex in the repository and trust the folder; /mcp shows the server", kNewSession,
     "start codex once and trust the hooks that it names (or later with /hooks)",
     /*hands_on_environment=*/false},
    {"cursor", "Cursor", kCursorPrograms, kCursorSigns, kCursorSigns, cursor_server, cursor_hooks,
     ConfigScope::kProject, kSwitchOn, kSwitchOn,
     "restart Cursor if Settings, Hooks does not show them"},
    {"gemini",
     "Gemini CLI",
     kGeminiPrograms,
     kGeminiSigns,
     kGeminiSigns,
     gemini_server,
     no_hooks,
     ConfigScope::kProject,
     kTrustFolder,
     "trust the folders that you start gemini in: it asks; /mcp shows the server",
     {}},
};

bool is_at(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

}  // namespace

std::span<const Client> clients() { return kClients; }

const Client* find_client(std::string_view name) {
  const auto* found = std::ranges::find(kClients, name, &Client::name);
  return found == std::end(kClients) ? nullptr : found;
}

bool is_installed(const Client& client, const ConfigPlaces& places) {
  const auto in = [](const fs::path& folder) {
    return [&folder](std::string_view sign) { return !folder.empty() && is_at(folder / sign); };
  };
  return std::ranges::any_of(client.programs,
                             [](std::string_view name) { return can_start(std::string(name)); }) ||
         std::ranges::any_of(client.home_signs, in(places.home)) ||
         std::ranges::any_of(client.root_signs, in(places.root));
}

}  // namespace codexmem::app
