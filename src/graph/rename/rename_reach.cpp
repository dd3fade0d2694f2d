// Tested by git/rename_test.py.
#include "graph/rename/rename_reach.h"

#include <algorithm>
#include <utility>

#include "graph/rename/rename_family.h"

namespace codexmem::graph {

// True where files know each other's names as they are: packages, scripts. Else finds what imports
// the definitions.
bool ValueReach::needs_no_imports(const FileModel& file,
                                  const std::vector<UsageTarget>& definitions) {
  const LanguageTraits& traits = file.semantics.traits();
  if (!traits.imports_are_exports && !traits.has_scripts) return true;
  if (!reaching_.empty()) return false;
  std::vector<store::FileId> definers;
  for (const UsageTarget& definition : definitions) {
    if (definition.file->is_script()) return true;
    definers.push_back(definition.file->id);
  }
  reaching_ = importers_of(std::move(definers), nullptr);
  return false;
}

bool ValueReach::may_mean(const FileModel& file, const Usage& usage, const RenameFamily& family) {
  const parse::Occurrence& at = file.facts.occurrences[usage.occurrence];
  const bool is_bare =
      at.receiver_kind == parse::ReceiverKind::kNone || at.role == parse::Role::kImport;
  const bool is_possible = usage.confidence == Confidence::kPossible;
  if (is_bare && is_possible && !file.semantics.traits().texts.keys_are_members) return true;
  if (is_bare == family.has_members()) return false;
  if (is_bare && is_possible) return true;
  if (at.receiver_kind == parse::ReceiverKind::kKey) return false;
  return is_bare ? may_bind(file, family.members()) : may_get_values(file, family.members());
}

bool ValueReach::may_bind(const FileModel& file, const std::vector<UsageTarget>& definitions) {
  return needs_no_imports(file, definitions) || reaching_.contains(file.id);
}

bool ValueReach::may_get_values(const FileModel& file,
                                const std::vector<UsageTarget>& definitions) {
  if (needs_no_imports(file, definitions)) return true;
  const auto [known, is_new] = answers_.try_emplace(file.id, false);
  if (is_new) {
    const auto importers = importers_of({file.id}, &reaching_);
    known->second =
        std::ranges::any_of(importers, [&](store::FileId id) { return reaching_.contains(id); });
  }
  return known->second;
}

// `files` and all that import them, in any number of steps; up to the first that is `wanted`.
std::set<store::FileId> ValueReach::importers_of(std::vector<store::FileId> files,
                                                 const std::set<store::FileId>* wanted) {
  std::set<store::FileId> found(files.begin(), files.end());
  while (!files.empty()) {
    const store::FileId id = files.back();
    files.pop_back();
    if (wanted != nullptr && wanted->contains(id)) return found;
    for (const store::DependencyRow& row : resolver_.dependents(id)) {
      if (found.insert(row.source).second) files.push_back(row.source);
    }
  }
  return found;
}

std::pair<std::uint32_t, std::uint32_t> name_and_key_at(const FileModel& file,
                                                        std::uint32_t offset) {
  std::uint32_t name = parse::kNoIndex, key = parse::kNoIndex;
  const auto& all = file.facts.occurrences;
  for (std::uint32_t i = file.occurrence_at(offset); i < all.size() && all[i].offset == offset;
       ++i) {
    const bool is_key = all[i].receiver_kind == parse::ReceiverKind::kKey &&
                        all[i].role != parse::Role::kDefinition;
    (is_key ? key : name) = i;
  }
  return {name, key};
}

std::vector<std::uint32_t> uses_of_objects(
    Resolver& resolver, const FileModel& file, std::string_view name,
    const std::set<std::pair<const FileModel*, std::uint32_t>>& objects) {
  std::vector<std::uint32_t> found;
  const auto id = file.find_name(name);
  if (!id || objects.empty()) return found;
  for (const std::uint32_t index : file.occurrences_of(*id)) {
    const parse::Occurrence& at = file.facts.occurrences[index];
    if (at.receiver_kind == parse::ReceiverKind::kNone ||
        (at.receiver_kind == parse::ReceiverKind::kKey && at.role != parse::Role::kRead)) {
      continue;
    }
    const Entities before = resolver.receivers(file, index);
    if (std::ranges::any_of(before, [&](const Entity& entity) {
          return entity.kind == EntityKind::kObject &&
                 objects.contains({entity.file, entity.index});
        })) {
      found.push_back(index);
    }
  }
  return found;
}

std::vector<std::uint32_t> keys_of_same_shape(
    const FileModel& file, std::string_view name,
    const std::set<std::pair<const FileModel*, std::uint32_t>>& owners) {
  std::vector<std::uint32_t> found;
  const auto id = file.find_name(name);
  if (!id) return found;
  const auto look_at = [&](parse::TermId term) {
    if (term == parse::kNoIndex || file.facts.terms[term].kind != parse::TermKind::kObject) return;
    const parse::Object& object = file.facts.objects[file.facts.terms[term].at];
    const auto at = std::ranges::find(object.keys, *id, &parse::ObjectKey::name);
    if (at == object.keys.end() || at->occurrence == parse::kNoIndex) return;
    const bool is_same = std::ranges::any_of(owners, [&](const auto& owner) {
      return std::ranges::all_of(object.keys, [&](const parse::ObjectKey& key) {
        const auto known = owner.first->find_name(file.name(key.name));
        return known && !owner.first->members_of(owner.second, *known).empty();
      });
    });
    if (is_same) found.push_back(at->occurrence);
  };
  for (const parse::Function& function : file.facts.functions) {
    if (function.is_annotated) look_at(function.result);
    for (const parse::Parameter& parameter : function.parameters) {
      if (parameter.is_annotated) look_at(parameter.term);
    }
  }
  return found;
}

bool has_computed_keys(Resolver& resolver, const FileModel& file, std::uint32_t occurrence) {
  const parse::Occurrence& at = file.facts.occurrences[occurrence];
  if (at.receiver_kind == parse::ReceiverKind::kNone || at.receiver == parse::kNoIndex) {
    return false;
  }
  const Entities held = resolver.receivers(file, occurrence);
  return std::ranges::any_of(held, [&](const Entity& entity) {
    if (entity.kind != EntityKind::kObject || entity.file->is_library) return false;
    const Entities named = resolver.members_by_key({entity}, file.name(at.name));
    return has_kind(named, EntityKind::kUnknown) || has_kind(named, EntityKind::kTypeParameter);
  });
}

bool is_of_language(Resolver& resolver, const FileModel& file, std::uint32_t occurrence) {
  const parse::Occurrence& at = file.facts.occurrences[occurrence];
  if (at.receiver_kind != parse::ReceiverKind::kName) return false;
  const parse::Occurrence& before = file.facts.occurrences[at.receiver];
  const std::string& name = file.name(before.name);
  // (A capital letter: the object of the globals, window, has members from every file.)
  if (before.receiver_kind != parse::ReceiverKind::kNone || name.front() < 'A' ||
      name.front() > 'Z' || !file.semantics.library().has("globals", name)) {
    return false;
  }
  return std::ranges::none_of(resolver.resolve(file, at.receiver), is_known);
}

}  // namespace codexmem::graph
