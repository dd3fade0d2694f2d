// Works in rounds of simultaneous requests: first the ids of possible answers (near the query as a
// chunk or a file, containing its rare words, or defining its names), then the rows of these files,
// then the pieces of the best ones. Rows are read only by their ids, which costs the same for any
// size of the fleet.
//
// Tested by fleet/fleet_search_test.cpp.
#include "fleet/candidates.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "base/at_once.h"
#include "search/path_facts.h"
#include "search/ranking.h"

namespace codexmem::fleet {
namespace {

using embed::ChromaFilter;
using embed::ChromaRecord;

constexpr std::size_t kNearPieces = 160;
constexpr std::size_t kNearFiles = 60;
constexpr std::size_t kWithWord = 40;   // files for one word or name
constexpr std::size_t kWordsAsked = 5;  // the rarest ones
constexpr double kRareShare = 0.04;     // of the visible files: a word in more files is not rare
constexpr double kRareFiles = 300;      // but a word in at most this many files is
constexpr double kMaxMatches = 4'000;  // of all files: each match takes 20 us
constexpr std::size_t kCommonTogether = 3;  // words that are not rare, queried together
constexpr std::size_t kFilesTogether = 64;  // per request
constexpr std::size_t kPiecesTogether = 160;
constexpr std::size_t kVectorsTogether = 500;
constexpr std::size_t kThreads = 12;  // waiting for answers
constexpr std::size_t kBestFiles = 12;
constexpr std::size_t kPiecesOfBest = 40;  // pieces to read of each of the best files
constexpr std::size_t kPiecesOfOther = 6;
constexpr std::size_t kShortFile = 12;    // pieces of a file that is read completely
constexpr std::size_t kMaxPieces = 500;  // pieces of one of the best files, compared by their
                                          // vectors
constexpr std::size_t kMaxOfOther = 100;
constexpr std::size_t kManyTimes = 3;  // with a filter: multiple of the requested number

// Weights of a file before its pieces are known.
constexpr double kOfWords = 0.9, kOfPiece = 1.4, kOfFile = 0.35, kOfName = 0.7;

// The data known about a file.
struct Found {
  bool has_name = false;
  double piece_cosine = 0;  // of its piece nearest to the query
  std::set<std::uint32_t> near_pieces;
  std::optional<FileRow> row;
  double cosine = 0;            // of its row
  double cosines = 0;           // sum over its pieces, without negative ones
  std::size_t most_pieces = 0;  // to be read
  bool is_long = false;         // it has more pieces
};

double cosine_of(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size()) return 0;
  double product = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    product += static_cast<double>(a[i]) * b[i];
    aa += static_cast<double>(a[i]) * a[i];
    bb += static_cast<double>(b[i]) * b[i];
  }
  const double cosine = product / std::sqrt(aa * bb);
  return std::isfinite(cosine) ? cosine : 0;
}

class Finder {
 public:
  Finder(const View& view, const Question& question, const std::stop_token& stop)
      : view_(view), question_(question), stop_(stop) {}

  Result<Candidates> run() {
    look_around();
    if (found_.empty() && failure_ && answered_ == 0) return *failure_;
    if (!stop_.stop_requested()) read_files();
    choose();
    if (!stop_.stop_requested()) choose_pieces();
    if (!stop_.stop_requested()) read_pieces();
    if (stop_.stop_requested()) return Error{ErrorCode::kCancelled, "cancelled"};
    return finish();
  }

 private:
  using Take = std::function<void(std::vector<ChromaRecord>&)>;
  struct Wanted {
    ChromaFilter filter = {};
    double files = 0;  // expected number
  };
  using Calls = std::vector<std::function<void()>>;

  void look_around();
  void read_files();
  void choose();
  void choose_pieces();
  void read_pieces();
  Candidates finish();
  std::vector<Wanted> wanted_words() const;
  std::vector<std::string> names() const;
  double value_of(const Found& found) const;

  std::size_t many(std::size_t k) const { return question_.filter.is_empty() ? k : k * kManyTimes; }

