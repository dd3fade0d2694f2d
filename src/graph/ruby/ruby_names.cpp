// The meaning of Ruby's names.
//
// A bare name is a local's where the function, or a block in it, binds it; else a method of `self`.
// A constant is looked up by its full path, a member by its receiver's value. With an unknown
// receiver it may mean the members of the only class that has some of that name: likely, marked by
// kUnknown in the answer. Tested by graph/ruby_test.cpp.
#include <algorithm>

#include "base/ascii.h"
#include "graph/core/resolver_step.h"
#include "graph/core/subtypes.h"
#include "graph/ruby/ruby_calls.h"
#include "graph/ruby/ruby_semantics.h"
#include "graph/ruby/ruby_types.h"

extern "C" const char codexmem_ruby_library[], codexmem_ruby_library_end[];

namespace codexmem::graph {
namespace {

using parse::kNoIndex;
using parse::ReceiverKind;
using parse::Role;
using parse::ScopeKind;

constexpr std::string_view kRubyConfiguration[] = {"Gemfile", "*.gemspec"};
constexpr std::string_view kRubyReflection[] = {
    "__send__",       "class_variable_get", "class_variable_set",    "const_get",
    "define_method",  "instance_method",    "instance_variable_get", "instance_variable_set",
    "method_missing", "public_send",        "respond_to_missing?",   "send"};
constexpr std::string_view kRubyCalledUnseen[] = {"<=>",          "==",
                                                  "===",          "coerce",
                                                  "each",         "eql?",
                                                  "extended",     "hash",
                                                  "included",     "inherited",
                                                  "inspect",      "initialize",
                                                  "method_added", "method_missing",
                                                  "prepended",    "respond_to_missing?",
                                                  "to_ary",       "to_hash",
                                                  "to_proc",      "to_s",
                                                  "to_str"};
constexpr std::string_view kRubyReserved[] = {
    "BEGIN",  "END",    "__ENCODING__", "__FILE__", "__LINE__", "alias", "and",   "begin", "break",
    "case",   "class",  "def",          "defined?", "do",       "else",  "elsif", "end",   "ensure",
    "false",  "for",    "if",           "in",       "module",   "next",  "nil",   "not",   "or",
    "redo",   "rescue", "retry",        "return",   "self",     "super", "then",  "true",  "undef",
    "unless", "until",  "when",         "while",    "yield"};
// Types of literals.
constexpr Primitive kRubyLiterals[] = {{"String"}, {"Symbol"}, {"Integer"}, {"Regexp"},
                                       {"Range"},  {"Proc"},   {"Array"},   {"Object"}};

LanguageTraits ruby_traits() {
  LanguageTraits traits;
  traits.knowledge = Knowledge::kChecked;
  traits.names.reflection = kRubyReflection;
  traits.files.configuration = kRubyConfiguration;
  traits.names.called_unseen = kRubyCalledUnseen;
  traits.absent_names_are_external = true;
  traits.containers_are_apart = true;
  traits.protocol.self = "self";
  traits.protocol.constructor = "initialize";
  traits.protocol.item = "[]";
  traits.first_base_wins = true;
  traits.primitives = kRubyLiterals;
  traits.alternatives_are_likely = true;
  traits.parts_are_one = true;
  traits.foreign.results_are_unknown = true;
  traits.keys_may_be_names = true;
  traits.overriding = Overriding::kFew;
  traits.names.reserved = kRubyReserved;
  traits.texts.reach = kRubyReflection;
  return traits;
}

std::optional<Entities> local_at(Resolver& resolver, const FileModel& file,
                                 const parse::Occurrence& at) {
  for (std::uint32_t scope = file.scope_at(at.offset); scope != kNoIndex;
       scope = file.facts.scopes[scope].parent) {
    Entities found;
    for (const std::uint32_t binding : file.bindings_in(scope, at.name)) {
      add_all(found, resolver.resolve_binding(file, binding));
    }
    if (!found.empty()) return found;
    if (file.facts.scopes[scope].kind != ScopeKind::kComprehension) break;
  }
  return std::nullopt;
}

// @name: in the class around, its superclasses and modules, or its subclasses.
Entities own_variable(Resolver& resolver, const FileModel& file, const parse::Occurrence& at) {
  auto& types = resolver.memory<RubyTypes>();
  const std::string& name = file.name(at.name);
  const RubySelf self = types.self_at(resolver, file, at.offset);
  if (self.type.empty()) {
    Entities found;
    for (const std::uint32_t binding : file.bindings_in(0, at.name)) {
      add_all(found, resolver.resolve_binding(file, binding));
    }
    return found.empty() ? Entities{kExternalEntity} : found;
  }
  // (Which of the two sides it is of makes no difference: few use a name for both.)
  for (const RubyStep& step : types.order(resolver, self.type, RubySide::kInstance).steps) {
    Entities found = types.variables(resolver, step.type, name);
    if (!found.empty()) return found;
  }
  Entities below = types.variables_below(resolver, self.type, name);
  return below.empty() ? Entities{kExternalEntity} : below;
}

// A setter has no value (parse/walk/symbols.h).
bool is_setter(const FileModel& file, const parse::Symbol& symbol) {
  return is_callable(symbol) && (symbol.term == kNoIndex ||
                                 file.facts.terms[symbol.term].kind != parse::TermKind::kFunction);
}

}  // namespace

RubySemantics::RubySemantics()
    : LanguageSemantics(ruby_traits(), {codexmem_ruby_library, codexmem_ruby_library_end}) {}

std::optional<Entities> RubySemantics::meaning_by_form(Resolver& resolver, const FileModel& file,
                                                       std::uint32_t index) const {
  const Resolver::RecursionGuard step(resolver);
  if (step.over_limit()) return Entities{kUnknownEntity};
  const parse::Occurrence& at = file.facts.occurrences[index];
  const std::string& name = file.name(at.name);
  if (name.empty()) return Entities{kExternalEntity};
  if (name.front() == '@') return own_variable(resolver, file, at);
  if (at.receiver_kind == ReceiverKind::kKey) return ruby_symbol(resolver, file, index);
  if (name.front() == '$') return Entities{kExternalEntity};
  if (is_upper(name.front()) && at.role != Role::kCall) {
    auto& types = resolver.memory<RubyTypes>();
    const Entities& found = types.declarations(resolver, types.constant_at(resolver, file, index));
    return found.empty() ? Entities{kExternalEntity} : found;
  }
  if (at.receiver_kind == ReceiverKind::kNone) {
    if (name == "super") return ruby_super(resolver, file, at.offset);
    if (at.role != Role::kCall) {
      if (auto local = local_at(resolver, file, at)) return local;
    }
    return ruby_own_call(resolver, file, index);
  }
  return ruby_member(resolver, file, index);
}

Entities RubySemantics::unbound_name(Resolver&, const FileModel&, std::string_view) const {
  return {kUnknownEntity};
}

Entities RubySemantics::imported(Resolver&, const FileModel&, std::uint32_t,
                                 std::string_view) const {
  return {kExternalEntity};
}

// A class or module is opened in several places.
Entities RubySemantics::merged_with(Resolver& resolver, const FileModel& file,
                                    std::uint32_t symbol) const {
  const parse::Symbol& own = file.facts.symbols[symbol];
  if (!is_ruby_type(own)) return {};
  auto& types = resolver.memory<RubyTypes>();
  Entities others = types.openings(resolver, types.full_name(resolver, file, symbol));
  std::erase(others, Entity{EntityKind::kSymbol, &file, symbol});
  return others;
}

// self.new in a method of the class.
std::optional<Entities> RubySemantics::called(Resolver&, const FileModel&, const Entity& callee,
                                              std::span<const parse::TermId>) const {
  if (is_instance(callee)) return Entities{{EntityKind::kInstance, callee.file, callee.index}};
  return std::nullopt;
}

// "()": what a name gives that may be a variable's or a method's. "class": of what.
std::optional<Entities> RubySemantics::operated(Resolver& resolver, const FileModel&,
                                                std::string_view sign, const Entities& left,
                                                const Entities&) const {
  Entities found;
  for (const Entity& value : left) {
    if (sign == "class") {
      const bool is_ours = is_instance(value);
      add(found, is_ours ? Entity{EntityKind::kSymbol, value.file, value.index} : kUnknownEntity);
    } else if (value.kind == EntityKind::kSymbol && is_callable(symbol_of(value))) {
      add_results(found, ruby_results(resolver, value));
    } else if (value == kExternalEntity) {
      add(found, kUnknownEntity);
    } else {
      add(found, value);
    }
  }
  return found;
}

std::vector<std::string> RubySemantics::implied_names(const FileModel& file,
                                                      std::uint32_t symbol) const {
  const parse::Symbol& named = file.facts.symbols[symbol];
  if (named.type != SymbolType::kMethod) return {};
  if (named.name == "initialize") return {"new", "super"};
  return {"super"};
}

bool RubySemantics::overrides(const FileModel& file, std::uint32_t symbol,
                              const Entity& base) const {
  const parse::Symbol& here = file.facts.symbols[symbol];
  const parse::Symbol& there = symbol_of(base);
  if (is_ruby_type(here) || is_ruby_type(there) || here.name.starts_with('@')) return false;
  if (is_setter(file, here) != is_setter(*base.file, there)) return false;
  // (A class that is opened again does not stand above itself.)
  if (file.qualified_name(symbol) == base.file->qualified_name(base.index)) return false;
  return true;
}

// meaning_by_form() decides all meanings.
bool RubySemantics::may_use(const FileModel&, std::uint32_t, const Entity&) const { return false; }

// attr_reader :a reads @a of its class, and of those below and above.
std::vector<std::pair<const FileModel*, std::uint32_t>> RubySemantics::named_after(
    Resolver& resolver, const FileModel& file, std::uint32_t symbol) const {
  const std::uint32_t owner = file.owner_of(symbol);
  const std::string& name = file.facts.symbols[symbol].name;
  if (owner == kNoIndex || name.starts_with("@@")) return {};
  const bool is_variable = name.starts_with('@');
  const auto is_attribute = [&](const FileModel& of, std::uint32_t index) {
    const store::SymbolRow* row = resolver.row_of(of, index);
    return row != nullptr && (row->kind == "attribute" || row->kind == "writer");
  };
  if (!is_variable && !is_attribute(file, symbol)) return {};
  const std::string other = is_variable ? name.substr(1) : "@" + name;
  Entities types = types_below(resolver, file, owner);
  add(types, {EntityKind::kSymbol, &file, owner});
  for (const Entity& same : merged_with(resolver, file, owner)) add(types, same);
  std::vector<std::pair<const FileModel*, std::uint32_t>> found;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const Entity type = types[i];
    if (type.kind != EntityKind::kSymbol || type.file->is_library) continue;
    for (const Entity& base : resolver.supertypes(*type.file, type.index)) {
      if (base.kind == EntityKind::kSymbol || is_instance(base)) {
        add(types, {EntityKind::kSymbol, base.file, base.index});
      }
    }
    const auto id = type.file->find_name(other);
    if (!id) continue;
    for (const std::uint32_t member : type.file->members_of(type.index, *id)) {
      if (!is_variable || is_attribute(*type.file, member)) found.emplace_back(type.file, member);
    }
  }
  return found;
}

std::string RubySemantics::objection_to(const FileModel&, const store::SymbolRow& at,
                                        std::string_view) const {
  const bool is_known =
      std::ranges::find(kRubyCalledUnseen, at.name) != std::end(kRubyCalledUnseen);
  const bool is_function = at.type == SymbolType::kMethod || at.type == SymbolType::kFunction;
  if (is_known && is_function) return "the language knows " + at.name + " by its name";
  return {};
}

}  // namespace codexmem::graph
