// Tested by graph/java_overloads_test.cpp.
#include "graph/nominal/overloads.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "graph/core/resolver_step.h"
#include "graph/nominal/members.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;
using parse::Term;
using parse::TermId;
using parse::TermKind;

constexpr std::size_t kMaxSupertypesSeen = 256;
constexpr std::size_t kMaxCandidates = 64;
constexpr int kMaxTypeDepth = 4;  // of lists of lists

const parse::Function* function_of(const Entity& entity) {
  if (entity.kind != EntityKind::kSymbol) return nullptr;
  const TermId term = symbol_of(entity).term;
  if (term == kNoIndex) return nullptr;
  const Term& made = entity.file->facts.terms[term];
  return made.kind == TermKind::kFunction ? &entity.file->facts.functions[made.at] : nullptr;
}

// A type as it is written, as far as needed to distinguish it from others.
std::string spelling(const FileModel& file, TermId term) {
  std::string suffix;
  for (int depth = 0; depth < kMaxTypeDepth && term != kNoIndex; ++depth) {
    const Term& type = file.facts.terms[term];
    switch (type.kind) {
      case TermKind::kArray:
        if (type.part_count == 0) return "?" + suffix;
        suffix += "[]";
        term = file.parts_of(type)[0];
        continue;
      case TermKind::kType:
        return file.name(file.facts.occurrences[type.at].name) + suffix;
      case TermKind::kLanguageType:
        if (type.part_count > 0) {
          suffix = "<" + file.name(type.at) + ">" + suffix;
          term = file.parts_of(type)[0];
          continue;
        }
        return file.name(type.at) + suffix;
      default:
        return "?" + suffix;
    }
  }
  return "?" + suffix;
}

bool names_type_parameter(Resolver& resolver, const FileModel& file, TermId term) {
  if (term == kNoIndex) return false;
  const Term& type = file.facts.terms[term];
  if (type.kind != TermKind::kType) return false;
  return has_kind(resolver.evaluate(file, term), EntityKind::kTypeParameter);
}

// How well a value is taken by a parameter, from worst to best.
enum class Fit : std::uint8_t { kNo, kMaybe, kBoxed, kYes, kExact };

bool is_library_type(const Entity& type, std::string_view name) {
  return is_instance(type) && type.file->is_library && symbol_of(type).name == name;
}

// True for the type that all others extend.
bool is_root(const Entity& type) {
  return is_instance(type) &&
         is_library_type(type, type.file->semantics.traits().protocol.root_type);
}

bool is_function_value(const Entity& value) {
  return value.kind == EntityKind::kFunction ||
         (value.kind == EntityKind::kSymbol && is_callable(symbol_of(value)));
}

bool is_object(const Entity& value) {
  return value.kind == EntityKind::kSymbol && !is_callable(symbol_of(value)) &&
         !is_type_like(symbol_of(value));
}

// Judges values by the parameters of what the call of `file` may mean.
class Fitting {
 public:
  Fitting(Resolver& resolver, const FileModel& file) : resolver_(resolver), file_(file) {}

  // True where a type parameter is what it is given, without a box.
  bool deduces() const {
    return !primitives().empty() &&
           std::ranges::all_of(primitives(), &std::string_view::empty, &Primitive::boxed);
  }

  Fit fit(const Entities& given, const Entities& wanted) const {
    if (given.empty() || wanted.empty()) return Fit::kMaybe;
    Fit best = Fit::kNo;
    Fit worst = Fit::kExact;
    for (const Entity& value : given) {
      // A constant with a body is given as what it is an instance of, too.
      if (given.size() > 1 && is_object(value)) continue;
      Fit of_value = Fit::kNo;
      for (const Entity& type : wanted) of_value = std::max(of_value, fit(value, type));
      best = std::max(best, of_value);
      worst = std::min(worst, of_value);
    }
    return worst == Fit::kNo && best != Fit::kNo ? Fit::kMaybe : worst;
  }

 private:
  std::span<const Primitive> primitives() const { return file_.semantics.traits().primitives; }

  bool widens(std::size_t from, std::size_t to) const {
    return from == to || (primitives()[from].widens_to >> to & 1U) != 0;
  }

