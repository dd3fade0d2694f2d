// Tested by fleet/fleet_search_test.cpp; how well it ranks: bench/fleet/eval_fleet.py.
#include "fleet/ranking.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "base/path.h"
#include "base/symbol_type.h"
#include "config/path_kind.h"
#include "search/definition.h"
#include "search/path_facts.h"
#include "search/pieces.h"
#include "text/words.h"

namespace codexmem::fleet {
namespace {

using search::kParts;
using search::Part;

constexpr double kFileLengthShare = 0.4;  // b of BM25
constexpr double kPieceLengthShare = 0.75;
constexpr double kUnknownStemShare = 0.3;
constexpr double kBaseNameBonus = 1.5;
constexpr double kMinShare = 0.01;
constexpr double kPiecesOfTerm = 1.5;  // on average, in a file that contains a term

// The three largest values.
struct Three {
  std::array<double, 3> values{};
  void add(double value) {
    for (double& kept : values) {
      if (value > kept) std::swap(value, kept);
    }
  }
  double mean(std::size_t units) const {
    return (values[0] + values[1] + values[2]) /
           static_cast<double>(std::clamp<std::size_t>(units, 1, values.size()));
  }
};

double& part(RankedCandidate& file, Part which) {
  return file.parts[static_cast<std::size_t>(which)];
}

// How often a piece contains each term of the query, and its length in terms.
struct Counts {
  std::vector<double> of_term;
  double length = 0;
};

class FleetRanker {
 public:
  FleetRanker(const Question& question, const std::vector<Candidate>& candidates)
      : question_(question), candidates_(candidates), terms_(question.query.terms.size()) {
    for (std::size_t i = 0; i < terms_; ++i) numbers_.emplace(question.query.terms[i].text, i);
  }

  FleetRanking run() {
    count();
    weigh();
    search::VersionFolders versions;
    for (const Candidate& candidate : candidates_) {
      versions.add(candidate.file.repository + "/" + candidate.file.path);
    }
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      RankedCandidate file;
      file.candidate = i;
      score_text(&file);
      score_path(&file);
      score_names(&file);
      score_dense(&file);
      finish(versions, &file);
      ranking_.files.push_back(std::move(file));
    }
    score_importers();
    std::erase_if(ranking_.files, [](const RankedCandidate& file) { return file.score <= 0; });
    // Candidates are sorted by repository and path.
    std::ranges::stable_sort(ranking_.files, std::ranges::greater(), &RankedCandidate::score);
    return std::move(ranking_);
  }

 private:
  const Candidate& of(const RankedCandidate& file) const { return candidates_[file.candidate]; }
  void count();
  void weigh();
  void score_text(RankedCandidate* file);
  void score_path(RankedCandidate* file) const;
  void score_names(RankedCandidate* file);
  void score_dense(RankedCandidate* file) const;
  void finish(const search::VersionFolders& versions, RankedCandidate* file) const;
  void score_importers();

  // The stems of the query matched by one of `stems`; sets the number of `stems` that match.
  std::vector<bool> matched(const std::vector<std::string>& stems, std::size_t* hits) const;
  double coverage(const std::vector<bool>& stems) const;
  double name_cosine(const std::string& name);

