// embed/faiss_index.h - the FAISS index that holds vectors in memory, writes them and verifies our
// search. Only for vector_*.cpp.
//
// There are two kinds, both with 8-bit codes (embed/vector_codes.h) and inner product: "IDMap,SQ8",
// all vectors in the order of their ids, and "IVF...,SQ8", lists of similar vectors. FAISS holds
// the codes and ids, and our scan reads them in place. Immutable except for set_probes();
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "embed/vector_index.h"
#include "embed/vector_index_state.h"

namespace codexmem::embed {

class FaissIndex {
 public:
  /// "IDMap,SQ8" of `vectors`, which are not copied.
  static std::shared_ptr<FaissIndex> flat(std::size_t dimension, CodedVectors vectors);

  /// "IVF...,SQ8": a list for each of `centroids`, n x dimension codes. `lists` are not copied.
  static std::shared_ptr<FaissIndex> divided(std::size_t dimension,
                                             std::span<const std::uint8_t> centroids,
                                             std::vector<CodedVectors> lists);

  ~FaissIndex();

  /// The rows where FAISS has them: all in one part, or a part for each list.
  std::vector<VectorRows> parts() const;

  /// Sets FAISS's default for the number of nearest lists to search.
  void set_probes(std::size_t probes);

  /// faiss::write_index, in parts to `sink`. Errors: as `sink`; kUnsupported when FAISS fails.
  Result<void> write(const std::function<Result<void>(std::string_view)>& sink) const;

 private:
  struct Impl;
  explicit FaissIndex(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

/// A base of `vectors`, which must be in the order of their ids and are not copied.
std::shared_ptr<VectorBase> make_base(std::size_t dimension, CodedVectors vectors);

/// A base of `lists` with these `rows`, which are not copied.
std::shared_ptr<VectorBase> make_base(std::size_t dimension, VectorLists lists,
                                      std::vector<CodedVectors> rows);

/// The `k` nearest vectors for each of `queries`, n x dimension, best first: only by FAISS, which
/// reads `file` and searches every list. `file` must have been accepted by read_faiss_layout(),
/// because FAISS trusts its input. Takes as much memory as the file. Errors: kUnsupported when
/// FAISS fails.
Result<std::vector<std::vector<VectorHit>>> search_with_faiss(std::string_view file,
                                                              std::span<const float> queries,
                                                              std::size_t k);

}  // namespace codexmem::embed