  Fit fit(const Entity& given, const Entity& wanted) const {
    const Resolver::RecursionGuard guard(resolver_);
    if (guard.over_limit() || given.kind == EntityKind::kUnknown ||
        wanted.kind == EntityKind::kUnknown) {
      return Fit::kMaybe;
    }
    if (wanted.kind == EntityKind::kTypeParameter) return fit_parameter(given, wanted);
    if (const auto primitive = primitive_of(given)) return fit_primitive(*primitive, wanted);
    if (const auto primitive = primitive_of(wanted)) return fit_unboxed(given, *primitive);
    if (is_function_value(given)) return fit_function(given, wanted);
    if (wanted.kind == EntityKind::kFunction && is_instance(given)) return Fit::kMaybe;
    if (given.kind == EntityKind::kTypeParameter) {
      if (is_root(wanted)) return Fit::kYes;
      return fit(bound_of(given), {wanted}) >= Fit::kYes ? Fit::kYes : Fit::kMaybe;
    }
    if (is_root(wanted) && !is_root(given)) return Fit::kYes;
    const bool is_list = given.kind == EntityKind::kContainer;
    if (is_list && wanted.kind == EntityKind::kContainer) {
      return fit_elements(given.environment->arguments[0], wanted.environment->arguments[0]);
    }
    if (is_list && is_instance(wanted)) {
      const bool takes_lists =
          is_library_type(wanted, "Cloneable") || is_library_type(wanted, "Serializable");
      return takes_lists ? Fit::kYes : Fit::kNo;
    }
    if (is_instance(given) && wanted.kind == EntityKind::kContainer) return Fit::kNo;
    if (is_instance(given) && is_instance(wanted)) return fit_subtype(given, wanted);
    return Fit::kMaybe;
  }

  Entities bound_of(const Entity& parameter) const {
    const TermId bound = parameter.file->facts.bindings[parameter.index].term;
    if (bound == kNoIndex) return {};
    Entities values = resolver_.evaluate(*parameter.file, bound);
    std::erase(values, parameter);
    return values;
  }

  Fit fit_parameter(const Entity& given, const Entity& wanted) const {
    if (given == wanted) return Fit::kExact;
    if (is_function_value(given)) return Fit::kMaybe;
    const auto primitive = primitive_of(given);
    const bool is_boxed = primitive && !primitives()[*primitive].boxed.empty();
    const Entities bound = bound_of(wanted);
    const Fit of_bound = std::min(bound.empty() ? Fit::kYes : fit({given}, bound), Fit::kYes);
    return is_boxed ? std::min(of_bound, Fit::kBoxed) : of_bound;
  }

  Fit fit_primitive(std::size_t given, const Entity& wanted) const {
    const auto primitive = primitive_of(wanted);
    if (primitive && *primitive == given) return Fit::kExact;
    if (primitive) return widens(given, *primitive) ? Fit::kYes : Fit::kNo;
    const std::string_view boxed = primitives()[given].boxed;
    if (boxed.empty()) return wanted.kind == EntityKind::kExternal ? Fit::kMaybe : Fit::kYes;
    if (wanted.kind == EntityKind::kContainer) return Fit::kNo;
    if (!is_instance(wanted)) return Fit::kMaybe;
    Fit best = Fit::kNo;
    for (const Entity& type :
         resolver_.instances(file_.semantics.unbound_name(resolver_, file_, boxed))) {
      best = std::max(best, fit_subtype(type, wanted));
    }
    return std::min(best, Fit::kBoxed);
  }

  Fit fit_unboxed(const Entity& given, std::size_t wanted) const {
    if (given.kind == EntityKind::kExternal || given.kind == EntityKind::kTypeParameter) {
      return Fit::kMaybe;
    }
    const auto primitive = unboxed(file_, given);
    if (primitive && widens(*primitive, wanted)) return Fit::kBoxed;
    // An enumerator, and an object with a conversion operator, may convert to a number.
    return deduces() && (!is_instance(given) || may_convert(given)) ? Fit::kMaybe : Fit::kNo;
  }

  static bool may_convert(const Entity& given) {
    if (symbol_of(given).type != SymbolType::kClass) return true;
    const auto members = given.file->all_members(given.index);
    return std::ranges::any_of(members, [&](std::uint32_t member) {
      return given.file->facts.symbols[member].name.starts_with("operator ");
    });
  }

