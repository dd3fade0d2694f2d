// Lengths are compared among the functions looked at; the rarity of a term comes from the whole
// index.
//
// Tested by search/locate_test.cpp.
#include "search/locate/locate.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/ascii.h"
#include "base/path.h"
#include "base/stop_scope.h"
#include "base/text.h"
#include "privacy/shown_code.h"
#include "search/definition_texts.h"
#include "search/locate/verbatim.h"
#include "search/path_facts.h"
#include "search/snippet.h"
#include "text/counted.h"

namespace codexmem::search {
namespace {

constexpr std::size_t kFilesLookedAt = 30;
constexpr std::size_t kTitleFiles = 10;
constexpr std::size_t kNotRanked = 100;  // a rank that is worth nothing
constexpr std::size_t kMaxFrameFiles = 20;
constexpr double kFunctionLengthShare = 0.25;  // b of BM25 for functions
constexpr double kFrameDecay = 0.8;            // of a frame for each call between it and the error
constexpr double kForeignStrength = -0.3;      // a text about another repository, most often
constexpr double kUnknownStrength = 2;
constexpr std::size_t kCallersLookedAt = 10;
constexpr std::size_t kMaxWordsSaid = 4;
constexpr std::size_t kMaxCutCodeBytes = 1000;  // of a function that is not shown whole

// How strongly a part of the text points at what it names.
double mention_weight(IssuePart part) {
  switch (part) {
    case IssuePart::kTitle:
      return 1.0;
    case IssuePart::kError:
      return 0.8;
    case IssuePart::kSentence:
      return 0.7;
    case IssuePart::kCode:
      return 0.35;
  }
  return 0;
}

double rank_value(std::size_t rank) { return rank < kNotRanked ? rank_share(rank) : 0; }

// A function of a file that is looked at.
struct FunctionCandidate : DefinitionText {
  std::size_t file = 0;  // index in Locator::files_
  std::array<double, kLocateParts> parts{};
  double score = 0;
  std::string frame, message;  // what the text says of it
  std::string verbatim;        // the rarest text that both write
  std::string caller;          // one of the best, that calls it
  bool is_mentioned = false;
  bool is_overload = false;   // of a better one
  std::size_t overloads = 0;  // others of its name

  double& part(LocatePart which) { return parts[static_cast<std::size_t>(which)]; }
};

struct LookedAt {
  FileNumber number = 0;
  std::string text = {};
  // Its place in each ranking, and its score as a share of the best file's.
  struct Ranked {
    double score = 0;
    std::size_t rank = kNotRanked;
  };
  Ranked whole = {}, title = {};
  std::vector<const IssueFrame*> frames = {};
  bool is_named = false;  // the text has its path or module
};

class Locator {
 public:
  explicit Locator(const LocateInput& input)
      : in_(input),
        counter_(input.reader, input.snapshot, input.asked.query),
        weights_(input.ranking.term_weights) {
    for (const double weight : weights_) weight_sum_ += weight;
    for (const IssueName& name : in_.issue.names) names_.emplace(name.name, &name);
  }

  Result<LocateAnswer> run() {
    choose_files();
    for (std::size_t i = 0; i < files_.size(); ++i) {
      CODEXMEM_TRY(go_on());
      CODEXMEM_TRY(read_file(i));
    }
    score();
    return make_answer();
  }

 private:
  void choose_files();
  void add_frame_files();
  Result<void> read_file(std::size_t index);
  void name_files();
  void count_languages();
  void find_verbatim();
  void score();
  void sum_up();
  void join_overloads();
  void add_calls(const std::unordered_map<std::string, std::size_t>& same_name);
  std::string_view text_of(const FunctionCandidate& one) const;
  double mention_of(const store::SymbolRow& row) const;
  double holder_of(const store::SymbolRow& row) const;
  void score_frames(FunctionCandidate& one) const;
  double strength() const;
  std::vector<std::string> reasons_of(const FunctionCandidate& one) const;
  void show_code(const FunctionCandidate& one, LocatedFunction& made) const;
  Result<LocateAnswer> make_answer();

