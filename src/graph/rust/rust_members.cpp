// Members of Rust's types: fields and variants, members from impl blocks in any file, members of
// implemented traits, and members reached by Deref.
//
// Tested by graph/rust_test.cpp.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/ascii.h"
#include "graph/core/foreign.h"
#include "graph/core/resolver_step.h"
#include "graph/rust/rust_semantics.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;

constexpr std::size_t kMaxImplFiles = 400;  // that are looked at for the blocks of one name
constexpr std::size_t kMaxTraits = 24;      // that declare one name

// A block that gives members to a type.
struct Block {
  const FileModel* file = nullptr;
  const parse::Extension* extension = nullptr;
};

struct RustBlocks : Resolver::Memory {
  std::map<std::string, std::vector<Block>> by_type;   // by the type's last name
  std::map<std::string, std::vector<Block>> by_trait;  // by the trait's
  std::map<std::string, bool> of_traits;               // names: does a trait declare it?
};

bool is_trait(const parse::Symbol& symbol) { return symbol.type == SymbolType::kInterface; }

bool is_rust_library_type(const Entity& value, std::string_view name) {
  return is_instance(value) && value.file->is_library && symbol_of(value).name == name;
}

// Blocks whose type (or trait) has that last name, of the repository and of the library.
const std::vector<Block>& blocks_named(Resolver& resolver, const FileModel& near,
                                       const std::string& name, bool of_trait) {
  RustBlocks& memory = resolver.memory<RustBlocks>();
  auto& known = of_trait ? memory.by_trait : memory.by_type;
  const auto [at, is_new] = known.try_emplace(name);
  if (!is_new) return at->second;
  std::vector<Block> found;
  const auto look = [&](const FileModel& file) {
    const auto id = file.find_name(name);
    if (!id) return;
    for (const parse::Extension& extension : file.facts.extensions) {
      const std::uint32_t occurrence = of_trait ? extension.trait : extension.type;
      if (occurrence == kNoIndex || file.facts.occurrences[occurrence].name != *id) continue;
      found.push_back({&file, &extension});
    }
  };
  std::size_t files = 0;
  for (const store::FileId id : resolver.files_naming(near.family, name)) {
    if (++files > kMaxImplFiles) break;
    if (const FileModel* file = resolver.model(id)) look(*file);
  }
  if (const FileModel* unit = resolver.library(near.semantics, "std")) look(*unit);
  return known[name] = std::move(found);
}

bool is_of(const Entities& types, const Entity& owner) {
  return std::ranges::any_of(types, [&](const Entity& type) {
    return (is_instance(type) || type.kind == EntityKind::kSymbol) && type.file == owner.file &&
           type.index == owner.index;
  });
}

// The environment of what block `extension` declares, for a value of `receiver`'s type.
const Environment* environment_in(Resolver& resolver, const Entities& types, const Entity& owner,
                                  const Entity& receiver) {
  Environment environment;
  if (owner.environment != nullptr) environment.bound = owner.environment->bound;
  for (const Entity& type : types) {
    if (type.kind == EntityKind::kTypeParameter) {
      Entity value = receiver;
      if (value.kind == EntityKind::kSymbol) value.kind = EntityKind::kInstance;
      environment.bound.emplace_back(type, Entities{value});
      continue;
    }
    if (type.environment == nullptr || owner.environment == nullptr) continue;
    for (const auto& [parameter, values] : type.environment->bound) {
      const Entities* given = owner.environment->find(parameter);
      if (given == nullptr || values.size() != 1) continue;
      if (values.front().kind != EntityKind::kTypeParameter) continue;
      if (environment.find(values.front()) == nullptr) {
        environment.bound.emplace_back(values.front(), *given);
      }
    }
  }
  if (is_instance(receiver)) {
    environment.self = {receiver};
  } else if (receiver.kind == EntityKind::kSymbol && is_type_like(symbol_of(receiver))) {
    environment.self = {
        {EntityKind::kInstance, receiver.file, receiver.index, receiver.environment}};
  }
  return resolver.environment(std::move(environment));
}

