// store/code_vectors.h - a workspace's vectors, as a snapshot of them is made and kept up to date.
#pragma once

#include <memory>

#include "store/code/store_reader.h"
#include "store/vector_rows.h"

namespace codexmem::store {

/// The note of meta with the generation that the vectors' file shows. Who saves it sets this after.
inline constexpr char kVectorsFileKey[] = "vectors_file";

/// The note of meta with the name of the model whose vectors the store holds; absent: the built-in
/// one's.
inline constexpr char kVectorsModelKey[] = "vectors_model";

/// The note of meta with the generation in which vectors were last written to files that had been
/// there: older snapshots cannot catch up.
inline constexpr char kVectorsGenerationKey[] = "vectors_generation";

/// The vectors of `model` that `reader`, which outlives them, sees. Rows of another length are left
/// out. Errors: the store's.
Result<std::unique_ptr<VectorRowSource>> code_vector_rows(StoreReader& reader,
                                                          const StoreReader::Model& model);

}  // namespace codexmem::store
