// embed/vector_index.h - the nearest of many stored vectors, in memory and in a file of FAISS's.
//
// The index is derived: the vectors' BLOBs in SQLite are the truth, and whoever finds the file
// missing, damaged or too old builds it again from them. Vectors have 8 bits a component, as they
// are stored (embed/vector_codes.h): 136 bytes for 128 dimensions, ids included. Searching is a
// scan of all vectors, exact on these codes; where that takes long, VectorIndexBuilder::train()
// divides them into lists of near ones, and search() scans only some of the lists.
// docs/design/embed.md has figures.
//
// The file is a FAISS index in FAISS's own format, "IDMap,SQ8" or "IVF...,SQ8", which any FAISS
// from 1.7.3 on reads; what is ours alone is in a small file beside it (side_path). It is mapped,
// not read: a search scans the codes where FAISS has them, and processes share the pages.
//
// VectorIndex is an immutable snapshot, shared by readers through std::shared_ptr<const
// VectorIndex>; every member is safe from many threads at once and starts no thread.
// VectorIndexBuilder belongs to one thread; it makes a new snapshot from an old one while readers
// hold that, and copies only what is small.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace codexmem::embed {

/// A stored vector and its inner product with the query: the cosine, as both have length 1.
struct VectorHit {
  std::int64_t id = 0;
  float score = 0;
};

/// Which ids a search may return. Immutable; copies share what they hold.
class IdFilter {
 public:
  /// Every id.
  IdFilter() = default;
  /// Those for which `test` is true; it is called in no special order, for few ids of a search
  /// unless few pass.
  template <std::predicate<std::int64_t> Test>
  IdFilter(Test test) : test_(std::move(test)) {}  // NOLINT(google-explicit-constructor)
  /// These: a look-up in a bitmap, or in a sorted list when they lie far apart. 8 bytes an id.
  static IdFilter only(std::vector<std::int64_t> ids);

  bool passes(std::int64_t id) const {
    return set_ != nullptr ? set_->contains(id) : !test_ || test_(id);
  }
  bool is_all() const { return set_ == nullptr && !test_; }
  /// The ids that only() was given, ascending; null of the other kinds.
  const std::vector<std::int64_t>* ids() const { return set_ == nullptr ? nullptr : &set_->ids; }

 private:
  struct Set {
    bool contains(std::int64_t id) const;
    std::vector<std::int64_t> ids;
    std::vector<std::uint64_t> bits;  // from the first id on; empty when that is too much
  };
  std::function<bool(std::int64_t)> test_;
  std::shared_ptr<const Set> set_;
};

/// An index of fewer components (vectors x dimension) is not divided into lists: it is scanned in
/// about a millisecond. Source: docs/design/embed.md.
inline constexpr std::size_t kListComponents = std::size_t{1} << 25;

class VectorIndex {
 public:
  VectorIndex(const VectorIndex&) = delete;
  VectorIndex& operator=(const VectorIndex&) = delete;
  ~VectorIndex();

  /// The index in the file at `path`, whose bytes are mapped as long as this or one made from it
  /// lives: the file may be replaced, and must not be changed in place. Errors, which name the
  /// file: kNotFound when it or the file beside it is missing; kCorrupt when one is damaged, or
  /// they do not belong together; kUnsupported when their format is newer; kIo.
  static Result<std::shared_ptr<const VectorIndex>> load(const std::filesystem::path& path);

  /// The file beside the one at `path`: "vectors.faiss.meta".
  static std::filesystem::path side_path(const std::filesystem::path& path);

  /// What kind of index it is.
  struct Kind {
    std::size_t vectors = 0;
    std::size_t dimension = 0;
    std::size_t lists = 0;  // 0: flat

    /// FAISS's name for it: "IDMap,SQ8 (flat, inner product)", "IVF984,SQ8 (inner product)".
    std::string type() const;
  };

  /// What the file at `path` says of itself.
  struct Head {
    std::string model_id;
    std::uint64_t generation = 0;
    Kind kind;
  };
  /// Reads the file beside it alone: that the index is whole is not known. Errors: those of load().
  static Result<Head> load_head(const std::filesystem::path& path);

  /// Replaces the file at `path` and the one beside it, each as base/file.h replace_file does, but
  /// does not wait for the disk. Whoever is killed in between leaves an index that load() does not
  /// find. Errors: kIo.
  Result<void> save(const std::filesystem::path& path) const;

  /// Removes both files. Errors: kIo.
  static Result<void> remove_files(const std::filesystem::path& path);

  /// Whether FAISS, which reads the file that this was loaded from and looks at all of it, finds
  /// the same: the nearest ten of `queries` stored vectors. For checks: takes
  /// as much memory as the file. Errors: kIo; kUnsupported when FAISS fails.
  Result<bool> agrees_with_faiss(std::size_t queries = 8) const;

  /// False when another program has cut the file that this was loaded from: no search works any
  /// more.
  bool is_whole() const;

  Kind kind() const;

  /// The name of the model that made the vectors (Embedder::model_id).
  const std::string& model_id() const;
  /// Components of each vector.
  std::size_t dimension() const;
  /// The number that freeze() was given: what state of the truth this snapshot shows.
  std::uint64_t generation() const;
  /// Vectors in the index.
  std::size_t size() const;
  bool contains(std::int64_t id) const;
  /// All ids, ascending.
  std::vector<std::int64_t> ids() const;

  /// Lists that the vectors are divided into; 0 when every search is exact.
  std::size_t list_count() const;

  /// True when VectorIndexBuilder::train() would divide the vectors into lists, anew or for the
  /// first time, or would give the lists up: their number or what they are like has changed.
  bool wants_training(std::size_t least_components = kListComponents) const;

  /// The `k` vectors nearest to `query` among those that pass `filter`, best first, ties by smaller
  /// id. Fewer come back only when fewer are stored or pass.
  ///
  /// With lists, 0.98 of the nearest ten are found (docs/design/embed.md); without, or when the
  /// filter is a set of few ids, all of them. `query` has dimension() floats, none beyond a
  /// million. Errors: kInvalidArgument on any other; kIo unless is_whole().
  Result<std::vector<VectorHit>> search(std::span<const float> query, std::size_t k,
                                        const IdFilter& filter = {}) const;

  /// Every stored vector with its score, ascending by id. Errors as search().
  Result<std::vector<VectorHit>> score_all(std::span<const float> query) const;

  /// The scores of `at_least` vectors or more, in no special order: those of the lists nearest to
  /// `query`, in which nearly all of the best are, and those that are in no list yet. Without lists
  /// as score_all(). Errors as search().
  Result<std::vector<VectorHit>> score_near(std::span<const float> query,
                                            std::size_t at_least) const;

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
  /// there are (docs/design/embed.md has figures).
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

  /// Makes room for so many vectors in all.
  void reserve(std::size_t count);

  /// Divides the vectors into lists if there are `least_components` or more (vectors x dimension),
  /// by what they are now like; else gives up the lists there are. A million vectors of 128
  /// components take 12 seconds on one thread, and a second copy for that time. The result depends
  /// on the vectors alone. Errors: kUnsupported when FAISS fails, and then the vectors are as they
  /// were.
  Result<void> train(std::size_t least_components = kListComponents);

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
