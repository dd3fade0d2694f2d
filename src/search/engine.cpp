// An answer holds one read transaction, and uses the state of that moment of the store. One thread
// replaces an older state, while answers that hold it continue.
//
// Tested by search/engine_test.cpp.
#include "search/engine.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/path.h"
#include "base/log.h"
#include "base/stop_scope.h"
#include "base/text.h"
#include "embed/embedder.h"
#include "embed/vector_codes.h"
#include "embed/static_model.h"
#include "embed/vector_snapshot.h"
#include "search/definition.h"
#include "search/exact_query.h"
#include "search/exact_search.h"
#include "search/file_filter.h"
#include "search/hit.h"
#include "search/locate/issue_text.h"
#include "search/locate/locate.h"
#include "search/path_facts.h"
#include "search/pieces.h"
#include "search/scores.h"
#include "search/spelling.h"
#include "store/code_vectors.h"
#include "store/code/vector_cache.h"

namespace codexmem::search {
namespace {

constexpr std::size_t kMaxAskedBytes = 4096;  // of the names that form the query for a file

// Vectors of a remote model are used while at most one file in this many has none.
constexpr std::size_t kFilesForOneMissing = 20;
constexpr char kRankedByWords[] = ": ranked only by words and names";
constexpr std::size_t kMaxHits = 50;
constexpr int kMaxAttempts = 8;

constexpr double kLinesWeight = 0.1;  // of ln(1 + lines), for exact matches without other words

Result<std::shared_ptr<const embed::Embedder>> built_in_embedder() {
  CODEXMEM_ASSIGN(auto model, embed::StaticModel::built_in());
  return std::shared_ptr<const embed::Embedder>(embed::make_static_embedder(std::move(model)));
}

void explain(const RankedFile& ranked, SearchHit* hit) {
  for (std::size_t i = 0; i < kPartCount; ++i) {
    if (ranked.parts[i] == 0) continue;
    hit->why.push_back({std::string(kParts[i].name), kParts[i].weight, ranked.parts[i]});
  }
  hit->why.push_back({"prior", 1, ranked.prior});
}

TermWeights weights_of(const Query& query, const Ranking& ranking) {
  TermWeights weights;
  for (std::size_t i = 0; i < query.terms.size(); ++i) {
    weights.emplace(query.terms[i].text, ranking.term_weights[i]);
  }
  return weights;
}

HitEvidence evidence_of(const RankedFile& ranked) {
  const auto part = [&](Part which) { return ranked.parts[static_cast<std::size_t>(which)]; };
  return {part(Part::kBestChunk), part(Part::kDenseChunks), part(Part::kDefinition),
          part(Part::kSymbol) + part(Part::kInnerSymbol)};
}

struct AnswerLimits {
  std::size_t limit;
  double threshold;
  bool explain;
  bool with_pieces = false;                   // further pieces of the best files
  const Query* query = nullptr;               // set with `with_pieces`
  const embed::Embedder* embedder = nullptr;  // of the vectors, if it is quick
  bool is_exact_alone = false;                // the query has only exact parts
  bool minds_case = false;                    // one of them is a phrase with capitals
  std::size_t offset = 0;
  std::function<std::size_t(std::span<const HitRank>)> choose = {};  // as in SearchRequest
};

void add_note(std::string_view note, SearchAnswer* answer) {
  answer->note += answer->note.empty() ? "" : "; ";
  answer->note += note;
}

Result<SearchAnswer> make_answer(HitMaker maker, const Ranking& ranking, const EngineState& state,
                                 const AnswerLimits& limits) {
  SearchAnswer answer;
  answer.generation = state.snapshot->generation();
  answer.degraded = !state.degraded.empty();
  answer.note = state.degraded;
  answer.matched_files = ranking.files.size();
  answer.known = ranking.known;
  const bool is_exact = maker.exact != nullptr;
  if (is_exact) {
    answer.matched_lines = maker.exact_files->line_count;
    answer.is_partial = !maker.exact_files->is_counted;
    if (!maker.exact_files->is_complete) {
      add_note("the expression takes long: not all files were searched", &answer);
    } else if (answer.is_partial) {
      add_note("there are more matching lines than were counted", &answer);
    } else if (ranking.files.empty()) {
      add_note(fmt::format("no file matches all quoted or /regex/ parts{}: without the quotes or "
                           "slashes a part is searched by its words",
                           limits.minds_case ? " (a phrase with capitals minds case)" : ""),
               &answer);
    }
  }
  if (ranking.files.empty()) return answer;
  const AnswerStrength strength{ranking.files.front().score, ranking.known};
  // An exact match is always an answer, with any other evidence.
  const auto score_of = [&](double raw) {
    const double score = shown_score(raw, strength);
    return is_exact ? kDefaultThreshold + (1 - kDefaultThreshold) * score : score;
  };
  std::vector<RankedPiece> pieces = arrange_files(ranking);
  if (limits.with_pieces) {
    const bool is_about_few =
        !maker.filter.is_empty() && ranking.files.size() <= kFilesBeforePieces;
    const std::size_t most_further = is_about_few ? kFurtherPiecesOfFew : kFurtherPieces;
    CODEXMEM_ASSIGN(pieces, arrange_pieces(maker.reader, maker.snapshot, ranking, most_further));
    if (is_description(*limits.query)) {
      CODEXMEM_ASSIGN(
          const std::vector<RankedDefinition> definitions,
          rank_definitions(maker.reader, maker.snapshot, *limits.query, ranking, limits.embedder));
      show_definitions(ranking, definitions, most_further, &pieces);
    }
  }
  std::size_t passing = 1;
  while (passing < pieces.size() &&
         (is_exact || score_of(pieces[passing].raw) >= limits.threshold)) {
    ++passing;
  }
  answer.is_weak = !is_exact && is_weak(strength);
  if (answer.is_weak) add_note(kNothingMatchedWell, &answer);
  const std::size_t begin = std::min(passing, limits.offset);
  const std::size_t end = std::min(passing, begin + limits.limit);
  std::vector<HitRank> ranks;  // from `begin` on
  double probability = 1;
  for (std::size_t i = 0; i < end; ++i) {
    const RankedPiece& piece = pieces[i];
    if (!limits.is_exact_alone) {
      const double own = hit_probability(evidence_of(ranking.files[piece.file]), piece.file + 1,
                                         ranking.known, state.vectors != nullptr);
      probability = std::min(probability, own);
    }
    if (i >= begin) ranks.push_back({probability, score_of(piece.raw), is_exact});
  }
  if (limits.choose && !ranks.empty()) {
    ranks.resize(std::clamp<std::size_t>(limits.choose(ranks), 1, ranks.size()));
  }
  answer.below_threshold = pieces.size() - passing;
  answer.beyond_limit = passing - begin - ranks.size();
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const RankedPiece& piece = pieces[begin + i];
    const RankedFile& ranked = ranking.files[piece.file];
    CODEXMEM_ASSIGN(SearchHit hit, maker.make(piece));
    hit.score = ranks[i].score;
    hit.probability = ranks[i].probability;
    if (limits.explain) explain(ranked, &hit);
    answer.hits.push_back(std::move(hit));
  }
  if (is_exact && maker.exact_files->is_complete && maker.is_over()) {
    add_note("the expression takes long: not all matching lines are shown", &answer);
  }
  return answer;
}

// `query` with its quotes and slashes as spaces: a query of words only.
std::string without_marks(std::string query) {
  for (char& c : query) {
    if (c == '"' || c == '/') c = ' ';
  }
  return query;
}

// Scores files found by exact parts only: more lines are better.
void add_lines(const Snapshot& snapshot, const ExactFiles& found, Ranking* ranking) {
  for (RankedFile& file : ranking->files) {
    const auto lines = found.files.find(static_cast<std::int64_t>(snapshot.id(file.file)));
    if (lines == found.files.end()) continue;
    file.score += file.prior * kLinesWeight * std::log1p(lines->second.lines);
  }
  sort_by_score(snapshot, &ranking->files);
}

using VectorHits = std::vector<embed::VectorHit>;

constexpr std::size_t kNearShare = 10;  // with lists, one vector in this many is scored at first

// The cosines for a ranking with `options`: all of them, or with lists the ones nearest to `query`,
// which the ranking completes.
Result<VectorHits> dense_scores(const EngineState& state, std::vector<float> query,
                                RankOptions* options) {
  const embed::VectorIndex& vectors = *state.vectors;
  if (vectors.list_count() == 0) return vectors.score_all(query);
  CODEXMEM_ASSIGN(VectorHits near, vectors.score_near(query, vectors.size() / kNearShare));
  options->complete = [&vectors, query = std::move(query)](std::span<const std::int64_t> ids) {
    return vectors.score_ids(query, ids);
  };
  return near;
}

// Empty when the model cannot be used; `problem` then gives the reason.
Result<VectorHits> dense_scores(const EngineState& state, std::string_view text,
                                RankOptions* options, std::string* problem) {
  if (state.vectors == nullptr) return VectorHits();
  auto query = state.embedder->embed_query(text);
  if (!query.ok()) {
    *problem = query.error().message() + kRankedByWords;
    return VectorHits();
  }
  if (query->size() != state.vectors->dimension()) {
    *problem = fmt::format("{} answers with {} components, and the index has vectors of {}{}",
                           state.embedder->model_id(), query->size(), state.vectors->dimension(),
                           kRankedByWords);
    return VectorHits();
  }
  return dense_scores(state, *std::move(query), options);
}

// Notes in `answer` why some or all vectors were not used.
void note_problems(const store::Workspace& workspace, const EngineState& state,
                   const std::string& problem, SearchAnswer* answer) {
  if (!problem.empty()) {
    answer->degraded = true;
    add_note(problem, answer);
  }
  if (!state.is_pending) return;
  const auto progress = store::VectorCache::read_progress(workspace.vector_cache_path());
  if (!progress || progress->model != state.embedder->model_id()) return;
  // Vectors being gathered are not in the index yet, and an earlier complete state does not count.
  auto percent = static_cast<std::int64_t>(state.percent);
  if (progress->files_done < progress->files_total) {
    percent = std::max(percent, 100 * progress->files_done / progress->files_total);
  }
  add_note(fmt::format("{}% of the files are embedded", percent), answer);
  if (!progress->error.empty()) add_note("the last attempt failed: " + progress->error, answer);
}

// The same for the vector of a file, which may be missing.
Result<VectorHits> dense_scores(store::StoreReader& reader, const EngineState& state,
                                store::FileId file, RankOptions* options) {
  if (state.vectors == nullptr) return VectorHits();
  CODEXMEM_ASSIGN(const auto bytes,
                  reader.find_vector(state.model, store::chunk_id(file, store::kFileVectorIndex)));
  const std::size_t dimension = state.vectors->dimension();
  if (!bytes.has_value() || bytes->size() != dimension) return VectorHits();
  CODEXMEM_ASSIGN(std::vector<float> vector, embed::decode_vectors(*bytes, dimension));
  return dense_scores(state, std::move(vector), options);
}

}  // namespace

