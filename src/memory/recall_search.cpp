// A search has two halves. The first is wide and cheap: every document that holds a word of the
// query gets the worth of its words (memory/recall_words.h), and the vectors give the nearest. The
// second is narrow: the best of both and the entries beside them are scored with all that is known.
//
//   sum   = words, with those of the entries before and after at a share
//         + meaning x cosine + people + dates + quoted + files
//   score = (1 - e^(-sum)) x recency x current project x superseded
//
// Words of the neighbours count in the formula of BM25 itself and not as a part of their score:
// what a turn of a conversation leaves out is said in the one before it. Two entries are neighbours
// in their session, else in their project when they were saved within ten minutes.
//
// Tested by tests/memory/recall_test.cpp.
#include "memory/recall_search.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "text/prose.h"
#include "base/text.h"
#include "privacy/gate.h"
#include "memory/chroma_mirror.h"
#include "memory/entries.h"
#include "store/user/projects.h"
#include "text/json_lists.h"
#include "memory/recall_filter.h"
#include "memory/recall_query.h"
#include "memory/recall_words.h"

namespace codexmem::memory {
namespace {

constexpr std::size_t kWordCandidates = 300;    // best by their own words, which are looked at
constexpr std::size_t kVectorCandidates = 200;  // nearest by meaning
constexpr std::size_t kAmong = 1'000;           // documents that are named to Chroma one by one
constexpr std::size_t kReadCandidates = 100;    // whose rows are read, for people, files and copies
constexpr std::size_t kCountedMatches = 10'000;
constexpr std::int64_t kNeighbourMs = 10 * 60'000;  // between two entries without a session
constexpr std::int64_t kNeighbourSteps = 64;        // numbers that are looked at for a neighbour
constexpr std::size_t kReach = 3;                   // neighbours on each side
constexpr double kNeighbourDecay = 0.7;             // of what each next one lends
constexpr double kHalfLifeMs = 90.0 * 86'400'000;
// Of documents that only vectors find: a cosine below says nothing, with the built-in model; those
// of others lie closer together, so that one far below the best says as little.
constexpr float kLeastCosine = 0.25F;
constexpr float kLeastOfBest = 0.6F;
constexpr std::size_t kTitleChars = 60;
constexpr std::size_t kTitleBytes = 2'000;  // of a body that its title is made of
constexpr std::size_t kMaxSuccessors = 16;  // that are followed
constexpr double kBelow = 1 - 1e-9;         // of a successor's score is at most left

constexpr char kFoundEntrySql[] = R"sql(
SELECT p.name, e.entry_type, e.title, e.created_at_ms, e.body, e.files_read, e.files_modified,
  length(e.body) + length(e.title) + length(coalesce(e.subtitle, '')) + length(e.facts),
  (SELECT group_concat(m.value, ' ') FROM entry_metadata AS m
   WHERE m.entry_id = e.id AND m.key IN ('speaker', 'author')),
  (SELECT max(l.from_id) FROM entry_links AS l WHERE l.to_id = e.id AND l.kind = 'supersedes'),
  e.source = 'ingest'
FROM entries AS e JOIN projects AS p ON p.id = e.project_id WHERE e.id = ?1)sql";
constexpr char kFoundSummarySql[] = R"sql(
SELECT p.name, 'session', coalesce(s.request, s.completed, s.learned, ''), s.created_at_ms,
  coalesce(s.investigated, '') || ' ' || coalesce(s.learned, '') || ' ' ||
    coalesce(s.completed, '') || ' ' || coalesce(s.next_steps, '') || ' ' || coalesce(s.notes, ''),
  s.files_read, s.files_edited,
  length(coalesce(s.request, '')) + length(coalesce(s.investigated, '')) +
    length(coalesce(s.learned, '')) + length(coalesce(s.completed, '')) +
    length(coalesce(s.next_steps, '')) + length(coalesce(s.notes, '')), NULL, 0, 0
FROM summaries AS s JOIN projects AS p ON p.id = s.project_id WHERE s.id = ?1)sql";
constexpr char kFoundPromptSql[] = R"sql(
SELECT p.name, 'prompt', '', r.created_at_ms, r.prompt_text, '[]', '[]', length(r.prompt_text),
  NULL, 0, 0
FROM prompts AS r JOIN projects AS p ON p.id = r.project_id
WHERE r.id = ?1 AND r.is_private = 0)sql";
constexpr char kFoundDecisionSql[] = R"sql(
SELECT p.name, d.kind, d.title, d.created_at_ms, d.rationale, '[]', '[]',
  length(d.title) + length(d.rationale), NULL, CASE d.status WHEN 'superseded' THEN -1 ELSE 0 END, 0
