// Bare names and members of Kotlin.
//
// A bare name is looked for from the inside out: locals, then the members of `this` of each lambda,
// extension function and class; then imports by name, the package, star imports, the language's own
// packages, with extensions of any `this`. A call means functions, then classes, then values that
// may be called. A candidate that does not take the arguments is skipped if one further out does.
// Tested by graph/kotlin_test.cpp.
#include <algorithm>
#include <span>

#include "graph/core/resolver_step.h"
#include "graph/jvm/jvm_packages.h"
#include "graph/kotlin/kotlin_scopes.h"
#include "graph/kotlin/kotlin_semantics.h"
#include "graph/nominal/overloads.h"

namespace codexmem::graph {
namespace {

using parse::BindingKind;
using parse::kNoIndex;
using parse::ReceiverKind;
using parse::Role;
using parse::ScopeKind;

constexpr NameUse kCalledUses[] = {NameUse::kCallable, NameUse::kType, NameUse::kValue};
constexpr NameUse kTypedUses[] = {NameUse::kType};
constexpr NameUse kReadUses[] = {NameUse::kValue, NameUse::kType};
constexpr NameUse kWrittenUses[] = {NameUse::kValue};
constexpr NameUse kAnyUses[] = {NameUse::kType, NameUse::kValue, NameUse::kCallable};

constexpr NameOrders kKotlinOrders = {.call = kCalledUses,
                                      .type = kTypedUses,
                                      .read = kReadUses,
                                      .write = kWrittenUses,
                                      .import = kAnyUses};

std::span<const NameUse> kotlin_uses(const FileModel& file, const parse::Occurrence& occurrence) {
  return file.is_documentation(occurrence.offset) ? std::span<const NameUse>(kAnyUses)
                                                  : uses_of(kKotlinOrders, occurrence.role);
}

Entities of_use(const Entities& entities, NameUse use) {
  Entities found;
  for (const Entity& entity : entities) {
    if (entity.kind == EntityKind::kSymbol && fits_use(symbol_of(entity), use)) add(found, entity);
  }
  return found;
}

Entities known_extensions(const Entities& candidates) {
  Entities found;
  for (const Entity& candidate : candidates) {
    if (is_extension(candidate) && is_known(candidate)) add(found, candidate);
  }
  return found;
}

// One question: what the name at an occurrence means.
class KotlinSearch {
 public:
  KotlinSearch(Resolver& resolver, const FileModel& file, std::uint32_t index)
      : resolver_(resolver),
        file_(file),
        index_(index),
        occurrence_(file.facts.occurrences[index]),
        name_(file.name(occurrence_.name)),
        uses_(kotlin_uses(file, occurrence_)),
        is_call_(occurrence_.role == Role::kCall) {}

  Entities bare();
  Entities dotted();
  Entities label();

 private:
  // Keeps the candidates of a level if they take the arguments; else they are the fallback when no
  // level does.
  bool take(Entities found, NameUse use) {
    std::erase_if(found, [](const Entity& entity) { return !is_resolved(entity); });
    if (found.empty()) return false;
    if (is_call_ && use == NameUse::kCallable) {
      const auto arguments = arguments_at(file_, index_);
      const bool takes = !arguments || std::ranges::any_of(found, [&](const Entity& entity) {
        return takes_so_many(entity, *arguments);
      });
      if (!takes) {
        if (rest_.empty()) rest_ = std::move(found);
        return false;
      }
      result_ = fitting_call(resolver_, file_, index_, found);
      return true;
    }
    if (is_call_ && use == NameUse::kValue && !may_be_called(found)) {
      if (uncalled_.empty()) uncalled_ = std::move(found);  // A::b { }
      return false;
    }
    result_ = std::move(found);
    return true;
  }

  // True for fields that only Java sees: what Kotlin means by the name is a getter, if there is
  // one.
  static bool are_hidden_fields(const Entities& members) {
    return !members.empty() && std::ranges::all_of(members, [](const Entity& entity) {
      return entity.kind == EntityKind::kSymbol && entity.file->language == "java" &&
             symbol_of(entity).type == SymbolType::kProperty && !symbol_of(entity).exported;
    });
  }