Result<std::shared_ptr<const EngineState>> SearchEngine::Impl::state_for(store::StoreReader& reader,
                                                                         bool again) {
  CODEXMEM_ASSIGN(const std::int64_t generation, reader.generation());
  CODEXMEM_ASSIGN(const auto stamp, reader.find_meta(store::kVectorsGenerationKey));
  const auto current = [&] {
    const std::lock_guard lock(state_mutex);
    return state;
  };
  const auto fits = [&](const EngineState* one) {
    return one != nullptr && one->snapshot->generation() == generation &&
           one->vectors_stamp == stamp.value_or("");
  };
  auto there = current();
  if (fits(there.get())) return there;
  const std::lock_guard build_lock(build_mutex);
  there = current();
  if (fits(there.get())) return there;
  if (there != nullptr && there->snapshot->generation() > generation) {
    if (!again) return std::shared_ptr<const EngineState>();
    there = nullptr;
  }
  CODEXMEM_ASSIGN(auto made, build(reader, there.get(), stamp.value_or("")));
  const std::lock_guard lock(state_mutex);
  state = made;
  return made;
}

Result<std::shared_ptr<const EngineState>> SearchEngine::Impl::build(store::StoreReader& reader,
                                                                     const EngineState* previous,
                                                                     std::string vectors_stamp) {
  auto made = std::make_shared<EngineState>();
  made->vectors_stamp = std::move(vectors_stamp);
  CODEXMEM_ASSIGN(made->snapshot,
                  Snapshot::build(reader, workspace.ranking_path(),
                                  previous == nullptr ? nullptr : previous->snapshot.get()));
  if (!options.use_vectors) {
    if (!options.why_no_vectors.empty()) made->degraded = options.why_no_vectors + kRankedByWords;
  } else if (auto added = add_vectors(reader, previous, made.get()); !added.ok()) {
    CODEXMEM_TRY(go_on());
    // Words and names still answer.
    log_warn("search: no vectors: {}", added.error().message());
    made->degraded = std::string("vectors cannot be read") + kRankedByWords;
  }
  if (made->is_pending && options.on_pending) options.on_pending();
  return std::shared_ptr<const EngineState>(std::move(made));
}

