// app/tool_choice.h - which tools are offered, by the settings of the user and of the repository.
#pragma once

#include <string>
#include <vector>

#include "base/settings.h"

namespace codexmem::app {

struct ToolChoice {
  std::string selection;  // as mcp::ToolTable::make() takes it
  SettingOrigin origin = SettingOrigin::kDefault;
  std::vector<SettingProblem> problems = {};  // names in the files that are no tools', or not his
};

/// What holds of the setting CODEXMEM_TOOLS. In files, names that there are not are passed over,
/// and a repository offers no tool that its user does not. What the environment names is given as
/// it is, for who reads it to refuse.
ToolChoice choose_tools(const Settings& settings);

}  // namespace codexmem::app
