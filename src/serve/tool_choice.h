// serve/tool_choice.h - which tools are offered, by the settings of the user and of the repository.
#pragma once

#include <string>
#include <vector>

#include "config/settings.h"

namespace codexmem::serve {

struct ToolChoice {
  std::string selection;  // as mcp::ToolTable::make() takes it
  SettingOrigin origin = SettingOrigin::kDefault;
  std::vector<SettingProblem> problems = {};  // names that are no tools', or not his
  std::string refusal = {};  // why the others are refused, for ToolTable::make(); empty: left out
};

/// What holds of the setting CODEXMEM_TOOLS. In files, names that there are not are passed over,
/// and a repository offers no tool that its user does not. Where the environment, for which nobody
/// warns an agent, names a tool that there is not, the tools that it does not name are refused.
ToolChoice choose_tools(const Settings& settings);

}  // namespace codexmem::serve