Result<void> SearchEngine::Impl::add_vectors(store::StoreReader& reader,
                                             const EngineState* previous, EngineState* made) {
  made->embedder = options.embedder;
  if (made->embedder == nullptr && previous != nullptr) made->embedder = previous->embedder;
  if (made->embedder == nullptr) {
    CODEXMEM_ASSIGN(made->embedder, built_in_embedder());
  }
  CODEXMEM_ASSIGN(const auto model, reader.find_model(made->embedder->model_id()));
  std::shared_ptr<const embed::VectorIndex> vectors;
  if (model.has_value()) {
    const std::size_t dimension = made->embedder->dimension();
    if (dimension != 0 && model->dimension != dimension) {
      return Error{ErrorCode::kCorrupt,
                   fmt::format("the store says that {} has {} dimensions, not {}", model->name,
                               model->dimension, dimension)};
    }
    made->model = model->id;  // else invalid: no vectors belong to it
    // A new stamp: vectors were written for existing files.
    const bool follows = previous != nullptr && previous->vectors != nullptr &&
                         previous->model == model->id &&
                         previous->vectors_stamp == made->vectors_stamp;
    CODEXMEM_ASSIGN(const auto rows, store::code_vector_rows(reader, *model));
    CODEXMEM_ASSIGN(vectors, embed::current_vectors(*rows, workspace.vectors_path(),
                                                    follows ? previous->vectors : nullptr,
                                                    embed::kRankedListComponents));
  }
  const bool none = vectors == nullptr || vectors->size() == 0;
  if (options.embedder != nullptr) {
    CODEXMEM_ASSIGN(const auto missing, reader.list_files_without_vectors(made->model));
    const std::size_t files = made->snapshot->file_count();
    made->is_pending = !missing.empty();
    if (made->is_pending) {
      CODEXMEM_ASSIGN(const auto all, reader.list_files_without_vectors(store::ModelId{}));
      made->percent = 100 * (all.size() - missing.size()) / all.size();
    }
    if (made->is_pending && (none || missing.size() * kFilesForOneMissing > files)) {
      made->degraded = fmt::format("the vectors of {} are being made{}",
                                   options.embedder->model_id(), kRankedByWords);
      return {};
    }
    if (made->is_pending) {
      made->degraded = fmt::format("{} of {} files have no vectors yet", missing.size(), files);
    }
  }
  if (none) {
    CODEXMEM_ASSIGN(const auto other, reader.find_meta(store::kVectorsModelKey));
    if (other && options.embedder == nullptr) {
      made->degraded = embed::why_other_vectors(*other) + kRankedByWords;
    } else if (made->snapshot->file_count() > 0) {
      made->degraded = std::string("the index has no vectors") + kRankedByWords;
    }
    return {};
  }
  made->vectors = std::move(vectors);
  return {};
}

