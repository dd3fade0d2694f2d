// Checks of the settings: names, values and the access to the file with secrets.
#include <fmt/core.h>

#include <algorithm>

#include "base/shell_word.h"
#include "app/doctor/doctor.h"
#include "app/init/file_change.h"
#include "serve/tool_choice.h"
#include "base/text.h"
#include "memory/decisions/decision_roles.h"

namespace codexmem::app::doctor {
namespace fs = std::filesystem;
namespace {

// Set for others than this program: tests and the build.
constexpr std::string_view kForeignPrefixes[] = {"CODEXMEM_TEST_", "CODEXMEM_PAGER"};

}  // namespace

Finding check_settings(const Patient& patient) {
  std::vector<std::string> messages;
  std::string place;  // of the first
  const auto add = [&](const SettingProblem& problem) {
    if (problem.origin == SettingOrigin::kEnvironment) return;
    SettingProblem shorter = problem;
    shorter.place = fs::path(problem.place).filename().string();
    messages.push_back(shorter.text());
    if (place.empty()) place = problem.place;
  };
  std::ranges::for_each(patient.settings.problems(), add);
  std::ranges::for_each(serve::choose_tools(patient.settings).problems, add);
  if (!messages.empty())
    return {CheckState::kWarning, in_lines(messages), "edit " + shell_word(place)};
  std::size_t count = 0;
  for (const SettingRow& row : setting_rows()) {
    if (patient.settings.origin(row.name) != SettingOrigin::kDefault) ++count;
  }
  return {CheckState::kOk, count == 0
                               ? std::string("all are the defaults")
                               : fmt::format("set: {} (codexmem config list --origin)", count)};
}

Finding check_environment(const Patient& patient) {
  std::vector<std::string> names;
  for (const SettingRow& row : setting_rows()) names.emplace_back(row.name);
  std::vector<std::string> messages, cures;
  const auto add = [&](const SettingProblem& problem) {
    if (problem.origin != SettingOrigin::kEnvironment) return;
    messages.push_back(fmt::format("{} {}", problem.name, problem.what));
    cures.push_back("unset " + problem.name);
  };
  std::ranges::for_each(patient.settings.problems(), add);
  std::ranges::for_each(serve::choose_tools(patient.settings).problems, add);
  const bool is_wrong = !messages.empty();
  for (const std::string& variable : patient.variables) {
    if (!variable.starts_with("CODEXMEM_") || std::ranges::count(names, variable) > 0) continue;
    if (std::ranges::any_of(kForeignPrefixes,
                            [&](std::string_view each) { return variable.starts_with(each); })) {
      continue;
    }
    const auto near = nearest(variable, names);
    messages.push_back(
        fmt::format("there is no setting {}{}", variable,
                    near ? fmt::format(": did you mean {}?", *near) : std::string()));
    cures.push_back("unset " + variable);
  }
  if (messages.empty()) return {CheckState::kOk, "no variable is wrong"};
  return {is_wrong ? CheckState::kTrouble : CheckState::kWarning, in_lines(messages),
          join(cures, "; ")};
}

Finding check_settings_file(const Patient& patient) {
  const fs::path& file = patient.settings.files().user;
  std::error_code failed;
  if (file.empty() || !fs::exists(file, failed)) return {CheckState::kOk, "there is none"};
  if (!is_open_to_others(file)) return {CheckState::kOk, file.string()};
  const bool has_secret = std::ranges::any_of(setting_rows(), [&](const SettingRow& row) {
    return row.kind == SettingKind::kSecret &&
           patient.settings.origin(row.name) == SettingOrigin::kUser;
  });
  return {has_secret ? CheckState::kTrouble : CheckState::kWarning,
          fmt::format("others than its owner may read {}{}", file.string(),
                      has_secret ? ", which holds a key" : ""),
          fmt::format("chmod 600 {}", shell_word(file.string()))};
}

Finding check_role(const Patient& patient) {
  const auto value = [&](const char* name) { return patient.settings.value(name); };
  const std::string name = value("CODEXMEM_ROLE");
  const auto wanted = memory::parse_role(name);
  if (!name.empty() && !wanted) {
    return {CheckState::kTrouble, "the role must be viewer, agent or admin",
            "codexmem config get role --origin"};
  }
  const memory::GrantedRole granted = memory::grant_role(
      wanted, {value("AGENT_MEMORY_SECRET"), value("AGENT_MEMORY_SECRET_SHA256")},
      memory::Role::kAgent);
  if (!granted.warning.empty()) {
    return {CheckState::kWarning, granted.warning, "export AGENT_MEMORY_SECRET=..."};
  }
  return {CheckState::kOk,
          granted.role == memory::Role::kViewer
              ? std::string("viewer: decisions can be read (AGENT_MEMORY_SECRET allows writing)")
              : std::string(memory::role_name(granted.role))};
}

}  // namespace codexmem::app::doctor