  // The `k` nearest of these files, by vectors that are read for this.
  Servers::Records nearest_of(const std::vector<ChromaRecord>& files, std::size_t k) const {
    std::vector<std::string> ids;
    for (const ChromaRecord& file : files) ids.push_back(file.id);
    CODEXMEM_ASSIGN(auto records, view_.fetch(View::Rows::kFiles, std::move(ids),
                                              {.metadata = false, .vectors = true}, stop_));
    for (ChromaRecord& record : records) {
      record.similarity = static_cast<float>(cosine_of(question_.vector, record.vector));
    }
    std::ranges::stable_sort(records, std::ranges::greater(), &ChromaRecord::similarity);
    if (records.size() > k) records.resize(k);
    return records;
  }

  // The nearest of the wanted files; all if they are few. Rows that Chroma's graph does not reach
  // are listed.
  Servers::Records files_with(const Wanted& wanted) const {
    const std::size_t k = many(kWithWord);
    const auto list = [&] {
      return view_.matching(View::Rows::kFiles, wanted.filter,
                            static_cast<std::size_t>(kMaxMatches), stop_);
    };
    const auto near = [&] {
      return view_.nearest(View::Rows::kFiles, question_.vector, k, wanted.filter, stop_);
    };
    if (question_.vector.empty()) {
      CODEXMEM_ASSIGN(auto listed, list());
      if (listed.size() > k) listed.resize(k);
      return listed;
    }
    // With a condition on the repository, Chroma would look up its rows for each word.
    if (!view_.is_whole() || wanted.files <= static_cast<double>(k)) {
      auto listed = list();
      if (!listed.ok() || listed->size() <= k) return listed;
      if (!view_.is_whole()) return nearest_of(*listed, k);
    }
    auto found = near();
    if (!found.ok() || found->size() >= k) return found;
    auto listed = list();
    if (!listed.ok()) return found;
    std::set<std::string, std::less<>> known;
    for (const ChromaRecord& record : *found) known.insert(record.id);
    for (ChromaRecord& record : *listed) {
      if (found->size() >= k) break;
      if (!known.contains(record.id)) found->push_back(std::move(record));
    }
    return found;
  }

  static void run_together(const Calls& calls) {
    run_at_once(calls.size(), kThreads, [&](std::size_t i) { calls[i](); });
  }

  // A call that adds the answer of `ask`.
  std::function<void()> taking(std::function<Servers::Records()> ask, Take take) {
    return [this, ask = std::move(ask), take = std::move(take)] {
      auto records = ask();
      const std::lock_guard lock(mutex_);
      if (!records.ok()) {
        failure_ = records.error();
        return;
      }
      ++answered_;
      take(*records);
    };
  }

  // Calls that fetch the rows with `ids`, `together` per request.
  void fetch(View::Rows rows, const std::vector<std::string>& ids, std::size_t together,
             embed::ChromaParts parts, const Take& take) {
    Calls calls;
    for (std::size_t begin = 0; begin < ids.size(); begin += together) {
      const auto first = ids.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto count = static_cast<std::ptrdiff_t>(std::min(together, ids.size() - begin));
      calls.push_back(taking(
          [this, rows, parts, group = std::vector<std::string>(first, first + count)] {
            return view_.fetch(rows, group, parts, stop_);
          },
          take));
    }
    run_together(calls);
  }

  void take_near_pieces(const std::vector<ChromaRecord>& records) {
    for (const ChromaRecord& record : records) {
      const PiecePlace place = piece_place(record.id);
      Found& found = found_[std::string(place.file)];
      found.near_pieces.insert(place.index);
      found.piece_cosine = std::max(found.piece_cosine, static_cast<double>(record.similarity));
    }
  }

  const View& view_;
  const Question& question_;
  const std::stop_token stop_;

