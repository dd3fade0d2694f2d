// observe/models/model_reply.h - reads what a model answered: JSON or XML, with whatever surrounds
// it.
//
// The shapes are asked for by observe/models/model_prompt.h. JSON may be fenced, have chatter
// around it, be one object, a list, or in the wrapping object; XML may hold many observations. What
// is said is checked and bounded: an unknown type is a discovery, the type among the concepts is
// left out, an observation that says nothing is dropped. Pure; linear in the text. Design:
// docs/how-it-works.md, "Observations".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "observe/models/provider.h"

namespace codexmem::observe {

/// Bounds of what a model may say; the rest is cut.
inline constexpr std::size_t kMaxModelTitleBytes = 300;
inline constexpr std::size_t kMaxModelNarrativeBytes = 6'000;
inline constexpr std::size_t kMaxModelItemBytes = 600;  // a fact, a path, a concept
inline constexpr std::size_t kMaxModelItems = 40;       // of a list
inline constexpr std::size_t kMaxModelObservations = 40;

enum class ReplyFault {
  kNone,
  kUnreadable,  // neither JSON nor XML could be found in it
  kShape,       // it could be read and holds none of what was asked for
};

struct ReadObservations {
  ReplyFault fault = ReplyFault::kNone;
  bool has_odd_values = false;  // an unknown type, a field of another kind, an empty observation
  std::vector<Observation> observations;
};

/// The observations in `text`; none when it says that there is nothing worth one. `ids` are those
/// of the events, which a model names by their number from 1.
ReadObservations read_observations(std::string_view text, const std::vector<std::int64_t>& ids);

struct ReadSummary {
  ReplyFault fault = ReplyFault::kNone;
  bool has_odd_values = false;
  std::optional<SessionSummary> summary;  // nothing: it says that there is nothing to summarise
};

ReadSummary read_summary(std::string_view text);

/// The types that observations may have.
bool is_observation_type(std::string_view type);

}  // namespace codexmem::observe
