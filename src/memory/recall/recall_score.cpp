// Tested by tests/memory/recall_test.cpp.
#include "memory/recall/recall_score.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_set>

namespace codexmem::memory {
namespace {

constexpr std::size_t kSpeakerBytes = 48;

}  // namespace

std::string_view speaker_of(std::string_view body) {
  const std::size_t colon = body.substr(0, kSpeakerBytes).find(": ");
  if (colon == std::string_view::npos || colon == 0) return {};
  const std::string_view name = body.substr(0, colon);
  if (name.find('\n') != std::string_view::npos || std::count(name.begin(), name.end(), ' ') > 2) {
    return {};
  }
  return name;
}

bool ends_asking(std::string_view body) {
  const std::size_t last = body.find_last_not_of(" \t\r\n\"')");
  return last != std::string_view::npos && body[last] == '?';
}

void rescore(const RecallWeights& weights, RecallCandidate* candidate) {
  const RecallParts& parts = candidate->parts;
  const double power = parts.is_turn ? weights.turn_coverage : weights.coverage;
  const double meaning = parts.is_turn ? weights.turn_meaning : weights.meaning;
  double nearness = parts.nearness;
  if (parts.is_turn) nearness += weights.nearby * parts.nearby;
  double sum = (parts.words + parts.neighbours) * std::pow(std::min(1.0, parts.coverage), power) +
               meaning * nearness + parts.title + parts.people + parts.dates + parts.quoted +
               parts.files;
  if (parts.is_turn && parts.asks) sum *= 1 - weights.asking;
  candidate->sum = sum;
  candidate->score =
      (1 - std::exp(-sum)) * parts.age * parts.project * parts.ingested * parts.superseded;
}

void sort_by_either(const RecallWeights& weights, std::size_t count,
                    std::vector<RecallCandidate>* candidates) {
  std::vector<RecallCandidate> turns = *candidates;
  for (RecallCandidate& turn : turns) {
    turn.parts.is_turn = true;
    rescore(weights, &turn);
  }
  std::vector<RecallCandidate> notes = std::move(*candidates);
  for (std::size_t i = 0; i < notes.size(); ++i) {
    rescore(weights, &notes[i]);
    const double either = std::min(notes[i].score, turns[i].score);
    notes[i].least = turns[i].least = either;
    turns[i].parts.is_turn = false;
  }
  std::sort(notes.begin(), notes.end(), is_better);
  std::sort(turns.begin(), turns.end(), is_better);
  candidates->clear();
  std::unordered_set<std::int64_t> taken;
  const auto take = [&](const RecallCandidate& one) {
    if (candidates->size() < count && taken.insert(static_cast<std::int64_t>(one.key)).second) {
      candidates->push_back(one);
    }
  };
  for (std::size_t i = 0; i < notes.size() && candidates->size() < count; ++i) {
    take(notes[i]);
    take(turns[i]);
  }
  double least = 1;
  for (const RecallCandidate& first : *candidates) least = std::min(least, first.least);
  const std::size_t first = candidates->size();
  for (RecallCandidate& other : notes) {
    if (taken.contains(static_cast<std::int64_t>(other.key))) continue;
    other.score = other.least;
    candidates->push_back(other);
  }
  const auto begin = candidates->begin() + static_cast<std::ptrdiff_t>(first);
  std::sort(begin, candidates->end(), is_better);
  if (begin != candidates->end() && begin->score > least) {
    const double scale = least / begin->score;
    for (auto other = begin; other != candidates->end(); ++other) other->score *= scale;
  }
}

}  // namespace codexmem::memory
