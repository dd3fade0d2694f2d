// Snapshots (facts and vectors) are brought up to the read transaction that the answer is made in,
// under a mutex; rows that are gone from the store, or not yet in it, are left out.
//
// Tested by tests/memory/recall_test.cpp.
#include "memory/recall/recall.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <type_traits>
#include <utility>

#include "embed/static_model.h"
#include "embed/vector_codes.h"
#include "embed/vector_index.h"
#include "embed/vector_snapshot.h"
#include "memory/transfer/chroma_mirror.h"
#include "memory/documents/document_table.h"
#include "memory/recall/recall_search.h"
#include "store/document_vectors.h"
#include "store/user/documents.h"

namespace codexmem::memory {
namespace {

constexpr std::uint64_t kMinSaved = 5000;  // changes of vectors that are worth a file
constexpr char kVectorsAreRenewed[] =
    "this release has another built-in model: what was saved before is found by words only until "
    "its vectors are made again";
constexpr std::size_t kRemovedAtOnce = 5000;  // vectors of an older model, in one transaction

}  // namespace

struct Recall::Impl {
  store::UserStore& store;
  const DocumentVectors& vectors;
  Clock clock;
  RecallOptions options;

  Impl(store::UserStore& used, const DocumentVectors& made, Clock time, RecallOptions chosen)
      : store(used), vectors(made), clock(std::move(time)), options(std::move(chosen)) {}

  std::mutex mutex;  // guards what follows; held while snapshots catch up
  std::shared_ptr<const DocumentTable> table;
  std::shared_ptr<const embed::VectorIndex> index;

  std::mutex maintaining;  // held by the one maintain() that runs; guards what follows
  std::array<std::int64_t, 4> embedded = {};  // documents up to here were looked at for vectors
  std::uint64_t embedded_epoch = 0;           // in this state of the store
  std::uint64_t snapshot_epoch = 0;           // of the store that table and index show

