// Tested by tests/memory/recall_test.cpp and tests/memory/restored_store_test.cpp.
#include "store/document_vectors.h"

#include <string>
#include <utility>

#include "store/query.h"

namespace codexmem::store {
namespace {

// Beyond so many documents whose vectors are no longer there, an old snapshot does not help.
constexpr std::size_t kMaxRemoved = 100'000;

constexpr char kCountVectorsSql[] = "SELECT count(*) FROM vectors WHERE model_id = ?1";
// A vector that is replaced gets a new number, by which snapshots learn of it.
constexpr char kPutVectorSql[] = R"sql(
INSERT OR REPLACE INTO vectors (document, model_id, codes) VALUES (?1, ?2, ?3))sql";

class DocumentVectorRows : public VectorRowSource {
 public:
  DocumentVectorRows(Database& database, std::int64_t model, State state)
      : VectorRowSource(std::move(state)), database_(database), model_(model) {}

  Result<std::size_t> count() override {
    CODEXMEM_ASSIGN(const auto count, query::count(database_, kCountVectorsSql, model_));
    return static_cast<std::size_t>(count);
  }

  Result<void> visit_added(
      std::uint64_t generation,
      const std::function<bool(std::int64_t, std::string_view)>& visit) override {
    CODEXMEM_ASSIGN(
        Statement query,
        query::prepare(
            database_,
            "SELECT document, codes FROM vectors WHERE id > ?1 AND model_id = ?2 ORDER BY id",
            std::size_t{generation}, model_));
    for (;;) {
      CODEXMEM_ASSIGN(const bool more, query.step());
      if (!more) return {};
      if (query.blob(1).size() != state().dimension || query.integer(0) <= 0) continue;
      if (!visit(query.integer(0), query.blob(1))) return {};
    }
  }

  Result<std::optional<std::vector<std::int64_t>>> list_removed(const HeldVectors& held) override {
    CODEXMEM_ASSIGN(Statement query, query::prepare(database_,
                                                    "SELECT document FROM removed_vectors WHERE "
                                                    "at_id > ?1 AND model_id = ?2 ORDER BY at_id",
                                                    std::size_t{held.generation}, model_));
    std::vector<std::int64_t> ids;
    for (;;) {
      CODEXMEM_ASSIGN(const bool more, query.step());
      if (!more) return std::optional(std::move(ids));
      ids.push_back(query.integer(0));
      if (ids.size() > kMaxRemoved) return std::optional<std::vector<std::int64_t>>();
    }
  }

  // Whether the snapshot has the vectors that the store had last when it was saved. Not when an
  // older copy of the store was put back and has gone on: then the same numbers mean other texts.
  Result<bool> is_of_these_rows(const HeldVectors& held) override {
    CODEXMEM_ASSIGN(Statement rows, query::prepare(database_, R"sql(
SELECT document, codes FROM vectors WHERE model_id = ?1 AND id <= ?2 ORDER BY id DESC LIMIT 8)sql",
                                                   model_, std::size_t{held.generation}));
    bool is_empty = true;
    for (;;) {
      CODEXMEM_ASSIGN(const bool more, rows.step());
      if (!more) return !is_empty || held.size == 0;
      is_empty = false;
      CODEXMEM_ASSIGN(const bool has_it, held.has(rows.integer(0), rows.blob(1)));
      if (!has_it) return false;
    }
  }

 private:
  Database& database_;
  const std::int64_t model_;
};

}  // namespace

Result<std::unique_ptr<VectorRowSource>> document_vector_rows(Database& database,
                                                              std::string_view model) {
  CODEXMEM_ASSIGN(Statement query, query::prepare(database, R"sql(
SELECT m.id, m.dimension, (SELECT value FROM meta WHERE key = 'store'),
  (SELECT seq FROM sqlite_sequence WHERE name = 'vectors')
FROM embedding_models AS m WHERE m.name = ?1)sql",
                                                  model));
  CODEXMEM_ASSIGN(const bool found, query.step());
  if (!found || query.integer(1) < 1 || query.integer(1) > 65536) {
    return std::unique_ptr<VectorRowSource>();
  }
  return std::unique_ptr<VectorRowSource>(std::make_unique<DocumentVectorRows>(
      database, query.integer(0),
      VectorRowSource::State{.name = std::string(model) + "@" + std::string(query.text(2)),
                             .dimension = static_cast<std::size_t>(query.integer(1)),
                             .generation = static_cast<std::uint64_t>(query.integer(3)),
                             .area = "memory"}));
}

Result<std::optional<std::int64_t>> find_vector_model(Database& database, std::string_view model) {
  return query::find(database, "SELECT id FROM embedding_models WHERE name = ?1", query::read_id<>,
                     model);
}

Result<std::int64_t> add_vector_model(Database& database, std::string_view model,
                                      std::size_t dimension, std::string_view code_values) {
  return query::insert<std::int64_t>(database, R"sql(
INSERT INTO embedding_models (name, dimension, code_values) VALUES (?1, ?2, ?3))sql",
                                     model, dimension, query::Blob{code_values});
}

Result<std::vector<VectorModel>> list_vector_models(Database& database) {
  const auto read = [](const Statement& row) {
    return VectorModel{row.integer(0), std::string(row.text(1))};
  };
  return query::list(database, "SELECT id, name FROM embedding_models ORDER BY id", read);
}

Result<bool> remove_vector_model(Database& database, std::int64_t model, std::size_t most) {
  CODEXMEM_TRY(query::execute(database, R"sql(
DELETE FROM vectors WHERE id IN
  (SELECT id FROM vectors WHERE model_id = ?1 ORDER BY id LIMIT ?2))sql",
                              model, most));
  CODEXMEM_ASSIGN(const auto left, query::count(database, kCountVectorsSql, model));
  if (left != 0) return false;
  CODEXMEM_TRY(query::execute(database, "DELETE FROM removed_vectors WHERE model_id = ?1", model));
  CODEXMEM_TRY(query::execute(database, "DELETE FROM embedding_models WHERE id = ?1", model));
  return true;
}

Result<void> put_document_vector(Database& database, std::int64_t document, std::int64_t model,
                                 std::string_view codes) {
  return query::execute(database, kPutVectorSql, document, model, query::Blob{codes});
}

Result<void> visit_decision_vectors(
    Database& database, std::string_view model,
    const std::function<Result<void>(std::int64_t, std::string_view)>& visit) {
  return query::visit(
      database, R"sql(
SELECT d.key, v.codes FROM decisions AS d CROSS JOIN vectors AS v
ON v.document = d.key * 4 + 3 AND v.model_id = (SELECT id FROM embedding_models WHERE name = ?1)
ORDER BY d.key)sql",
      [&](const Statement& row) { return visit(row.integer(0), row.blob(1)); }, model);
}

}  // namespace codexmem::store