FROM decisions AS d JOIN projects AS p ON p.id = d.project_id WHERE d.key = ?1)sql";
constexpr const char* kRowSql[] = {kFoundEntrySql, kFoundSummarySql, kFoundPromptSql,
                                   kFoundDecisionSql};

class Watch {
 public:
  // Milliseconds since the start or the last lap.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double, std::milli>(now - std::exchange(begin_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// A document that may be in the answer.
struct RecallCandidate {
  DocumentKey key{};
  const DocumentFacts* facts = nullptr;
  RecallParts parts;
  bool has_cosine = false;
  double sum = 0, score = 0;
};

// What a row adds to a candidate.
struct Row {
  std::string project, type, title, body, speaker;
  std::vector<std::string> files_read, files_modified;
  std::int64_t created_at_ms = 0;
  std::size_t text_chars = 0;
  std::int64_t successor = 0;  // the entry that superseded it; -1: what is not told; 0: none
  bool is_ingested = false;
  std::string terms;  // of title and body: what copies have in common
};

Error cancelled() { return Error{ErrorCode::kCancelled, "the search was cancelled"}; }

// "Ann Lee" of "Ann Lee: what she said"; empty when
// the text does not begin so.
std::string_view speaker_of(std::string_view body) {
  const std::size_t colon = body.substr(0, 48).find(": ");
  if (colon == std::string_view::npos || colon == 0) return {};
  const std::string_view name = body.substr(0, colon);
  if (name.find('\n') != std::string_view::npos || std::count(name.begin(), name.end(), ' ') > 2) {
    return {};
  }
  return name;
}

// The terms of a text in their order: equal of texts that differ in case and marks alone.
void add_terms(std::string_view text, std::string* terms) {
  for_each_prose_term(text, [&](const Term& term) {
    *terms += term.text;
    *terms += ' ';
  });
  *terms += '\n';
}

std::string short_title(std::string_view text) {
  const std::string line = fold_whitespace(text);
  std::size_t chars = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if ((static_cast<unsigned char>(line[i]) & 0xC0U) == 0x80U) continue;
    if (chars++ == kTitleChars) return line.substr(0, i) + "...";
  }
  return line;
}

bool is_newer(const RecallCandidate& a, const RecallCandidate& b) {
  if (a.facts->created_at_ms != b.facts->created_at_ms) {
    return a.facts->created_at_ms > b.facts->created_at_ms;
  }
  return a.key > b.key;
}
bool is_better(const RecallCandidate& a, const RecallCandidate& b) {
  return a.score != b.score ? a.score > b.score : is_newer(a, b);
}

bool is_worthier(const WordMatches::Scored& a, const WordMatches::Scored& b) {
  return a.worth != b.worth ? a.worth > b.worth : a.key > b.key;
}

// One search: what its steps share.
class Search {
 public:
  explicit Search(const RecallContext& context)
      : context_(context),
        database_(*context.database),
        table_(*context.table),
        index_(context.index.get()),
        weights_(context.weights),
        now_ms_(context.now_ms),
        stop_(context.stop) {}

  Result<RecallAnswer> run(const RecallRequest& request);

  /// The candidates of a text by words and meaning
  /// alone, best first.
  Result<std::vector<RecallCandidate>> find_similar(std::string_view text, DocumentKind kind,
                                                    std::size_t k);

 private:
  Result<void> prepare(const RecallRequest& request);
  void degrade(std::string why);
  Result<void> ask_vectors();
  void ask_faiss();
  Result<void> ask_chroma();
  static void keep_near(std::vector<embed::VectorHit>* near);
  Result<void> list_by_time(const RecallRequest& request);
  void choose_candidates();
  void add_candidate(DocumentKey key);
  struct Neighbour {
    DocumentKey key{};
    std::size_t distance = 0;  // 0: the next one
  };
  std::vector<Neighbour> neighbours_of(DocumentKey key) const;
  Result<void> score_candidates(const RecallRequest& request);
  double sum_of(const RecallParts& parts) const;
  void rescore(RecallCandidate* candidate) const;
  Result<bool> read_row(DocumentKey key, Row* row);
  Result<bool> read_candidate_row(RecallCandidate* candidate);
  Result<void> read_rows();
  Result<void> bring_successors();
  void weigh_row(const Row& row, RecallCandidate* candidate) const;
  void rank_below_successors();
  void fold_copies();
  void add_rest(std::size_t count);
  Result<void> add_hit(const RecallCandidate& candidate);

