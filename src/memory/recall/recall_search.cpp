// A search has two halves. The first is wide and cheap: every document that holds a word of the
// query gets the worth of its words (memory/recall/recall_words.h), and the vectors give the
// nearest. The second is narrow: the best of both and the entries next to them are scored with all
// that is known.
//
//   sum   = words, with the words of the entries before and after at a share, x coverage^power
//         + meaning x cosine + people + dates + quoted + files
//   score = (1 - e^(-sum)) x recency x current project x superseded
//
// Words of the neighbours count in the formula of BM25 itself and not as a part of their score:
// what a turn of a conversation leaves out is said in the one before it. Turns have other weights
// than notes (memory/recall/recall_score.h); which is which is known once their rows are read.
//
// Tested by tests/memory/recall_test.cpp.
#include "memory/recall/recall_search.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "text/prose.h"
#include "base/text.h"
#include "embed/static_model.h"
#include "privacy/gate.h"
#include "memory/entries/entries.h"
#include "store/user/projects.h"
#include "memory/recall/recall_filter.h"
#include "memory/recall/recall_near.h"
#include "memory/recall/recall_neighbours.h"
#include "memory/recall/recall_query.h"
#include "memory/recall/recall_rows.h"
#include "memory/recall/recall_score.h"
#include "memory/recall/recall_words.h"

namespace codexmem::memory {
namespace {

constexpr std::size_t kWordCandidates = 300;  // best by their own words, which are looked at
constexpr std::size_t kReadCandidates = 100;  // whose rows are read, for people, files and copies
constexpr std::size_t kCountedMatches = 10'000;
constexpr double kNeighbourDecay = 0.7;  // of what each next one lends
constexpr double kHalfLifeMs = 90.0 * 86'400'000;
constexpr std::size_t kTitleChars = 60;
// Below, nearness + share of the known words is what foreign questions have, too.
constexpr double kKnownWords = 0.3;
constexpr double kWeak = 0.38;
constexpr std::size_t kTitleBytes = 2'000;  // of a body that its title is made of

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

std::string short_title(std::string_view text) {
  const std::string line = fold_whitespace(text);
  std::size_t chars = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if ((static_cast<unsigned char>(line[i]) & 0xC0U) == 0x80U) continue;
    if (chars++ == kTitleChars) return line.substr(0, i) + "...";
  }
  return line;
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
        weights_(context.weights),
        now_ms_(context.now_ms),
        stop_(context.stop),
        neighbours_(table_),
        rows_(database_) {}

  Result<RecallAnswer> run(const RecallRequest& request);

  /// The candidates of a text by words and meaning alone, best first.
  Result<std::vector<RecallCandidate>> find_similar(std::string_view text, DocumentKind kind,
                                                    std::size_t k);

 private:
  Result<void> prepare(const RecallRequest& request);
  Result<void> match_words();
  Result<void> ask_vectors();
  Result<void> list_by_time(const RecallRequest& request);
  void choose_candidates();
  void add_candidate(DocumentKey key);
  bool lends() const { return weights_.before > 0 || weights_.after > 0; }
  std::string text_for_model() const;
  using Cosines = std::unordered_map<std::int64_t, double>;
  Result<Cosines> read_cosines();
  void score_words(RecallCandidate* candidate);
  Result<void> score_candidates();
  Result<bool> is_turn(const store::RecallRow& row, DocumentKey key);
  bool is_weak() const;
  Result<bool> read_candidate_row(RecallCandidate* candidate);
  Result<void> read_rows();
  Result<void> bring_successors();
  Result<void> weigh_row(const store::RecallRow& row, RecallCandidate* candidate);
  void add_rest(std::size_t count);
  Result<void> add_hit(const RecallCandidate& candidate);

  const RecallContext& context_;
  store::Database& database_;
  const DocumentTable& table_;
  const RecallWeights& weights_;
  std::int64_t now_ms_;
  std::stop_token stop_;

