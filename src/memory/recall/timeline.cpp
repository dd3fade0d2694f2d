// In the order (time, kind, id) all records of one kind that stand before the anchor are those
// whose (time, id) is smaller than a bound of that kind, so each kind's index is walked from the
// bound for at most as many records as are asked for; the nearest of what was walked are taken.
//
// Tested by memory/timeline_test.cpp.
#include "memory/recall/timeline.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "memory/entries/entries.h"
#include "privacy/gate.h"
#include "memory/entries/sessions.h"
#include "store/user/projects.h"

namespace codexmem::memory {
namespace {

constexpr std::size_t kTimelineKinds = 4;
constexpr std::size_t kDecisions = static_cast<std::size_t>(DocumentKind::kDecision);
constexpr std::int64_t kFirstId = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kLastId = std::numeric_limits<std::int64_t>::max();

// Where a record is in the order.
struct Place {
  std::int64_t time_ms = 0;
  std::size_t kind = 0;
  std::int64_t id = 0;
  auto operator<=>(const Place&) const = default;
};

Error unknown_anchor(DocumentKey key) {
  constexpr std::array kNames = {"Observation #{}", "Session #S{}", "Prompt #P{}", "Decision {}"};
  const std::string name =
      fmt::format(fmt::runtime(kNames[static_cast<std::size_t>(kind_of(key))]), id_of(key));
  return Error{ErrorCode::kNotFound, name + " not found"};
}

// At most `count` records on one side of `anchor`, the nearest first.
Result<std::vector<Place>> walk(store::Database& database, const Place& anchor,
                                std::optional<ProjectId> project, bool is_before, std::size_t count,
                                std::size_t kinds, const std::set<DocumentKey>& hidden) {
  std::vector<Place> places;
  for (std::size_t kind = 0; kind < kinds && count > 0; ++kind) {
    const std::int64_t bound = kind == anchor.kind  ? anchor.id
                               : kind < anchor.kind ? kLastId
                                                    : kFirstId;
    CODEXMEM_ASSIGN(const auto nearby,
                    store::list_documents_near(database, static_cast<DocumentKind>(kind),
                                               {anchor.time_ms, bound}, project, is_before,
                                               count + hidden.size()));
    for (const auto& [time_ms, id] : nearby) {
      if (hidden.contains(document_key(static_cast<DocumentKind>(kind), id))) continue;
      places.push_back({time_ms, kind, id});
    }
  }
  if (is_before) {
    std::sort(places.begin(), places.end(), std::greater<>());
  } else {
    std::sort(places.begin(), places.end());
  }
  places.resize(std::min(places.size(), count));
  return places;
}

Result<std::optional<TimelineDecision>> find_timeline_decision(store::Database& database,
                                                               DecisionKey key) {
  CODEXMEM_ASSIGN(auto decision, store::find_stored_timeline_decision(database, key));
  if (decision) {
    decision->title = privacy::redacted(decision->title);
    decision->target = privacy::redacted(decision->target);
  }
  return decision;
}

Result<void> add_item(store::Database& database, const Place& place, bool is_anchor,
                      std::vector<TimelineItem>& items) {
  TimelineItem item;
  item.key = document_key(static_cast<DocumentKind>(place.kind), place.id);
  item.created_at_ms = place.time_ms;
  item.is_anchor = is_anchor;
  const auto keep = [&](auto found) -> Result<void> {
    if (!found.ok()) return std::move(found).error();
    if (!*found) return {};
    item.record = **std::move(found);
    items.push_back(std::move(item));
    return {};
  };
  switch (static_cast<DocumentKind>(place.kind)) {
    case DocumentKind::kEntry:
      return keep(find_entry(database, static_cast<EntryId>(place.id)));
    case DocumentKind::kSummary:
      return keep(find_summary(database, static_cast<SummaryId>(place.id)));
    case DocumentKind::kPrompt:
      return keep(find_prompt(database, static_cast<PromptId>(place.id)));
    case DocumentKind::kDecision:
      return keep(find_timeline_decision(database, static_cast<DecisionKey>(place.id)));
  }
  return {};
}

}  // namespace

Result<Timeline> timeline(store::UserStore& store, const TimelineRequest& request) {
  CODEXMEM_ASSIGN(store::UserMoment reader, store.moment());

  bool is_unknown_project = false;
  std::optional<ProjectId> project;
  if (!request.project.empty()) {
    CODEXMEM_ASSIGN(project, store::find_project(*reader, request.project));
    is_unknown_project = !project;
  }

  Place anchor;
  const auto* key = std::get_if<DocumentKey>(&request.anchor);
  if (key != nullptr) {
    anchor.kind = static_cast<std::size_t>(kind_of(*key));
    anchor.id = id_of(*key);
    CODEXMEM_ASSIGN(const auto origin, store::find_document_origin(*reader, *key));
    if (!origin) return unknown_anchor(*key);
    anchor.time_ms = origin->time_ms;
    const bool is_other = is_unknown_project || (project && origin->project != *project);
    if (request.is_isolated && is_other) return unknown_anchor(*key);
  } else {
    // After all records of that moment.
    anchor = {std::get<std::int64_t>(request.anchor), kTimelineKinds, 0};
  }

  const std::size_t kinds = request.has_decisions ? kTimelineKinds : kDecisions;
  std::vector<Place> before, after;
  if (!is_unknown_project) {
    CODEXMEM_ASSIGN(before,
                    walk(*reader, anchor, project, true, request.before, kinds, request.hidden));
    CODEXMEM_ASSIGN(after,
                    walk(*reader, anchor, project, false, request.after, kinds, request.hidden));
  }
  std::reverse(before.begin(), before.end());
  Timeline timeline;
  for (const Place& place : before) CODEXMEM_TRY(add_item(*reader, place, false, timeline.items));
  if (key != nullptr) {
    timeline.anchor = timeline.items.size();
    CODEXMEM_TRY(add_item(*reader, anchor, true, timeline.items));
  }
  for (const Place& place : after) CODEXMEM_TRY(add_item(*reader, place, false, timeline.items));
  return timeline;
}

}  // namespace codexmem::memory