  const RecallContext& context_;
  store::Database& database_;
  const DocumentTable& table_;
  const embed::VectorIndex* index_;
  const RecallWeights& weights_;
  std::int64_t now_ms_;
  std::stop_token stop_;

  RecallFilter filter_;
  RecallQuery query_;
  WordMatches words_;
  RecallRequest request_;
  std::vector<float> query_vector_;  // empty: no vectors are asked
  bool is_in_faiss_ = false;         // cosines are
  std::unordered_map<std::int64_t, float> chroma_cosines_;
  std::vector<embed::VectorHit> near_;
  std::vector<RecallCandidate> candidates_;
  std::unordered_set<std::int64_t> is_candidate_;
  std::unordered_map<std::int64_t, Row> rows_;
  std::unordered_map<std::int64_t, std::size_t> folded_;
  std::uint32_t current_project_ = 0;
  RecallAnswer answer_;
};

Result<void> Search::prepare(const RecallRequest& request) {
  request_ = request;
  query_ = read_recall_query(request.query, now_ms_);
  CODEXMEM_ASSIGN(filter_, RecallFilter::make(database_, table_, request, stop_));
  if (!request.current_project.empty()) {
    CODEXMEM_ASSIGN(const auto project, store::find_project(database_, request.current_project));
    if (project) current_project_ = static_cast<std::uint32_t>(*project);
  }
  return {};
}

void Search::degrade(std::string why) {
  if (answer_.degraded.empty()) answer_.degraded = std::move(why);
}

// The nearest documents, by FAISS, Chroma or both. What fails is said in the answer, and the other
// or words alone find.
Result<void> Search::ask_vectors() {
  const embed::Embedder* const embedder = context_.embedder;
  if (embedder == nullptr) return {};
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
  if (!asks_faiss && !asks_chroma) return {};
  auto vector = embedder->embed_query(query_.text);
  if (!vector.ok()) {
    degrade(vector.error().message());
    return {};
  }
  if (std::all_of(vector->begin(), vector->end(), [](float v) { return v == 0; })) {
    answer_.is_hybrid = true;
    return {};
  }
  query_vector_ = *std::move(vector);
  if (asks_faiss) ask_faiss();
  if (asks_chroma) CODEXMEM_TRY(ask_chroma());
  answer_.vector_hits = near_.size();
  return {};
}

// Of documents that are near: those that are not far behind the nearest.
void Search::keep_near(std::vector<embed::VectorHit>* near) {
  const float best = near->empty() ? 0 : near->front().score;
  std::erase_if(*near, [&](const embed::VectorHit& hit) {
    return hit.score < std::max(kLeastCosine, kLeastOfBest * best);
  });
}

void Search::ask_faiss() {
  embed::IdFilter passes;
  if (!filter_.passes_all()) {
    passes = embed::IdFilter(
        [this](std::int64_t id) { return filter_.passes(static_cast<DocumentKey>(id)); });
  } else {
    passes = embed::IdFilter([](std::int64_t id) {
      return kind_of(static_cast<DocumentKey>(id)) != DocumentKind::kDecision;
    });
  }
  auto near = index_->search(query_vector_, kVectorCandidates, passes);
  if (!near.ok()) {
    degrade(near.error().message());
    return;
  }
  answer_.is_hybrid = true;
  is_in_faiss_ = true;
  near_ = *std::move(near);
  keep_near(&near_);
  answer_.faiss_hits = near_.size();
}

// Adds what Chroma finds. It may know documents that the store has no more, or that are another
// store's: those count as not found.
Result<void> Search::ask_chroma() {
  std::vector<DocumentKey> among;
  if (filter_.needs_rows() && filter_.count() <= kAmong) {
    filter_.for_each([&](DocumentKey key, const DocumentFacts&) { among.push_back(key); });
    if (among.empty()) return {};
  }
  CODEXMEM_ASSIGN(const ChromaAnswer found,
                  context_.chroma->nearest(database_, query_vector_, kVectorCandidates, request_,
                                           among, stop_));
  if (!found.problem.empty()) degrade(found.problem);
  answer_.is_hybrid = answer_.is_hybrid || found.was_asked;
  std::vector<embed::VectorHit> near;
  for (const ChromaNear& one : found.near) {
    if (table_.facts(one.key).created_at_ms != one.created_at_ms || !filter_.passes(one.key)) {
      continue;
    }
    chroma_cosines_.emplace(static_cast<std::int64_t>(one.key), one.similarity);
    near.push_back({static_cast<std::int64_t>(one.key), one.similarity});
  }
  keep_near(&near);
  answer_.chroma_hits = near.size();
  std::unordered_set<std::int64_t> known;
  for (const embed::VectorHit& hit : near_) known.insert(hit.id);
  for (const embed::VectorHit& hit : near) {
    if (known.insert(hit.id).second) near_.push_back(hit);
  }
  return {};
}