// Symbols called `name` in a block.
std::vector<std::uint32_t> declared_in(const Block& block, std::string_view name) {
  std::vector<std::uint32_t> found;
  const FileModel& file = *block.file;
  const auto id = file.find_name(name);
  if (!id) return found;
  const ByteRange& range = file.facts.scopes[block.extension->scope].range;
  const auto offset_of = [&](std::uint32_t i) { return file.facts.occurrences[i].offset; };
  const auto named = file.occurrences_of(*id);
  for (auto at = std::ranges::lower_bound(named, range.begin, {}, offset_of); at != named.end();
       ++at) {
    const std::uint32_t offset = offset_of(*at);
    if (offset >= range.end) break;
    const std::uint32_t symbol = file.symbol_named_at(offset);
    if (symbol == kNoIndex) continue;
    const parse::Extension* around = rust_extension_around(file, offset);
    if (around != block.extension) continue;
    // Not symbols declared inside a method.
    const std::uint32_t outer = file.surrounding(symbol);
    if (outer != kNoIndex && file.facts.symbols[outer].range.begin > range.begin) continue;
    found.push_back(symbol);
  }
  return found;
}

Entities trait_of(Resolver& resolver, const Block& block) {
  if (block.extension->trait == kNoIndex) return {};
  Entities traits;
  for (const Entity& entity : Entities(resolver.resolve(*block.file, block.extension->trait))) {
    if (entity.kind == EntityKind::kSymbol && is_trait(symbol_of(entity))) traits.push_back(entity);
  }
  return traits;
}

// The declarations of `name` in a trait, then in its supertraits.
Entities trait_members(Resolver& resolver, const Entity& trait, std::string_view name,
                       const Environment* environment, int depth) {
  Entities found;
  if (const auto id = trait.file->find_name(name)) {
    for (const std::uint32_t member : trait.file->members_of(trait.index, *id)) {
      add(found, {EntityKind::kSymbol, trait.file, member, environment});
    }
  }
  if (!found.empty() || depth > 8) return found;
  for (const Entity& above : resolver.supertypes(trait)) {
    if (!is_instance(above) || !is_trait(symbol_of(above))) continue;
    add_all(found, trait_members(resolver, above, name, environment, depth + 1));
  }
  return found;
}

// The value that Option, Result and the like hold.
Entities held(const Entity& value, std::size_t position = 0) {
  if (value.environment == nullptr || value.environment->bound.size() <= position) {
    return {kUnknownEntity};
  }
  return value.environment->bound[position].second;
}

constexpr std::string_view kPointers[] = {"Box",
                                          "Rc",
                                          "Arc",
                                          "Pin",
                                          "Ref",
                                          "RefMut",
                                          "MutexGuard",
                                          "RwLockReadGuard",
                                          "RwLockWriteGuard",
                                          "Cow",
                                          "ManuallyDrop",
                                          "LazyLock",
                                          "OnceLock"};

// Methods that give a view of all fields.
constexpr std::string_view kViews[] = {"project", "project_ref", "project_replace"};

bool is_pointer(const Entity& value) {
  return is_instance(value) && value.file->is_library &&
         std::ranges::find(kPointers, symbol_of(value).name) != std::end(kPointers);
}

// The value of `*value`; empty when unknown.
Entities pointed_to(Resolver& resolver, const Entity& value) {
  if (is_pointer(value)) return held(value);
  if (!is_instance(value) && value.kind != EntityKind::kSymbol) return {};
  Entity owner = value;
  owner.kind = EntityKind::kInstance;
  for (const Block& block : blocks_named(resolver, *value.file, symbol_of(value).name, false)) {
    if (block.extension->trait == kNoIndex) continue;
    const std::string& trait =
        block.file->name(block.file->facts.occurrences[block.extension->trait].name);
    if (trait != "Deref") continue;
    const Entities types = resolver.evaluate(*block.file, block.extension->type_term);
    if (!is_of(types, value)) continue;
    for (const std::uint32_t target : declared_in(block, "Target")) {
      return resolver.substitute(
          resolver.evaluate(*block.file, block.file->facts.symbols[target].term),
          environment_in(resolver, types, owner, owner));
    }
  }
  return {};
}

Entities library_instance(Resolver& resolver, const LanguageSemantics& semantics,
                          std::string_view name, Entities argument) {
  for (const Entity& type : rust_library_name(resolver, semantics, name)) {
    if (type.kind != EntityKind::kSymbol) continue;
    const std::vector<Entity> parameters = resolver.type_parameters(type);
    Environment environment;
    if (!parameters.empty()) environment.bound.emplace_back(parameters[0], std::move(argument));
    return {{EntityKind::kInstance, type.file, type.index,
             resolver.environment(std::move(environment))}};
  }
  return {};
}

