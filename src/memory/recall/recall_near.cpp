// Tested by tests/memory/recall_test.cpp, tests/memory/chroma_mirror_test.cpp.
#include "memory/recall/recall_near.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "embed/static_model.h"
#include "memory/transfer/chroma_mirror.h"

namespace codexmem::memory {
namespace {

constexpr std::size_t kVectorCandidates = 200;  // nearest by meaning
constexpr std::size_t kAmong = 1'000;           // documents that are named to Chroma one by one
// Of documents that only vectors find: a cosine below says nothing, with the built-in model; those
// of others lie closer together, so that one far below the best says as little.
constexpr float kMinCosine = 0.2F;
constexpr float kMinOfBest = 0.4F;
constexpr float kUsualOfBest = 0.6F;  // at most, of the usual cosine of another model

class NearSearch {
 public:
  NearSearch(const RecallContext& context, const RecallFilter& filter, const RecallRequest& request)
      : context_(context),
        filter_(filter),
        request_(request),
        table_(*context.table),
        index_(context.index.get()) {}

  Result<NearDocuments> find(std::string_view text);

 private:
  void note_usual(const std::vector<embed::VectorHit>& near);
  void degrade(std::string why) {
    if (near_.degraded.empty()) near_.degraded = std::move(why);
  }
  void ask_faiss();
  Result<void> ask_chroma();

  const RecallContext& context_;
  const RecallFilter& filter_;
  const RecallRequest& request_;
  const DocumentTable& table_;
  const embed::VectorIndex* index_;
  NearDocuments near_;
};

// Of documents that are near: those that are not far behind the nearest.
void keep_near(std::vector<embed::VectorHit>* near) {
  const float best = near->empty() ? 0 : near->front().score;
  std::erase_if(*near, [&](const embed::VectorHit& hit) {
    return hit.score < std::max(kMinCosine, kMinOfBest * best);
  });
}

// The last of the nearest is what a document has by chance, unless there are few.
void NearSearch::note_usual(const std::vector<embed::VectorHit>& near) {
  if (near.empty() || embed::is_static_model_id(context_.embedder->model_id())) return;
  const float usual = std::min(near.back().score, kUsualOfBest * near.front().score);
  near_.usual_cosine = std::max(near_.usual_cosine, static_cast<double>(usual));
}

Result<NearDocuments> NearSearch::find(std::string_view text) {
  const embed::Embedder* const embedder = context_.embedder;
  if (embedder == nullptr) return std::move(near_);
  const bool is_elsewhere = !context_.is_immediate || context_.backend != VectorBackend::kSqlite;
  if (request_.is_local && is_elsewhere) return std::move(near_);
  const bool asks_faiss =
      context_.backend != VectorBackend::kChroma && index_ != nullptr && index_->size() != 0;
  if (context_.backend != VectorBackend::kChroma && !asks_faiss && !context_.is_immediate &&
      table_.size() != 0) {
    // With the built-in model it is that the texts have none of its words.
    degrade("no document has a vector of " + embedder->model_id() + " yet");
  }
  const bool wants_chroma = context_.backend != VectorBackend::kSqlite;
  if (wants_chroma && context_.chroma == nullptr) degrade(context_.missing_chroma);
  const bool asks_chroma = wants_chroma && context_.chroma != nullptr && table_.size() != 0;
  if (!asks_faiss && !asks_chroma) return std::move(near_);
  auto vector = embedder->embed_query(text);
  if (!vector.ok()) {
    degrade(vector.error().message());
    return std::move(near_);
  }
  if (std::all_of(vector->begin(), vector->end(), [](float v) { return v == 0; })) {
    near_.is_hybrid = true;
    return std::move(near_);
  }
  near_.query_vector = *std::move(vector);
  if (asks_faiss) ask_faiss();
  if (asks_chroma) CODEXMEM_TRY(ask_chroma());
  return std::move(near_);
}

void NearSearch::ask_faiss() {
  embed::IdFilter passes;
  if (!filter_.passes_all()) {
    passes = embed::IdFilter(
        [this](std::int64_t id) { return filter_.passes(static_cast<DocumentKey>(id)); });
  } else {
    passes = embed::IdFilter([](std::int64_t id) {
      return kind_of(static_cast<DocumentKey>(id)) != DocumentKind::kDecision;
    });
  }
  auto near = index_->search(near_.query_vector, kVectorCandidates, passes);
  if (!near.ok()) {
    degrade(near.error().message());
    return;
  }
  near_.is_hybrid = true;
  near_.is_in_faiss = true;
  near_.hits = *std::move(near);
  note_usual(near_.hits);
  keep_near(&near_.hits);
  near_.faiss_hits = near_.hits.size();
}

// Adds what Chroma finds. It may know documents that the store has no more, or that are another
// store's: those count as not found.
Result<void> NearSearch::ask_chroma() {
  std::vector<DocumentKey> among;
  if (filter_.needs_rows() && filter_.count() <= kAmong) {
    filter_.for_each([&](DocumentKey key, const DocumentFacts&) { among.push_back(key); });
    if (among.empty()) return {};
  }
  CODEXMEM_ASSIGN(const ChromaAnswer found,
                  context_.chroma->nearest(*context_.database, near_.query_vector,
                                           kVectorCandidates, request_, among, context_.stop));
  if (!found.problem.empty()) degrade(found.problem);
  near_.is_hybrid = near_.is_hybrid || found.was_asked;
  std::vector<embed::VectorHit> near;
  for (const ChromaNear& one : found.near) {
    if (table_.facts(one.key).created_at_ms != one.created_at_ms || !filter_.passes(one.key)) {
      continue;
    }
    near_.chroma_cosines.emplace(static_cast<std::int64_t>(one.key), one.similarity);
    near.push_back({static_cast<std::int64_t>(one.key), one.similarity});
  }
  note_usual(near);
  keep_near(&near);
  near_.chroma_hits = near.size();
  std::unordered_set<std::int64_t> known;
  for (const embed::VectorHit& hit : near_.hits) known.insert(hit.id);
  for (const embed::VectorHit& hit : near) {
    if (known.insert(hit.id).second) near_.hits.push_back(hit);
  }
  return {};
}

}  // namespace

Result<NearDocuments> find_near(const RecallContext& context, const RecallFilter& filter,
                                const RecallRequest& request, std::string_view text) {
  return NearSearch(context, filter, request).find(text);
}

}  // namespace codexmem::memory