void Search::add_candidate(DocumentKey key) {
  const DocumentFacts& facts = table_.facts(key);
  if (!facts.is_there || !is_candidate_.insert(static_cast<std::int64_t>(key)).second) return;
  RecallCandidate candidate;
  candidate.key = key;
  candidate.facts = &facts;
  candidates_.push_back(candidate);
}

// The entries before and after an entry, the nearest
// first on each side.
std::vector<Search::Neighbour> Search::neighbours_of(DocumentKey key) const {
  std::vector<Neighbour> found;
  if (kind_of(key) != DocumentKind::kEntry) return found;
  const DocumentFacts& own = table_.facts(key);
  for (const std::int64_t step : {-1, 1}) {
    std::size_t distance = 0;
    std::int64_t last_ms = own.created_at_ms;
    for (std::int64_t i = 1; i <= kNeighbourSteps && distance < kReach; ++i) {
      const std::int64_t id = id_of(key) + step * i;
      if (id < 1) break;
      const DocumentKey other = document_key(DocumentKind::kEntry, id);
      const DocumentFacts& facts = table_.facts(other);
      if (!facts.is_there || facts.project != own.project || facts.session != own.session) continue;
      const std::int64_t apart = (facts.created_at_ms - last_ms) * step;
      if (apart < 0 || (own.session == 0 && apart > kNeighbourMs)) break;
      last_ms = facts.created_at_ms;
      found.push_back({other, distance++});
    }
  }
  return found;
}

// The best by words, the nearest, and the entries beside both that have a word of their own.
void Search::choose_candidates() {
  std::vector<WordMatches::Scored> best = words_.matches();
  if (best.size() > kWordCandidates) {
    std::nth_element(best.begin(), best.begin() + kWordCandidates, best.end(), is_worthier);
    best.resize(kWordCandidates);
  }
  for (const WordMatches::Scored& match : best) add_candidate(match.key);
  for (const embed::VectorHit& hit : near_) add_candidate(static_cast<DocumentKey>(hit.id));
  if (weights_.neighbours <= 0) return;
  const std::size_t own = candidates_.size();
  std::vector<float> counts(words_.term_count());
  for (std::size_t i = 0; i < own; ++i) {
    for (const Neighbour& neighbour : neighbours_of(candidates_[i].key)) {
      words_.read_counts(neighbour.key, counts);
      const bool has_word =
          std::any_of(counts.begin(), counts.end(), [](float n) { return n > 0; });
      if (has_word && filter_.passes(neighbour.key)) add_candidate(neighbour.key);
    }
  }
}

double Search::sum_of(const RecallParts& parts) const {
  return parts.words + parts.neighbours + weights_.meaning * std::max(0.0, parts.meaning) +
         parts.title + parts.people + parts.dates + parts.quoted + parts.files;
}

void Search::rescore(RecallCandidate* candidate) const {
  candidate->sum = sum_of(candidate->parts);
  candidate->score = (1 - std::exp(-candidate->sum)) * candidate->parts.age *
                     candidate->parts.project * candidate->parts.ingested *
                     candidate->parts.superseded;
}

