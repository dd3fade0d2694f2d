// One scan of the postings counts each query term in each chunk that contains any; counts and
// lengths of files are sums over their chunks. Document frequencies are known only after the scan,
// so hits are kept (two bytes per term) and scored in a second pass. Data about names comes from
// the snapshot's inverted lists, part by part. The scan, about a microsecond per matching chunk, is
// the main cost.
//
// Tested by search/ranking_test.cpp.
#include "search/ranking.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/path.h"
#include "config/path_kind.h"
#include "search/path_facts.h"

namespace codexmem::search {
namespace {

constexpr double kSaturation = 1.2;
constexpr double kFileLengthShare = 0.4;    // b for files
constexpr double kChunkLengthShare = 0.75;  // b for chunks
constexpr std::size_t kPassages = 3;
// The weight of a stem that occurs in no file, for names and paths: with its full weight,
// cookies.py is not found for "cookie storage and persistence". NDCG@10 0.904 with 1, 0.910 with
// 0.3, 0.909 with 0.
constexpr double kUnknownStemShare = 0.3;
constexpr double kBaseNameBonus = 1.5;  // of a definition that names its file
constexpr double kNoFileFrequency = 0.5;
constexpr double kMinShare = 0.01;  // of a score: length never reduces a match to zero
constexpr std::uint32_t kNoSlot = static_cast<std::uint32_t>(-1);

using StemMask = std::uint64_t;  // bit i: stem i of the query
static_assert(kMaxQueryTerms <= 64);

// The three greatest values seen.
struct BestThree {
  std::array<double, kPassages> values{};
  void add(double value) {
    for (double& kept : values) {
      if (value > kept) std::swap(value, kept);
    }
  }
  /// Their mean over at most this many units: a short file is not penalised.
  double mean(std::size_t units) const {
    return (values[0] + values[1] + values[2]) /
           static_cast<double>(std::clamp<std::size_t>(units, 1, kPassages));
  }
};

// A chunk that contains a term of the query.
struct Hit {
  std::uint32_t index = 0;  // in its file
  std::uint32_t length = 0;
};

struct FileHits {
  FileNumber file = 0;
  std::size_t first_hit = 0;
};

class Ranker {
 public:
  Ranker(store::StoreReader& reader, const Snapshot& snapshot, const Query& query,
         std::span<const embed::VectorHit> dense, const RankOptions& options)
      : reader_(reader),
        snapshot_(snapshot),
        query_(query),
        dense_(dense),
        options_(options),
        terms_(query.terms.size()),
        files_(snapshot.file_end()),
        hit_slots_(snapshot.file_end(), kNoSlot) {
    for (FileNumber file = 0; file < files_.size(); ++file) files_[file].file = file;
  }

  Result<Ranking> run() {
    CODEXMEM_TRY(scan());
    count_frequencies();
    score_text();
    score_paths();
    score_names();
    score_symbols();
    score_dense();
    if (options_.complete) CODEXMEM_TRY(complete_dense());
    return finish();
  }

 private:
  Result<void> scan();
  void count_frequencies();
  void score_text();
  void score_paths();
  void score_names();
  void score_names(const Snapshot::Part& whole);
  void score_symbols();
  void name_symbol(std::string_view name, Part part);
  void score_dense();
  Result<void> complete_dense();
  double prior_of(FileNumber file) const;
  void score_files();
  void score_importers();
  Ranking finish();

  double file_count() const { return static_cast<double>(snapshot_.file_count()); }
  bool is_off(Part which) const {
    return (options_.parts_off >> static_cast<std::size_t>(which) & 1U) != 0;
  }
  bool keeps(FileNumber file) const {
    return snapshot_.has(file) && (!options_.keep || options_.keep(file));
  }
  std::uint16_t count(std::size_t hit, std::size_t term) const {
    return counts_[hit * terms_ + term];
  }
  double& part(FileNumber file, Part which) {
    return files_[file].parts[static_cast<std::size_t>(which)];
  }
  std::vector<RankedChunk> chunks_of(FileNumber file) const;
  // Maps each stem of paths and names to the query stems that it matches by prefix. Stems without a
  // match are absent.
  std::unordered_map<StemNumber, StemMask> match_stems(const Segment& segment) const;
  double coverage(StemMask mask) const;

