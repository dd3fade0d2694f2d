#include "graph/unused/name_state.h"

#include <fmt/core.h>

#include <algorithm>

namespace codexmem::graph {

using parse::kNoIndex;

GoneNames names_of(const std::vector<GoneSymbol>& gone) {
  GoneNames names;
  for (const GoneSymbol& symbol : gone) {
    bool& is_defined = names[{symbol.path, symbol.qualified_name}];
    is_defined = is_defined || !symbol.is_handed_on;
  }
  return names;
}

bool is_gone(const GoneNames& gone, const FileModel& file, std::uint32_t symbol,
             std::string_view member) {
  std::string name = file.qualified_name(symbol);
  if (!member.empty()) name.append(".").append(member);
  if (gone.contains({file.path, name})) return true;
  if (!file.semantics.traits().containers_are_apart) return false;
  // The model knows the end of a name alone, and members may be declared in any file.
  const std::string end = "." + name;
  return std::ranges::any_of(gone, [&](const auto& each) {
    const auto& [path, known] = each.first;
    return (!member.empty() || path == file.path) && (known == name || known.ends_with(end));
  });
}

bool is_use(const FileModel& file, std::uint32_t index) {
  const parse::Occurrence& at = file.facts.occurrences[index];
  if (at.role == parse::Role::kDefinition || at.role == parse::Role::kImport || at.by_syntax)
    return false;
  if (at.receiver_kind == parse::ReceiverKind::kKey ||
      at.receiver_kind == parse::ReceiverKind::kOther) {
    return false;
  }
  // The names of a re-export are looked up in the other module, together with the imports.
  if (const std::uint32_t entry = file.export_at(at.offset);
      entry != kNoIndex && file.facts.exports[entry].import != kNoIndex) {
    return false;
  }
  if (at.role == parse::Role::kWrite && at.receiver_kind != parse::ReceiverKind::kNone &&
      file.semantics.traits().assignments_make_members) {
    return false;
  }
  return !file.is_documentation(at.offset) && file.symbol_named_at(at.offset) == kNoIndex;
}

const FileModel* NameState::model(std::string_view path) {
  const store::FileRow* row = files().find(path);
  return row == nullptr ? nullptr : resolver_->model(row->id);
}

const FileModel* NameState::module(const FileModel& file, std::uint32_t import) {
  const parse::Import& statement = file.facts.imports[import];
  for (const store::DependencyRow& row : resolver_->dependencies(file.id)) {
    if (row.import_index != import || row.is_external || !row.target) continue;
    // Not a submodule that one of the names means.
    if (statement.from_import && row.package != statement.path) continue;
    return resolver_->model(*row.target);
  }
  return nullptr;
}

Verdict NameState::judge_import(const FileModel& file, std::uint32_t import, std::uint32_t name) {
  const parse::Import& statement = file.facts.imports[import];
  const std::string& wanted = file.name(statement.names[name].imported);
  if (wanted == "*" || wanted.empty()) return {};
  const FileModel* target = module(file, import);
  if (target == nullptr || target == &file) return {};
  const Entities& found = resolver_->exported(*target, wanted);
  if (std::ranges::any_of(found, &is_known)) return {};
  return file.semantics.judge_missing_export(*hidden_, file, import, *target, wanted, found,
                                             gone_.contains({target->path, wanted}));
}

Verdict NameState::judge_name(const FileModel& file, std::uint32_t index) {
  const parse::Occurrence& at = file.facts.occurrences[index];
  const std::string& name = file.name(at.name);
  for (std::uint32_t scope = file.scope_at(at.offset); scope != kNoIndex;
       scope = file.facts.scopes[scope].parent) {
    if (!file.bindings_in(scope, at.name).empty()) return {};
  }
  const Entities meant = resolver_->resolve(file, index);
  const bool is_of_library = std::ranges::any_of(meant, [](const Entity& entity) {
    return entity.file != nullptr && entity.file->is_library;
  });
  const bool absent_is_external = file.semantics.traits().absent_names_are_external;
  const bool is_identified = std::ranges::any_of(meant, [&](const Entity& entity) {
    return entity.kind != EntityKind::kUnknown &&
           (entity.kind != EntityKind::kExternal || !absent_is_external);
  });
  if (is_identified && !is_of_library) return {};
  Verdict verdict{.is_found = false, .hidden = hidden_->in_scope(file, name)};
  if (!is_identified && !verdict.hidden.empty()) return verdict;
  if (is_of_library || file.semantics.library().has("globals", name)) {
    // Who no longer imports another's means the language's.
    const auto gone = gone_.find({file.path, name});
    if (gone == gone_.end() || !gone->second) return {};
    verdict.hidden = "the language has a " + name + " too";
  } else if (file.is_script()) {
    verdict.hidden = file.path + " is a script, which shares the names of others";
  }
  return verdict;
}

Result<Verdict> NameState::judge_member(const FileModel& file, std::uint32_t index) {
  Entities found = resolver_->resolve(file, index);
  // (A known entity together with an unknown one is a guess: a member that a subtype has.)
  if (std::ranges::any_of(found, &is_known) && !has_kind(found, EntityKind::kUnknown)) {
    return Verdict{};
  }
  if (file.semantics.traits().absent_names_are_external) {
    std::erase_if(found, [](const Entity& entity) { return entity.kind == EntityKind::kExternal; });
  }
  const std::string& name = file.name(file.facts.occurrences[index].name);
  const Entities receivers = resolver_->receivers(file, index);
  Verdict verdict{.is_found = false, .hidden = ""};
  for (const Entity& receiver : receivers) {
    verdict.is_of_unknown = receiver.kind == EntityKind::kUnknown;
    if (verdict.is_of_unknown) return verdict;
    if (receiver.kind == EntityKind::kExternal) return Verdict{};  // not of the repository
    // A member of a library type, or of a partly known type that never had it.
    if (!found.empty() && !was_in(receiver, name)) return Verdict{};
    const bool was_defined =
        receiver.kind == EntityKind::kModule && gone_.contains({receiver.file->path, name});
    verdict.hidden = hidden_->in_receiver(receiver, name, was_defined);
    if (verdict.hidden.empty()) {
      CODEXMEM_ASSIGN(verdict.hidden, in_subtype(receiver, name));
    }
    // Bases whose members are known leave the resolver in doubt, and not us.
    if (verdict.hidden.empty() && !found.empty() && !hidden_->has_foreign_base(receiver)) {
      verdict.hidden = "the type before the dot is not known well enough";
    }
    if (!verdict.hidden.empty()) return verdict;
  }
  verdict.is_of_unknown = receivers.empty();
  return verdict;
}

bool NameState::was_in(const FileModel& file, const std::string& name) {
  return std::ranges::any_of(hidden_->modules_of(file), [&](const FileModel* module) {
    return gone_.contains({module->path, name});
  });
}

bool NameState::was_in(const Entity& receiver, const std::string& name) {
  if (receiver.kind == EntityKind::kModule) return was_in(*receiver.file, name);
  if (!is_typed(receiver)) return false;
  return std::ranges::any_of(hidden_->types_of(receiver), [&](const Entity& type) {
    return is_gone(gone_, *type.file, type.index, name);
  });
}

bool NameState::is_typed(const Entity& entity) {
  return entity.kind == EntityKind::kSymbol || is_instance(entity);
}

Result<std::string> NameState::in_subtype(const Entity& receiver, const std::string& name) {
  if (!is_typed(receiver)) return std::string();
  CODEXMEM_ASSIGN(const auto symbols, reader_.list_symbols_named(name));
  for (const store::SymbolRow& symbol : symbols) {
    if (symbol.container.empty()) continue;
    const FileModel* file = resolver_->model(store::file_of(symbol.id));
    const auto id = file == nullptr ? std::nullopt : file->find_name(name);
    if (!id) continue;
    for (const std::uint32_t index : file->occurrences_of(*id)) {
      const std::uint32_t member = file->symbol_named_at(file->facts.occurrences[index].offset);
      const std::uint32_t owner = member == kNoIndex ? kNoIndex : file->owner_of(member);
      if (owner == kNoIndex || file->family != receiver.file->family) continue;
      for (const Entity& type : hidden_->types_of({EntityKind::kSymbol, file, owner})) {
        if (type.file != receiver.file || type.index != receiver.index) continue;
        return fmt::format("{}, which extends {}, has one", file->facts.symbols[owner].name,
                           symbol_of(receiver).name);
      }
    }
  }
  return std::string();
}

}  // namespace codexmem::graph