template <typename Answer>
auto SearchEngine::Impl::with_state(Answer answer)
    -> decltype(answer(std::declval<store::StoreReader&>(), std::declval<const EngineState&>())) {
  CODEXMEM_ASSIGN(store::ReaderLease reader, workspace.reader());
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(reader->database()));
    CODEXMEM_ASSIGN(const auto fitting, state_for(*reader, attempt > 0));
    if (fitting != nullptr) return answer(*reader, *fitting);
  }
  return Error{ErrorCode::kBusy, "the index changed faster than it could be read: try again"};
}

SearchEngine::SearchEngine(store::Workspace& workspace, SearchOptions options)
    : impl_(new Impl{workspace, std::move(options), {}, {}, {}}) {}
SearchEngine::~SearchEngine() = default;

const SearchOptions& SearchEngine::options() const { return impl_->options; }

Result<SearchAnswer> SearchEngine::search(const SearchRequest& request,
                                          const std::stop_token& stop) {
  const StopScope scope(stop);
  const ExactQuery parts = read_exact_query(request.query);
  CODEXMEM_ASSIGN(const ExactMatcher exact, ExactMatcher::make(parts.parts));
  const bool with_pairs = (impl_->options.parts_off & kPairsOff) == 0;
  if (exact.is_empty() && parse_query(parts.words, with_pairs).terms.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("query must hold a letter, a digit or an emoji, got \"{}\"",
                             utf8_prefix(request.query, 60))};
  }
  bool is_in_vain = false;
  const auto answer = [&](store::StoreReader& reader,
                          const EngineState& state) -> Result<SearchAnswer> {
    const Snapshot& snapshot = *state.snapshot;
    CODEXMEM_ASSIGN(const FileFilter filter, FileFilter::make(request, snapshot));
    RankOptions options;
    options.parts_off = impl_->options.parts_off;
    if (!filter.is_empty()) {
      options.keep = [&](FileNumber file) { return filter.keeps(snapshot, file); };
    }
    Spelling spelling{parts.words, {}};
    if (exact.is_empty()) {  // do not correct the spelling of exact parts
      CODEXMEM_ASSIGN(spelling, correct_spelling(reader, snapshot, parts.words));
    }
    const Query query = parse_query(spelling.text, with_pairs);
    ExactFiles found;
    ExactDeadline deadline{ExactDeadline::Clock::now() + impl_->options.exact_patience, stop};
    if (!exact.is_empty()) {
      CODEXMEM_ASSIGN(found, find_exact_files(reader, snapshot, exact, filter, deadline));
      options.keep = [&](FileNumber file) {
        return found.files.contains(static_cast<std::int64_t>(snapshot.id(file)));
      };
      options.keep_all = true;
    }
    CODEXMEM_TRY(go_on());
    // In a sentence, quotes and slashes are mostly punctuation.
    is_in_vain =
        parts.has_other_words && found.files.empty() && found.is_complete && !exact.is_empty();
    if (is_in_vain) return SearchAnswer();
    const auto ranking_begin = ExactDeadline::Clock::now();
    std::string problem;
    VectorHits dense;
    // A model set in the options, other than the built-in one, may be another program.
    const bool may_ask = !request.is_local || impl_->options.embedder == nullptr;
    if (!query.terms.empty() && may_ask) {
      CODEXMEM_ASSIGN(dense, dense_scores(state, spelling.text, &options, &problem));
    }
    CODEXMEM_ASSIGN(Ranking ranking, rank(reader, snapshot, query, dense, options));
    if (!exact.is_empty() && !parts.has_other_words) add_lines(snapshot, found, &ranking);
    deadline.at += ExactDeadline::Clock::now() - ranking_begin;  // a model may have been queried
    CODEXMEM_ASSIGN(
        SearchAnswer made,
        make_answer(
            {reader, snapshot, ranking, weights_of(query, ranking), request.snippet_bytes,
             request.max_matches, filter, exact.is_empty() ? nullptr : &exact, &found, deadline},
            ranking, state,
            {std::clamp<std::size_t>(request.limit, 1, kMaxHits), request.threshold,
             request.explain, exact.is_empty() && query.symbol.empty() && !filter.has_kinds(),
             &query,
             dense.empty() || impl_->options.embedder != nullptr ? nullptr : state.embedder.get(),
             !exact.is_empty() && !parts.has_other_words,
             std::ranges::any_of(
                 parts.parts,
                 [](const ExactPart& part) { return !part.is_regex && !part.ignore_case; }),
             request.offset, request.choose}));
    for (const Correction& correction : spelling.corrections) {
      add_note(fmt::format("nothing here has \"{}\": searched for \"{}\"", correction.from,
                           correction.to),
               &made);
    }
    note_problems(impl_->workspace, state, problem, &made);
    return made;
  };
  auto found = impl_->with_state(answer);
  if (!is_in_vain) return found;
  SearchRequest plain = request;
  plain.query = without_marks(request.query);
  CODEXMEM_ASSIGN(SearchAnswer by_words, search(plain, stop));
  add_note("no file has all that is quoted or between slashes: searched for the words", &by_words);
  return by_words;
}

