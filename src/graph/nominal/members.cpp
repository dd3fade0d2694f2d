// Members by use, and overloads. Tested by graph/java_references_test.cpp.
#include "graph/nominal/members.h"

#include <algorithm>
#include <optional>

#include "graph/core/resolver_step.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;
using parse::Term;
using parse::TermId;
using parse::TermKind;

// A hostile or generated hierarchy is not searched to its end.
constexpr std::size_t kMaxTypes = 256;
constexpr int kMaxTypeDepth = 4;  // of lists of lists

const parse::Function* function_of(const Entity& entity) {
  if (entity.kind != EntityKind::kSymbol) return nullptr;
  const TermId term = symbol_of(entity).term;
  if (term == kNoIndex) return nullptr;
  const Term& made = entity.file->facts.terms[term];
  return made.kind == TermKind::kFunction ? &entity.file->facts.functions[made.at] : nullptr;
}

// A type as it is written, as far as that tells it from others.
std::string spelling(const FileModel& file, TermId term) {
  std::string suffix;
  for (int depth = 0; depth < kMaxTypeDepth && term != kNoIndex; ++depth) {
    const Term& type = file.facts.terms[term];
    if (type.kind == TermKind::kArray && type.part_count > 0) {
      suffix += "[]";
      term = file.parts_of(type)[0];
      continue;
    }
    if (type.kind == TermKind::kType) {
      return file.name(file.facts.occurrences[type.at].name) + suffix;
    }
    if (type.kind == TermKind::kLiteral) return "#" + suffix;
    break;
  }
  return "?" + suffix;
}

bool names_type_parameter(Resolver& resolver, const FileModel& file, TermId term) {
  if (term == kNoIndex) return false;
  const Term& type = file.facts.terms[term];
  if (type.kind != TermKind::kType) return false;
  return has_kind(resolver.evaluate(file, term), EntityKind::kTypeParameter);
}

class TypeSearch {
 public:
  TypeSearch(Resolver& resolver, std::string_view name, NameUse use)
      : resolver_(resolver), name_(name), use_(use) {}

  void search(const Entity& type, const Entity& receiver) {
    const Resolver::Step step(resolver_);
    if (step.is_too_far() || seen_.size() > kMaxTypes) {
      is_unknown = true;
      return;
    }
    if (add_own(type, receiver) && use_ != NameUse::kCallable) return;
    for (const Entity& base : resolver_.supertypes(type)) {
      if (base.kind != EntityKind::kSymbol && !is_instance(base)) {
        (base.kind == EntityKind::kExternal ? is_external : is_unknown) = true;
        continue;
      }
      if (std::find(seen_.begin(), seen_.end(), base) != seen_.end()) continue;
      seen_.push_back(base);
      search(base, receiver);
    }
  }

  Entities found;
  bool is_unknown = false;
  bool is_external = false;