  const LocateInput& in_;
  DefinitionCounter counter_;
  std::unordered_map<std::string_view, const IssueName*> names_;
  const std::vector<double>& weights_;  // by term
  double weight_sum_ = 0;
  double best_words_ = 0, best_title_ = 0;
  std::map<std::string_view, std::size_t> languages_;  // with their numbers of files
  std::size_t most_of_language_ = 0;
  std::vector<LookedAt> files_;
  std::vector<FunctionCandidate> found_;
};

void Locator::choose_files() {
  const auto add = [&](const Ranking& ranking, LookedAt::Ranked LookedAt::*place,
                       std::size_t most) {
    const std::vector<RankedFile>& ranked = ranking.files;
    for (std::size_t i = 0; i < std::min(ranked.size(), kFilesLookedAt); ++i) {
      auto at = std::ranges::find(files_, ranked[i].file, &LookedAt::number);
      if (at == files_.end()) {
        if (i >= most) continue;
        files_.push_back({.number = ranked[i].file});
        at = files_.end() - 1;
      }
      (*at).*place = {ranked[i].score / ranked.front().score, i};
    }
  };
  add(in_.ranking, &LookedAt::whole, kFilesLookedAt);
  add(in_.title_ranking, &LookedAt::title, kTitleFiles);
  add_frame_files();
  name_files();
  count_languages();
}

void Locator::count_languages() {
  for (FileNumber file = 0; file < in_.snapshot.file_end(); ++file) {
    if (!in_.snapshot.has(file)) continue;
    const std::string_view language = in_.snapshot.language(file);
    if (language_prior(language) >= 1) ++languages_[language];
  }
  for (const auto& [language, count] : languages_) {
    most_of_language_ = std::max(most_of_language_, count);
  }
}

// Marks the files whose path, or module, the text has: `shop/cart.py`, `cart.py`, `shop.cart`.
void Locator::name_files() {
  for (LookedAt& file : files_) {
    const std::string path(in_.snapshot.path(file.number));
    const std::string whole = path.substr(0, path.rfind('.'));
    std::string dotted = whole;
    std::ranges::replace(dotted, '/', '.');
    const std::size_t folder = dotted.rfind('.', dotted.rfind('.') - 1);
    const std::string_view name = file_name(path);
    const std::string_view module =
        folder == std::string::npos ? dotted : std::string_view(dotted).substr(folder + 1);
    file.is_named = std::ranges::any_of(in_.issue.segments, [&](const IssueSegment& segment) {
      return segment.text.find(name) != std::string_view::npos ||
             (module.find('.') != std::string_view::npos &&
              segment.text.find(module) != std::string_view::npos);
    });
  }
}

// The files that frames name: those whose paths end as theirs do, by the longest end.
void Locator::add_frame_files() {
  struct Best {
    std::size_t shared = 0;  // path components
    std::vector<FileNumber> files;
  };
  std::map<std::string_view, std::vector<std::size_t>> by_name;
  for (std::size_t i = 0; i < in_.issue.frames.size(); ++i) {
    by_name[file_name(in_.issue.frames[i].path)].push_back(i);
  }
  if (by_name.empty()) return;
  std::vector<Best> best(in_.issue.frames.size());
  for (FileNumber file = 0; file < in_.snapshot.file_end(); ++file) {
    if (!in_.snapshot.has(file)) continue;
    const std::string_view path = in_.snapshot.path(file);
    const auto named = by_name.find(file_name(path));
    if (named == by_name.end() || !in_.filter.keeps(in_.snapshot, file)) continue;
    for (const std::size_t i : named->second) {
      const std::vector<std::string_view> own = split(path, '/');
      const std::vector<std::string_view> wanted = split(in_.issue.frames[i].path, '/');
      std::size_t shared = 0;
      while (shared < own.size() && shared < wanted.size() &&
             own[own.size() - 1 - shared] == wanted[wanted.size() - 1 - shared]) {
        ++shared;
      }
      if (shared < best[i].shared) continue;
      if (shared > best[i].shared) best[i] = {shared, {}};
      best[i].files.push_back(file);
    }
  }
  std::size_t added = 0;
  for (std::size_t i = 0; i < best.size(); ++i) {
    if (best[i].files.empty() || best[i].files.size() > 3) continue;  // __init__.py, index.js
    for (const FileNumber file : best[i].files) {
      auto at = std::ranges::find(files_, file, &LookedAt::number);
      if (at == files_.end()) {
        if (added++ >= kMaxFrameFiles) continue;
        files_.push_back({.number = file});
        at = files_.end() - 1;
      }
      at->frames.push_back(&in_.issue.frames[i]);
    }
  }
}

bool is_function(const store::SymbolRow& row) {
  return (row.type == SymbolType::kFunction || row.type == SymbolType::kMethod) &&
         row.kind != "prototype";
}

Result<void> Locator::read_file(std::size_t index) {
  LookedAt& file = files_[index];
  const auto ranked = std::ranges::find(in_.ranking.files, file.number, &RankedFile::file);
  const bool is_ranked = ranked != in_.ranking.files.end();
  CODEXMEM_ASSIGN(DefinitionTexts read,
                  counter_.read(file.number, is_ranked ? &*ranked : nullptr, is_function));
  for (DefinitionText& text : read.definitions) {
    FunctionCandidate one;
    static_cast<DefinitionText&>(one) = std::move(text);
    one.file = index;
    one.part(LocatePart::kMeaning) = one.best.cosine;
    found_.push_back(std::move(one));
  }
  file.text = std::move(read.text);
  return {};
}

double Locator::mention_of(const store::SymbolRow& row) const {
  const auto named = names_.find(row.name);
  if (named == names_.end()) return 0;
  const IssueName& name = *named->second;
  double value = mention_weight(name.part);
  // `B.f` means the `f` of B; another one's is meant less.
  if (!name.holder.empty() && !row.container.empty()) {
    const bool is_it = row.container == name.holder || row.container.ends_with("." + name.holder);
    value *= is_it ? 1.3 : 0.7;
  }
  return std::min(1.0, value);
}

std::string_view holder_name(std::string_view container) {
  return container.substr(container.rfind('.') + 1);
}

double Locator::holder_of(const store::SymbolRow& row) const {
  if (row.container.empty()) return 0;
  const std::string_view holder = holder_name(row.container);
  const auto named = names_.find(holder);
  const double mention = named == names_.end() ? 0 : mention_weight(named->second->part);
  return std::max(mention, counter_.name_share(holder));
}

void Locator::score_frames(FunctionCandidate& one) const {
  const auto has_line = [](const IssueFrame& frame, const FunctionCandidate& function) {
    return frame.line >= function.row.start.line && frame.line <= function.row.end.line;
  };
  for (const IssueFrame* frame : files_[one.file].frames) {
    const auto is_named = [&](const FunctionCandidate& function) {
      return function.file == one.file && frame->function == function.row.name;
    };
    if (!frame->function.empty() ? !is_named(one) : !has_line(*frame, one)) continue;
    // Of several functions of that name the line decides, if the text is of this state.
    if (!has_line(*frame, one) && std::ranges::any_of(found_, [&](const FunctionCandidate& other) {
          return is_named(other) && has_line(*frame, other);
        })) {
      continue;
    }
    const double value = std::pow(kFrameDecay, static_cast<double>(frame->depth));
    if (value <= one.part(LocatePart::kFrame)) continue;
    one.part(LocatePart::kFrame) = value;
    if (in_.issue.is_trace()) one.part(LocatePart::kTrace) = value;
    one.frame = frame->line > 0 ? fmt::format("{}:{}", file_name(frame->path), frame->line)
                                : std::string(file_name(frame->path));
  }
}

void Locator::score() {
  double total = 0;
  for (const FunctionCandidate& one : found_) total += static_cast<double>(one.length);
  const double average =
      std::max(1.0, total / static_cast<double>(std::max<std::size_t>(1, found_.size())));
  std::unordered_map<std::string, std::size_t> same_name;
  for (const FunctionCandidate& one : found_) ++same_name[one.row.name];
  for (FunctionCandidate& one : found_) {
    double words = 0, title = 0;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      if (one.counts[i] == 0 || weights_[i] <= 0) continue;
      const double value = weights_[i] * term_share(one.counts[i], static_cast<double>(one.length),
                                                    average, kFunctionLengthShare);
      words += value;
      if (in_.asked.is_title[i]) title += value;
    }
    one.part(LocatePart::kWords) = words;
    one.part(LocatePart::kTitle) = title;
    best_words_ = std::max(best_words_, words);
    best_title_ = std::max(best_title_, title);
  }
  for (FunctionCandidate& one : found_) {
    const LookedAt& file = files_[one.file];
    if (best_words_ > 0) one.part(LocatePart::kWords) /= best_words_;
    if (best_title_ > 0) one.part(LocatePart::kTitle) /= best_title_;
    one.part(LocatePart::kPath) = file.is_named ? 1 : 0;
    // (The name of a constructor is the one of its class.)
    const bool is_constructor = one.row.name == holder_name(one.row.container);
    if (!is_constructor) one.part(LocatePart::kName) = counter_.name_share(one.row.name);
    const double mention = is_constructor ? 0 : mention_of(one.row);
    one.is_mentioned = mention > 0;
    // A name of many functions points at none of them.
    one.part(LocatePart::kMention) =
        mention / (1 + std::log(static_cast<double>(same_name[one.row.name])));
    one.part(LocatePart::kHolder) = holder_of(one.row);
    score_frames(one);
    one.part(LocatePart::kFile) = file.whole.score;
    one.part(LocatePart::kFileRank) = rank_value(file.whole.rank);
    one.part(LocatePart::kTitleFile) = file.title.score;
    one.part(LocatePart::kTitleRank) = rank_value(file.title.rank);
    one.part(LocatePart::kLength) = length_share(one.length);
    one.part(LocatePart::kRareLanguage) =
        1 - static_cast<double>(languages_[in_.snapshot.language(file.number)]) /
                static_cast<double>(std::max<std::size_t>(1, most_of_language_));
  }
  find_verbatim();
  sum_up();
  add_calls(same_name);
  sum_up();
  join_overloads();
}

// Overloads are one answer, where the best of them stands.
void Locator::join_overloads() {
  std::map<std::pair<std::size_t, std::string>, FunctionCandidate*> first;
  for (FunctionCandidate& one : found_) {
    const auto [at, is_new] = first.try_emplace({one.file, one.row.qualified_name()}, &one);
    if (is_new) continue;
    ++at->second->overloads;
    one.is_overload = true;
  }
  std::erase_if(found_, [](const FunctionCandidate& one) { return one.is_overload; });
}

// Marks the functions that write what the text does. A text that many of them have says little.
void Locator::find_verbatim() {
  const VerbatimFinder texts(in_.issue.verbatim);
  const MessageFinder messages(in_.request.text);
  std::vector<std::set<std::size_t>> having(in_.issue.verbatim.size());  // functions, by text
  std::size_t begin = 0;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    std::size_t end = begin;
    while (end < found_.size() && found_[end].file == i) ++end;
    const auto for_each_around = [&](std::size_t place, const auto& visit) {
      for (std::size_t at = begin; at < end && found_[at].text.begin <= place; ++at) {
        if (place < found_[at].text.end) visit(at);
      }
    };
    texts.read(files_[i].text, [&](std::size_t text, std::size_t place) {
      for_each_around(place, [&](std::size_t at) { having[text].insert(at); });
    });
    messages.read(files_[i].text, [&](std::string_view literal, std::size_t place, double share) {
      for_each_around(place, [&](std::size_t at) {
        double& part = found_[at].part(LocatePart::kMessage);
        if (share > part) found_[at].message = literal;
        part = std::max(part, share);
      });
    });
    begin = end;
  }
  std::vector<double> rarest(found_.size());
  double best = 0;
  for (std::size_t text = 0; text < having.size(); ++text) {
    const double rarity =
        std::log1p(static_cast<double>(found_.size()) /
                   static_cast<double>(std::max<std::size_t>(1, having[text].size())));
    for (const std::size_t at : having[text]) {
      best = std::max(best, found_[at].part(LocatePart::kVerbatim) += rarity);
      if (rarity <= rarest[at]) continue;
      rarest[at] = rarity;
      found_[at].verbatim = in_.issue.verbatim[text];
    }
  }
  if (best <= 0) return;
  for (FunctionCandidate& one : found_) one.part(LocatePart::kVerbatim) /= best;
}

