// Names are looked up from the inside out, so two things can go wrong where a bare name changes. A
// scope between a use and the scope that binds the old name may bind the new one: the use would
// mean that binding. And below the scope that binds the old name there may be uses of the new name
// that are bound further out, or nowhere: they would mean the renamed symbol. Both are read from
// the scopes of the file only. Where a name is visible without an import (in a package of Go or
// Java), the language is asked what the new name means without a binding.
//
// Members: a type must not get two members of a name, and a subtype's member must not override
// another by accident.
//
// Tested by git/rename_test.py.
#include "graph/rename/rename_conflicts.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/ascii.h"
#include "base/stop_scope.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;
using parse::ReceiverKind;

// The scopes from `offset` outwards whose names are seen there.
template <typename Visit>
void visit_scopes(const FileModel& file, std::uint32_t offset, Visit visit) {
  for (std::uint32_t scope = file.scope_at(offset); scope != kNoIndex;
       scope = file.facts.scopes[scope].parent) {
    if (!visit(scope)) return;
  }
}

class ScopeConflicts {
 public:
  ScopeConflicts(Resolver& resolver, const FileModel& file, std::string_view new_name,
                 const ConflictReport& report)
      : resolver_(resolver), file_(file), new_name_(new_name), report_(report) {}

  void run(const std::vector<std::uint32_t>& places) {
    const auto name = file_.find_name(new_name_);
    bool reaches_beyond = false;
    for (const std::uint32_t index : places) {
      if (name) check_place(index, *name);
      reaches_beyond = reaches_beyond || !is_bound(index);
      const std::uint32_t binding = file_.binding_at(file_.facts.occurrences[index].offset);
      if (binding != kNoIndex) homes_.insert(file_.facts.bindings[binding].scope);
    }
    if (name) find_captured(*name);
    if (reaches_beyond || homes_.contains(0)) check_unbound(places);
  }

 private:
  // True if some scope of the file binds the old name at `index`.
  bool is_bound(std::uint32_t index) const {
    const parse::Occurrence& at = file_.facts.occurrences[index];
    bool found = false;
    visit_scopes(file_, at.offset, [&](std::uint32_t scope) {
      found = found || !file_.bindings_in(scope, at.name).empty();
      return !found;
    });
    return found;
  }

  bool is_visible(std::uint32_t scope, std::uint32_t binding, std::uint32_t offset) const {
    const bool is_own = file_.scope_at(offset) == scope;
    return !file_.semantics.is_hidden(file_, file_.facts.scopes[scope], binding, parse::Role::kRead,
                                      is_own);
  }

  // Some scope on the way to the one that binds the old name binds the new one.
  void check_place(std::uint32_t index, parse::NameId name) {
    const parse::Occurrence& at = file_.facts.occurrences[index];
    visit_scopes(file_, at.offset, [&](std::uint32_t scope) {
      for (const std::uint32_t binding : file_.bindings_in(scope, name)) {
        if (!is_visible(scope, binding, at.offset)) continue;
        if (taken_.insert(binding).second) {
          report_(ObstacleKind::kNameTaken, file_, file_.facts.bindings[binding].offset,
                  std::string(new_name_) + " is already defined here");
        }
        return false;
      }
      return file_.bindings_in(scope, at.name).empty();
    });
  }

  // Uses of the new name below a scope that will bind it.
  void find_captured(parse::NameId name) {
    for (const std::uint32_t index : file_.occurrences_of(name)) {
      const parse::Occurrence& at = file_.facts.occurrences[index];
      if (at.receiver_kind != ReceiverKind::kNone || at.role == parse::Role::kImport) continue;
      if (file_.binding_at(at.offset) != kNoIndex || file_.is_documentation(at.offset)) continue;
      if (file_.symbol_named_at(at.offset) != kNoIndex) continue;
      visit_scopes(file_, at.offset, [&](std::uint32_t scope) {
        for (const std::uint32_t binding : file_.bindings_in(scope, name)) {
          if (is_visible(scope, binding, at.offset)) return false;
        }
        if (!homes_.contains(scope)) return true;
        report_(ObstacleKind::kCaptured, file_, at.offset,
                std::string(new_name_) + " means something else here, and would mean this");
        return false;
      });
    }
  }

  // What the new name means where no scope of the file binds it.
  void check_unbound(const std::vector<std::uint32_t>& places) {
    const std::uint32_t offset = file_.facts.occurrences[places.front()].offset;
    for (const Entity& meant : file_.semantics.unbound_name(resolver_, file_, new_name_)) {
      if (meant.kind != EntityKind::kSymbol || !is_known(meant)) continue;
      report_(ObstacleKind::kNameTaken, file_, offset,
              std::string(new_name_) + " here already means the one of " + meant.file->path);
      return;
    }
  }

  Resolver& resolver_;
  const FileModel& file_;
  std::string_view new_name_;
  const ConflictReport& report_;
  std::set<std::uint32_t> homes_;  // scopes that bind the old name
  std::set<std::uint32_t> taken_;  // bindings of the new one that were reported
};

