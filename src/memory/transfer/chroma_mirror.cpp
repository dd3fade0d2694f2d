// Tested by tests/memory/chroma_mirror_test.cpp, and against a real server by
// tests/chroma/chroma_test.py.
#include "memory/transfer/chroma_mirror.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/text.h"
#include "memory/transfer/chroma_rows.h"
#include "memory/recall/recall.h"
#include "store/user/documents.h"

namespace codexmem::memory {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPatience{1'000};  // of a question, with all collections
constexpr std::size_t kDocuments = 256;                // that are sent together
constexpr std::size_t kMinRows = 40;                   // that each of many collections returns
constexpr std::size_t kRemoved = 200;                  // that are deleted together

bool is_zero(std::span<const float> vector) {
  return std::all_of(vector.begin(), vector.end(), [](float v) { return v == 0; });
}

}  // namespace

ChromaMirror::ChromaMirror(store::UserStore& store, const DocumentVectors& vectors,
                           std::shared_ptr<embed::Chroma> chroma, std::string collection, Wake wake)
    : store_(store),
      vectors_(vectors),
      chroma_(std::move(chroma)),
      collection_(std::move(collection)),
      wake_(std::move(wake)) {}

std::string ChromaMirror::collection_of(std::string_view project) const {
  return collection_.empty() ? embed::chroma_collection_name(project) : collection_;
}

std::string ChromaMirror::scope() const {
  return fmt::format("{} {} {}", chroma_->address(), collection_.empty() ? "cm__*" : collection_,
                     vectors_.embedder()->model_id());
}

Result<ChromaAnswer> ChromaMirror::nearest(store::Database& database, std::span<const float> vector,
                                           std::size_t k, const RecallRequest& request,
                                           std::span<const DocumentKey> among,
                                           std::stop_token stop) {
  ChromaAnswer answer;
  CODEXMEM_ASSIGN(auto places, store::list_collections(database, scope()));
  if (places.empty()) {
    answer.problem = fmt::format("Chroma: {} has no copies of documents yet", chroma_->address());
    return answer;
  }
  std::unordered_set<std::string> wanted;
  for (const std::string& project : request.projects) wanted.insert(collection_of(project));
  std::erase_if(places, [&](const store::ChromaCollection& place) {
    return !wanted.empty() && !wanted.contains(place.name);
  });
  const std::string current = collection_of(request.current_project);
  std::stable_partition(places.begin(), places.end(), [&](const store::ChromaCollection& place) {
    return place.name == current;
  });
  const bool wants_copies =
      request.kinds.empty() ||
      std::any_of(request.kinds.begin(), request.kinds.end(),
                  [](DocumentKind kind) { return kind != DocumentKind::kDecision; });
  answer.was_asked = places.empty() || !wants_copies;
  if (answer.was_asked) return answer;

  const auto conditions = chroma_conditions(request, among);
  const auto deadline = SteadyClock::now() + kPatience;
  // The answer of a collection costs more than the search in it: of many each returns less.
  const std::size_t each = std::clamp(2 * k / places.size(), std::min(k, kMinRows), k);
  std::unordered_map<std::int64_t, std::size_t> seen;
  std::size_t asked = 0;
  for (const store::ChromaCollection& place : places) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - SteadyClock::now());
    if (left.count() <= 0) {
      answer.problem = fmt::format("Chroma: {} answered for {} of {} collections in time",
                                   chroma_->address(), asked, places.size());
      break;
    }
    const auto hits =
        chroma_->near(place.uuid, vector, each, {.conditions = conditions}, {}, left, stop);
    if (!hits.ok()) {
      const ErrorCode code = hits.error().code();
      if (code == ErrorCode::kCancelled) return hits.error();
      answer.problem = hits.error().message();
      if (code == ErrorCode::kNotFound) {
        is_doubtful_ = true;
        wake(Reason::kServer);
      } else if (code != ErrorCode::kInvalidArgument) {
        break;
      }
      continue;
    }
    ++asked;
    answer.was_asked = true;
    for (const embed::ChromaRecord& hit : *hits) {
      const auto near = read_chroma_near(hit);
      if (!near) continue;
      const auto [at, is_new] =
          seen.try_emplace(static_cast<std::int64_t>(near->key), answer.near.size());
      if (is_new) {
        answer.near.push_back(*near);
      } else if (answer.near[at->second].similarity < near->similarity) {
        answer.near[at->second] = *near;
      }
    }
  }
  // It is back: what could not be sent may go now.
  if (asked > 0 && is_behind_.exchange(false)) wake(Reason::kServer);
  std::sort(answer.near.begin(), answer.near.end(), [](const ChromaNear& a, const ChromaNear& b) {
    return a.similarity != b.similarity ? a.similarity > b.similarity : a.key < b.key;
  });
  return answer;
}