void Locator::sum_up() {
  for (FunctionCandidate& one : found_) {
    one.score = 0;
    for (std::size_t i = 0; i < kLocateParts; ++i) {
      one.score += kLocateWeights[i].weight * one.parts[i];
    }
  }
  std::ranges::sort(found_, [&](const FunctionCandidate& a, const FunctionCandidate& b) {
    if (a.score != b.score) return a.score > b.score;
    return std::pair(a.file, a.text) < std::pair(b.file, b.text);
  });
}

// The names that are called in a text: identifiers before `(`.
std::set<std::string_view> called_names(std::string_view text) {
  std::set<std::string_view> names;
  for (std::size_t at = text.find('('); at != std::string_view::npos; at = text.find('(', at + 1)) {
    std::size_t begin = at;
    while (begin > 0 && is_identifier_char(text[begin - 1])) --begin;
    if (begin < at && !is_digit(text[begin])) names.insert(text.substr(begin, at - begin));
  }
  return names;
}

std::string_view Locator::text_of(const FunctionCandidate& one) const {
  return std::string_view(files_[one.file].text).substr(one.row.range.begin, one.row.range.size());
}

// The cause is often one call away from what the text names. Calls are recognised by name only,
// so a name of several functions counts less.
void Locator::add_calls(const std::unordered_map<std::string, std::size_t>& same_name) {
  const std::size_t best = std::min(kCallersLookedAt, found_.size());
  if (best == 0 || found_.front().score <= 0) return;
  struct Caller {
    double share = 0;
    std::string name;
  };
  std::unordered_map<std::string_view, Caller> called;
  for (std::size_t i = 0; i < best; ++i) {
    const FunctionCandidate& one = found_[i];
    const double share = one.score / found_.front().score;
    for (const std::string_view name : called_names(text_of(one))) {
      if (name == one.row.name) continue;
      if (Caller& caller = called[name]; share > caller.share) caller = {share, one.row.name};
    }
  }
  for (FunctionCandidate& one : found_) {
    const auto at = called.find(one.row.name);
    if (at == called.end()) continue;
    one.part(LocatePart::kCalled) =
        at->second.share / (1 + std::log(static_cast<double>(same_name.at(one.row.name))));
    one.caller = at->second.name;
  }
}

