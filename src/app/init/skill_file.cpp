#include "app/init/skill_file.h"

#include <cstdlib>

namespace codexmem::app {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kMark = "<!-- `codexmem init` writes this file.";

// Read by models when a task fits the description, so each line has to earn its place. What it
// changes is measured by bench/agent.
constexpr std::string_view kSkill = R"(---
name: codexmem
description: Ask codexmem, this repository's index and memory, before grep. Use it to find a definition, every use or the function that an issue, traceback or failing test is about; before a rename, a move or a changed signature; after a change; and for what earlier sessions found or decided.
---

<!-- `codexmem init` writes this file. Remove this line to keep your own version. -->
# Asking codexmem

One call usually is enough. An answer says what it leaves out; what it calls certain needs no second look, and a grep
for the same name shows nothing more: the index reads the files as they are now.

| You want | Call |
|---|---|
| the functions that an issue, log or failing test is about | `locate {"text": "the whole of it, as it was pasted"}` |
| where something is done | `search_code {"query": "retry a failed upload"}` |
| an exact text | `search_code {"query": "\"quota exceeded\""}` or `{"query": "/E[0-9]{4}/"}` |
| the definition of a name | `find_symbol {"symbol": "Session.close"}` |
| every use of it | `get_references {"symbol": "Session.close"}` |
| its code with callers, callees, types, tests | `get_context {"file_path": "src/net.py", "symbol": "Session.close"}` |
| the files that import a file, directly or through others | `analyze_dependencies {"file_path": "src/net.py", "direction": "importers", "depth": 10}` |
| who reaches a function, through up to three calls | `trace_calls {"to": "Session.close", "depth": 3}` |
| all edits of a rename | `plan_rename {"symbol": "Session.close", "new_name": "shut"}` |
| what the working tree breaks, and tests to run | `analyze_change {}` |
| a first look | `repository_overview {}` |

- **All uses.** The last lines of `get_references` account for every place that has the name: certain and likely ones
  are uses, possible ones need your eye, others belong to another symbol or to text, which is comments
  and strings. "A search of the text finds these places and no others" means it. If it was cut, go on with its
  `offset`. `plan_rename` has the same places, one line each.
- **A report in other words.** `locate` knows the code's words: give it the report, and if its first result has less than
  0.3, one more call in the words that the code may use (`retry backoff` for "tries again"), then read one function.
- **A changed signature or a removal.** Ask `get_references` first and edit every use that it lists; overrides and
  implementations are uses too. Then `analyze_change {}` says which calls no longer fit and which tests to run.
- **Two symbols of one name.** Say `Class.method` or `path::name`.
- **Memory.** Before work: `search {"query": "upload retries"}`, and `search_decisions` before a design choice;
  the first row's text comes with the table, `get_observations {"ids": [12]}` gives others.
  Afterwards `save_memory {"text": "..."}` for a cause, a trap or a preference that the code does not say.
)";

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
  change.after = wanted ? kSkill : std::string_view();
  change.remove = !wanted;
  if (!wanted) change.made_folder = change.path.parent_path();
  return {};
}

}  // namespace codexmem::app
