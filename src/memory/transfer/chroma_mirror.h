// memory/transfer/chroma_mirror.h - copies of documents in a Chroma server, and what it finds among
// them.
//
// The store is the truth. A document's copy is a few rows, one for each of its texts: an entry's
// body and facts, a summary's fields, a prompt. Which documents were sent is in the store; they
// are sent and deleted in the background, in the order in which they were made, so nobody waits
// for the server but who asks it a question, and not long. A collection that was deleted is made
// and filled again. Thread-safe. Design: docs/how-it-works.md, "Vector backends".
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "embed/chroma.h"
#include "memory/documents/document_vectors.h"
#include "memory/entries/records.h"
#include "store/user/chroma_queue.h"
#include "store/user/user_store.h"

namespace codexmem::memory {

struct ChromaDocument;  // memory/transfer/chroma_rows.h
struct RecallRequest;   // memory/recall/recall.h

/// A document that Chroma finds. It may be gone from the store, or another one may have its number:
/// then its time is another.
struct ChromaNear {
  DocumentKey key{};
  float similarity = 0;  // cosine of the nearest of its texts
  std::int64_t created_at_ms = 0;
};

struct ChromaAnswer {
  std::vector<ChromaNear> near;  // best first, each document once
  bool was_asked = false;        // a collection answered, or none has such documents
  std::string problem;           // why not all of them did; empty: they did
};

/// Documents whose copies were sent, by kind.
struct SentDocuments {
  std::array<std::size_t, 4> count = {};
};

struct ChromaStatus {
  bool is_reachable = false;
  std::size_t rows = 0;                                          // of all collections
  std::vector<std::pair<std::string, std::size_t>> collections;  // with their rows, by name
  std::size_t pending = 0;                                       // documents that were not sent yet
  std::string problem;  // why it is not reachable, or what keeps documents from it
};

class ChromaMirror {
 public:
  /// Why follow() is worth a call.
  enum class Reason : std::uint8_t {
    kDocuments,  // there may be new ones
    kServer,     // it is back, or has lost a collection: now, also if the last call failed
  };
  using Wake = std::function<void(Reason)>;

  /// `collection` has everything; empty: each project has one of its own, named after it. `wake` is
  /// called, on any thread, when follow() is worth a call; may be empty. `store` and `vectors`
  /// outlive this.
  ChromaMirror(store::UserStore& store, const DocumentVectors& vectors,
               std::shared_ptr<embed::Chroma> chroma, std::string collection, Wake wake);

  /// The collection of `project`.
  std::string collection_of(std::string_view project) const;

  /// The documents of the `k` rows nearest to `vector` (of each collection, fewer when there are
  /// many), of the projects, kinds, types and times of
  /// `request`; `among` are all that may be found unless it is empty. In a read transaction of the
  /// caller's. Takes a second at most. Trouble with Chroma is in the answer. Errors:
  /// kCancelled; the store's.
  Result<ChromaAnswer> nearest(store::Database& database, std::span<const float> vector,
                               std::size_t k, const RecallRequest& request,
                               std::span<const DocumentKey> among, std::stop_token stop);

  void wake(Reason reason) const {
    if (wake_) wake_(reason);
  }

  /// Sends the unsent documents, and deletes those that are gone from the store. Returns soon when
  /// there is nothing to do. Errors: Chroma's, the model's and the store's; the work that can be
  /// done is done.
  Result<void> follow(std::stop_token stop);

  /// Sends documents of `project` (empty: of all) again, whether or not they were, at most `limit`:
  /// those that were not sent first, older ones first. Errors: as follow(); `sent` counts on.
  Result<void> send_again(std::string_view project, std::size_t limit, SentDocuments* sent,
                          std::stop_token stop);

  /// Takes a second or two at most. Errors: the store's.
  Result<ChromaStatus> status(std::stop_token stop);

 private:
  std::string scope() const;
  Result<void> refusal() const;
  void look_again();
  Result<store::ChromaCollection> ensure(const std::string& name, const std::stop_token& stop);
  Result<void> check_known(const std::stop_token& stop);
  Result<void> delete_removed(const std::stop_token& stop);
  Result<void> add_vectors(std::vector<ChromaDocument>* documents,
                           const std::stop_token& stop) const;
  Result<void> send(std::span<const DocumentKey> keys, SentDocuments* sent,
                    const std::stop_token& stop);
  Result<void> send_new(const std::stop_token& stop);

  store::UserStore& store_;
  const DocumentVectors& vectors_;
  const std::shared_ptr<embed::Chroma> chroma_;
  const std::string collection_;
  const Wake wake_;

  std::atomic<bool> is_behind_ = false;   // follow() has failed
  std::atomic<bool> is_doubtful_ = true;  // collections may not be what they were

  std::mutex working_;  // held by who writes to Chroma; guards what follows
  std::map<std::string, store::ChromaCollection, std::less<>> ready_;  // looked at, by name
  std::map<std::string, std::string> refused_;   // why, by name of a collection
  std::array<std::int64_t, 4> sent_up_to_ = {};  // no document up to here is left to be sent
  bool starts_over_ = false;                     // a collection was found empty
  std::int64_t removals_ = -1;                   // the store's counter when last looked at
  std::uint64_t epoch_ = 0;                      // of the store of these
};

}  // namespace codexmem::memory