std::vector<std::string> Locator::reasons_of(const FunctionCandidate& one) const {
  std::vector<std::string> reasons;
  if (!one.frame.empty()) reasons.push_back("frame " + one.frame);
  if (!one.message.empty()) reasons.push_back(fmt::format("says \"{}\"", one.message));
  if (one.overloads > 0) reasons.push_back(counted(one.overloads, "more overload"));
  if (one.is_mentioned) reasons.push_back("named in the text");
  if (one.message.empty() && !one.verbatim.empty()) {
    reasons.push_back(fmt::format("has \"{}\"", one.verbatim));
  }
  if (!one.caller.empty()) reasons.push_back("called by " + one.caller);
  std::vector<std::pair<double, std::size_t>> best;
  for (std::size_t i = 0; i < in_.asked.query.stems.size(); ++i) {
    if (one.counts[i] > 0) best.emplace_back(-weights_[i], i);
  }
  std::ranges::sort(best);
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(best.size(), kMaxWordsSaid); ++i) {
    words.push_back(in_.asked.words[best[i].second]);
  }
  if (!words.empty()) reasons.push_back("words: " + join(words, ", "));
  if (reasons.empty()) reasons.emplace_back("its file matches");
  return reasons;
}

// How strongly the best functions match as a whole: above 0 the text is more likely about this
// repository than about another one. Fitted to issues asked of their own and of other repositories.
double Locator::strength() const {
  double meaning = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(10, found_.size()); ++i) {
    meaning = std::max(meaning, found_[i].parts[static_cast<std::size_t>(LocatePart::kMeaning)]);
  }
  if (weight_sum_ <= 0) return kUnknownStrength;  // there are only frames
  const double known = best_words_ / weight_sum_;
  if (meaning <= 0) return 20 * (known - 0.1);  // there are no vectors
  return 10.6 * known + 0.72 * found_.front().score + 13.8 * meaning - 15.4;
}

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