Result<void> Search::score_candidates(const RecallRequest&) {
  // Vectors, of all candidates at once.
  std::unordered_map<std::int64_t, float> cosines = chroma_cosines_;
  if (is_in_faiss_) {
    std::vector<std::int64_t> ids;
    for (const RecallCandidate& candidate : candidates_) {
      ids.push_back(static_cast<std::int64_t>(candidate.key));
    }
    std::sort(ids.begin(), ids.end());
    CODEXMEM_ASSIGN(const auto scored, index_->score_ids(query_vector_, ids));
    for (const embed::VectorHit& hit : scored) {
      const auto [at, is_new] = cosines.emplace(hit.id, hit.score);
      if (!is_new) at->second = std::max(at->second, hit.score);
    }
  }
  std::vector<float> own(words_.term_count()), with(words_.term_count()),
      beside(words_.term_count());
  for (RecallCandidate& candidate : candidates_) {
    RecallParts& parts = candidate.parts;
    words_.read_counts(candidate.key, own);
    parts.words = words_.worth(own, candidate.facts->length);
    if (weights_.neighbours > 0) {
      // A neighbour's word counts where the entry
      // itself has none: that of the nearest, once.
      with = own;
      for (const Neighbour& neighbour : neighbours_of(candidate.key)) {
        words_.read_counts(neighbour.key, beside);
        const auto lent =
            static_cast<float>(weights_.neighbours *
                               std::pow(kNeighbourDecay, static_cast<double>(neighbour.distance)));
        for (std::size_t t = 0; t < with.size(); ++t) {
          if (own[t] == 0 && beside[t] > 0)
            with[t] = std::max(with[t], lent * std::min(beside[t], 1.0F));
        }
      }
      parts.neighbours = words_.worth(with, candidate.facts->length) - parts.words;
    }
    if (const auto found = cosines.find(static_cast<std::int64_t>(candidate.key));
        found != cosines.end()) {
      parts.meaning = static_cast<double>(found->second);
      candidate.has_cosine = true;
    }
    if (words_.is_in_title(candidate.key)) parts.title = weights_.title;
    parts.quoted = weights_.quoted * words_.quoted_share(candidate.key);
    for (const DateSpan& span : query_.dates) {
      if (candidate.facts->created_at_ms >= span.from_ms &&
          candidate.facts->created_at_ms <= span.to_ms) {
        parts.dates = weights_.dates;
      }
    }
    const auto age =
        static_cast<double>(std::max<std::int64_t>(0, now_ms_ - candidate.facts->created_at_ms));
    parts.age = 1 - weights_.recency + weights_.recency * std::exp2(-age / kHalfLifeMs);
    if (current_project_ != 0 && candidate.facts->project != current_project_) {
      parts.project = 1 - weights_.project;
    }
    rescore(&candidate);
  }
  std::sort(candidates_.begin(), candidates_.end(), is_better);
  return {};
}

Result<bool> Search::read_row(DocumentKey key, Row* row) {
  CODEXMEM_ASSIGN(store::Statement read,
                  database_.statement(kRowSql[static_cast<std::size_t>(kind_of(key))]));
  read.bind(1, id_of(key));
  CODEXMEM_ASSIGN(const bool found, read.step());
  if (!found) return false;
  row->project = read.text(0);
  row->type = read.text(1);
  row->title = read.text(2);
  row->created_at_ms = read.integer(3);
  row->body = read.text(4);
  row->files_read = read_json_list(read.text(5));
  row->files_modified = read_json_list(read.text(6));
  row->text_chars = static_cast<std::size_t>(read.integer(7));
  row->speaker = read.text(8);
  row->successor = read.integer(9);
  row->is_ingested = read.integer(10) != 0;
  return true;
}

void Search::weigh_row(const Row& row, RecallCandidate* candidate) const {
  RecallParts& parts = candidate->parts;
  const std::string speaker = row.speaker + " " + std::string(speaker_of(row.body));
  for_each_prose_term(speaker, [&](const Term& term) {
    const auto& known = query_.words;
    if (term.text.size() > 1 && std::find(known.begin(), known.end(), term.text) != known.end()) {
      parts.people = weights_.people;
    }
  });
  for (const std::string& file : query_.files) {
    const auto is_meant = [&](const std::string& path) {
      return to_lower_ascii(path).find(file) != std::string::npos;
    };
    if (std::any_of(row.files_read.begin(), row.files_read.end(), is_meant) ||
        std::any_of(row.files_modified.begin(), row.files_modified.end(), is_meant)) {
      parts.files = weights_.files;
    }
  }
  if (row.is_ingested) parts.ingested = 1 - weights_.ingested;
  if (row.successor != 0) parts.superseded = weights_.superseded;
  rescore(candidate);
}

// False when it is gone.
Result<bool> Search::read_candidate_row(RecallCandidate* candidate) {
  Row row;
  CODEXMEM_ASSIGN(const bool found, read_row(candidate->key, &row));
  if (!found) return false;
  weigh_row(row, candidate);
  add_terms(row.title, &row.terms);
  add_terms(row.body, &row.terms);
  rows_.insert_or_assign(static_cast<std::int64_t>(candidate->key), std::move(row));
  return true;
}

// The rows of the best candidates, which may change
// their order; those that are gone are left out.
Result<void> Search::read_rows() {
  const std::size_t count = std::min(candidates_.size(), kReadCandidates);
  std::vector<RecallCandidate> kept;
  kept.reserve(candidates_.size());
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    RecallCandidate& candidate = candidates_[i];
    if (i < count) {
      if (stop_.stop_requested()) return cancelled();
      CODEXMEM_ASSIGN(const bool found, read_candidate_row(&candidate));
      if (!found) continue;
    }
    kept.push_back(candidate);
  }
  candidates_ = std::move(kept);
  return {};
}

