// app/init/skill_file.h - the skill that teaches agents when to ask which tool: a file SKILL.md in
// the form of agentskills.io, which clients load when a task fits its description.
#pragma once

#include <filesystem>

#include "app/init/clients.h"
#include "app/init/file_change.h"
#include "base/result.h"

namespace codexmem::app {

/// Where `client` looks for the skill: .claude/skills for Claude Code, .agents/skills, which the
/// others share, in the repository or the user's home. Empty: there is no home.
std::filesystem::path skill_path(const Client& client, const ConfigPlaces& places,
                                 ConfigScope scope);

/// Whether `text` is a skill that init wrote, of any release.
bool is_our_skill(std::string_view text);

/// Turns `change`, of a file at skill_path(), into one that writes the skill of this release or,
/// with `wanted` false, removes it. Errors: kUnsupported for a file that init did not write.
Result<void> change_skill(FileChange& change, bool wanted);

}  // namespace codexmem::app