Result<SearchAnswer> SearchEngine::find_related(const RelatedRequest& request) {
  return impl_->with_state([&](store::StoreReader& reader,
                               const EngineState& state) -> Result<SearchAnswer> {
    const Snapshot& snapshot = *state.snapshot;
    std::string text = request.text;
    RankOptions options;
    VectorHits dense;
    if (!request.path.empty()) {
      const auto file = snapshot.find_path(request.path);
      if (!file.has_value()) {
        return Error{ErrorCode::kNotFound, fmt::format("{} is not in the index", request.path)};
      }
      // The query for a file is its own name and the names of its definitions.
      text = file_stem(snapshot.path(*file));
      CODEXMEM_ASSIGN(const auto definitions, list_definitions(reader, snapshot.id(*file)));
      for (const Definition& definition : definitions) {
        if (text.size() > kMaxAskedBytes) break;
        text += " " + definition.name;
      }
      CODEXMEM_ASSIGN(dense, dense_scores(reader, state, snapshot.id(*file), &options));
    }
    std::string problem;
    if (dense.empty()) {
      CODEXMEM_ASSIGN(dense, dense_scores(state, text, &options, &problem));
    }
    Query query = parse_query(text);
    if (query.terms.empty()) {
      return Error{ErrorCode::kInvalidArgument, "no letter, digit or emoji to compare by"};
    }
    query.symbol.clear();
    query.inner_symbols.clear();
    options.keep = [&](FileNumber file) {
      const std::string_view path = snapshot.path(file);
      return path != request.path &&
             std::ranges::find(request.exclude_paths, path) == request.exclude_paths.end();
    };
    CODEXMEM_ASSIGN(const Ranking ranking, rank(reader, snapshot, query, dense, options));
    CODEXMEM_ASSIGN(SearchAnswer answer,
                    make_answer({reader, snapshot, ranking, weights_of(query, ranking),
                                 request.snippet_bytes, SearchRequest().max_matches, FileFilter()},
                                ranking, state,
                                {std::clamp<std::size_t>(request.limit, 1, kMaxHits), 0.0, false}));
    note_problems(impl_->workspace, state, problem, &answer);
    return answer;
  });
}