  Result<void> catch_up(store::Database& database);
  template <typename F>
  auto with_context(std::stop_token stop, F&& f) -> std::invoke_result_t<F, const RecallContext&>;
  Result<std::vector<store::VectorModel>> list_replaced_models(store::Database& database) const;
  Result<void> remove_replaced_models(const std::stop_token& stop);
  Result<bool> embed_some(DocumentKind kind, const std::stop_token& stop);
  Result<void> save_index(const std::stop_token& stop);
};

// The snapshots of the read transaction that `database` is in.
Result<void> Recall::Impl::catch_up(store::Database& database) {
  // Another file is in the store's place, perhaps an older one: nothing is taken from before.
  if (std::exchange(snapshot_epoch, store.epoch()) != store.epoch()) {
    table = nullptr;
    index = nullptr;
  }
  const auto before = table;
  CODEXMEM_ASSIGN(table, DocumentTable::current(database, table));
  // Another program may have saved documents that are not in Chroma yet.
  if (options.chroma != nullptr && before != nullptr && before != table) {
    options.chroma->wake(ChromaMirror::Reason::kDocuments);
  }
  if (vectors.embedder() != nullptr && options.backend != VectorBackend::kChroma) {
    CODEXMEM_ASSIGN(const auto rows,
                    store::document_vector_rows(database, vectors.embedder()->model_id()));
    if (rows == nullptr) {
      index = nullptr;
    } else {
      CODEXMEM_ASSIGN(index, embed::current_vectors(*rows, store.vectors_path(), index));
    }
  }
  return {};
}

// Built-in models of other releases that the store has vectors of.
Result<std::vector<store::VectorModel>> Recall::Impl::list_replaced_models(
    store::Database& database) const {
  std::vector<store::VectorModel> models;
  if (vectors.embedder() == nullptr || !embed::is_static_model_id(vectors.embedder()->model_id())) {
    return models;
  }
  CODEXMEM_ASSIGN(models, store::list_vector_models(database));
  std::erase_if(models, [&](const store::VectorModel& model) {
    return model.name == vectors.embedder()->model_id() || !embed::is_static_model_id(model.name);
  });
  return models;
}

Recall::Recall(store::UserStore& store, const DocumentVectors& vectors, Clock clock,
               RecallOptions options)
    : impl_(std::make_unique<Impl>(store, vectors, std::move(clock), std::move(options))) {}
Recall::~Recall() = default;

// Calls f(context) in a read transaction, with the snapshots of it.
template <typename F>
auto Recall::Impl::with_context(std::stop_token stop, F&& f)
    -> std::invoke_result_t<F, const RecallContext&> {
  CODEXMEM_ASSIGN(store::UserMoment reader, store.moment());
  RecallContext context;
  {
    const std::lock_guard lock(mutex);
    CODEXMEM_TRY(catch_up(*reader));
    context.table = table;
    context.index = index;
  }
  context.database = &*reader;
  context.embedder = vectors.embedder();
  context.is_immediate = vectors.is_immediate();
  context.missing_model = options.missing_model;
  if (context.missing_model.empty()) {
    CODEXMEM_ASSIGN(const auto replaced, list_replaced_models(*reader));
    if (!replaced.empty()) context.missing_model = kVectorsAreRenewed;
  }
  context.backend = options.backend;
  context.chroma = options.chroma;
  context.missing_chroma = options.missing_chroma;
  context.weights = options.weights;
  context.now_ms = clock();
  context.stop = std::move(stop);
  return f(context);
}

Result<RecallAnswer> Recall::search(const RecallRequest& request, std::stop_token stop) {
  RecallRequest seen = request;
  if (seen.scope == nullptr && impl_->options.branches != nullptr) {
    seen.scope = impl_->options.branches->scope();
  }
  return impl_->with_context(std::move(stop), [&](const RecallContext& context) {
    return search_documents(context, seen);
  });
}

Result<std::vector<ScoredDocument>> Recall::candidates(std::string_view text, DocumentKind kind,
                                                       std::size_t k, std::stop_token stop) {
  return impl_->with_context(std::move(stop), [&](const RecallContext& context) {
    return find_similar_documents(context, text, kind, k);
  });
}

Result<VectorStatus> Recall::vector_status() {
  VectorStatus status;
  const embed::Embedder* const embedder = impl_->vectors.embedder();
  if (embedder == nullptr) return status;
  status.model = embedder->model_id();
  CODEXMEM_ASSIGN(store::UserMoment reader, impl_->store.moment());
  CODEXMEM_ASSIGN(const auto counts, store::count_document_vectors(*reader, embedder->model_id()));
  status.embeddings = static_cast<std::size_t>(counts.made);
  status.pending = static_cast<std::size_t>(std::max<std::int64_t>(0, counts.missing));
  const std::lock_guard lock(impl_->mutex);
  const auto before = impl_->index;
  CODEXMEM_TRY(impl_->catch_up(*reader));
  status.is_behind = before != impl_->index;
  if (impl_->index != nullptr) {
    status.indexed = impl_->index->size();
    status.index = impl_->index->kind().type();
  }
  return status;
}

// Makes the vectors of the next documents that have none; false when there are no more.
Result<bool> Recall::Impl::embed_some(DocumentKind kind, const std::stop_token& stop) {
  const embed::Embedder& embedder = *vectors.embedder();
  std::int64_t& last = embedded[static_cast<std::size_t>(kind)];
  std::vector<store::DocumentText> documents;
  {
    CODEXMEM_ASSIGN(store::UserMoment reader, store.moment());
    CODEXMEM_ASSIGN(const auto state, store::read_document_state(*reader));
    const std::int64_t greatest = state.last[static_cast<std::size_t>(kind)];
    if (greatest <= last) return false;
    CODEXMEM_ASSIGN(documents,
                    store::list_without_vector(*reader, kind, last, embedder.model_id()));
    if (documents.empty()) {
      last = greatest;
      return false;
    }
  }
  std::vector<std::string_view> views;
  for (const auto& document : documents) views.push_back(document.text);
  CODEXMEM_ASSIGN(const std::vector<float> made, embedder.embed_documents(views, stop));
  const std::size_t dimension = embedder.dimension();
  if (made.size() != documents.size() * dimension) {
    return Error{ErrorCode::kUnsupported, "the model gave another number of vectors"};
  }
  CODEXMEM_ASSIGN(const std::string codes, embed::encode_vectors(made, dimension));
  CODEXMEM_ASSIGN(store::UserTransaction writer, store.begin());
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const auto begin = made.begin() + static_cast<std::ptrdiff_t>(i * dimension);
    if (std::all_of(begin, begin + static_cast<std::ptrdiff_t>(dimension),
                    [](float v) { return v == 0; })) {
      continue;
    }
    const DocumentKey key = documents[i].key;
    CODEXMEM_ASSIGN(const auto origin, store::find_document_origin(*writer, key));
    if (!origin) continue;
    CODEXMEM_TRY(
        vectors.put(*writer, key, std::string_view(codes).substr(i * dimension, dimension)));
  }
  CODEXMEM_TRY(writer.commit());
  last = id_of(documents.back().key);
  return true;
}