Result<void> ChromaMirror::refusal() const {
  if (refused_.empty()) return {};
  return Error{ErrorCode::kInvalidArgument, refused_.begin()->second};
}

// Everything is looked for again: documents that were not sent, and collections.
void ChromaMirror::look_again() {
  sent_up_to_ = {};
  removals_ = -1;
  ready_.clear();
}

// The collection `name`, made when it is not there, with its number in the store.
Result<store::ChromaCollection> ChromaMirror::ensure(const std::string& name,
                                                     const std::stop_token& stop) {
  if (const auto found = ready_.find(name); found != ready_.end()) return found->second;
  const std::string model = vectors_.embedder()->model_id();
  CODEXMEM_ASSIGN(auto there, chroma_->get_or_create(name, model, stop));
  if (there.model != model && !there.has_rows && there.is_cosine) {
    CODEXMEM_TRY(chroma_->claim(there.id, model, stop));
    there.model = model;
  }
  if (there.model != model && !there.model.empty()) {
    // Ours to rebuild if it was we who filled it, with another model.
    bool is_ours = false;
    {
      CODEXMEM_ASSIGN(store::UserReader reader, store_.reader());
      CODEXMEM_ASSIGN(is_ours, store::is_known_collection(*reader, there.id));
    }
    if (is_ours) {
      CODEXMEM_TRY(chroma_->drop(name, stop));
      CODEXMEM_ASSIGN(there, chroma_->get_or_create(name, model, stop));
    }
  }
  if (there.model != model || !there.is_cosine) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("Chroma: the collection {} of {} {}; name another one in "
                             "CODEXMEM_CHROMA_COLLECTION, or delete it",
                             name, chroma_->address(),
                             there.model.empty() ? "was made by another program"
                             : there.is_cosine   ? "has vectors of another model"
                                                 : "does not compare by cosine")};
  }
  CODEXMEM_ASSIGN(store::UserTransaction writer, store_.begin());
  const std::string of = scope();
  store::ChromaCollection collection{0, name, ""};
  CODEXMEM_ASSIGN(const auto known, store::list_collections(*writer, of));
  for (const store::ChromaCollection& one : known) {
    if (one.name == name) collection = one;
  }
  if (collection.uuid != there.id) {
    if (collection.number != 0) {
      CODEXMEM_TRY(store::forget_all_copies(*writer, collection.number));
      starts_over_ = true;
    }
    CODEXMEM_TRY(store::put_collection(*writer, of, name, there.id));
    if (collection.number == 0) collection.number = writer->last_insert_id();
    collection.uuid = there.id;
    CODEXMEM_TRY(writer.commit());
  }
  ready_.emplace(name, collection);
  return collection;
}

// Whether the collections that copies were sent to are still there.
Result<void> ChromaMirror::check_known(const std::stop_token& stop) {
  std::vector<store::ChromaCollection> known;
  {
    CODEXMEM_ASSIGN(store::UserReader reader, store_.reader());
    CODEXMEM_ASSIGN(known, store::list_collections(*reader, scope()));
  }
  for (const auto& [number, name, uuid] : known) {
    if (const auto there = ensure(name, stop); !there.ok()) {
      if (there.error().code() != ErrorCode::kInvalidArgument) return there.error();
      refused_.emplace(name, there.error().message());
    }
  }
  return {};
}

// Copies of documents that the store has no more.
Result<void> ChromaMirror::delete_removed(const std::stop_token& stop) {
  store::DocumentState state;
  {
    CODEXMEM_ASSIGN(store::UserReader reader, store_.reader());
    CODEXMEM_ASSIGN(state, store::read_document_state(*reader));
  }
  if (state.removals == removals_) return {};
  for (const auto& [name, collection] : ready_) {
    for (;;) {
      if (stop.stop_requested()) return {};
      std::vector<DocumentKey> gone;
      {
        CODEXMEM_ASSIGN(store::UserReader reader, store_.reader());
        CODEXMEM_ASSIGN(gone, store::list_gone(*reader, collection.number, kRemoved));
      }
      if (gone.empty()) break;
      for (const DocumentKind kind : kChromaKinds) {
        embed::ChromaCondition ids{.key = "sqlite_id"};
        for (const DocumentKey key : gone) {
          if (kind_of(key) == kind) ids.any_of.emplace_back(id_of(key));
        }
        if (ids.any_of.empty()) continue;
        const embed::ChromaCondition conditions[] = {
            {.key = "store", .any_of = {state.store}},
            {.key = "doc_type", .any_of = {chroma_type(kind)}},
            std::move(ids)};
        CODEXMEM_TRY(chroma_->remove(collection.uuid, conditions, stop));
      }
      CODEXMEM_ASSIGN(store::UserTransaction writer, store_.begin());
      CODEXMEM_TRY(store::forget_copies(*writer, collection.number, gone));
      CODEXMEM_TRY(writer.commit());
    }
  }
  removals_ = state.removals;
  return {};
}

