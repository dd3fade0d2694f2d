#include "app/init/client_config.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <system_error>

#include "app/init/json_edit.h"
#include "app/init/toml_edit.h"
#include "text/json.h"
#include "text/json_comments.h"
#include "text/parse_json.h"
#include "base/text.h"

namespace codexmem::app {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kName = "codexmem";
// Waits for no worker that hangs: a host gives up a hook after some seconds.
constexpr std::string_view kStartWorker = " worker start --quiet </dev/null >/dev/null 2>&1; ";
constexpr int kHookSeconds = 10;
// At the end of a session Codex gives 3 at most, and calls more an error in every run.
constexpr int kLastHookSeconds = 3;
constexpr std::string_view kDataDirectory = "CODEXMEM_DATA_DIR";
constexpr std::string_view kTools = "CODEXMEM_TOOLS";

int seconds_of(std::string_view event) {
  return event == "session-complete" ? kLastHookSeconds : kHookSeconds;
}

enum class State { kAbsent, kCurrent, kOld, kTheirs };

// A folder may be entered, which is no running.
bool is_program(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

std::string file_name(const std::string& program) { return fs::path(program).filename().string(); }

// For a shell, as one word.
std::string quoted(const std::string& program) {
  if (program.find_first_of(" \t'\"\\$`&;|<>()*?[]#~!{}") == std::string::npos) return program;
  std::string out = "'";
  for (const char c : program) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// The JSON of `text`, if it is that without comments.
std::optional<Json> strict_json(const std::string& text) {
  Json parsed = parse_json(text);
  if (parsed.is_discarded()) return std::nullopt;
  return parsed;
}

// ---- the server ----

constexpr std::string_view kWorkspace = "${workspaceFolder}";

Json server_entry(const ConfigEntries& entries, const ProgramNames& programs) {
  Json entry = Json::object();
  if (!entries.type.empty()) entry["type"] = entries.type;
  entry["command"] = programs.codexmem;
  entry["args"] = Json::array({"serve", "--text"});
  if (!entries.argument.empty()) entry["args"].push_back(entries.argument);
  if (!entries.cwd.empty()) entry["cwd"] = entries.cwd;
  if (!programs.data_directory.empty()) entry["env"][kDataDirectory] = programs.data_directory;
  if (!programs.tools.empty() && programs.tools != "all") entry["env"][kTools] = programs.tools;
  return entry;
}

// True for the variables that init writes.
bool is_our_environment(const Json& env) {
  if (!env.is_object()) return false;
  for (const auto& [name, value] : env.items()) {
    const bool known = (name == kDataDirectory && value.is_string()) ||
                       (name == kTools && (value == "code" || value == "memory"));
    if (!known) return false;
  }
  return true;
}

// True for a name or a path that leads to codexmem and to nothing of a repository.
bool is_our_command(const Json& command) {
  if (!command.is_string()) return false;
  const fs::path path(command.get<std::string>());
  return path.filename() == kName && (path.is_absolute() || !path.has_parent_path());
}

// True for an address of `codexmem serve --http`: of this machine.
bool is_our_address(const Json& url) {
  if (!url.is_string() || url.get_ref<const std::string&>().find('@') != std::string::npos) {
    return false;
  }
  return std::ranges::any_of(
      std::array{"http://127.0.0.1:", "http://localhost:", "http://[::1]:"},
      [&](const char* start) { return url.get_ref<const std::string&>().starts_with(start); });
}

// What `entry` sets for its program that codexmem does not read: it may lead to another program.
std::string foreign_variables(const Json& entry) {
  std::string out;
  const Json env = entry.value("env", Json::object());
  for (const auto& [name, value] : env.items()) {
    if (name.starts_with("CODEXMEM_") || name.starts_with("AGENT_MEMORY_")) continue;
    if (name != "OPENAI_API_KEY") out += name + "=... ";
  }
  return out;
}

// True for "serve", "--text" and the editor's word for its folder, as init writes them.
bool are_our_arguments(const Json& args) {
  if (!args.is_array() || args.empty() || args.front() != "serve") return false;
  return std::all_of(args.begin() + 1, args.end(),
                     [](const Json& each) { return each == "--text" || each == kWorkspace; });
}

// True for what some version of init, or the client's own `mcp add`, writes for codexmem.
bool is_server_of_ours(const Json& entry) {
  if (!entry.is_object() || !is_our_command(entry.value("command", Json()))) return false;
  for (const auto& item : entry.items()) {
    const Json& value = item.value();
    const bool known = item.key() == "command" || (item.key() == "type" && value == "stdio") ||
                       (item.key() == "args" && are_our_arguments(value)) ||
                       (item.key() == "cwd" && value == kWorkspace) ||
                       (item.key() == "env" && is_our_environment(value));
    if (!known) return false;
  }
  return entry.contains("args");
}

// What the entry of a server sets `name` to; empty: nothing.
std::string variable_of_server(std::string_view entry, std::string_view name) {
  const Json read = Json::parse(strip_json_comments(entry), nullptr, false);
  const Json env = read.is_object() ? read.value("env", Json()) : Json();
  const Json value = env.is_object() ? env.value(name, Json()) : Json();
  return value.is_string() ? value.get<std::string>() : std::string();
}

// `value`: the text of the entry; `plain`: it has no comments or other members.
State server_state(const std::string& value, bool plain, const Json& wanted) {
  if (value.empty()) return State::kAbsent;
  const std::optional<Json> entry = strict_json(value);
  if (!plain || !entry || !is_server_of_ours(*entry)) return State::kTheirs;
  for (const char* name : {"args", "cwd"}) {
    if (entry->value(name, Json()) != wanted.value(name, Json())) return State::kOld;
  }
  const Json none = Json::object();
  if (entry->value("env", none) != wanted.value("env", none)) return State::kOld;
  return can_start((*entry)["command"].get<std::string>()) ? State::kCurrent : State::kOld;
}

std::string own_server(std::string_view servers, const std::string& value) {
  const std::string name = fmt::format("the server \"codexmem\" in its \"{}\"", servers);
  const std::string command = foreign_server(value);
  if (command.empty()) return name + " is your own or the repository's";
  return fmt::format(
      "{} does not start codexmem but `{}`: you, the repository or another program wrote it", name,
      command);
}

std::string own_hook(std::string_view event, const std::vector<std::string>& commands) {
  return fmt::format("its hook of codexmem for {} is your own or the repository's: `{}`", event,
                     join(commands, "`, `"));
}

// `programs` with the data directory `said` if it names none.
ProgramNames with_directory(ProgramNames programs, std::string said) {
  if (programs.data_directory.empty()) programs.data_directory = std::move(said);
  return programs;
}

// `programs` with the values of a server's existing entry where it has none.
ProgramNames with_entry(ProgramNames programs, const std::string& entry) {
  if (programs.tools.empty()) programs.tools = tools_of_server(entry);
  return with_directory(std::move(programs), data_directory_of_server(entry));
}

bool is_server(const ConfigEntries& entries) {
  return entries.form == ConfigForm::kJsonServer || entries.form == ConfigForm::kTomlServer;
}

// The entry of the server in `text`: its value as it is written, and whether it is plain.
Result<TomlTable> find_server(std::string_view text, const ConfigEntries& entries) {
  const JsonPath path = {std::string(entries.servers), std::string(kName)};
  if (entries.form == ConfigForm::kTomlServer) return find_toml_table(text, path);
  CODEXMEM_ASSIGN(std::string value, find_json(text, path));
  return TomlTable{std::move(value), true};
}

// `before` with the entry `wanted`; without the entry of ours if there is no wanted one.
Result<ConfigText> change_server(std::string_view before, const ConfigEntries& entries,
                                 const TomlTable& found, const std::optional<Json>& wanted) {
  const JsonPath path = {std::string(entries.servers), std::string(kName)};
  const bool is_toml = entries.form == ConfigForm::kTomlServer;
  ConfigText out{std::string(before), false, {}};
  const State state = server_state(found.value, found.is_plain, wanted.value_or(Json::object()));
  out.had_ours = state == State::kCurrent || state == State::kOld;
  if (state == State::kTheirs) out.left.push_back(own_server(entries.servers, found.value));
  if (!wanted && out.had_ours) {
    CODEXMEM_ASSIGN(out.text,
                    is_toml ? remove_toml_table(before, path) : remove_json(before, path));
  } else if (wanted && (state == State::kAbsent || state == State::kOld)) {
    const std::string value = dump_json(*wanted);
    CODEXMEM_ASSIGN(out.text,
                    is_toml ? set_toml_table(before, path, value) : set_json(before, path, value));
  }
  return out;
}

// ---- hooks ----

std::string hook_command(const ConfigEntries& entries, std::string_view event,
                         const ProgramNames& programs) {
  std::string out;
  if (!programs.data_directory.empty()) {
    out = fmt::format("export {}={}; ", kDataDirectory, quoted(programs.data_directory));
  }
  if (event == "context") out += quoted(programs.codexmem) + std::string(kStartWorker);
  return out + fmt::format("{} {} {}", quoted(programs.hook), entries.platform, event);
}

Json hook_element(const ConfigEntries& entries, const HookEvent& event,
                  const ProgramNames& programs) {
  Json command = Json::object();
  if (entries.form == ConfigForm::kHookGroups) command["type"] = "command";
  command["command"] = hook_command(entries, event.ours, programs);
  Json group = Json::object();
  if (!event.tools.empty()) {
    (entries.form == ConfigForm::kHookList ? command : group)["matcher"] = event.tools;
  }
  if (entries.form == ConfigForm::kHookList) return command;
  command["timeout"] = seconds_of(event.ours);
  group["hooks"] = Json::array({std::move(command)});
  return group;
}

// The words of a command line, without the quotes of quoted().
std::vector<std::string> shell_words(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool quotes = false;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    if (i == line.size() || (line[i] == ' ' && !quotes)) {
      if (!word.empty()) words.push_back(std::move(word));
      word.clear();
    } else if (line[i] == '\'') {
      quotes = !quotes;
    } else if (line[i] == '\\' && i + 1 < line.size()) {
      word += line[++i];
    } else {
      word += line[i];
    }
  }
  return words;
}

bool names_hook(std::string_view command) {
  return command.find("codexmem-hook") != std::string_view::npos ||
         command.find("codexmem hook") != std::string_view::npos;
}

// The commands of an element of an event's list.
std::vector<std::string> commands_of(const Json& element) {
  std::vector<std::string> out;
  if (!element.is_object()) return out;
  const auto take = [&](const Json& holder) {
    if (holder.is_object() && holder.contains("command") && holder["command"].is_string()) {
      out.push_back(holder["command"].get<std::string>());
    }
  };
  take(element);
  if (element.contains("hooks") && element["hooks"].is_array()) {
    for (const Json& hook : element["hooks"]) take(hook);
  }
  return out;
}

// A command that codexmem writes, or has written, for hooks of `platform`.
struct OurCommand {
  std::string event;
  std::string start;  // the words between the program and the hook that start a worker; or none
  std::string data_directory;
  bool can_start = true;
  int seconds = 0;  // 0: it says none

  // True when init would write the same command here, apart from the names of the programs.
  bool is_current(const HookEvent& wanted, const ProgramNames& programs) const {
    return can_start && start == (wanted.ours == "context" ? kStartWorker : "") &&
           (seconds == 0 || seconds == seconds_of(event)) &&
           (programs.data_directory.empty() || data_directory == programs.data_directory);
  }
};

std::optional<OurCommand> read_command(const std::string& command, std::string_view platform) {
  std::vector<std::string> words = shell_words(command);
  OurCommand out;
  out.data_directory = data_directory_of_hook(command);
  if (words.size() > 2 && words[0] == "export" && !out.data_directory.empty()) {
    words.erase(words.begin(), words.begin() + 2);
  }
  if (words.size() < 3) return std::nullopt;
  const std::size_t at = words.size() - 3;
  if (at > 0) {
    for (std::size_t i = 1; i < at; ++i) out.start += " " + words[i];
    out.start += " ";
    // Without --quiet it was written once.
    const bool known =
        out.start == kStartWorker || out.start == " worker start </dev/null >/dev/null 2>&1; ";
    if (file_name(words[0]) != kName || !known) return std::nullopt;
    out.can_start = can_start(words[0]);
  }
  if (file_name(words[at]) != "codexmem-hook" || words[at + 1] != platform) return std::nullopt;
  out.can_start = out.can_start && can_start(words[at]);
  out.event = words[at + 2];
  return out;
}

// What `element`, the text of an element, is, if codexmem wrote it.
std::optional<OurCommand> read_element(const std::string& text, const ConfigEntries& entries) {
  const std::optional<Json> element = strict_json(text);
  if (!element) return std::nullopt;
  const std::vector<std::string> commands = commands_of(*element);
  if (commands.size() != 1) return std::nullopt;
  auto ours = read_command(commands[0], entries.platform);
  if (!ours) return std::nullopt;
  const bool is_guard = ours->event == entries.guard.ours;
  Json shape = hook_element(entries, is_guard ? entries.guard : HookEvent{}, {});
  if (entries.form == ConfigForm::kHookList) {
    shape["command"] = commands[0];
  } else {
    Json& holder = shape["hooks"][0];
    holder["command"] = commands[0];
    for (const int seconds : {kHookSeconds, kLastHookSeconds}) {
      holder["timeout"] = seconds;
      ours->seconds = seconds;
      if (*element == shape) break;
    }
  }
  return *element == shape ? ours : std::nullopt;
}

// `before` without our hooks of the event called `only`; empty: without all of them.
Result<ConfigText> without_hooks(std::string_view before, const ConfigEntries& entries,
                                 std::string_view only = {});

bool has_hook(std::string_view text, const ConfigEntries& entries, const HookEvent& event) {
  const auto without = without_hooks(text, entries, event.ours);
  return without.ok() && without->had_ours;
}

Result<ConfigText> with_hooks(std::string_view before, const ConfigEntries& entries,
                              const ProgramNames& programs) {
  ConfigText out{std::string(before), false, {}};
  std::vector<HookEvent> events(entries.events.begin(), entries.events.end());
  if (!entries.guard.host.empty()) {
    const bool had_guard = has_hook(before, entries, entries.guard);
    if (had_guard && entries.guard_change == GuardChange::kRemove) {
      CODEXMEM_ASSIGN(out, without_hooks(before, entries, entries.guard.ours));
    } else if (had_guard || entries.guard_change == GuardChange::kAdd) {
      events.push_back(entries.guard);
    }
  }
  if (entries.form == ConfigForm::kHookList) {
    CODEXMEM_ASSIGN(const std::string version, find_json(out.text, {"version"}));
    if (version.empty()) {
      CODEXMEM_ASSIGN(out.text, set_json(out.text, {"version"}, "1"));
    }
  }
  for (const HookEvent& event : events) {
    const JsonPath list = {"hooks", std::string(event.host)};
    std::string said;  // the data directory of the replaced hook
    CODEXMEM_ASSIGN(const std::string plain, plain_json(out.text));
    const Json document = Json::parse(plain);
    const Json elements = document.contains("hooks") && document["hooks"].is_object()
                              ? document["hooks"].value(list[1], Json::array())
                              : Json::array();
    State state = State::kAbsent;
    std::size_t number = 0;
    for (std::size_t i = 0; elements.is_array() && i < elements.size(); ++i) {
      if (std::ranges::none_of(commands_of(elements[i]), names_hook)) continue;
      CODEXMEM_ASSIGN(const std::string text,
                      find_json(out.text, {list[0], list[1], std::to_string(i)}));
      const std::optional<OurCommand> ours = read_element(text, entries);
      state = !ours || ours->event != event.ours  ? State::kTheirs
              : ours->is_current(event, programs) ? State::kCurrent
                                                  : State::kOld;
      if (ours) said = ours->data_directory;
      number = i;
      if (state != State::kTheirs) break;
    }
    out.had_ours |= state == State::kCurrent || state == State::kOld;
    if (state == State::kTheirs) {
      out.left.push_back(own_hook(event.host, commands_of(elements[number])));
    }
    if (state != State::kAbsent && state != State::kOld) continue;
    JsonPath path = list;
    path.push_back(state == State::kOld ? std::to_string(number) : "-");
    const Json wanted = hook_element(entries, event, with_directory(programs, said));
    CODEXMEM_ASSIGN(out.text, set_json(out.text, path, dump_json(wanted)));
  }
  return out;
}

Result<ConfigText> without_hooks(std::string_view before, const ConfigEntries& entries,
                                 std::string_view only) {
  ConfigText out{std::string(before), false, {}};
  CODEXMEM_ASSIGN(const std::string plain, plain_json(before));
  const Json document = Json::parse(plain);
  if (!document.contains("hooks") || !document["hooks"].is_object()) return out;
  for (const auto& event : document["hooks"].items()) {
    if (!event.value().is_array()) continue;
    for (std::size_t i = event.value().size(); i-- > 0;) {
      if (std::ranges::none_of(commands_of(event.value()[i]), names_hook)) continue;
      const JsonPath path = {"hooks", event.key(), std::to_string(i)};
      CODEXMEM_ASSIGN(const std::string text, find_json(out.text, path));
      const auto ours = read_element(text, entries);
      if (!only.empty() && (!ours || ours->event != only)) continue;
      if (!ours) {
        out.left.push_back(own_hook(event.key(), commands_of(event.value()[i])));
        continue;
      }
      out.had_ours = true;
      CODEXMEM_ASSIGN(out.text, remove_json(out.text, path));
    }
  }
  if (entries.form == ConfigForm::kHookList && out.had_ours && only.empty()) {
    CODEXMEM_ASSIGN(const std::string rest, plain_json(out.text));
    if (rest == R"({"version":1})") {
      CODEXMEM_ASSIGN(out.text, remove_json(out.text, {"version"}));
    }
  }
  return out;
}

}  // namespace

bool can_start(const std::string& program) {
  if (program.find('/') != std::string::npos) return is_program(program);
  const char* path = std::getenv("PATH");
  for (const std::string_view folder : split(path == nullptr ? "" : path, ':')) {
    // npm and npx put these in front of PATH for what they run; a client is not run by them.
    if (folder.ends_with("node_modules/.bin")) continue;
    if (!folder.empty() && is_program(fs::path(folder) / program)) return true;
  }
  return false;
}

Result<ConfigText> with_entries(std::string_view before, const ConfigEntries& entries,
                                const ProgramNames& programs) {
  if (!is_server(entries)) return with_hooks(before, entries, programs);
  CODEXMEM_ASSIGN(const TomlTable found, find_server(before, entries));
  return change_server(before, entries, found,
                       server_entry(entries, with_entry(programs, found.value)));
}

Result<ConfigText> without_entries(std::string_view before, const ConfigEntries& entries) {
  ConfigText out;
  if (is_server(entries)) {
    CODEXMEM_ASSIGN(const TomlTable found, find_server(before, entries));
    CODEXMEM_ASSIGN(out, change_server(before, entries, found, std::nullopt));
  } else {
    CODEXMEM_ASSIGN(out, without_hooks(before, entries));
  }
  const std::string_view rest = trim(out.text);
  if (out.had_ours && (rest.empty() || (rest == "{}" && entries.form != ConfigForm::kTomlServer))) {
    out.text.clear();
  }
  return out;
}

std::string foreign_server(std::string_view entry) {
  // Of an entry with comments as well.
  const Json read = parse_json(strip_json_comments(entry));
  if (!read.is_object()) return std::string(entry);
  const std::string variables = foreign_variables(read);
  const Json command = read.value("command", read.value("url", Json()));
  if (variables.empty() && (is_our_command(command) || is_our_address(command))) return "";
  std::string line = variables + (command.is_string() ? command.get<std::string>() : "nothing");
  for (const Json& word : read.value("args", Json::array())) {
    line += " " + (word.is_string() ? word.get<std::string>() : word.dump());
  }
  return line;
}

std::string data_directory_of_server(std::string_view entry) {
  return variable_of_server(entry, kDataDirectory);
}

std::string tools_of_server(std::string_view entry) { return variable_of_server(entry, kTools); }

std::string data_directory_of_hook(std::string_view command) {
  for (const std::string& word : shell_words(command)) {
    if (!word.starts_with(kDataDirectory) || word[kDataDirectory.size()] != '=') continue;
    std::string directory = word.substr(kDataDirectory.size() + 1);
    if (directory.ends_with(';')) directory.pop_back();
    return directory;
  }
  return {};
}

bool mentions_hooks(std::string_view text) { return names_hook(text); }

std::string entries_by_hand(const ConfigEntries& entries, const ProgramNames& programs,
                            std::string_view text) {
  const auto alone = with_entries("", entries, programs);
  if (!alone.ok()) return {};
  if (entries.form == ConfigForm::kTomlServer) {
    const auto servers = find_toml_table(text, {std::string(entries.servers)});
    if (servers.ok() && !servers->value.empty() && !servers->is_plain) {
      return toml_inline(std::string(kName), dump_json(server_entry(entries, programs)));
    }
  }
  return alone->text;
}

}  // namespace codexmem::app
