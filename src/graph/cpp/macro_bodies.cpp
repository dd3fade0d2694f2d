// Tested by graph/cpp_test.cpp.
#include "graph/cpp/macro_bodies.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "graph/c/c_macros.h"
#include "graph/core/code_text.h"
#include "graph/core/resolver_step.h"
#include "graph/cpp/cpp_scopes.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;
using parse::Occurrence;
using parse::ScopeKind;

constexpr std::string_view kBlanks = " \t\r\n\\";
constexpr std::size_t kMaxHeaderBytes = 400;
constexpr int kMaxMacros = 4;  // that call each other

struct HeaderMemory : Resolver::Memory {
  std::map<std::pair<const FileModel*, std::uint32_t>, std::optional<MacroHeader>> by_scope;
};

std::string_view trim_end(std::string_view text) {
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

// The header that ends where the code at `begin` begins: `NAME(arguments) `.
std::optional<MacroHeader> header_before(Resolver& resolver, const FileModel& file,
                                         std::uint32_t begin) {
  const std::string_view text = trim_end(text_before(resolver, file, begin));
  if (!text.ends_with(')')) return std::nullopt;
  std::size_t open = text.size();
  for (int depth = 0; open > 0 && text.size() - open < kMaxHeaderBytes;) {
    --open;
    if (text[open] == '"') {  // to where the string begins
      do {
        open = text.substr(0, open).rfind('"');
        if (open == std::string_view::npos) return std::nullopt;
      } while (open > 0 && text[open - 1] == '\\');
    }
    if (text[open] == ')') ++depth;
    if (text[open] == '(' && --depth == 0) break;
  }
  if (text[open] != '(') return std::nullopt;
  const std::string_view before = trim_end(text.substr(0, open));
  MacroHeader header;
  header.macro =
      file.occurrence_at(static_cast<std::uint32_t>(before.size() - last_word(before).size()));
  if (header.macro == kNoIndex) return std::nullopt;
  header.first = header.end = header.macro + 1;
  const auto& all = file.facts.occurrences;
  while (header.end < all.size() && all[header.end].offset < begin) ++header.end;
  return header;
}

// True for a definition that begins with a name which is no type: TEST(name) { }.
bool is_headed_by_macro(const FileModel& file, const parse::Symbol& symbol) {
  if (symbol.body.empty() || symbol.name_range.begin <= symbol.range.begin) return false;
  const std::uint32_t first = file.occurrence_at(symbol.range.begin);
  return first != kNoIndex && file.facts.occurrences[first].role == parse::Role::kRead;
}

// The scope in `file` itself around `offset`.
std::uint32_t outermost_scope(const FileModel& file, std::uint32_t offset) {
  std::uint32_t scope = file.scope_at(offset);
  while (scope != kNoIndex && scope != 0 && file.facts.scopes[scope].parent != 0) {
    scope = file.facts.scopes[scope].parent;
  }
  return scope;
}

// The occurrence of the type in `T name;`, where the name ends `text`; kNoIndex for other texts.
std::uint32_t type_before(const FileModel& file, std::string_view text) {
  text = trim_end(text.substr(0, text.size() - last_word(text).size()));
  while (text.ends_with('*') || text.ends_with('&')) {
    text = trim_end(text.substr(0, text.size() - 1));
  }
  return file.occurrence_at(static_cast<std::uint32_t>(text.size() - last_word(text).size()));
}

// The classes that an occurrence names. A bare name in a macro's body is not resolved, since it may
// mean something else where the macro is used; nor is one that the grammar takes for a definition.
Entities types_named_at(Resolver& resolver, const FileModel& file, std::uint32_t index) {
  if (index == kNoIndex) return {};
  const Occurrence& at = file.facts.occurrences[index];
  const auto is_other = [](const Entity& entity) {
    return entity.kind != EntityKind::kSymbol || !is_type_like(symbol_of(entity));
  };
  Entities types;
  if (at.role != parse::Role::kDefinition) types = resolver.resolve(file, index);
  std::erase_if(types, is_other);
  if (!types.empty() || at.receiver_kind != parse::ReceiverKind::kNone) return types;
  types = in_any_namespace(resolver, file, file.name(at.name), false);
  std::erase_if(types, is_other);
  const auto is_same = [&](const Entity& entity) {
    return path_of(resolver, entity) == path_of(resolver, types.front());
  };
  return std::ranges::all_of(types, is_same) ? types : Entities();
}

Entities declared_in(Resolver& resolver, const Entity& macro, std::string_view name, int depth) {
  const FileModel& file = *macro.file;
  if (depth > kMaxMacros || file.is_library || macro_row(resolver, file, macro.index) == nullptr) {
    return {};
  }
  const ByteRange body = file.facts.symbols[macro.index].body;
  const std::string_view text = text_before(resolver, file, body.end);
  if (body.empty() || body.end > text.size()) return {};
  const auto& all = file.facts.occurrences;
  auto at = std::ranges::lower_bound(all, body.begin, {}, &Occurrence::offset);
  for (; at != all.end() && at->offset < body.end; ++at) {
    const std::string_view word = file.name(at->name);
    const std::size_t end = at->offset + word.size();
    const std::size_t next = text.find_first_not_of(kBlanks, end);
    const char sign = next == std::string_view::npos ? '\0' : text[next];
    if (sign == ';' && word == name) {
      Entities types = types_named_at(resolver, file, type_before(file, text.substr(0, end)));
      if (!types.empty()) return resolver.instances(types);
    }
    if (sign != '(') continue;
    const auto index = static_cast<std::uint32_t>(at - all.begin());
    for (const Entity& called : Entities(resolver.resolve(file, index))) {
      if (called.kind != EntityKind::kSymbol) continue;
      Entities found = declared_in(resolver, called, name, depth + 1);
      if (!found.empty()) return found;
    }
  }
  return {};
}

}  // namespace