// The chance that a fix changes the function at `rank`, from its share of the scores. Fitted as
// above: of 171 first functions .31 were right, and .31 were expected to be.
double locate_probability(double share, std::size_t rank, double strength) {
  const double odds = std::log(share / std::max(1e-9, 1 - share));
  const double later = 0.35 * std::log1p(static_cast<double>(rank));
  return logistic(0.69 * odds + 0.055 - later) * std::min(1.0, 1.1 * logistic(strength));
}

// The whole function or, of a long one, the lines around the one that matches best.
void Locator::show_code(const FunctionCandidate& one, LocatedFunction& made) const {
  const std::string_view text = text_of(one);
  made.code_line = made.start_line;
  made.is_code_cut = text.size() > in_.request.code_bytes;
  if (!made.is_code_cut) {
    made.code = privacy::shown_code(text);
    return;
  }
  TermWeights weights;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    weights.emplace(in_.asked.query.terms[i].text, weights_[i]);
  }
  const std::string content = privacy::shown_code(text);
  Snippet snippet =
      make_snippet(content, {0, static_cast<std::uint32_t>(content.size())}, made.start_line,
                   weights, {.max_bytes = std::min(in_.request.code_bytes, kMaxCutCodeBytes)});
  made.code = std::move(snippet.text);
  made.code_line = snippet.first_line;
}

