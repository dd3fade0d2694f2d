// The form of an Elixir name decides its meaning: a capitalised name is a module; a name behind a
// module is the module's function with as many arguments; any other call is a function of the
// module around, of a module that it uses, or of an import. Variables are not called and are looked
// up in the scopes.
//
// Tested by graph/elixir_test.cpp.
#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "graph/core/resolver.h"
#include "graph/elixir/elixir_modules.h"
#include "graph/elixir/elixir_semantics.h"

extern "C" const char codexmem_elixir_library[], codexmem_elixir_library_end[];

namespace codexmem::graph {

using parse::kNoIndex;
using parse::ReceiverKind;
using parse::Role;

namespace {

constexpr std::array<std::string_view, 2> kConfigurationFiles = {"mix.exs", "mix.lock"};
constexpr std::array<std::string_view, 3> kReflection = {"apply", "function_exported", "__info__"};
// What the library calls: OTP's behaviours, what starts an application, what `use` runs.
constexpr std::array<std::string_view, 14> kCalledUnseen = {
    "init",      "handle_call", "handle_cast",        "handle_info",      "handle_continue",
    "terminate", "code_change", "start_link",         "child_spec",       "start",
    "stop",      "__using__",   "__before_compile__", "__after_compile__"};
constexpr std::array<std::string_view, 22> kReserved = {
    "true",     "false",   "nil",     "when",       "and",    "or",     "not",  "in",
    "fn",       "do",      "end",     "catch",      "rescue", "after",  "else", "__MODULE__",
    "__FILE__", "__DIR__", "__ENV__", "__CALLER__", "quote",  "unquote"};

LanguageTraits elixir_traits() {
  LanguageTraits traits;
  traits.knowledge = Knowledge::kChecked;
  traits.files.configuration = kConfigurationFiles;
  traits.names.reflection = kReflection;
  traits.names.called_unseen = kCalledUnseen;
  traits.names.reserved = kReserved;
  traits.names_are_seen_behind = true;
  traits.imports_name_declarations = true;
  traits.overloads_are_distinct = true;
  traits.containers_are_apart = true;
  traits.absent_names_are_external = true;
  traits.keys_may_be_names = true;
  return traits;
}

ElixirName asked_name(const FileModel& file, std::uint32_t index) {
  const parse::Occurrence& at = file.facts.occurrences[index];
  ElixirName asked{.name = file.name(at.name), .is_type = at.role == Role::kType};
  const auto call = file.call_of(index);
  if (call && *call != kNoIndex) {
    asked.has_arity = true;
    asked.arity = static_cast<std::uint32_t>(file.parts_of(file.facts.terms[*call]).size()) - 1;
  }
  return asked;
}

// True for A of A.B.
bool is_name_part(const FileModel& file, std::uint32_t index) {
  if (index + 1 >= file.facts.occurrences.size()) return false;
  const parse::Occurrence& next = file.facts.occurrences[index + 1];
  return next.receiver_kind == ReceiverKind::kName && next.receiver == index &&
         is_upper(file.name(next.name).front());
}

// True for :run of apply(Job, :run, []) and {Job, :run, []}.
bool follows_module(const FileModel& file, std::uint32_t index) {
  const parse::Occurrence& at = file.facts.occurrences[index];
  if (index == 0 || at.receiver_kind != ReceiverKind::kKey || at.role != Role::kRead) return false;
  const parse::Occurrence& before = file.facts.occurrences[index - 1];
  const std::string& module = file.name(before.name);
  constexpr std::string_view kBetween = ", :";
  return is_upper(module.front()) && before.offset + module.size() + kBetween.size() == at.offset;
}

}  // namespace

ElixirSemantics::ElixirSemantics()
    : LanguageSemantics(elixir_traits(), {codexmem_elixir_library, codexmem_elixir_library_end}) {}

std::optional<Entities> ElixirSemantics::meaning_by_form(Resolver& resolver, const FileModel& file,
                                                         std::uint32_t index) const {
  const parse::Occurrence& at = file.facts.occurrences[index];
  const std::string& name = file.name(at.name);
  auto& modules = resolver.memory<ElixirModules>();
  const Entities external = {kExternalEntity};
  if (name.empty()) return external;
  if (at.receiver_kind == ReceiverKind::kTag) {
    const std::uint32_t module = modules.module_at(file, at.offset);
    Entities found;
    if (const auto id = file.find_name(name); module != kNoIndex && id) {
      for (const std::uint32_t member : file.members_of(module, *id)) {
        const parse::Symbol& symbol = file.facts.symbols[member];
        if (symbol.type != SymbolType::kVariable) continue;
        // The last one that is seen.
        if (symbol.range.begin < at.offset || found.empty()) {
          found = {{EntityKind::kSymbol, &file, member}};
        }
      }
    }
    return found.empty() ? external : found;
  }
  if (is_upper(name.front())) {
    // A part of a longer name means nothing by itself, unless it is an alias.
    const bool is_alone = at.receiver_kind == ReceiverKind::kNone;
    if (is_name_part(file, index) && !(is_alone && modules.is_alias(file, name, at.offset))) {
      return external;
    }
    Entities found = modules.modules(resolver, modules.named_by(resolver, file, index));
    return found.empty() ? external : found;
  }
  const ElixirName asked = asked_name(file, index);
  if (at.receiver_kind == ReceiverKind::kNone) {
    if (!asked.has_arity) return std::nullopt;
    Entities found = modules.bare(resolver, file, at.offset, asked);
    if (!found.empty()) return found;
    if (asked.is_type || library().has("globals", name)) return external;
    return Entities{kUnknownEntity};
  }
  std::string full;
  const FileModel* only = nullptr;
  if (at.receiver_kind == ReceiverKind::kThis) {
    full = modules.full_name(resolver, file, modules.module_at(file, at.offset));
    only = &file;
  } else if (at.receiver_kind == ReceiverKind::kName) {
    full = modules.named_by(resolver, file, at.receiver);
    if (full.empty()) return std::nullopt;
  } else if (follows_module(file, index)) {
    Entities found =
        modules.members(resolver, modules.named_by(resolver, file, index - 1), {.name = name});
    if (found.empty()) return std::nullopt;
    return found;
  } else {
    return std::nullopt;
  }
  const bool is_function = asked.has_arity;
  Entities found = is_function ? modules.members(resolver, full, asked, only)
                               : modules.values(resolver, full, name, SymbolType::kProperty);
  if (found.empty() && is_function) {
    for (const Entity& module : modules.modules(resolver, full)) {
      const parse::Symbol& symbol = symbol_of(module);
      add_all(found, modules.injected_members(
                         resolver, *module.file,
                         symbol.body.end > 0 ? symbol.body.end - 1 : symbol.range.end, asked));
    }
  }
  return found.empty() ? external : found;
}

Entities ElixirSemantics::imported(Resolver& resolver, const FileModel& file, std::uint32_t import,
                                   std::string_view name) const {
  const parse::Import& from = file.facts.imports[import];
  auto& modules = resolver.memory<ElixirModules>();
  const std::string full = modules.expanded(resolver, file, from.path, from.range.begin);
  Entities found = from.from_import && name != "*"
                       ? modules.members(resolver, full, {.name = std::string(name)})
                       : modules.modules(resolver, full);
  if (found.empty()) found.push_back(kExternalEntity);
  return found;
}

Entities ElixirSemantics::unbound_name(Resolver&, const FileModel&, std::string_view) const {
  return {kUnknownEntity};
}

// Clauses of a function that others stand between.
Entities ElixirSemantics::merged_with(Resolver& resolver, const FileModel& file,
                                      std::uint32_t symbol) const {
  const parse::Symbol& own = file.facts.symbols[symbol];
  Entities others;
  const bool is_function = own.type == SymbolType::kMethod || own.type == SymbolType::kFunction;
  if (!is_function) return others;
  auto& modules = resolver.memory<ElixirModules>();
  const auto id = file.find_name(own.name);
  if (!id) return others;
  const std::uint32_t module = modules.module_at(file, own.range.begin);
  const auto [least, most] = elixir_arities(file, symbol);
  for (const std::uint32_t member : file.members_of(module, *id)) {
    const parse::Symbol& other = file.facts.symbols[member];
    if (member == symbol || other.type != own.type) continue;
    if (elixir_arities(file, member).second == most) {
      add(others, {EntityKind::kSymbol, &file, member});
    }
  }
  return others;
}

bool ElixirSemantics::overrides(const FileModel& file, std::uint32_t symbol,
                                const Entity& base) const {
  const auto [least, most] = elixir_arities(file, symbol);
  const auto [wanted, wanted_most] = elixir_arities(*base.file, base.index);
  return least <= wanted_most && wanted <= most;
}

bool ElixirSemantics::may_use(const FileModel& file, std::uint32_t index,
                              const Entity& member) const {
  const ElixirName asked = asked_name(file, index);
  const SymbolType type = symbol_of(member).type;
  if (!asked.has_arity) return type == SymbolType::kProperty;
  if (type == SymbolType::kProperty || type == SymbolType::kVariable) return false;
  const auto [least, most] = elixir_arities(*member.file, member.index);
  return least <= asked.arity && asked.arity <= most;
}

}  // namespace codexmem::graph
