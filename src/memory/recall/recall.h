// memory/recall/recall.h - finding what was remembered: by words, by meaning, by filters.
//
// Candidates come from the full-text index (a BM25 of our own) and from the vectors, which are
// brought up to the store first; gentle signals order them: the entries next to a hit, people,
// dates, quoted words, files, age. A signal moves a hit, none hides one; only what the request
// names as a filter does. Without a model everything works by words. Design and figures:
// docs/how-it-works.md, "Memory".
//
// Thread-safe: answers are made side by side, each with its own reading connection.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "memory/branches/branch_access.h"
#include "memory/clock.h"
#include "memory/documents/document_vectors.h"
#include "memory/entries/records.h"
#include "memory/vector_backend.h"
#include "store/user/user_store.h"

namespace codexmem::memory {

class ChromaMirror;  // memory/transfer/chroma_mirror.h

enum class RecallOrder : std::uint8_t { kRelevance, kNewest, kOldest };

/// The request. Several values of one filter: any of them; several filters: all of them. A
/// filter that a kind of document cannot pass (a prompt has no concepts) leaves that kind out.
struct RecallRequest {
  std::string query;                  // as the user wrote it; empty: by filters and time alone
  std::vector<std::string> projects;  // none: every project
  std::string current_project;        // its documents come first among equals; empty: none
  std::vector<DocumentKind> kinds;    // none: entries, summaries and prompts
  std::vector<std::string> types;     // of entries, exact
  std::vector<std::string> concepts;  // of entries, exact
  std::vector<std::string> files;     // part of a path that it is about, any case
  std::optional<std::int64_t> from_ms, to_ms;   // created within, both inclusive
  RecallOrder order = RecallOrder::kRelevance;  // kRelevance without a query: newest first
  bool is_local = false;  // asks no other program: by words where the model or Chroma is one
  std::size_t limit = 20;
  std::size_t offset = 0;
  std::shared_ptr<const BranchScope> scope = {};  // null: from RecallOptions::branches
};

/// Where a hit's score comes from, for people who ask.
struct RecallParts {
  double words = 0;       // 1: each word of the query once in a text of usual length
  double neighbours = 0;  // what the entries next to it add to the words
  double coverage = 0;   // share of the query's words, by rarity, that it and those next to it hold
  double meaning = 0;    // cosine of the vectors
  double nearness = 0;   // the part above the model's usual value, 0 to 1
  double nearby = 0;     // the greatest nearness of the entries next to it, by distance
  bool is_turn = false;  // of a talk
  bool asks = false;     // ends with a question
  double title = 0, people = 0, dates = 0, quoted = 0, files = 0;  // what each adds to the sum
  double age = 1;                                                  // factors
  double project = 1;
  double ingested = 1;
  double superseded = 1;
};

struct RecallHit {
  DocumentKey key{};
  std::string project;
  std::string type;   // an entry's own; "session", "prompt" or "decision" else
  std::string title;  // of a prompt its beginning, of a summary its request; passed by the policy
  std::string file;   // the first modified, else the first read; empty: none
  std::int64_t created_at_ms = 0;
  std::size_t text_chars = 0;  // code points of what get_observations would give
  std::size_t folded = 0;      // other documents of nearly the same text that this one represents
  Succession succession;       // of an entry
  /// In [0, 1], never rising down an answer by relevance; 0 without a query. It is made of the
  /// parts alone, so that 0.8 means as good an answer to one query as to another.
  double score = 0;
  RecallParts parts;
};

struct RecallAnswer {
  std::vector<RecallHit> hits;
  std::size_t total = 0;           // matches before limit and offset, copies once
  bool total_is_estimate = false;  // more matches than are counted one by one
  bool is_weak = false;            // by words and meaning, nothing may be what was asked for
  std::array<std::size_t, 4> counts = {};  // of total, by DocumentKind
  std::size_t folded = 0;                  // besides them, shown as part of another hit
  std::string degraded;  // why vectors that were wanted did not help; empty: they did, or none were
  bool is_hybrid = false;                          // vectors were asked
  VectorBackend backend = VectorBackend::kSqlite;  // that was to be asked
  std::size_t lexical_hits = 0, vector_hits = 0;
  std::size_t faiss_hits = 0, chroma_hits = 0;  // of vector_hits, by where they came from
  double total_ms = 0, lexical_ms = 0, vector_ms = 0, fuse_ms = 0;
};

/// What there is of vectors.
struct VectorStatus {
  std::string model;           // empty: none
  std::size_t embeddings = 0;  // of that model, in the store
  std::size_t pending = 0;     // documents without one: not made yet, or no word that it knows
  std::size_t indexed = 0;     // vectors that searches of this process look through
  std::string index;           // FAISS's name for what holds these; empty: nothing does
  bool is_behind = false;      // this process has not yet taken in what was saved last
};

/// A document and how near it is to a text, 0 to 1.
struct ScoredDocument {
  DocumentKey key{};
  double similarity = 0;
};

/// How much each signal says; 0 switches it off. The defaults were chosen by measurement
/// (bench/memory.md).
struct RecallWeights {
  double before = 0.5;         // of a word in the entry before, against one of its own
  double after = 0.35;         // of a word in the entry after
  double coverage = 3;         // power of the share of the query that a note's words cover
  double turn_coverage = 0.3;  // of a turn's
  double meaning = 0.7;        // of a note's nearness of 1, against all words of the query
  double turn_meaning = 0.3;   // of a turn's
  double nearby = 0.5;         // of the nearness of a turn next to it, against a turn's own
  double asking = 0.15;        // is what a turn loses that ends with a question
  double people = 0.15;        // said by somebody whom the query names
  double dates = 0.15;         // its date is one that the query names
  double quoted = 0.6;         // holds what the query quotes
  double files = 0.3;          // of a file that the query names
  double title = 0.3;          // its own title holds every word of the query
  double project = 0.05;       // of the current project
  double ingested = 0.1;       // is what a section of a document loses next to what was saved
  double recency = 0.15;       // of the score fades with a half-life of 90 days
  double superseded = 0.5;     // the remaining share of a superseded entry's score
};

struct RecallOptions {
  VectorBackend backend = VectorBackend::kSqlite;
  ChromaMirror* chroma = nullptr;  // of the other two; outlives this
  /// Why there is no `chroma` though the backend wants one; said in every answer.
  std::string missing_chroma;
  /// Why there is no embedder though one is configured; said in every answer. Empty: none is
  /// wanted, or there is one.
  std::string missing_model;
  RecallWeights weights;
  const BranchAccess* branches = nullptr;  // hides documents; may be null; outlives this
};

class Recall {
 public:
  /// `store` and `vectors` must outlive this. Nothing is read yet.
  Recall(store::UserStore& store, const DocumentVectors& vectors, Clock clock,
         RecallOptions options = {});
  ~Recall();
  Recall(const Recall&) = delete;
  Recall& operator=(const Recall&) = delete;

  /// What matches `request`, best first; ties by the newer, then the greater key. Any text is a
  /// query. Private prompts are never found. Errors: kCancelled; the store's. A model that
  /// fails is no error (RecallAnswer::degraded).
  Result<RecallAnswer> search(const RecallRequest& request, std::stop_token stop = {});

  /// The `k` documents of `kind` nearest to `text`, best first: by the cosine of the vectors, below
  /// 0 as 0; without any by the share of the text's words, weighed by how rare they are.
  /// Errors as search().
  Result<std::vector<ScoredDocument>> candidates(std::string_view text, DocumentKind kind,
                                                 std::size_t k, std::stop_token stop = {});

  /// Errors: as search().
  Result<VectorStatus> vector_status();

  /// maintain(), if the store has vectors of another release's built-in model.
  Result<void> renew_vectors(std::stop_token stop = {});

  /// Work that is not urgent: vectors of documents that have none yet, lists of near vectors, the
  /// file of vectors that lets the next process start quickly. For a thread of its own, now and
  /// then and after many documents were saved; returns soon when there is nothing to do. Errors: as
  /// search(), the model's, kIo.
  Result<void> maintain(std::stop_token stop = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::memory