  const Question& question_;
  const std::vector<Candidate>& candidates_;
  const std::size_t terms_;
  std::map<std::string, std::size_t, std::less<>> numbers_;  // of terms
  std::vector<std::vector<Counts>> counts_;                  // by candidate and piece
  std::vector<double> seen_;                                 // number of candidates that contain a
                                                             // term
  std::vector<double> file_weight_, piece_weight_, stem_idf_;
  double file_sum_ = 0, piece_sum_ = 0, stem_sum_ = 0;
  std::map<std::string, double, std::less<>> cosines_;  // of names
  FleetRanking ranking_;
};

void FleetRanker::count() {
  seen_.assign(terms_, 0);
  for (const Candidate& candidate : candidates_) {
    std::vector<Counts> all;
    for (const CandidatePiece& piece : candidate.pieces) {
      Counts counts{std::vector<double>(terms_)};
      for_each_term(piece.row.text, [&](const Term& term) {
        if (!term.is_compound) counts.length += 1;
        const auto number = numbers_.find(term.text);
        if (number != numbers_.end()) counts.of_term[number->second] += 1;
      });
      all.push_back(std::move(counts));
    }
    counts_.push_back(std::move(all));
    for (std::size_t i = 0; i < terms_; ++i) {
      if (std::ranges::binary_search(candidate.file.words, question_.query.terms[i].text)) {
        seen_[i] += 1;
      }
    }
  }
}

void FleetRanker::weigh() {
  double known = 0, unknown = 0;
  for (std::size_t i = 0; i < terms_; ++i) {
    const search::QueryTerm& term = question_.query.terms[i];
    const double frequency = question_.frequency(i, seen_[i]);
    const double weight =
        frequency > 0 ? term.weight * search::bm25_idf(question_.files, frequency) : 0;
    file_weight_.push_back(weight);
    file_sum_ += weight;
    const double pieces = std::min(kPiecesOfTerm * frequency, question_.pieces);
    piece_weight_.push_back(frequency > 0 ? term.weight * search::bm25_idf(question_.pieces, pieces)
                                          : 0);
    piece_sum_ += piece_weight_.back();
    ranking_.weights.emplace(term.text, weight);
    if (i >= question_.query.stems.size()) continue;
    const double idf = search::name_idf(question_.files, frequency);
    (frequency > 0 ? known : unknown) += idf;
    stem_idf_.push_back(idf * term.weight * (frequency > 0 ? 1 : kUnknownStemShare));
    stem_sum_ += stem_idf_.back();
  }
  ranking_.known = known > 0 ? known / (known + unknown) : 0;
}

void FleetRanker::score_text(RankedCandidate* file) {
  const auto& pieces = counts_[file->candidate];
  Three best;
  std::vector<double> sums(terms_);
  file->piece_values.resize(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    double lex = 0, covered = 0;
    for (std::size_t term = 0; term < terms_; ++term) {
      const double n = pieces[i].of_term[term];
      if (n == 0) continue;
      sums[term] += n;
      lex += piece_weight_[term] *
             search::term_share(n, pieces[i].length, question_.average_piece, kPieceLengthShare);
      if (term < stem_idf_.size()) covered += stem_idf_[term];
    }
    lex = piece_sum_ > 0 ? lex / piece_sum_ : 0;
    best.add(lex);
    search::PieceEvidence evidence;
    evidence.lex = lex;
    evidence.cosine = std::max(0.0, of(*file).pieces[i].cosine);
    evidence.coverage = stem_sum_ > 0 ? covered / stem_sum_ : 0;
    evidence.terms = pieces[i].length;
    for (const NamedPlace& definition : of(*file).pieces[i].row.definitions) {
      const auto type = parse_symbol_type(definition.type);
      if (!type) continue;
      evidence.begins_definition = true;
      const bool is_function = *type == SymbolType::kFunction || *type == SymbolType::kMethod;
      const bool is_central = search::counts_for_centrality(*type, definition.kind);
      evidence.begins_function = evidence.begins_function || is_function;
      evidence.begins_type = evidence.begins_type || (is_central && !is_function);
      if (!is_central) continue;
      evidence.name = std::max(evidence.name, search::kind_weight(*type, definition.kind) *
                                                  name_cosine(definition.name));
    }
    file->piece_values[i] = search::piece_value(evidence);
  }
  double lex = 0;
  for (std::size_t term = 0; term < terms_; ++term) {
    if (sums[term] == 0) continue;
    lex += file_weight_[term] * search::term_share(sums[term], of(*file).file.terms,
                                                   question_.average_file, kFileLengthShare);
  }
  part(*file, Part::kFileText) = file_sum_ > 0 ? lex / file_sum_ : 0;
  part(*file, Part::kBestChunk) = best.values[0];
  part(*file, Part::kBestChunks) = best.mean(of(*file).file.pieces);
}

std::vector<bool> FleetRanker::matched(const std::vector<std::string>& stems,
                                       std::size_t* hits) const {
  std::vector<bool> which(question_.query.stems.size());
  *hits = 0;
  for (const std::string& stem : stems) {
    bool is_hit = false;
    for (std::size_t i = 0; i < which.size(); ++i) {
      if (!search::stems_match(stem, question_.query.stems[i])) continue;
      which[i] = true;
      is_hit = true;
    }
    if (is_hit) ++*hits;
  }
  return which;
}

double FleetRanker::coverage(const std::vector<bool>& stems) const {
  double sum = 0;
  for (std::size_t i = 0; i < stems.size(); ++i) {
    if (stems[i]) sum += stem_idf_[i];
  }
  return stem_sum_ > 0 ? sum / stem_sum_ : 0;
}

void FleetRanker::score_path(RankedCandidate* file) const {
  std::size_t hits = 0;
  const auto base = search::base_name_stems(of(*file).file.path);
  const auto in_base = matched(base, &hits);
  if (hits > 0) {
    const double precision = static_cast<double>(hits) / static_cast<double>(base.size());
    part(*file, Part::kBaseName) = coverage(in_base) * (1 + precision);
  }
  const auto in_folders = matched(search::directory_stems(of(*file).file.path), &hits);
  if (hits > 0) part(*file, Part::kDirectories) = coverage(in_folders);
}

// The cosine of a name's stems with the stems of the query, by rarity.
double FleetRanker::name_cosine(const std::string& name) {
  const auto known = cosines_.find(name);
  if (known != cosines_.end()) return known->second;
  double product = 0, norm = 0, query_norm = 0;
  for (const double idf : stem_idf_) query_norm += idf * idf;
  std::vector<std::string> stems;
  for_each_word(name, [&](const Word& word) {
    std::string one = stem(word.text);
    if (std::ranges::find(stems, one) == stems.end()) stems.push_back(std::move(one));
  });
  for (const std::string& one : stems) {
    const auto number = numbers_.find(one);
    const bool is_asked = number != numbers_.end() && number->second < stem_idf_.size();
    // A word that is not in the query counts like one in every hundredth file.
    const double weight = is_asked ? stem_idf_[number->second]
                                   : search::name_idf(question_.files, question_.files / 100);
    norm += weight * weight;
    if (is_asked) product += weight * weight;
  }
  const double cosine =
      norm > 0 && query_norm > 0 ? product / (std::sqrt(norm) * std::sqrt(query_norm)) : 0;
  cosines_.emplace(name, cosine);
  return cosine;
}

void FleetRanker::score_names(RankedCandidate* file) {
  const auto& pieces = of(*file).pieces;
  const auto& symbols = question_.query.inner_symbols;
  const std::string reduced_base = search::reduced_name(file_stem(of(*file).file.path));
  double best_named = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    for (std::size_t k = 0; k < pieces[i].row.definitions.size(); ++k) {
      const NamedPlace& definition = pieces[i].row.definitions[k];
      const auto type = parse_symbol_type(definition.type);
      if (!type) continue;
      const double weight = search::kind_weight(*type, definition.kind);
      double& named = part(*file, Part::kDefinition);
      named = std::max(named, weight * name_cosine(definition.name));
      const bool is_symbol = definition.name == question_.query.symbol;
      if (!is_symbol && std::ranges::find(symbols, definition.name) == symbols.end()) continue;
      const std::string reduced = search::reduced_name(definition.name);
      const double value =
          weight * (!reduced.empty() && reduced == reduced_base ? kBaseNameBonus : 1);
      double& symbol = part(*file, is_symbol ? Part::kSymbol : Part::kInnerSymbol);
      symbol = std::max(symbol, value);
      if (value <= best_named) continue;
      best_named = value;
      file->symbol = PieceDefinition{i, k};
    }
  }
}