  std::mutex mutex_;                                 // guards the members below
  std::map<std::string, Found, std::less<>> found_;  // by file id
  std::map<std::string, std::map<std::uint32_t, CandidatePiece>, std::less<>> pieces_;
  std::optional<Error> failure_;
  std::size_t answered_ = 0;
  std::vector<std::string> chosen_;                                      // files
  std::map<std::string, std::vector<std::string>, std::less<>> copies_;  // by content: other places
  std::vector<std::string> wanted_;                                      // pieces
};

// The words by which files are requested: one of the rarest stems each, any of the compounds, and,
// if few stems are rare, common ones together.
std::vector<Finder::Wanted> Finder::wanted_words() const {
  struct Stem {
    double value, files;
    std::string mark;
  };
  const double rare = std::max(kRareFiles, kRareShare * question_.files);
  std::vector<Stem> stems;
  Wanted compounds, common;
  for (std::size_t i = 0; i < question_.query.terms.size(); ++i) {
    const search::QueryTerm& term = question_.query.terms[i];
    const double files = question_.frequency(i, 0);
    const bool is_rare = files <= rare && question_.counted_in_all[i] <= kMaxMatches;
    if (i >= question_.query.stems.size()) {
      if (!is_rare) continue;
      compounds.filter.contains_any.push_back(word_mark(term.text));
      compounds.files += files;
    } else if (is_rare) {
      stems.push_back(
          {term.weight * search::name_idf(question_.files, files), files, word_mark(term.text)});
    } else if (common.filter.contains.size() < kCommonTogether &&
               question_.counted_in_all[i] <= 2 * kMaxMatches) {
      common.filter.contains.push_back(word_mark(term.text));
      common.files = std::max(common.files, files);
    }
  }
  std::ranges::stable_sort(stems, std::ranges::greater(), &Stem::value);
  std::vector<Wanted> all;
  for (Stem& stem : stems) {
    if (all.size() == kWordsAsked) break;
    all.push_back({{.contains = {std::move(stem.mark)}}, stem.files});
  }
  if (all.size() < kWordsAsked && common.filter.contains.size() >= 2) {
    all.push_back(std::move(common));
  }
  if (!compounds.filter.contains_any.empty()) all.push_back(std::move(compounds));
  return all;
}

// The definition names in the query.
std::vector<std::string> Finder::names() const {
  if (!question_.query.symbol.empty()) return {question_.query.symbol};
  std::vector<std::string> all = question_.query.inner_symbols;
  if (all.size() > kWordsAsked) all.resize(kWordsAsked);
  return all;
}

void Finder::look_around() {
  Calls calls;
  const auto near = [&](View::Rows rows, std::size_t k, const ChromaFilter& filter, Take take) {
    calls.push_back(taking(
        [this, rows, k, filter] {
          return question_.vector.empty()
                     ? view_.matching(rows, filter, many(k), stop_)
                     : view_.nearest(rows, question_.vector, many(k), filter, stop_);
        },
        std::move(take)));
  };
  const Take take_pieces = [this](const auto& records) { take_near_pieces(records); };
  const auto take_files = [this](bool has_name) {
    return [this, has_name](const std::vector<ChromaRecord>& records) {
      for (const ChromaRecord& record : records) {
        Found& found = found_[record.id];
        found.has_name = found.has_name || has_name;
      }
    };
  };
  if (!question_.vector.empty()) {
    near(View::Rows::kPieces, kNearPieces, {}, take_pieces);
    near(View::Rows::kFiles, kNearFiles, {}, take_files(false));
  }
  for (const Wanted& wanted : wanted_words()) {
    calls.push_back(taking([this, wanted] { return files_with(wanted); }, take_files(false)));
  }
  for (const std::string& name : names()) {
    calls.push_back(taking([this, name] { return files_with({{.contains = {name_mark(name)}}}); },
                           take_files(true)));
  }
  // A phrase is looked up as it is, and capitalised as at the begin of a sentence or type.
  for (const search::ExactPart& part : question_.exact.parts) {
    if (part.is_regex) continue;
    near(View::Rows::kPieces, kNearPieces, {.contains = {part.text}}, take_pieces);
    if (!part.ignore_case || part.text.empty() || part.text.front() < 'a' ||
        part.text.front() > 'z') {
      continue;
    }
    std::string capital = part.text;
    capital.front() = static_cast<char>(capital.front() - 'a' + 'A');
    near(View::Rows::kPieces, kNearPieces, {.contains = {std::move(capital)}}, take_pieces);
  }
  run_together(calls);
}

