// Tested by git/rename_test.py.
#include "graph/rename/plan_parts.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "config/path_kind.h"
#include "graph/rename/rename_said.h"

namespace codexmem::graph {

bool PlanObstacles::add(ObstacleKind kind, const FileModel& file, std::uint32_t offset,
                        std::string why, std::optional<Confidence> confidence) {
  RenameObstacle found{kind, file.path, {}, std::move(why), {}, confidence};
  const auto text = texts_.get(file.id);
  if (text.ok()) {
    found.position = (*text)->lines.position_of(offset);
    found.context = quoted_line(**text, found.position.line);
  }
  const Said said = said_of(query_, found);
  if (said == Said::kLeave) return false;
  const bool can_take = takes_values_ || kind == ObstacleKind::kUncertainUse;
  if (said == Said::kTake && can_take && text.ok() &&
      (*text)->content.compare(offset, plan_.old_name.size(), plan_.old_name) == 0) {
    plan_.open_taken += confidence == Confidence::kPossible ? 1 : 0;
    return true;
  }
  plan_.obstacles.push_back(std::move(found));
  return false;
}

void PlanObstacles::add_possible(Resolver& resolver, std::span<const UsageTarget> members,
                                 const std::vector<Hit>& hits) {
  std::vector<std::string> owners;
  for (const UsageTarget& member : members) {
    const std::uint32_t owner = member.file->owner_of(member.symbol);
    if (owner != parse::kNoIndex) owners.push_back(member.file->facts.symbols[owner].name);
  }
  struct Open {
    const Hit* hit;
    const store::FileRow* file;
    bool names_owner;
  };
  std::vector<Open> open;
  std::map<store::FileId, bool> names_owner;
  for (const Hit& hit : hits) {
    const store::FileRow* row = resolver.files().find(hit.file);
    if (hit.drawer != Drawer::kPossible || row == nullptr) continue;
    const auto [known, is_new] = names_owner.try_emplace(hit.file, false);
    if (const FileModel* file = is_new ? resolver.model(hit.file) : nullptr) {
      known->second = std::ranges::any_of(
          owners, [&](const std::string& owner) { return file->find_name(owner).has_value(); });
    }
    open.push_back({&hit, row, known->second});
  }
  std::ranges::stable_sort(open, {}, [](const Open& place) {
    return std::pair(!place.names_owner, is_test_path(place.file->path));
  });
  for (const Open& each : open) {
    OpenPlace& place = plan_.open.emplace_back();
    place.path = each.file->path;
    place.why = each.hit->doubt;
    place.names_owner = each.names_owner;
    if (plan_.open.size() > kMaxOpenShown) continue;
    const auto text = texts_.get(each.file->id);
    if (!text.ok()) continue;
    place.position = (*text)->lines.position_of(each.hit->offset);
    place.context = quoted_line(**text, place.position.line);
  }
}

void PlanObstacles::add_open(Resolver& resolver, std::span<const UsageTarget> members,
                             const std::vector<Hit>& hits) {
  constexpr std::size_t kMaxUnread = 20;
  add_possible(resolver, members, hits);
  for (const Hit& hit : hits) {
    const store::FileRow* row = resolver.files().find(hit.file);
    if (hit.drawer != Drawer::kUnread || row == nullptr || plan_.unread.size() == kMaxUnread) {
      continue;
    }
    const auto text = texts_.get(hit.file);
    if (!text.ok()) continue;
    const Position position = (*text)->lines.position_of(hit.offset);
    const bool is_known = std::ranges::any_of(plan_.obstacles, [&](const RenameObstacle& each) {
      return each.path == row->path && each.position == position;
    });
    if (is_known) continue;
    plan_.unread.push_back({row->path, position, quoted_line(**text, position.line)});
  }
}

std::optional<RenamedFile> file_to_write(Resolver& resolver, const FileModel& file,
                                         std::uint32_t first, PlanObstacles& obstacles) {
  const store::FileRow* row = resolver.files().find(file.id);
  if (row == nullptr) return std::nullopt;
  if ((row->flags & store::kFileGenerated) != 0 || !generated_name(file.path).empty()) {
    obstacles.add(ObstacleKind::kFile, file, first, "the file is written by a program");
  } else if ((row->flags & store::kFileRepaired) != 0) {
    obstacles.add(ObstacleKind::kFile, file, first, "the file is not plain UTF-8");
  }
  return RenamedFile{.id = file.id, .path = file.path, .hash = row->hash, .edits = {}};
}

Result<void> finish_plan(store::CodeReader& reader, std::span<const UsageTarget> members,
                         RenamePlan& plan) {
  for (const UsageTarget& member : members) {
    CODEXMEM_ASSIGN(const auto row,
                    reader.find_symbol(store::symbol_id(member.file->id, member.symbol)));
    if (!row) continue;
    plan.is_exported = plan.is_exported || row->exported;
    plan.definitions.push_back({row->id, row->name, row->qualified_name(), row->type, row->kind,
                                member.file->path, row->start, row->name_start, row->end.line});
  }
  std::ranges::sort(plan.files, {}, &RenamedFile::path);
  const auto by_place = [](const auto& a, const auto& b) {
    return std::tie(a.path, a.position) < std::tie(b.path, b.position);
  };
  std::ranges::stable_sort(plan.obstacles, by_place);
  std::ranges::stable_sort(plan.mentions, by_place);
  return {};
}

}  // namespace codexmem::graph