  store::StoreReader& reader_;
  const Snapshot& snapshot_;
  const Query& query_;
  std::span<const embed::VectorHit> dense_;  // by id, if complete
  std::vector<embed::VectorHit> completed_;
  const RankOptions& options_;
  const std::size_t terms_;
  std::vector<RankedFile> files_;

  std::vector<Hit> hits_;                 // by file, then index
  std::vector<std::uint16_t> counts_;     // hits_.size() x terms_
  std::vector<FileHits> hit_files_;       // by file id; plus one past the end
  std::vector<std::uint32_t> hit_slots_;  // by file: its index in hit_files_, or kNoSlot
  std::vector<double> file_frequency_, chunk_frequency_;  // by term
  std::vector<double> stem_idf_;                          // by stem of the query
  double stem_idf_sum_ = 0;
  std::vector<double> hit_lex_;  // by hit
  std::unordered_map<NameNumber, double> name_cosines_;
};

Result<void> Ranker::scan() {
  std::vector<std::string> terms;
  terms.reserve(terms_);
  for (const QueryTerm& term : query_.terms) terms.push_back(term.text);
  std::optional<store::FileId> current;
  std::optional<FileNumber> file;
  std::uint32_t chunks = 0;
  const auto visit = [&](const store::ChunkMatch& match) {
    const store::FileId id = store::file_of(match.id);
    if (id != current) {
      current = id;
      file = snapshot_.find_file(id);
      chunks = file ? snapshot_.chunk_count(*file) : 0;
      if (file) {
        hit_slots_[*file] = static_cast<std::uint32_t>(hit_files_.size());
        hit_files_.push_back({*file, hits_.size()});
      }
    }
    const std::uint32_t index = store::ordinal_of(match.id);
    if (index >= chunks) return true;
    hits_.push_back({index, snapshot_.chunk_length(*file, index)});
    for (const std::uint32_t n : match.counts) {
      counts_.push_back(static_cast<std::uint16_t>(
          std::min<std::uint32_t>(n, std::numeric_limits<std::uint16_t>::max())));
    }
    return true;
  };
  if (!terms.empty()) CODEXMEM_TRY(reader_.match_chunks(terms, visit));
  hit_files_.push_back({0, hits_.size()});
  return {};
}

void Ranker::count_frequencies() {
  file_frequency_.assign(terms_, 0);
  chunk_frequency_.assign(terms_, 0);
  std::vector<std::vector<bool>> has(terms_, std::vector<bool>(files_.size()));
  for (std::size_t i = 0; i + 1 < hit_files_.size(); ++i) {
    for (std::size_t hit = hit_files_[i].first_hit; hit < hit_files_[i + 1].first_hit; ++hit) {
      for (std::size_t term = 0; term < terms_; ++term) {
        if (count(hit, term) == 0) continue;
        chunk_frequency_[term] += 1;
        has[term][hit_files_[i].file] = true;
      }
    }
  }
  for (std::size_t term = 0; term < terms_; ++term) {
    for (const Snapshot::Part& part : snapshot_.parts()) {
      const auto stem = part.segment->find_stem(query_.terms[term].text);
      if (!stem) continue;
      for (const FileNumber file : part.segment->files_named(*stem)) {
        if (snapshot_.has(part.first_file + file)) has[term][part.first_file + file] = true;
      }
    }
    file_frequency_[term] = static_cast<double>(std::ranges::count(has[term], true));
  }
  // The stems are the first terms.
  for (std::size_t i = 0; i < query_.stems.size(); ++i) {
    const double share = query_.terms[i].weight * (file_frequency_[i] > 0 ? 1 : kUnknownStemShare);
    stem_idf_.push_back(share * name_idf(file_count(), file_frequency_[i]));
    stem_idf_sum_ += stem_idf_.back();
  }
}

void Ranker::score_text() {
  std::vector<double> file_weight(terms_), chunk_weight(terms_);
  double file_sum = 0, chunk_sum = 0;
  const double files = file_count();
  const auto chunks = static_cast<double>(snapshot_.chunk_count());
  for (std::size_t term = 0; term < terms_; ++term) {
    if (chunk_frequency_[term] == 0 && file_frequency_[term] == 0) continue;
    const double weight = query_.terms[term].weight;
    file_weight[term] = weight * bm25_idf(files, file_frequency_[term]);
    file_sum += file_weight[term];
    if (chunk_frequency_[term] == 0) continue;
    chunk_weight[term] = weight * bm25_idf(chunks, chunk_frequency_[term]);
    chunk_sum += chunk_weight[term];
  }
  hit_lex_.resize(hits_.size());
  std::vector<double> file_counts(terms_);
  for (std::size_t i = 0; i + 1 < hit_files_.size(); ++i) {
    const FileNumber file = hit_files_[i].file;
    BestThree best;
    std::ranges::fill(file_counts, 0);
    for (std::size_t hit = hit_files_[i].first_hit; hit < hit_files_[i + 1].first_hit; ++hit) {
      double lex = 0;
      for (std::size_t term = 0; term < terms_; ++term) {
        const double n = count(hit, term);
        if (n == 0) continue;
        file_counts[term] += n;
        lex += chunk_weight[term] * term_share(n, hits_[hit].length,
                                               snapshot_.average_chunk_length(), kChunkLengthShare);
      }
      lex = chunk_sum > 0 ? lex / chunk_sum : 0;
      hit_lex_[hit] = lex;
      best.add(lex);
    }
    double lex = 0;
    for (std::size_t term = 0; term < terms_; ++term) {
      if (file_counts[term] == 0) continue;
      lex += file_weight[term] * term_share(file_counts[term],
                                            static_cast<double>(snapshot_.term_count(file)),
                                            snapshot_.average_file_length(), kFileLengthShare);
    }
    part(file, Part::kFileText) = file_sum > 0 ? lex / file_sum : 0;
    part(file, Part::kBestChunk) = best.values[0];
    part(file, Part::kBestChunks) = best.mean(snapshot_.chunk_count(file));
  }
}

std::unordered_map<StemNumber, StemMask> Ranker::match_stems(const Segment& segment) const {
  std::unordered_map<StemNumber, StemMask> masks;
  for (std::size_t i = 0; i < query_.stems.size(); ++i) {
    const std::string& wanted = query_.stems[i];
    const StemMask bit = StemMask{1} << i;
    // Stems that begin with the wanted one are consecutive; the stems that it begins with are its
    // prefixes.
    for (StemNumber at = segment.lower_stem(wanted); at < segment.stem_count(); ++at) {
      if (!segment.stem(at).starts_with(wanted)) break;
      if (stems_match(segment.stem(at), wanted)) masks[at] |= bit;
    }
    for (std::size_t size = 3; size < wanted.size(); ++size) {
      const std::string_view prefix = std::string_view(wanted).substr(0, size);
      if (const auto stem = segment.find_stem(prefix); stem && stems_match(prefix, wanted)) {
        masks[*stem] |= bit;
      }
    }
  }
  return masks;
}

double Ranker::coverage(StemMask mask) const {
  double sum = 0;
  for (; mask != 0; mask &= mask - 1) {
    sum += stem_idf_[static_cast<std::size_t>(std::countr_zero(mask))];
  }
  return stem_idf_sum_ > 0 ? sum / stem_idf_sum_ : 0;
}

void Ranker::score_paths() {
  for (const Snapshot::Part& whole : snapshot_.parts()) {
    const Segment& segment = *whole.segment;
    const auto masks = match_stems(segment);
    std::vector<bool> is_named(segment.file_count());  // by the path or a definition
    for (const auto& [stem, mask] : masks) {
      for (const FileNumber file : segment.files_named(stem)) is_named[file] = true;
    }
    const auto mask_of = [&](StemNumber stem) {
      const auto found = masks.find(stem);
      return found == masks.end() ? StemMask{0} : found->second;
    };
    for (FileNumber file = 0; file < segment.file_count(); ++file) {
      if (!is_named[file] || !snapshot_.has(whole.first_file + file)) continue;
      StemMask base = 0, directories = 0;
      std::size_t matched = 0, stems = 0;
      for (const StemNumber stem : segment.base_stems(file)) {
        const StemMask mask = mask_of(stem);
        base |= mask;
        ++stems;
        if (mask != 0) ++matched;
      }
      for (const StemNumber stem : segment.directory_stems(file)) directories |= mask_of(stem);
      if (base != 0) {
        const double precision = static_cast<double>(matched) / static_cast<double>(stems);
        part(whole.first_file + file, Part::kBaseName) = coverage(base) * (1 + precision);
      }
      if (directories != 0) {
        part(whole.first_file + file, Part::kDirectories) = coverage(directories);
      }
    }
  }
}

void Ranker::score_names() {
  for (const Snapshot::Part& part : snapshot_.parts()) score_names(part);
}

void Ranker::score_names(const Snapshot::Part& whole) {
  const Segment& segment = *whole.segment;
  double query_norm = 0;
  std::unordered_map<StemNumber, double> wanted;  // idf of the query's stems
  for (std::size_t i = 0; i < query_.stems.size(); ++i) {
    query_norm += stem_idf_[i] * stem_idf_[i];
    if (const auto stem = segment.find_stem(query_.stems[i])) wanted.emplace(*stem, stem_idf_[i]);
  }
  query_norm = std::sqrt(query_norm);
  std::vector<Definer> definers;
  for (const auto& [stem, idf] : wanted) {
    for (const NameNumber name : segment.names_with(stem)) {
      if (name_cosines_.contains(whole.first_name + name)) continue;
      double product = 0, norm = 0;
      definers.clear();
      segment.read_name(
          name,
          [&](StemNumber own) {
            const auto found = wanted.find(own);
            const double weight = found != wanted.end()
                                      ? found->second
                                      : name_idf(file_count(), segment.stem_frequency(own));
            norm += weight * weight;
            if (found != wanted.end()) product += weight * weight;
          },
          [&](const Definer& definer) { definers.push_back(definer); });
      const double cosine =
          norm > 0 && query_norm > 0 ? product / (std::sqrt(norm) * query_norm) : 0;
      name_cosines_.emplace(whole.first_name + name, cosine);
      for (const Definer& definer : definers) {
        const FileNumber file = whole.first_file + definer.file;
        if (!snapshot_.has(file)) continue;
        double& value = part(file, Part::kDefinition);
        value = std::max(value, definer.weight * cosine);
      }
    }
  }
}

void Ranker::name_symbol(std::string_view name, Part which) {
  const std::string reduced = reduced_name(name);
  for (const Snapshot::Part& whole : snapshot_.parts()) {
    const auto number = whole.segment->find_name(name);
    if (!number) continue;
    const auto add = [&](const Definer& definer) {
      const FileNumber file = whole.first_file + definer.file;
      if (!snapshot_.has(file)) return;
      const bool names_file =
          !reduced.empty() && reduced_name(file_stem(snapshot_.path(file))) == reduced;
      const double value = definer.weight * (names_file ? kBaseNameBonus : 1);
      if (value <= part(file, which)) return;
      part(file, which) = value;
      files_[file].symbol = definer.ordinal;
    };
    whole.segment->read_name(
        *number, [](StemNumber) {}, add);
  }
}

void Ranker::score_symbols() {
  if (!query_.symbol.empty()) name_symbol(query_.symbol, Part::kSymbol);
  for (const std::string& name : query_.inner_symbols) name_symbol(name, Part::kInnerSymbol);
}

void Ranker::score_dense() {
  if (dense_.empty()) return;
  std::vector<BestThree> best(files_.size());
  std::vector<double> sums(files_.size());
  std::optional<store::FileId> last;  // consecutive rows are usually of the same file
  std::optional<FileNumber> file;
  std::uint32_t chunks = 0;
  for (const embed::VectorHit& hit : dense_) {
    const double cosine = hit.score;
    if (cosine <= 0) continue;
    const auto id = static_cast<store::ChunkId>(hit.id);
    if (last != store::file_of(id)) {
      last = store::file_of(id);
      file = snapshot_.find_file(*last);
      chunks = file ? snapshot_.chunk_count(*file) : 0;
    }
    if (!file.has_value()) continue;
    const std::uint32_t index = store::ordinal_of(id);
    if (index == store::kFileVectorIndex) {
      part(*file, Part::kDenseFile) = cosine;
      continue;
    }
    // A vector of a chunk that the file no longer has is ignored.
    if (index >= chunks) continue;
    best[*file].add(cosine);
    sums[*file] += cosine;
  }
  for (FileNumber number = 0; number < files_.size(); ++number) {
    if (best[number].values[0] <= 0) continue;
    part(number, Part::kDenseChunks) = best[number].mean(snapshot_.chunk_count(number));
    part(number, Part::kDenseMean) =
        sums[number] / static_cast<double>(snapshot_.chunk_count(number) + 1);
  }
}

// The missing cosines belong to chunks that are far from the query. They matter for files with
// other evidence: without them, these files would rank behind files that only have cosines.
Result<void> Ranker::complete_dense() {
  std::vector<std::pair<double, FileNumber>> order;
  for (const RankedFile& file : files_) {
    if (!keeps(file.file)) continue;
    double sum = 0;
    for (std::size_t i = 0; i < kPartCount; ++i) sum += kParts[i].weight * file.parts[i];
    order.emplace_back(-sum, file.file);
  }
  const std::size_t kept = std::min(kCompletedFiles, order.size());
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(kept));
  order.resize(kept);
  std::vector<std::int64_t> ids;
  for (const auto& [sum, number] : order) {
    const store::FileId file = snapshot_.id(number);
    for (std::uint32_t i = 0; i < snapshot_.chunk_count(number); ++i) {
      ids.push_back(static_cast<std::int64_t>(store::chunk_id(file, i)));
    }
    ids.push_back(static_cast<std::int64_t>(store::chunk_id(file, store::kFileVectorIndex)));
  }
  std::ranges::sort(ids);
  CODEXMEM_ASSIGN(completed_, options_.complete(ids));
  dense_ = completed_;
  score_dense();
  return {};
}

std::vector<RankedChunk> Ranker::chunks_of(FileNumber file) const {
  std::vector<RankedChunk> all(snapshot_.chunk_count(file));
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i].index = i;
  if (const std::uint32_t slot = hit_slots_[file]; slot != kNoSlot) {
    for (std::size_t hit = hit_files_[slot].first_hit; hit < hit_files_[slot + 1].first_hit;
         ++hit) {
      RankedChunk& chunk = all[hits_[hit].index];
      chunk.lex = hit_lex_[hit];
      for (std::size_t i = 0; i < stem_idf_.size(); ++i) {
        if (count(hit, i) > 0 && stem_idf_sum_ > 0) chunk.coverage += stem_idf_[i] / stem_idf_sum_;
      }
    }
  }
  const auto first = static_cast<std::int64_t>(store::chunk_id(snapshot_.id(file), 0));
  for (auto at = std::ranges::lower_bound(dense_, first, {}, &embed::VectorHit::id);
       at != dense_.end() && at->id - first < static_cast<std::int64_t>(all.size()); ++at) {
    all[static_cast<std::size_t>(at->id - first)].cosine = std::max(0.0F, at->score);
  }
  std::erase_if(all, [](const RankedChunk& chunk) { return chunk.lex <= 0 && chunk.cosine <= 0; });
  return all;
}