// Gives each row its vector; those that say nothing to the model go.
Result<void> ChromaMirror::add_vectors(std::vector<ChromaDocument>* documents,
                                       const std::stop_token& stop) const {
  std::vector<std::string_view> texts;
  for (const ChromaDocument& document : *documents) {
    for (const std::string& text : document.texts) {
      if (!text.empty()) texts.push_back(text);
    }
  }
  std::vector<float> made;
  std::size_t dimension = 0;
  if (!texts.empty()) {
    CODEXMEM_ASSIGN(made, vectors_.embedder()->embed_documents(texts, stop));
    dimension = vectors_.embedder()->dimension();
    if (made.size() != texts.size() * dimension) {
      return Error{ErrorCode::kUnsupported, "the model gave another number of vectors"};
    }
  }
  auto next = made.begin();
  for (ChromaDocument& document : *documents) {
    for (std::size_t i = 0; i < document.rows.size(); ++i) {
      if (document.texts[i].empty()) continue;
      document.rows[i].vector.assign(next, next + static_cast<std::ptrdiff_t>(dimension));
      next += static_cast<std::ptrdiff_t>(dimension);
    }
    std::erase_if(document.rows, [](const embed::ChromaRow& row) { return is_zero(row.vector); });
  }
  return {};
}

// Sends documents and notes that they were. A collection that is refused keeps its documents
// waiting, and the others go.
Result<void> ChromaMirror::send(std::span<const DocumentKey> keys, SentDocuments* sent,
                                const std::stop_token& stop) {
  std::vector<ChromaDocument> documents;
  {
    CODEXMEM_ASSIGN(store::UserMoment reader, store_.moment());
    for (const DocumentKey key : keys) {
      CODEXMEM_ASSIGN(auto document,
                      read_chroma_document(*reader, key, vectors_.embedder()->model_id()));
      if (!document) continue;
      document->collection = collection_of(document->project);
      documents.push_back(*std::move(document));
    }
  }
  for (const ChromaDocument& document : documents) {
    if (refused_.contains(document.collection)) continue;
    const auto there = ensure(document.collection, stop);
    if (there.ok()) continue;
    if (there.error().code() != ErrorCode::kInvalidArgument) return there.error();
    refused_.emplace(document.collection, there.error().message());
  }
  std::erase_if(documents, [&](const ChromaDocument& document) {
    return refused_.contains(document.collection);
  });
  CODEXMEM_TRY(add_vectors(&documents, stop));
  std::map<std::string, std::vector<const ChromaDocument*>> by_collection;
  for (const ChromaDocument& document : documents) {
    by_collection[document.collection].push_back(&document);
  }
  for (const auto& [name, group] : by_collection) {
    std::vector<embed::ChromaRow> rows;
    for (const ChromaDocument* document : group) {
      rows.insert(rows.end(), document->rows.begin(), document->rows.end());
    }
    store::ChromaCollection collection;
    Result<void> done;
    for (int attempt = 0; attempt < 2; ++attempt) {
      const auto there = ensure(name, stop);
      done = there.ok() ? chroma_->upsert(there->uuid, rows, stop) : Result<void>(there.error());
      if (there.ok()) collection = *there;
      if (done.ok() || done.error().code() != ErrorCode::kNotFound) break;
      ready_.erase(name);  // it was deleted under our hands: rebuilt, once
    }
    if (!done.ok()) {
      if (done.error().code() != ErrorCode::kInvalidArgument) return done;
      refused_.emplace(name, done.error().message());
      continue;
    }
    CODEXMEM_ASSIGN(store::UserTransaction writer, store_.begin());
    std::vector<DocumentKey> documents_sent;
    for (const ChromaDocument* document : group) documents_sent.push_back(document->key);
    CODEXMEM_TRY(store::add_copies(*writer, collection.number, documents_sent));
    CODEXMEM_TRY(writer.commit());
    for (const ChromaDocument* document : group) {
      if (!document->rows.empty()) ++sent->count[static_cast<std::size_t>(kind_of(document->key))];
    }
  }
  return {};
}

