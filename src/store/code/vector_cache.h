// store/code/vector_cache.h - vectors of remote models, by the text that they are of.
//
// They took time and perhaps money to get, so they are kept apart from the index: a file that is
// rewritten, moved, or comes back with another branch asks for none again, and neither does an
// index that is deleted or rebuilt. `embeddings.db` next to index.db; SQLite's own locks order its
// writers, so nobody needs the index run's lock. Which of them the index holds is for the index to
// say. One thread at a time. Design: docs/how-it-works.md, "Vectors".
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "store/code/code_rows.h"
#include "store/database.h"

namespace codexmem::store {

/// A text's vector: `key` is text_key() of it, `codes` as in VectorRow.
struct TextVector {
  std::string key;
  std::string codes;
};

/// What a text is found by: 16 bytes of its SHA-256.
std::string text_key(std::string_view text);

/// How far the embedding of a workspace is, as noted by the process that does it.
struct EmbeddingProgress {
  std::string model;                             // embed::Embedder::model_id()
  std::int64_t files_done = 0, files_total = 0;  // whose texts all have vectors
  std::string error;                             // of the last attempt; empty: none
};

class VectorCache {
 public:
  /// Opens the cache at `path`, making it as needed; a damaged one is rebuilt, empty. Errors:
  /// kUnsupported when it is of a newer program; kIo, kBusy.
  static Result<VectorCache> open(const std::filesystem::path& path);

  /// The number of a model whose vectors have this many components, given out when it is new. A
  /// model of another dimension is another model.
  Result<ModelId> put_model(std::string_view name, std::size_t dimension);

  /// The dimension of the newest model of this name; 0 without one.
  Result<std::size_t> find_dimension(std::string_view name);

  /// The codes of a text, or nothing.
  Result<std::optional<std::string>> find(ModelId model, std::string_view key);

  Result<std::int64_t> count(ModelId model);

  /// Adds vectors; those that are there stay. One transaction, which outlives a power cut.
  Result<void> put(ModelId model, std::span<const TextVector> vectors);

  /// Drops the older half of the vectors of `model` whose keys are not in `live`; returns how many.
  Result<std::size_t> trim(ModelId model, const std::unordered_set<std::string>& live);

  /// Drops all other models with their vectors, and gives the room back to the disk.
  Result<void> remove_others(ModelId model);

  Result<void> put_progress(const EmbeddingProgress& progress);
  /// What was last noted in the cache at `path`; nothing without one, or it cannot be read.
  static std::optional<EmbeddingProgress> read_progress(const std::filesystem::path& path);

 private:
  explicit VectorCache(Database database) : database_(std::move(database)) {}
  static Result<VectorCache> open_once(const std::filesystem::path& path);

  Database database_;
};

}  // namespace codexmem::store
