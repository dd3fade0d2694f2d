// The steps are found by the same lookups as resolution makes: the binding of a bare name, the
// import behind it, or the receiver before the dot. Tested by graph/references_test.cpp.
#include "graph/core/explain.h"

#include <optional>

namespace codexmem::graph {
namespace {

using parse::BindingKind;
using parse::kNoIndex;
using parse::ReceiverKind;

std::string quoted(const std::string& name) { return "'" + name + "'"; }

// Describes an entity for people.
std::string describe(const Resolver& resolver, const Entity& entity) {
  if (is_of_library(entity)) return "something of the language's library, " + entity.file->path;
  switch (entity.kind) {
    case EntityKind::kSymbol:
      return quoted(entity.file->qualified_name(entity.index)) + " of " + entity.file->path;
    case EntityKind::kInstance:
      return "an instance of " + quoted(entity.file->qualified_name(entity.index)) + " of " +
             entity.file->path;
    case EntityKind::kSelf:
      return "an instance of " + quoted(entity.file->qualified_name(entity.index)) + " of " +
             entity.file->path;
    case EntityKind::kTypeParameter:
    case EntityKind::kTypeVariable:
      return "of a type parameter of " + entity.file->path;
    case EntityKind::kFunction:
      return "a function of " + entity.file->path;
    case EntityKind::kObject:
    case EntityKind::kLate:
    case EntityKind::kTerm:
      return "an object of " + entity.file->path;
    case EntityKind::kContainer:
    case EntityKind::kMethod:
    case EntityKind::kCallback:
      return "something of the language's library";
    case EntityKind::kLocal:
      return "a local of " + entity.file->path;
    case EntityKind::kModule:
      return "the module " + entity.file->path;
    case EntityKind::kFolder:
      return "the package " + resolver.folder(entity.index);
    case EntityKind::kExternal:
      return "of another package";
    case EntityKind::kUnknown:
      break;
  }
  return "unknown";
}

// "imported as 'a' from './x', which is src/x.ts".
std::string describe_import(Resolver& resolver, const FileModel& file, std::uint32_t import,
                            std::uint32_t name) {
  const parse::Import& statement = file.facts.imports[import];
  std::string text = "imported";
  if (name < statement.names.size()) {
    const std::string& imported = file.name(statement.names[name].imported);
    text += imported == "*" ? " as a whole" : " as " + quoted(imported);
  }
  text += " from " + quoted(statement.path);
  for (const store::DependencyRow& row : resolver.dependencies(file.id)) {
    if (row.import_index != import || !row.target) continue;
    if (const store::FileRow* target = resolver.files().find(*row.target)) {
      text += ", which is " + target->path;
    }
    break;
  }
  return text;
}

// The binding of a bare name at its position.
std::optional<std::uint32_t> find_binding(const FileModel& file, std::uint32_t occurrence) {
  const parse::Occurrence& at = file.facts.occurrences[occurrence];
  const std::uint32_t start = file.scope_at(at.offset);
  for (std::uint32_t scope = start; scope != kNoIndex; scope = file.facts.scopes[scope].parent) {
    const auto bindings = file.bindings_in(scope, at.name);
    if (!bindings.empty() &&
        !file.semantics.is_hidden(file, file.facts.scopes[scope], bindings.front(),
                                  parse::Role::kRead, scope == start)) {
      return bindings.front();
    }
  }
  return std::nullopt;
}

std::string explain_bare(Resolver& resolver, const FileModel& file, std::uint32_t occurrence) {
  const parse::Occurrence& at = file.facts.occurrences[occurrence];
  const std::string name = quoted(file.name(at.name));
  if (const auto imported = file.imported_name_at(at.offset)) {
    return name + " is " + describe_import(resolver, file, imported->first, imported->second);
  }
  const auto binding = find_binding(file, occurrence);
  if (!binding) return name + " is bound by a star import or by another file";
  const parse::Binding& bound = file.facts.bindings[*binding];
  if (bound.kind == BindingKind::kImport) {
    return name + " is " + describe_import(resolver, file, bound.target, bound.imported_name);
  }
  return name + " is declared in " + file.path;
}

}  // namespace

std::vector<std::string> explain_usage(Resolver& resolver, const Usage& usage,
                                       const UsageTarget& target) {
  const FileModel& file = *usage.file;
  const parse::Occurrence& at = file.facts.occurrences[usage.occurrence];
  const std::string name = quoted(file.name(at.name));
  if (usage.confidence <= Confidence::kPossible) return {"only the name " + name + " matches"};
  if (usage.confidence == Confidence::kLikely) {
    for (const Entity& entity : Entities(resolver.resolve(file, usage.occurrence))) {
      if (entity.kind != EntityKind::kSymbol) continue;
      const bool is_target = entity.file == target.file && entity.index == target.symbol;
      return {name + (is_target ? " may be " : " is ") + describe(resolver, entity) +
              (is_target ? "" : ", which the definition overrides")};
    }
    return {"what " + name + " belongs to is unknown here, and few definitions have the name"};
  }
  std::vector<std::string> steps;
  if (resolver.said_by_compiler(file, at.offset)) {
    steps.push_back(name + " is read by " + file.compiler.tool);
  } else if (at.receiver_kind == ReceiverKind::kNone) {
    steps.push_back(explain_bare(resolver, file, usage.occurrence));
  } else {
    if (at.receiver_kind == ReceiverKind::kName && at.receiver < usage.occurrence &&
        file.facts.occurrences[at.receiver].receiver_kind == ReceiverKind::kNone) {
      steps.push_back(explain_bare(resolver, file, at.receiver));
    }
    for (const Entity& entity : resolver.receivers(file, usage.occurrence)) {
      if (entity.kind == EntityKind::kUnknown) continue;
      steps.push_back(name + " is a member of " + describe(resolver, entity));
    }
  }
  steps.push_back("the definition is " + quoted(target.file->qualified_name(target.symbol)) +
                  " of " + target.file->path);
  return steps;
}

std::string describe_meaning(Resolver& resolver, const FileModel& file, std::uint32_t occurrence) {
  const std::uint32_t declared = file.symbol_named_at(file.facts.occurrences[occurrence].offset);
  if (declared != kNoIndex) {
    return "the definition of " + quoted(file.qualified_name(declared));
  }
  const Entities& meant = resolver.resolve(file, occurrence);
  return meant.empty() ? "nothing known" : describe(resolver, meant.front());
}

}  // namespace codexmem::graph