 private:
  bool add_own(const Entity& type, const Entity& receiver) {
    const FileModel& file = *type.file;
    const auto id = file.find_name(name_);
    if (!id) return false;
    const std::size_t before = found.size();
    const Environment* environment = nullptr;
    bool has_environment = false;
    for (const std::uint32_t member : file.members_of(type.index, *id)) {
      if (!fits_use(file.facts.symbols[member], use_) || is_constructor(file, member)) continue;
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
  Entities seen_;
};

// What is known of a value as an argument for a parameter.
enum class Match { kNo, kMaybe, kYes };

// True for values of the type that all others are of.
bool is_root(const Entity& type) {
  return is_instance(type) && type.file->is_library &&
         symbol_of(type).name == type.file->semantics.traits().root_type;
}

Match match(Resolver& resolver, const Entity& given, const Entity& wanted) {
  if (wanted.kind == EntityKind::kTypeParameter || wanted.kind == EntityKind::kUnknown ||
      given.kind == EntityKind::kUnknown || given.kind == EntityKind::kTypeParameter) {
    return Match::kMaybe;
  }
  if (is_root(wanted) && given.kind != EntityKind::kFunction) return Match::kYes;
  if (given.kind == EntityKind::kFunction) {
    // A lambda: for what can be called.
    return wanted.kind == EntityKind::kContainer ? Match::kNo : Match::kMaybe;
  }
  if (is_instance(given) && is_instance(wanted)) {
    Entities open = {given};
    bool is_known = true;
    for (std::size_t i = 0; i < open.size() && i < kMaxTypes; ++i) {
      if (open[i].file == wanted.file && open[i].index == wanted.index) return Match::kYes;
      for (const Entity& base : resolver.supertypes(Entity(open[i]))) {
        if (is_instance(base)) {
          add(open, base);
        } else {
          is_known = false;
        }
      }
    }
    return is_known ? Match::kNo : Match::kMaybe;
  }
  if (given.kind == EntityKind::kContainer && wanted.kind == EntityKind::kContainer) {
    const auto& inner = wanted.environment->arguments[0];
    const auto& values = given.environment->arguments[0];
    if (inner.size() == 1 && values.size() == 1) return match(resolver, values[0], inner[0]);
    return Match::kMaybe;
  }
  // A string is no type of the repository; Object takes everything.
  if (given.kind == EntityKind::kExternal && is_instance(wanted)) return Match::kMaybe;
  if (given.kind == EntityKind::kContainer && is_instance(wanted) && is_known(wanted)) {
    return Match::kNo;
  }
  return Match::kMaybe;
}

Match match(Resolver& resolver, const Entities& given, const Entities& wanted) {
  Match best = Match::kNo;
  for (const Entity& value : given) {
    for (const Entity& type : wanted) best = std::max(best, match(resolver, value, type));
  }
  return given.empty() || wanted.empty() ? Match::kMaybe : best;
}

const parse::Parameter* parameter_at(const parse::Function& function, std::size_t index) {
  if (function.parameters.empty()) return nullptr;
  if (index < function.parameters.size()) return &function.parameters[index];
  return function.parameters.back().is_rest ? &function.parameters.back() : nullptr;
}

bool takes(const parse::Function& function, std::size_t arguments) {
  const bool has_rest = !function.parameters.empty() && function.parameters.back().is_rest;
  const std::size_t count = function.parameters.size();
  return has_rest ? arguments + 1 >= count : arguments == count;
}

}  // namespace

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
  const std::uint32_t owner = file.owner_of(symbol);
  return owner != kNoIndex && is_callable(file.facts.symbols[symbol]) &&
         is_type_like(file.facts.symbols[owner]) &&
         file.facts.symbols[owner].name == file.facts.symbols[symbol].name;
}

bool may_take_the_same(const Entity& a, const Entity& b) {
  const parse::Function* first = function_of(a);
  const parse::Function* second = function_of(b);
  if (first == nullptr || second == nullptr) return true;
  return first->parameters.size() == second->parameters.size();
}

bool take_the_same(Resolver& resolver, const Entity& a, const Entity& b) {
  const parse::Function* first = function_of(a);
  const parse::Function* second = function_of(b);
  if (first == nullptr || second == nullptr) return true;
  if (first->parameters.size() != second->parameters.size()) return false;
  for (std::size_t i = 0; i < first->parameters.size(); ++i) {
    const TermId one = first->parameters[i].term;
    const TermId other = second->parameters[i].term;
    if (spelling(*a.file, one) == spelling(*b.file, other)) continue;
    if (!names_type_parameter(resolver, *a.file, one) &&
        !names_type_parameter(resolver, *b.file, other)) {
      return false;
    }
  }
  return true;
}

Entities type_members_for(Resolver& resolver, const Entity& type, std::string_view name,
                          NameUse use) {
  TypeSearch search(resolver, name, use);
  search.search(type, type);
  if (!search.found.empty()) return std::move(search.found);
  if (search.is_unknown) return {kUnknownEntity};
  // What every object has.
  if (search.is_external || type.file->semantics.library().has("base_members", name)) {
    return {kExternalEntity};
  }
  return {};
}

Entities members_for(Resolver& resolver, const Entities& receivers, std::string_view name,
                     NameUse use) {
  const Resolver::Step step(resolver);
  if (step.is_too_far()) return {kUnknownEntity};
  Entities found;
  bool is_unknown = receivers.empty();
  bool is_external = false;
  const auto take = [&](const Entities& members) {
    for (const Entity& member : members) {
      if (member.kind == EntityKind::kUnknown) {
        is_unknown = true;
      } else if (member.kind == EntityKind::kExternal) {
        is_external = true;
      } else {
        add(found, member);
      }
    }
  };
  for (const Entity& receiver : receivers) {
    switch (receiver.kind) {
      case EntityKind::kInstance:
      case EntityKind::kSelf:
        take(type_members_for(resolver, receiver, name, use));
        break;
      case EntityKind::kSymbol:
        if (is_type_like(symbol_of(receiver))) {
          take(type_members_for(resolver, receiver, name, use));
        } else {
          is_unknown = true;
        }
        break;
      case EntityKind::kTypeParameter: {
        const TermId bound = receiver.file->facts.bindings[receiver.index].term;
        Entities values = bound == kNoIndex ? Entities{kExternalEntity}
                                            : resolver.evaluate(*receiver.file, bound);
        std::erase(values, receiver);
        take(members_for(resolver, values, name, use));
        break;
      }
      case EntityKind::kExternal:
      case EntityKind::kContainer:
      case EntityKind::kFunction:
        is_external = true;
        break;
      default:
        is_unknown = true;
    }
  }
  if (!found.empty()) return found;
  if (is_unknown) return {kUnknownEntity};
  if (is_external) return {kExternalEntity};
  return {};
}