// What holds now is found by the words of what held before, too: the last in the line of those that
// superseded a candidate is at least as good as that one, though it may have no word of the query.
Result<void> Search::bring_successors() {
  std::unordered_map<std::int64_t, std::size_t> places;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    places.emplace(static_cast<std::int64_t>(candidates_[i].key), i);
  }
  std::vector<float> counts(words_.term_count());
  const std::size_t own = candidates_.size();
  for (std::size_t i = 0; i < own; ++i) {
    DocumentKey key = candidates_[i].key;
    for (std::size_t step = 0; step < kMaxSuccessors; ++step) {
      const auto row = rows_.find(static_cast<std::int64_t>(key));
      if (row == rows_.end() || row->second.successor <= 0) break;
      const DocumentKey next = document_key(DocumentKind::kEntry, row->second.successor);
      if (!rows_.contains(static_cast<std::int64_t>(next))) {
        Row read;
        CODEXMEM_ASSIGN(const bool found, read_row(next, &read));
        if (!found) break;
        rows_.emplace(static_cast<std::int64_t>(next), std::move(read));
      }
      key = next;
    }
    if (key == candidates_[i].key || !filter_.passes(key)) continue;
    const auto [place, is_new] = places.emplace(static_cast<std::int64_t>(key), candidates_.size());
    if (is_new) {
      add_candidate(key);
      CODEXMEM_TRY(read_candidate_row(&candidates_.back()));
      words_.read_counts(key, counts);
      const bool is_match =
          std::any_of(counts.begin(), counts.end(), [](float n) { return n > 0; });
      if (!is_match) ++answer_.counts[static_cast<std::size_t>(DocumentKind::kEntry)];
    }
    RecallCandidate& last = candidates_[place->second];
    last.score = std::max(last.score, candidates_[i].score);
  }
  return {};
}

// What was superseded comes after what superseded it, however well it fits.
void Search::rank_below_successors() {
  std::unordered_map<std::int64_t, RecallCandidate*> by_key;
  for (RecallCandidate& candidate : candidates_) {
    by_key.emplace(static_cast<std::int64_t>(candidate.key), &candidate);
  }
  for (RecallCandidate& candidate : candidates_) {
    DocumentKey key = candidate.key;
    for (std::size_t step = 0; step < kMaxSuccessors; ++step) {
      const auto row = rows_.find(static_cast<std::int64_t>(key));
      if (row == rows_.end() || row->second.successor <= 0) break;
      key = document_key(DocumentKind::kEntry, row->second.successor);
      const auto successor = by_key.find(static_cast<std::int64_t>(key));
      if (successor == by_key.end()) continue;
      candidate.score =
          std::min(candidate.score, successor->second->score * std::pow(kBelow, step + 1));
    }
  }
}

// Of texts of one project that differ in case and marks alone the newest that is not superseded
// stands for all, at the place of the best.
void Search::fold_copies() {
  std::vector<RecallCandidate> kept;
  std::vector<const Row*> rows;
  std::map<std::tuple<DocumentKind, std::string_view, std::string_view>, std::size_t> places;
  for (const RecallCandidate& candidate : candidates_) {
    const auto found = rows_.find(static_cast<std::int64_t>(candidate.key));
    const Row* row = found == rows_.end() ? nullptr : &found->second;
    const auto [place, is_first] =
        row == nullptr
            ? std::pair(places.end(), true)
            : places.try_emplace({kind_of(candidate.key), row->project, row->terms}, kept.size());
    if (is_first) {
      kept.push_back(candidate);
      rows.push_back(row);
      continue;
    }
    const std::size_t same = place->second;
    ++answer_.folded;
    // A copy is no result of its own, so that pages end where the total does.
    if (auto& count = answer_.counts[static_cast<std::size_t>(kind_of(candidate.key))]; count > 0) {
      --count;
    }
    RecallCandidate& shown = kept[same];
    const std::size_t older = folded_[static_cast<std::int64_t>(shown.key)] + 1;
    const bool is_current = row->successor == 0, shown_is_current = rows[same]->successor == 0;
    if (is_current != shown_is_current ? is_current : is_newer(candidate, shown)) {
      const double score = shown.score;
      shown = candidate;
      shown.score = score;
      rows[same] = row;
    }
    folded_[static_cast<std::int64_t>(shown.key)] = older;
  }
  candidates_ = std::move(kept);
}

