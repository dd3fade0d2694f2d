// embed/vector_index.h - finds the nearest of many stored vectors, in memory and in a FAISS file.
//
// The index is derived data: the vectors' BLOBs in SQLite are authoritative, and a missing, damaged
// or outdated file is rebuilt from them. Vectors have 8 bits per component, as in the store
// (embed/vector_codes.h): 136 bytes for 128 dimensions, including the id. A search scans all
// vectors, exactly on these codes; if that takes long, VectorIndexBuilder::train() divides them
// into lists of similar vectors, and search() scans only some of the lists. docs/how-it-works.md,
// "Vectors" has figures.
//
// The file is a FAISS index in FAISS's own format, "IDMap,SQ8" or "IVF...,SQ8", which any FAISS
// from 1.7.3 on reads; our own data is in a small side file in the same folder (side_path). The
// file is mapped, not read: a search scans the codes in place, and processes share the pages.
//
// VectorIndex is an immutable snapshot, shared by readers through std::shared_ptr<const
// VectorIndex>; every member is safe from many threads at once and starts no thread.
// VectorIndexBuilder belongs to one thread; it makes a new snapshot from an old one while readers
// still use it, and copies only small parts.
//
// In Python: faiss.read_index(".codexmem/vectors.faiss").search(queries, 10); ids are the ids of
// the view `embeddings`.
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

/// A stored vector and its inner product with the query: the cosine, because both have length 1.
struct VectorHit {
  std::int64_t id = 0;
  float score = 0;
};

/// The ids that a search may return. Immutable; copies share their data.
class IdFilter {
 public:
  /// Every id.
  IdFilter() = default;
  /// The ids for which `test` is true; it is called in any order, and for few ids unless few pass.
  template <std::predicate<std::int64_t> Test>
  IdFilter(Test test) : test_(std::move(test)) {}  // NOLINT(google-explicit-constructor)
  /// These ids: a look-up in a bitmap, or in a sorted list if they are sparse. 8 bytes per id.
  static IdFilter only(std::vector<std::int64_t> ids);

  bool passes(std::int64_t id) const {
    return set_ != nullptr ? set_->contains(id) : !test_ || test_(id);
  }
  bool is_all() const { return set_ == nullptr && !test_; }
  /// The ids passed to only(), ascending; null for other filters.
  const std::vector<std::int64_t>* ids() const { return set_ == nullptr ? nullptr : &set_->ids; }

 private:
  struct Set {
    bool contains(std::int64_t id) const;
    std::vector<std::int64_t> ids;
    std::vector<std::uint64_t> bits;  // from the first id on; empty if that is too large
  };
  std::function<bool(std::int64_t)> test_;
  std::shared_ptr<const Set> set_;
};

/// An index with fewer components (vectors x dimension) is not divided into lists: a scan takes
/// about a millisecond. Source: docs/how-it-works.md, "Vectors".
inline constexpr std::size_t kListComponents = std::size_t{1} << 25;

class VectorIndex {
 public:
  VectorIndex(const VectorIndex&) = delete;
  VectorIndex& operator=(const VectorIndex&) = delete;
  ~VectorIndex();

  /// The index in the file at `path`, whose bytes stay mapped while this index or one made from it
  /// lives: the file may be replaced, but must not be changed in place. Errors, which name the
  /// file: kNotFound when it or its side file is missing; kCorrupt when one is damaged, or they do
  /// not match; kUnsupported when their format is newer; kIo.
  static Result<std::shared_ptr<const VectorIndex>> load(const std::filesystem::path& path);

  /// The side file of the file at `path`: "vectors.faiss.meta".
  static std::filesystem::path side_path(const std::filesystem::path& path);

  /// The kind of an index.
  struct Kind {
    std::size_t vectors = 0;
    std::size_t dimension = 0;
    std::size_t lists = 0;  // 0: flat

    /// FAISS's name for it: "IDMap,SQ8 (flat, inner product)", "IVF984,SQ8 (inner product)".
    std::string type() const;
  };

  /// The header of the file at `path`.
  struct Head {
    std::string model_id;
    std::uint64_t generation = 0;
    Kind kind;
  };
  /// Reads only the side file: the index itself is not checked. Errors: as load().
  static Result<Head> load_head(const std::filesystem::path& path);

