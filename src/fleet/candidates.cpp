// Two rounds of requests, each at once: first whatever may find a file (its pieces' vectors, its
// own, rare words, names that the question has), then all pieces of the files that came out best.
//
// Tested by fleet/fleet_search_test.cpp.
#include "fleet/candidates.h"

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "search/path_facts.h"
#include "search/ranking.h"
#include "text/words.h"

namespace codexmem::fleet {
namespace {

using embed::ChromaFilter;
using embed::ChromaRecord;

constexpr std::size_t kNearPieces = 160;
constexpr std::size_t kNearFiles = 60;
constexpr std::size_t kWithTerm = 40;       // files of one rare word
constexpr std::size_t kTermsAsked = 5;      // the rarest
constexpr double kRareShare = 0.04;         // of all files: a word of more is asked with another
constexpr double kRareFiles = 300;          // or of so many
constexpr std::size_t kFilesTogether = 16;  // whose pieces one request asks for
constexpr std::size_t kPiecesTogether = 300;
constexpr std::size_t kPiecesWithName = 60;
constexpr std::size_t kManyTimes = 3;  // with a filter, of what is asked for

// What a file is worth before its pieces are known.
constexpr double kOfWords = 0.9, kOfPiece = 1.4, kOfFile = 0.35, kOfName = 0.7;

// What one file looks like after the first round.
struct Found {
  FileRow file;
  bool is_whole = false;  // the file's row is known
  double cosine = 0, piece_cosine = 0;
  bool has_name = false;
  std::set<std::string, std::less<>> words;  // of pieces, where the file's row is not known
  double value = 0;
};

// Runs all of `calls` at once.
void run_together(std::vector<std::function<void()>> calls) {
  std::vector<std::jthread> threads;
  for (auto& call : calls) threads.emplace_back(std::move(call));
}

// Groups of files whose pieces one request asks for.
std::vector<std::vector<std::string>> grouped(const std::vector<std::string>& ids) {
  std::vector<std::vector<std::string>> groups;
  for (const std::string& id : ids) {
    if (groups.empty() || groups.back().size() == kFilesTogether) groups.emplace_back();
    groups.back().push_back(id);
  }
  return groups;
}

class Finder {
 public:
  Finder(const View& view, const Question& question, const std::stop_token& stop)
      : view_(view), question_(question), stop_(stop) {}

  Result<Candidates> run() {
    first_round();
    if (stop_.stop_requested()) return Error{ErrorCode::kCancelled, "cancelled"};
    if (found_.empty() && failure_ && answered_ == 0) return *failure_;
    choose();
    second_round();
    fetch_missing();
    if (stop_.stop_requested()) return Error{ErrorCode::kCancelled, "cancelled"};
    return finish();
  }

 private:
  using Take = std::function<void(std::vector<ChromaRecord>&)>;

  void first_round();
  void choose();
  void second_round();
  void fetch_missing();
  Candidates finish();
  std::vector<ChromaFilter> word_filters() const;
  std::vector<std::string> names() const;
  double value_of(const Found& found) const;

  std::size_t many(std::size_t k) const { return question_.filter.is_empty() ? k : k * kManyTimes; }

  // Rows that `filter` admits, as they come.
  Servers::Records list_rows(View::Rows rows, std::size_t most, const ChromaFilter& filter) const {
    return view_.list(rows, {.filter = filter, .limit = most, .with_documents = true}, stop_);
  }

  // The nearest of few rows, which `filter` names.
  Servers::Records near_among(View::Rows rows, std::size_t k, const ChromaFilter& filter) const {
    if (question_.vector.empty()) return list_rows(rows, k, filter);
    return view_.near_in(rows, question_.vector, k, filter, stop_);
  }

  // The nearest rows that `filter` admits. Chroma walks a graph to them and may not reach them all,
  // as where many vectors are nearly equal: what is left of them is listed.
  Servers::Records near_with(View::Rows rows, std::size_t k, const ChromaFilter& filter) const {
    if (question_.vector.empty()) return list_rows(rows, k, filter);
    auto records = view_.near(rows, question_.vector, k, filter, stop_);
    if (!records.ok() || filter.contains.empty() || records->size() >= k) return records;
    auto listed = list_rows(rows, k, filter);
    if (!listed.ok()) return records;
    for (ChromaRecord& record : *listed) {
      const auto is_same = [&](const ChromaRecord& other) { return other.id == record.id; };
      if (std::ranges::none_of(*records, is_same)) records->push_back(std::move(record));
    }
    return records;
  }

  // A call that takes in what `ask` answers.
  std::function<void()> taking(std::function<Servers::Records()> ask, Take take) {
    return [this, ask = std::move(ask), take = std::move(take)] {
      auto records = ask();
      const std::lock_guard lock(mutex_);
      if (!records.ok()) {
        failure_ = records.error();
        ++failed_;
        return;
      }
      ++answered_;
      take(*records);
    };
  }