  // False for values that are known not to be functions, or not to take the arguments.
  bool may_be_called(const Entities& found) {
    for (const Entity& value : resolver_.values_of(found)) {
      if (value.kind == EntityKind::kFunction) {
        if (may_take_call(resolver_, file_, index_, value)) return true;
        continue;
      }
      if (!is_instance(value) || value.file->language == "java") return true;
      if (!plain_members(resolver_, {value}, "invoke", NameUse::kCallable).empty()) return true;
      const Entities invoke = package_members(resolver_, file_.facts.package, "invoke", &file_);
      if (!fitting_extensions(resolver_, file_, invoke, {value}).empty()) return true;
    }
    return false;
  }

  bool in_scope(std::uint32_t scope) {
    Entities found[3];
    for (const std::uint32_t index : file_.bindings_in(scope, occurrence_.name)) {
      const parse::Binding& binding = file_.facts.bindings[index];
      switch (binding.kind) {
        case BindingKind::kParameter:
        case BindingKind::kLocal:
          // (What a primary constructor takes is not seen by functions.)
          // (Nor is a variable by its own value: val a = a().)
          if (std::max(binding.offset, binding.seen_from) > occurrence_.offset ||
              file_.facts.scopes[scope].kind == ScopeKind::kTypeParameters) {
            break;
          }
          found[0] = {{EntityKind::kLocal, &file_, index}};
          break;
        case BindingKind::kTypeParameter:
          found[1] = {{EntityKind::kLocal, &file_, index}};
          break;
        case BindingKind::kSymbol: {
          const Entity symbol{EntityKind::kSymbol, &file_, binding.target};
          if (is_extension(symbol)) break;
          if (is_callable(symbol_of(symbol))) add(found[2], symbol);
          if (is_type_like(symbol_of(symbol))) add(found[1], symbol);
          break;
        }
        default:
          break;
      }
    }
    for (const NameUse use : uses_) {
      Entities& of = found[use == NameUse::kValue ? 0 : use == NameUse::kType ? 1 : 2];
      if (!of.empty() && take(std::move(of), use)) return true;
    }
    return false;
  }

  bool in_members(std::uint32_t owner) {
    Entities members;
    for (const std::uint32_t member : file_.members_of(owner, occurrence_.name)) {
      add(members, {EntityKind::kSymbol, &file_, member});
    }
    for (const NameUse use : uses_) {
      if (take(of_use(members, use), use)) return true;
    }
    return false;
  }

  bool in_values(const Entities& values) {
    for (const NameUse use : uses_) {
      Entities members = plain_members(resolver_, values, name_, use);
      if (are_hidden_fields(members) && take(accessors(values), NameUse::kValue)) return true;
      if (take(members, use)) return true;
      if (!members.empty() && !any_leads(members)) may_be_foreign_ = true;
      if (use == NameUse::kValue && take(accessors(values), NameUse::kValue)) return true;
    }
    return false;
  }

  // x.name, where Java has getName().
  Entities accessors(const Entities& values) {
    Entities found;
    for (const std::string_view prefix : {"get", "is"}) {
      const std::string accessor = accessor_of(prefix, name_);
      for (const Entity& method : members_for(resolver_, values, accessor, NameUse::kCallable)) {
        if (method.kind == EntityKind::kSymbol && method.file->language == "java" &&
            takes_so_many(method, 0)) {
          add(found, method);
        }
      }
      if (!found.empty()) break;
    }
    return found;
  }

  bool at_top() {
    bool is_foreign = false;
    const std::vector<Entities> levels = top_levels(resolver_, file_, name_, &is_foreign);
    for (const Entities& level : levels) {
      for (const NameUse use : uses_) {
        Entities found;
        Entities extensions;
        for (const Entity& entity : of_use(level, use)) {
          (is_extension(entity) ? extensions : found).push_back(entity);
        }
        if (use == NameUse::kValue) {
          for (const Entity& entity : level) {
            if (entity.kind != EntityKind::kSymbol) add(found, entity);
          }
        }
        // Extensions of `this` take precedence over plain functions.
        for (const Entities& receiver : receivers_) {
          Entities fitting = fitting_extensions(resolver_, file_, extensions, receiver);
          if (!fitting.empty() && take(std::move(fitting), use)) return true;
        }
        if (!found.empty() && take(found, use)) {
          if (use == NameUse::kCallable) add_classes(level);
          return true;
        }
        if (occurrence_.role == Role::kRead && use == NameUse::kCallable && take(extensions, use)) {
          return true;  // ::name
        }
      }
    }
    may_be_foreign_ = may_be_foreign_ || is_foreign;
    return false;
  }