  /// Replaces the file at `path` and its side file, each like replace_file in base/file.h, but does
  /// not wait for the disk. A process killed in between leaves an index that load() does not find.
  /// Errors: kIo.
  Result<void> save(const std::filesystem::path& path) const;

  /// Removes both files. Errors: kIo.
  static Result<void> remove_files(const std::filesystem::path& path);

  /// Checks with FAISS, which reads all of the file that this index was loaded from, that both find
  /// the same ten nearest vectors for `queries` stored ones. Takes as much memory as the file.
  /// Errors: kIo; kUnsupported when FAISS fails.
  Result<bool> agrees_with_faiss(std::size_t queries = 8) const;

  /// False if another program has truncated the file that this index was loaded from; searches then
  /// fail.
  bool is_whole() const;

  Kind kind() const;

  /// The name of the model that made the vectors (Embedder::model_id).
  const std::string& model_id() const;
  /// Components of each vector.
  std::size_t dimension() const;
  /// The number passed to freeze(): the state of the store that this snapshot shows.
  std::uint64_t generation() const;
  /// Vectors in the index.
  std::size_t size() const;
  bool contains(std::int64_t id) const;
  /// All ids, ascending.
  std::vector<std::int64_t> ids() const;

  /// Number of lists that the vectors are divided into; 0 if every search is exact.
  std::size_t list_count() const;

  /// True if VectorIndexBuilder::train() would divide the vectors into lists, for the first time or
  /// again, or remove the lists, because the number or distribution of the vectors has changed.
  bool wants_training(std::size_t least_components = kListComponents) const;

  /// The `k` vectors nearest to `query` among those that pass `filter`, best first, ties by smaller
  /// id. Fewer only if fewer are stored or pass.
  ///
  /// With lists, 0.98 of the nearest ten are found (docs/how-it-works.md, "Vectors"); without
  /// lists, or if the filter is a set of few ids, all of them. `query` must have dimension() floats
  /// of absolute value at most a million. Errors: kInvalidArgument for other queries; kIo unless
  /// is_whole().
  Result<std::vector<VectorHit>> search(std::span<const float> query, std::size_t k,
                                        const IdFilter& filter = {}) const;

  /// Every stored vector with its score, ascending by id. Errors as search().
  Result<std::vector<VectorHit>> score_all(std::span<const float> query) const;

  /// The scores of at least `at_least` vectors, in no special order: those in the lists nearest to
  /// `query`, which contain nearly all of the best ones, and those not yet in a list. Without
  /// lists, like score_all(). Errors as search().
  Result<std::vector<VectorHit>> score_near(std::span<const float> query,
                                            std::size_t at_least) const;

  /// The scores of the vectors with these ids, in their order; unknown ids are left out. Errors as
  /// search().
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

  /// Starts with the vectors of `index`. Adding or removing a few is then cheap for any size
  /// (docs/how-it-works.md, "Vectors" has figures).
  explicit VectorIndexBuilder(const VectorIndex& index);

  VectorIndexBuilder(VectorIndexBuilder&&) noexcept;
  VectorIndexBuilder& operator=(VectorIndexBuilder&&) noexcept;
  ~VectorIndexBuilder();

  /// Adds ids.size() vectors, or replaces those with existing ids; for a repeated id the last
  /// vector counts. `codes` is ids.size() x dimension, row-major, from encode_vectors(); scores are
  /// cosines if the vectors have length 1. Errors: kInvalidArgument for another size or an id below
  /// 1, and then nothing is added.
  Result<void> add(std::span<const std::int64_t> ids, std::string_view codes);

  /// Removes the vectors with these ids; returns how many existed.
  std::size_t remove(std::span<const std::int64_t> ids);

  /// Reserves memory for this total number of vectors.
  void reserve(std::size_t count);

  /// Divides the vectors into lists by their current distribution if there are `least_components`
  /// or more (vectors x dimension); otherwise removes the lists. A million vectors of 128
  /// components take 12 seconds on one thread, and memory for a second copy during that time. The
  /// result depends only on the vectors. Errors: kUnsupported when FAISS fails, and the vectors are
  /// then unchanged.
  Result<void> train(std::size_t least_components = kListComponents);

  /// Number of vectors so far.
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
