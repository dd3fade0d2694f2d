// embed/faiss_index.h - the FAISS index that holds vectors in memory, writes them and judges our
// search. For vector_*.cpp alone.
//
// One of two kinds, both of 8-bit codes (embed/vector_codes.h) and by inner product: "IDMap,SQ8",
// all vectors in the order of their ids, or "IVF...,SQ8", lists of near ones. FAISS holds the codes
// and ids, and our scan reads them where they are. Immutable but for set_probes(); thread-safe.
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

  /// The rows, where FAISS has them: all, or those of each list.
  std::vector<VectorRows> parts() const;

  /// How many of the nearest lists FAISS looks into unless it is asked for another number.
  void set_probes(std::size_t probes);

  /// faiss::write_index, in parts to `sink`. Errors: those of `sink`; kUnsupported when FAISS
  /// fails.
  Result<void> write(const std::function<Result<void>(std::string_view)>& sink) const;

 private:
  struct Impl;
  explicit FaissIndex(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

/// A base of `vectors`, which are in the order of their ids and are not copied.
std::shared_ptr<VectorBase> make_base(std::size_t dimension, CodedVectors vectors);

/// A base of `lists` with these `rows`, which are not copied.
std::shared_ptr<VectorBase> make_base(std::size_t dimension, VectorLists lists,
                                      std::vector<CodedVectors> rows);

/// The `k` nearest of each of `queries`, n x dimension, best first: by FAISS alone, which reads
/// `file` and looks into every list. `file` must be one that read_faiss_layout() has accepted:
/// FAISS believes what it reads. Takes as much memory as the file. Errors: kUnsupported when FAISS
/// fails.
Result<std::vector<std::vector<VectorHit>>> search_with_faiss(std::string_view file,
                                                              std::span<const float> queries,
                                                              std::size_t k);

}  // namespace codexmem::embed
