// Members by use. Tested by graph/java_references_test.cpp.
#include "graph/nominal/members.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/ascii.h"
#include "graph/core/meaning.h"
#include "graph/core/resolver_step.h"
#include "graph/nominal/overloads.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;
using parse::TermId;

// A hostile or generated hierarchy is not searched to its end.
constexpr std::size_t kMaxTypes = 256;
constexpr std::size_t kMaxInterfaces = 32;
// Every object has these: an interface that declares them asks for nothing.
constexpr std::string_view kOfObject[] = {"equals", "hashCode", "toString"};

class TypeSearch {
 public:
  TypeSearch(Resolver& resolver, std::string_view name, NameUse use, bool ignores_case = false)
      : resolver_(resolver), name_(name), use_(use), ignores_case_(ignores_case) {}

  void search(const Entity& type, const Entity& receiver) {
    const Resolver::RecursionGuard guard(resolver_);
    if (guard.over_limit() || seen_.size() > kMaxTypes) {
      meaning.add(kUnknownEntity);
      return;
    }
    const bool first_wins = type.file->semantics.traits().first_base_wins;
    if (add_own(type, receiver) && (first_wins || use_ != NameUse::kCallable)) return;
    for (const Entity& base : resolver_.supertypes(type)) {
      if (base.kind != EntityKind::kSymbol && !is_instance(base)) {
        meaning.add(base.kind == EntityKind::kExternal ? kExternalEntity : kUnknownEntity);
        continue;
      }
      if (std::find(seen_.begin(), seen_.end(), base) != seen_.end()) continue;
      seen_.push_back(base);
      search(base, receiver);
      if (first_wins && meaning.is_found()) return;
    }
  }

  Meaning meaning;

 private:
  bool add_own(const Entity& type, const Entity& receiver) {
    const FileModel& file = *type.file;
    const auto id = file.find_name(name_);
    auto own = id ? file.members_of(type.index, *id) : std::span<const std::uint32_t>();
    if (ignores_case_) own = file.all_members(type.index);
    Entities& found = meaning.found();
    const std::size_t before = found.size();
    const Environment* environment = nullptr;
    bool has_environment = false;
    for (const std::uint32_t member : own) {
      if (!fits_use(file.facts.symbols[member], use_) || is_constructor(file, member)) continue;
      if (ignores_case_ && !same_name(file.facts.symbols[member].name, name_)) continue;
      if (!has_environment) environment = resolver_.member_environment(type, receiver);
      has_environment = true;
      const Entity entity{EntityKind::kSymbol, &file, member, environment};
      const bool is_overridden =
          std::any_of(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(before),
                      [&](const Entity& known) { return take_the_same(resolver_, known, entity); });
      if (!is_overridden) add(found, entity);
    }
    if (found.empty() && use_ == NameUse::kCallable) {
      for (Entity member : file.semantics.implied_members(resolver_, type, name_)) {
        member.environment = resolver_.member_environment(type, receiver);
        add(found, member);
      }
    }
    return found.size() > before;
  }

  Resolver& resolver_;
  const std::string_view name_;
  const NameUse use_;
  const bool ignores_case_;
  Entities seen_;
};

}  // namespace

bool same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return to_lower(x) == to_lower(y); });
}

bool fits_use(const parse::Symbol& symbol, NameUse use) {
  switch (use) {
    case NameUse::kValue:
      return !is_callable(symbol) && !is_type_like(symbol);
    case NameUse::kCallable:
      return is_callable(symbol);
    case NameUse::kType:
      return is_type_like(symbol);
  }
  return false;
}

bool is_constructor(const FileModel& file, std::uint32_t symbol) {
  if (!file.semantics.traits().protocol.constructor.empty()) return false;
  const std::uint32_t owner = file.owner_of(symbol);
  return owner != kNoIndex && is_callable(file.facts.symbols[symbol]) &&
         is_type_like(file.facts.symbols[owner]) &&
         file.facts.symbols[owner].name == file.facts.symbols[symbol].name;
}

