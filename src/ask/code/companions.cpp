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
constexpr double kUsual = -4.9;               // for every file
constexpr std::size_t kMaxCompared = 12;      // changed files
constexpr std::size_t kMaxWordFiles = 2'000;  // a word in more says nothing

// What the words of the change say of a file: 0 to 1.
struct WordScore {
  double sum = 0;
  double rarest = 0;
  std::string word;  // the rarest
};

using WordScores = std::unordered_map<store::FileId, WordScore>;

Result<WordScores> score_words(store::CodeReader& reader, const std::vector<std::string>& words,
                               double all_files) {
  WordScores scores;
  double most = 0;
  for (const std::string& word : words) {
    // Documents as well: there a keyword of the language is not taken for a rare name.
    CODEXMEM_ASSIGN(const auto files, reader.list_files_with_word(word));
    if (files.empty() || files.size() > kMaxWordFiles) continue;
    const double rarity =
        std::log(all_files / static_cast<double>(files.size())) / std::log(all_files + 1);
    for (const store::WordFile& file : files) {
      WordScore& score = scores[file.id];
      score.sum += rarity;
      most = std::max(most, score.sum);
      if (rarity > score.rarest) {
        score.rarest = rarity;
        score.word = word;
      }
    }
  }
  for (auto& [file, score] : scores) score.sum /= std::max(most, 1e-9);
  return scores;
}

std::string_view ending_of(std::string_view path) {
  const std::string_view name = file_name(path);
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? name : name.substr(dot);
}

// The share of two lists' words that both have.
double likeness(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const std::set<std::string> one(a.begin(), a.end()), other(b.begin(), b.end());
  const auto both = static_cast<double>(
      std::ranges::count_if(one, [&](const std::string& word) { return other.contains(word); }));
  const double all = static_cast<double>(one.size() + other.size()) - both;
  return all > 0 ? both / all : 0;
}

// What a path says.
struct Named {
  std::string path;
  std::vector<std::string> subject;
  bool is_test = false;

  explicit Named(const std::string& of)
      : path(of), subject(subject_of(of)), is_test(is_test_path(of)) {}
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

UsualCompanion compare(const Changed& changed, const Named& other, const WordScore* words) {
  const std::string& path = other.path;
  UsualCompanion one;
  one.path = path;
  double by_history = 0, lately = 0;
  if (changed.history != nullptr) {
    const index::FileHistory& history = *changed.history;
    const auto late = history.lately.find(path);
    if (late != history.lately.end()) lately = kLately * std::log1p(late->second);
    if (const auto at = changed.together.find(path); at != changed.together.end()) {
      one.of = changed.path;
      one.commits = at->second->commits;
      one.of_commits = history.commits;
      const double shared = at->second->weight;
      by_history = kShareLog * std::log1p(shared / (history.weight + 0.3) / kNoShare) +
                   kShare * shared / (history.weight + 1);
    }
  }
  const double by_word = words == nullptr ? 0 : kRareWord * words->rarest + kWords * words->sum;
  const double by_name = kSameSubject * likeness(changed.subject, other.subject);
  double score = kUsual + by_history + lately + by_word + by_name;
  if (ending_of(path) == ending_of(changed.path)) score += kSameExtension;
  if (other.is_test == changed.is_test) score += kBothTests;
  one.likelihood = 1 / (1 + std::exp(-score));
  const double strongest = std::max({by_history, lately, by_word, by_name});
  if (by_history == strongest) {
    one.why =
        fmt::format("changed with {} in {} of {} commits", one.of, one.commits, one.of_commits);
  } else if (by_word == strongest) {
    one.why = fmt::format("has {}, which the change adds or removes", words->word);
  } else if (by_name == strongest) {
    one.why = "has a name like " + changed.path;
  } else {
    one.why = "was changed lately";
  }
  return one;
}

}  // namespace

Result<std::vector<UsualCompanion>> rank_companions(store::CodeReader& reader,
                                                    const CompanionEvidence& evidence) {
  std::vector<Changed> changed;
  for (const auto& [path, history] : evidence.history) changed.emplace_back(path, &history);
  for (const std::string& path : evidence.changed) {
    if (changed.size() >= kMaxCompared) break;
    if (!evidence.history.contains(path)) changed.emplace_back(path, nullptr);
  }
  if (changed.empty()) return std::vector<UsualCompanion>();
  std::vector<std::pair<store::FileId, std::string>> files;
  CODEXMEM_TRY(reader.visit_files(
      [&](const store::FileStamp& file) { files.emplace_back(file.id, file.path); }));
  CODEXMEM_ASSIGN(const WordScores words,
                  score_words(reader, evidence.words, static_cast<double>(files.size())));
  std::set<std::string> seen(evidence.changed.begin(), evidence.changed.end());
  std::vector<UsualCompanion> found;
  const auto add = [&](const std::string& path, const WordScore* of_words) {
    if (!seen.insert(path).second) return;
    const Named other(path);
    UsualCompanion best;
    for (const Changed& each : changed) {
      UsualCompanion one = compare(each, other, of_words);
      if (one.likelihood > best.likelihood) best = std::move(one);
    }
    found.push_back(std::move(best));
  };
  for (const auto& [id, path] : files) {
    const auto score = words.find(id);
    add(path, score == words.end() ? nullptr : &score->second);
  }
  for (const auto& [path, history] : evidence.history) {
    for (const index::ChangedFile& other : history.together) add(other.path, nullptr);
  }
  std::ranges::sort(found, [](const UsualCompanion& a, const UsualCompanion& b) {
    return std::tie(b.likelihood, a.path) < std::tie(a.likelihood, b.path);
  });
  return found;
}

}  // namespace codexmem::ask
