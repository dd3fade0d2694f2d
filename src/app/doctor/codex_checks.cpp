// Which hooks Codex runs: only those that its user has trusted, about which it asks once.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <system_error>

#include "app/doctor/doctor.h"
#include "app/init/clients.h"
#include "app/init/toml_edit.h"
#include "base/file.h"
#include "base/hash.h"
#include "text/json.h"
#include "text/json_comments.h"
#include "base/text.h"

namespace codexmem::app::doctor {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kMaxSecondsAtEnd = 3;

// "post_tool_use" of "PostToolUse".
std::string snake_case(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool is_upper = std::isupper(static_cast<unsigned char>(c)) != 0;
    if (is_upper && !out.empty()) out += '_';
    out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

// The hash by which Codex (0.169) knows the hook again that `group` consists of; empty for one that
// has more in it than init writes. Seen with hooks/list of its app-server.
std::string hash_of(const std::string& event, const Json& group) {
  const Json& hook = group["hooks"][0];
  if (group.size() != 1 || group["hooks"].size() != 1 || hook.size() != 3) return {};
  const Json type = hook.value("type", Json()), timeout = hook.value("timeout", Json());
  if (type != "command" || !timeout.is_number_integer()) return {};
  auto seconds = timeout.get<std::int64_t>();
  if (event == "session_end") seconds = std::min(seconds, kMaxSecondsAtEnd);
  return "sha256:" +
         sha256_hex(fmt::format(
             R"({{"event_name":"{}","hooks":[{{"async":false,"command":{},"timeout":{},"type":"command"}}]}})",
             event, dump_json(hook["command"]), seconds));
}

fs::path real_path(const fs::path& path) {
  std::error_code failed;
  fs::path found = fs::weakly_canonical(path, failed);
  return failed ? path : found;
}

// What Codex's configuration says of the hook `place`, "event:group:hook", of the file `path`.
Json state_of(const Json& states, const fs::path& path, const std::string& place) {
  for (const auto& [key, state] : states.items()) {
    if (!key.ends_with(":" + place)) continue;
    const fs::path file = key.substr(0, key.size() - place.size() - 1);
    if (real_path(file) == real_path(path) && state.is_object()) return state;
  }
  return Json::object();
}

// Adds the events whose hooks of ours in `file` Codex does not run.
void add_idle(const ConfigFile& file, const Json& states, std::vector<std::string>* untrusted,
              std::vector<std::string>* changed, std::size_t* count) {
  const auto text = read_file(file.path);
  const Json object =
      text.ok() ? Json::parse(strip_json_comments(*text), nullptr, false) : Json(nullptr);
  const Json hooks = object.is_object() ? object.value("hooks", Json()) : Json();
  if (!hooks.is_object()) return;
  for (const auto& [name, groups] : hooks.items()) {
    for (std::size_t i = 0; groups.is_array() && i < groups.size(); ++i) {
      const Json list = groups[i].is_object() ? groups[i].value("hooks", Json()) : Json();
      for (std::size_t j = 0; list.is_array() && j < list.size(); ++j) {
        const Json command = list[j].is_object() ? list[j].value("command", Json()) : Json();
        if (!command.is_string() || !mentions_hooks(command.get<std::string>())) continue;
        ++*count;
        const std::string event = snake_case(name);
        const Json state = state_of(states, file.path, fmt::format("{}:{}:{}", event, i, j));
        const Json trusted = state.value("trusted_hash", Json());
        const std::string hash = hash_of(event, groups[i]);
        if (!trusted.is_string() || state.value("enabled", Json(true)) == false) {
          untrusted->push_back(name);
        } else if (!hash.empty() && trusted != hash) {
          changed->push_back(name);
        }
      }
    }
  }
}

}  // namespace

Finding check_hook_trust(const Patient& patient) {
  const ConfigPlaces places{patient.root, patient.home};
  const Client& codex = *find_client("codex");
  const auto settings = read_file(codex.server(places, ConfigScope::kUser).path);
  Json states = Json::object();
  if (settings.ok()) {
    const auto table = find_toml_table(*settings, {"hooks", "state"});
    if (table.ok() && !table->value.empty()) states = Json::parse(table->value, nullptr, false);
  }
  if (!states.is_object()) states = Json::object();
  std::vector<std::string> untrusted, changed, messages;
  std::size_t count = 0;
  if (!patient.home.empty()) {
    add_idle(codex.hooks(places, ConfigScope::kUser), states, &untrusted, &changed, &count);
  }
  if (!patient.root.empty() && patient.root != patient.home) {
    add_idle(codex.hooks(places, ConfigScope::kProject), states, &untrusted, &changed, &count);
  }
  if (!untrusted.empty()) {
    messages.push_back(
        fmt::format("Codex does not run hooks that are not trusted: {}", join(untrusted, ", ")));
  }
  if (!changed.empty()) {
    messages.push_back(
        fmt::format("hooks of Codex have changed since they were trusted, and do not run: {}",
                    join(changed, ", ")));
  }
  if (!messages.empty()) {
    return {CheckState::kWarning, in_lines(messages) + "; nothing is captured of its sessions",
            "codex (it asks at its start; later /hooks)"};
  }
  return {CheckState::kOk, count == 0 ? "no hooks that need it" : "Codex runs its hooks"};
}

}  // namespace codexmem::app::doctor
