// index/repository_status.h - the contents of an index, what it left out, and the end of its last
// run.
//
// Shared by `codexmem status` and the resource codexmem://status. Stateless; safe to use from many
// threads. Design: docs/how-it-works.md, "Index".
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

/// The configured embedding model.
struct ProviderStatus {
  std::string name = "builtin";
  std::string model = {};    // its id; empty: none, or unusable
  std::string problem = {};  // why it is unusable; empty: no problem
  bool is_named = false;     // set explicitly; otherwise implied by other settings
  bool is_remote = false;    // its vectors are made in the background
};

struct LanguageSize {
  std::int64_t files = 0, lines = 0, bytes = 0;
};

struct RepositoryStatus {
  std::filesystem::path root;
  std::filesystem::path directory;  // of the store
  std::string why_in_cache;         // empty: it is in the repository
  std::int64_t generation = 0;
  store::StoreCounts counts;
  std::int64_t piece_vectors = 0;  // the others are vectors of whole files
  std::vector<std::pair<std::string, LanguageSize>> languages;  // most bytes first
  std::vector<std::pair<std::string, std::int64_t>> skipped;    // reason, files; most first
  std::vector<std::pair<std::string, std::int64_t>> stored;     // file name, bytes
  std::int64_t stored_bytes = 0;
  std::int64_t files_unparsed = 0, files_generated = 0, files_repaired = 0, files_truncated = 0;
  std::string vectors_model;  // empty: no vectors
  std::size_t vectors_dimension = 0;
  // The vector index from which a search starts; nothing: searches read the vectors from the store.
  std::optional<embed::VectorIndex::Kind> vector_file;
  ProviderStatus provider;         // its `problem` also has the last error
  std::int64_t files_pending = 0;  // without vectors of provider.model
  // The last run: {"finished_at", "timeElapsed", ...} as JSON; empty without a run.
  std::string last_run;
  std::string incomplete_run;                   // empty: no run is in progress or interrupted
  std::vector<store::LanguageCount> compilers;  // files that a compiler's index describes, by tool
  std::string packs;  // index::kPacksKey; empty: every file was parsed here
};

/// Errors: as the store.
Result<RepositoryStatus> read_repository_status(store::Workspace& workspace,
                                                ProviderStatus provider);

/// The status as a JSON object on one line, the output of `codexmem status --json`.
std::string repository_status_json(const RepositoryStatus& status);

}  // namespace codexmem::index
