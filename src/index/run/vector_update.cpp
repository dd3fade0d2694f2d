// Tested by index/indexer_test.cpp.
#include "index/run/vector_update.h"

#include <fmt/core.h>

#include <optional>
#include <utility>
#include <vector>

#include "embed/static_model.h"
#include "index/discovery/embedded_text.h"
#include "index/run/ordered_pipeline.h"
#include "index/packs/vector_file.h"
#include "store/code_vectors.h"

namespace codexmem::index {
namespace {

Result<void> raise_vectors_generation(WriteSession& session) {
  CODEXMEM_ASSIGN(store::CodeWriter * writer, session.writer());
  return note_all_vectors_changed(session.generation(), *writer);
}

}  // namespace

Result<VectorState> load_vector_state(store::StoreReader& reader) {
  VectorState state;
  CODEXMEM_ASSIGN(auto model, embed::StaticModel::built_in());
  state.embedder = embed::make_static_embedder(std::move(model));
  CODEXMEM_ASSIGN(const auto stored, reader.find_model(state.embedder->model_id()));
  CODEXMEM_ASSIGN(const auto other_model, reader.find_meta(store::kVectorsModelKey));
  if (!stored || stored->dimension != state.embedder->dimension() || other_model) return state;
  state.id = stored->id;
  state.is_stored = true;
  return state;
}

Result<void> enter_model(VectorState& state, WriteSession& session) {
  if (state.is_stored) return {};
  CODEXMEM_ASSIGN(store::CodeWriter * writer, session.writer());
  CODEXMEM_TRY(writer->remove_meta(store::kVectorsModelKey));
  CODEXMEM_ASSIGN(state.id,
                  replace_models(*writer, state.embedder->model_id(), state.embedder->dimension()));
  state.is_stored = true;
  return raise_vectors_generation(session);
}

Result<std::uint64_t> add_missing_vectors(
    store::Workspace& workspace, const VectorState& state, unsigned threads, WriteSession& session,
    const std::stop_token& stop, const std::function<void(std::size_t, std::size_t)>& progress) {
  using Made = Result<std::vector<store::VectorRow>>;
  CODEXMEM_TRY(session.commit());  // the threads read through other connections
  CODEXMEM_ASSIGN(const auto files, session.reader().list_files_without_vectors(state.id));
  std::uint64_t written = 0;
  std::size_t done = 0;
  const auto take = [&](Made made) -> Result<void> {
    if (!made.ok()) return std::move(made).error();
    if (progress) progress(++done, files.size());
    if (made->empty()) return {};
    CODEXMEM_ASSIGN(store::CodeWriter * writer, session.writer());
    CODEXMEM_TRY(writer->put_vectors(state.id, *made));
    CODEXMEM_TRY(raise_vectors_generation(session));  // in the same transaction
    written += made->size();
    return session.end_file(made->size() * state.embedder->dimension());
  };
  CODEXMEM_TRY(run_ordered<Made>(
      {.count = files.size(), .threads = threads},
      [&]() -> std::function<Made(std::size_t)> {
        auto lease = std::make_shared<std::optional<store::ReaderLease>>();
        return [&, lease](std::size_t i) -> Made {
          if (!*lease) {
            CODEXMEM_ASSIGN(store::ReaderLease lent, workspace.reader());
            lease->emplace(std::move(lent));
          }
          CODEXMEM_ASSIGN(const auto texts, read_embedded_texts(***lease, files[i]));
          return make_vectors(*state.embedder, texts, stop);
        };
      },
      take, stop));
  // Also when no vectors were missing: an interrupted run may have written vectors without raising
  // it.
  CODEXMEM_TRY(raise_vectors_generation(session));
  return written;
}

}  // namespace codexmem::index