  RecallFilter filter_;
  RecallQuery query_;
  WordMatches words_;
  RecallRequest request_;
  NearDocuments near_;
  std::vector<RecallCandidate> candidates_;
  std::unordered_set<std::int64_t> is_candidate_;
  RecallNeighbours neighbours_;
  RecallRows rows_;
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

Result<void> Search::ask_vectors() {
  if (context_.embedder == nullptr) return {};
  CODEXMEM_ASSIGN(near_, find_near(context_, filter_, request_, text_for_model()));
  if (answer_.degraded.empty()) answer_.degraded = near_.degraded;
  answer_.is_hybrid = near_.is_hybrid;
  answer_.faiss_hits = near_.faiss_hits;
  answer_.chroma_hits = near_.chroma_hits;
  answer_.vector_hits = near_.hits.size();
  return {};
}

void Search::add_candidate(DocumentKey key) {
  const DocumentFacts& facts = table_.facts(key);
  if (!facts.exists || !is_candidate_.insert(static_cast<std::int64_t>(key)).second) return;
  RecallCandidate candidate;
  candidate.key = key;
  candidate.facts = &facts;
  candidates_.push_back(candidate);
}

// The best by words, the nearest, and the entries next to both that have a word of their own.
void Search::choose_candidates() {
  std::vector<WordMatches::Scored> best = words_.matches();
  if (best.size() > kWordCandidates) {
    std::nth_element(best.begin(), best.begin() + kWordCandidates, best.end(), is_worthier);
    best.resize(kWordCandidates);
  }
  for (const WordMatches::Scored& match : best) add_candidate(match.key);
  for (const embed::VectorHit& hit : near_.hits) add_candidate(static_cast<DocumentKey>(hit.id));
  if (!lends()) return;
  const std::size_t own = candidates_.size();
  std::vector<float> counts(words_.term_count());
  for (std::size_t i = 0; i < own; ++i) {
    for (const RecallNeighbour& neighbour : neighbours_.find(candidates_[i].key)) {
      words_.read_counts(neighbour.key, counts);
      const bool has_word =
          std::any_of(counts.begin(), counts.end(), [](float n) { return n > 0; });
      if (has_word && filter_.passes(neighbour.key)) add_candidate(neighbour.key);
    }
  }
}

// With the built-in model what the query is about; words that so many documents hold, as the names
// of who talks, distinguish none of them.
std::string Search::text_for_model() const {
  if (!embed::is_static_model_id(context_.embedder->model_id())) return query_.text;
  std::string text =
      content_of(query_, [this](std::string_view word) { return !words_.is_common(word); });
  return text.empty() ? query_.text : text;
}

// Of all candidates, and of the entries next to them.
Result<Search::Cosines> Search::read_cosines() {
  Cosines cosines;
  for (const auto& [id, cosine] : near_.chroma_cosines) {
    cosines.emplace(id, static_cast<double>(cosine));
  }
  if (!near_.is_in_faiss) return cosines;
  std::vector<std::int64_t> ids;
  for (const RecallCandidate& candidate : candidates_) {
    ids.push_back(static_cast<std::int64_t>(candidate.key));
    if (!lends()) continue;
    for (const RecallNeighbour& neighbour : neighbours_.find(candidate.key)) {
      ids.push_back(static_cast<std::int64_t>(neighbour.key));
    }
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  CODEXMEM_ASSIGN(const auto scored, context_.index->score_ids(near_.query_vector, ids));
  for (const embed::VectorHit& hit : scored) {
    const auto [at, is_new] = cosines.emplace(hit.id, static_cast<double>(hit.score));
    if (!is_new) at->second = std::max(at->second, static_cast<double>(hit.score));
  }
  return cosines;
}

void Search::score_words(RecallCandidate* candidate) {
  std::vector<float> own(words_.term_count()), nearby(words_.term_count());
  RecallParts& parts = candidate->parts;
  words_.read_counts(candidate->key, own);
  parts.words = words_.worth(own, candidate->facts->length);
  if (!lends()) {
    parts.coverage = words_.coverage(own);
    return;
  }
  // A neighbour's word counts where the entry itself has none: the nearest one's, once.
  std::vector<float> with = own;
  for (const RecallNeighbour& neighbour : neighbours_.find(candidate->key)) {
    words_.read_counts(neighbour.key, nearby);
    const auto lent =
        static_cast<float>((neighbour.is_before ? weights_.before : weights_.after) *
                           std::pow(kNeighbourDecay, static_cast<double>(neighbour.distance)));
    for (std::size_t t = 0; t < with.size(); ++t) {
      if (own[t] == 0 && nearby[t] > 0) {
        with[t] = std::max(with[t], lent * std::min(nearby[t], 1.0F));
      }
    }
  }
  parts.neighbours = words_.worth(with, candidate->facts->length) - parts.words;
  parts.coverage = words_.coverage(with);
}

Result<void> Search::score_candidates() {
  CODEXMEM_ASSIGN(const Cosines cosines, read_cosines());
  const double usual = near_.usual_cosine;
  const auto nearness_of = [&](DocumentKey key) {
    const auto found = cosines.find(static_cast<std::int64_t>(key));
    return found == cosines.end() ? 0.0 : std::max(0.0, (found->second - usual) / (1 - usual));
  };
  for (RecallCandidate& candidate : candidates_) {
    RecallParts& parts = candidate.parts;
    score_words(&candidate);
    if (const auto found = cosines.find(static_cast<std::int64_t>(candidate.key));
        found != cosines.end()) {
      parts.meaning = found->second;
      parts.nearness = nearness_of(candidate.key);
      candidate.has_cosine = true;
    }
    if (lends() && !cosines.empty()) {
      for (const RecallNeighbour& neighbour : neighbours_.find(candidate.key)) {
        const double decay = std::pow(kNeighbourDecay, static_cast<double>(neighbour.distance));
        parts.nearby = std::max(parts.nearby, decay * nearness_of(neighbour.key));
      }
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
  }
  sort_by_either(weights_, kReadCandidates, &candidates_);
  return {};
}

// Whether a row is a turn of a talk: somebody is named who said it, in its metadata, or before it
// as before the entry next to it ("Decision: ..." alone is a note).
Result<bool> Search::is_turn(const store::RecallRow& row, DocumentKey key) {
  if (!row.speaker.empty()) return true;
  if (kind_of(key) != DocumentKind::kEntry || speaker_of(row.body).empty()) return false;
  for (const RecallNeighbour& neighbour : neighbours_.find(key)) {
    if (neighbour.distance != 0) continue;
    CODEXMEM_ASSIGN(const store::RecallRow* nearby, rows_.read(neighbour.key));
    if (nearby != nullptr && !speaker_of(nearby->body).empty()) return true;
  }
  return false;
}

// Nothing is near, and the words of the query are known to few documents or none. With the built-in
// model, of which it was measured.
bool Search::is_weak() const {
  if (near_.query_vector.empty() || !embed::is_static_model_id(context_.embedder->model_id())) {
    return false;
  }
  double best = 0;
  for (const RecallCandidate& candidate : candidates_) {
    best = std::max({best, candidate.parts.nearness, candidate.parts.title});
  }
  return best + kKnownWords * words_.known_share() < kWeak;
}

Result<void> Search::weigh_row(const store::RecallRow& row, RecallCandidate* candidate) {
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
  CODEXMEM_ASSIGN(parts.is_turn, is_turn(row, candidate->key));
  parts.asks = ends_asking(row.body);
  rescore(weights_, candidate);
  return {};
}

// False when it is gone.
Result<bool> Search::read_candidate_row(RecallCandidate* candidate) {
  CODEXMEM_ASSIGN(const store::RecallRow* row, rows_.read(candidate->key));
  if (row != nullptr) CODEXMEM_TRY(weigh_row(*row, candidate));
  return row != nullptr;
}

// The rows of the best candidates, which may change their order; those that are gone are left out.
Result<void> Search::read_rows() {
  const std::size_t count = std::min(candidates_.size(), kReadCandidates);
  std::vector<RecallCandidate> kept;
  kept.reserve(candidates_.size());
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    RecallCandidate& candidate = candidates_[i];
    if (i < count) {
      if (stop_.stop_requested()) return Error{ErrorCode::kCancelled, "the search was cancelled"};
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
    CODEXMEM_ASSIGN(const DocumentKey key, rows_.find_last_successor(candidates_[i].key));
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
    candidate.parts.coverage = std::min(1.0, candidate.parts.words);
    rescore(weights_, &candidate);
    candidate.score = std::min(candidate.score, least);
    candidates_.push_back(candidate);
  }
}

Result<void> Search::add_hit(const RecallCandidate& candidate) {
  CODEXMEM_ASSIGN(const store::RecallRow* found, rows_.read(candidate.key));
  if (found == nullptr) return {};
  const store::RecallRow& row = *found;
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
  hit.folded = rows_.count_folded(hit.key);
  if (kind_of(hit.key) == DocumentKind::kEntry) {
    CODEXMEM_ASSIGN(hit.succession, find_succession(database_, EntryId{id_of(hit.key)}));
  }
  hit.score = candidate.score;
  hit.parts = candidate.parts;
  answer_.hits.push_back(std::move(hit));
  return {};
}

// The page of all that passes (of all that matches, when there is a query), in the order of time.
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
  if (query_.terms.empty() && near_.hits.empty()) {
    filter_.for_each(add);
  } else {
    for (const auto& match : words_.matches()) add(match.key, table_.facts(match.key));
    std::unordered_set<std::int64_t> seen;
    for (const auto& match : words_.matches()) seen.insert(static_cast<std::int64_t>(match.key));
    for (const embed::VectorHit& hit : near_.hits) {
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
  CODEXMEM_TRY(score_candidates());
  std::unordered_map<std::int64_t, RecallCandidate> scored;
  for (RecallCandidate& candidate : candidates_) {
    CODEXMEM_ASSIGN(const bool found, read_candidate_row(&candidate));
    if (found) scored.emplace(static_cast<std::int64_t>(candidate.key), candidate);
  }
  for (const DocumentKey key : page) {
    const auto found = scored.find(static_cast<std::int64_t>(key));
    if (found == scored.end()) continue;
    if (request.query.empty()) found->second.score = 0;
    CODEXMEM_TRY(add_hit(found->second));
  }
  return {};
}

Result<void> Search::match_words() {
  CODEXMEM_ASSIGN(words_, WordMatches::read(
                              database_, query_, table_,
                              [this](DocumentKey key, const DocumentFacts& facts) {
                                return filter_.passes(key, facts);
                              },
                              filter_.count()));
  return {};
}

Result<RecallAnswer> Search::run(const RecallRequest& request) {
  Watch watch;
  answer_.degraded = context_.missing_model;
  answer_.backend = context_.backend;
  CODEXMEM_TRY(prepare(request));
  const bool has_query = !trim(request.query).empty();
  if (has_query) {
    CODEXMEM_TRY(match_words());
    answer_.lexical_hits = words_.matches().size();
    answer_.lexical_ms = watch.lap();
    if (stop_.stop_requested()) return Error{ErrorCode::kCancelled, "the search was cancelled"};
    CODEXMEM_TRY(ask_vectors());
    answer_.vector_ms = watch.lap();
    if (stop_.stop_requested()) return Error{ErrorCode::kCancelled, "the search was cancelled"};
  }
  if (!has_query || request.order != RecallOrder::kRelevance) {
    // A query of which nothing can be looked for matches nothing.
    if (!has_query || !words_.matches().empty() || !near_.hits.empty()) {
      CODEXMEM_TRY(list_by_time(request));
    }
  } else {
    choose_candidates();
    CODEXMEM_TRY(score_candidates());
    answer_.is_weak = is_weak();
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
    rows_.rank_below_successors(candidates_);
    std::sort(candidates_.begin(), candidates_.end(), is_better);
    rows_.fold_copies(candidates_, answer_);
    for (const std::size_t count : answer_.counts) answer_.total += count;
    add_rest(request.offset + request.limit);
    for (std::size_t i = request.offset;
         i < candidates_.size() && answer_.hits.size() < request.limit; ++i) {
      CODEXMEM_TRY(add_hit(candidates_[i]));
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
  CODEXMEM_TRY(match_words());
  CODEXMEM_TRY(ask_vectors());
  choose_candidates();
  CODEXMEM_TRY(score_candidates());
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
  alone.weights.before = alone.weights.after = 0;
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