// Leaves the file of vectors when it would save the next process much work.
Result<void> Recall::Impl::save_index(const std::stop_token& stop) {
  std::shared_ptr<const embed::VectorIndex> now;
  {
    CODEXMEM_ASSIGN(store::UserMoment reader, store.moment());
    const std::lock_guard lock(mutex);
    CODEXMEM_TRY(catch_up(*reader));
    now = index;
  }
  if (now == nullptr || stop.stop_requested()) return {};
  if (now->wants_training(embed::kRankedListComponents)) {
    now = embed::divided_vectors(std::move(now), embed::kRankedListComponents);
    const std::lock_guard lock(mutex);
    if (index == nullptr || index->generation() == now->generation()) index = now;
  }
  const std::uint64_t much = std::max<std::uint64_t>(kMinSaved, now->size() / 10);
  const auto there = embed::VectorIndex::load_head(store.vectors_path());
  const bool is_ours =
      there.ok() && there->model_id == now->model_id() && there->generation <= now->generation();
  const std::uint64_t behind = now->generation() - (is_ours ? there->generation : 0);
  if (behind < much) return {};
  CODEXMEM_TRY(now->save(store.vectors_path()));
  // As the folder's other files: for the user alone.
  std::error_code ignored;
  std::filesystem::permissions(
      store.vectors_path(),
      std::filesystem::perms::owner_read | std::filesystem::perms::owner_write, ignored);
  return {};
}

// When every document was looked at.
Result<void> Recall::Impl::remove_replaced_models(const std::stop_token& stop) {
  std::vector<store::VectorModel> replaced;
  {
    CODEXMEM_ASSIGN(store::UserReader reader, store.reader());
    CODEXMEM_ASSIGN(replaced, list_replaced_models(*reader));
  }
  for (const store::VectorModel& model : replaced) {
    for (bool is_gone = false; !is_gone;) {
      if (stop.stop_requested()) return {};
      CODEXMEM_ASSIGN(store::UserTransaction writer, store.begin());
      CODEXMEM_ASSIGN(is_gone, store::remove_vector_model(*writer, model.id, kRemovedAtOnce));
      CODEXMEM_TRY(writer.commit());
    }
  }
  return {};
}

Result<void> Recall::renew_vectors(std::stop_token stop) {
  {
    CODEXMEM_ASSIGN(store::UserReader reader, impl_->store.reader());
    CODEXMEM_ASSIGN(const auto replaced, impl_->list_replaced_models(*reader));
    if (replaced.empty()) return {};
  }
  return maintain(std::move(stop));
}

Result<void> Recall::maintain(std::stop_token stop) {
  const std::unique_lock lock(impl_->maintaining, std::try_to_lock);
  if (!lock.owns_lock() || impl_->vectors.embedder() == nullptr) return {};
  if (std::exchange(impl_->embedded_epoch, impl_->store.epoch()) != impl_->store.epoch()) {
    impl_->embedded = {};
  }
  for (const DocumentKind kind : {DocumentKind::kEntry, DocumentKind::kSummary,
                                  DocumentKind::kPrompt, DocumentKind::kDecision}) {
    for (bool more = true; more;) {
      if (stop.stop_requested()) return {};
      CODEXMEM_ASSIGN(more, impl_->embed_some(kind, stop));
    }
  }
  CODEXMEM_TRY(impl_->remove_replaced_models(stop));
  return impl_->save_index(stop);
}

}  // namespace codexmem::memory