// Behind the candidates the other documents that hold a word, by their words alone, until there are
// `count`. How many are asked for must not change who comes before whom: pages would repeat some
// and leave out others.
void Search::add_rest(std::size_t count) {
  if (candidates_.size() >= count) return;
  std::vector<WordMatches::Scored> rest;
  for (const WordMatches::Scored& match : words_.matches()) {
    if (!is_candidate_.contains(static_cast<std::int64_t>(match.key))) rest.push_back(match);
  }
  const std::size_t taken = std::min(rest.size(), count - candidates_.size());
  std::partial_sort(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(taken), rest.end(),
                    is_worthier);
  for (std::size_t i = 0; i < taken; ++i) {
    const double least = candidates_.empty() ? 1 : candidates_.back().score;
    RecallCandidate candidate;
    candidate.key = rest[i].key;
    candidate.facts = &table_.facts(rest[i].key);
    candidate.parts.words = static_cast<double>(rest[i].worth);
    rescore(&candidate);
    candidate.score = std::min(candidate.score, least);
    candidates_.push_back(candidate);
  }
}

Result<void> Search::add_hit(const RecallCandidate& candidate) {
  const Row& row = rows_.at(static_cast<std::int64_t>(candidate.key));
  RecallHit hit;
  hit.key = candidate.key;
  hit.project = row.project;
  hit.type = row.type;
  hit.title = row.title.empty() ? short_title(privacy::redacted(utf8_prefix(row.body, kTitleBytes)))
                                : privacy::redacted(row.title);
  hit.file = !row.files_modified.empty() ? row.files_modified.front()
             : !row.files_read.empty()   ? row.files_read.front()
                                         : std::string();
  hit.file = privacy::redacted(hit.file);
  hit.created_at_ms = row.created_at_ms;
  hit.text_chars = row.text_chars;
  if (const auto found = folded_.find(static_cast<std::int64_t>(hit.key)); found != folded_.end()) {
    hit.folded = found->second;
  }
  if (kind_of(hit.key) == DocumentKind::kEntry) {
    CODEXMEM_ASSIGN(hit.succession, find_succession(database_, EntryId{id_of(hit.key)}));
  }
  hit.score = candidate.score;
  hit.parts = candidate.parts;
  answer_.hits.push_back(std::move(hit));
  return {};
}

// The page of all that passes (of all that matches,
// when there is a query), in the order of time.
Result<void> Search::list_by_time(const RecallRequest& request) {
  const bool oldest = request.order == RecallOrder::kOldest;
  struct Timed {
    std::int64_t at = 0;
    DocumentKey key{};
  };
  std::vector<Timed> all;
  const auto add = [&](DocumentKey key, const DocumentFacts& facts) {
    all.push_back({facts.created_at_ms, key});
  };
  if (query_.terms.empty() && near_.empty()) {
    filter_.for_each(add);
  } else {
    for (const auto& match : words_.matches()) add(match.key, table_.facts(match.key));
    std::unordered_set<std::int64_t> seen;
    for (const auto& match : words_.matches()) seen.insert(static_cast<std::int64_t>(match.key));
    for (const embed::VectorHit& hit : near_) {
      const auto key = static_cast<DocumentKey>(hit.id);
      if (!seen.contains(hit.id)) add(key, table_.facts(key));
    }
  }
  answer_.total = all.size();
  for (const Timed& one : all) ++answer_.counts[static_cast<std::size_t>(kind_of(one.key))];
  const std::size_t end = std::min(all.size(), request.offset + request.limit);
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(end), all.end(),
                    [&](const Timed& a, const Timed& b) {
                      const bool before = a.at != b.at ? a.at < b.at : a.key < b.key;
                      const bool same = a.at == b.at && a.key == b.key;
                      return oldest ? before : !before && !same;
                    });
  std::vector<DocumentKey> page;
  for (std::size_t i = request.offset; i < end; ++i) page.push_back(all[i].key);
  for (const DocumentKey key : page) add_candidate(key);
  CODEXMEM_TRY(score_candidates(request));
  std::unordered_map<std::int64_t, RecallCandidate> scored;
  for (RecallCandidate& candidate : candidates_) {
    Row row;
    CODEXMEM_ASSIGN(const bool found, read_row(candidate.key, &row));
    if (!found) continue;
    weigh_row(row, &candidate);
    rows_.emplace(static_cast<std::int64_t>(candidate.key), std::move(row));
    scored.emplace(static_cast<std::int64_t>(candidate.key), candidate);
  }
  for (const DocumentKey key : page) {
    const auto found = scored.find(static_cast<std::int64_t>(key));
    if (found == scored.end()) continue;
    if (request.query.empty()) found->second.score = 0;
    CODEXMEM_TRY(add_hit(found->second));
  }
  return {};
}