Entities type_members_for(Resolver& resolver, const Entity& type, std::string_view name,
                          NameUse use) {
  TypeSearch search(resolver, name, use);
  search.search(type, type);
  if (search.meaning.is_found()) return search.meaning.take();
  if (use != NameUse::kValue && type.file->semantics.traits().names_ignore_case) {
    TypeSearch again(resolver, name, use, true);
    again.search(type, type);
    if (again.meaning.is_found()) return again.meaning.take();
  }
  // What every object has.
  if (type.file->semantics.library().has("base_members", name)) search.meaning.add(kExternalEntity);
  return search.meaning.rest();
}

Entities members_for(Resolver& resolver, const Entities& receivers, std::string_view name,
                     NameUse use) {
  const Resolver::RecursionGuard guard(resolver);
  if (guard.over_limit()) return {kUnknownEntity};
  Meaning meaning;
  if (receivers.empty()) meaning.add(kUnknownEntity);
  for (const Entity& receiver : receivers) {
    switch (receiver.kind) {
      case EntityKind::kInstance:
      case EntityKind::kSelf:
        meaning.merge(type_members_for(resolver, receiver, name, use));
        break;
      case EntityKind::kSymbol:
        if (is_type_like(symbol_of(receiver))) {
          meaning.merge(type_members_for(resolver, receiver, name, use));
        } else {
          meaning.add(kUnknownEntity);
        }
        break;
      case EntityKind::kModule:
        for (const Entity& member :
             receiver.file->semantics.exported(resolver, *receiver.file, name)) {
          if (fits_use(symbol_of(member), use)) meaning.add(member);
        }
        if (!meaning.is_found() && use == NameUse::kCallable) {
          meaning.merge(receiver.file->semantics.implied_members(
              resolver, {EntityKind::kModule, receiver.file, kNoIndex}, name));
        }
        break;
      case EntityKind::kTypeParameter: {
        const TermId bound = receiver.file->facts.bindings[receiver.index].term;
        Entities values = bound == kNoIndex ? Entities{kExternalEntity}
                                            : resolver.evaluate(*receiver.file, bound);
        std::erase(values, receiver);
        meaning.merge(members_for(resolver, values, name, use));
        break;
      }
      case EntityKind::kContainer:
        if (container_kind(receiver) == ContainerKind::kClassOf) {
          meaning.merge(members_for(resolver, receiver.environment->arguments[0], name, use));
        } else {
          meaning.add(kExternalEntity);
        }
        break;
      case EntityKind::kExternal:
      case EntityKind::kFunction:
        meaning.add(kExternalEntity);
        break;
      default:
        meaning.add(kUnknownEntity);
    }
  }
  return meaning.take();
}

Entities open_methods(Resolver& resolver, const Entity& instance) {
  if (symbol_of(instance).type != SymbolType::kInterface) return {};
  Entities open = {instance};
  for (std::size_t i = 0; i < open.size() && i < kMaxInterfaces; ++i) {
    const Entity type = open[i];
    const FileModel& file = *type.file;
    Entities found;
    for (std::uint32_t member = type.index + 1; member < file.facts.symbols.size(); ++member) {
      const parse::Symbol& symbol = file.facts.symbols[member];
      if (symbol.range.begin >= file.facts.symbols[type.index].range.end) break;
      if (file.owner_of(member) != type.index || !is_callable(symbol) || !symbol.body.empty() ||
          std::ranges::find(kOfObject, symbol.name) != std::end(kOfObject)) {
        continue;
      }
      found.push_back(
          {EntityKind::kSymbol, &file, member, resolver.member_environment(type, instance)});
    }
    if (!found.empty()) return found;
    for (const Entity& base : resolver.supertypes(type)) {
      if (is_instance(base)) add(open, base);
    }
  }
  return {};
}

}  // namespace codexmem::graph
