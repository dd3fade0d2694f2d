// serve/memory_setup.h - the user's memory, by the user's settings.
//
//     CODEXMEM_DATA_DIR                where it is kept; else ~/.codexmem
//     CODEXMEM_PROJECT                 where what is saved belongs; else config/project.h says
//     CODEXMEM_SCOPE                   project: other projects are neither found nor shown
//     CODEXMEM_ROLE                    viewer, agent or admin, of the decision tools
//     AGENT_MEMORY_SECRET              without it every role but viewer is refused
//     AGENT_MEMORY_SECRET_SHA256       what it must be
//     CODEXMEM_DECISION_COOLDOWN_MS, CODEXMEM_DECISIONS_DIR
//     CODEXMEM_VECTOR_BACKEND          sqlite (as without it), chroma or hybrid
//     CODEXMEM_CHROMA_URL              of the last two: where the Chroma server is
//     CODEXMEM_CHROMA_COLLECTION       one for all; else each project has its own, cm__<project>
//     CODEXMEM_CHROMA_TOKEN            sent to it as x-chroma-token
//
// The model of its vectors is that of serve/embedding_provider.h. Design: docs/design/memory.md,
// docs/design/cli.md.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "serve/embedding_provider.h"
#include "base/result.h"
#include "memory/memory.h"
#include "memory/team_memory.h"
#include "store/code/workspace.h"

namespace codexmem::serve {

/// Who the memory is opened for.
struct MemoryUse {
  std::filesystem::path folder = {};  // whose project it is (config/project.h)
  std::string role = {};              // --role; empty: CODEXMEM_ROLE
  bool is_at_shell = false;           // a person's own command, not a server
  bool maintains = false;             // a thread looks after what is not urgent
  bool is_of_all_projects = false;    // CODEXMEM_SCOPE does not concern it
  bool bears_trouble = false;         // a server: what is set wrongly is told by those who ask
  /// A store of its own, which no other folder's records are in, instead of the user's: projects
  /// are isolated, and no vector server is used.
  std::filesystem::path own_store = {};
  std::string own_project = {};  // of that store
};

struct MemorySetup {
  std::unique_ptr<memory::LazyMemory> memory;  // opened at the first use
  std::vector<std::string> warnings;           // for people
  memory::Role role = memory::Role::kViewer;   // of decisions, by role and secret
};

/// Nothing is opened yet. `provider` is that of the code by the same `settings`; where the
/// repository chose it, the memory, which is not the repository's, has the one that the user
/// chose. Errors: kInvalidArgument for a setting that is none, or of which it is not known what it
/// holds back. With `bears_trouble` there is none: a memory whose scope or folder is not known
/// gives the error to those who ask for it, one whose role or cooldown is not known lets nobody
/// write decisions, and one whose vector backend is not known searches without vectors, and says
/// so.
Result<MemorySetup> set_up_memory(const MemoryUse& use, const EmbeddingProvider& provider,
                                  const Settings& settings);

/// After an index run: the user's memory has what is shared in `workspace`, if he wants it. Trouble
/// is told in a warning; nothing: there was some.
std::optional<memory::TakenIn> take_in_team(store::Workspace& workspace,
                                            const EmbeddingProvider& provider,
                                            const Settings& settings);

/// After an index run: what the memory in `directory`, else the user's, cites of `workspace`
/// follows its code. Trouble is told in a warning.
void follow_cited_code(store::Workspace& workspace, const std::filesystem::path& directory = {});

}  // namespace codexmem::serve
