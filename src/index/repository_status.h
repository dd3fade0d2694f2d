// index/repository_status.h - what an index holds, what it left out, and how its last run ended.
//
// One reading for all who tell it: `codexmem status` and the resource codexmem://status. Stateless;
// safe to use from many threads. Design: docs/design/index.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "embed/vector_index.h"
#include "store/code/code_reader.h"
#include "store/code/workspace.h"

namespace codexmem::index {

/// The embedding model that the settings name.
struct ProviderStatus {
  std::string name = "builtin";
  std::string model = {};    // its id; empty: none, or it cannot be used
  std::string problem = {};  // why not; empty: nothing
  bool is_named = false;     // else it follows from other settings
  bool is_remote = false;    // its vectors are made in the background
};

struct LanguageSize {
  std::int64_t files = 0, lines = 0, bytes = 0;
};

struct RepositoryStatus {
  std::filesystem::path root;
  std::filesystem::path directory;  // that holds the store
  std::string why_in_cache;         // empty: it is in the repository
  std::int64_t generation = 0;
  store::StoreCounts counts;
  std::int64_t piece_vectors = 0;  // the others are those of whole files
  std::vector<std::pair<std::string, LanguageSize>> languages;  // most bytes first
  std::vector<std::pair<std::string, std::int64_t>> skipped;    // reason, files; most first
  std::vector<std::pair<std::string, std::int64_t>> stored;     // file name, bytes
  std::int64_t stored_bytes = 0;
  std::int64_t files_unparsed = 0, files_generated = 0, files_repaired = 0, files_truncated = 0;
  std::string vectors_model;  // empty: none
  std::size_t vectors_dimension = 0;
  // The index of vectors that a search starts from; nothing: it reads them from the store.
  std::optional<embed::VectorIndex::Kind> vector_file;
  ProviderStatus provider;         // `problem` also what went wrong last
  std::int64_t files_pending = 0;  // without vectors of provider.model
  // Of the last run: {"finished_at", "timeElapsed", ...} as JSON; empty: there was none.
  std::string last_run;
  std::string incomplete_run;  // empty: no run is under way, nor was one broken off
};

/// Errors: those of the store.
Result<RepositoryStatus> read_repository_status(store::Workspace& workspace,
                                                ProviderStatus provider);

/// The status as a JSON object on one line: what `codexmem status --json` prints.
std::string repository_status_json(const RepositoryStatus& status);

}  // namespace codexmem::index
