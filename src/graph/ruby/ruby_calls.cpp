// A method is looked for in Ruby's order: prepended modules, the class itself, included modules
// with the latest first, superclasses. If none of them has it, subclasses or classes that include
// the module may: an abstract method. The receiver's value is found by evaluating its terms; when
// it is unknown and only one class has members of that name, these are likely. Tested by
// graph/ruby_test.cpp.
#include "graph/ruby/ruby_calls.h"

#include <algorithm>
#include <string>

#include "base/ascii.h"
#include "base/text.h"
#include "graph/core/resolver_step.h"
#include "graph/ruby/ruby_types.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;
using parse::ReceiverKind;
using parse::Role;

constexpr std::size_t kMaxSymbols = 16;           // in one call
constexpr std::uint32_t kMaxSymbolDistance = 12;  // ", unless: :"
constexpr std::string_view kTakesMethod[] = {"__send__",
                                             "alias_method",
                                             "define_method",
                                             "instance_method",
                                             "method",
                                             "module_function",
                                             "private",
                                             "private_class_method",
                                             "protected",
                                             "public",
                                             "public_class_method",
                                             "public_method",
                                             "public_send",
                                             "remove_method",
                                             "respond_to?",
                                             "send",
                                             "try",
                                             "undef_method"};

// Calls that define delegating methods: the delegate is named by the first symbol, or by the last
// one (`to: :a`).
constexpr std::string_view kDelegates[] = {"def_delegator",          "def_delegators",
                                           "def_instance_delegator", "def_instance_delegators",
                                           "def_single_delegator",   "def_single_delegators"};
constexpr std::string_view kDelegatesToLast[] = {"delegate", "instance_delegate"};

bool is_ruby_own(const FileModel& file, std::string_view name) {
  return file.semantics.library().has("members", name) ||
         file.semantics.library().has("globals", name);
}

RubyAsked asked_at(const FileModel& file, std::uint32_t index) {
  const parse::Occurrence& at = file.facts.occurrences[index];
  return {file.name(at.name), at.role == Role::kWrite};
}

// The likely meanings when the receiver is unknown.
Entities guessed(Resolver& resolver, const FileModel& file, const RubyAsked& asked) {
  // (Operators mostly belong to Ruby's own classes.)
  if (is_ruby_own(file, asked.name) || !is_identifier_char(asked.name.front())) {
    return {kUnknownEntity};
  }
  Entities found = resolver.memory<RubyTypes>().only_members(resolver, file, asked);
  add(found, kUnknownEntity);
  return found;
}

// Members of a class or module, or of its instances.
Entities members_of_type(Resolver& resolver, const FileModel& file, const std::string& type,
                         RubySide side, const RubyAsked& asked) {
  const std::string& name = asked.name;
  auto& types = resolver.memory<RubyTypes>();
  Entities found = types.members(resolver, type, side, asked);
  if (!found.empty()) return found;
  if (side == RubySide::kType && name == "new") {
    found = types.members(resolver, type, RubySide::kInstance, {"initialize"});
    return found.empty() ? Entities{kExternalEntity} : found;
  }
  const bool has_every = file.semantics.library().has("globals", name);  // every object has it
  if (!has_every) found = types.members_below(resolver, type, side, asked);
  if (!found.empty()) {
    add(found, kUnknownEntity);
    return found;
  }
  const bool is_open = types.order(resolver, type, side).is_open;
  if (is_open || is_ruby_own(file, name) ||
      (side == RubySide::kType && file.semantics.library().has("class_members", name))) {
    return {kExternalEntity};
  }
  // Nothing, unless it answers what it does not have.
  const bool answers_all = !types.members(resolver, type, side, {"method_missing"}).empty();
  return answers_all ? Entities{kUnknownEntity} : Entities{};
}

// What the name at `index` holds, or gives when it is called.
Entities values_named(Resolver& resolver, const FileModel& file, std::uint32_t index) {
  Entities values;
  for (const Entity& value : resolver.values_at(file, index)) {
    if (value.kind == EntityKind::kSymbol && is_callable(symbol_of(value))) {
      add_results(values, ruby_results(resolver, value));
    } else {
      add(values, value);
    }
  }
  return values;
}

Entities receiver_values(Resolver& resolver, const FileModel& file, std::uint32_t index) {
  const parse::Occurrence& at = file.facts.occurrences[index];
  if (at.receiver_kind == ReceiverKind::kTerm) return resolver.evaluate(file, at.receiver);
  if (at.receiver_kind != ReceiverKind::kName) return {kUnknownEntity};
  return values_named(resolver, file, at.receiver);
}