Result<RecallAnswer> Search::run(const RecallRequest& request) {
  Watch watch;
  answer_.degraded = context_.missing_model;
  answer_.backend = context_.backend;
  CODEXMEM_TRY(prepare(request));
  const bool has_query = !trim(request.query).empty();
  if (has_query) {
    CODEXMEM_ASSIGN(words_, WordMatches::read(
                                database_, query_, table_,
                                [this](DocumentKey key, const DocumentFacts& facts) {
                                  return filter_.passes(key, facts);
                                },
                                filter_.count()));
    answer_.lexical_hits = words_.matches().size();
    answer_.lexical_ms = watch.lap();
    if (stop_.stop_requested()) return cancelled();
    CODEXMEM_TRY(ask_vectors());
    answer_.vector_ms = watch.lap();
    if (stop_.stop_requested()) return cancelled();
  }
  if (!has_query || request.order != RecallOrder::kRelevance) {
    // A query of which nothing can be looked for
    // matches nothing.
    if (!has_query || !words_.matches().empty() || !near_.empty()) {
      CODEXMEM_TRY(list_by_time(request));
    }
  } else {
    choose_candidates();
    CODEXMEM_TRY(score_candidates(request));
    for (const auto& match : words_.matches()) {
      ++answer_.counts[static_cast<std::size_t>(kind_of(match.key))];
    }
    for (const RecallCandidate& candidate : candidates_) {
      if (candidate.parts.words <= 0) {
        ++answer_.counts[static_cast<std::size_t>(kind_of(candidate.key))];
      }
    }
    CODEXMEM_TRY(read_rows());
    CODEXMEM_TRY(bring_successors());
    rank_below_successors();
    std::sort(candidates_.begin(), candidates_.end(), is_better);
    fold_copies();
    for (const std::size_t count : answer_.counts) answer_.total += count;
    add_rest(request.offset + request.limit);
    for (std::size_t i = request.offset;
         i < candidates_.size() && answer_.hits.size() < request.limit; ++i) {
      const RecallCandidate& candidate = candidates_[i];
      if (!rows_.contains(static_cast<std::int64_t>(candidate.key))) {
        Row row;
        CODEXMEM_ASSIGN(const bool found, read_row(candidate.key, &row));
        if (!found) continue;
        rows_.emplace(static_cast<std::int64_t>(candidate.key), std::move(row));
      }
      CODEXMEM_TRY(add_hit(candidate));
    }
  }
  answer_.total_is_estimate = words_.is_cut() || answer_.total > kCountedMatches;
  answer_.fuse_ms = watch.lap();
  return std::move(answer_);
}

Result<std::vector<RecallCandidate>> Search::find_similar(std::string_view text, DocumentKind kind,
                                                          std::size_t k) {
  RecallRequest request;
  request.query = std::string(text);
  request.kinds = {kind};
  request.limit = k;
  CODEXMEM_TRY(prepare(request));
  CODEXMEM_ASSIGN(words_, WordMatches::read(
                              database_, query_, table_,
                              [this](DocumentKey key, const DocumentFacts& facts) {
                                return filter_.passes(key, facts);
                              },
                              filter_.count()));
  CODEXMEM_TRY(ask_vectors());
  choose_candidates();
  CODEXMEM_TRY(score_candidates(request));
  return std::move(candidates_);
}

}  // namespace

Result<RecallAnswer> search_documents(const RecallContext& context, const RecallRequest& request) {
  Watch watch;
  CODEXMEM_ASSIGN(RecallAnswer answer, Search(context).run(request));
  answer.total_ms = watch.lap();
  return answer;
}

Result<std::vector<ScoredDocument>> find_similar_documents(const RecallContext& context,
                                                           std::string_view text, DocumentKind kind,
                                                           std::size_t k) {
  RecallContext alone = context;
  alone.weights.neighbours = 0;
  CODEXMEM_ASSIGN(const std::vector<RecallCandidate> found,
                  Search(alone).find_similar(text, kind, k));
  std::vector<ScoredDocument> documents;
  for (const RecallCandidate& candidate : found) {
    const double similarity =
        candidate.has_cosine ? candidate.parts.meaning : std::min(1.0, candidate.parts.words);
    if (similarity > 0) documents.push_back({candidate.key, std::min(1.0, similarity)});
  }
  std::sort(documents.begin(), documents.end(),
            [](const ScoredDocument& a, const ScoredDocument& b) {
              return a.similarity != b.similarity ? a.similarity > b.similarity : a.key > b.key;
            });
  if (documents.size() > k) documents.resize(k);
  return documents;
}

}  // namespace codexmem::memory