  void take_files(std::vector<ChromaRecord>& records, bool has_name) {
    for (const ChromaRecord& record : records) {
      auto file = read_file(record);
      if (!file || !question_.filter.keeps(*file)) continue;
      Found& found = found_[file->id];
      found.has_name = found.has_name || has_name;
      found.cosine = std::max(found.cosine, static_cast<double>(record.similarity));
      if (!found.is_whole) found.file = *std::move(file);
      found.is_whole = true;
    }
  }

  void take_pieces(std::vector<ChromaRecord>& records) {
    for (const ChromaRecord& record : records) {
      const auto piece = read_piece(record);
      if (!piece) continue;
      FileRow file;
      file.id = piece->file;
      file.repository = piece->repository;
      file.path = piece->path;
      file.language = piece->language;
      if (!question_.filter.keeps(file)) continue;
      Found& found = found_[piece->file];
      if (found.file.id.empty()) found.file = std::move(file);
      found.piece_cosine = std::max(found.piece_cosine, static_cast<double>(record.similarity));
      if (found.is_whole) continue;
      for_each_term(piece->text, [&](const Term& term) { found.words.emplace(term.text); });
    }
  }

  void keep_pieces(std::vector<ChromaRecord>& records) {
    for (const ChromaRecord& record : records) {
      auto piece = read_piece(record);
      if (!piece) continue;
      pieces_[piece->file].try_emplace(piece->index, CandidatePiece{*piece, record.similarity});
    }
  }

  const View& view_;
  const Question& question_;
  const std::stop_token stop_;

