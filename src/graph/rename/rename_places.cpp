// Tested by git/rename_test.py.
#include "graph/rename/rename_places.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "graph/rename/rename_reach.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;
using parse::ReceiverKind;
using parse::Role;

class EditMaker {
 public:
  EditMaker(Resolver& resolver, SourceTexts& texts, const RenameFamily& family,
            PlanObstacles& obstacles, RenamePlan& plan)
      : resolver_(resolver), texts_(texts), family_(family), obstacles_(obstacles), plan_(plan) {}

  Result<void> add_file(const FileModel& file, const std::map<std::uint32_t, RenamePlace>& places) {
    auto renamed = file_to_write(resolver_, file, places.begin()->first, obstacles_);
    CODEXMEM_ASSIGN(const auto* text, texts_.get(file.id));
    if (!renamed) return {};
    for (const auto& [offset, place] : places) {
      const std::string& spelled = place.spelled.empty() ? plan_.old_name : place.spelled;
      // (In a damaged index a place may lie behind the text.)
      if (offset > text->content.size() ||
          !std::string_view(text->content).substr(offset).starts_with(spelled)) {
        obstacles_.add(ObstacleKind::kUncertainUse, file, offset,
                       "the name is spelled in another way");
        continue;
      }
      if (is_in_markup(file, text->content, offset) && is_half(file, offset, place)) {
        obstacles_.add(ObstacleKind::kUncertainUse, file, offset,
                       "what is given has the name of its value");
        continue;
      }
      RenameEdit edit;
      edit.offset = offset;
      edit.position = text->lines.position_of(offset);
      edit.size = static_cast<std::uint32_t>(spelled.size());
      edit.text = place.spelled.empty() ? text_for(file, offset, place) : place.derived;
      edit.is_definition = place.is_definition;
      edit.is_taken = place.is_taken;
      edit.kind = place.kind;
      renamed->edits.push_back(std::move(edit));
    }
    for (const UsageTarget& member : family_.members()) {
      if (member.file != &file || !renamed->new_path.empty()) continue;
      renamed->new_path = file.semantics.path_for(file, member.symbol, plan_.new_name);
    }
    if (!renamed->new_path.empty() && resolver_.files().find(renamed->new_path) != nullptr) {
      obstacles_.add(ObstacleKind::kFile, file, places.begin()->first,
                     renamed->new_path + " is there already");
    }
    if (!renamed->edits.empty()) plan_.files.push_back(*std::move(renamed));
    return {};
  }

  // True outside the scripts of a component of Vue or Svelte, where :a and {a} are short for :a="a"
  // and a={a}.
  static bool is_in_markup(const FileModel& file, const std::string& text, std::uint32_t offset) {
    if (file.language != "vue" && file.language != "svelte") return false;
    const std::size_t begin = text.rfind("<script", offset);
    const std::size_t end = text.rfind("</script", offset);
    return begin == std::string::npos || (end != std::string::npos && begin < end);
  }

  // True for a name that is a key and a value if only one of them changes.
  bool is_half(const FileModel& file, std::uint32_t offset, const RenamePlace& place) {
    if (!place.spelled.empty()) return false;
    return text_for(file, offset, place) != plan_.new_name;
  }

  // { a } names a key and a value: both are written out, the unchanged one with the old name.
  std::string text_for(const FileModel& file, std::uint32_t offset, const RenamePlace& place) {
    const auto [name, key] = name_and_key_at(file, offset);
    if (name == kNoIndex || key == kNoIndex) return plan_.new_name;
    // (Uses come once for each place.)
    const std::uint32_t entry = file.export_at(offset);
    const bool has_name = place.name || is_family(resolver_.resolve(file, name));
    const bool has_key = place.key || is_family(resolver_.resolve(file, key)) ||
                         (entry != kNoIndex && file.facts.exports[entry].commonjs);
    if (has_name && has_key) return plan_.new_name;
    return has_key ? plan_.new_name + ": " + plan_.old_name
                   : plan_.old_name + ": " + plan_.new_name;
  }

 private:
  bool is_family(const Entities& meant) const {
    return std::ranges::any_of(meant, [&](const Entity& entity) { return family_.holds(entity); });
  }

  Resolver& resolver_;
  SourceTexts& texts_;
  const RenameFamily& family_;
  PlanObstacles& obstacles_;
  RenamePlan& plan_;
};

}  // namespace

std::vector<std::uint32_t> bare_places(const FileModel& file,
                                       const std::map<std::uint32_t, RenamePlace>& places) {
  std::vector<std::uint32_t> bare;
  for (const auto& [offset, place] : places) {
    const auto [name, key] = name_and_key_at(file, offset);
    if (!place.name || name == kNoIndex) continue;
    const parse::Occurrence& at = file.facts.occurrences[name];
    if (at.receiver_kind != ReceiverKind::kNone || file.is_documentation(offset)) continue;
    const bool is_bound = file.binding_at(offset) != kNoIndex;
    const std::uint32_t declared = file.symbol_named_at(offset);
    if (declared != kNoIndex && !is_bound) continue;         // a member
    if (at.role == Role::kImport && !is_bound) continue;     // of the other module
    if (const std::uint32_t entry = file.export_at(offset);  // likewise
        entry != kNoIndex && file.facts.exports[entry].import != kNoIndex) {
      continue;
    }
    bare.push_back(name);
  }
  return bare;
}

Result<void> add_edits(Resolver& resolver, SourceTexts& texts, const RenameFamily& family,
                       const RenamePlaces& places, PlanObstacles& obstacles, RenamePlan& plan) {
  EditMaker maker(resolver, texts, family, obstacles, plan);
  for (const auto& entry : places) CODEXMEM_TRY(maker.add_file(*entry.first, entry.second));
  return {};
}

}  // namespace codexmem::graph