Result<LocateAnswer> SearchEngine::locate(const LocateRequest& request,
                                          const std::stop_token& stop) {
  const StopScope scope(stop);
  const IssueText issue = read_issue_text(request.text);
  return impl_->with_state([&](store::StoreReader& reader,
                               const EngineState& state) -> Result<LocateAnswer> {
    const Snapshot& snapshot = *state.snapshot;
    CODEXMEM_ASSIGN(const FileFilter filter,
                    FileFilter::make({.paths = request.paths, .tests = request.tests}, snapshot));
    RankOptions options;
    if (!filter.is_empty()) {
      options.keep = [&](FileNumber file) { return filter.keeps(snapshot, file); };
    }
    const LocateQuery located = make_locate_query(snapshot, issue);
    const Query& query = located.query;
    if (query.terms.empty() && issue.frames.empty()) {
      return Error{ErrorCode::kInvalidArgument, "text must hold a word or a place in a file"};
    }
    SearchAnswer notes;
    std::string problem;
    VectorHits dense;
    if (!query.text.empty()) {
      CODEXMEM_ASSIGN(dense, dense_scores(state, query.text, &options, &problem));
    }
    CODEXMEM_ASSIGN(const Ranking ranking, rank(reader, snapshot, query, dense, options));
    CODEXMEM_ASSIGN(const Ranking by_title,
                    rank(reader, snapshot, parse_query(issue.title()), dense, options));
    CODEXMEM_ASSIGN(LocateAnswer answer, locate_functions({reader, snapshot, request, issue,
                                                           located, ranking, by_title, filter}));
    note_problems(impl_->workspace, state, problem, &notes);
    answer.degraded = notes.degraded || !state.degraded.empty();
    if (!notes.note.empty()) answer.note += (answer.note.empty() ? "" : "; ") + notes.note;
    return answer;
  });
}

Result<void> SearchEngine::refresh() {
  return impl_->with_state(
      [](store::StoreReader&, const EngineState&) -> Result<void> { return {}; });
}

}  // namespace codexmem::search
