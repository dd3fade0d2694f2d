// A file that is written gets new rows, so an id is stale when its file was rewritten or is gone.
//
// Tested by tests/embed/vector_snapshot_test.cpp.
#include "store/code_vectors.h"

#include <unordered_set>
#include <utility>

#include "store/code/seal.h"

namespace codexmem::store {
namespace {

class CodeVectorRows : public VectorRowSource {
 public:
  CodeVectorRows(StoreReader& reader, ModelId model, State state)
      : VectorRowSource(std::move(state)), reader_(reader), model_(model) {}

  Result<std::size_t> count() override {
    CODEXMEM_ASSIGN(const std::int64_t rows, reader_.count_vectors(model_));
    return static_cast<std::size_t>(rows);
  }

  Result<void> visit_added(
      std::uint64_t generation,
      const std::function<bool(std::int64_t, std::string_view)>& visit) override {
    return reader_.visit_vectors(static_cast<std::int64_t>(generation),
                                 [&](ChunkId id, ModelId owner, std::string_view codes) {
                                   if (owner != model_ || codes.size() != state().dimension)
                                     return true;
                                   return visit(static_cast<std::int64_t>(id), codes);
                                 });
  }

  Result<std::optional<std::vector<std::int64_t>>> list_removed(const HeldVectors& held) override {
    CODEXMEM_ASSIGN(const auto rewritten,
                    reader_.list_files_since(static_cast<std::int64_t>(held.generation)));
    CODEXMEM_ASSIGN(const auto files, reader_.list_files_since(-1));
    std::unordered_set<std::int64_t> unchanged;
    for (const FileId id : files) unchanged.insert(static_cast<std::int64_t>(id));
    for (const FileId id : rewritten) unchanged.erase(static_cast<std::int64_t>(id));
    std::vector<std::int64_t> stale;
    for (const std::int64_t id : held.ids()) {
      const FileId file = file_of(static_cast<ChunkId>(id));
      if (!unchanged.contains(static_cast<std::int64_t>(file))) stale.push_back(id);
    }
    return std::optional(std::move(stale));
  }

  bool is_own_file(const std::filesystem::path& path) const override {
    return store::is_own_file(path);
  }

  Result<void> mark_as_own(const std::filesystem::path& path) const override {
    return seal_file(path);
  }

  // The file that the last index run left: another may name files that this store does not have,
  // under numbers that it has given to others since.
  Result<bool> is_of_these_rows(const HeldVectors& held) override {
    CODEXMEM_ASSIGN(const std::int64_t saved, reader_.find_meta_number(kVectorsFileKey));
    return held.generation == static_cast<std::uint64_t>(saved);
  }

 private:
  StoreReader& reader_;
  const ModelId model_;
};

}  // namespace

Result<std::unique_ptr<VectorRowSource>> code_vector_rows(StoreReader& reader,
                                                          const StoreReader::Model& model) {
  CODEXMEM_ASSIGN(const std::int64_t generation, reader.generation());
  CODEXMEM_ASSIGN(const std::int64_t oldest, reader.find_meta_number(kVectorsGenerationKey));
  CODEXMEM_ASSIGN(const auto store, reader.find_meta("store"));
  return std::unique_ptr<VectorRowSource>(std::make_unique<CodeVectorRows>(
      reader, model.id,
      VectorRowSource::State{.name = model.name + "@" + store.value_or(""),
                             .dimension = model.dimension,
                             .generation = static_cast<std::uint64_t>(generation),
                             .oldest = static_cast<std::uint64_t>(oldest),
                             .area = "search",
                             .changes_unseen = true}));
}

}  // namespace codexmem::store