Result<void> ChromaMirror::send_new(const std::stop_token& stop) {
  const std::string of = scope();
  SentDocuments ignored;
  for (const DocumentKind kind : kChromaKinds) {
    const auto at = static_cast<std::size_t>(kind);
    for (;;) {
      if (stop.stop_requested()) return {};
      std::vector<DocumentKey> keys;
      {
        CODEXMEM_ASSIGN(store::UserMoment reader, store_.moment());
        CODEXMEM_ASSIGN(const auto state, store::read_document_state(*reader));
        if (state.last[at] <= sent_up_to_[at]) break;
        CODEXMEM_ASSIGN(keys, store::list_unsent(*reader, of, kind, sent_up_to_[at], kDocuments));
        if (keys.empty()) {
          sent_up_to_[at] = state.last[at];
          break;
        }
      }
      CODEXMEM_TRY(send(keys, &ignored, stop));
      sent_up_to_[at] = id_of(keys.back());
    }
  }
  return {};
}

Result<void> ChromaMirror::follow(std::stop_token stop) {
  const std::lock_guard lock(working_);
  if (vectors_.embedder() == nullptr) return {};
  if (std::exchange(epoch_, store_.epoch()) != store_.epoch()) is_doubtful_ = true;
  const bool looks = is_doubtful_.exchange(false);
  const auto run = [&]() -> Result<void> {
    refused_.clear();
    if (looks) {
      look_again();
      CODEXMEM_TRY(check_known(stop));
    }
    CODEXMEM_TRY(delete_removed(stop));
    do {
      if (std::exchange(starts_over_, false)) sent_up_to_ = {};
      CODEXMEM_TRY(send_new(stop));
    } while (starts_over_ && !stop.stop_requested());
    return refusal();
  };
  auto done = run();
  // After a failure nothing is taken for granted: it may come back empty.
  if (!done.ok()) is_doubtful_ = true;
  is_behind_ = !done.ok();
  return done;
}

Result<void> ChromaMirror::send_again(std::string_view project, std::size_t limit,
                                      SentDocuments* sent, std::stop_token stop) {
  const std::lock_guard lock(working_);
  if (vectors_.embedder() == nullptr) return {};
  refused_.clear();
  ready_.clear();
  CODEXMEM_TRY(check_known(stop));
  std::vector<std::pair<DocumentKey, bool>> listed;  // with whether they were sent
  {
    CODEXMEM_ASSIGN(store::UserMoment reader, store_.moment());
    for (const DocumentKind kind : kChromaKinds) {
      CODEXMEM_ASSIGN(const auto some, store::list_sendable(*reader, scope(), kind, project));
      listed.insert(listed.end(), some.begin(), some.end());
    }
  }
  std::stable_partition(listed.begin(), listed.end(), [](const auto& one) { return !one.second; });
  if (listed.size() > limit) listed.resize(limit);
  for (std::size_t begin = 0; begin < listed.size(); begin += kDocuments) {
    if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "the backfill was cancelled"};
    std::vector<DocumentKey> keys;
    for (std::size_t i = begin; i < std::min(listed.size(), begin + kDocuments); ++i) {
      keys.push_back(listed[i].first);
    }
    CODEXMEM_TRY(send(keys, sent, stop));
  }
  return refusal();
}

Result<ChromaStatus> ChromaMirror::status(std::stop_token stop) {
  ChromaStatus status;
  const auto beat = chroma_->heartbeat(stop);
  status.is_reachable = beat.ok();
  if (!beat.ok()) status.problem = beat.error().message();
  if (vectors_.embedder() == nullptr) return status;
  std::vector<store::ChromaCollection> places;
  {
    CODEXMEM_ASSIGN(store::UserMoment reader, store_.moment());
    CODEXMEM_ASSIGN(places, store::list_collections(*reader, scope()));
    for (const DocumentKind kind : kChromaKinds) {
      CODEXMEM_ASSIGN(const std::int64_t unsent, store::count_unsent(*reader, scope(), kind));
      status.pending += static_cast<std::size_t>(unsent);
    }
  }
  const auto deadline = SteadyClock::now() + kPatience;
  for (const auto& [number, name, id] : places) {
    if (!status.is_reachable || SteadyClock::now() >= deadline) break;
    if (const auto rows = chroma_->count(id, stop); rows.ok()) {
      status.rows += *rows;
      status.collections.emplace_back(name, *rows);
    } else if (status.problem.empty()) {
      status.problem = rows.error().message();
    }
  }
  if (const std::unique_lock lock(working_, std::try_to_lock);
      lock.owns_lock() && status.problem.empty() && !refused_.empty()) {
    status.problem = refused_.begin()->second;
  }
  return status;
}

}  // namespace codexmem::memory