void Finder::read_files() {
  std::vector<std::string> ids;
  for (const auto& [id, found] : found_) ids.push_back(id);
  fetch(View::Rows::kFiles, ids, kFilesTogether, {.documents = true, .vectors = true},
        [this](std::vector<ChromaRecord>& records) {
          for (const ChromaRecord& record : records) {
            auto row = read_file(record);
            if (!row || !question_.filter.keeps(*row)) continue;
            Found& found = found_[record.id];
            found.row = *std::move(row);
            found.cosine = cosine_of(question_.vector, record.vector);
          }
        });
  std::erase_if(found_, [](const auto& each) { return !each.second.row; });
}

double Finder::value_of(const Found& found) const {
  double has = 0, all = 0;
  for (std::size_t i = 0; i < question_.query.terms.size(); ++i) {
    const double weight = question_.query.terms[i].weight *
                          search::name_idf(question_.files, question_.frequency(i, 1));
    all += weight;
    if (std::ranges::binary_search(found.row->words, question_.query.terms[i].text)) has += weight;
  }
  double prior = search::language_prior(found.row->language);
  for (const search::PathCut& cut : search::path_cuts(found.row->path)) {
    if (cut.undone_by.empty()) prior *= cut.factor;
  }
  return prior * (kOfWords * (all > 0 ? has / all : 0) + kOfPiece * found.piece_cosine +
                  kOfFile * found.cosine + (found.has_name ? kOfName : 0));
}

// Of a file in several repositories (one vendors another's), only the place with the shortest path
// counts.
void Finder::choose() {
  std::vector<std::pair<double, std::string_view>> order;
  for (auto& [id, found] : found_) order.emplace_back(-value_of(found), id);
  std::ranges::sort(order);
  const auto file_of = [&](std::string_view id) -> const FileRow& {
    return *found_.find(id)->second.row;
  };
  const auto place_of = [](const FileRow& file) { return file.repository + "/" + file.path; };
  std::map<std::string_view, std::size_t> seen;  // by content: indices in chosen_
  for (const auto& [value, id] : order) {
    const FileRow& file = file_of(id);
    const auto copy = file.blob.empty() ? seen.end() : seen.find(file.blob);
    if (copy != seen.end() && mark_of(chosen_[copy->second]) != mark_of(id)) {
      std::string& kept = chosen_[copy->second];
      std::vector<std::string>& copies = copies_[file.blob];
      const bool is_shorter = file.path.size() < file_of(kept).path.size();
      copies.push_back(place_of(is_shorter ? file_of(kept) : file));
      if (is_shorter) kept = id;
    } else if (chosen_.size() < kFilesRanked) {
      seen.try_emplace(file.blob, chosen_.size());
      chosen_.emplace_back(id);
    }
  }
}

