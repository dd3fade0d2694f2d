// A file that was only partly understood may declare anything; a type with bases from outside may
// have any member, unless the bases are the library's. The language family decides the rest.
//
// Tested by graph/broken_uses_test.cpp and, case by case, git/check_test.py.
#include "graph/core/hidden_names.h"

#include <fmt/core.h>

#include <algorithm>

#include "graph/core/code_text.h"

namespace codexmem::graph {

using parse::Role;

std::string_view HiddenNames::text_of(const FileModel& file) {
  const auto text = texts_.get(file.id);
  return text.ok() ? std::string_view((*text)->content) : std::string_view();
}

// True if a definition of `name` may be in code that was not understood, or that was misread as
// part of another definition.
bool HiddenNames::may_be_misread(const FileModel& file, const std::string& name) {
  if (file.facts.truncated) return true;
  if (file.facts.unparsed.empty()) return false;
  const std::string_view text = text_of(file);
  if (std::ranges::any_of(file.facts.unparsed, [&](const ByteRange& range) {
        return has_word(text_at(text, range), name);
      })) {
    return true;
  }
  const auto id = file.find_name(name);
  return id && std::ranges::any_of(file.occurrences_of(*id), [&](std::uint32_t index) {
           return file.facts.occurrences[index].role == Role::kDefinition;
         });
}

std::string HiddenNames::in_module(const FileModel& file, const std::string& name,
                                   bool was_defined) {
  for (const FileModel* module : modules_of(file)) {
    if (may_be_misread(*module, name)) {
      return fmt::format("{} was not understood as a whole", module->path);
    }
    std::string why = file.semantics.hidden_in_module(*this, *module, was_defined);
    if (!why.empty()) return why;
  }
  return in_scope(file, name);
}

std::string HiddenNames::in_scope(const FileModel& file, const std::string& name) {
  for (const FileModel* module : modules_of(file)) {
    if (may_be_misread(*module, name)) {
      return fmt::format("{} was not understood as a whole", module->path);
    }
    std::string why = file.semantics.hidden_in_scope(*this, *module, name);
    if (!why.empty()) return why;
  }
  return {};
}

Entities HiddenNames::types_of(const Entity& receiver) {
  Entities types = {receiver};
  types[0].environment = nullptr;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (types[i].index >= types[i].file->facts.symbols.size()) continue;
    const Entities supers = resolver_.supertypes(*types[i].file, types[i].index);
    for (const Entity& super : supers) {
      if (super.kind != EntityKind::kSymbol && super.kind != EntityKind::kInstance) continue;
      if (is_of_library(super)) continue;  // one of the foreign bases
      const bool is_known = std::ranges::any_of(types, [&](const Entity& known) {
        return known.file == super.file && known.index == super.index;
      });
      if (!is_known) types.push_back({EntityKind::kSymbol, super.file, super.index});
    }
  }
  return types;
}

std::string HiddenNames::in_receiver(const Entity& receiver, const std::string& name,
                                     bool was_defined) {
  if (receiver.file == nullptr) return {};
  // Another version of it may have more.
  if (is_of_library(receiver))
    return fmt::format("{} is not of the repository", receiver.file->path);
  if (receiver.kind == EntityKind::kModule) return in_module(*receiver.file, name, was_defined);
  if (receiver.kind != EntityKind::kSymbol && receiver.kind != EntityKind::kInstance &&
      receiver.kind != EntityKind::kSelf) {
    return {};
  }
  for (const Entity& type : types_of(receiver)) {
    if (type.index >= type.file->facts.symbols.size()) continue;
    if (std::string why = in_type(type, name); !why.empty()) return why;
  }
  return {};
}

std::string HiddenNames::in_type(const Entity& entity, const std::string& name) {
  const FileModel& file = *entity.file;
  const parse::Symbol& type = file.facts.symbols[entity.index];
  if (may_be_misread(file, name)) {
    return fmt::format("{} was not understood as a whole", file.path);
  }
  std::string why = file.semantics.hidden_in_type(*this, file, type);
  if (!why.empty()) return why;
  for (const std::string& base : foreign_bases(entity)) {
    // class E(Exception), or abc.ABC: a class of the library. A class may have a metaclass: members
    // with two underscores are never known.
    const LibraryTables& library = file.semantics.library();
    const bool may_have = name.starts_with("__") || library.has("base_members", name);
    if (library.has("bases", base) && !may_have) continue;
    return fmt::format("{} has a base from outside of the repository, {}", type.name, base);
  }
  return {};
}

// The names of the bases of a class that are not of the repository.
std::vector<std::string> HiddenNames::foreign_bases(const Entity& type) {
  const FileModel& file = *type.file;
  std::vector<std::string> bases;
  for (const parse::Heritage* heritage : file.heritage_of(type.index)) {
    const Entities& meant = resolver_.resolve(file, heritage->occurrence);
    if (!std::ranges::any_of(meant, is_known))
      bases.push_back(file.name(file.facts.occurrences[heritage->occurrence].name));
  }
  return bases;
}

bool HiddenNames::has_foreign_base(const Entity& receiver) {
  const Entities types = types_of(receiver);
  return std::ranges::any_of(types,
                             [&](const Entity& type) { return !foreign_bases(type).empty(); });
}

}  // namespace codexmem::graph
