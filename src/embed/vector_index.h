// embed/vector_index.h - the nearest of many stored vectors, in memory and in one file.
//
// The index is derived: the vectors' BLOBs in SQLite are the truth, and whoever finds the file
// missing, damaged or too old builds it again from them. Vectors have 8 bits a component, as they
// are stored (embed/vector_codes.h): 136 bytes for 128 dimensions, ids included. Search is exact on
// these codes.
// Searching is a scan of all vectors; why there are no inverted lists: docs/embed.md.
//
// VectorIndex is an immutable snapshot, shared by readers through std::shared_ptr<const
// VectorIndex>; every member is safe from many threads at once and starts no thread.
// VectorIndexBuilder belongs to one thread; it makes a new snapshot from an old one while readers
// hold that, and copies only what is small.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace codexmem::embed {

/// A stored vector and its inner product with the query: the cosine, as both have length 1.
struct VectorHit {
  std::int64_t id = 0;
  float score = 0;
};

/// True for the ids that a search may return. Called for few ids of a search, in no special order.
using IdFilter = std::function<bool(std::int64_t id)>;

class VectorIndex {
 public:
  VectorIndex(const VectorIndex&) = delete;
  VectorIndex& operator=(const VectorIndex&) = delete;
  ~VectorIndex();

  /// The index in the file at `path`. Errors, which name the file: those of read_file; kCorrupt
  /// when it is no vector index, damaged, or cut; kUnsupported when its format is newer.
  static Result<std::shared_ptr<const VectorIndex>> load(const std::filesystem::path& path);

  /// What the file at `path` says of itself.
  struct Head {
    std::string model_id;
    std::uint64_t generation = 0;
  };
  /// Reads the head alone: that the rest is whole is not known. Errors: those of load().
  static Result<Head> load_head(const std::filesystem::path& path);

  /// Replaces the file at `path`, as base/file.h replace_file does. Errors: kIo.
  Result<void> save(const std::filesystem::path& path) const;

  /// The name of the model that made the vectors (Embedder::model_id).
  const std::string& model_id() const;
  /// Components of each vector.
  std::size_t dimension() const;
  /// The number that freeze() was given: what state of the truth this snapshot shows.
  std::uint64_t generation() const;
  /// Vectors in the index.
  std::size_t size() const;
  /// The greatest id, 0 when the index is empty.
  std::int64_t max_id() const;
  bool contains(std::int64_t id) const;
  /// All ids, ascending.
  std::vector<std::int64_t> ids() const;

  /// The `k` vectors nearest to `query` among those that pass `filter` (none: all), best first,
  /// ties by smaller id. Fewer come back when fewer are stored or pass.
  ///
  /// `query` has dimension() floats, none beyond a million. Errors: kInvalidArgument on any other.
  /// With a filter that few ids pass, score_ids() is the faster way.
  Result<std::vector<VectorHit>> search(std::span<const float> query, std::size_t k,
                                        const IdFilter& filter = nullptr) const;

  /// Every stored vector with its score, ascending by id. Errors as search().
  Result<std::vector<VectorHit>> score_all(std::span<const float> query) const;

  /// The scores of the vectors with these ids, in their order; ids that are not stored are left
  /// out. Errors as search().
  Result<std::vector<VectorHit>> score_ids(std::span<const float> query,
                                           std::span<const std::int64_t> ids) const;

 private:
  friend class VectorIndexBuilder;
  struct State;  // vector_index_state.h
  explicit VectorIndex(std::unique_ptr<const State> state);

  std::unique_ptr<const State> state_;
};

class VectorIndexBuilder {
 public:
  /// Starts with no vectors. `dimension` is 1 to 65536.
  VectorIndexBuilder(std::string model_id, std::size_t dimension);

  /// Starts with the vectors of `index`. Adding or removing a few then costs little, however many
  /// there are (docs/embed.md has figures).
  explicit VectorIndexBuilder(const VectorIndex& index);

  VectorIndexBuilder(VectorIndexBuilder&&) noexcept;
  VectorIndexBuilder& operator=(VectorIndexBuilder&&) noexcept;
  ~VectorIndexBuilder();

  /// Adds ids.size() vectors, or replaces those whose ids are stored already; of an id given twice
  /// the last vector counts. `codes` is ids.size() x dimension, row-major, of encode_vectors();
  /// scores are cosines when the vectors have length 1. Errors: kInvalidArgument on another size or
  /// an id below 1, and then nothing is added.
  Result<void> add(std::span<const std::int64_t> ids, std::string_view codes);

  /// Removes the vectors with these ids; returns how many were stored.
  std::size_t remove(std::span<const std::int64_t> ids);

  /// Vectors so far.
  std::size_t size() const;

  /// The finished index; the builder must not be used again.
  std::shared_ptr<const VectorIndex> freeze(std::uint64_t generation) &&;

 private:
  friend class VectorIndex;
  std::shared_ptr<const VectorIndex> finish(std::uint64_t generation, bool fold);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::embed