double Ranker::prior_of(FileNumber file) const {
  const double prior = snapshot_.prior(file, [&](const std::string& stem) {
    return std::ranges::any_of(query_.stems,
                               [&](const std::string& own) { return stems_match(own, stem); });
  });
  if (prior > kTestFactor || !is_test_by_name(snapshot_.path(file))) return prior;
  // A file that the program itself imports is not a test, whatever its name.
  bool is_imported = false;
  snapshot_.visit_importers(file, [&](FileNumber importer) {
    is_imported = is_imported || !is_test_path(snapshot_.path(importer));
  });
  return is_imported ? prior / kTestFactor : prior;
}

void Ranker::score_files() {
  for (RankedFile& file : files_) {
    double sum = 0;
    for (std::size_t i = 0; i < kPartCount; ++i) {
      if (is_off(static_cast<Part>(i))) file.parts[i] = 0;
      sum += kParts[i].weight * file.parts[i];
    }
    // Centrality or length alone is not an answer.
    if ((sum <= 0 && !options_.keep_all) || !snapshot_.has(file.file)) continue;
    const double matched = sum;
    const auto add = [&](Part which, double value) {
      if (is_off(which)) return;
      part(file.file, which) = value;
      sum += kParts[static_cast<std::size_t>(which)].weight * value;
    };
    add(Part::kCentrality, snapshot_.centrality(file.file));
    add(Part::kExtent, std::log1p(static_cast<double>(snapshot_.chunk_count(file.file))));
    if ((options_.parts_off & kPriorOff) == 0) {
      file.prior = prior_of(file.file);
    }
    file.score = file.prior * std::max(sum, kMinShare * matched);
    // A query for a name wants its definition, even in a test.
    const double named = file.parts[static_cast<std::size_t>(Part::kSymbol)];
    if (named > 0 && file.prior < 1 && is_test_path(snapshot_.path(file.file))) {
      file.score +=
          (1 - file.prior) * kParts[static_cast<std::size_t>(Part::kSymbol)].weight * named;
    }
  }
}

