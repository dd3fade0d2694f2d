// The uses are edits; what the new name would mean or make others mean where it is written, and a
// place in the scope of which nothing is known, are obstacles.
//
// Tested by lsp/requests_test.py.
#include "graph/rename/rename_local.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/stop_scope.h"
#include "graph/core/resolver.h"
#include "graph/core/source_texts.h"
#include "graph/rename/plan_parts.h"
#include "graph/rename/rename_conflicts.h"
#include "graph/rename/rename_family.h"
#include "graph/rename/rename_places.h"
#include "graph/rename/rename_reach.h"

namespace codexmem::graph {
namespace {

// Bare names in the scope of `binding` that may mean it, or something else.
std::vector<std::uint32_t> doubtful_places(Resolver& resolver, const FileModel& file,
                                           std::uint32_t binding) {
  std::vector<std::uint32_t> offsets;
  const parse::Binding& bound = file.facts.bindings[binding];
  const ByteRange& scope = file.facts.scopes[bound.scope].range;
  for (const std::uint32_t index : file.occurrences_of(bound.name)) {
    const parse::Occurrence& at = file.facts.occurrences[index];
    if (at.receiver_kind == parse::ReceiverKind::kNone && scope.contains(at.offset) &&
        has_kind(resolver.resolve(file, index), EntityKind::kUnknown)) {
      offsets.push_back(at.offset);
    }
  }
  return offsets;
}

}  // namespace

Result<RenamePlan> plan_local_rename(FactsCache& cache, store::CodeReader& reader,
                                     const FilePlace& local, const std::string& name,
                                     const std::string& new_name, std::stop_token stop) {
  const StopScope scope(std::move(stop));
  Resolver resolver(cache.impl(), reader);
  const FileModel* file = resolver.model(local.file);
  CODEXMEM_TRY(resolver.status());
  const std::uint32_t binding =
      file == nullptr ? parse::kNoIndex : file->binding_at(local.range.begin);
  if (binding == parse::kNoIndex || !resolves_names(file->family)) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("what {} means is not known well enough to rename it", name)};
  }
  CODEXMEM_TRY(check_letters(*file, new_name, new_name));
  RenamePlan plan;
  plan.old_name = name;
  plan.new_name = new_name;
  const RenameQuery query;
  SourceTexts texts(reader);
  PlanObstacles obstacles(texts, query, plan);
  CODEXMEM_ASSIGN(const auto uses, list_local_uses(resolver, reader, local, name));
  RenamePlaces places;
  for (const FileUse& use : uses) {
    const FileModel* user = resolver.model(use.place.file);
    if (user == nullptr) continue;
    const bool is_key = name_and_key_at(*user, use.place.range.begin).first == parse::kNoIndex &&
                        !use.is_definition;
    RenamePlace& place = places[user][use.place.range.begin];
    (is_key ? place.key : place.name) = true;
    place.is_definition = use.is_definition;
    place.kind = use.kind;
  }
  for (const std::uint32_t offset : doubtful_places(resolver, *file, binding)) {
    obstacles.add(ObstacleKind::kUncertainUse, *file, offset, fmt::format("may mean {}", name));
  }
  const ConflictReport report = [&](ObstacleKind kind, const FileModel& where, std::uint32_t offset,
                                    std::string why) {
    obstacles.add(kind, where, offset, std::move(why));
  };
  for (const auto& [user, own] : places) {
    find_scope_conflicts(resolver, *user, bare_places(*user, own), new_name, report);
  }
  const RenameFamily family(resolver);
  CODEXMEM_TRY(add_edits(resolver, texts, family, places, obstacles, plan));
  CODEXMEM_TRY(finish_plan(reader, {}, plan));
  CODEXMEM_TRY(resolver.status());
  return plan;
}

}  // namespace codexmem::graph