  // A lambda, or a method by its name: for interfaces of one method with as many parameters.
  Fit fit_function(const Entity& given, const Entity& wanted) const {
    if (wanted.kind == EntityKind::kContainer || primitive_of(wanted) || is_root(wanted)) {
      return Fit::kNo;
    }
    if (wanted.kind == EntityKind::kFunction && given.kind == EntityKind::kFunction) {
      const parse::Function& type = wanted.file->facts.functions[wanted.index];
      return may_be_lambda(given, type.parameters.size() - (type.is_extension ? 1 : 0))
                 ? Fit::kMaybe
                 : Fit::kNo;
    }
    if (!is_instance(wanted)) return Fit::kMaybe;
    if (symbol_of(wanted).type != SymbolType::kInterface) return Fit::kNo;
    if (given.kind != EntityKind::kFunction) return Fit::kMaybe;
    const Entities called = wanted.file->semantics.called_members(resolver_, wanted);
    // (No lambda is a list.)
    if (called.empty() && wanted.file->is_library && wanted.file->language == "kotlin") {
      return Fit::kNo;
    }
    const bool is_other = !called.empty() && std::ranges::all_of(called, [&](const Entity& method) {
      const parse::Function* function = function_of(method);
      return function != nullptr && !may_be_lambda(given, function->parameters.size());
    });
    return is_other ? Fit::kNo : Fit::kMaybe;
  }

  // (In Kotlin a lambda that names no parameter may have one: it.)
  static bool may_be_lambda(const Entity& function, std::size_t parameters) {
    const std::size_t own = function.file->facts.functions[function.index].parameters.size();
    return own == parameters ||
           (own == 0 && parameters == 1 && function.file->language == "kotlin");
  }

  Fit fit_elements(const Entities& given, const Entities& wanted) const {
    if (given.size() != 1 || wanted.size() != 1) return Fit::kMaybe;
    const bool is_primitive = primitive_of(given[0]) || primitive_of(wanted[0]);
    const bool is_identified =
        wanted[0].kind != EntityKind::kUnknown && given[0].kind != EntityKind::kUnknown;
    if (is_primitive && is_identified) return given[0] == wanted[0] ? Fit::kExact : Fit::kNo;
    return fit(given[0], wanted[0]);
  }

  Fit fit_subtype(const Entity& given, const Entity& wanted) const {
    if (given.file == wanted.file && given.index == wanted.index) return Fit::kExact;
    if (is_root(wanted)) return Fit::kYes;
    // Two languages may have one type under two names.
    if (wanted.file->is_library && given.file->family != wanted.file->family) return Fit::kMaybe;
    Entities open = {given};
    bool is_known = true;
    for (std::size_t i = 0; i < open.size() && i < kMaxSupertypesSeen; ++i) {
      if (open[i].file == wanted.file && open[i].index == wanted.index) return Fit::kYes;
      for (const Entity& base : resolver_.supertypes(Entity(open[i]))) {
        if (is_instance(base)) {
          add(open, base);
        } else {
          is_known = false;
        }
      }
    }
    return is_known ? Fit::kNo : Fit::kMaybe;
  }

  Resolver& resolver_;
  const FileModel& file_;
};

// A function that a call may mean.
struct Candidate {
  Entity entity;
  const parse::Function* function = nullptr;  // nullptr: nothing is known of what it takes
  std::vector<Entities> wanted;               // by argument
  Fit fit = Fit::kMaybe;                      // of the worst argument
  bool is_open = false;                       // its last parameter takes several arguments, or none
  std::size_t leading = 0;                    // parameters that what it is called on fills

  bool is_certain() const { return fit >= Fit::kBoxed; }
};

bool has_rest(const parse::Function& function) {
  return std::ranges::any_of(function.parameters, &parse::Parameter::is_rest);
}

bool takes(const parse::Function& function, std::size_t arguments) {
  const std::size_t count = function.parameters.size();
  const auto optional = static_cast<std::size_t>(
      std::ranges::count_if(function.parameters, &parse::Parameter::is_optional));
  if (has_rest(function)) return arguments + 1 + optional >= count;
  return arguments <= count && arguments + optional >= count;
}

// What a call at `index` passes; nothing where that is not known.
std::optional<std::vector<TermId>> arguments_of(const FileModel& file, std::uint32_t index) {
  const auto call = file.call_of(index);
  if (!call) return std::vector<TermId>();
  if (*call == kNoIndex) return std::nullopt;
  const Term& term = file.facts.terms[*call];
  if (term.kind == TermKind::kName) return std::nullopt;            // ::f, a reference
  if (term.kind == TermKind::kApply) return std::vector<TermId>();  // f<T>()
  const auto parts = file.parts_of(term);
  return parts.empty() ? std::vector<TermId>()
                       : std::vector<TermId>(parts.begin() + 1, parts.end());
}

