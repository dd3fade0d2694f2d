// Tested by app/cli_test.cpp.
#include "serve/tool_choice.h"

#include <fmt/core.h>

#include "text/name_list.h"
#include "base/text.h"
#include "mcp/tool_table.h"
#include "mcp/tools.h"

namespace codexmem::serve {
namespace {

constexpr std::string_view kSetting = "CODEXMEM_TOOLS";

}  // namespace

ToolChoice choose_tools(const Settings& settings) {
  const Settings of_user = settings.of_user();
  ToolChoice choice{of_user.value(kSetting), of_user.origin(kSetting)};
  const auto problem = [&](SettingOrigin origin, std::string what) {
    if (origin == SettingOrigin::kEnvironment) {
      choice.problems.push_back(
          {origin, "the environment", std::string(kSetting), std::move(what)});
      return;
    }
    const SettingFiles& files = settings.files();
    choice.problems.push_back(
        {origin, (origin == SettingOrigin::kProject ? files.project : files.user).string(),
         std::string(find_setting(kSetting)->key), std::move(what)});
  };
  // The existing tools in a list of names.
  const auto known = [&](const std::string& list, SettingOrigin origin) {
    std::vector<std::string> names;
    for (std::string& name : read_comma_list(list)) {
      const auto tools = mcp::ToolTable::make(mcp::tools(), name);
      if (tools.ok()) {
        names.push_back(std::move(name));
      } else {
        problem(origin, tools.error().message());
      }
    }
    return join(names, ",");
  };
  if (choice.origin == SettingOrigin::kEnvironment) {
    choice.selection = known(choice.selection, choice.origin);
    if (!choice.problems.empty()) {
      choice.refusal = fmt::format("{}: {}; correct or unset it, and start the server again",
                                   kSetting, choice.problems.front().what);
    }
    return choice;
  }
  choice.selection = known(choice.selection, SettingOrigin::kUser);
  if (choice.selection.empty()) choice = {"all", SettingOrigin::kDefault, choice.problems};
  const std::string wanted = known(settings.project_value(kSetting), SettingOrigin::kProject);
  if (wanted.empty()) return choice;
  const auto offered = mcp::ToolTable::make(mcp::tools(), choice.selection);
  const auto asked_for = mcp::ToolTable::make(mcp::tools(), wanted);
  if (!offered.ok() || !asked_for.ok()) return choice;
  std::vector<std::string> names = asked_for->names();
  std::erase_if(names, [&](const std::string& name) { return offered->find(name) == nullptr; });
  if (names.empty()) {
    problem(SettingOrigin::kProject, "the user offers none of them");
    return choice;
  }
  choice.selection = names.size() == asked_for->size() ? wanted : join(names, ",");
  choice.origin = SettingOrigin::kProject;
  return choice;
}

}  // namespace codexmem::serve