bool is_plain_identifier(std::string_view name, bool with_dollars) {
  return !name.empty() && !is_digit(name.front()) && std::ranges::all_of(name, [&](char c) {
    return is_word_char(c) || (with_dollars && c == '$');
  });
}

}  // namespace

std::string_view sign_of(std::string_view name) {
  const auto first = std::ranges::find_if(name, is_identifier_char);
  return name.substr(0, static_cast<std::size_t>(first - name.begin()));
}

Result<void> check_letters(const FileModel& file, const std::string& wanted,
                           std::string_view letters, bool allowed) {
  const LanguageTraits& traits = file.semantics.traits();
  if (!is_plain_identifier(letters, traits.names_have_dollars)) {
    return invalid_argument(
        fmt::format("\"{}\" is not a name: use letters, digits and _, and no digit first", wanted));
  }
  if (!allowed &&
      std::ranges::find(traits.names.reserved, letters) != traits.names.reserved.end()) {
    return invalid_argument(fmt::format("\"{}\" is a reserved word of {}", wanted, file.language));
  }
  return {};
}

Result<std::string> check_new_name(const RenameFamily& family, std::string_view old_name,
                                   const std::string& wanted) {
  const std::string_view sign = sign_of(old_name);
  std::string name = wanted;
  if (!name.starts_with(sign)) name.insert(0, sign);
  const std::string_view letters = std::string_view(name).substr(sign.size());
  if (name == old_name) return invalid_argument(fmt::format("{} already has this name", old_name));
  for (const UsageTarget& member : family.members()) {
    const LanguageTraits& traits = member.file->semantics.traits();
    // A key may be a word of the language: { for: 1 }.
    const std::uint32_t offset = member.file->facts.symbols[member.symbol].name_range.begin;
    const bool is_key = traits.texts.keys_are_members &&
                        member.file->owner_of(member.symbol) != kNoIndex &&
                        member.file->binding_at(offset) == kNoIndex;
    CODEXMEM_TRY(check_letters(*member.file, wanted, letters, is_key));
  }
  return name;
}

void find_scope_conflicts(Resolver& resolver, const FileModel& file,
                          const std::vector<std::uint32_t>& places, std::string_view new_name,
                          const ConflictReport& report) {
  if (!places.empty()) ScopeConflicts(resolver, file, new_name, report).run(places);
}

Result<void> find_member_conflicts(Resolver& resolver, RenameFamily& family,
                                   const std::string& new_name, const ConflictReport& report) {
  std::set<std::pair<const FileModel*, std::uint32_t>> owners = family.owners();
  std::set<std::pair<const FileModel*, std::uint32_t>> reported;
  // Owners that are not types: an object, a module, a function around.
  for (const UsageTarget& member : family.members()) {
    const std::uint32_t owner = member.file->owner_of(member.symbol);
    if (owner != kNoIndex) owners.emplace(member.file, owner);
  }
  const auto add_conflict = [&](const FileModel& file, std::uint32_t symbol) {
    if (!reported.emplace(&file, symbol).second) return;
    if (file.is_library) {
      const UsageTarget& first = family.members().front();
      report(ObstacleKind::kNameTaken, *first.file,
             first.file->facts.symbols[first.symbol].name_range.begin,
             "a type of the library above it has a member " + new_name);
      return;
    }
    const parse::Symbol& at = file.facts.symbols[symbol];
    report(ObstacleKind::kNameTaken, file, at.name_range.begin,
           file.qualified_name(symbol) + " already has this name");
  };
  for (const auto& owner : owners) {
    CODEXMEM_TRY(go_on());
    const Entity instance{EntityKind::kInstance, owner.first, owner.second};
    for (const Entity& other : resolver.members({instance}, new_name)) {
      if (other.kind == EntityKind::kSymbol) add_conflict(*other.file, other.index);
    }
    const auto id = owner.first->find_name(new_name);
    if (!id) continue;
    for (const std::uint32_t other : owner.first->members_of(owner.second, *id)) {
      add_conflict(*owner.first, other);
    }
  }
  if (!family.has_members() || family.members().empty()) return {};
  const FileModel& first = *family.members().front().file;
  for (const store::SymbolRow& row : resolver.symbol_rows(first.family, new_name)) {
    if (row.container.empty()) continue;
    CODEXMEM_TRY(go_on());
    const auto other = resolver.symbol(row.id);
    if (!other) continue;
    const std::uint32_t owner = other->file->owner_of(other->index);
    if (owner == kNoIndex || !is_type_like(other->file->facts.symbols[owner])) continue;
    const auto& above = family.above(*other->file, owner);
    if (std::ranges::any_of(above, [&](const UsageTarget& type) {
          return family.owners().contains({type.file, type.symbol});
        })) {
      add_conflict(*other->file, other->index);
    }
  }
  return {};
}

}  // namespace codexmem::graph