void judge(Resolver& resolver, const FileModel& file, const std::vector<TermId>& arguments,
           Candidate& candidate) {
  if (candidate.function == nullptr) return;
  const auto& parameters = candidate.function->parameters;
  const Fitting fitting(resolver, file);
  candidate.fit = Fit::kExact;
  candidate.is_open = has_rest(*candidate.function);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::size_t at = std::min(i + candidate.leading, parameters.size() - 1);
    if (const auto name = passed_by_name(file, arguments[i])) {
      if (*name == ":") at = parameters.size() - 1;
      for (std::size_t k = candidate.leading; k < parameters.size(); ++k) {
        const parse::NameId own = parameters[k].name;
        if (own != kNoIndex && candidate.entity.file->name(own) == *name) at = k;
      }
    }
    const parse::Parameter& parameter = parameters[at];
    const Entities wanted = resolver.substitute(
        resolver.evaluate(*candidate.entity.file, parameter.term), candidate.entity.environment);
    const Entities given = resolver.evaluate(file, passed_value(file, arguments[i]));
    Fit fit = fitting.fit(given, wanted);
    // A list may be passed as the rest itself.
    const bool is_rest =
        parameter.is_rest && arguments.size() + candidate.leading == parameters.size();
    if (is_rest && given.size() == 1 && given[0].kind == EntityKind::kContainer) {
      const Fit as_list = fitting.fit(given[0].environment->arguments[0], wanted);
      candidate.is_open = as_list < Fit::kYes;
      fit = std::max(fit, as_list);
    }
    candidate.fit = std::min(candidate.fit, fit);
    candidate.wanted.push_back(wanted);
  }
}

// True if each argument that `a` takes `b` takes too.
bool is_narrower(const Fitting& fitting, const Candidate& a, const Candidate& b) {
  if (a.wanted.size() != b.wanted.size() || a.is_open != b.is_open) return false;
  for (std::size_t i = 0; i < a.wanted.size(); ++i) {
    if (fitting.fit(a.wanted[i], b.wanted[i]) < Fit::kYes) return false;
  }
  return true;
}

void keep_best(const Fitting& fitting, std::vector<Candidate>& candidates) {
  const auto has = [&](auto wanted) { return std::ranges::any_of(candidates, wanted); };
  if (has([](const Candidate& c) { return c.fit != Fit::kNo; })) {
    std::erase_if(candidates, [](const Candidate& c) { return c.fit == Fit::kNo; });
  }
  // When types differ or are unknown, no candidate is narrower.
  const auto is_exact = [](const Candidate& c) { return !c.is_open && c.fit == Fit::kExact; };
  if (has(is_exact)) std::erase_if(candidates, [&](const Candidate& c) { return !is_exact(c); });
  if (has([](const Candidate& c) { return !c.is_open && c.fit >= Fit::kYes; })) {
    std::erase_if(candidates, [](const Candidate& c) { return c.fit == Fit::kBoxed; });
  }
  // (A candidate that certainly takes the arguments as its rest may be meant if the others only
  // perhaps take them.)
  const auto is_sure = [&](bool is_open) {
    return has([&](const Candidate& c) { return c.is_open == is_open && c.is_certain(); });
  };
  if (has([](const Candidate& c) { return !c.is_open; }) && (is_sure(false) || !is_sure(true))) {
    std::erase_if(candidates, [](const Candidate& c) { return c.is_open; });
  }
  std::vector<Candidate> kept;
  for (const Candidate& candidate : candidates) {
    // A deduced parameter allows no conversion.
    const bool is_deduced =
        fitting.deduces() && std::ranges::any_of(candidate.wanted, [](const Entities& wanted) {
          return has_kind(wanted, EntityKind::kTypeParameter);
        });
    const bool is_behind = !is_deduced && has([&](const Candidate& other) {
      return &other != &candidate && other.is_certain() && is_narrower(fitting, other, candidate) &&
             !is_narrower(fitting, candidate, other);
    });
    if (!is_behind) kept.push_back(candidate);
  }
  candidates = std::move(kept);
}

}  // namespace

bool may_be_given(Resolver& resolver, const FileModel& file, const Entities& given,
                  const Entities& wanted) {
  return Fitting(resolver, file).fit(given, wanted) != Fit::kNo;
}

bool may_take_call(Resolver& resolver, const FileModel& file, std::uint32_t index,
                   const Entity& value) {
  if (value.kind != EntityKind::kFunction) return true;
  const auto arguments = arguments_of(file, index);
  if (!arguments) return true;
  const parse::Function& function = value.file->facts.functions[value.index];
  const std::size_t count = function.parameters.size();
  // What it is called on may be the first argument, or `this`.
  const std::size_t leading = function.is_extension && arguments->size() + 1 == count ? 1 : 0;
  if (arguments->size() + leading != count) return false;
  const Fitting fitting(resolver, file);
  for (std::size_t i = 0; i < arguments->size(); ++i) {
    const Entities wanted = resolver.substitute(
        resolver.evaluate(*value.file, function.parameters[i + leading].term), value.environment);
    const Entities given = resolver.evaluate(file, passed_value(file, (*arguments)[i]));
    if (fitting.fit(given, wanted) == Fit::kNo) return false;
  }
  return true;
}