std::optional<MacroHeader> macro_header(Resolver& resolver, const FileModel& file,
                                        std::uint32_t offset) {
  const std::uint32_t scope = outermost_scope(file, offset);
  if (scope == kNoIndex || scope == 0 || file.is_library) return std::nullopt;
  const auto [known, is_new] =
      resolver.memory<HeaderMemory>().by_scope.try_emplace({&file, scope}, std::nullopt);
  if (!is_new) return known->second;
  const parse::Scope& around = file.facts.scopes[scope];
  std::uint32_t begin = around.range.begin;
  if (around.kind == ScopeKind::kFunction) {
    // BOOST_FIXTURE_TEST_CASE(name, Fixture) is read as a function called Fixture.
    const std::uint32_t symbol = file.symbol_at(offset);
    if (symbol == kNoIndex) return std::nullopt;
    const parse::Symbol& function = file.facts.symbols[symbol];
    if (!is_headed_by_macro(file, function)) return std::nullopt;
    begin = function.body.begin;
  } else if (around.kind != ScopeKind::kBlock) {
    return std::nullopt;
  }
  std::optional<MacroHeader> header = header_before(resolver, file, begin);
  resolver.memory<HeaderMemory>().by_scope[{&file, scope}] = header;
  return header;
}

Entities classes_of_header(Resolver& resolver, const FileModel& file, const MacroHeader& header) {
  Entities classes;
  for (std::uint32_t i = header.first; i < header.end; ++i) {
    add_all(classes, types_named_at(resolver, file, i));
  }
  return classes;
}

Entities declared_by_macro(Resolver& resolver, const FileModel& file, const MacroHeader& header,
                           std::string_view name) {
  for (const Entity& macro : Entities(resolver.resolve(file, header.macro))) {
    if (macro.kind != EntityKind::kSymbol) continue;
    Entities found = declared_in(resolver, macro, name, 0);
    if (!found.empty()) return found;
  }
  return {};
}

bool is_named_by_argument(Resolver& resolver, const Entity& entity) {
  if (entity.kind != EntityKind::kSymbol || entity.file->is_library) return false;
  const FileModel& file = *entity.file;
  const parse::Symbol& symbol = symbol_of(entity);
  if (!is_headed_by_macro(file, symbol)) return false;
  const std::string_view text = text_before(resolver, file, symbol.range.end);
  const std::size_t next = text.find_first_not_of(kBlanks, symbol.name_range.end);
  return next != std::string_view::npos && (text[next] == ')' || text[next] == ',');
}

}  // namespace codexmem::graph