// What derives give under `name`, or the library gives all types: Clone, Default, From.
Entities derived_members(Resolver& resolver, const LanguageSemantics& semantics,
                         std::string_view name, const Environment* environment) {
  Entities found;
  for (const Entity& trait : rust_library_name(resolver, semantics, "Derived")) {
    add_all(found, trait_members(resolver, trait, name, environment, 0));
  }
  return found;
}

bool is_marked(Resolver& resolver, const Entity& type, store::Modifier modifier) {
  const store::SymbolRow* row = resolver.row_of(*type.file, type.index);
  return row != nullptr && row->is(modifier);
}

bool is_identified(const Entities& entities) {
  return std::ranges::any_of(entities, [](const Entity& entity) {
    return entity.kind != EntityKind::kUnknown && entity.kind != EntityKind::kExternal;
  });
}

}  // namespace

std::optional<Entities> RustSemantics::members_of(Resolver& resolver, const Entity& owner,
                                                  std::string_view name,
                                                  const Entity& receiver) const {
  const FileModel& file = *owner.file;
  const parse::Symbol& type = file.facts.symbols[owner.index];
  if (rust_is_module(file, owner.index)) return std::nullopt;
  if (!is_type_like(type) && !rust_is_variant(file, owner.index)) return std::nullopt;
  const bool is_alias = type.type == SymbolType::kType && type.term != kNoIndex;
  if (is_alias) {
    const Entities values =
        resolver.substitute(resolver.evaluate(file, type.term), owner.environment);
    return resolver.members(values, name);
  }
  // A pinned value also has methods that take Pin<&mut Self>.
  if (is_rust_library_type(receiver, "Pin")) {
    Entities of_pinned = resolver.members(held(receiver), name);
    std::erase_if(of_pinned, [](const Entity& e) { return !is_known(e); });
    if (!of_pinned.empty()) return of_pinned;
  }
  Entities found;
  bool has_unknown = false;
  const auto take = [&](const Entities& from) {
    for (const Entity& entity : from) {
      if (entity.kind == EntityKind::kSymbol || entity.kind == EntityKind::kModule) {
        add(found, entity);
      } else if (entity.kind == EntityKind::kUnknown) {
        has_unknown = true;
      }
    }
  };
  // Fields, variants, declarations of a trait.
  if (const auto id = file.find_name(name)) {
    const Environment* environment = environment_in(resolver, {}, owner, receiver);
    for (const std::uint32_t member : file.members_of(owner.index, *id)) {
      const parse::Symbol& symbol = file.facts.symbols[member];
      const bool is_in_block = symbol.type != SymbolType::kProperty && !is_trait(type);
      if (is_in_block) continue;
      add(found, {EntityKind::kSymbol, &file, member, environment});
    }
  }
  if (!is_type_like(type)) return found;
  if (is_trait(type)) {
    if (found.empty()) {
      take(trait_members(resolver, owner, name, environment_in(resolver, {}, owner, receiver), 0));
    }
    if (!found.empty()) return found;
  }
  // Blocks that name the type: inherent ones first.
  Entities of_traits;
  std::vector<Block> with_traits;
  for (const Block& block : blocks_named(resolver, file, type.name, false)) {
    const bool has_trait = block.extension->trait != kNoIndex;
    const auto symbols = declared_in(block, name);
    if (symbols.empty() && !has_trait) continue;
    const Entities types = resolver.evaluate(*block.file, block.extension->type_term);
    if (!is_of(types, owner)) continue;
    if (has_trait && symbols.empty()) {
      with_traits.push_back(block);
      continue;
    }
    const Environment* environment = environment_in(resolver, types, owner, receiver);
    for (const std::uint32_t symbol : symbols) {
      add(has_trait ? of_traits : found, {EntityKind::kSymbol, block.file, symbol, environment});
    }
  }
  const bool has_own = std::ranges::any_of(
      found, [](const Entity& entity) { return is_callable(symbol_of(entity)); });
  if (!has_own) add_all(found, of_traits);
  if (!found.empty()) return found;
  // What the traits of these blocks have that the blocks do not.
  for (const Block& block : with_traits) {
    for (const Entity& trait : trait_of(resolver, block)) {
      const Entities types = resolver.evaluate(*block.file, block.extension->type_term);
      if (trait.file->is_library && symbol_of(trait).name == "Iterator") {
        for (const std::uint32_t item : declared_in(block, "Item")) {
          const Entities element = resolver.substitute(
              resolver.evaluate(*block.file, block.file->facts.symbols[item].term),
              environment_in(resolver, types, owner, receiver));
          take(resolver.members(library_instance(resolver, *this, "Iter", element), name));
        }
        continue;
      }
      take(trait_members(resolver, trait, name, environment_in(resolver, types, owner, receiver),
                         0));
    }
  }
  if (!found.empty()) return found;
  // Traits that are implemented for all types, or for one that has no name.
  std::size_t traits = 0;
  for (const Entity& member : resolver.list_symbols(file.family, name)) {
    const std::uint32_t trait = member.file->owner_of(member.index);
    if (trait == kNoIndex || !is_trait(member.file->facts.symbols[trait])) continue;
    if (++traits > kMaxTraits) break;
    for (const Block& block :
         blocks_named(resolver, file, member.file->facts.symbols[trait].name, true)) {
      const Entities types = resolver.evaluate(*block.file, block.extension->type_term);
      const bool is_for_all = has_kind(types, EntityKind::kTypeParameter);
      if (!is_for_all && !is_of(types, owner)) continue;
      const Entities implemented = trait_of(resolver, block);
      if (!is_of(implemented, {EntityKind::kSymbol, member.file, trait})) continue;
      const Environment* environment = environment_in(resolver, types, owner, receiver);
      const auto symbols = is_for_all ? std::vector<std::uint32_t>() : declared_in(block, name);
      for (const std::uint32_t symbol : symbols) {
        add(found, {EntityKind::kSymbol, block.file, symbol, environment});
      }
      if (symbols.empty()) {
        add(found, {EntityKind::kSymbol, member.file, member.index, environment});
      }
    }
  }
  if (!found.empty()) return found;
  const Environment* own = environment_in(resolver, {}, owner, receiver);
  const Entities derived =
      is_trait(type) ? Entities() : derived_members(resolver, *this, name, own);
  if (!derived.empty() && is_marked(resolver, owner, store::Modifier::kDerived)) {
    return derived;
  }
  for (const Entity& target : pointed_to(resolver, receiver)) {
    if (target == receiver) continue;
    const Entities members = resolver.members({target}, name);
    take(members);
  }
  if (!found.empty()) return found;
  if (!derived.empty()) return derived;
  // pin_project! and the like give types a view of their fields.
  const bool is_view = std::ranges::find(kViews, name) != std::end(kViews);
  if (is_view && !file.is_library && type.type != SymbolType::kInterface) {
    return Entities{{EntityKind::kInstance, owner.file, owner.index, owner.environment}};
  }
  if (has_unknown) return Entities{kUnknownEntity};
  if (file.is_library) {
    return Entities{rust_traits_declare(resolver, file, name) ? kForeignEntity : kExternalEntity};
  }
  // A function that a derive, an attribute or a trait of another crate adds makes a value of the
  // type, most likely.
  const bool is_path = receiver.kind == EntityKind::kSymbol && !is_trait(type);
  const auto is_foreign = [&](const Block& block) { return trait_of(resolver, block).empty(); };
  if (is_path && is_lower(name.front()) &&
      (std::ranges::any_of(with_traits, is_foreign) ||
       is_marked(resolver, owner, store::Modifier::kAttributed))) {
    return Entities{kForeignEntity,
                    {EntityKind::kInstance, owner.file, owner.index, owner.environment}};
  }
  return Entities{kForeignEntity};
}