Entities members_of_values(Resolver& resolver, const FileModel& file, const Entities& values,
                           const RubyAsked& asked) {
  auto& types = resolver.memory<RubyTypes>();
  Entities found;
  bool is_unknown = values.empty();
  bool is_external = false;
  bool is_missing = false;  // from a known receiver
  for (const Entity& value : values) {
    Entities members;
    switch (value.kind) {
      case EntityKind::kSymbol:
      case EntityKind::kInstance:
      case EntityKind::kSelf: {
        if (!is_ruby_type(symbol_of(value))) {
          is_unknown = true;
          continue;
        }
        const RubySide side =
            value.kind == EntityKind::kSymbol ? RubySide::kType : RubySide::kInstance;
        members = members_of_type(resolver, file,
                                  types.full_name(resolver, *value.file, value.index), side, asked);
        break;
      }
      case EntityKind::kExternal:
        // The methods that the repository adds to Ruby's own classes.
        if (const auto literal = primitive_of(value)) {
          members = types.members(resolver,
                                  std::string(file.semantics.traits().primitives[*literal].name),
                                  RubySide::kInstance, asked);
        }
        if (members.empty()) {
          is_external = true;
          continue;
        }
        break;
      case EntityKind::kContainer:
      case EntityKind::kFunction:
        is_external = true;
        continue;
      default:
        is_unknown = true;
        continue;
    }
    for (Entity& member : members) {
      // A method that returns self returns its receiver.
      if (is_instance(value) && member.kind == EntityKind::kSymbol) {
        member.environment = resolver.member_environment(value, value);
      }
      if (member.kind == EntityKind::kUnknown) {
        is_missing = true;
      } else if (member.kind == EntityKind::kExternal) {
        is_external = true;
      } else {
        add(found, member);
      }
    }
  }
  if (!found.empty()) {
    if (is_unknown || is_missing) add(found, kUnknownEntity);
    return found;
  }
  if (is_missing) return {kUnknownEntity};
  if (is_unknown) return guessed(resolver, file, asked);
  return is_external ? Entities{kExternalEntity} : Entities{};
}

Entities own_call(Resolver& resolver, const FileModel& file, std::uint32_t offset,
                  const RubyAsked& asked) {
  const std::string& name = asked.name;
  auto& types = resolver.memory<RubyTypes>();
  const RubySelf self = types.self_at(resolver, file, offset);
  const RubySide side = self.is_type ? RubySide::kType : RubySide::kInstance;
  if (!self.type.empty()) {
    if (name == "new" && side == RubySide::kType) {
      return members_of_type(resolver, file, self.type, side, asked);
    }
    Entities found = types.members(resolver, self.type, side, asked);
    if (!found.empty()) return found;
  }
  Entities functions = types.functions(resolver, file, offset, name);
  if (!functions.empty()) return functions;
  if (!self.type.empty()) {
    Entities below = types.members_below(resolver, self.type, side, asked);
    if (!below.empty()) {
      if (below.size() > 1) add(below, kUnknownEntity);
      return below;
    }
    // A block in a class's body may run for its instances.
    if (self.is_in_block) {
      Entities other = types.members(resolver, self.type,
                                     self.is_type ? RubySide::kInstance : RubySide::kType, asked);
      if (!other.empty()) {
        add(other, kUnknownEntity);
        return other;
      }
    }
  }
  if (!self.type.empty() && side == RubySide::kInstance) {
    Entities nearby = types.sibling_members(resolver, self.type, asked);
    if (!nearby.empty()) {
      if (nearby.size() > 1) add(nearby, kUnknownEntity);
      return nearby;
    }
  }
  if (is_ruby_own(file, name)) return {kExternalEntity};
  return {kUnknownEntity};
}

}  // namespace

// In a method of the class itself `self` is the class.
Entities ruby_results(Resolver& resolver, const Entity& method) {
  Entities results = resolver.call_results({method});
  auto& types = resolver.memory<RubyTypes>();
  if (types.side_of(resolver, *method.file, method.index) == RubySide::kInstance) return results;
  for (Entity& result : results) {
    if (result.kind == EntityKind::kSelf) result.kind = EntityKind::kSymbol;
  }
  return results;
}

Entities ruby_own_call(Resolver& resolver, const FileModel& file, std::uint32_t index) {
  const parse::Occurrence& at = file.facts.occurrences[index];
  return own_call(resolver, file, at.offset, asked_at(file, index));
}

Entities ruby_super(Resolver& resolver, const FileModel& file, std::uint32_t offset) {
  auto& types = resolver.memory<RubyTypes>();
  const RubySelf self = types.self_at(resolver, file, offset);
  if (self.method == kNoIndex || self.type.empty()) return {kExternalEntity};
  const RubySide side = self.is_type ? RubySide::kType : RubySide::kInstance;
  const std::vector<RubyStep> steps = types.order(resolver, self.type, side).steps;
  const auto own = std::ranges::find(steps, self.type, &RubyStep::type);
  const auto first = static_cast<std::size_t>(own - steps.begin()) + 1;
  Entities found =
      types.members(resolver, self.type, side, {file.facts.symbols[self.method].name}, first);
  return found.empty() ? Entities{kExternalEntity} : found;
}