bool takes_so_many(const Entity& function, std::size_t arguments) {
  const parse::Function* facts = function_of(function);
  return facts == nullptr || takes(*facts, arguments + leading_parameters(function));
}

std::optional<std::size_t> arguments_at(const FileModel& file, std::uint32_t index) {
  const auto arguments = arguments_of(file, index);
  return arguments ? std::optional(arguments->size()) : std::nullopt;
}

std::optional<std::size_t> unboxed(const FileModel& file, const Entity& value) {
  if (const auto primitive = primitive_of(value)) return primitive;
  if (!is_instance(value) || !value.file->is_library) return std::nullopt;
  const auto primitives = file.semantics.traits().primitives;
  const auto found = std::ranges::find(primitives, symbol_of(value).name, &Primitive::boxed);
  if (found == primitives.end()) return std::nullopt;
  return static_cast<std::size_t>(found - primitives.begin());
}

bool may_take_the_same(const Entity& a, const Entity& b) {
  const parse::Function* first = function_of(a);
  const parse::Function* second = function_of(b);
  if (first == nullptr || second == nullptr) return true;
  return first->parameters.size() == second->parameters.size();
}

bool differ_as_written(const Entity& a, const Entity& b) {
  const parse::Function* first = function_of(a);
  const parse::Function* second = function_of(b);
  if (first == nullptr || second == nullptr) return false;
  if (first->parameters.size() != second->parameters.size()) return true;
  const auto is_open = [](const FileModel& file, const std::string& type) {
    const auto name = file.find_name(type);
    return type.find('?') != std::string::npos || !name ||
           std::ranges::any_of(file.facts.bindings, [&](const parse::Binding& binding) {
             return binding.kind == parse::BindingKind::kTypeParameter && binding.name == *name;
           });
  };
  for (std::size_t i = 0; i < first->parameters.size(); ++i) {
    const std::string one = spelling(*a.file, first->parameters[i].term);
    const std::string other = spelling(*b.file, second->parameters[i].term);
    if (one != other && !is_open(*a.file, one.substr(0, one.find_first_of("[<"))) &&
        !is_open(*b.file, other.substr(0, other.find_first_of("[<")))) {
      return true;
    }
  }
  return false;
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

Entities fitting_call(Resolver& resolver, const FileModel& file, std::uint32_t index,
                      const Entities& found) {
  if (found.size() < 2 || found.size() > kMaxCandidates) return found;
  const auto arguments = arguments_of(file, index);
  if (!arguments) return found;
  std::vector<Candidate> candidates;
  for (const Entity& entity : found) {
    Candidate candidate;
    candidate.entity = entity;
    candidate.function = function_of(entity);
    candidate.leading = leading_parameters(entity);
    if (candidate.function != nullptr &&
        (!takes(*candidate.function, arguments->size() + candidate.leading) ||
         (candidate.function->is_private && entity.file != &file))) {
      continue;
    }
    candidates.push_back(std::move(candidate));
  }
  if (candidates.empty()) return found;
  if (candidates.size() > 1) {
    for (Candidate& candidate : candidates) judge(resolver, file, *arguments, candidate);
    keep_best(Fitting(resolver, file), candidates);
  }
  Entities kept;
  for (const Candidate& candidate : candidates) kept.push_back(candidate.entity);
  return kept;
}

Entities constructors_for(Resolver& resolver, const FileModel& file, std::uint32_t index,
                          const Entity& type) {
  Entities parts = {type};
  if (type.file->semantics.traits().parts_are_one) {
    add_all(parts, type.file->semantics.merged_with(resolver, *type.file, type.index));
  }
  Entities found;
  for (const Entity& part : parts) {
    const auto id = part.file->find_name(symbol_of(part).name);
    if (!id) continue;
    for (const std::uint32_t member : part.file->members_of(part.index, *id)) {
      if (is_constructor(*part.file, member)) {
        add(found, {EntityKind::kSymbol, part.file, member});
      }
    }
  }
  return fitting_call(resolver, file, index, found);
}

}  // namespace codexmem::graph