bool rust_traits_declare(Resolver& resolver, const FileModel& near, std::string_view name) {
  const auto [at, is_new] =
      resolver.memory<RustBlocks>().of_traits.try_emplace(std::string(name), false);
  if (!is_new) return at->second;
  const auto is_of_trait = [](const Entity& member) {
    const std::uint32_t owner = member.file->owner_of(member.index);
    return owner != kNoIndex && is_trait(member.file->facts.symbols[owner]);
  };
  return at->second = std::ranges::any_of(resolver.list_symbols(near.family, name), is_of_trait);
}

// A(x), Some(x): a value of the type, with type parameters taken from the arguments.
std::optional<Entities> RustSemantics::called(Resolver& resolver, const FileModel& file,
                                              const Entity& callee,
                                              std::span<const parse::TermId> arguments) const {
  // A foreign callee has a foreign result: it may be built from its arguments.
  if (callee.kind == EntityKind::kExternal || callee == kForeignEntity) {
    return Entities{kForeignEntity};
  }
  if (is_instance(callee) && is_type_like(symbol_of(callee)) &&
      symbol_of(callee).type != SymbolType::kInterface) {
    return Entities{callee};
  }
  if (callee.kind != EntityKind::kSymbol) return std::nullopt;
  const parse::Symbol& symbol = symbol_of(callee);
  const bool is_variant = rust_is_variant(*callee.file, callee.index);
  if (!is_variant && symbol.type != SymbolType::kClass) return std::nullopt;
  const std::uint32_t owner = is_variant ? callee.file->owner_of(callee.index) : callee.index;
  if (owner == kNoIndex) return std::nullopt;
  Environment environment;
  if (callee.environment != nullptr) environment.bound = callee.environment->bound;
  const auto& terms = callee.file->facts.terms;
  if (symbol.term != kNoIndex && terms[symbol.term].kind == parse::TermKind::kTuple) {
    const auto parts = callee.file->parts_of(terms[symbol.term]);
    for (std::size_t i = 0; i < parts.size() && i < arguments.size(); ++i) {
      for (const Entity& wanted : Entities(resolver.evaluate(*callee.file, parts[i]))) {
        if (wanted.kind != EntityKind::kTypeParameter) continue;
        std::erase_if(environment.bound, [&](const auto& entry) { return entry.first == wanted; });
        environment.bound.emplace_back(wanted, resolver.evaluate(file, arguments[i]));
      }
    }
  }
  // In the order of the type's parameters.
  Environment ordered;
  for (const Entity& parameter :
       resolver.type_parameters({EntityKind::kSymbol, callee.file, owner})) {
    const Entities* given = environment.find(parameter);
    ordered.bound.emplace_back(parameter, given == nullptr ? Entities{kUnknownEntity} : *given);
  }
  return Entities{
      {EntityKind::kInstance, callee.file, owner, resolver.environment(std::move(ordered))}};
}

