// memory/recall/reflection.h - what observations say of their targets, and how sure that makes a
// proposal.
//
// No model: a table of phrases and a formula. Decisions::reflect() does with the store what is
// worked out here. Pure; thread-safe. Design: docs/how-it-works.md, "Decisions".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "memory/decisions/decision_records.h"
#include "memory/entries/records.h"
#include "store/user/reflection.h"

namespace codexmem::memory {

/// The outcome of an observation: something failed or worked, and its target.
struct Outcome {
  bool is_error = false;
  std::vector<std::string> targets;  // at most kMaxTargets
};

inline constexpr std::size_t kMaxTargets = 5;

using store::ObservedEntry;

/// The outcome of an observation; nothing if unknown. Metadata decide if present:
/// `outcome` (error, failure, failed; success, passed) and `target`. Else its texts about a
/// failed test, build or command, or its type bugfix, make it an error, and texts about one
/// that passed a success. Its targets are the files that it modified, else those that it read,
/// one without any says nothing.
std::optional<Outcome> outcome_of(const ObservedEntry& entry);

/// max(0, (errors - successes) / (errors + successes + 1)). Source: spec of decisions.
double confidence_of(std::size_t errors, std::size_t successes);

/// True when successes have shown a proposal to be wrong: more than twice as many as errors.
constexpr bool is_falsified(std::size_t errors, std::size_t successes) {
  return successes > 2 * errors;
}

inline constexpr std::size_t kErrorsForProposal = 3;
inline constexpr double kFirstConfidence = 0.5, kRivalConfidence = 0.4;
/// What the later of two drafts on one target has of the earlier one's confidence.
inline constexpr double kRivalShare = kRivalConfidence / kFirstConfidence;
inline constexpr double kDecay = 0.05;           // of a draft of which nothing new was observed
inline constexpr double kMinConfidence = 0.3;  // below it a draft is rejected
inline constexpr double kReadyConfidence = 0.8;
inline constexpr std::int64_t kReadyAgeMs = 12 * 3'600'000;
/// A draft decays once in this time at most, however many sessions end.
inline constexpr std::int64_t kDecayEveryMs = 12 * 3'600'000;

/// True of reflection's draft that is sure and old enough to be shown to somebody who can accept
/// it.
bool is_ready(const Decision& draft, std::int64_t now_ms);

/// Two rival drafts on a target, the surer first: titles, rationales and consequences.
struct RivalText {
  std::string title, rationale;
  std::vector<std::string> consequences;
};
std::vector<RivalText> rival_texts(std::string_view target, std::size_t errors,
                                   std::size_t successes, std::span<const std::string> examples);

}  // namespace codexmem::memory