Entities fitting_call(Resolver& resolver, const FileModel& file, std::uint32_t index,
                      const Entities& found) {
  if (found.size() < 2) return found;
  const auto call = file.call_of(index);
  if (call && *call == kNoIndex) return found;
  const auto parts = call ? file.parts_of(file.facts.terms[*call]) : std::span<const TermId>();
  const std::size_t count = parts.empty() ? 0 : parts.size() - 1;
  Entities fit;
  for (const Entity& entity : found) {
    const parse::Function* function = function_of(entity);
    if (function == nullptr || takes(*function, count)) fit.push_back(entity);
  }
  // Those of a fixed number come before those of any.
  const auto is_exact = [&](const Entity& entity) {
    const parse::Function* function = function_of(entity);
    return function != nullptr && function->parameters.size() == count &&
           (count == 0 || !function->parameters.back().is_rest);
  };
  if (fit.empty()) return found;
  if (fit.size() < 2 || count == 0) {
    if (count == 0 && std::any_of(fit.begin(), fit.end(), is_exact)) {
      std::erase_if(fit, [&](const Entity& entity) { return !is_exact(entity); });
    }
    return fit;
  }
  std::vector<Match> matches;
  std::vector<bool> take_any;  // by their parameters: what is declared more closely comes first
  for (const Entity& entity : fit) {
    const parse::Function* function = function_of(entity);
    Match all = Match::kYes;
    bool takes_any = false;
    for (std::size_t i = 0; i < count && function != nullptr; ++i) {
      const parse::Parameter* parameter = parameter_at(*function, i);
      if (parameter == nullptr || parameter->term == kNoIndex || parts[i + 1] == kNoIndex) {
        all = std::min(all, Match::kMaybe);
        continue;
      }
      const bool is_literal = file.facts.terms[parts[i + 1]].kind == TermKind::kLiteral;
      const Entities wanted =
          resolver.substitute(resolver.evaluate(*entity.file, parameter->term), entity.environment);
      takes_any = takes_any || std::ranges::any_of(wanted, is_root);
      // No literal is of a type of the repository.
      const bool is_ours = std::ranges::all_of(
          wanted, [](const Entity& type) { return is_instance(type) && is_known(type); });
      all = is_literal && is_ours && !wanted.empty()
                ? Match::kNo
                : std::min(all, match(resolver, resolver.evaluate(file, parts[i + 1]), wanted));
    }
    matches.push_back(function == nullptr ? Match::kMaybe : all);
    take_any.push_back(takes_any);
  }
  bool has_closer = false;
  for (std::size_t i = 0; i < fit.size(); ++i) {
    has_closer = has_closer || (matches[i] == Match::kYes && !take_any[i]);
  }
  Entities kept;
  for (std::size_t i = 0; i < fit.size(); ++i) {
    if (matches[i] != Match::kNo && !(has_closer && take_any[i])) kept.push_back(fit[i]);
  }
  if (kept.empty()) kept = fit;
  if (std::any_of(kept.begin(), kept.end(), is_exact)) {
    std::erase_if(kept, [&](const Entity& entity) {
      const parse::Function* function = function_of(entity);
      return function != nullptr && !is_exact(entity) && function->parameters.size() != count;
    });
  }
  return kept;
}

Entities constructors_for(Resolver& resolver, const FileModel& file, std::uint32_t index,
                          const Entity& type) {
  const auto id = type.file->find_name(symbol_of(type).name);
  if (!id) return {};
  Entities found;
  for (const std::uint32_t member : type.file->members_of(type.index, *id)) {
    if (is_constructor(*type.file, member)) add(found, {EntityKind::kSymbol, type.file, member});
  }
  return fitting_call(resolver, file, index, found);
}

}  // namespace codexmem::graph
