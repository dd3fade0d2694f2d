// Tested by tests/memory/recall_test.cpp.
#include "memory/recall/recall_neighbours.h"

namespace codexmem::memory {
namespace {

constexpr std::int64_t kNeighbourMs = 10 * 60'000;  // between two entries without a session
constexpr std::int64_t kNeighbourSteps = 64;        // numbers that are looked at for a neighbour
constexpr std::size_t kReach = 3;                   // neighbours on each side

}  // namespace

const std::vector<RecallNeighbour>& RecallNeighbours::find(DocumentKey key) {
  const auto [place, is_new] = known_.try_emplace(static_cast<std::int64_t>(key));
  if (is_new) place->second = look_up(key);
  return place->second;
}

std::vector<RecallNeighbour> RecallNeighbours::look_up(DocumentKey key) const {
  std::vector<RecallNeighbour> found;
  if (kind_of(key) != DocumentKind::kEntry) return found;
  const DocumentFacts& own = table_.facts(key);
  for (const std::int64_t step : {-1, 1}) {
    std::size_t distance = 0;
    std::int64_t last_ms = own.created_at_ms;
    for (std::int64_t i = 1; i <= kNeighbourSteps && distance < kReach; ++i) {
      const std::int64_t id = id_of(key) + step * i;
      if (id < 1) break;
      const DocumentKey other = document_key(DocumentKind::kEntry, id);
      const DocumentFacts& facts = table_.facts(other);
      if (!facts.exists || facts.project != own.project || facts.session != own.session) continue;
      const std::int64_t apart = (facts.created_at_ms - last_ms) * step;
      if (apart < 0 || (own.session == 0 && apart > kNeighbourMs)) break;
      last_ms = facts.created_at_ms;
      found.push_back({other, distance++, step < 0});
    }
  }
  return found;
}

}  // namespace codexmem::memory