// The answer to a query is the file that implements the thing; files that use it import that file
// and match as well.
void Ranker::score_importers() {
  if (is_off(Part::kImporters)) return;
  double best = 0;
  std::vector<double> scores(files_.size());
  for (const RankedFile& file : files_) {
    scores[file.file] = file.score;
    best = std::max(best, file.score);
  }
  for (RankedFile& file : files_) {
    if (file.score <= 0) continue;
    double greatest = 0;
    snapshot_.visit_importers(
        file.file, [&](FileNumber importer) { greatest = std::max(greatest, scores[importer]); });
    double& value = part(file.file, Part::kImporters);
    value = greatest / best;
    file.score += file.prior * kParts[static_cast<std::size_t>(Part::kImporters)].weight * value;
  }
}

Ranking Ranker::finish() {
  Ranking ranking;
  double known = 0, unknown = 0;
  for (std::size_t i = 0; i < stem_idf_.size(); ++i) {
    const double idf = name_idf(file_count(), file_frequency_[i]);
    (file_frequency_[i] > 0 ? known : unknown) += idf;
  }
  ranking.known = known > 0 ? known / (known + unknown) : 0;
  for (std::size_t term = 0; term < terms_; ++term) {
    ranking.term_weights.push_back(file_frequency_[term] == 0
                                       ? 0
                                       : query_.terms[term].weight *
                                             bm25_idf(file_count(), file_frequency_[term]));
  }
  score_files();
  score_importers();
  for (RankedFile& file : files_) {
    if (file.score <= 0 && !options_.keep_all) continue;
    if (!keeps(file.file)) continue;
    ranking.files.push_back(std::move(file));
  }
  sort_by_score(snapshot_, &ranking.files);
  for (std::size_t i = 0; i < std::min(ranking.files.size(), kFilesWithChunks); ++i) {
    ranking.files[i].chunks = chunks_of(ranking.files[i].file);
  }
  ranking.name_cosines = std::move(name_cosines_);
  return ranking;
}

}  // namespace

void sort_by_score(const Snapshot& snapshot, std::vector<RankedFile>* files) {
  std::ranges::sort(*files, [&](const RankedFile& a, const RankedFile& b) {
    if (a.score != b.score) return a.score > b.score;
    return snapshot.path(a.file) < snapshot.path(b.file);
  });
}

double bm25_idf(double units, double with) {
  return std::log(1 + (units - with + 0.5) / (with + 0.5));
}

double name_idf(double files, double with) {
  return std::log(1 + files / std::max(with, kNoFileFrequency));
}

double term_share(double count, double length, double average, double b) {
  const double scaled = count / (1 - b + b * length / average);
  return scaled / (kSaturation + scaled);
}

Result<Ranking> rank(store::StoreReader& reader, const Snapshot& snapshot, const Query& query,
                     std::span<const embed::VectorHit> dense, const RankOptions& options) {
  return Ranker(reader, snapshot, query, dense, options).run();
}

}  // namespace codexmem::search