  // fun A(b: B) = A(b.c): a call may make an object of a class with the name of the functions.
  void add_classes(const Entities& level) {
    const auto arguments = arguments_at(file_, index_);
    if (!is_call_ || !arguments) return;
    Entities candidates = result_;
    for (const Entity& type : of_use(level, NameUse::kType)) {
      if (!is_class(type)) continue;
      Entities makers = members_for(
          resolver_, {type}, file_.semantics.traits().protocol.constructor, NameUse::kCallable);
      if (symbol_of(type).term != kNoIndex) makers.push_back(type);  // the one written with it
      const bool may_make = std::ranges::any_of(makers, [&](const Entity& maker) {
        return maker.kind == EntityKind::kSymbol && takes_so_many(maker, *arguments);
      });
      if (may_make) add(candidates, type);
    }
    if (candidates.size() == result_.size()) return;
    result_ = fitting_call(resolver_, file_, index_, candidates);
    if (result_.size() > 1) add(result_, kForeignEntity);
  }

  // Extensions that members of `this` are, called on another `this`.
  bool by_member_extensions() {
    for (const Entities& owner : receivers_) {
      for (const NameUse use : uses_) {
        if (use == NameUse::kType) continue;
        const Entities members = members_for(resolver_, owner, name_, use);
        for (const Entities& receiver : receivers_) {
          Entities fitting = fitting_extensions(resolver_, file_, members, receiver);
          if (!fitting.empty() && take(std::move(fitting), use)) return true;
        }
      }
    }
    return false;
  }

  bool is_in_constructor_of(std::uint32_t symbol, std::uint32_t member) const {
    const parse::Symbol& type = file_.facts.symbols[symbol];
    const parse::Symbol& at = file_.facts.symbols[member];
    return at.range.begin < (type.body.empty() ? type.range.end : type.body.begin) &&
           !is_callable(at) && !is_type_like(at);
  }

  // The parameters of a primary constructor, where the code runs when an instance is made.
  bool in_constructor(std::uint32_t scope, std::uint32_t type) {
    if (!is_value_wanted()) return false;
    for (const std::uint32_t index : file_.bindings_in(scope, occurrence_.name)) {
      if (file_.facts.bindings[index].kind != BindingKind::kParameter) continue;
      return take({{EntityKind::kLocal, &file_, index}}, NameUse::kValue);
    }
    for (const std::uint32_t member : file_.members_of(type, occurrence_.name)) {
      if (is_in_constructor_of(type, member)) {
        return take({{EntityKind::kSymbol, &file_, member}}, NameUse::kValue);
      }
    }
    return false;
  }

  bool is_value_wanted() const { return std::ranges::find(uses_, NameUse::kValue) != uses_.end(); }

  // True if a scope is of a function or an accessor, which runs later.
  bool runs_later(const parse::Scope& scope) const {
    if (scope.kind != ScopeKind::kFunction || scope.symbol == kNoIndex) return false;
    if (is_callable(file_.facts.symbols[scope.symbol])) return true;
    // (A lambda that a property holds begins as its receiver's binding does.)
    const auto name = file_.find_name("this");
    return !name ||
           file_.bindings_in(static_cast<std::uint32_t>(&scope - file_.facts.scopes.data()), *name)
               .empty();
  }

  // The function `copy` that a data class has: it takes what the class does, and makes another.
  Entities copied(const Entities& values) const {
    Entities classes;
    if (!is_call_ || name_ != "copy") return classes;
    for (const Entity& value : values) {
      if (!is_instance(value)) continue;
      const store::SymbolRow* row = resolver_.row_of(*value.file, value.index);
      if (row == nullptr || !row->is(store::Modifier::kData)) continue;
      add(classes, {EntityKind::kSymbol, value.file, value.index, value.environment});
    }
    return classes;
  }

  Entities found_or_rest(Entities otherwise) {
    if (!rest_.empty()) return fitting_call(resolver_, file_, index_, rest_);
    return uncalled_.empty() ? otherwise : uncalled_;
  }

  bool in_locals();
  Entities of_package(std::string_view path);
  bool by_extensions(const Entities& before);