std::optional<Entities> RustSemantics::iterated(Resolver& resolver, const Entity& value) const {
  if (!is_instance(value)) return std::nullopt;
  if (is_rust_library_type(value, "Iter") || is_rust_library_type(value, "Iterator") ||
      is_rust_library_type(value, "IntoIterator") || is_rust_library_type(value, "Option")) {
    return held(value);
  }
  for (const std::string_view method : {"into_iter", "next", "iter"}) {
    const Entities methods = resolver.members({value}, method);
    if (!is_identified(methods)) continue;
    Entities found;
    for (const Entity& given : resolver.call_results(methods)) {
      if (is_rust_library_type(given, "Iter") || is_rust_library_type(given, "Option")) {
        add_all(found, held(given));
      } else if (is_instance(given) && method != "next") {
        const Entities next = resolver.members({given}, "next");
        for (const Entity& item : resolver.call_results(next)) {
          if (is_rust_library_type(item, "Option")) add_all(found, held(item));
        }
      }
    }
    if (!found.empty()) return found;
  }
  return Entities{kUnknownEntity};
}

std::optional<Entities> RustSemantics::awaited(Resolver& resolver, const Entity& value) const {
  if (is_rust_library_type(value, "Future")) return held(value);
  if (is_rust_library_type(value, "Pin") || is_rust_library_type(value, "Box")) {
    Entities found;
    for (const Entity& inner : held(value)) {
      if (!is_instance(inner)) return Entities{kUnknownEntity};
      add_all(found, awaited(resolver, inner).value_or(Entities{inner}));
    }
    return found;
  }
  if (value.file->is_library) return std::nullopt;
  const Entities outputs = resolver.members({value}, "Output");
  if (!is_identified(outputs)) return std::nullopt;
  Entities found;
  for (const Entity& output : outputs) {
    if (output.kind != EntityKind::kSymbol || symbol_of(output).term == kNoIndex) continue;
    add_all(found, resolver.substitute(resolver.evaluate(*output.file, symbol_of(output).term),
                                       output.environment));
  }
  return found.empty() ? std::nullopt : std::optional(found);
}

