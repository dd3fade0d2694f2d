#include "app/init/skill_file.h"

#include <cstdlib>

// packaging/plugin/skills/codexmem/SKILL.md, which plugins bring as well. Read by models when a
// task fits the description, so each line has to earn its place. What it changes is measured by
// bench/agent.
extern "C" const char codexmem_skill[], codexmem_skill_end[];

namespace codexmem::app {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kMark = "<!-- `codexmem init` writes this file.";

}  // namespace

fs::path skill_path(const Client& client, const ConfigPlaces& places, ConfigScope scope) {
  const bool is_claude = client.name == "claude-code";
  fs::path folder = scope == ConfigScope::kProject ? places.root : places.home;
  const char* const moved = std::getenv("CLAUDE_CONFIG_DIR");
  if (is_claude && scope == ConfigScope::kUser && moved != nullptr && *moved != '\0') {
    folder = moved;
  } else if (!folder.empty()) {
    folder /= is_claude ? ".claude" : ".agents";
  }
  return folder.empty() ? folder : folder / "skills/codexmem/SKILL.md";
}

bool is_our_skill(std::string_view text) { return text.find(kMark) != std::string_view::npos; }

Result<void> change_skill(FileChange& change, bool wanted) {
  if (change.existed && !is_our_skill(change.before)) {
    return Error{ErrorCode::kUnsupported, "it is kept, for init did not write it"};
  }
  change.after = wanted ? std::string_view(codexmem_skill, codexmem_skill_end) : std::string_view();
  change.remove = !wanted;
  if (!wanted) change.made_folder = change.path.parent_path();
  return {};
}

}  // namespace codexmem::app