// For a short file all pieces; for a longer one those nearest to the query, and those that define a
// name in it.
void Finder::choose_pieces() {
  const std::vector<std::string> names = this->names();
  std::vector<std::string> compared;
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const std::string& id = chosen_[i];
    Found& found = found_[id];
    // A regular expression may match in any piece.
    const bool is_best = i < kBestFiles || question_.matcher;
    found.most_pieces = is_best ? kPiecesOfBest : kPiecesOfOther;
    const std::size_t compared_most = is_best ? kMaxPieces : kMaxOfOther;
    std::vector<std::string> pieces;
    for (std::uint32_t k = 0; k < std::min<std::size_t>(found.row->pieces, compared_most); ++k) {
      pieces.push_back(piece_id(id, k));
    }
    found.is_long = pieces.size() > std::max(found.most_pieces, kShortFile);
    if (!found.is_long) {
      std::ranges::move(pieces, std::back_inserter(wanted_));
      continue;
    }
    for (const std::uint32_t near : found.near_pieces) wanted_.push_back(piece_id(id, near));
    for (const std::string& name : names) {
      const auto at = std::ranges::find(found.row->names, name);
      const auto place = static_cast<std::size_t>(at - found.row->names.begin());
      if (place < found.row->name_pieces.size()) {
        wanted_.push_back(piece_id(id, found.row->name_pieces[place]));
      }
    }
    std::ranges::move(pieces, std::back_inserter(compared));
  }
  std::map<std::string_view, std::vector<std::pair<double, std::string>>> nearest;  // by file
  fetch(View::Rows::kPieces, compared, kVectorsTogether, {.metadata = false, .vectors = true},
        [&](const std::vector<ChromaRecord>& records) {
          for (const ChromaRecord& record : records) {
            const double cosine = cosine_of(question_.vector, record.vector);
            const auto at = found_.find(piece_place(record.id).file);
            if (at == found_.end()) continue;
            at->second.cosines += std::max(0.0, cosine);
            nearest[at->first].emplace_back(-cosine, record.id);
          }
        });
  for (auto& [file, pieces] : nearest) {
    Found& found = found_.find(file)->second;
    const std::size_t most = found.most_pieces;
    found.cosines *= static_cast<double>(found.row->pieces) / static_cast<double>(pieces.size());
    std::ranges::sort(pieces);
    if (pieces.size() > most) pieces.resize(most);
    for (auto& [cosine, id] : pieces) wanted_.push_back(std::move(id));
  }
}

void Finder::read_pieces() {
  std::ranges::sort(wanted_);
  wanted_.erase(std::unique(wanted_.begin(), wanted_.end()), wanted_.end());
  fetch(View::Rows::kPieces, wanted_, kPiecesTogether, {.documents = true, .vectors = true},
        [this](const std::vector<ChromaRecord>& records) {
          for (const ChromaRecord& record : records) {
            auto piece = read_piece(record);
            if (!piece) continue;
            const double cosine = cosine_of(question_.vector, record.vector);
            Found& found = found_[piece->file];
            if (!found.is_long) found.cosines += std::max(0.0, cosine);
            pieces_[piece->file].emplace(piece->index, CandidatePiece{*std::move(piece), cosine});
          }
        });
}

Candidates Finder::finish() {
  Candidates candidates;
  candidates.failure = failure_;
  // If a path occurs twice, as during a push, the newer one counts.
  std::map<std::pair<std::string, std::string>, Candidate> files;
  for (const std::string& id : chosen_) {
    Found& found = found_[id];
    const auto pieces = pieces_.find(id);
    if (pieces == pieces_.end()) continue;
    Candidate candidate{*std::move(found.row), found.cosine, found.cosines, {}};
    candidate.is_whole = !found.is_long;
    if (const auto copies = copies_.find(candidate.file.blob); copies != copies_.end()) {
      candidate.copies = std::move(copies->second);
    }
    for (auto& [index, piece] : pieces->second) candidate.pieces.push_back(std::move(piece));
    std::pair key(candidate.file.repository, candidate.file.path);
    const auto at = files.find(key);
    if (at == files.end()) {
      files.emplace(std::move(key), std::move(candidate));
    } else if (candidate.file.pushed_ms > at->second.file.pushed_ms) {
      at->second = std::move(candidate);
    }
  }
  for (auto& [key, candidate] : files) candidates.files.push_back(std::move(candidate));
  return candidates;
}

}  // namespace

Result<Candidates> find_candidates(const View& view, const Question& question,
                                   const std::stop_token& stop) {
  try {
    return Finder(view, question, stop).run();
  } catch (const std::exception& error) {  // of a thread: out of memory
    return Error{ErrorCode::kIo, error.what()};
  }
}

}  // namespace codexmem::fleet
