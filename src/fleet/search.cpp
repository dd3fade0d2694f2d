// Tested by fleet/fleet_search_test.cpp, and against real servers by
// tests/chroma/fleet_chroma_test.py.
#include "fleet/search.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "fleet/candidates.h"
#include "fleet/question.h"
#include "fleet/ranking.h"
#include "parse/rules/languages.h"
#include "search/scores.h"
#include "search/snippet.h"

namespace codexmem::fleet {
namespace {

using search::Part;

constexpr std::size_t kMaxExactMatches = 20;

double part_of(const RankedCandidate& file, Part which) {
  return file.parts[static_cast<std::size_t>(which)];
}

void add_note(std::string_view note, search::SearchAnswer* answer) {
  answer->note += answer->note.empty() ? "" : "; ";
  answer->note += note;
}

std::vector<ByteRange> exact_matches(const Question& question, const std::string& text) {
  return question.matcher->find_matches(text, {0, static_cast<std::uint32_t>(text.size())},
                                        kMaxExactMatches, {});
}

// Removes candidates that the query's exact parts do not match, or that have another kind. False if
// one of them might have matched in a part that was not read.
bool keep_matching(const Question& question, Candidates* candidates) {
  bool is_certain = true;
  const auto is_out = [&](const Candidate& candidate) {
    const bool is_of_kind = std::ranges::any_of(
        candidate.pieces, [&](const auto& piece) { return question.filter.keeps(piece.row); });
    if (!is_of_kind) return true;
    if (!question.matcher) return false;
    return !std::ranges::all_of(question.matcher->patterns(), [&](const LinePattern& pattern) {
      return std::ranges::any_of(candidate.pieces, [&](const auto& piece) {
        return pattern.find(piece.row.text, 0, piece.row.text.size()).has_value();
      });
    });
  };
  std::erase_if(candidates->files, [&](const Candidate& candidate) {
    if (!is_out(candidate)) return false;
    is_certain = is_certain && candidate.is_whole;
    return true;
  });
  return is_certain;
}

// The piece to show.
std::size_t best_piece(const Question& question, const Candidate& candidate,
                       const RankedCandidate& ranked) {
  if (ranked.symbol) return ranked.symbol->piece;
  std::size_t best = 0;
  double best_value = -1;
  for (std::size_t i = 0; i < candidate.pieces.size(); ++i) {
    const PieceRow& row = candidate.pieces[i].row;
    if (!question.filter.keeps(row)) continue;
    double value = ranked.piece_values[i];
    if (question.matcher && !exact_matches(question, row.text).empty()) value += 100;
    if (value <= best_value) continue;
    best = i;
    best_value = value;
  }
  return best;
}

// The offset of line `number` of the file in the text of a piece.
std::uint32_t offset_of_line(const PieceRow& piece, std::uint32_t number) {
  std::size_t at = 0;
  for (std::uint32_t line = piece.start_line; line < number; ++line) {
    const std::size_t end = piece.text.find('\n', at);
    if (end == std::string::npos) break;
    at = end + 1;
  }
  return static_cast<std::uint32_t>(at);
}

search::PieceSymbol symbol_called(std::string_view qualified, SymbolType type) {
  search::PieceSymbol symbol;
  const std::size_t dot = qualified.rfind('.');
  symbol.name = dot == std::string_view::npos ? qualified : qualified.substr(dot + 1);
  if (dot != std::string_view::npos) symbol.container = qualified.substr(0, dot);
  symbol.type = type;
  symbol.kind = symbol_type_name(type);
  return symbol;
}

search::SearchHit make_hit(const Question& question, const search::SearchRequest& request,
                           const Candidate& candidate, const RankedCandidate& ranked,
                           const search::TermWeights& weights) {
  const std::size_t shown = best_piece(question, candidate, ranked);
  const PieceRow& piece = candidate.pieces[shown].row;
  search::SearchHit hit;
  hit.path = candidate.file.path;
  hit.language = candidate.file.language;
  hit.start_line = piece.start_line;
  hit.end_line = piece.end_line;
  ByteRange range{0, static_cast<std::uint32_t>(piece.text.size())};
  search::SnippetOptions options{request.snippet_bytes, request.max_matches};
  std::uint32_t first_line = piece.start_line;
  const NamedPlace* named = nullptr;
  if (ranked.symbol) {
    named = &piece.definitions[ranked.symbol->definition];
    range.begin = offset_of_line(piece, named->line);
    first_line = std::max(named->line, piece.start_line);
    hit.start_line = first_line;
    hit.end_line = std::max(named->end_line, first_line);
    options.from_start = true;
  }
  std::vector<ByteRange> exact;
  if (question.matcher) {
    exact = exact_matches(question, piece.text);
    options.exact = &exact;
    options.from_start = false;
  }
  search::Snippet snippet = search::make_snippet(piece.text, range, first_line, weights, options);
  hit.snippet = std::move(snippet.text);
  hit.snippet_line = snippet.first_line;
  hit.line = named != nullptr ? first_line : snippet.best_line;
  hit.matches = std::move(snippet.matches);
  if (named == nullptr) {
    for (const NamedPlace& definition : piece.definitions) {
      if (definition.line <= hit.line) named = &definition;
    }
  }
  if (named != nullptr) {
    const auto type = parse_symbol_type(named->type);
    hit.symbol = symbol_called(named->name, type.value_or(SymbolType::kVariable));
    if (!named->kind.empty()) hit.symbol->kind = named->kind;
  } else if (const auto type = parse_symbol_type(piece.symbol_type);
             type && !piece.symbol.empty()) {
    hit.symbol = symbol_called(piece.symbol, *type);
  }
  if (hit.symbol) {
    hit.kind = hit.symbol->kind;
  } else {
    const parse::Language* language = parse::find_language(hit.language);
    const bool is_code =
        language != nullptr && language->has_grammar && !language->is_configuration;
    hit.kind = is_code ? "code" : "text";
  }
  if (request.explain) {
    for (std::size_t i = 0; i < search::kPartCount; ++i) {
      if (ranked.parts[i] == 0) continue;
      hit.why.push_back(
          {std::string(search::kParts[i].name), search::kParts[i].weight, ranked.parts[i]});
    }
    hit.why.push_back({"prior", 1, ranked.prior});
  }
  return hit;
}

}  // namespace

Result<FleetAnswer> search(Fleet& fleet, const FleetRequest& request, const Admits& admits,
                           const std::stop_token& stop) {
  CODEXMEM_ASSIGN(const auto state, fleet.state(stop));
  const View view(fleet, state, admits, request.repositories);
  FleetAnswer answer;
  answer.repositories = view.repositories().size();
  if (answer.repositories == 0) {
    if (!request.repositories.empty()) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("the fleet has no repository called \"{}\"",
                               utf8_prefix(request.repositories.front(), 100))};
    }
    answer.found.note = "the fleet has no repository that may be seen";
    return answer;
  }
  CODEXMEM_ASSIGN(const Question question,
                  Question::make(request.search, view, *fleet.options().embedder));
  CODEXMEM_ASSIGN(Candidates candidates, find_candidates(view, question, stop));
  const bool is_certain = keep_matching(question, &candidates);
  const FleetRanking ranking = rank(question, candidates.files);
  search::SearchAnswer& found = answer.found;
  found.known = ranking.known;
  found.matched_files = ranking.files.size();
  found.is_partial = !is_certain;
  if (!is_certain) add_note("long files were not looked through as a whole", &found);
  found.degraded = candidates.failure.has_value();
  if (found.degraded) {
    add_note("a part of the fleet did not answer: " + candidates.failure->message(), &found);
  }
  if (ranking.files.empty()) return answer;
  const search::AnswerStrength strength{ranking.files.front().score, ranking.known};
  const bool is_exact = question.matcher.has_value();
  const auto score_of = [&](const RankedCandidate& ranked) {
    const double score = search::shown_score(ranked.score, strength);
    return is_exact ? search::kDefaultThreshold + (1 - search::kDefaultThreshold) * score : score;
  };
  std::size_t passing = 1;
  while (passing < ranking.files.size() &&
         score_of(ranking.files[passing]) >= request.search.threshold) {
    ++passing;
  }
  if (!is_exact && search::is_weak(strength)) add_note("nothing matched well", &found);
  const std::size_t begin = std::min(passing, request.search.offset);
  const std::size_t end = std::min(passing, begin + std::max<std::size_t>(request.search.limit, 1));
  found.below_threshold = ranking.files.size() - passing;
  found.beyond_limit = passing - end;
  double probability = 1;
  for (std::size_t i = 0; i < end; ++i) {
    const RankedCandidate& ranked = ranking.files[i];
    const search::HitEvidence evidence{
        part_of(ranked, Part::kBestChunk), part_of(ranked, Part::kDenseChunks),
        part_of(ranked, Part::kDefinition),
        part_of(ranked, Part::kSymbol) + part_of(ranked, Part::kInnerSymbol)};
    probability = std::min(probability, search::hit_probability(evidence, i + 1, ranking.known,
                                                                !question.vector.empty()));
    if (i < begin) continue;
    const Candidate& candidate = candidates.files[ranked.candidate];
    search::SearchHit hit = make_hit(question, request.search, candidate, ranked, ranking.weights);
    hit.score = score_of(ranked);
    hit.probability = probability;
    found.hits.push_back(std::move(hit));
    const RepositoryRow* const repository = view.find(candidate.file.repository);
    answer.places.push_back({candidate.file.repository,
                             repository != nullptr ? repository->revision : std::string(),
                             fleet.local_root(candidate.file.repository), candidate.copies});
  }
  return answer;
}

}  // namespace codexmem::fleet
