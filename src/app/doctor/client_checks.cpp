// Checks of the clients: settings of editors and agents, their hooks, git.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include "base/shell_word.h"
#include "app/doctor/doctor.h"
#include "app/init/clients.h"
#include "app/init/json_edit.h"
#include "app/init/toml_edit.h"
#include "base/file.h"
#include "text/json.h"
#include "text/json_comments.h"
#include "text/parse_json.h"
#include "base/text.h"
#include "index/git/git_repository.h"

namespace codexmem::app::doctor {
namespace fs = std::filesystem;
namespace {

// Clients keep their history in such files, too.
constexpr std::size_t kMaxFileBytes = std::size_t{64} << 20;

// The scopes whose files are to be looked at: those that have a folder.
std::vector<ConfigScope> scopes_of(const Patient& patient) {
  std::vector<ConfigScope> scopes;
  if (!patient.root.empty()) scopes.push_back(ConfigScope::kProject);
  if (!patient.home.empty()) scopes.push_back(ConfigScope::kUser);
  return scopes;
}

// The object in a file; nothing when there is no such file. Null when it is damaged.
std::optional<Json> read_object(const fs::path& path) {
  if (path.empty()) return std::nullopt;
  const auto text = read_file(path, kMaxFileBytes);
  if (!text.ok()) return std::nullopt;
  Json object = parse_json(strip_json_comments(*text));
  return object.is_object() ? std::optional(std::move(object)) : std::optional<Json>(nullptr);
}

// True for a command that can be run: a path, or a name in PATH. One with a variable of the client
// is taken for one.
bool is_runnable(const Patient& patient, const std::string& command) {
  if (command.find("${") != std::string::npos) return true;
  if (command.find('/') == std::string::npos) return !find_in_path(patient, command).empty();
  return ::access(command.c_str(), X_OK) == 0;
}

// The entry of codexmem in `file`, null if it has no such entry. Errors: kUnsupported when the file
// is damaged; the message names the line.
Result<Json> server_entry(const ConfigFile& file) {
  if (file.path.empty()) return Json(nullptr);
  const auto text = read_file(file.path, kMaxFileBytes);
  if (!text.ok()) return Json(nullptr);
  const std::string servers(file.entries.servers);
  if (file.entries.form == ConfigForm::kTomlServer) {
    CODEXMEM_ASSIGN(const TomlTable table, find_toml_table(*text, {servers, "codexmem"}));
    return table.value.empty() ? Json(nullptr) : parse_json(table.value);
  }
  CODEXMEM_ASSIGN(const std::string plain, plain_json(*text));
  const Json object = parse_json(plain);
  const auto all = object.find(servers);
  if (all == object.end() || !all->is_object()) return Json(nullptr);
  const auto entry = all->find("codexmem");
  return entry == all->end() ? Json(nullptr) : *entry;
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
  const ConfigPlaces places{patient.root, patient.home};
  std::vector<std::string> found, messages;
  std::string damaged;
  bool is_gone = false;
  for (const Client& client : clients()) {
    for (const ConfigScope scope : scopes_of(patient)) {
      const ConfigFile file = client.server(places, scope);
      const auto entry = server_entry(file);
      if (!entry.ok()) {
        damaged = file.path.string();
        messages.push_back(
            fmt::format("{} of {}: {}", damaged, client.title, entry.error().message()));
      }
      if (!entry.ok() || !entry->is_object()) continue;
      found.emplace_back(client.title);
      if (const std::string foreign = foreign_server(dump_json(*entry)); !foreign.empty()) {
        messages.push_back(fmt::format("{} of {} starts `{}` under the name codexmem",
                                       file.path.string(), client.title, foreign));
        damaged = file.path.string();
      }
      const auto command = entry->find("command");
      if (command == entry->end() || !command->is_string() ||
          is_runnable(patient, command->get<std::string>())) {
        continue;
      }
      is_gone = true;
      messages.push_back(fmt::format("{} of {} starts {}, which is not there", file.path.string(),
                                     client.title, command->get<std::string>()));
    }
  }
  if (is_gone) return {CheckState::kTrouble, in_lines(messages), "codexmem init"};
  if (!messages.empty()) {
    return {CheckState::kWarning, in_lines(messages), "edit " + shell_word(damaged)};
  }
  if (found.empty()) {
    return {CheckState::kWarning, "no editor or agent is set up to use codexmem here",
            "codexmem init"};
  }
  return {CheckState::kOk, join(found, ", ")};
}

// The data directory of the programs that a client starts: from their entries, else from the
// client's environment.
Finding check_client_memory(const Patient& patient) {
  if (patient.data.empty()) return {CheckState::kOk, "there is no data directory"};
  const ConfigPlaces places{patient.root, patient.home};
  std::vector<std::string> messages;
  std::string cure;
  for (const Client& client : clients()) {
    std::vector<std::pair<std::string, fs::path>> kept;  // by what, and where
    for (const ConfigScope scope : scopes_of(patient)) {
      const auto entry = server_entry(client.server(places, scope));
      if (entry.ok() && entry->is_object()) {
        const std::string text = dump_json(*entry);
        std::string named = data_directory_of_server(text);
        const bool has_it =
            client.hands_on_environment || named.find("${") != std::string::npos ||
            entry->value("env_vars", Json()).dump().find("CODEXMEM_DATA_DIR") != std::string::npos;
        if (named.find("${") != std::string::npos) named.clear();
        kept.emplace_back("server", !named.empty() ? fs::path(named)
                                    : has_it       ? patient.data
                                                   : patient.home / ".codexmem");
      }
      const auto object = read_object(client.hooks(places, scope).path);
      std::vector<std::string> commands;
      if (object && object->is_object()) {
        add_commands(object->value("hooks", Json::object()), &commands);
      }
      std::erase_if(commands, [](const std::string& line) { return !mentions_hooks(line); });
      for (const std::string& command : commands) {
        const std::string named = data_directory_of_hook(command);
        kept.emplace_back("hooks", named.empty() ? patient.data : fs::path(named));
      }
    }
    for (const auto& [what, folder] : kept) {
      // With or without a slash at its end.
      if ((folder / "").lexically_normal() == (patient.data / "").lexically_normal()) continue;
      std::string line =
          fmt::format("the {} of {} keep{} the memory in {}, not in {}", what, client.title,
                      what == "server" ? "s" : "", folder.string(), patient.data.string());
      if (std::ranges::find(messages, line) != messages.end()) continue;
      messages.push_back(std::move(line));
      const bool is_named = !patient.environment("CODEXMEM_DATA_DIR").empty();
      cure = is_named ? fmt::format("codexmem init --user --client {}", client.name)
                      : fmt::format("export CODEXMEM_DATA_DIR={}", shell_word(folder.string()));
    }
  }
  if (messages.empty()) return {CheckState::kOk, "the same for all"};
  return {CheckState::kWarning, in_lines(messages), cure};
}

Finding check_client_hooks(const Patient& patient) {
  const ConfigPlaces places{patient.root, patient.home};
  std::vector<std::string> whole, missing;
  for (const Client& client : clients()) {
    for (const ConfigScope scope : scopes_of(patient)) {
      const ConfigFile file = client.hooks(places, scope);
      const auto object = read_object(file.path);
      if (!object || !object->is_object()) continue;
      const auto hooks = object->find("hooks");
      if (hooks == object->end() || !hooks->is_object()) continue;
      std::vector<std::string> without;
      for (const HookEvent& event : file.entries.events) {
        std::vector<std::string> commands;
        if (const auto rows = hooks->find(std::string(event.host)); rows != hooks->end()) {
          add_commands(*rows, &commands);
        }
        if (std::ranges::none_of(commands, [](const std::string& command) {
              return command.find("codexmem") != std::string::npos;
            })) {
          without.emplace_back(event.host);
        }
      }
      if (without.size() == file.entries.events.size()) continue;
      if (without.empty()) {
        whole.emplace_back(client.title);
      } else {
        missing.push_back(fmt::format("{} of {} has no hook at {}", file.path.string(),
                                      client.title, join(without, ", ")));
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
  const auto repository = index::GitRepository::find(patient.root.string());
  if (repository == nullptr) return {CheckState::kOk, "the git repository here is not opened"};
  const fs::path hook = fs::path(repository->hooks_folder()) / "pre-commit";
  const auto holds_ours = [](const fs::path& path) {
    const auto text = read_file(path, kMaxFileBytes);
    return text.ok() && text->find("codexmem") != std::string::npos;
  };
  if (holds_ours(hook)) {
    if (::access(hook.c_str(), X_OK) == 0) {
      if (!find_in_path(patient, "codexmem").empty()) return {CheckState::kOk, hook.string()};
      return {CheckState::kWarning,
              fmt::format("{} finds no codexmem in PATH and does nothing", hook.string()),
              fmt::format("export PATH={}:\"$PATH\"",
                          shell_word(patient.program.parent_path().string()))};
    }
    return {CheckState::kWarning,
            fmt::format("{} is not executable: git passes it by", hook.string()),
            fmt::format("chmod +x {}", shell_word(hook.string()))};
  }
  // core.hooksPath leads git elsewhere than where the lines were written.
  const fs::path usual = fs::path(repository->common_folder()) / "hooks/pre-commit";
  if (usual != hook && holds_ours(usual)) {
    return {CheckState::kWarning,
            fmt::format("core.hooksPath leads git to {}, past the hook in {}",
                        hook.parent_path().string(), usual.string()),
            "codexmem init --git-hook"};
  }
  const fs::path config = patient.root / ".pre-commit-config.yaml";
  if (const auto text = read_file(config, kMaxFileBytes);
      fs::exists(hook, failed) && text.ok() && text->find("codexmem-index") != std::string::npos) {
    return {CheckState::kOk, "pre-commit runs codexmem-index"};
  }
  return {CheckState::kOk, "none: the index is brought up to date when it is asked"};
}

}  // namespace codexmem::app::doctor