Entities ruby_member(Resolver& resolver, const FileModel& file, std::uint32_t index) {
  const parse::Occurrence& at = file.facts.occurrences[index];
  if (at.receiver_kind == ReceiverKind::kThis) return ruby_own_call(resolver, file, index);
  const Entities values = receiver_values(resolver, file, index);
  return members_of_values(resolver, file, values, asked_at(file, index));
}

namespace {

// The symbols in one call.
struct RubySymbols {
  std::uint32_t call = kNoIndex;  // whose arguments they are among
  std::uint32_t first = kNoIndex, last = kNoIndex;
  bool are_alone = true;  // nothing else is passed before
};

std::uint32_t end_of(const FileModel& file, const parse::Occurrence& at) {
  return at.offset + static_cast<std::uint32_t>(file.name(at.name).size());
}

RubySymbols symbols_around(const FileModel& file, std::uint32_t index) {
  const auto& occurrences = file.facts.occurrences;
  RubySymbols found{.first = index, .last = index};
  std::uint32_t begin = occurrences[index].offset - 1;  // of ":"
  for (std::uint32_t before = index, steps = 0; steps < kMaxSymbols && before > 0; ++steps) {
    const parse::Occurrence& other = occurrences[--before];
    const std::uint32_t end = end_of(file, other);
    if (end > begin || begin - end > kMaxSymbolDistance) break;
    if (other.role == Role::kCall) {
      if (begin - end == 1 || !found.are_alone) found.call = before;
      break;
    }
    const bool is_symbol = other.receiver_kind == ReceiverKind::kKey;
    if (is_symbol) found.first = before;
    found.are_alone = found.are_alone && is_symbol;
    begin = other.offset - (is_symbol ? 1 : 0);
  }
  for (std::uint32_t steps = 0; steps < kMaxSymbols && found.last + 1 < occurrences.size();
       ++steps) {
    const parse::Occurrence& next = occurrences[found.last + 1];
    const std::uint32_t end = end_of(file, occurrences[found.last]);
    const bool is_one = next.receiver_kind == ReceiverKind::kKey && next.offset > end &&
                        next.offset - 1 - end <= kMaxSymbolDistance;
    if (!is_one) break;
    ++found.last;
  }
  return found;
}

}  // namespace

Entities ruby_symbol(Resolver& resolver, const FileModel& file, std::uint32_t index) {
  const auto& occurrences = file.facts.occurrences;
  const parse::Occurrence& at = occurrences[index];
  const RubyAsked asked{file.name(at.name)};
  // each(&:name)
  if (at.receiver != kNoIndex) {
    return members_of_values(resolver, file, resolver.evaluate(file, at.receiver), asked);
  }
  const bool is_declared = file.symbol_named_at(at.offset) != kNoIndex;
  // What code may do with a symbol otherwise is not known.
  const RubySymbols symbols = symbols_around(file, index);
  if (symbols.call == kNoIndex) return {kUnknownEntity};
  const parse::Occurrence& call = occurrences[symbols.call];
  const std::string& called = file.name(call.name);
  auto& types = resolver.memory<RubyTypes>();
  const bool takes_method = symbols.are_alone && is_one_of(called, kTakesMethod);
  const bool is_own =
      call.receiver_kind == ReceiverKind::kNone || call.receiver_kind == ReceiverKind::kThis;
  if (!is_own) {
    if (!takes_method) return {kUnknownEntity};
    return members_of_values(resolver, file, receiver_values(resolver, file, symbols.call), asked);
  }
  const bool is_last = is_one_of(called, kDelegatesToLast);
  const std::uint32_t target = is_last ? symbols.last : symbols.first;
  // (def_delegator :@a, :b, :c: the last is only what b is called here.)
  const bool is_other_name = called.ends_with("_delegator") && index > target + 1;
  if (is_last || (is_one_of(called, kDelegates) && !is_other_name)) {
    if (index != target) {
      // A variable that nothing here sets is set elsewhere.
      if (resolver.resolve(file, target) == Entities{kExternalEntity}) return {kUnknownEntity};
      return members_of_values(resolver, file, values_named(resolver, file, target), asked);
    }
    if (is_declared) return {kUnknownEntity};
  }
  if (is_declared) return {};
  const RubySelf self = types.self_at(resolver, file, at.offset);
  if (self.type.empty() || (!takes_method && self.method != kNoIndex)) return {kUnknownEntity};
  const bool is_instance = !self.is_type || self.method == kNoIndex;
  Entities found = types.members(resolver, self.type,
                                 is_instance ? RubySide::kInstance : RubySide::kType, asked);
  if (found.empty() && self.method == kNoIndex) {
    found = types.members(resolver, self.type, RubySide::kType, asked);
  }
  return found.empty() ? Entities{kUnknownEntity} : found;
}

}  // namespace codexmem::graph