  std::mutex mutex_;                                 // guards what follows
  std::map<std::string, Found, std::less<>> found_;  // by file id
  std::map<std::string, std::map<std::uint32_t, CandidatePiece>, std::less<>> pieces_;
  std::optional<Error> failure_;
  std::size_t failed_ = 0, answered_ = 0;
  std::vector<std::string> chosen_;
};

// Of the rarest words one each; common ones two at once.
std::vector<ChromaFilter> Finder::word_filters() const {
  struct Word {
    double frequency, value;
    std::string_view text;
  };
  std::vector<Word> words;
  for (std::size_t i = 0; i < question_.query.terms.size(); ++i) {
    const search::QueryTerm& term = question_.query.terms[i];
    const double frequency = question_.frequency(i, 0);
    words.push_back(
        {frequency, term.weight * search::name_idf(question_.files, frequency), term.text});
  }
  std::ranges::stable_sort(words, std::ranges::greater(), &Word::value);
  const double rare = std::max(kRareFiles, kRareShare * question_.files);
  std::vector<ChromaFilter> filters;
  std::vector<std::string> common;
  for (const Word& word : words) {
    if (word.frequency > rare) {
      common.push_back(word_mark(word.text));
    } else if (filters.size() < kTermsAsked) {
      filters.push_back({.contains = {word_mark(word.text)}});
    }
  }
  if (filters.size() < kTermsAsked && common.size() >= 2) {
    common.resize(std::min<std::size_t>(common.size(), 3));
    filters.push_back({.contains = std::move(common)});
  }
  return filters;
}

// The names of definitions that the question has.
std::vector<std::string> Finder::names() const {
  if (!question_.query.symbol.empty()) return {question_.query.symbol};
  std::vector<std::string> all = question_.query.inner_symbols;
  if (all.size() > kTermsAsked) all.resize(kTermsAsked);
  return all;
}

void Finder::first_round() {
  std::vector<std::function<void()>> calls;
  const auto near = [&](View::Rows rows, std::size_t k, const ChromaFilter& filter, Take take) {
    calls.push_back(
        taking([this, rows, k, filter] { return near_with(rows, k, filter); }, std::move(take)));
  };
  const Take take_pieces_in = [this](auto& records) { take_pieces(records); };
  const auto take_files_as = [this](bool has_name) {
    return [this, has_name](auto& records) { take_files(records, has_name); };
  };
  if (!question_.vector.empty()) {
    near(View::Rows::kPieces, many(kNearPieces), {}, take_pieces_in);
    near(View::Rows::kFiles, many(kNearFiles), {}, take_files_as(false));
  }
  for (const ChromaFilter& filter : word_filters()) {
    near(View::Rows::kFiles, many(kWithTerm), filter, take_files_as(false));
  }
  for (const std::string& name : names()) {
    near(View::Rows::kFiles, many(kWithTerm), {.contains = {name_mark(name)}}, take_files_as(true));
  }
  // A phrase is looked up as it stands, and as a sentence or a type would begin with it.
  for (const search::ExactPart& part : question_.exact.parts) {
    if (part.is_regex) continue;
    near(View::Rows::kPieces, many(kNearPieces), {.contains = {part.text}}, take_pieces_in);
    if (!part.ignore_case || part.text.empty() || part.text.front() < 'a' ||
        part.text.front() > 'z') {
      continue;
    }
    std::string capital = part.text;
    capital.front() = static_cast<char>(capital.front() - 'a' + 'A');
    near(View::Rows::kPieces, many(kNearPieces), {.contains = {std::move(capital)}},
         take_pieces_in);
  }
  run_together(std::move(calls));
}

double Finder::value_of(const Found& found) const {
  double has = 0, all = 0;
  const auto contains = [&](const std::string& word) {
    return found.is_whole ? std::ranges::binary_search(found.file.words, word)
                          : found.words.contains(word);
  };
  for (std::size_t i = 0; i < question_.query.terms.size(); ++i) {
    const double weight = question_.query.terms[i].weight *
                          search::name_idf(question_.files, question_.frequency(i, 1));
    all += weight;
    if (contains(question_.query.terms[i].text)) has += weight;
  }
  double prior = search::language_prior(found.file.language);
  for (const search::PathCut& cut : search::path_cuts(found.file.path)) {
    if (cut.undone_by.empty()) prior *= cut.factor;
  }
  return prior * (kOfWords * (all > 0 ? has / all : 0) + kOfPiece * found.piece_cosine +
                  kOfFile * found.cosine + (found.has_name ? kOfName : 0));
}

void Finder::choose() {
  std::vector<std::pair<double, std::string_view>> order;
  for (auto& [id, found] : found_) order.emplace_back(-value_of(found), id);
  std::ranges::sort(order);
  if (order.size() > kFilesRanked) order.resize(kFilesRanked);
  for (const auto& [value, id] : order) chosen_.emplace_back(id);
}

void Finder::second_round() {
  std::vector<std::function<void()>> calls;
  std::vector<std::string> unknown;
  for (const std::string& id : chosen_) {
    if (!found_[id].is_whole) unknown.push_back(id);
  }
  if (!unknown.empty()) {
    calls.push_back(taking(
        [this, unknown] {
          return near_among(View::Rows::kFiles, unknown.size(), {.ids = unknown});
        },
        [this](auto& records) { take_files(records, false); }));
  }
  for (const std::vector<std::string>& ids : grouped(chosen_)) {
    calls.push_back(taking(
        [this, ids] {
          return near_among(View::Rows::kPieces, kPiecesTogether, {.conditions = {of_files(ids)}});
        },
        [this](auto& records) { keep_pieces(records); }));
  }
  // A long file has more pieces than were asked for: that which defines a name is not left out.
  std::vector<std::string> with_name;
  for (const std::string& id : chosen_) {
    if (found_[id].has_name) with_name.push_back(id);
  }
  for (const std::string& name : names()) {
    if (with_name.empty()) break;
    calls.push_back(taking(
        [this, name, with_name] {
          return near_among(View::Rows::kPieces, kPiecesWithName,
                            {.conditions = {of_files(with_name)}, .contains = {name}});
        },
        [this](auto& records) { keep_pieces(records); }));
  }
  run_together(std::move(calls));
}

// What the second round asked for and did not get by its vector.
void Finder::fetch_missing() {
  std::vector<std::string> rows, bare;
  for (const std::string& id : chosen_) {
    if (!found_[id].is_whole) rows.push_back(id);
    if (!pieces_.contains(id)) bare.push_back(id);
  }
  std::vector<std::function<void()>> calls;
  if (!rows.empty()) {
    calls.push_back(
        taking([this, rows] { return list_rows(View::Rows::kFiles, rows.size(), {.ids = rows}); },
               [this](auto& records) { take_files(records, false); }));
  }
  for (const std::vector<std::string>& ids : grouped(bare)) {
    calls.push_back(taking(
        [this, ids] {
          return list_rows(View::Rows::kPieces, kPiecesTogether, {.conditions = {of_files(ids)}});
        },
        [this](auto& records) { keep_pieces(records); }));
  }
  run_together(std::move(calls));
}

Candidates Finder::finish() {
  Candidates candidates;
  candidates.failed = failed_;
  // Of a path that is there twice, as while it is being pushed, the newer one counts.
  std::map<std::pair<std::string, std::string>, Candidate> files;
  for (const std::string& id : chosen_) {
    Found& found = found_[id];
    const auto pieces = pieces_.find(id);
    if (!found.is_whole || pieces == pieces_.end()) continue;
    Candidate candidate{std::move(found.file), found.cosine, {}};
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
  return Finder(view, question, stop).run();
}

}  // namespace codexmem::fleet
