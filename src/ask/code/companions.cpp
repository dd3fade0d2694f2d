// What history says (shared commits, recent work) and what code says (words of the change in the
// file, names) are added up as the logarithm of odds. The weights were fitted to commits of sixteen
// repositories and tried on four others (bench/impact.md). Deeper history, the lines that a change
// removes and companions of companions were tried too, and added nothing.
//
// Tested by git/impact_test.py; measured by bench/impact.
#include "ask/code/companions.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <iterator>
#include <limits>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "ask/code/tests_to_run.h"
#include "base/path.h"
#include "config/path_kind.h"

namespace codexmem::ask {
namespace {

constexpr double kShareLog = 0.3, kShare = 5.4, kNoShare = 1e-3;  // of shared commits
constexpr double kLately = 1.25;
constexpr double kRareWord = 2.9, kWords = 0.8;
constexpr double kSameSubject = 1.7, kSameExtension = -0.65, kBothTests = -1.0;
constexpr double kUsual = -4.9;           // for every file
constexpr std::size_t kMaxCompared = 12;  // changed files

std::string_view ending_of(std::string_view path) {
  const std::string_view name = file_name(path);
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? name : name.substr(dot);
}

// What a path says.
struct Named {
  std::string path;
  std::vector<std::string> subject;  // each word once, sorted
  std::string_view ending;
  bool is_test = false;

  explicit Named(const std::string& of)
      : path(of), subject(subject_of(of)), ending(ending_of(path)), is_test(is_test_path(of)) {}
  Named(const Named&) = delete;
};

// A changed file, as others are compared with it.
struct Changed : Named {
  const index::FileHistory* history = nullptr;  // may be null
  std::unordered_map<std::string_view, const index::ChangedFile*> together;

  Changed(const std::string& of, const index::FileHistory* known) : Named(of), history(known) {
    if (history == nullptr) return;
    for (const index::ChangedFile& other : history->together) together.emplace(other.path, &other);
  }
};

// What each sign says of two files, as a logarithm of odds.
struct PairSigns {
  const Changed* changed = nullptr;
  const index::ChangedFile* shared = nullptr;  // may be null
  double by_history = 0, lately = 0, by_word = 0, by_name = 0, score = 0;
};

PairSigns compare(const Changed& changed, const Named& other, const WordScore* words) {
  PairSigns signs;
  signs.changed = &changed;
  if (changed.history != nullptr) {
    const index::FileHistory& history = *changed.history;
    const auto late = history.lately.find(other.path);
    if (late != history.lately.end()) signs.lately = kLately * std::log1p(late->second);
    if (const auto at = changed.together.find(other.path); at != changed.together.end()) {
      signs.shared = at->second;
      const double shared = at->second->weight;
      signs.by_history = kShareLog * std::log1p(shared / (history.weight + 0.3) / kNoShare) +
                         kShare * shared / (history.weight + 1);
    }
  }
  if (words != nullptr) signs.by_word = kRareWord * words->rarest + kWords * words->sum;
  signs.by_name = kSameSubject * likeness(changed.subject, other.subject);
  signs.score = kUsual + signs.by_history + signs.lately + signs.by_word + signs.by_name;
  if (other.ending == changed.ending) signs.score += kSameExtension;
  if (other.is_test == changed.is_test) signs.score += kBothTests;
  return signs;
}

// The companion for people; `words` is what the words of the change say of it, or null.
UsualCompanion describe(const std::string& path, const PairSigns& signs, const WordScore* words) {
  UsualCompanion one;
  one.path = path;
  one.likelihood = 1 / (1 + std::exp(-signs.score));
  if (signs.shared != nullptr) {
    one.of = signs.changed->path;
    one.commits = signs.shared->commits;
    one.of_commits = signs.changed->history->commits;
  }
  const double strongest = std::max({signs.by_history, signs.lately, signs.by_word, signs.by_name});
  if (signs.by_history == strongest) {
    one.why =
        fmt::format("changed with {} in {} of {} commits", one.of, one.commits, one.of_commits);
  } else if (signs.by_word == strongest) {
    one.why = fmt::format("has {}, which the change adds or removes", words->word);
  } else if (signs.by_name == strongest) {
    one.why = "has a name like " + signs.changed->path;
  } else {
    one.why = "was changed lately";
  }
  return one;
}

}  // namespace

Result<std::vector<UsualCompanion>> rank_companions(store::CodeReader& reader,
                                                    const CompanionEvidence& evidence,
                                                    const CompanionLimits& limits) {
  std::deque<Changed> changed;
  for (const auto& [path, history] : evidence.history) changed.emplace_back(path, &history);
  for (const std::string& path : evidence.changed) {
    if (changed.size() >= kMaxCompared) break;
    if (!evidence.history.contains(path)) changed.emplace_back(path, nullptr);
  }
  if (changed.empty()) return std::vector<UsualCompanion>();
  std::vector<std::pair<store::FileId, std::string>> files;
  CODEXMEM_TRY(reader.visit_files(
      [&](const store::FileStamp& file) { files.emplace_back(file.id, file.path); }));
  std::set<std::string> seen(evidence.changed.begin(), evidence.changed.end());
  struct Found {
    std::string path;
    PairSigns signs;
    const WordScore* words = nullptr;
  };
  std::vector<Found> found;
  const double least = std::log(limits.least / (1 - limits.least));
  const auto add = [&](const std::string& path, const WordScore* of_words) {
    if (!seen.insert(path).second) return;
    const Named other(path);
    PairSigns best;
    best.score = -std::numeric_limits<double>::infinity();
    for (const Changed& each : changed) {
      const PairSigns one = compare(each, other, of_words);
      if (one.score > best.score) best = one;
    }
    if (best.score >= least) found.push_back({path, best, of_words});
  };
  for (const auto& [id, path] : files) {
    const auto score = evidence.words.find(id);
    add(path, score == evidence.words.end() ? nullptr : &score->second);
  }
  for (const auto& [path, history] : evidence.history) {
    for (const index::ChangedFile& other : history.together) add(other.path, nullptr);
  }
  std::ranges::sort(found, [](const Found& a, const Found& b) {
    return std::tie(b.signs.score, a.path) < std::tie(a.signs.score, b.path);
  });
  std::vector<UsualCompanion> companions;
  for (const Found& one : found) {
    if (companions.size() == limits.most) break;
    if (limits.is_wanted(one.path)) companions.push_back(describe(one.path, one.signs, one.words));
  }
  return companions;
}

}  // namespace codexmem::ask
