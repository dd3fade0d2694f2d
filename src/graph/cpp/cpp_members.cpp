// Tested by graph/cpp_test.cpp.
#include "graph/cpp/cpp_members.h"

#include <algorithm>

#include "graph/cpp/cpp_makers.h"
#include "graph/cpp/cpp_operators.h"
#include "graph/cpp/cpp_scopes.h"
#include "graph/cpp/cpp_semantics.h"
#include "graph/nominal/members.h"
#include "graph/nominal/overloads.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;

constexpr int kMaxPointers = 4;  // to pointers

// True if `->` or `(*x).` is before the name at `offset`. (In facts a pointer has the type that it
// points to.)
bool is_pointed_to(Resolver& resolver, const FileModel& file, std::uint32_t offset) {
  constexpr std::string_view kSpaces = " \t\r\n";
  std::string_view before = text_before(resolver, file, offset);
  const auto trim_end = [&] { before = before.substr(0, before.find_last_not_of(kSpaces) + 1); };
  const auto take = [&](std::string_view word) {
    trim_end();
    const bool is_present = before.ends_with(word);
    if (is_present) before.remove_suffix(word.size());
    return is_present;
  };
  take("template");
  if (take("->")) return true;
  if (!take(".") || !take(")")) return false;
  for (int depth = 1; depth > 0 && !before.empty(); before.remove_suffix(1)) {
    if (before.back() == ')') ++depth;
    if (before.back() == '(' && --depth == 0) {
      const std::string_view inside = text_before(resolver, file, offset).substr(before.size());
      const std::size_t first = inside.find_first_not_of(kSpaces);
      return first != std::string_view::npos && inside[first] == '*';
    }
  }
  return false;
}

class MemberSearch {
 public:
  MemberSearch(Resolver& resolver, const FileModel& file, std::uint32_t offset,
               std::string_view name)
      : resolver_(resolver), file_(file), offset_(offset), name_(name) {}

  // `is_written`: `before` is the receiver as written, or its contents.
  Entities find(const Entities& before, bool is_written, int depth) {
    Entities direct;
    Entities held;  // by templates that nothing here declares
    bool is_guess = false;
    bool is_reached = false;
    const auto note_foreign = [&](const Entity& value) {
      for (const Entities& argument : value.environment->arguments) add_all(held, argument);
      is_reached |= container_kind(value) == ContainerKind::kReached;
    };
    for (const Entity& value : before) {
      if (value == kGuessEntity) {
        is_guess = true;
      } else if (is_foreign(value)) {
        note_foreign(value);
      } else {
        direct.push_back(value);
      }
    }
    Entities found;
    if (!direct.empty()) found = class_members(resolver_, direct, name_);
    // (Of a base that is such a template.)
    std::erase_if(found, [&](const Entity& entity) {
      if (is_foreign(entity)) note_foreign(entity);
      return is_foreign(entity);
    });
    if (has_kind(found, EntityKind::kSymbol)) {
      if (is_guess) add(found, kGuessEntity);
      return found;
    }
    if (depth > kMaxPointers) return {kUnknownEntity};
    for (const std::string_view arrow : {"operator->", "operator*"}) {
      const Entities pointed =
          direct.empty() ? Entities() : pointed_values(resolver_, direct, arrow);
      if (!pointed.empty() && pointed != before) return find(pointed, false, depth + 1);
    }
    if (held.empty()) return found;
    if (is_reached || (is_written && is_pointed_to(resolver_, file_, offset_))) {
      Entities inner = find(held, is_written, depth + 1);
      if (has_kind(inner, EntityKind::kSymbol)) {
        add(inner, kGuessEntity);
        return inner;
      }
    }
    Entities reached = resolver_.container(family_of("cpp"), ContainerKind::kReached, {held});
    reached.insert(reached.begin(), kElsewhereEntity);
    return reached;
  }

 private:
  Resolver& resolver_;
  const FileModel& file_;
  const std::uint32_t offset_;
  const std::string_view name_;
};

}  // namespace

Entities pointed_values(Resolver& resolver, const Entities& values, std::string_view name) {
  Entities functions;
  for (const Entity& function : class_members(resolver, values, name)) {
    const bool is_function = function.kind == EntityKind::kSymbol;
    if (is_function && takes_so_many(function, 0)) add(functions, function);
  }
  return functions.empty() ? Entities() : resolver.call_results(functions);
}

Entities members_through(Resolver& resolver, const Entities& before, const FileModel& file,
                         std::uint32_t index) {
  const parse::Occurrence& at = file.facts.occurrences[index];
  return MemberSearch(resolver, file, at.offset, file.name(at.name)).find(before, true, 0);
}

// *p: the value that p points to, if p is not a built-in pointer.
std::optional<Entities> CppSemantics::operated(Resolver& resolver, const FileModel&,
                                               std::string_view sign, const Entities& left,
                                               const Entities& right) const {
  if (sign != "*" || !right.empty()) return std::nullopt;
  Entities found;
  for (const Entity& value : left) {
    if (is_foreign(value)) {
      add_all(found, resolver.elements({value}));
      continue;
    }
    // (*this does not call the operator.)
    const bool may_be_pointer = value.kind == EntityKind::kInstance;
    const Entities pointed =
        may_be_pointer ? pointed_values(resolver, {value}, "operator*") : Entities();
    add_all(found, pointed.empty() ? Entities{value} : pointed);
  }
  return found;
}

std::vector<UnwrittenUse> CppSemantics::unwritten_uses(Resolver& resolver, const FileModel& file,
                                                       std::uint32_t symbol) const {
  auto uses = IncludingSemantics::unwritten_uses(resolver, file, symbol);
  const Entity entity{EntityKind::kSymbol, &file, symbol};
  std::vector<UnwrittenUse> more;
  Entities declared = merged_with(resolver, file, symbol);
  declared.push_back(entity);
  if (std::ranges::any_of(
          declared, [](const Entity& each) { return is_constructor(*each.file, each.index); })) {
    more = uses_of_maker(resolver, entity);
  }
  if (is_operator_sign(symbol_of(entity).name)) more = uses_of_operator(resolver, entity);
  uses.insert(uses.end(), more.begin(), more.end());
  return uses;
}

// The parameters of the templates around a class.
std::vector<Entity> CppSemantics::implied_type_parameters(Resolver&, const Entity& type) const {
  std::vector<Entity> parameters;
  const FileModel& file = *type.file;
  for (std::uint32_t symbol = file.facts.symbols[type.index].parent; symbol != kNoIndex;
       symbol = file.facts.symbols[symbol].parent) {
    for (const std::uint32_t binding : file.type_parameters_of(symbol)) {
      parameters.push_back({EntityKind::kTypeParameter, &file, binding});
    }
  }
  return parameters;
}

}  // namespace codexmem::graph
