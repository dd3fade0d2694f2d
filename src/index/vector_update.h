// index/vector_update.h - brings the stored vectors up to the files of a run.
//
// A word's weight in a vector depends on how many chunks of the whole repository have it. These
// statistics are frozen with the vectors made from them; while they hold, a changed file's vectors
// are written together with its rows. When the number of chunks has changed by a fifth, all are
// made again (docs/embed.md). Design: docs/index.md.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>

#include "base/result.h"
#include "embed/static_model.h"
#include "index/word_bags.h"
#include "index/write_session.h"
#include "store/workspace.h"

namespace codexmem::index {

/// The note of meta that stands while all vectors are made again: some differ in statistics.
inline constexpr std::string_view kVectorsRebuildingKey = "vectors_rebuilding";

/// The built-in model, and the statistics that the stored vectors were made with.
struct VectorState {
  std::shared_ptr<const embed::StaticModel> model;
  store::ModelId id{};            // valid with weights
  std::uint32_t chunk_count = 0;  // of the statistics
  // Null: no vectors of this model yet, or a rebuild was broken off.
  std::shared_ptr<const embed::DocumentWeights> weights;
};

/// Loads the model and what the store has of it. Errors: those of the store and the model.
Result<VectorState> load_vector_state(store::CodeReader& reader);

struct VectorUpdate {
  store::Workspace& workspace;
  unsigned threads = 1;
  VectorState state;
  /// Bags collected in this run, of files whose vectors are not written; any may be left out and is
  /// then collected from the store.
  std::map<store::FileId, FileBags> bags;
  /// Look for files without vectors: after a run that made none or was broken off.
  bool find_missing = false;
};

struct VectorUpdateReport {
  std::uint64_t vectors_written = 0;
  bool rebuilt = false;  // all of them
};

/// Writes the vectors that are missing, or all when there are none or the statistics are outdated.
/// Raises meta "vectors_generation" when vectors of files changed that were not themselves written
/// in the same transaction. Errors: those of the store; kCancelled.
Result<VectorUpdateReport> update_vectors(
    VectorUpdate update, WriteSession& session, const std::stop_token& stop,
    const std::function<void(std::size_t done, std::size_t total)>& progress);

}  // namespace codexmem::index