Result<LocateAnswer> Locator::make_answer() {
  LocateAnswer answer;
  if (found_.empty()) return answer;
  const double own_strength = strength();
  answer.is_weak = own_strength < kForeignStrength;
  if (answer.is_weak) answer.note = kNothingMatchedWell;
  double sum = 0;
  for (const FunctionCandidate& one : found_) sum += std::exp(one.score - found_.front().score);
  const std::size_t count = std::min(in_.request.limit, found_.size());
  answer.beyond_limit = found_.size() - count;
  for (std::size_t i = 0; i < count; ++i) {
    const FunctionCandidate& one = found_[i];
    const LookedAt& file = files_[one.file];
    LocatedFunction made;
    made.path = in_.snapshot.path(file.number);
    made.name = one.row.name;
    made.container = one.row.container;
    made.kind = one.row.kind;
    made.line = one.row.name_start.line;
    made.start_line = one.row.start.line;
    made.end_line = one.row.end.line;
    made.score = one.score;
    const double share = std::exp(one.score - found_.front().score) / sum;
    made.probability = locate_probability(share, i, own_strength);
    made.reasons = reasons_of(one);
    if (in_.request.explain) {
      for (std::size_t part = 0; part < kLocateParts; ++part) {
        if (one.parts[part] == 0) continue;
        made.why.push_back(
            {std::string(kLocateWeights[part].name), kLocateWeights[part].weight, one.parts[part]});
      }
    }
    if (i == 0 && in_.request.code_bytes > 0) {
      show_code(one, made);
    }
    answer.functions.push_back(std::move(made));
  }
  return answer;
}

}  // namespace

Result<LocateAnswer> locate_functions(const LocateInput& input) { return Locator(input).run(); }

}  // namespace codexmem::search
