// serve/tool_choice.h - chooses the offered tools by the settings of the user and the repository.
#pragma once

#include <string>
#include <vector>

#include "config/settings.h"

namespace codexmem::serve {

struct ToolChoice {
  std::string selection;  // in the format of mcp::ToolTable::make()
  SettingOrigin origin = SettingOrigin::kDefault;
  std::vector<SettingProblem> problems = {};  // names that are unknown, or not allowed for a
                                              // repository
  std::string refusal = {};  // why other tools are refused, for ToolTable::make(); empty: they are
                             // left out
};

/// Evaluates the setting CODEXMEM_TOOLS. In files, unknown names are ignored, and a repository
/// offers no tool that its user does not. If the environment, whose problems an agent does not see,
/// names an unknown tool, the tools that it does not name are refused.
ToolChoice choose_tools(const Settings& settings);

}  // namespace codexmem::serve