void FleetRanker::score_dense(RankedCandidate* file) const {
  Three best;
  for (const CandidatePiece& piece : of(*file).pieces) best.add(std::max(0.0, piece.cosine));
  const std::uint32_t all = of(*file).file.pieces;
  part(*file, Part::kDenseChunks) = best.mean(all);
  part(*file, Part::kDenseMean) = of(*file).cosines / (static_cast<double>(all) + 1);
  part(*file, Part::kDenseFile) = std::max(0.0, of(*file).cosine);
}

void FleetRanker::finish(const search::VersionFolders& versions, RankedCandidate* file) const {
  double sum = 0;
  for (std::size_t i = 0; i < search::kPartCount; ++i) sum += kParts[i].weight * file->parts[i];
  if (sum <= 0) return;
  const double matched = sum;
  const auto add = [&](Part which, double value) {
    part(*file, which) = value;
    sum += kParts[static_cast<std::size_t>(which)].weight * value;
  };
  add(Part::kCentrality, of(*file).file.centrality);
  add(Part::kExtent, std::log1p(static_cast<double>(of(*file).file.pieces)));
  const std::string& path = of(*file).file.path;
  file->prior = search::language_prior(of(*file).file.language);
  const auto apply = [&](const search::PathCut& cut) {
    const bool is_asked = !cut.undone_by.empty() &&
                          std::ranges::any_of(question_.query.stems, [&](const std::string& own) {
                            return search::stems_match(own, cut.undone_by);
                          });
    if (!is_asked) file->prior *= cut.factor;
  };
  for (const search::PathCut& cut : search::path_cuts(path)) apply(cut);
  apply(versions.cut_of(of(*file).file.repository + "/" + path));
  file->score = file->prior * std::max(sum, kMinShare * matched);
  // A query for a name wants its definition, even in a test.
  const double named = part(*file, Part::kSymbol);
  if (named > 0 && file->prior < 1 && is_test_path(path)) {
    file->score +=
        (1 - file->prior) * kParts[static_cast<std::size_t>(Part::kSymbol)].weight * named;
  }
}

// The answer to a query is the file that implements the thing: other matching files import it.
void FleetRanker::score_importers() {
  double best = 0;
  std::map<std::pair<std::string_view, std::string>, double> greatest;  // by file: the best of its
                                                                        // importers
  for (const RankedCandidate& file : ranking_.files) {
    best = std::max(best, file.score);
    for (const std::string& target : of(file).file.imports) {
      double& value = greatest[{of(file).file.repository, target}];
      value = std::max(value, file.score);
    }
  }
  if (best <= 0) return;
  for (RankedCandidate& file : ranking_.files) {
    const auto found = greatest.find({of(file).file.repository, path_number(of(file).file.path)});
    if (found == greatest.end() || file.score <= 0) continue;
    part(file, Part::kImporters) = found->second / best;
    file.score += file.prior * kParts[static_cast<std::size_t>(Part::kImporters)].weight *
                  part(file, Part::kImporters);
  }
}

}  // namespace

FleetRanking rank(const Question& question, const std::vector<Candidate>& candidates) {
  return FleetRanker(question, candidates).run();
}

}  // namespace codexmem::fleet