// "" is the value that `?` unwraps, "*" a dereference; for other operators the left side decides.
std::optional<Entities> RustSemantics::operated(Resolver& resolver, const FileModel&,
                                                std::string_view sign, const Entities& left,
                                                const Entities& right) const {
  if (!right.empty()) return left;
  Entities found;
  for (const Entity& value : left) {
    if (sign.empty()) {
      const bool holds = is_rust_library_type(value, "Option") ||
                         is_rust_library_type(value, "Result") ||
                         is_rust_library_type(value, "Poll");
      const bool is_guess = is_instance(value) && may_be_foreign(left);
      const bool is_foreign = value.kind == EntityKind::kExternal;
      add_all(found, holds        ? held(value)
                     : is_guess   ? Entities{value}
                     : is_foreign ? Entities{kForeignEntity}
                                  : Entities{unknown_as(value)});
      continue;
    }
    const Entities target = sign == "*" ? pointed_to(resolver, value) : Entities();
    add_all(found, target.empty() ? Entities{value} : target);
  }
  return found;
}

// What a method or type in a block implements.
std::vector<Implied> RustSemantics::implied_above(Resolver& resolver, const FileModel& file,
                                                  std::uint32_t symbol) const {
  std::vector<Implied> found;
  const parse::Symbol& at = file.facts.symbols[symbol];
  if (is_type_like(at) && !is_trait(at)) {
    for (const Block& block : blocks_named(resolver, file, at.name, false)) {
      if (block.extension->trait == kNoIndex) continue;
      const Entities types = resolver.evaluate(*block.file, block.extension->type_term);
      if (!is_of(types, {EntityKind::kSymbol, &file, symbol})) continue;
      for (const Entity& trait : trait_of(resolver, block)) {
        if (!trait.file->is_library) found.push_back({trait.file, trait.index});
      }
    }
    return found;
  }
  const parse::Extension* around = rust_extension_around(file, at.name_range.begin);
  if (around == nullptr) return found;
  for (const Entity& trait : trait_of(resolver, {&file, around})) {
    if (trait.file->is_library) continue;
    for (const Entity& member : trait_members(resolver, trait, at.name, nullptr, 0)) {
      found.push_back({member.file, member.index});
    }
  }
  return found;
}

// A trait of the library or of a package names what its implementations have.
std::string RustSemantics::tied_outside(Resolver& resolver, const FileModel& file,
                                        std::uint32_t symbol) const {
  const parse::Symbol& at = file.facts.symbols[symbol];
  const parse::Extension* around = rust_extension_around(file, at.name_range.begin);
  if (around == nullptr || around->trait == kNoIndex) return {};
  const bool is_ours =
      std::ranges::any_of(trait_of(resolver, {&file, around}),
                          [](const Entity& trait) { return !trait.file->is_library; });
  if (is_ours) return {};
  return fmt::format("{}, a trait that the repository does not define, has this name",
                     file.name(file.facts.occurrences[around->trait].name));
}

// What implements a trait, and what blocks have for its method.
std::vector<Implied> RustSemantics::implied_below(Resolver& resolver, const FileModel& file,
                                                  std::uint32_t symbol) const {
  std::vector<Implied> found;
  const parse::Symbol& at = file.facts.symbols[symbol];
  const std::uint32_t trait = is_trait(at) ? symbol : file.owner_of(symbol);
  if (trait == kNoIndex || !is_trait(file.facts.symbols[trait])) return found;
  for (const Block& block : blocks_named(resolver, file, file.facts.symbols[trait].name, true)) {
    if (!is_of(trait_of(resolver, block), {EntityKind::kSymbol, &file, trait})) continue;
    if (trait != symbol) {
      for (const std::uint32_t member : declared_in(block, at.name)) {
        found.push_back({block.file, member});
      }
      continue;
    }
    const Entities types = resolver.evaluate(*block.file, block.extension->type_term);
    for (const Entity& type : types) {
      const auto is_same = [&](const Implied& known) {
        return known.file == type.file && known.symbol == type.index;
      };
      if (!is_instance(type) || !is_known(type) || std::ranges::any_of(found, is_same)) continue;
      found.push_back({type.file, type.index});
    }
  }
  return found;
}

}  // namespace codexmem::graph
