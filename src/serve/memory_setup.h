// serve/memory_setup.h - the user's memory, by the user's settings.
//
//     CODEXMEM_DATA_DIR                where it is kept; else ~/.codexmem
//     CODEXMEM_PROJECT                 the project of saved entries; else by config/project.h
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
// serve/embedding_provider.h chooses the model of its vectors. Design: docs/how-it-works.md,
// "Memory", docs/how-it-works.md, "Commands".
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "serve/embedding_provider.h"
#include "base/result.h"
#include "memory/memory.h"
#include "memory/transfer/team_memory.h"
#include "store/code/workspace.h"

namespace codexmem::serve {

/// How the memory is used.
struct MemoryUse {
  std::filesystem::path folder = {};  // its project applies (config/project.h)
  std::string role = {};              // --role; empty: CODEXMEM_ROLE
  bool is_at_shell = false;           // a user's command, not a server
  bool maintains = false;             // a thread does maintenance
  bool is_of_all_projects = false;    // ignores CODEXMEM_SCOPE
  bool bears_trouble = false;         // a server: wrong settings are reported to callers instead of
                                      // failing the setup
  /// A separate store without other folders' records, instead of the user's: projects are isolated,
  /// and no vector server is used.
  std::filesystem::path own_store = {};
  std::string own_project = {};  // of that store
};

struct MemorySetup {
  std::unique_ptr<memory::LazyMemory> memory;  // opened at the first use
  std::vector<std::string> warnings;           // for display
  memory::Role role = memory::Role::kViewer;   // for decisions, by role and secret
};

/// Nothing is opened yet. `provider` is the provider for code by the same `settings`; if the
/// repository chose it, the memory, which does not belong to the repository, uses the user's
/// choice. Errors: kInvalidArgument for an invalid setting, or one that may be a restriction but
/// cannot be read. With `bears_trouble` it never fails: a memory with an unknown scope or folder
/// returns the error to its callers, one with an unknown role or cooldown lets nobody write
/// decisions, and one with an unknown vector backend searches without vectors and says so.
Result<MemorySetup> set_up_memory(const MemoryUse& use, const EmbeddingProvider& provider,
                                  const Settings& settings);

/// After an index run: imports shared records of `workspace` into the user's memory, if the user
/// wants that. Problems are reported in a warning; the result is then nothing.
std::optional<memory::TakenIn> take_in_team(store::Workspace& workspace,
                                            const EmbeddingProvider& provider,
                                            const Settings& settings);

/// After an index run: updates citations of `workspace` in the memory in `directory`, or else the
/// user's, to the changed code. Problems are reported in a warning.
void follow_cited_code(store::Workspace& workspace, const std::filesystem::path& directory = {});

}  // namespace codexmem::serve