  Resolver& resolver_;
  const FileModel& file_;
  const std::uint32_t index_;
  const parse::Occurrence& occurrence_;
  const std::string& name_;
  const std::span<const NameUse> uses_;
  const bool is_call_;
  std::vector<Entities> receivers_;
  Entities result_;
  Entities rest_;
  Entities uncalled_;
  bool may_be_foreign_ = false;
};

Entities KotlinSearch::bare() {
  if (occurrence_.role == Role::kImport) {
    Entities type = package_type(resolver_, "", name_, &file_);
    if (!type.empty()) return type;
    return {resolver_.folder_entity(name_, file_.semantics)};
  }
  if (in_locals()) return result_;
  const auto this_name = file_.find_name("this");
  for (std::uint32_t scope = file_.scope_at(occurrence_.offset); scope != 0 && scope != kNoIndex;
       scope = file_.facts.scopes[scope].parent) {
    const parse::Scope& at = file_.facts.scopes[scope];
    if (at.kind == ScopeKind::kClass) {
      if (at.symbol == kNoIndex) continue;  // of a companion: of its class
      std::uint32_t owner = at.symbol;
      Entities self = {{EntityKind::kInstance, &file_, owner}};
      if (!is_type_like(file_.facts.symbols[owner])) {
        // The body of a constant.
        if (in_members(owner)) return result_;
        owner = file_.owner_of(owner);
        if (owner == kNoIndex) continue;
        self = {{EntityKind::kInstance, &file_, owner}};
      }
      if (in_values(self)) return result_;
      receivers_.push_back(std::move(self));
      continue;
    }
    if (!this_name) continue;
    for (const std::uint32_t index : file_.bindings_in(scope, *this_name)) {
      Entities values = resolver_.evaluate(file_, file_.facts.bindings[index].term);
      if (has_kind(values, EntityKind::kUnknown)) may_be_foreign_ = true;
      std::erase_if(values, [](const Entity& value) {
        return value.kind == EntityKind::kExternal || value.kind == EntityKind::kUnknown;
      });
      if (values.empty()) continue;
      values = seen_by_kotlin(resolver_, file_, values);
      if (in_values(values)) return result_;
      receivers_.push_back(std::move(values));
    }
  }
  if (by_member_extensions()) return result_;
  if (at_top()) return result_;
  for (const Entities& receiver : receivers_) {
    if (Entities classes = copied(receiver); !classes.empty()) return classes;
  }
  if (!rest_.empty() || !uncalled_.empty()) return found_or_rest({});
  if (name_ == "field" || name_ == "it") return {kUnknownEntity};
  const bool may_lead = occurrence_.role == Role::kRead || occurrence_.role == Role::kType;
  if (may_lead && begins_lower(name_) && !may_be_foreign_) {
    return {resolver_.folder_entity(name_, file_.semantics)};
  }
  if (occurrence_.role == Role::kType || occurrence_.role == Role::kInherit || may_be_foreign_) {
    return {kExternalEntity};
  }
  return {kUnknownEntity};
}

// Locals, functions and classes of functions, and what a primary constructor takes.
bool KotlinSearch::in_locals() {
  bool is_later = false;
  for (std::uint32_t scope = file_.scope_at(occurrence_.offset); scope != 0 && scope != kNoIndex;
       scope = file_.facts.scopes[scope].parent) {
    const parse::Scope& at = file_.facts.scopes[scope];
    if (at.kind == ScopeKind::kClass) {
      const std::uint32_t outer = at.parent;
      if (at.symbol != kNoIndex && !is_later && outer != kNoIndex &&
          file_.facts.scopes[outer].kind == ScopeKind::kTypeParameters &&
          in_constructor(outer, at.symbol)) {
        return true;
      }
      is_later = false;
      continue;
    }
    is_later = is_later || runs_later(at);
    const bool is_header = at.kind == ScopeKind::kTypeParameters && at.symbol != kNoIndex;
    if (is_header && !is_later && in_constructor(scope, at.symbol)) return true;
    if (in_scope(scope)) return true;
  }
  return false;
}

bool KotlinSearch::by_extensions(const Entities& before) {
  // Functions and properties of the scopes around, then members of each `this`, then those that
  // are imported.
  const bool is_identified = any_leads(before);
  for (std::uint32_t scope = file_.scope_at(occurrence_.offset); scope != 0 && scope != kNoIndex;
       scope = file_.facts.scopes[scope].parent) {
    if (file_.facts.scopes[scope].kind == ScopeKind::kClass) continue;
    Entities local;
    for (const std::uint32_t index : file_.bindings_in(scope, occurrence_.name)) {
      const parse::Binding& binding = file_.facts.bindings[index];
      if (binding.kind != BindingKind::kSymbol) continue;
      add(local, {EntityKind::kSymbol, &file_, binding.target});
    }
    if (!local.empty() &&
        take(fitting_extensions(resolver_, file_, local, before), NameUse::kCallable)) {
      return true;
    }
  }
  for (const Entities& owner : receivers_at(resolver_, file_, occurrence_.offset)) {
    for (const NameUse use : {NameUse::kCallable, NameUse::kValue}) {
      const Entities members = members_for(resolver_, owner, name_, use);
      if (!has_kind(members, EntityKind::kSymbol)) continue;
      if (take(fitting_extensions(resolver_, file_, members, before), use)) return true;
      if (!is_identified && take(known_extensions(members), use)) return true;
    }
  }
  bool is_foreign = false;
  for (const Entities& level : top_levels(resolver_, file_, name_, &is_foreign)) {
    for (const NameUse use : {NameUse::kCallable, NameUse::kValue}) {
      if (is_call_ != (use == NameUse::kCallable) && use == NameUse::kCallable &&
          occurrence_.role == Role::kWrite) {
        continue;
      }
      const Entities candidates = of_use(level, use);
      if (take(fitting_extensions(resolver_, file_, candidates, before), use)) return true;
      if (is_identified) continue;
      // For an unknown receiver only the import decides.
      if (take(known_extensions(candidates), use)) return true;
    }
  }
  return false;
}

Entities KotlinSearch::of_package(std::string_view path) {
  Entities level = package_type(resolver_, path, name_, &file_);
  add_all(level, package_members(resolver_, path, name_, &file_));
  if (occurrence_.role == Role::kImport && !level.empty()) return level;
  for (const NameUse use : uses_) {
    if (take(of_use(level, use), use)) return result_;
  }
  if (occurrence_.role == Role::kImport || (begins_lower(name_) && !is_call_)) {
    return {resolver_.folder_entity(std::string(path) + "." + name_, file_.semantics)};
  }
  return {kExternalEntity};
}

Entities KotlinSearch::dotted() {
  Entities before;
  if (occurrence_.receiver_kind == ReceiverKind::kThis) {
    const auto receivers = receivers_at(resolver_, file_, occurrence_.offset);
    if (!receivers.empty()) before = receivers.front();
  } else {
    before = resolver_.receivers(file_, index_);
  }
  if (before.empty()) return {kUnknownEntity};
  for (const Entity& receiver : before) {
    if (receiver.kind == EntityKind::kFolder) {
      return of_package(std::string(resolver_.folder(receiver.index)));
    }
  }
  before = seen_by_kotlin(resolver_, file_, before);
  if (occurrence_.role == Role::kImport) {
    Entities all;
    for (const NameUse use : kAnyUses) {
      for (const Entity& member : plain_members(resolver_, before, name_, use)) {
        if (is_resolved(member)) add(all, member);
      }
      for (const Entity& member : members_for(resolver_, before, name_, use)) {
        if (is_resolved(member)) add(all, member);
      }
    }
    return all.empty() ? Entities{kExternalEntity} : all;
  }
  Entities unfound;
  for (const NameUse use : uses_) {
    Entities members = plain_members(resolver_, before, name_, use);
    if (are_hidden_fields(members) && take(accessors(before), NameUse::kValue)) return result_;
    if (take(members, use)) return result_;
    if (!any_leads(members) && (unfound.empty() || has_kind(members, EntityKind::kUnknown))) {
      unfound = std::move(members);
    }
    if (use == NameUse::kValue && take(accessors(before), use)) return result_;
  }
  if (by_extensions(before)) return result_;
  if (Entities classes = copied(before); !classes.empty()) return classes;
  return found_or_rest(unfound);
}

// this@Name: the class, or the function whose `this` it is.
Entities KotlinSearch::label() {
  for (std::uint32_t symbol = file_.symbol_at(occurrence_.offset); symbol != kNoIndex;
       symbol = file_.surrounding(symbol)) {
    if (file_.facts.symbols[symbol].name == name_) return {{EntityKind::kSymbol, &file_, symbol}};
  }
  return {kExternalEntity};
}

}  // namespace

Entities KotlinSemantics::bare_name(Resolver& resolver, const FileModel& file,
                                    std::uint32_t index) const {
  KotlinSearch search(resolver, file, index);
  const bool is_label = file.facts.occurrences[index].receiver_kind == ReceiverKind::kTag;
  return is_label ? search.label() : search.bare();
}

Entities KotlinSemantics::dotted_name(Resolver& resolver, const FileModel& file,
                                      std::uint32_t index) const {
  return KotlinSearch(resolver, file, index).dotted();
}

}  // namespace codexmem::graph
