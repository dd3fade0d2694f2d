// store/document_vectors.h - the vectors of documents in the user's store.
//
// A document's number is memory's DocumentKey: 4 x the row's id + the kind. Stateless; works on one
// connection, on its thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/database.h"
#include "store/vector_rows.h"

namespace codexmem::store {

/// The vectors of the model called `model`, by document; null when the store has none of it.
/// `database` outlives them. Errors: the store's.
Result<std::unique_ptr<VectorRowSource>> document_vector_rows(Database& database,
                                                              std::string_view model);

/// The number of the model called `model`.
Result<std::optional<std::int64_t>> find_vector_model(Database& database, std::string_view model);

/// Adds a model that is not there yet, and returns its number. `code_values` says what each code
/// represents.
Result<std::int64_t> add_vector_model(Database& database, std::string_view model,
                                      std::size_t dimension, std::string_view code_values);

struct VectorModel {
  std::int64_t id = 0;
  std::string name;
};
/// The models that vectors were made with, by number.
Result<std::vector<VectorModel>> list_vector_models(Database& database);

/// Removes up to `most` vectors of the model of this number, oldest first, and the model with the
/// last ones. Returns whether it is gone.
Result<bool> remove_vector_model(Database& database, std::int64_t model, std::size_t most);

/// Writes the vector of a document by the model of this number, in place of the one it has.
Result<void> put_document_vector(Database& database, std::int64_t document, std::int64_t model,
                                 std::string_view codes);

/// Calls `visit` with the key and the codes of each decision that has a vector of the model called
/// `model`, by key.
Result<void> visit_decision_vectors(
    Database& database, std::string_view model,
    const std::function<Result<void>(std::int64_t key, std::string_view codes)>& visit);

}  // namespace codexmem::store
